// Package gen contains the lexer and parser that ANTLR generates from
// lang/grammar/EventB.g4. Run lang/grammar/generate.sh after a change of the
// grammar; the header of each generated file records its grammar.
// Package lang converts the parse tree to its syntax tree.
package gen
