package rodin

import (
	"reflect"

	"github.com/gradine/gradine/lang"
)

// defaultVariant is the label of a variant that has none.
const defaultVariant = "vrn"

// parser reads a formula of one kind.
type parser func(text string, d lang.Dialect) (*lang.Formula, []lang.Problem)

// sourceText returns the text of a formula in Rodin's stored language: the
// author's if it has that meaning there, and the printed formula if not.
func sourceText(src lang.Source, f *lang.Formula, parse parser) string {
	if f == nil {
		return src.Text
	}
	if g, problems := parse(src.Text, lang.Stored); len(problems) == 0 && reflect.DeepEqual(f, g) {
		return src.Text
	}
	return lang.StoredText(f)
}

// assignmentText is sourceText for actions.
func assignmentText(a *lang.Action) string {
	if a.Assignment == nil {
		return a.Source.Text
	}
	if g, problems := lang.ParseAssignment(a.Source.Text, lang.Stored); len(problems) == 0 && reflect.DeepEqual(a.Assignment, g) {
		return a.Source.Text
	}
	return a.Assignment.StoredText()
}
