package linear

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// written is a Sum as text: its terms in the order in which they were met, then its number.
func written(b *logic.Bank, s *Sum) string {
	var out []string
	for t, k := range s.Terms {
		out = append(out, fmt.Sprintf("%d·%s", k, text.Term(b, t)))
	}
	if n, ok := s.Constant(); ok {
		return strings.Join(append(out, fmt.Sprint("constant ", n)), " ")
	}
	if len(out) == 0 {
		return "unknown"
	}
	return strings.Join(append(out, fmt.Sprint(s.Number())), " ")
}

// TestDifference takes differences apart: sums are flattened, small factors multiply, and what
// is not linear stays whole.
func TestDifference(t *testing.T) {
	types := map[string]string{"x": "ℤ", "y": "ℤ", "z": "ℤ", "s": "ℙ(ℤ)"}
	for _, c := range []struct{ equation, want string }{
		{"x = x", "constant 0"},
		{"x + 3 = x − 4", "constant 7"},
		{"x + y = z", "1·x 1·y -1·z 0"},
		{"x − (y − z) = 2", "1·x -1·y 1·z -2"},
		{"2 ∗ (x + y) = y", "2·x 1·y 0"},
		{"x ∗ 3 = 3 ∗ x", "constant 0"},
		{"−(x + 1) = y", "-1·x -1·y -1"},
		{"x ∗ y = y ∗ x", "1·x∗y -1·y∗x 0"},
		{"1023 ∗ x = 0", "1023·x 0"},
		{"1024 ∗ x = 0", "1·1024∗x 0"}, // a product with a large factor is not looked into
		{"x = 1073741823", "1·x -1073741823"},
		{"x = 1073741824", "unknown"}, // sums of such numbers might not fit
		{"x = 99999999999999999999", "unknown"},
		{"s = s", "unknown"}, // no integers
	} {
		q, err := check.ReadSequent(types, nil, nil, c.equation)
		if err != nil {
			t.Fatal(err)
		}
		args := q.Bank.Args(q.Goal)
		if got := written(q.Bank, Difference(q.Bank, args[0], args[1])); got != c.want {
			t.Errorf("%s: %s, want %s", c.equation, got, c.want)
		}
	}
}

// TestSolveFor solves equations for a term: Find and Without together give its value.
func TestSolveFor(t *testing.T) {
	types := map[string]string{"x": "ℤ", "y": "ℤ", "z": "ℤ", "f": "ℙ(ℤ×ℤ)"}
	for _, c := range []struct{ equation, want string }{
		{"x = y", "y"},
		{"y = x", "y"},
		{"x + 1 = y", "y − 1"},
		{"y − x = z + 2", "y − z − 2"},
		{"x + 2 ∗ y = z", "−2∗y+z"},
		{"x = 5", "5"},
		{"−x = 5", "−5"},
		{"x = f(x)", "none"}, // the rest mentions x
		{"2 ∗ x = y", "none"},
	} {
		q, err := check.ReadSequent(types, nil, nil, c.equation)
		if err != nil {
			t.Fatal(err)
		}
		args := q.Bank.Args(q.Goal)
		d := Difference(q.Bank, args[0], args[1])
		got := "none"
		if u, k, ok := d.Find(func(u logic.Term, k int64) bool { return text.Term(q.Bank, u) == "x" && (k == 1 || k == -1) }); ok {
			if rest, ok := d.Without(u, -k); ok {
				got = text.Term(q.Bank, rest)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.equation, got, c.want)
		}
	}
}
