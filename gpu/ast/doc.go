// Package ast parses kernels: it reduces C++ to C, runs the parser (modernc.org/cc), and builds
// the syntax tree that later stages use.
package ast
