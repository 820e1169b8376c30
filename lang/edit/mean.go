package edit

import (
	"reflect"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
)

// Rename means other names at the offsets where some begin. Primes stay.
func Rename(at map[int]string) func(*lang.File) {
	return func(file *lang.File) { rename(file, at) }
}

// RenameHints is Rename in a file of hints.
func RenameHints(at map[int]string) func(*hints.File) {
	return func(file *hints.File) { rename(file, at) }
}

// rename gives the names at some offsets of a file their new texts, keeping a prime.
func rename(file any, at map[int]string) {
	name := func(text *string, span diag.Span) {
		now, ok := at[span.From]
		if !ok || *text == "" || span.To == span.From {
			return
		}
		if strings.HasSuffix(*text, "'") {
			now += "'"
		}
		*text = now
	}
	each(reflect.ValueOf(file), func(node any) {
		switch x := node.(type) {
		case *lang.Name:
			name(&x.Text, x.Span)
		case *lang.Decl:
			name(&x.Name, x.Span)
		case *hints.Word:
			name(&x.Text, x.Span)
		case *lang.Formula:
			if x.Op == logic.Free {
				name(&x.Name, x.Span)
			}
		}
	})
}

// each calls do with a pointer to each structure of a tree.
func each(v reflect.Value, do func(any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			each(v.Index(i), do)
		}
	case reflect.Struct:
		do(v.Addr().Interface())
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				each(v.Field(i), do)
			}
		}
	}
}

// Delete means that the declared name or the labelled element in a part of the text is gone.
func Delete(from, to int) func(*lang.File) {
	names := func(list *[]lang.Name) {
		*list = slices.DeleteFunc(*list, func(n lang.Name) bool { return from <= n.Span.From && n.Span.To <= to })
	}
	predicates := func(list *[]*lang.Predicate) {
		*list = slices.DeleteFunc(*list, func(p *lang.Predicate) bool { return from <= p.Source.Span.From && p.Source.Span.To <= to })
	}
	return func(file *lang.File) {
		for _, c := range file.Components {
			names(&c.Sets)
			names(&c.Constants)
			names(&c.Variables)
			predicates(&c.Axioms)
			predicates(&c.Invariants)
			for _, e := range c.Events {
				names(&e.Parameters)
				predicates(&e.Guards)
				predicates(&e.Witnesses)
			}
		}
	}
}
