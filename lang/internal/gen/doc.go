// Package gen owns the lexer and parser that ANTLR generates from
// lang/grammar/EventB.g4. Run lang/grammar/generate.sh after a change of the
// grammar; the header of each generated file records the grammar it belongs to.
// It knows nothing of the syntax tree: package lang leaves the parse tree at once.
package gen
