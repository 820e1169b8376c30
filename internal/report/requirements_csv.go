package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
)

// Required is a requirement of a list that somebody else keeps.
type Required struct{ ID, Text string }

// ReadRequired reads a list of requirements: CSV with a header that names the columns id and, if there is one,
// text. Other columns mean nothing.
func ReadRequired(in io.Reader) (out []Required, err error) {
	read := csv.NewReader(in)
	read.FieldsPerRecord = 0 // as many as the header has
	rows, err := read.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the file is empty; its first line must name the columns, including id")
	}
	column := func(name string) int {
		return slices.IndexFunc(rows[0], func(s string) bool {
			return strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(s, "\ufeff")), name)
		})
	}
	id, text := column("id"), column("text")
	if id < 0 {
		return nil, fmt.Errorf("its first line names no column id")
	}
	for i, row := range rows[1:] {
		x := Required{ID: strings.TrimSpace(row[id])}
		if text >= 0 {
			x.Text = strings.TrimSpace(row[text])
		}
		switch at := slices.IndexFunc(out, func(other Required) bool { return other.ID == x.ID }); {
		case x.ID == "":
			return nil, fmt.Errorf("row %d has no id", i+2)
		case at >= 0 && out[at].Text != x.Text:
			return nil, fmt.Errorf("row %d: %s has another text before", i+2, x.ID)
		case at < 0: // the table that RequirementsCSV writes has a row for each element
			out = append(out, x)
		}
	}
	return out, nil
}

// Missing lists the requirements that no element of the projects mentions.
func Missing(projects []Findings, required []Required) (out []Required) {
	stated := map[string]bool{}
	for _, findings := range projects {
		for _, r := range RequirementsOf(findings) {
			stated[r.ID] = true
		}
	}
	for _, x := range required {
		if !stated[x.ID] {
			out = append(out, x)
		}
	}
	return out
}

// RequirementsCSV writes the requirements that projects state, with a row for each element that mentions one, and
// then those that are missing.
func RequirementsCSV(w io.Writer, projects []Findings, missing []Required) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"id", "text", "project", "kind", "element", "obligations", "proved", "status"}}
	for _, findings := range projects {
		for _, r := range RequirementsOf(findings) {
			for _, e := range r.Elements {
				var results []verdict.Result
				for _, i := range e.Obligations {
					results = append(results, findings.Results[i])
				}
				proved := judgement.Count(results).Proved
				rows = append(rows, []string{r.ID, r.Text, findings.Name, e.Kind, e.Path, strconv.Itoa(len(results)), strconv.Itoa(proved), statusOf(findings, e.Obligations)})
			}
		}
	}
	for _, x := range missing {
		rows = append(rows, []string{x.ID, x.Text, "", "", "", "0", "0", "missing"})
	}
	return out.WriteAll(rows)
}
