package discharge

// Expect notes in r the one of expected that states its verdict.
func (r *Result) Expect(expected []Expectation) {
	for i, e := range expected {
		if e.Project == r.Project && e.Path == r.Path() && e.Verdict == r.Verdict {
			r.Expected = &expected[i]
		}
	}
}

// Totals count obligations. This is the one definition of how many are proved, of how
// many: what has a verdict that is expected is counted apart from what has to be proved.
type Totals struct {
	Asked    int // obligations that have to be proved
	Proved   int // of these
	Expected int // obligations whose verdict is another, as expected
}

// Count returns the totals of results.
func Count(results []Result) (t Totals) {
	for _, result := range results {
		switch {
		case result.Expected != nil:
			t.Expected++
		case result.Verdict == Proved:
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
	Rest           []Result        // what no expectation speaks of
	Contradictions []Contradiction // likewise
	Met            int             // contradictions that are as expected
	Wrong          []Surprise
	Stale          []Expectation // about nothing that there is
	Ambiguous      []Expectation // about several obligations of one path
}

// Surprise is an obligation whose verdict is another than the expected one.
type Surprise struct {
	Expectation
	Is Verdict
}

// Judge compares findings with expectations. Whole says that the findings are all
// that there is to find; otherwise an expectation about something else is not stale.
func Judge(results []Result, contradictions []Contradiction, expected []Expectation, whole bool) Judgement {
	type key struct{ project, path string }
	at := map[key]int{}
	for i, e := range expected {
		at[key{e.Project, e.Path}] = i
	}
	var j Judgement
	found := make([]int, len(expected)) // how many obligations each speaks of
	contradicts := make([]bool, len(expected))
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
		if i, ok := at[key{c.Project, c.Path()}]; ok && expected[i].Verdict == Vacuous {
			contradicts[i] = true
			j.Met++
		} else {
			j.Contradictions = append(j.Contradictions, c)
		}
	}
	for i, e := range expected {
		switch {
		case found[i] > 1:
			j.Ambiguous = append(j.Ambiguous, e)
		case whole && found[i] == 0 && !contradicts[i], at[key{e.Project, e.Path}] != i:
			j.Stale = append(j.Stale, e)
		}
	}
	return j
}
