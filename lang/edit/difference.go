package edit

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
)

// Difference says where two trees differ, "" where they are the same but for the layout of
// their texts: places, spellings of operators, spaces.
func Difference(want, is *lang.File) string {
	if why := Components(want.Components, is.Components); why != "" {
		return why
	}
	if len(want.Comments) != len(is.Comments) {
		return fmt.Sprintf("it has %d comments instead of %d", len(is.Comments), len(want.Comments))
	}
	for i := range want.Comments {
		if !alike(want.Comments[i].Text, is.Comments[i].Text) {
			return "a comment has another text: " + is.Comments[i].Text
		}
	}
	return ""
}

// Components is Difference of components, whose comments are those that belong to elements.
func Components(want, is []*lang.Component) string {
	return differ(reflect.ValueOf(want), reflect.ValueOf(is), "")
}

// layout are the fields that say how and where something is written, or how reading went.
var layout = map[reflect.Type][]string{
	reflect.TypeFor[lang.Component]():  {"Span", "Clauses", "Faulty", "Torn", "NoConfiguration"},
	reflect.TypeFor[lang.Event]():      {"Span", "Clauses", "Path", "NoConvergence", "NoExtended"},
	reflect.TypeFor[lang.Name]():       {"Span", "Reserved"},
	reflect.TypeFor[lang.Formula]():    {"Span"},
	reflect.TypeFor[lang.Decl]():       {"Span"},
	reflect.TypeFor[lang.Assignment](): {"Span"},
	reflect.TypeFor[hints.File]():      {"Path"},
}

// differ says where two syntax trees differ, or "". It walks them by reflection, so that a field which is added to a node is
// compared without anybody thinking of it; places that may differ are listed above.
func differ(a, b reflect.Value, at string) string {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return at + " can no longer be parsed, or can be parsed only now"
			}
			return ""
		}
		return differ(a.Elem(), b.Elem(), at)
	case reflect.Slice:
		// The elements come first: the first one that differs says more than the numbers of elements do.
		for i := range min(a.Len(), b.Len()) {
			if why := differ(a.Index(i), b.Index(i), at); why != "" {
				return why
			}
		}
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s are %d instead of %d", strings.TrimSpace(at), b.Len(), a.Len())
		}
		return ""
	case reflect.Struct:
		return differInStruct(a, b, at)
	case reflect.String:
		if alike(a.String(), b.String()) {
			return ""
		}
		return fmt.Sprintf("%s is %q instead of %q", at, b.String(), a.String())
	}
	if !a.Equal(b) {
		return at + " is another"
	}
	return ""
}

// differInStruct is differ for structures. Places in the source may differ.
func differInStruct(a, b reflect.Value, at string) string {
	typ := a.Type()
	switch typ {
	case reflect.TypeFor[diag.Span]():
		return ""
	case reflect.TypeFor[lang.Source]():
		return "" // the formula that was read of it is compared
	case reflect.TypeFor[lang.Component]():
		at = a.FieldByName("Name").FieldByName("Text").String()
	case reflect.TypeFor[lang.Event]():
		at += "/" + a.FieldByName("Label").FieldByName("Text").String()
	}
	if a.FieldByName("Source").IsValid() && typ != reflect.TypeFor[lang.Component]() {
		if why := differInText(a, b, at); why != "" {
			return why
		}
	}
next:
	for i := range typ.NumField() {
		field := typ.Field(i).Name
		for _, skip := range layout[typ] {
			if field == skip {
				continue next
			}
		}
		if why := differ(a.Field(i), b.Field(i), at+" "+strings.ToLower(field)); why != "" {
			return why
		}
	}
	return ""
}

// differInText compares the texts of two formulas of which neither could be read.
func differInText(a, b reflect.Value, at string) string {
	for _, field := range []string{"Formula", "Assignment"} {
		if f := a.FieldByName(field); f.IsValid() && !f.IsNil() {
			return ""
		}
	}
	x, y := a.FieldByName("Source").Interface().(lang.Source), b.FieldByName("Source").Interface().(lang.Source)
	if !alike(x.Text, y.Text) {
		return fmt.Sprintf("%s is %q instead of %q", at, y.Text, x.Text)
	}
	return ""
}

// alike compares texts but for their spaces and ends of lines.
func alike(a, b string) bool {
	return a == b || strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}
