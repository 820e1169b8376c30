package report

import (
	"io"

	"github.com/gradine/gradine/review"
)

// Reviews writes reviews in one of the formats text, markdown, jsonl, sarif and
// github. again is the command that makes them.
func Reviews(out io.Writer, style Style, format, again string, reviews []*review.Review) error {
	switch format {
	case "jsonl":
		return reviewsJSON(out, reviews)
	case "sarif":
		return reviewsSARIF(out, reviews)
	case "github":
		return reviewsGitHub(out, reviews)
	case "markdown":
		return reviewsMarkdown(out, again, reviews)
	}
	for _, r := range reviews {
		reviewText(out, style, r)
	}
	return nil
}
