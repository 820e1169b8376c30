package config

import (
	"fmt"
	"slices"

	"github.com/BurntSushi/toml"
)

// Numbers are the values of a define or an argument: one, or one for each size of the problem.
type Numbers []int64

// UnmarshalTOML takes an integer, or a list of integers.
func (n *Numbers) UnmarshalTOML(value any) error {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	for _, x := range list {
		v, ok := x.(int64)
		if !ok {
			return fmt.Errorf("%s is neither an integer nor a list of integers", describe(value))
		}
		*n = append(*n, v)
	}
	if len(*n) == 0 {
		return fmt.Errorf("a list of sizes needs a value")
	}
	return nil
}

// NamedSize is a define or an argument that differs between the sizes of a problem.
type NamedSize struct {
	Name  string
	Value int64
}

// SizedTable is the table of a kernel for one size of the problem.
type SizedTable struct {
	*KernelTable
	Size      []NamedSize // what differs between the sizes, in the order of the file; nil if there is one size
	Defines   map[string]int64
	Arguments map[string]int64
}

// Sizes are the sizes for which the kernel is tuned, one if no define and no argument has a list. The error says which
// lists do not belong together.
func (t *KernelTable) Sizes() ([]*SizedTable, error) {
	// Lists are read side by side and not multiplied: the sizes of one problem belong together, such as those of a matrix.
	count, first := 1, toml.Key(nil)
	for _, key := range t.sized {
		n := len(t.numbers(key))
		_, define := t.Defines[key[1]]
		_, argument := t.Arguments[key[1]]
		switch {
		case define && argument:
			return nil, fmt.Errorf("%s: %s is both a define and an argument, and a size is one of them", t.At(key...), key[1])
		case first == nil:
			count, first = n, key
			if repeated, ok := twice(t.numbers(key)); ok {
				return nil, fmt.Errorf("%s: %s has the size %d twice", t.At(key...), key[1], repeated)
			}
		case n != count:
			return nil, fmt.Errorf("%s: %s has %d values, and %s has %d: the lists of sizes belong together, value by value", t.At(key...), key[1], n, first[1], count)
		}
	}
	var out []*SizedTable
	for i := range count {
		one := &SizedTable{KernelTable: t, Defines: map[string]int64{}, Arguments: map[string]int64{}}
		for name, n := range t.Defines {
			one.Defines[name] = n[min(i, len(n)-1)]
		}
		for name, n := range t.Arguments {
			one.Arguments[name] = n[min(i, len(n)-1)]
		}
		for _, key := range t.sized {
			one.Size = append(one.Size, NamedSize{key[1], t.numbers(key)[i]})
		}
		out = append(out, one)
	}
	return out, nil
}

// numbers are those of a define or an argument.
func (t *KernelTable) numbers(key toml.Key) Numbers {
	if key[0] == "defines" {
		return t.Defines[key[1]]
	}
	return t.Arguments[key[1]]
}

func twice(n Numbers) (int64, bool) {
	for i, v := range n {
		if slices.Contains(n[:i], v) {
			return v, true
		}
	}
	return 0, false
}
