// Package ast owns what a kernel says: how C++ becomes C, the parser, which is
// modernc.org/cc, and the syntax tree that the rest works on. It knows nothing of threads,
// control flow or machines.
package ast
