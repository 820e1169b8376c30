// Command codemetrics measures the structure of this repository's code: the sizes of
// packages, functions and structs, the comments inside functions, and the uses between
// files of a package. It parses Go sources without tests and generated code. The
// figures are a report: no test limits them.
//
//	go run ./internal/codemetrics            print the table
//	go run ./internal/codemetrics -worst 10  add the ten worst locations of each kind
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	worst := flag.Int("worst", 0, "list the `N` worst locations of each kind")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	h, err := measure(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "codemetrics:", err)
		os.Exit(1)
	}
	h.write(os.Stdout, *worst)
}
