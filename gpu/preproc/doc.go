// Package preproc processes the text of kernels before it is parsed: positions and problems,
// included files, declarations of the toolchains, macros, limits of declarations, and
// rewriting in place. It sees words and brackets, but no types, statements or expressions.
package preproc
