package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge"
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

func (all *junitSuites) addErrors(p Findings) {
	errors := p.Errors()
	if len(errors) == 0 {
		return
	}
	s := junitSuite{Name: p.Name + "/check", Tests: len(errors), Failures: len(errors)}
	for _, e := range errors {
		s.Cases = append(s.Cases, junitCase{Class: p.Name + ".check", Name: strings.TrimSuffix(e.Code+" "+e.Element, " "), File: e.Span.File, Failure: &junitText{"error", e.Span.String() + ": " + e.Message}})
	}
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Suites = append(all.Suites, s)
}

// JUnit writes results as test suites, one for each component: a refuted
// or vacuous obligation is a failure, an open one is skipped; one whose verdict is
// expected passes. An error of a model is a failure, for what it touches has no obligations.
func JUnit(out io.Writer, projects []Findings) error {
	all := junitSuites{Name: "gradine"}
	var results []discharge.Result
	for _, p := range projects {
		results = append(results, p.Results...)
		all.addErrors(p)
	}
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
			c.Out = fmt.Sprintf("%s, as gradine.toml expects: %s", result.Verdict, result.Expected.Why)
		case result.Verdict == discharge.Vacuous:
			c.Failure = &junitText{"vacuous", "its hypotheses contradict each other"}
			s.Failures++
			all.Failures++
		case result.Verdict == discharge.Refuted:
			c.Failure = &junitText{"refuted", strings.Join(violationLines(discharge.Lift(result)), "\n")}
			s.Failures++
			all.Failures++
		case result.Verdict == discharge.Open:
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
