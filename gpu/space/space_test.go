package space

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

var names = map[string]int64{"x": 7, "y": 3, "z": 0}

// The values are those of Python.
func TestExpressions(t *testing.T) {
	for text, want := range map[string]int64{
		"x + y * 2":             13,
		"(x + y) * 2":           20,
		"-x // 2":               -4,
		"x // -2":               -4,
		"-x % 4":                1,
		"x % -4":                -1,
		"2 ** 3 ** 2":           512,
		"-2 ** 2":               -4,
		"x - y - 1":             3,
		"min(x, y, 5)":          3,
		"max(x, y)":             7,
		"1 < y < x":             1,
		"1 < y < 3":             0,
		"x == 7 and not y == 7": 1,
		"x == 1 or y == 3":      1,
		"x in [1, 7]":           1,
		"x not in [1, 7]":       0,
		"x > 0 and z == 0":      1,
	} {
		e, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if holds, err := e.Holds(names); err != nil || holds != (want != 0) {
			t.Errorf("%s: holds %v, %v", text, holds, err)
		}
		if got, err := e.Value(names); err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, err, want)
		}
	}
}

// What is not understood is refused, and what has no value has none.
func TestRefusedExpressions(t *testing.T) {
	for _, text := range []string{"", "x +", "len(x)", "x if y else 1", "x ** ", "lambda: 1", "x; y", "x[0]", "\"a\"", "(x", "x)", "x = 3", "f(x)", "x.real", "x & 1", strings.Repeat("(", 5), "010 < x", "x < 00", "9007199254740993 > x"} {
		if e, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, e)
		}
	}
	for text, at := range map[string]string{"math.sqrt(x) < 3": `"math.sqrt"`, "x < 1.5": `"1.5"`, "x['a']": `"'a"`, "x × y": `"×"`, "f(x)": "the function f"} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), "not understood at "+at+": write integers") {
			t.Errorf("%q: %v, want %s", text, err, at)
		}
	}
	for _, text := range []string{"x // z", "x % z", "x / z", "2 ** 90", "x / 2", "w + 1"} {
		e, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if v, err := e.Value(names); err == nil {
			t.Errorf("%s is %d", text, v)
		}
	}
}

func spaceFor(t *testing.T, restrictions ...string) *Space {
	t.Helper()
	s := &Space{Parameters: []Parameter{{"a", []int64{1, 2, 3}}, {"b", []int64{4, 5}}}, Fixed: map[string]int64{"n": 10}}
	for _, r := range restrictions {
		e, err := Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		s.Restrictions = append(s.Restrictions, e)
	}
	var err error
	if s.Block[0], err = Parse("a * b"); err != nil {
		t.Fatal(err)
	}
	if s.Grid[0], err = Parse("(n + a - 1) // a"); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConfigurations(t *testing.T) {
	s := spaceFor(t, "a * b != 8", "a < n")
	all, sampled, err := s.Configurations()
	var got []string
	for _, c := range all {
		got = append(got, s.Text(c))
		if c.Block != [3]int64{c.Values[0] * c.Values[1], 1, 1} || c.Grid != [3]int64{(10 + c.Values[0] - 1) / c.Values[0], 1, 1} {
			t.Errorf("%s: %v blocks of %v", s.Text(c), c.Grid, c.Block)
		}
	}
	if want := []string{"a=1 b=4", "a=1 b=5", "a=2 b=5", "a=3 b=4", "a=3 b=5"}; err != nil || sampled || !slices.Equal(got, want) {
		t.Errorf("%v %v %v, want %v", got, sampled, err, want)
	}
	if m := s.Macros(all[2]); !slices.Equal(m, []string{"n=10", "a=2", "b=5"}) {
		t.Errorf("macros %v", m)
	}
}

// Of restrictions that no combination meets, those are named that conflict, and no other.
func TestConflicts(t *testing.T) {
	for want, restrictions := range map[string][]string{
		`none of the 6 combinations satisfies "a > 2" and "a * b < 12"`: {"n == 10", "a > 2", "b < 6", "a * b < 12"},
		`none of the 6 combinations satisfies "a > 9"`:                  {"b == 4", "a > 9", "a < n"},
	} {
		_, _, err := spaceFor(t, restrictions...).Configurations()
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", restrictions, err, want)
		}
	}
	if err := spaceFor(t, "c > 1").Check(); err == nil || !strings.Contains(err.Error(), "there is no parameter c; there are a, b, n") {
		t.Errorf("an unknown parameter: %v", err)
	}
}

// A space whose parameters are not what they seem is refused, with the key that says so.
func TestCheck(t *testing.T) {
	unknown, err := Parse("x > 1")
	if err != nil {
		t.Fatal(err)
	}
	a := []Parameter{{"a", []int64{3}}}
	for _, c := range []struct {
		want, key string
		s         *Space
	}{
		{"parameter a has no values", "tune_params a", &Space{Parameters: []Parameter{{"a", nil}}}},
		{"parameter a has the value 3 twice", "tune_params a", &Space{Parameters: []Parameter{{"a", []int64{3, 1, 3}}}}},
		{"a is defined twice", "tune_params a", &Space{Parameters: []Parameter{{"a", []int64{3}}, {"a", []int64{4}}}}},
		{"n is defined twice", "tune_params n", &Space{Parameters: []Parameter{{"n", []int64{3}}}, Fixed: map[string]int64{"n": 1}}},
		{`"a b" is not the name of a macro`, "tune_params a b", &Space{Parameters: []Parameter{{"a b", []int64{3}}}}},
		{`"größe" is not the name of a macro`, "defines", &Space{Parameters: a, Fixed: map[string]int64{"größe": 1}}},
		{`"x\n#define y" is not the name of a macro`, "tune_params x\n#define y", &Space{Parameters: []Parameter{{"x\n#define y", []int64{3}}}}},
		{"there is no parameter x; there are a", "restrictions", &Space{Parameters: a, Restrictions: []*Expression{unknown}}},
		{"there is no parameter x; there are a", "block_size_names", &Space{Parameters: a, Block: [3]*Expression{nil, unknown}}},
		{"there is no parameter x; there are a", "problem_size", &Space{Parameters: a, Grid: [3]*Expression{unknown}}},
		{"there is no parameter x; there are a", "smem_args", &Space{Parameters: a, Dynamic: unknown}},
	} {
		var f *Fault
		if err := c.s.Check(); !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) || strings.Join(f.Key, " ") != c.key {
			t.Errorf("%v, want %s of %s", err, c.want, c.key)
		}
	}
}

// wide is a space of three parameters with n values each.
func wide(t *testing.T, n int64, restrictions ...string) *Space {
	s := &Space{}
	var values []int64
	for v := range n {
		values = append(values, v)
	}
	for _, name := range []string{"a", "b", "c"} {
		s.Parameters = append(s.Parameters, Parameter{name, values})
	}
	for _, r := range restrictions {
		e, err := Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		s.Restrictions = append(s.Restrictions, e)
	}
	return s
}

// Of many combinations, the few that restrictions allow are all found, in the order of the values: the same as a search
// through all finds.
func TestNarrowed(t *testing.T) {
	for n, restrictions := range map[int64][]string{
		200: {"a == 3", "b == a + 2"},
		120: {"a * b == 35", "c % 7 == 0", "a < b"},
		12:  {"a * b == c", "a + b > 4"}, // few enough to be tried one by one, too
	} {
		s := wide(t, n, restrictions...)
		all, sampled, err := s.Configurations()
		if err != nil || sampled {
			t.Errorf("%v: sampled %v, %v", restrictions, sampled, err)
		}
		var want [][]int64
		of := map[string]int64{}
		for a := range n {
			for b := range n {
				for c := range n {
					if n > 12 && (n == 200 && a != 3 || n == 120 && 35%max(a, 1) > 0) { // what these restrictions exclude at a glance
						continue
					}
					of["a"], of["b"], of["c"] = a, b, c
					if ok, err := s.meet(s.Restrictions, []int64{a, b, c}, of); err != nil {
						t.Fatal(err)
					} else if ok {
						want = append(want, []int64{a, b, c})
					}
				}
			}
		}
		if len(want) == 0 || !slices.EqualFunc(all, want, func(c Configuration, v []int64) bool { return slices.Equal(c.Values, v) }) {
			t.Errorf("%v: %d configurations, want %d", restrictions, len(all), len(want))
		}
		var narrowed [][]int64
		if err := s.narrowed(s.Restrictions, func(v []int64, _ map[string]int64) error {
			narrowed = append(narrowed, slices.Clone(v))
			return nil
		}); err != nil || !slices.EqualFunc(narrowed, want, slices.Equal) {
			t.Errorf("%v: narrowed to %d, %v; want %d", restrictions, len(narrowed), err, len(want))
		}
	}
}

// Of a space with too many combinations, a conflict is told for certain only where all were tried.
func TestConflictsOfLargeSpaces(t *testing.T) {
	_, sampled, err := wide(t, 200, "c < 500", "a == 3", "b == 5", "a + b == 9").Configurations()
	if want := `no valid configuration: no combination satisfies "a == 3" and "b == 5" and "a + b == 9"`; err == nil || sampled || err.Error() != want {
		t.Errorf("sampled %v: %v, want %s", sampled, err, want)
	}
	if testing.Short() {
		return // a million draws, four times
	}
	_, sampled, err = wide(t, 200, "a >= 0", "a + b + c < 0").Configurations()
	if err == nil || !sampled || !strings.Contains(err.Error(), `none of the combinations drawn at random satisfies "a + b + c < 0"; there are too many`) {
		t.Errorf("sampled %v: %v", sampled, err)
	}
}

// Large spaces are drawn from, the same each time, and this is said.
func TestSampled(t *testing.T) {
	if testing.Short() {
		t.Skip("a million draws, twice")
	}
	s := wide(t, 200, "(a + b + c) % 97 == 0 and (a * b + c) % 53 == 0")
	first, sampled, err := s.Configurations()
	second, _, _ := s.Configurations()
	same := slices.EqualFunc(first, second, func(a, b Configuration) bool { return s.Text(a) == s.Text(b) })
	if err != nil || !sampled || len(first) < 100 || len(first) > 400 || !same { // of a million draws one in 5,141
		t.Errorf("%d configurations, sampled %v, the same %v: %v", len(first), sampled, same, err)
	}
	for i, c := range first {
		a, b, d := c.Values[0], c.Values[1], c.Values[2]
		if (a+b+d)%97 != 0 || (a*b+d)%53 != 0 || slices.ContainsFunc(first[:i], func(o Configuration) bool { return s.Text(o) == s.Text(c) }) {
			t.Errorf("%s is drawn", s.Text(c))
		}
	}
}

// Of a large space that restrictions hardly narrow, no more are drawn than can be compiled.
func TestSampleIsBounded(t *testing.T) {
	s := spaceFor(t, "a > 1")
	for v := range int64(2000) {
		s.Parameters[0].Values = append(s.Parameters[0].Values, v+10)
		s.Parameters[1].Values = append(s.Parameters[1].Values, v+10)
	}
	s.Block = [3]*Expression{}
	all, sampled, err := s.Configurations()
	if err != nil || !sampled || len(all) != Sample {
		t.Errorf("%d configurations, sampled %v: %v", len(all), sampled, err)
	}
}
