// Package lang owns the text language: its syntax tree, Parse and Format, which
// are inverse to each other, and the grouping of formulas by Rodin's rules. It
// knows nothing of types and meaning.
package lang
