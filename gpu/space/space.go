// Package space represents the configurations of a kernel as tuners describe them: parameters
// with their values, restrictions, and the launch that follows from them.
package space

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Space are the configurations of a kernel.
type Space struct {
	Parameters   []Parameter
	Fixed        map[string]int64 // macros that are the same in all of them
	Arguments    map[string]int64 // of the kernel: expressions may use them
	Restrictions []*Expression
	Block        [3]*Expression // threads; nil: 1
	Grid         [3]*Expression // blocks; nil: 1
	Dynamic      *Expression    // bytes of shared memory that the host adds; nil: 0
	Template     string         // the kernel with the arguments of its template, in which parameters may stand; "": it has none
}

// Parameter is what is tuned.
type Parameter struct {
	Name   string
	Values []int64
}

// Configuration are values of the parameters, in their order, and the launch.
type Configuration struct {
	Values      []int64
	Block, Grid [3]int64
	Dynamic     int64
}

// MostConfigurations are how many combinations of values are looked at. Of more, Sample configurations are drawn.
const (
	MostConfigurations = 1_000_000
	Sample             = 10_000
)

// macro is the name of a macro: what compilers and models take as one name.
var macro = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Check says what is wrong with a space: names that there are not or that no macro can have, and parameters whose
// configurations would not be as many as their values.
func (s *Space) Check() error {
	// Parameters become macros, and names of them may occur only once.
	known := map[string]bool{}
	var names []string
	for _, n := range slices.Sorted(maps.Keys(s.Fixed)) {
		known[n] = true
		names = append(names, n)
	}
	for _, p := range s.Parameters {
		if known[p.Name] {
			return fmt.Errorf("%s is defined twice: as a parameter, and as something else", p.Name)
		}
		known[p.Name] = true
		names = append(names, p.Name)
		if len(p.Values) == 0 {
			return fmt.Errorf("parameter %s has no values", p.Name)
		}
		for i, v := range p.Values {
			if slices.Contains(p.Values[:i], v) {
				return fmt.Errorf("parameter %s has the value %d twice", p.Name, v)
			}
		}
	}
	for _, n := range names {
		if !macro.MatchString(n) {
			return fmt.Errorf("%q is not the name of a macro: letters A to Z, digits and _", n)
		}
	}
	slices.Sort(names)
	for n := range s.Arguments {
		known[n] = true
	}
	check := func(what string, e *Expression) error {
		if e == nil {
			return nil
		}
		for _, n := range e.Names {
			if !known[n] {
				return fmt.Errorf("%s %q: there is no parameter %s; there are %s", what, e.Text, n, strings.Join(names, ", "))
			}
		}
		return nil
	}
	for _, r := range s.Restrictions {
		if err := check("restriction", r); err != nil {
			return err
		}
	}
	for d := range 3 {
		if err := check("threads of a block", s.Block[d]); err != nil {
			return err
		}
		if err := check("blocks of the grid", s.Grid[d]); err != nil {
			return err
		}
	}
	return check("shared memory", s.Dynamic)
}

// Count is how many combinations of values there are, restrictions aside; at most limit + 1.
func (s *Space) Count(limit int) int {
	n := 1
	for _, p := range s.Parameters {
		if n *= len(p.Values); n > limit {
			return limit + 1
		}
	}
	return n
}

// Configurations are those that the restrictions allow, in the order of the values. Of more than
// MostConfigurations combinations Sample configurations are drawn, the same for the same space, and sampled says so.
// The error names restrictions that no combination meets.
func (s *Space) Configurations() (out []Configuration, sampled bool, err error) {
	sampled = s.Count(MostConfigurations) > MostConfigurations
	seen := 0
	err = s.each(sampled, func(values []int64, of map[string]int64) error {
		if seen++; sampled && len(out) == Sample {
			return errEnough
		}
		ok := true
		// All restrictions are evaluated even if one fails, so that errors in later ones are found.
		for _, r := range s.Restrictions {
			holds, err := r.Holds(of)
			if err != nil {
				return fmt.Errorf("restriction %q at %s: %w", r.Text, s.text(values), err)
			}
			if !holds {
				ok = false
			}
		}
		if !ok {
			return nil
		}
		c := Configuration{Values: slices.Clone(values)}
		for d := range 3 {
			for _, x := range []struct {
				e    *Expression
				to   *int64
				what string
			}{{s.Block[d], &c.Block[d], "threads of a block"}, {s.Grid[d], &c.Grid[d], "blocks of the grid"}} {
				if *x.to = 1; x.e == nil {
					continue
				}
				v, err := x.e.Value(of)
				if err != nil {
					return fmt.Errorf("%s %q at %s: %w", x.what, x.e.Text, s.text(values), err)
				}
				if v < 1 {
					return fmt.Errorf("%s %q at %s are %d", x.what, x.e.Text, s.text(values), v)
				}
				*x.to = v
			}
		}
		if s.Dynamic != nil {
			if c.Dynamic, err = s.Dynamic.Value(of); err != nil {
				return fmt.Errorf("shared memory %q at %s: %w", s.Dynamic.Text, s.text(values), err)
			}
		}
		out = append(out, c)
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	if err == nil && len(out) == 0 {
		err = s.conflict(sampled, seen)
	}
	return out, sampled, err
}

// errEnough ends the drawing of configurations.
var errEnough = errors.New("enough")

// each calls f for the combinations of values, or for those that are drawn.
func (s *Space) each(sampled bool, f func(values []int64, of map[string]int64) error) error {
	of := map[string]int64{}
	maps.Copy(of, s.Arguments)
	maps.Copy(of, s.Fixed)
	values := make([]int64, len(s.Parameters))
	if sampled {
		// The seed is fixed, so that everybody draws the same configurations.
		w := rand.New(rand.NewPCG(1, 1))
		met := map[string]bool{}
		for range MostConfigurations {
			for i, p := range s.Parameters {
				values[i] = p.Values[w.IntN(len(p.Values))]
				of[p.Name] = values[i]
			}
			if key := fmt.Sprint(values); !met[key] {
				met[key] = true
				if err := f(values, of); err != nil {
					return err
				}
			}
		}
		return nil
	}
	var from func(i int) error
	from = func(i int) error {
		if i == len(s.Parameters) {
			return f(values, of)
		}
		for _, v := range s.Parameters[i].Values {
			values[i], of[s.Parameters[i].Name] = v, v
			if err := from(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return from(0)
}

// conflict names a smallest set of restrictions that no combination meets together.
func (s *Space) conflict(sampled bool, seen int) error {
	kept := slices.Clone(s.Restrictions)
	for i := 0; i < len(kept); {
		without := slices.Delete(slices.Clone(kept), i, i+1)
		if s.meets(sampled, without) {
			i++
		} else {
			kept = without
		}
	}
	var texts []string
	for _, r := range kept {
		texts = append(texts, fmt.Sprintf("%q", r.Text))
	}
	return fmt.Errorf("no valid configuration: none of the %d combinations satisfies %s", seen, strings.Join(texts, " and "))
}

var errFound = fmt.Errorf("found")

// meets reports whether some combination meets all of some restrictions.
func (s *Space) meets(sampled bool, all []*Expression) bool {
	return s.each(sampled, func(_ []int64, of map[string]int64) error {
		for _, r := range all {
			if holds, err := r.Holds(of); err != nil || !holds {
				return nil
			}
		}
		return errFound
	}) == errFound
}

// text names a configuration.
func (s *Space) text(values []int64) string {
	var parts []string
	for i, p := range s.Parameters {
		parts = append(parts, fmt.Sprintf("%s=%d", p.Name, values[i]))
	}
	return strings.Join(parts, " ")
}

// Text names a configuration: block_size_x=16 tile=2.
func (s *Space) Text(c Configuration) string { return s.text(c.Values) }

// word is a name within the arguments of a template.
var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// Instance is the kernel of a configuration, as scale<16, 4>; "" if it is no template.
func (s *Space) Instance(c Configuration) string {
	name, arguments, ok := strings.Cut(s.Template, "<")
	if !ok {
		return ""
	}
	return name + "<" + word.ReplaceAllStringFunc(arguments, func(w string) string {
		for i, p := range s.Parameters {
			if p.Name == w {
				return fmt.Sprint(c.Values[i])
			}
		}
		return w
	})
}

// inTemplate reports whether a parameter stands in the arguments of the template.
func (s *Space) inTemplate(name string) bool {
	_, arguments, _ := strings.Cut(s.Template, "<")
	return slices.Contains(word.FindAllString(arguments, -1), name)
}

// Macros are what a compiler is told of a configuration, NAME=VALUE: of what is fixed first. Arguments of a template
// are no macros: the template may give its own parameters the same names.
func (s *Space) Macros(c Configuration) (out []string) {
	var fixed []string
	for n, v := range s.Fixed {
		fixed = append(fixed, fmt.Sprintf("%s=%d", n, v))
	}
	slices.Sort(fixed)
	for i, p := range s.Parameters {
		if !s.inTemplate(p.Name) {
			out = append(out, fmt.Sprintf("%s=%d", p.Name, c.Values[i]))
		}
	}
	return append(fixed, out...)
}
