package infer_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/infer"
)

// loop is a loop over integers, once for all provers: its body makes one of some moves,
// as long as one is possible.
type loop struct {
	name       string
	vars       []string
	first      []string // their initial values
	moves      []move
	candidates []string
	kept       string // of the candidates: what Boogie keeps
}

// move is p :∣ guard; vars ≔ values.
type move struct {
	param, guard string
	to, values   []string
}

var loops = []loop{
	{"count", []string{"i", "j"}, []string{"0", "0"},
		[]move{{"", "i < 100", []string{"i", "j"}, []string{"i + 1", "j + 2"}}},
		[]string{"j = 2 ∗ i", "i ≤ 100", "j ≤ 100", "0 ≤ j", "j ≤ 200", "i = j"}, "j = 2 ∗ i; i ≤ 100; 0 ≤ j; j ≤ 200"},
	{"cycle", []string{"x", "y", "z"}, []string{"0", "0", "0"},
		[]move{{"", "0 ≤ x", []string{"x", "y", "z"}, []string{"y", "z", "1 − x"}}},
		[]string{"x = 0", "0 ≤ x", "x ≤ 1", "y = 0", "0 ≤ y", "y ≤ 1", "0 ≤ z", "z ≤ 1", "z = 0"}, "0 ≤ x; x ≤ 1; 0 ≤ y; y ≤ 1; 0 ≤ z; z ≤ 1"},
	{"phases", []string{"p", "x"}, []string{"0", "0"},
		[]move{
			{"", "p = 0 ∧ x < 5", []string{"x"}, []string{"x + 1"}},
			{"", "p = 0 ∧ x = 5", []string{"p"}, []string{"1"}},
			{"", "p = 1 ∧ x > 0", []string{"x"}, []string{"x − 1"}}},
		[]string{"0 ≤ x", "x ≤ 5", "p = 1 ⇒ x = 5", "p = 0 ∨ p = 1", "p = 0 ⇒ x < 5", "p ≤ x"}, "0 ≤ x; x ≤ 5; p = 0 ∨ p = 1"},
	{"subtract", []string{"x", "y"}, []string{"12", "18"},
		[]move{{"", "x > y", []string{"x"}, []string{"x − y"}}, {"", "y > x", []string{"y"}, []string{"y − x"}}},
		[]string{"x > 0", "y > 0", "x ≤ 12", "y ≤ 18", "x ≠ y", "x + y ≤ 30", "x + y > 11"}, "x > 0; y > 0; x ≤ 12; y ≤ 18; x + y ≤ 30"},
	{"lean", []string{"a", "b", "c"}, []string{"0", "0", "0"},
		[]move{{"", "a < 10", []string{"a", "b", "c"}, []string{"b + 1", "c + 1", "a + 1"}}},
		[]string{"a = b", "b = c", "a = c", "a ≤ 10", "b ≤ 10", "c ≤ 9"}, "a = b; b = c; a = c; a ≤ 10; b ≤ 10"},
	{"choose", []string{"x", "n"}, []string{"0", "0"},
		[]move{{"d", "1 ≤ d ∧ d ≤ 3 ∧ n < 9", []string{"x", "n"}, []string{"x + d", "n + 1"}}},
		[]string{"n ≤ x", "x ≤ 3 ∗ n", "x ≤ 2 ∗ n", "n ≤ 9", "x ≤ 27", "x = n"}, "n ≤ x; x ≤ 3 ∗ n; n ≤ 9; x ≤ 27"},
	{"down", []string{"i", "s"}, []string{"50", "0"},
		[]move{{"", "i > 0", []string{"i", "s"}, []string{"i − 1", "s + 3"}}},
		[]string{"s + 3 ∗ i = 150", "0 ≤ i", "i ≤ 49", "s ≤ 150", "0 < i", "s ≤ 149"}, "s + 3 ∗ i = 150; 0 ≤ i; s ≤ 150"},
	{"lock", []string{"l", "a", "b"}, []string{"0", "0", "0"},
		[]move{
			{"", "l = 0", []string{"l", "a"}, []string{"1", "1"}},
			{"", "l = 0", []string{"l", "b"}, []string{"1", "1"}},
			{"", "a = 1", []string{"l", "a"}, []string{"0", "0"}},
			{"", "b = 1", []string{"l", "b"}, []string{"0", "0"}}},
		[]string{"a + b = l", "a + b ≤ 1", "a = 0", "0 ≤ a", "0 ≤ b", "l ≤ 1", "a ≤ 1", "b ≤ l"}, "a + b = l; a + b ≤ 1; 0 ≤ a; 0 ≤ b; l ≤ 1; a ≤ 1; b ≤ l"},
	{"weak", []string{"a", "b"}, []string{"0", "0"},
		[]move{
			{"", "a = 1", []string{"a"}, []string{"0"}},
			{"", "a = 0", []string{"a"}, []string{"1"}},
			{"", "b ≤ 3", []string{"b"}, []string{"b + a"}}},
		[]string{"b ≤ 4", "0 ≤ b", "0 ≤ a", "b ≤ 3"}, "0 ≤ b; 0 ≤ a"},
	{"apart", []string{"x", "y", "t"}, []string{"0", "1", "0"},
		[]move{{"", "t < 20", []string{"x", "y", "t"}, []string{"y", "x", "t + 1"}}},
		[]string{"x ≠ y", "x + y = 1", "x < y", "x ∗ y = 0", "t = 20 ⇒ x = 0", "t ≤ 20", "x = 0 ∨ x = 1"}, "x ≠ y; x + y = 1; x ∗ y = 0; t ≤ 20; x = 0 ∨ x = 1"},
}

// machine is the loop as a machine.
func (l loop) machine() string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine %s\nvariables %s\ninvariants\n", l.name, strings.Join(l.vars, " "))
	for _, x := range l.vars {
		fmt.Fprintf(&b, "\t@%s_type %s ∈ ℤ\n", x, x)
	}
	for i, c := range l.candidates {
		fmt.Fprintf(&b, "\t@C%d %s\n", i, c)
	}
	b.WriteString("events\n\tevent INITIALISATION\n\tthen\n")
	for i, x := range l.vars {
		fmt.Fprintf(&b, "\t\t@%s %s ≔ %s\n", x, x, l.first[i])
	}
	b.WriteString("\tend\n")
	for i, m := range l.moves {
		fmt.Fprintf(&b, "\tevent m%d\n", i)
		if m.param != "" {
			fmt.Fprintf(&b, "\tany %s\n", m.param)
		}
		fmt.Fprintf(&b, "\twhere @g %s\n\tthen\n", m.guard)
		for k, x := range m.to {
			fmt.Fprintf(&b, "\t\t@%s %s ≔ %s\n", x, x, m.values[k])
		}
		b.WriteString("\tend\n")
	}
	b.WriteString("end\n")
	return b.String()
}

// boogie is the loop as a program of Boogie's.
func (l loop) boogie() string {
	var b strings.Builder
	for i := range l.candidates {
		fmt.Fprintf(&b, "const {:existential true} C%d: bool;\n", i)
	}
	fmt.Fprintf(&b, "procedure %s()\n{\n", l.name)
	for _, x := range l.vars {
		fmt.Fprintf(&b, "  var %s: int;\n", x)
	}
	for _, m := range l.moves {
		if m.param != "" {
			fmt.Fprintf(&b, "  var %s: int;\n", m.param)
		}
	}
	for i, x := range l.vars {
		fmt.Fprintf(&b, "  %s := %s;\n", x, l.first[i])
	}
	b.WriteString("  while (*)\n")
	spelled := strings.NewReplacer("∗", "*", "−", "-", "≤", "<=", "≠", "!=", "∧", "&&", "∨", "||", "⇒", "==>", " = ", " == ")
	for i, c := range l.candidates {
		fmt.Fprintf(&b, "    invariant C%d ==> (%s);\n", i, spelled.Replace(c))
	}
	b.WriteString("  {\n")
	for i, m := range l.moves {
		open := "if (*) {"
		if i == len(l.moves)-1 {
			open = "{"
		}
		if i > 0 {
			open = " else " + open
		}
		if len(l.moves) == 1 {
			open = "if (true) {"
		}
		b.WriteString("    " + open + "\n")
		if m.param != "" {
			fmt.Fprintf(&b, "      havoc %s;\n", m.param)
		}
		fmt.Fprintf(&b, "      assume %s;\n", spelled.Replace(m.guard))
		fmt.Fprintf(&b, "      %s := %s;\n    }\n", strings.Join(m.to, ", "), spelled.Replace(strings.Join(m.values, ", ")))
	}
	b.WriteString("  }\n}\n")
	return b.String()
}

// What Houdini keeps of ten loops is what Boogie's keeps.
func TestLoops(t *testing.T) {
	for _, l := range loops {
		dev, m, candidates := guessed(t, l.machine())
		r, err := infer.Check(context.Background(), dev, m, candidates, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept := map[string]bool{}
		for _, k := range r.Kept {
			kept[k.Rule] = true
		}
		if got := l.named(kept); got != l.kept {
			t.Errorf("%s: kept %s, and Boogie keeps %s", l.name, got, l.kept)
		}
	}
}

// named lists the candidates whose labels are kept.
func (l loop) named(kept map[string]bool) string {
	var out []string
	for i, c := range l.candidates {
		if kept[fmt.Sprintf("C%d", i)] {
			out = append(out, c)
		}
	}
	return strings.Join(out, "; ")
}

// The table above says what Boogie itself keeps.
func TestLoopsInBoogie(t *testing.T) {
	boogie, err := exec.LookPath("boogie")
	if err != nil {
		t.Skip("Boogie is not here")
	}
	for _, l := range loops {
		file := filepath.Join(t.TempDir(), l.name+".bpl")
		if err := os.WriteFile(file, []byte(l.boogie()), 0o600); err != nil {
			t.Fatal(err)
		}
		// Intervals that Boogie also infers would let candidates lean on what is none.
		out, err := exec.Command(boogie, "/noinfer", "/contractInfer", "/printAssignment", file).Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s\n%s", l.name, err, out, l.boogie())
		}
		kept := map[string]bool{}
		for line := range strings.Lines(string(out)) {
			if label, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && value == "True" {
				kept[label] = true
			}
		}
		if got := l.named(kept); got != l.kept {
			t.Errorf("%s: Boogie keeps %s, not %s", l.name, got, l.kept)
		}
	}
}
