// Command gradine is a refinement and proof toolkit for Event-B.
package main

import (
	"os"

	"github.com/gradine/gradine/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
