// Package preproc processes the text of kernels before parsing. It tracks positions, includes
// files, declares the toolchains' functions, expands macros, finds where declarations end, and
// rewrites in place. It handles tokens and brackets, but no types, statements or expressions.
package preproc
