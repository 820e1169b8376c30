package ast

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
	"modernc.org/cc/v4"
)

// maxInstances bounds what templates that ask for each other can come to.
const maxInstances = 200

// argument of a template.
type argument struct {
	typ   *Ctype
	value *big.Int
}

// bindings are the arguments of the template that is being read.
type bindings struct {
	types  map[string]*Ctype
	values map[string]*Expr
}

// register keeps the text of a template, and reads what its parameters look like.
func (r *reader) register(t *template, text *cc.FunctionDefinition) {
	t.text = text
	keep := r.bound
	r.bound = bindings{map[string]*Ctype{}, map[string]*Expr{}}
	for _, p := range t.params {
		if p.typ == nil {
			r.bound.types[p.name] = &Ctype{Kind: OpaqueType, Name: p.name}
		} else {
			r.bound.values[p.name] = &Expr{Kind: Literal, At: t.at, Value: big.NewInt(1), Typ: p.typ}
		}
	}
	places := r.bound.types
	t.pattern = r.Function(r.specifiers(text.DeclarationSpecifiers), text.Declarator)
	r.bound = keep
	t.pattern.open = places
	if t.pattern.Name != t.name {
		r.fail(t.at, "a template of this form")
	}
	r.inOne(t.name, t.pattern.At)
	if r.byName[t.name] != nil {
		r.fail(t.at, "the template %s, which is declared twice", t.name)
	}
	r.byName[t.name] = t
	r.templates = append(r.templates, t)
}

// explicitly is the name of the instance of a template with the arguments of a call of it.
func (r *reader) explicitly(t *template, where preproc.Place, args []*Expr) *Expr {
	var given []argument
	for i, a := range args {
		switch p := t.params[i]; {
		case p.typ == nil && a.Kind == Cast:
			given = append(given, argument{typ: a.Typ})
		case p.typ == nil:
			r.fail(where, "a template argument of this form")
		default:
			v := big.NewInt(r.constant(a))
			if !p.typ.holds(v) {
				r.fail(where, "a template argument beyond the range of its type")
			}
			given = append(given, argument{value: v})
		}
	}
	if len(given) < len(t.params) {
		return &Expr{Kind: Name, At: where, Name: r.partly(t, given)}
	}
	return &Expr{Kind: Name, At: where, Name: r.instance(t, given).Name}
}

// partly is the name of a template with its first arguments.
func (r *reader) partly(t *template, given []argument) string {
	name := instanceName(t.name, given) + "…"
	r.given[name], r.byName[name] = given, t
	return name
}

func instanceName(name string, args []argument) string {
	for _, a := range args {
		text := ""
		if a.typ != nil {
			text = spelt(a.typ)
		} else {
			text = a.value.String()
		}
		name += "_" + strings.NewReplacer("-", "m", " ", "_").Replace(text)
	}
	return name
}

// spelt is a name for a type, different for those that differ.
func spelt(t *Ctype) string {
	switch t.Kind {
	case PointerType:
		return spelt(t.Elem) + "ptr"
	case ArrayType:
		return fmt.Sprintf("%sx%d", spelt(t.Elem), t.N)
	}
	if t.Kind == IntType && t.Pointerwide {
		return IntOf(64, t.Signed).Name
	}
	return t.Name
}

// instance is a template with all arguments; it is read once.
func (r *reader) instance(t *template, args []argument) *Function {
	name := instanceName(t.name, args)
	if f := r.unit.instances[name]; f != nil {
		return f
	}
	if len(r.unit.instances) >= maxInstances {
		r.fail(t.at, "more than %d instances of templates", maxInstances)
	}
	keep, depth := r.bound, r.depth
	r.bound = bindings{map[string]*Ctype{}, map[string]*Expr{}}
	defer func() { r.bound, r.depth = keep, depth }()
	for i, p := range t.params {
		if p.typ == nil {
			r.bound.types[p.name] = args[i].typ
		} else {
			r.bound.values[p.name] = &Expr{Kind: Literal, At: t.at, Value: args[i].value, Typ: p.typ}
		}
	}
	f := r.Function(r.specifiers(t.text.DeclarationSpecifiers), t.text.Declarator)
	f.Name, f.Defined = name, true
	r.unit.instances[name] = f // before its body, which may call it
	r.body(f, t.text.CompoundStatement)
	r.owned(t, f, args)
	if f.Kernel {
		r.unit.Functions, t.used = append(r.unit.Functions, f), true
	}
	r.fresh = append(r.fresh, f)
	return f
}

// owned refuses an instance with variables of its own, of which C++ may have several where one is read.
func (r *reader) owned(t *template, f *Function, args []argument) {
	mixed := false
	for _, a := range args {
		mixed = mixed || a.typ != nil && r.unit.several.mixed(a.typ)
	}
	if !mixed || f.Kernel {
		return
	}
	Stmts(f.Body, func(s *Stmt) {
		for _, d := range s.Decls {
			if d.Static || d.Typ.Where == Local && !d.Extern {
				r.fail(d.At, "a variable of an instance of %s for a type that C++ tells apart from others that are one here", t.name)
			}
		}
	})
}

// deduced are the arguments of a template that the types of a call make it have.
func (r *reader) deduced(name string, t *template, args int, typ func(int) *Ctype) (f *Function, why string) {
	given := slices.Clone(r.given[name])
	none := fmt.Sprintf("a call of the template %s whose arguments do not say what its parameters are; write %s<…>(…)", t.name, t.name)
	if args != len(t.pattern.Params) {
		return nil, none
	}
	found := map[string]*Ctype{}
	for i, a := range given {
		if a.typ != nil {
			found[t.params[i].name] = a.typ
		}
	}
	var match func(p, a *Ctype) bool
	match = func(p, a *Ctype) bool {
		switch {
		case p.Kind == OpaqueType && t.pattern.open[p.Name] == p:
			if found[p.Name] == nil {
				found[p.Name] = a
			}
			return Same(found[p.Name], a)
		case p.Kind == PointerType && a.Kind == PointerType, p.Kind == ArrayType && a.Kind == ArrayType && p.N == a.N:
			return match(p.Elem, a.Elem)
		}
		return Same(p, a)
	}
	for i, p := range t.pattern.Params {
		a := typ(i)
		// What says nothing of the template converts, unless it would have to choose.
		if !p.Ref() && !t.pattern.mentions(p.Typ) && len(r.unit.named(t.name)) == 0 {
			continue
		}
		if a == nil || p.Ref() && a.Kind == ArrayType || !match(p.taken(), decayed(a, p.Ref())) {
			return nil, none
		}
	}
	for _, p := range t.params[len(given):] {
		if p.typ != nil || found[p.name] == nil {
			return nil, none
		}
		given = append(given, argument{typ: found[p.name]})
	}
	var problem *preproc.Problem
	func() {
		r.unit.choosing.Lock()
		defer r.unit.choosing.Unlock()
		defer preproc.Catch(&problem)
		f = r.instance(t, given)
		r.settle()
	}()
	if problem != nil {
		return nil, fmt.Sprintf("line %d: %s, in an instance of %s that is called here", problem.Line, problem.Construct, t.name)
	}
	return f, ""
}

// mentions reports whether a type is made of a parameter of the template that f is the pattern of.
func (f *Function) mentions(t *Ctype) bool {
	return f.open[t.Name] == t || t.Elem != nil && f.mentions(t.Elem)
}
