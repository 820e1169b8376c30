package judgement

import "github.com/gradine/gradine/discharge/verdict"

// meets returns the one of expected that says that c contradicts itself; nil if there is none.
func (c Contradiction) meets(expected []verdict.Expectation) *verdict.Expectation {
	for i, e := range expected {
		if e.Project == c.Project && e.Path == c.Path() && e.Verdict == verdict.Vacuous {
			return &expected[i]
		}
	}
	return nil
}

// Totals count obligations. This is the one definition of how many are proved, of how
// many: what has a verdict that is expected is counted apart from what has to be proved.
type Totals struct {
	Asked    int // obligations that have to be proved
	Proved   int // of these
	Expected int // obligations whose verdict is another, as expected

	ExpectedAs map[verdict.Verdict]int // these by their verdicts
}

// Count returns the totals of results.
func Count(results []verdict.Result) (t Totals) {
	for _, result := range results {
		switch {
		case result.Expected != nil:
			if t.Expected++; t.ExpectedAs == nil {
				t.ExpectedAs = map[verdict.Verdict]int{}
			}
			t.ExpectedAs[result.Verdict]++
		case result.Verdict == verdict.Proved:
			t.Proved++
			fallthrough
		default:
			t.Asked++
		}
	}
	return t
}

// Rest counts the obligations that are not proved, against expectation.
func (t Totals) Rest() int { return t.Asked - t.Proved }

// Judgement compares findings with expectations.
type Judgement struct {
	Rest           []verdict.Result // what no expectation speaks of
	Contradictions []Contradiction  // likewise
	Met            []Contradiction  // those that are as expected
	Wrong          []Surprise
	Stale          []verdict.Expectation // about nothing that there is
	Ambiguous      []verdict.Expectation // about several obligations of one path
}

// Answer is what a judgement says as a whole.
type Answer uint8

// The answers, the graver ones last.
const (
	Yes       Answer = iota // all is proved, or as expected
	NoVerdict               // something is open
	No                      // something is refuted, vacuous, contradictory or not as expected
)

// Answer sums the judgement up.
func (j Judgement) Answer() Answer {
	answer := Yes
	for _, result := range j.Rest {
		switch result.Verdict {
		case verdict.Refuted, verdict.Vacuous:
			return No
		case verdict.Open:
			answer = NoVerdict
		}
	}
	if len(j.Contradictions)+len(j.Wrong)+len(j.Stale)+len(j.Ambiguous) > 0 {
		return No
	}
	return answer
}

// Surprise is an obligation whose verdict is another than the expected one.
type Surprise struct {
	verdict.Expectation
	Is verdict.Verdict
}

// Judge compares findings with expectations: the one place that decides what speaks against
// success, for all who ask. Whole says that the findings are all
// that there is to find; otherwise an expectation about something else is not stale.
func Judge(results []verdict.Result, contradictions []Contradiction, expected []verdict.Expectation, whole bool) Judgement {
	type key struct{ project, path string }
	at := map[key]int{}
	for i, e := range expected {
		at[key{e.Project, e.Path}] = i
	}
	var j Judgement
	found := make([]int, len(expected))   // how many obligations each speaks of
	met := map[*verdict.Expectation]int{} // by how many contradictions
	for _, result := range results {
		i, ok := at[key{result.Project, result.Path()}]
		if !ok {
			j.Rest = append(j.Rest, result)
			continue
		}
		found[i]++
		if result.Verdict != expected[i].Verdict {
			j.Wrong = append(j.Wrong, Surprise{expected[i], result.Verdict})
		}
	}
	for _, c := range contradictions {
		if e := c.meets(expected); e != nil {
			met[e]++
		}
	}
	for _, c := range contradictions {
		// What speaks of several, as of a context and a machine that share a name, is met by none.
		if e := c.meets(expected); e != nil && met[e] == 1 {
			j.Met = append(j.Met, c)
		} else {
			j.Contradictions = append(j.Contradictions, c)
		}
	}
	for i, e := range expected {
		switch {
		case found[i] > 1, met[&expected[i]] > 1:
			j.Ambiguous = append(j.Ambiguous, e)
		case whole && found[i] == 0 && met[&expected[i]] == 0, at[key{e.Project, e.Path}] != i:
			j.Stale = append(j.Stale, e)
		}
	}
	return j
}
