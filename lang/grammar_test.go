package lang

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antlr4-go/antlr/v4"
	"github.com/gradine/gradine/lang/internal/gen"
	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic/notation"
)

func TestGeneratedParserBelongsToGrammar(t *testing.T) {
	grammar, err := os.ReadFile("grammar/EventB.g4")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("SHA-256 %x\n", sha256.Sum256(grammar))
	files, err := filepath.Glob("internal/gen/eventb_*.go")
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if head := string(src[:min(len(src), 400)]); !strings.Contains(head, want) {
			t.Errorf("%s is older than the grammar: run lang/grammar/generate.sh", f)
		}
	}
}

// lex cuts text with the generated lexer.
func lex(text string) []scan.Token {
	lexer := gen.NewEventBLexer(&bytesStream{src: text})
	lexer.RemoveErrorListeners()
	var tokens []scan.Token
	for {
		t := lexer.NextToken()
		if t.GetTokenType() == antlr.TokenEOF {
			return tokens
		}
		tokens = append(tokens, scan.Token{Kind: scan.Kind(t.GetTokenType()), From: t.GetStart(), To: t.GetStop() + 1})
	}
}

// TestSpellingsOfGrammar checks that every spelling of the table of operators is
// one token of the grammar, of the class that it should be.
func TestSpellingsOfGrammar(t *testing.T) {
	check := func(text string, want ...int) {
		if text == "" {
			return
		}
		tokens := lex(text)
		if len(tokens) != 1 || tokens[0].To != len(text) {
			t.Errorf("%q is %d tokens", text, len(tokens))
			return
		}
		for _, w := range want {
			if int(tokens[0].Kind) == w {
				return
			}
		}
		t.Errorf("%q is token %d, want one of %v", text, tokens[0].Kind, want)
	}
	for _, e := range notation.All() {
		for _, text := range append([]string{e.Unicode}, e.ASCII...) {
			check(text, gen.EventBLexerOPERATOR, gen.EventBLexerWORD, gen.EventBLexerMINUS)
		}
	}
	for _, s := range []notation.Sign{notation.BecomesEqual, notation.BecomesIn, notation.BecomesSuch} {
		check(s.Unicode, gen.EventBLexerASSIGN)
		check(s.ASCII, gen.EventBLexerASSIGN)
	}
	for _, s := range []notation.Sign{notation.Dot, notation.SuchThat} {
		check(s.Unicode, gen.EventBLexerOPERATOR)
		check(s.ASCII, gen.EventBLexerOPERATOR)
	}
	for _, w := range append(notation.Reserved, notation.ReservedASCII...) {
		check(w, gen.EventBLexerWORD)
	}
}

// TestLexerAndScannerAgree compares the tokens of the generated lexer, which
// reads files, with those of the scanner, which reads formulas.
func TestLexerAndScannerAgree(t *testing.T) {
	for _, text := range []string{
		"x' ∈ ℕ1 ∪ ℕx", "λx·x>0∣−x", "1..n", "x1 2 $P $ 'a", "a/*c*/b//d\ne", "`a b`' ```x`", "A€B ° é_ß λx", "x:∈S y::T z:|P w:∣Q",
		"{}{ }{x|x>0}", "a|->b,,c", "f<+g<-h", "٣٤", "\u00a0x\u2029y", "⟶", "\"c\" x \"d", "\ue103\ue100", "x_̃y z‿",
	} {
		compareTokens(t, text)
	}
}

func compareTokens(t *testing.T, text string) {
	t.Helper()
	var want, got []string
	for _, tok := range scan.All(text, scan.Text) {
		if tok.Kind != scan.End {
			want = append(want, text[tok.From:tok.To])
		}
	}
	for _, tok := range lex(text) {
		got = append(got, text[tok.From:tok.To])
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q:\nlexer   %q\nscanner %q", text, got, want)
	}
}
