package report

import (
	"io"

	"github.com/gradine/gradine/review"
)

// Renderer writes what was found in one format. It computes nothing, and has no
// other input.
type Renderer[T any] func(out io.Writer, found T) error

// Report is what was found of projects.
type Report struct {
	Root     string // of the repository: places are told relative to it
	Projects []Findings
	Against  []Against // success, apart from verdicts
	Waivers  []string  // losses that gradine.toml agrees to
}

// Reports are the formats of a report, by their names; package page has another one.
var Reports = map[string]Renderer[Report]{
	"markdown": Markdown,
	"sarif":    SARIF,
	"junit":    JUnit,
}

// Review is what was found of the changes of projects.
type Review struct {
	Style    Style  // of text
	Again    string // the command that finds it
	Projects []*review.Review
}

// Reviews are the formats of a review, by their names; package page has another one.
var Reviews = map[string]Renderer[Review]{
	"text":     reviewsText,
	"markdown": reviewsMarkdown,
	"jsonl":    reviewsJSON,
	"sarif":    reviewsSARIF,
	"github":   reviewsGitHub,
}
