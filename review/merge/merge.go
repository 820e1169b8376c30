package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
)

// Result is the join of two edits.
type Result struct {
	Text      []byte
	Conflicts []string // the elements that both edits changed in different ways
	// Together are the errors that the edits make only together: of a type that one of
	// them took away, say, and the other still needs.
	Together []string
}

// Text joins two edits, ours and theirs, of the text model base. Elements that
// both changed differently stand in it twice, between conflict markers. The error
// says why the texts cannot be joined by element at all.
func Text(name string, base, ours, theirs []byte) (Result, error) {
	var sides [3][]chunk
	for i, src := range [][]byte{base, ours, theirs} {
		list, err := split(name, src)
		if err != nil {
			return Result{}, fmt.Errorf("%s of %s: %w", [...]string{"the common ancestor", "our version", "their version"}[i], name, err)
		}
		sides[i] = list
	}
	m := &joining{base: index(sides[0]), ours: index(sides[1]), theirs: index(sides[2]), kept: map[string]bool{}}
	order := m.order(keys(sides[0]), keys(sides[1]), keys(sides[2]))
	var out bytes.Buffer
	for _, key := range order {
		out.WriteString(m.element(key))
	}
	r := Result{Text: out.Bytes(), Conflicts: m.conflicts}
	if len(r.Conflicts) == 0 {
		// Two edits that read well may not read well together.
		is, err := split(name, r.Text)
		if err != nil {
			return Result{}, fmt.Errorf("%s: joined by element, %w", name, err)
		}
		if key, ok := m.reads(is); !ok {
			return Result{}, fmt.Errorf("%s: joined by element, %s does not read as either side has it", name, key)
		}
		r.Text = laidOut(name, ours, theirs, r.Text)
		had := append(errorsIn(name, ours), errorsIn(name, theirs)...)
		for _, e := range errorsIn(name, r.Text) {
			if !slices.Contains(had, e) {
				r.Together = append(r.Together, e)
			}
		}
	}
	return r, nil
}

// errorsIn are the errors of a model by itself, each with the element that it is about.
// What other files would say is missing on all sides alike.
func errorsIn(name string, text []byte) (out []string) {
	var problems diag.List
	check.Development(name, []*lang.File{lang.Parse(name, text, &problems)}, &problems)
	for _, p := range problems.Sorted() {
		if p.Severity == diag.Error {
			out = append(out, strings.TrimPrefix(p.Element+": "+p.Message, ": "))
		}
	}
	return out
}

func index(list []chunk) map[string]chunk {
	out := map[string]chunk{}
	for _, c := range list {
		out[c.key] = c
	}
	return out
}

func keys(list []chunk) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.key)
	}
	return out
}

// joining is one merge under way.
type joining struct {
	base, ours, theirs map[string]chunk
	kept               map[string]bool // elements that the result has
	conflicts          []string
}

// reads reports whether a result without conflicts, read again, has the elements that were
// kept, in their places, and each says what it says on the side that it was taken from.
// Otherwise it returns one that does not.
func (m *joining) reads(list []chunk) (key string, ok bool) {
	seen := 0
	for _, c := range list {
		a, inOurs := m.ours[c.key]
		b, inTheirs := m.theirs[c.key]
		if !m.kept[c.key] || !(inOurs && same(a, c) && a.parent == c.parent || inTheirs && same(b, c) && b.parent == c.parent) {
			return c.key, false
		}
		seen++
	}
	if seen < len(m.kept) {
		return "an element", false
	}
	return "", true
}

// element is the text of one element in the result, "" if it is deleted.
func (m *joining) element(key string) string {
	o, inBase := m.base[key]
	a, inOurs := m.ours[key]
	b, inTheirs := m.theirs[key]
	parent := a.parent
	if !inOurs {
		parent = b.parent
	}
	if parent != "" && !m.kept[parent] {
		// One side added or changed what the other deleted the surroundings of.
		if inOurs && inTheirs || inBase && (same(o, a) || same(o, b)) {
			return ""
		}
		return m.conflict(key, a.text, b.text)
	}
	switch {
	case inOurs && inTheirs:
		return m.both(key, o, a, b, inBase)
	case inOurs && inBase: // deleted by them
		if same(o, a) {
			return ""
		}
		return m.conflict(key, a.text, "")
	case inTheirs && inBase: // deleted by us
		if same(o, b) {
			return ""
		}
		return m.conflict(key, "", b.text)
	case m.invented(parent):
		return m.conflict(key, a.text, b.text)
	case inOurs:
		return m.keep(key, a.text)
	}
	return m.keep(key, b.text)
}

// invented reports whether an element stands in an event or a component that both sides added: these are two
// with one name, and what only one of them has is not an addition to the other.
func (m *joining) invented(key string) bool {
	for key != "" {
		_, inBase := m.base[key]
		a, inOurs := m.ours[key]
		b, inTheirs := m.theirs[key]
		if a.heads && inOurs && inTheirs && !inBase {
			return true
		}
		key = cmp.Or(a.parent, b.parent)
	}
	return false
}

// both is the text of an element that both sides have.
func (m *joining) both(key string, o, a, b chunk, inBase bool) string {
	switch {
	case inBase && a.text == o.text:
		return m.keep(key, b.text)
	case inBase && b.text == o.text, same(a, b):
		return m.keep(key, a.text)
	case inBase && same(a, o):
		return m.keep(key, b.text)
	case inBase && same(b, o):
		return m.keep(key, a.text)
	}
	return m.conflict(key, a.text, b.text)
}

func same(x, y chunk) bool { return x.says() == y.says() }

func (m *joining) keep(key, text string) string {
	m.kept[key] = true
	return text
}

func (m *joining) conflict(key, ours, theirs string) string {
	m.conflicts = append(m.conflicts, key)
	m.kept[key] = true
	return "<<<<<<< ours\n" + whole(ours) + "=======\n" + whole(theirs) + ">>>>>>> theirs\n"
}

// whole ends text with the end of a line.
func whole(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// order is the order of all elements: that of the side which changed it, with what
// only the other side has behind what it stands behind there.
func (m *joining) order(base, ours, theirs []string) []string {
	first, second, oursFirst := ours, theirs, true
	if slices.Equal(common(ours, base), common(base, ours)) {
		first, second, oursFirst = theirs, ours, false
	}
	behind := map[string][]string{} // additions of second by what they stand behind
	has := map[string]bool{}
	for _, k := range first {
		has[k] = true
	}
	last := ""
	var front []string
	started := false
	for _, k := range second {
		switch {
		case has[k]:
			last, started = k, true
		case started:
			behind[last] = append(behind[last], k)
		default:
			front = append(front, k)
		}
	}
	// What both add at one place stands in the order ours, theirs: where the first
	// side is ours, additions of the other wait until its own are through.
	out, waiting := front, []string(nil)
	shared := common(first, second)
	for _, k := range first {
		if len(shared) > 0 && shared[0] == k {
			shared = shared[1:]
			out, waiting = append(out, waiting...), nil
		}
		out = append(out, k)
		waiting = append(waiting, behind[k]...)
		if !oursFirst {
			out, waiting = append(out, waiting...), nil
		}
	}
	return append(out, waiting...)
}

// common keeps the elements of list that other has, too.
func common(list, other []string) []string {
	has := map[string]bool{}
	for _, k := range other {
		has[k] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(k string) bool { return !has[k] })
}

// Lock joins two edits of a lock of proofs: a line is there if a side added it, or
// if no side removed it. Lines about other sequents say nothing, so two lines for
// one obligation do no harm until the lock is written again.
func Lock(base, ours, theirs []byte) []byte {
	lines := func(data []byte) []string { return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") }
	was, a, b := lines(base), lines(ours), lines(theirs)
	has := func(list []string) map[string]bool {
		out := map[string]bool{}
		for _, x := range list {
			out[x] = true
		}
		return out
	}
	inBase, inOurs, inTheirs := has(was), has(a), has(b)
	var header, out []string
	for _, x := range append(slices.Clone(a), b...) {
		switch {
		case strings.HasPrefix(x, "#"):
			header = append(header, x)
		case x != "" && (inOurs[x] && inTheirs[x] || !inBase[x]):
			out = append(out, x)
		}
	}
	// The first field alone orders a lock; the rest makes the order total.
	slices.SortFunc(out, func(x, y string) int { return cmp.Or(cmp.Compare(obligation(x), obligation(y)), cmp.Compare(x, y)) })
	out = slices.Compact(out)
	return []byte(strings.Join(append(slices.Compact(header[:min(1, len(header))]), out...), "\n") + "\n")
}

// obligation is the name that a line of a lock begins with, without quotes.
func obligation(line string) string {
	name, _, _ := strings.Cut(line, "\t")
	if plain, err := strconv.Unquote(name); err == nil {
		return plain
	}
	return name
}
