// Command house measures the shape of this repository's code: how large packages,
// functions and structs are, how much is said inside functions, and how the files
// of a package lean on each other. It reads Go sources alone; tests and generated
// code are left out. The numbers are symptoms: no test holds them to a limit.
//
//	go run ./internal/house            the table
//	go run ./internal/house -worst 10  and the ten worst places of each kind
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	worst := flag.Int("worst", 0, "name the `N` worst places of each kind")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	h, err := measure(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
	h.write(os.Stdout, *worst)
}
