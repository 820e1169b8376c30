package lang_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gradine/gradine/lang"
	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"@inv1 x : NAT", "@inv1|x|:→∈|NAT→ℕ"},
		{"@`se perdre`: x:=y'", "@`se perdre`:|x|:=→≔|y'"},
		{"@a//b c // d", "@a//b|c|// d"},
		{"!x.x>=-1", "!→∀|x|.→·|x|>=→≥|-→−|1"},
		{"`end` @ @", "`end`|@|@"},
	} {
		var got []string
		for _, tok := range lang.Tokens(test.src) {
			text := test.src[tok.From:tok.To]
			if tok.Unicode != "" && tok.Unicode != text {
				text += "→" + tok.Unicode
			}
			got = append(got, text)
		}
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("%s: %s, want %s", test.src, s, test.want)
		}
	}
}

// Whatever the text, tokens stand in order and leave out blanks only.
func TestTokensOfAnything(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		src := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("@`:/*\"' ax1∧\n=>|{}\\")))).Draw(r, "src")
		at := 0
		for _, tok := range lang.Tokens(src) {
			if tok.From < at || tok.To <= tok.From || strings.TrimFunc(src[at:tok.From], blank) != "" {
				r.Fatalf("%q: %v", src, fmt.Sprint(tok))
			}
			at = tok.To
		}
		if utf8.ValidString(src) && strings.TrimFunc(src[at:], blank) != "" {
			r.Fatalf("%q: the end is missing", src)
		}
	})
}

func blank(r rune) bool { return len(lang.Tokens(string(r))) == 0 }
