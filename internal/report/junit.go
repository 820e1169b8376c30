package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	File    string     `xml:"file,attr,omitempty"`
	Failure *junitText `xml:"failure,omitempty"`
	Skipped *junitText `xml:"skipped,omitempty"`
	Out     string     `xml:"system-out,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// fail adds a suite of what fails, if anything does.
func (all *junitSuites) fail(name string, cases []junitCase) {
	if len(cases) == 0 {
		return
	}
	for i := range cases {
		cases[i].Class = strings.ReplaceAll(name, "/", ".")
	}
	all.Tests += len(cases)
	all.Failures += len(cases)
	all.Suites = append(all.Suites, junitSuite{Name: name, Tests: len(cases), Failures: len(cases), Cases: cases})
}

// problems are the errors of models, and what is missing without one: of both the obligations are too few.
func problems(p Findings) (out []junitCase) {
	for _, e := range withoutFollowing(p.Errors(), func(x diag.Diagnostic) diag.Diagnostic { return x }) {
		out = append(out, junitCase{Name: strings.TrimSuffix(e.Code+" "+e.Element, " "), File: e.Span.File, Failure: &junitText{"error", e.Span.String() + ": " + e.Message}})
	}
	if len(out) > 0 {
		return out
	}
	for _, s := range p.Status {
		if lost := s.Of.Lost(); lost != "" {
			out = append(out, junitCase{Name: s.Component, Failure: &junitText{"inaccurate", lost}})
		}
	}
	return out
}

// JUnit writes results as test suites, one for each component: a refuted
// or vacuous obligation is a failure, an open one is skipped; one whose verdict is
// expected passes. An error of a model is a failure, for what it touches has no obligations, and
// so is what else speaks against success.
func JUnit(out io.Writer, r Report) error {
	all := junitSuites{Name: "gradine"}
	var results []verdict.Result
	for _, p := range r.Projects {
		results = append(results, p.Results...)
		all.fail(p.Name+"/check", problems(p))
	}
	var cases []junitCase
	for _, x := range r.Against {
		cases = append(cases, junitCase{Name: x.Text, Failure: &junitText{x.What, x.Text}})
	}
	all.fail("verify", cases)
	for _, result := range results {
		name := result.Project + "/" + result.Component
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != name {
			all.Suites = append(all.Suites, junitSuite{Name: name})
		}
		s := &all.Suites[len(all.Suites)-1]
		c := junitCase{Class: strings.ReplaceAll(name, "/", "."), Name: result.Name}
		if len(result.Sources) > 0 {
			c.File = result.Sources[0].Span().File
		}
		s.Tests++
		all.Tests++
		// Open is skipped rather than failed: nothing is known to be wrong. What is
		// expected passes, with the reason in its output.
		switch {
		case result.Expected != nil:
			c.Out = fmt.Sprintf("%s, as expected by gradine.toml: %s", result.Verdict, result.Expected.Why)
		case result.Verdict == verdict.Vacuous:
			c.Failure = &junitText{"vacuous", "its hypotheses are inconsistent"}
			s.Failures++
			all.Failures++
		case result.Verdict == verdict.Refuted:
			c.Failure = &junitText{"refuted", strings.Join(violationLines(explain.Lift(result)), "\n")}
			s.Failures++
			all.Failures++
		case result.Verdict == verdict.Open:
			c.Skipped = &junitText{Message: string(result.Verdict)}
			s.Skipped++
			all.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	fmt.Fprint(out, xml.Header)
	enc := xml.NewEncoder(out)
	enc.Indent("", " ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out)
	return err
}
