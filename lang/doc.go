// Package lang implements the text language: its syntax tree, Parse and Format, which
// are inverse to each other, and the grouping of formulas by Rodin's rules.
//
// A file is read in four passes: the lexer cuts it into tokens; the mender (mend.go)
// repairs what does not fit the grammar, with an error for each repair; the parser,
// generated from the grammar, finds clauses in which a formula is a flat row of
// tokens; the grouper (group.go) makes trees of the rows.
package lang
