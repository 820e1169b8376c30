// Package space represents the configurations of a kernel as tuners describe them: parameters
// with their values, restrictions, and the launch that follows from them.
package space

import (
	"errors"
	"fmt"
	"maps"
	"math"
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

// MostConfigurations are how many configurations a space has at most. Of more, Sample configurations are drawn.
const (
	MostConfigurations = 1_000_000
	Sample             = 10_000
	mostTries          = 4_000_000 // values that are tried before configurations are drawn instead
)

// Fault is what is wrong with a space, and the key of the table that says so, named as in tables of Kernel Tuner.
type Fault struct {
	Key []string
	Err error
}

func (f *Fault) Error() string { return f.Err.Error() }

func faultf(format string, args ...any) func(key ...string) error {
	return func(key ...string) error { return &Fault{key, fmt.Errorf(format, args...)} }
}

// macro is the name of a macro: what compilers and models take as one name.
var macro = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Check says what is wrong with a space: names that there are not or that no macro can have, and parameters whose
// configurations would not be as many as their values. The error is a *Fault.
func (s *Space) Check() error {
	// Parameters become macros, and names of them may occur only once.
	known := map[string]bool{}
	var names []string
	for _, n := range slices.Sorted(maps.Keys(s.Fixed)) {
		if !macro.MatchString(n) {
			return faultf("%q is not the name of a macro: letters A to Z, digits and _", n)("defines")
		}
		known[n] = true
		names = append(names, n)
	}
	for _, p := range s.Parameters {
		fault := func(format string, args ...any) error { return faultf(format, args...)("tune_params", p.Name) }
		if known[p.Name] {
			return fault("%s is defined twice: as a parameter, and as something else", p.Name)
		}
		known[p.Name] = true
		names = append(names, p.Name)
		if !macro.MatchString(p.Name) {
			return fault("%q is not the name of a macro: letters A to Z, digits and _", p.Name)
		}
		if len(p.Values) == 0 {
			return fault("parameter %s has no values", p.Name)
		}
		for i, v := range p.Values {
			if slices.Contains(p.Values[:i], v) {
				return fault("parameter %s has the value %d twice", p.Name, v)
			}
		}
	}
	slices.Sort(names)
	for n := range s.Arguments {
		known[n] = true
	}
	for _, k := range s.keyed() {
		for _, n := range k.e.Names {
			if !known[n] {
				return faultf("%s %q: there is no parameter %s; there are %s", k.what, k.e.Text, n, strings.Join(names, ", "))(k.key)
			}
		}
	}
	return nil
}

// keyed is an expression of a space, with the key under which it stands, and what it is.
type keyed struct {
	e         *Expression
	key, what string
}

// keyed are all expressions of the space.
func (s *Space) keyed() (out []keyed) {
	for _, r := range s.Restrictions {
		out = append(out, keyed{r, "restrictions", "restriction"})
	}
	for d := range 3 {
		out = append(out, keyed{s.Block[d], "block_size_names", "threads of a block"}, keyed{s.Grid[d], "problem_size", "blocks of the grid"})
	}
	out = append(out, keyed{s.Dynamic, "smem_args", "shared memory"})
	return slices.DeleteFunc(out, func(k keyed) bool { return k.e == nil })
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

// Configurations are those that the restrictions allow, in the order of the values. Of a space that has more than
// MostConfigurations, or whose restrictions leave too much to try, Sample configurations are drawn, the same for the same
// space, and sampled says so. The error is a *Fault; it names restrictions that no combination meets.
func (s *Space) Configurations() (out []Configuration, sampled bool, err error) {
	most := MostConfigurations
	take := func(values []int64, of map[string]int64) error {
		if len(out) == most {
			return errEnough
		}
		c, err := s.configuration(values, of)
		out = append(out, c)
		return err
	}
	if s.Count(MostConfigurations) <= MostConfigurations {
		err = s.each(s.Restrictions, take)
	} else if err = s.narrowed(s.Restrictions, take); errors.Is(err, errEnough) {
		sampled, out, most = true, nil, Sample
		if err = s.drawn(s.Restrictions, take); errors.Is(err, errEnough) {
			err = nil
		}
	}
	if err == nil && len(out) == 0 {
		err = s.conflict(sampled)
	}
	return out, sampled, err
}

// configuration is the launch that follows from values.
func (s *Space) configuration(values []int64, of map[string]int64) (Configuration, error) {
	c := Configuration{Values: slices.Clone(values), Block: [3]int64{1, 1, 1}, Grid: [3]int64{1, 1, 1}}
	set := func(e *Expression, key, what string, to *int64, least int64) error {
		if e == nil {
			return nil
		}
		v, err := e.Value(of)
		if err != nil {
			return faultf("%s %q at %s: %w", what, e.Text, s.text(values), err)(key)
		}
		if v < least {
			return faultf("%s %q at %s: %d is less than %d", what, e.Text, s.text(values), v, least)(key)
		}
		*to = v
		return nil
	}
	for d := range 3 {
		if err := set(s.Block[d], "block_size_names", "threads of a block", &c.Block[d], 1); err != nil {
			return c, err
		}
		if err := set(s.Grid[d], "problem_size", "blocks of the grid", &c.Grid[d], 1); err != nil {
			return c, err
		}
	}
	return c, set(s.Dynamic, "smem_args", "shared memory", &c.Dynamic, 0)
}

// errEnough ends a search that would have too much to try, or that has found what was wanted.
var errEnough = errors.New("enough")

// known are the values that no parameter changes.
func (s *Space) known() map[string]int64 {
	of := map[string]int64{}
	maps.Copy(of, s.Arguments)
	maps.Copy(of, s.Fixed)
	return of
}

// meet reports whether values meet all of some restrictions. All are evaluated even if one fails, so that errors in
// later ones are found.
func (s *Space) meet(restrictions []*Expression, values []int64, of map[string]int64) (bool, error) {
	ok := true
	for _, r := range restrictions {
		holds, err := r.Holds(of)
		if err != nil {
			return false, faultf("restriction %q at %s: %w", r.Text, s.text(values), err)("restrictions")
		}
		ok = ok && holds
	}
	return ok, nil
}

// each calls f for the combinations of values that meet restrictions, in order.
func (s *Space) each(restrictions []*Expression, f func(values []int64, of map[string]int64) error) error {
	due := make([][]*Expression, len(s.Parameters))
	due[len(due)-1] = restrictions
	return s.search(due, math.MaxInt, f)
}

// narrowed does what each does, but tries each restriction as soon as all of its parameters have values: so a space may
// have many more combinations than configurations. errEnough says that there is still too much to try.
func (s *Space) narrowed(restrictions []*Expression, f func(values []int64, of map[string]int64) error) error {
	due := make([][]*Expression, len(s.Parameters))
	for _, r := range restrictions {
		last := 0
		for i, p := range s.Parameters {
			if slices.Contains(r.Names, p.Name) {
				last = i
			}
		}
		due[last] = append(due[last], r)
	}
	return s.search(due, mostTries, f)
}

// search gives values to the parameters in their order; those of restrictions in due[i] are tried once parameter i has one.
func (s *Space) search(due [][]*Expression, tries int, f func(values []int64, of map[string]int64) error) error {
	of, values := s.known(), make([]int64, len(s.Parameters))
	var from func(i int) error
	from = func(i int) error {
		if i == len(s.Parameters) {
			return f(values, of)
		}
		for _, v := range s.Parameters[i].Values {
			if tries--; tries < 0 {
				return errEnough
			}
			values[i], of[s.Parameters[i].Name] = v, v
			ok, err := s.meet(due[i], values[:i+1], of)
			if ok && err == nil {
				err = from(i + 1)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return from(0)
}

// drawn calls f for combinations that are drawn at random and that meet restrictions.
func (s *Space) drawn(restrictions []*Expression, f func(values []int64, of map[string]int64) error) error {
	of, values := s.known(), make([]int64, len(s.Parameters))
	// The seed is fixed, so that everybody draws the same configurations.
	w := rand.New(rand.NewPCG(1, 1))
	met := map[string]bool{}
	for range MostConfigurations {
		for i, p := range s.Parameters {
			values[i] = p.Values[w.IntN(len(p.Values))]
			of[p.Name] = values[i]
		}
		key := fmt.Sprint(values)
		if met[key] {
			continue
		}
		met[key] = true
		ok, err := s.meet(restrictions, values, of)
		if ok && err == nil {
			err = f(values, of)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// conflict names a smallest set of restrictions that no combination meets together. Of a space that is drawn from, it
// says that of the drawn combinations alone.
func (s *Space) conflict(sampled bool) error {
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
	all := strings.Join(texts, " and ")
	switch n := s.Count(MostConfigurations); {
	case sampled:
		return faultf("no configuration found: none of the combinations drawn at random satisfies %s; there are too many to try all, so give fewer values", all)("restrictions")
	case n > MostConfigurations:
		return faultf("no valid configuration: no combination satisfies %s", all)("restrictions")
	default:
		return faultf("no valid configuration: none of the %d combinations satisfies %s", n, all)("restrictions")
	}
}

// meets reports whether some combination meets all of some restrictions. It may if there are too many to try.
func (s *Space) meets(sampled bool, all []*Expression) bool {
	found := func([]int64, map[string]int64) error { return errEnough }
	switch {
	case sampled:
		return errors.Is(s.drawn(all, found), errEnough)
	default:
		return errors.Is(s.narrowed(all, found), errEnough)
	}
}

// text names a configuration, or the beginning of one.
func (s *Space) text(values []int64) string {
	var parts []string
	for i, v := range values {
		parts = append(parts, fmt.Sprintf("%s=%d", s.Parameters[i].Name, v))
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
