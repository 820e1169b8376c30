// Package ast parses kernels. It reduces C++ to C, runs the parser (modernc.org/cc), and builds
// the syntax tree of later stages.
package ast
