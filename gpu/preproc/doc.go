// Package preproc owns the text of kernels before it is parsed: places and problems, the
// files that a text includes, what the toolchains declare, macros, where declarations begin
// and end, and how a text is rewritten at its place. It sees words and brackets, and knows
// no types, statements or expressions.
package preproc
