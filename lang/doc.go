// Package lang implements the text language: its syntax tree, Parse and Format, which are
// inverses of each other, and the grouping of formulas by Rodin's rules.
//
// A file is read in four passes. The lexer splits it into tokens. The mender (mend.go) repairs
// deviations from the grammar and reports an error for each repair. The generated parser finds
// clauses, in which a formula is a flat list of tokens. The grouper (group.go) turns these
// lists into trees.
package lang
