package explore_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// The brute-force explorer shares no code with the explorer, nor with what it rests
// on: it has values, formulas and machines of its own, and reads nothing but texts
// of values. It is slow, and short.

// val is a value. Equal values have equal keys.
type val struct {
	kind  byte // 'i' integer, 'a' atom, 'p' pair, 's' set
	n     *big.Int
	parts []*val // of a pair, or of a set in the order of their keys
	key   string
}

func number(n *big.Int) *val { return &val{kind: 'i', n: n, key: n.String()} }

func atom(name string) *val { return &val{kind: 'a', key: name} }

func truth(b bool) *val {
	if b {
		return atom("TRUE")
	}
	return atom("FALSE")
}

func pairOf(a, b *val) *val {
	return &val{kind: 'p', parts: []*val{a, b}, key: "(" + a.key + "|" + b.key + ")"}
}

// tooLarge ends the evaluation of something that is beyond brute force.
type tooLarge struct{}

func setOf(vs []*val) *val {
	vs = slices.Clone(vs)
	slices.SortFunc(vs, func(a, b *val) int { return strings.Compare(a.key, b.key) })
	vs = slices.CompactFunc(vs, func(a, b *val) bool { return a.key == b.key })
	if len(vs) > 64 {
		panic(tooLarge{})
	}
	keys := make([]string, len(vs))
	for i, v := range vs {
		keys[i] = v.key
	}
	return &val{kind: 's', parts: vs, key: "{" + strings.Join(keys, ",") + "}"}
}

func (v *val) has(x *val) bool {
	return slices.ContainsFunc(v.parts, func(y *val) bool { return y.key == x.key })
}

// images are the y with x ↦ y in v.
func (v *val) images(x *val) (out []*val) {
	for _, p := range v.parts {
		if p.parts[0].key == x.key {
			out = append(out, p.parts[1])
		}
	}
	return out
}

func (v *val) filter(keep func(*val) bool) *val {
	var out []*val
	for _, x := range v.parts {
		if keep(x) {
			out = append(out, x)
		}
	}
	return setOf(out)
}

func (v *val) each(fn func(*val) []*val) *val {
	var out []*val
	for _, x := range v.parts {
		out = append(out, fn(x)...)
	}
	return setOf(out)
}

// readValue reads a value as the explorer prints it.
func readValue(text string) *val {
	rest := text
	var maplet func() *val
	one := func() *val {
		switch {
		case strings.HasPrefix(rest, "∅"):
			rest = strings.TrimPrefix(rest, "∅")
			return setOf(nil)
		case strings.HasPrefix(rest, "("):
			rest = rest[1:]
			v := maplet()
			rest = strings.TrimPrefix(rest, ")")
			return v
		case strings.HasPrefix(rest, "{"):
			var out []*val
			for rest = rest[1:]; !strings.HasPrefix(rest, "}"); rest = strings.TrimPrefix(rest, ", ") {
				out = append(out, maplet())
			}
			rest = rest[1:]
			return setOf(out)
		}
		end := strings.IndexAny(rest, "{}(),↦")
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		rest = rest[end:]
		if n, ok := new(big.Int).SetString(strings.Replace(word, "−", "-", 1), 10); ok {
			return number(n)
		}
		return atom(word)
	}
	maplet = func() *val {
		before := rest
		v := one()
		for strings.HasPrefix(rest, "↦") {
			rest = strings.TrimPrefix(rest, "↦")
			v = pairOf(v, one())
		}
		if rest == before {
			panic(fmt.Sprintf("no value: %q", text))
		}
		return v
	}
	return maplet()
}
