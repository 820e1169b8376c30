package syntax

import (
	"bytes"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/lang/gpuc/internal/source"
	"modernc.org/cc/v4"
)

// template is a function with parameters that are types and numbers. Its text is parsed once, with the
// parameters as names, and read anew for each choice of them.
type template struct {
	name     string
	at       source.Place
	from, to int // its head, and the name behind that
	params   []templateParameter
	text     *cc.FunctionDefinition
	nameAt   source.Place // of its name
	used     bool         // it is a kernel, and has an instance
	pattern  *Function    // its parameters, with types that stand for those of the template
}

// templateParameter is a type, or a number of type typ.
type templateParameter struct {
	name string
	typ  *Ctype
}

// argument of a template.
type argument struct {
	typ   *Ctype
	value *big.Int
}

// maxInstances bounds what templates that ask for each other can come to.
const maxInstances = 200

var (
	instantiation    = regexp.MustCompile(`\btemplate\s+[^<;{}()]*?\b([A-Za-z_]\w*)\s*<`)
	named            = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*<`)
	templateOf       = regexp.MustCompile(`^\s*(struct|class|union|using|template)\b`)
	ofType           = regexp.MustCompile(`^(?:typename|class)\s+([A-Za-z_]\w*)$`)
	ofNumber         = regexp.MustCompile(`^((?:const\s+)?[A-Za-z_][\w ]*?)\s+([A-Za-z_]\w*)$`)
	plainNumber      = regexp.MustCompile(`^[\w\s+*/()%-]+$`)
	templateNumberOf = map[string]*Ctype{"int": TInt, "unsigned": TUint, "unsigned int": TUint, "bool": TBool, "long": TLong, "unsigned long": TUlong, "long long": TLong, "short": IntOf(16, true), "char": IntOf(8, true), "unsigned char": IntOf(8, false), "unsigned short": IntOf(16, false)}
)

// headers takes the heads of templates out of the text.
func (c *cplusplus) headers(w *source.Rewriting, types map[string]bool) *source.Problem {
	for _, m := range source.TemplateHead.FindAllIndex(w.Code, -1) {
		end := source.Angles(w.Code, m[1]-1)
		if end < 0 {
			continue // and is refused as foreign
		}
		t := &template{at: w.Place(m[0]), from: m[0]}
		if templateOf.Match(w.Code[end+1:]) || len(bytes.TrimSpace(w.Code[m[1]:end])) == 0 {
			continue
		}
		for _, p := range source.Split(w.Code, m[1], end) {
			text := strings.Join(strings.Fields(string(w.Code[p.From:p.To])), " ")
			if of := ofType.FindStringSubmatch(text); of != nil {
				t.params = append(t.params, templateParameter{name: of[1]})
				types[of[1]] = true
				continue
			}
			var typ *Ctype
			of := ofNumber.FindStringSubmatch(text)
			if of != nil {
				name := strings.TrimPrefix(of[1], "const ")
				if typ = templateNumberOf[name]; typ == nil {
					typ = Scalars[name]
				}
			}
			if typ == nil || typ.Kind != IntType {
				return w.Refuse(source.SpaceBehind(w.Code, p.From), "a parameter of a template that is neither a type without default nor a number without default")
			}
			t.params = append(t.params, templateParameter{name: of[2], typ: typ})
		}
		open := end + 1 + bytes.IndexByte(w.Code[end+1:], '(')
		for open > end && open < len(w.Code) && !source.ParameterList(w.Code, open) {
			past := source.Closing(w.Code, open, '(', ')')
			if past < 0 {
				break
			}
			open = past + 1 + bytes.IndexByte(w.Code[past+1:], '(')
		}
		if open <= end {
			continue
		}
		t.to = source.SpaceBefore(w.Code, open)
		t.name = source.WordBefore(w.Code, t.to)
		t.nameAt = w.Place(t.to - len(t.name))
		source.Blank(w.Out[m[0] : end+1])
		source.Blank(w.Code[m[0] : end+1])
		c.templates = append(c.templates, t)
		c.byName[t.name] = t
	}
	return nil
}

// inUse calls visit for what looks like a template with arguments, which begin at the last offset.
func (c *cplusplus) inUse(code []byte, visit func(t *template, from, arguments int) *source.Problem) *source.Problem {
	for _, m := range named.FindAllSubmatchIndex(code, -1) {
		if t := c.byName[string(code[m[2]:m[3]])]; t != nil {
			if problem := visit(t, m[0], m[1]); problem != nil {
				return problem
			}
		}
	}
	return nil
}

// explicit takes instantiations out of the text, and asks for their instances behind it.
func (c *cplusplus) explicit(w *source.Rewriting, types map[string]bool) *source.Problem {
	macros, latest := source.MacrosIn(w.Code, nil), source.LastDefined(w.Code)
	behind := func(from, to int) bool { // which macros mean something else
		text, _ := macros.Expanded(w.Code[from:to])
		return source.OfPlace.Match(text) || slices.ContainsFunc(source.Others(text), func(w string) bool { return latest[w] > from })
	}
	for _, m := range instantiation.FindAllSubmatchIndex(w.Code, -1) {
		t := c.byName[string(w.Code[m[2]:m[3]])]
		past, end := source.Angles(w.Code, m[1]-1), bytes.IndexByte(w.Code[m[1]:], ';')
		if t == nil || past < 0 || end < 0 || behind(m[1], past) || !c.want(t, w.Code[m[1]:past], types) {
			return w.Refuse(m[0], "an instantiation of this form")
		}
		source.Blank(w.Out[m[0] : m[1]+end+1])
		source.Blank(w.Code[m[0] : m[1]+end+1])
	}
	return nil
}

// launched asks for the instances that the host, whose text is left out, names.
func (c *cplusplus) launched(w *source.Rewriting, host []byte, types map[string]bool) {
	macros, twice, hiding := source.MacrosIn(w.Code, nil), source.RedefinedIn(w.Code), declaredIn(host)
	_ = c.inUse(host, func(t *template, _, from int) *source.Problem {
		end := source.Angles(host, from-1)
		var given []byte
		if end >= 0 {
			given, _ = macros.Expanded(host[from:end])
		}
		if from < len(host) && host[from] == '<' || end < 0 || source.OfPlace.Match(given) || source.Mentions(given, twice) || source.Mentions(given, hiding) || !c.want(t, host[from:end], types) {
			c.unread = append(c.unread, t.name+": one launch of it gives the template arguments that are not read here; it is not judged with them")
		}
		return nil
	})
}

// declaredIn are the words that code may declare, by what stands around them somewhere.
func declaredIn(code []byte) map[string]bool {
	out := map[string]bool{}
	for _, m := range source.Identifier.FindAllIndex(code, -1) {
		before, next := source.SpaceBefore(code, m[0]), source.SpaceBehind(code, m[1])
		last, word, follows := byte(0), source.WordBefore(code, before), string(code[next:min(len(code), next+2)])+"  "
		if before > 0 {
			last = code[before-1]
		}
		if word != "" && !operatorWords[word] || follows[0] == '=' && follows[1] != '=' || strings.IndexByte("{(}", follows[0]) >= 0 ||
			strings.IndexByte("*&>", last) >= 0 && strings.IndexByte(";[", follows[0]) >= 0 {
			out[string(code[m[0]:m[1]])] = true
		}
	}
	return out
}

// operatorWords are the words behind which a value may stand.
var operatorWords = map[string]bool{"return": true, "case": true, "else": true, "and": true, "or": true, "not": true, "sizeof": true, "throw": true}

// want asks for an instance behind the text. It is false if the arguments are no types and numbers.
func (c *cplusplus) want(t *template, text []byte, types map[string]bool) bool {
	pieces := source.Split(text, 0, len(text))
	if len(pieces) != len(t.params) {
		return false
	}
	var args []string
	for i, p := range pieces {
		arg := string(bytes.TrimSpace(text[p.From:p.To]))
		switch {
		case t.params[i].typ == nil:
			for _, word := range source.Word.FindAllString(arg, -1) {
				if !types[word] && word != "const" {
					return false
				}
			}
			args = append(args, "("+arg+")0")
		case !plainNumber.MatchString(arg):
			return false
		default:
			args = append(args, "("+arg+")")
		}
	}
	fmt.Fprintf(&c.behind, "int %s%d(void) { return %s(%s); }\n", wantedName, len(c.wanted), t.name, strings.ReplaceAll(strings.Join(args, ", "), "\n", " "))
	c.wanted = append(c.wanted, fmt.Sprintf("%s<%s> is not judged: its arguments are no types and numbers that this file knows", t.name, strings.Join(strings.Fields(string(text)), " ")))
	return true
}

// uses makes calls of templates with arguments, f<T, 4>(x), calls of calls: f((T)0, 4)(x).
func (c *cplusplus) uses(w *source.Rewriting, _ map[string]bool) *source.Problem {
	return c.inUse(w.Code, func(t *template, name, from int) *source.Problem {
		if from < len(w.Code) && w.Code[from] == '<' {
			return w.Refuse(name, fmt.Sprintf("a launch of the template %s without its arguments; write %s<…><<<…>>>", t.name, t.name))
		}
		if w.Directive[w.Line(name)] {
			c.unread = append(c.unread, t.name+": a macro gives it template arguments; a kernel is not judged with those")
		}
		end := source.Angles(w.Code, from-1)
		next := source.SpaceBehind(w.Code, end+1)
		if end < 0 || next == len(w.Code) || w.Code[next] != '(' && !bytes.HasPrefix(w.Code[next:], []byte("<<<")) {
			return w.Refuse(name, fmt.Sprintf("a use of the template %s that is no call", t.name))
		}
		pieces := source.Split(w.Code, from, end)
		if len(pieces) > len(t.params) {
			return w.Refuse(name, fmt.Sprintf("%d arguments of the template %s", len(pieces), t.name))
		}
		for i, p := range pieces {
			if p = source.Trimmed(w.Code, p); t.params[i].typ == nil {
				w.Insert(p.From, "(")
				w.Insert(p.To, ")0")
			}
		}
		w.Out[from-1], w.Out[end] = '(', ')'
		w.Code[from-1], w.Code[end] = '(', ')'
		c.arguments[w.Place(from-1)] = true
		return nil
	})
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
func (r *reader) explicitly(t *template, where source.Place, args []*Expr) *Expr {
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

// Callee is the function that a call of name means, with what each argument's type is; nil if it is none of
// the file. C++ chooses among several that are declared above the one whose parameters fit best: one that fits exactly is
// that. Where none does, why says so.
func (u *Unit) Callee(at source.Place, name string, args int, typ func(int) *Ctype) (f *Function, why string) {
	var same []*Function // of which one has a body, if any has
	for _, g := range u.named(name) {
		if !slices.ContainsFunc(same, func(h *Function) bool { return alikeParameters(g, h) }) {
			same = append(same, g)
		}
	}
	t := u.templateNamed(name)
	if t == nil && len(same) <= 1 {
		return u.Function(name), ""
	}
	for _, g := range same {
		if !slices.ContainsFunc(u.named(name), func(h *Function) bool { return alikeParameters(g, h) && source.Before(h.At, at) }) {
			return nil, fmt.Sprintf("a call of %s, one of whose forms stands below; declare all of them above", name)
		}
	}
	viable := slices.DeleteFunc(same, func(g *Function) bool { return args > len(g.Params) || args < u.least(g) })
	if t == nil && len(viable) == 1 {
		return viable[0], ""
	}
	for _, g := range viable {
		if Exactly(g, args, typ) {
			if why := u.unclear(g, viable, t != nil, args, typ); why != "" {
				return nil, why
			}
			return g, ""
		}
	}
	if t != nil && u.deduce != nil {
		if f, why = u.deduce(name, t, args, typ); f != nil || len(viable) == 0 {
			return f, why
		}
	}
	return nil, fmt.Sprintf("a call of %s, none of whose forms takes exactly these types; cast the arguments", name)
}

// named are the functions of the file of one name, those with bodies first.
func (u *Unit) named(name string) (out []*Function) {
	for _, body := range []bool{true, false} {
		for _, f := range u.functions[name] {
			if f.Defined == body {
				out = append(out, f)
			}
		}
	}
	return out
}

// add notes a function of the file.
func (u *Unit) add(f *Function) {
	u.Functions = append(u.Functions, f)
	u.functions[f.Name] = append(u.functions[f.Name], f)
}

// least is how many arguments a call of f has to have.
func (u *Unit) least(f *Function) int {
	for i := range f.Params {
		if u.Default(f, i) != nil {
			return i
		}
	}
	return len(f.Params)
}

// Default is the value of parameter i of f where a call has none.
func (u *Unit) Default(f *Function, i int) *Expr {
	if f.Params[i].Init != nil {
		return f.Params[i].Init
	}
	for _, g := range u.named(f.Name) {
		if alikeParameters(f, g) && g.Params[i].Init != nil {
			return g.Params[i].Init
		}
	}
	return nil
}

// Complete is the arguments of a call of f, with the defaults of those that it leaves out.
func (u *Unit) Complete(f *Function, args []*Expr) []*Expr {
	args = slices.Clone(args)
	for i := len(args); i < len(f.Params); i++ {
		e := u.Default(f, i)
		if e == nil {
			break
		}
		args = append(args, e)
	}
	return args
}

// Declares reports whether the file has a function of that name.
func (u *Unit) Declares(name string) bool {
	return u.Function(name) != nil || u.templateNamed(name) != nil
}

func alikeParameters(f, g *Function) bool {
	return f == g || slices.EqualFunc(f.Params, g.Params, func(p, q *Decl) bool { return Same(p.Typ, q.Typ) })
}

// Exactly reports whether arguments have the types of the parameters.
func Exactly(f *Function, args int, typ func(int) *Ctype) bool {
	for i := range args {
		if t := typ(i); t == nil || !Same(f.Params[i].taken(), decayed(t, f.Params[i].Ref())) {
			return false
		}
	}
	return true
}

// Ref reports whether d is a reference: a pointer, which nobody writes a star for.
func (d *Decl) Ref() bool { return d.Typ.Kind == PointerType && d.Typ.Ref }

// taken is the type of what a parameter stands for.
func (d *Decl) taken() *Ctype {
	if d.Ref() {
		return d.Typ.Elem
	}
	return d.Typ
}

// decayed is the type of a value: of an array, only references are more than a pointer.
func decayed(t *Ctype, whole bool) *Ctype {
	if t.Kind == ArrayType && !whole {
		return &Ctype{Kind: PointerType, Elem: t.Elem}
	}
	return t
}

// Valued is the type of an expression in C++, where typeOf is that in C: what is true or false is a bool, and
// a choice of two values of one type is of that type.
func Valued(e *Expr, typeOf func(*Expr) *Ctype) *Ctype {
	switch {
	case e.Kind == Unary && e.Op == "!", e.Kind == Binary && foldComparison(e.Op, new(big.Int), new(big.Int)) != nil:
		return TBool
	case e.Kind == Comma:
		return Valued(e.Args[1], typeOf)
	case e.Kind == Ternary:
		a, b := Valued(e.Args[1], typeOf), Valued(e.Args[2], typeOf)
		if a != nil && b != nil && (a.Kind == IntType || a.Kind == FloatType) && Same(a, b) {
			return a
		}
	}
	return typeOf(e)
}

// Deduced is what auto stands for in a declaration of type t, whose initial value is of type of; nil if it
// is no type of a value.
func Deduced(t, of *Ctype) *Ctype {
	if of == nil || of.Kind == VoidType || of.Kind == OpaqueType {
		return nil
	}
	switch {
	case t.Kind == AutoType:
		return decayed(of, false)
	case t.Kind == PointerType && t.Ref && t.Elem.Kind == AutoType: // of the address
		return of
	}
	if of = decayed(of, false); of.Kind != PointerType {
		return nil
	}
	return of
}

// Auto reports whether the initial value of d says what its type is.
func (d *Decl) Auto() bool {
	return d.Typ.Kind == AutoType || d.Typ.Kind == PointerType && d.Typ.Elem.Kind == AutoType
}

// Types gives the types of the arguments of call e, each of which typeOf finds once: calls nest.
func Types(e *Expr, typeOf func(*Expr) *Ctype) func(int) *Ctype {
	known := map[int]*Ctype{}
	return func(i int) *Ctype {
		t, ok := known[i]
		if !ok {
			t = Valued(e.Args[i+1], typeOf)
			known[i] = t
		}
		return t
	}
}

// Same reports whether two types are one.
func Same(a, b *Ctype) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case VoidType:
		return true
	case IntType, FloatType:
		return alike(a, b)
	case PointerType:
		return a.Ref == b.Ref && Same(a.Elem, b.Elem)
	case ArrayType, VectorType:
		return a.N == b.N && Same(a.Elem, b.Elem)
	}
	return false
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
	var problem *source.Problem
	func() {
		r.unit.choosing.Lock()
		defer r.unit.choosing.Unlock()
		defer source.Catch(&problem)
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

// templateNamed is the template that is called by that name, which may stand for some of its arguments, too.
func (u *Unit) templateNamed(name string) *template { return u.templates[name] }

// choice is what a file needs to choose functions by the types of arguments.
type choice struct {
	instances map[string]*Function
	choosing  sync.Mutex
	deduce    func(name string, t *template, args int, typ func(int) *Ctype) (*Function, string)
	templates map[string]*template
	functions map[string][]*Function // by name; instances of templates are not among them
	several   several
}
