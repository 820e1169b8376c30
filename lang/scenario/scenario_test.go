package scenario_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/scenario"
)

const sample = `// first
scenario  crossing   of lights  // REQ-2
  with N=3
  // below
  impossible // here
breaks safe  why "a \"guard\" // is missing"
  INITIALISATION
  go(p=1&q:NAT) then x>=p
  not  go( p = f(1) )
  every can ` + "`end`" + `
  ...
  ...   4
  every check x /* so */ = 1 // tail
  // last of it
end // done
scenario b of m
INITIALISATION
end
// last
`

const laidOut = `// first
scenario crossing of lights  // REQ-2
    with N = 3
    // below
    impossible  // here
    breaks safe why "a \"guard\" // is missing"
    INITIALISATION
    go(p = 1 ∧ q ∈ ℕ)  then x ≥ p
    not go(p = f(1))
    every can ` + "`end`" + `
    ...
    ... 4
    every check x /* so */ = 1  // tail
    // last of it
end  // done

scenario b of m
    INITIALISATION
end

// last
`

func TestFormat(t *testing.T) {
	var problems diag.List
	f := scenario.Parse("a.scenario", []byte(sample), &problems)
	for _, d := range problems.Sorted() {
		t.Error(d)
	}
	if got := string(scenario.Format(f, lang.Options{})); got != laidOut {
		t.Errorf("%s", got)
	}
	for _, o := range []lang.Options{{}, {ASCII: true}, {Width: 20}} {
		again(t, scenario.Format(f, o), o)
	}
}

// again wants Format to be a fixed point: text is laid out already.
func again(t *testing.T, text []byte, o lang.Options) {
	t.Helper()
	var problems diag.List
	f := scenario.Parse("a.scenario", text, &problems)
	if problems.Len() > 0 {
		t.Fatalf("%v in\n%s", problems.Sorted()[0], text)
	}
	if got := scenario.Format(f, o); string(got) != string(text) {
		t.Fatalf("again:\n%s\nwas:\n%s", got, text)
	}
}

// Each mistake is one problem, which has a place and a next step; the scenario is left out.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"INITIALISATION":                                   "1:1: this line belongs to no scenario",
		"scenario a":                                       "1:1: a scenario has one name, then of, then one machine",
		"scenario a of m n\nx\nend":                        "1:1: a scenario has one name, then of, then one machine",
		"scenario a of m\nx":                               "2:2: scenario a has no end",
		"scenario a of m\nend":                             "1:1: scenario a has no lines",
		"scenario a of m\nx\nend now":                      "3:5: nothing can follow end",
		"scenario a of m\nx\nscenario b of m\ny\nend":      "3:1: scenario a has no end before this line",
		"scenario a of m\nx\nend\nscenario a of m\nx\nend": "4:10: the file has two scenarios a of m",
		"scenario a of m\nx\nwith N = 1\nend":              "3:1: with must precede all steps",
		"scenario a of m\nimpossible so\nx\nend":           "2:1: impossible has no argument and occurs once",
		"scenario a of m\nbreaks\nx\nend":                  "2:1: breaks needs the invariant that the last state violates",
		"scenario a of m\nbreaks i because\nx\nend":        "2:1: breaks needs the invariant that the last state violates",
		"scenario a of m\nevery\nend":                      "2:1: every has no argument",
		"scenario a of m\nevery ... 3\nend":                "2:1: every cannot precede a gap",
		"scenario a of m\n... 0\nend":                      "2:5: the limit of a gap is a positive number of steps",
		"scenario a of m\nnot\nend":                        "2:1: not names no event",
		"scenario a of m\ncheck\nend":                      "2:6: the formula is missing",
		"scenario a of m\ne(p = 1\nend":                    "2:2: the parenthesis is not closed",
		"scenario a of m\ne()\nend":                        "2:3: the formula is missing",
		"scenario a of m\ne thn x = 1\nend":                "2:3: unexpected text after the step",
		"scenario a of m\nnot e then x = 1\nend":           "2:7: unexpected text after the step",
		"scenario a of m\ncheck x =\nend":                  "2:10: the formula ends where an operand should follow",
		"scenario a of m\n\xff\nend":                       "2:1: the file is not UTF-8 text",
	} {
		var problems diag.List
		f := scenario.Parse("t.scenario", []byte(text), &problems)
		var got []string
		for _, d := range problems.Sorted() {
			line := strings.TrimPrefix(d.Error(), "t.scenario:")
			line = strings.Replace(line, "error: ", "", 1)
			got = append(got, line[:strings.LastIndex(line, " [")])
			if d.Code == "" || d.Help == "" && d.Code == scenario.SyntaxCode {
				t.Errorf("%q: %v has no code, or no next step", text, d)
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%q: %s", text, strings.Join(got, "\n"))
		}
		if len(f.Scenarios) > 1 || len(f.Scenarios) == 1 && !strings.Contains(text, "scenario b") && !strings.Contains(text, "end\nscenario a") {
			t.Errorf("%q: a scenario with a problem is there", text)
		}
	}
}

// Nothing makes the reader fail; what it has read is laid out so that it reads the same.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add(laidOut)
	f.Add("scenario a of m\nnot `then`(x = `(`)\nend")
	f.Fuzz(func(t *testing.T, text string) {
		var problems diag.List
		file := scenario.Parse("a.scenario", []byte(text), &problems)
		if problems.Len() > 0 {
			return // a file with problems keeps its layout
		}
		again(t, scenario.Format(file, lang.Options{}), lang.Options{})
	})
}
