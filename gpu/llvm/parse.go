package llvm

import (
	"bytes"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// Limits of what is read.
const (
	maxBytes        = 64 << 20
	maxInstructions = 1_000_000
	maxNesting      = 200
)

// parser reads a module. It looks one token ahead.
//
// The bodies of functions and the nodes of metadata, which are nearly all of a file, are only found at first, and read when
// they are asked for.
type parser struct {
	lexer
	tok      token
	m        *Module
	depth    int
	count    int               // instructions that are read
	most     int               // … at most
	uses     map[string]token  // groups that are mentioned before they are read, where first
	fixups   []func()          // attributes of groups, which stand at the end of a file
	found    map[int]span      // the nodes of metadata
	nodes    map[int]*Metadata // … that are read, or will be by settle
	unread   []int             // … of these those that are not read yet
	passing  []int             // … of these those that one function alone uses
	missing  *preproc.Problem  // the first group or node that is mentioned and not there: the file is cut off
	taken    *[]string         // see AddressTaken
	indexed  bool              // all groups and nodes are found
	function *Function
	number   int // the next unnamed value of the function
}

// span is a part of the text: it begins behind a {, or behind the number of a node, in a line, and ends.
type span struct{ from, line, end int }

// Parse reads a module.
//
// It fails on text that is no module of LLVM 14 to 21, on one for another target than a GPU,
// and on one that is larger than the limits. What it does not know within a function is the
// problem of that function alone.
func Parse(file string, src []byte) (m *Module, problem *preproc.Problem) {
	return parse(file, src, (*parser).target, (*parser).bodies)
}

// ParseHost reads a module for the machine that launches kernels. It fails as Parse does, but for its target.
func ParseHost(file string, src []byte) (m *Module, problem *preproc.Problem) {
	return parse(file, src, (*parser).bodies)
}

// Open reads a module but for the bodies of its functions: see Reading. It fails as Parse does; that something is missing which a
// body alone mentions is the problem of that function.
func Open(file string, src []byte) (m *Module, problem *preproc.Problem) {
	return parse(file, src, (*parser).target, func(p *parser) { p.m.text = p })
}

// parse reads what is around the bodies of a module, and goes on with steps.
func parse(file string, src []byte, steps ...func(*parser)) (m *Module, problem *preproc.Problem) {
	defer preproc.Catch(&problem)
	p := &parser{lexer: lexer{file: file, line: 1}, uses: map[string]token{}, found: map[int]span{}, nodes: map[int]*Metadata{}}
	switch {
	case len(src) > maxBytes:
		p.fail(1, 1, "a module of more than %d MiB", maxBytes>>20)
	case bytes.HasPrefix(src, []byte("BC\xc0\xde")), bytes.HasPrefix(src, []byte("\xde\xc0\x17\x0b")):
		p.fail(1, 1, "bitcode; llvm-dis makes text of it")
	}
	p.src = string(src)
	p.m = &Module{File: file, functions: map[string]*Function{}, globals: map[string]*Global{}, named: map[string][]*Metadata{}, groups: map[string]Attributes{}, types: map[string]*Type{}}
	p.m.Layout = newLayout()
	p.advance()
	for p.tok.kind != endOfFile {
		p.entity()
	}
	for name, t := range p.uses {
		if _, ok := p.m.groups[name]; !ok {
			p.fail(t.line, t.col, "attributes #%s, which are not defined: the file is cut off", name)
		}
	}
	for _, f := range p.fixups {
		f()
	}
	p.fixups, p.indexed = nil, true
	p.settle()
	for _, step := range steps {
		step(p)
	}
	return p.m, nil
}

// bodies reads all functions.
func (p *parser) bodies() {
	p.most = maxInstructions
	for _, f := range p.m.Functions {
		p.body(f)
	}
	if p.missing != nil {
		panic(p.missing)
	}
}

// target checks that the module is one for a GPU, of a version that is known.
func (p *parser) target() {
	m := p.m
	if m.Target() == UnknownTarget {
		what := "a module for " + m.Triple
		if m.Triple == "" {
			what = "a module without target triple"
		}
		p.fail(1, 1, "%s; kernels are read of nvptx64, amdgcn, spir, spir64 and spirv", what)
	}
	for _, n := range m.Named("llvm.ident") {
		if m.Producer == "" && len(n.Elems) > 0 {
			m.Producer = n.Elems[0].Text
		}
	}
	if m.Producer == "" {
		for _, n := range m.Named("llvm.dbg.cu") {
			m.Producer = n.Field("producer").String()
		}
	}
	if at := strings.Index(m.Producer, "clang version "); at >= 0 {
		version := m.Producer[at+len("clang version "):]
		major, err := strconv.Atoi(version[:len(version)-len(strings.TrimLeft(version, "0123456789"))])
		if err != nil || major < 14 || major > 21 {
			p.fail(1, 1, "a module of clang %s; versions 14 to 21 are read", strings.Fields(version + " ?")[0])
		}
	}
}

func (p *parser) advance() token {
	t := p.tok
	p.tok = p.next()
	return t
}

func (p *parser) refuse(format string, args ...any) {
	p.fail(p.tok.line, p.tok.col, format, args...)
}

// unexpected refuses the token that comes next.
func (p *parser) unexpected(where string) {
	if p.tok.kind == endOfFile {
		p.refuse("the file ends within %s: it is cut off", where)
	}
	p.refuse("%s in %s", p.tok, where)
}

func (p *parser) isPunct(s string) bool { return p.tok.kind == punctToken && p.tok.text == s }
func (p *parser) isWord(s string) bool  { return p.tok.kind == wordToken && p.tok.text == s }

func (p *parser) eat(s string) bool {
	if p.tok.text == s && (p.tok.kind == punctToken || p.tok.kind == wordToken) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(s, where string) {
	if !p.eat(s) {
		p.unexpected(where)
	}
}

func (p *parser) integer(where string) int64 {
	if p.tok.kind != intToken {
		p.unexpected(where)
	}
	n, err := strconv.ParseInt(p.tok.text, 10, 64)
	if err != nil {
		p.unexpected(where)
	}
	p.advance()
	return n
}

func (p *parser) str(where string) string {
	if p.tok.kind != stringToken {
		p.unexpected(where)
	}
	return p.advance().text
}

// nested counts how deep types, constants and metadata are within one another.
func (p *parser) nested(f func()) {
	if p.depth++; p.depth > maxNesting {
		p.refuse("types or constants nested more than %d deep", maxNesting)
	}
	f()
	p.depth--
}

// entity reads one top-level entity of a module, in the grammar of LLVM's language reference. What has no effect on
// accesses (orders of uses, comdats) is passed over; module-level assembly is refused, as it may define anything.
func (p *parser) entity() {
	t := p.tok
	switch t.kind {
	case wordToken:
		switch t.text {
		case "source_filename":
			p.advance()
			p.expect("=", "source_filename")
			p.m.Source = p.str("source_filename")
			return
		case "target":
			p.advance()
			what := p.advance().text
			p.expect("=", "target")
			text := p.str("target")
			switch what {
			case "triple":
				p.m.Triple = text
			case "datalayout":
				p.m.Layout.read(text)
			default:
				p.fail(t.line, t.col, "target %s", what)
			}
			return
		case "module":
			p.refuse("module-level assembly")
		case "define", "declare":
			p.functionEntity()
			return
		case "attributes":
			p.advance()
			name := p.advance().text
			p.expect("=", "attributes")
			p.expect("{", "attributes")
			a := Attributes{}
			for !p.isPunct("}") {
				p.attribute(&a, "attributes")
			}
			p.advance()
			p.m.groups[name] = a
			return
		case "uselistorder", "uselistorder_bb":
			p.balanced("uselistorder")
			return
		}
	case localToken:
		p.advance()
		p.expect("=", "a type")
		p.expect("type", "a type")
		named := p.namedType(t.text)
		// A type can be used before it is defined: the definition fills the type that its uses have.
		if p.eat("opaque") {
			return
		}
		body := p.typ("a type")
		if body.Kind != Struct || body.Name != "" {
			p.fail(t.line, t.col, "a name for a type that is no structure")
		}
		name := named.Name
		*named = *body
		named.Name = name
		return
	case globalToken:
		p.globalEntity()
		return
	case comdatToken:
		p.advance()
		p.expect("=", "a comdat")
		p.expect("comdat", "a comdat")
		p.advance()
		return
	case metadataToken:
		p.metadataEntity()
		return
	}
	p.unexpected("a module")
}

// balanced skips tokens up to the end of what brackets enclose, on one level.
func (p *parser) balanced(where string) {
	depth := 0
	line := p.tok.line
	for {
		switch {
		case p.tok.kind == endOfFile:
			p.unexpected(where)
		case depth == 0 && p.tok.line != line:
			return
		case p.isPunct("(") || p.isPunct("{") || p.isPunct("["):
			depth++
		case p.isPunct(")") || p.isPunct("}") || p.isPunct("]"):
			depth--
		}
		p.advance()
		if depth <= 0 && p.tok.line != line {
			return
		}
	}
}

// linkages and their kin stand in front of functions and variables.
var (
	linkages     = words("private internal available_externally linkonce weak common appending extern_weak linkonce_odr weak_odr external")
	decorations  = words("dso_local dso_preemptable default hidden protected dllimport dllexport unnamed_addr local_unnamed_addr thread_local")
	conventions  = words("ccc fastcc coldcc ptx_kernel ptx_device spir_func spir_kernel amdgpu_kernel amdgpu_gfx amdgpu_cs_chain")
	kernelCC     = words("ptx_kernel spir_kernel amdgpu_kernel")
	plainIsFine  = words("zeroext signext inreg noalias nocapture nofree nest returned nonnull noundef readonly readnone writeonly immarg allocalign allocptr nofpclass dead_on_unwind writable swiftself swifterror")
	valuedIsFine = words("align dereferenceable dereferenceable_or_null captures range initializes alignstack nofpclass")
)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// globalEntity reads a variable of the module, or an alias.
func (p *parser) globalEntity() {
	t := p.advance()
	g := &Global{Name: t.text, Line: t.line}
	p.expect("=", "a variable")
	for {
		switch {
		case p.tok.kind != wordToken:
			p.unexpected("a variable")
		case linkages[p.tok.text]:
			g.Linkage = p.advance().text
			continue
		case p.tok.text == "thread_local":
			p.refuse("a variable of a host thread")
		case decorations[p.tok.text]:
			p.advance()
			continue
		case p.tok.text == "addrspace":
			p.advance()
			p.expect("(", "addrspace")
			g.Space = int(p.integer("addrspace"))
			p.expect(")", "addrspace")
			continue
		case p.tok.text == "externally_initialized":
			p.advance()
			g.External = true
			continue
		}
		break
	}
	switch {
	case p.eat("global"):
	case p.eat("constant"):
		g.Constant = true
	case p.isWord("alias") || p.isWord("ifunc"):
		g.Alias = true
		p.advance()
		g.Type = p.typ("an alias")
		p.expect(",", "an alias")
		g.Init = p.typedValue("an alias")
		p.putGlobal(g, t)
		return
	default:
		p.unexpected("a variable")
	}
	g.Type = p.typ("a variable")
	if declared := g.Linkage == "external" || g.Linkage == "extern_weak"; !declared {
		g.Init = p.value(g.Type, "an initial value")
	}
	for p.eat(",") {
		switch {
		case p.tok.kind == metadataToken:
			g.Meta = append(g.Meta, p.attachment())
		case p.eat("align"), p.eat("code_model"):
			p.advance()
		case p.eat("section"), p.eat("partition"):
			p.str("a variable")
		case p.eat("comdat"):
			if p.eat("(") {
				p.advance()
				p.expect(")", "a comdat")
			}
		case p.eat("no_sanitize_address"), p.eat("no_sanitize_hwaddress"), p.eat("sanitize_memtag"), p.eat("sanitize_address_dyninit"):
		default:
			p.unexpected("a variable")
		}
	}
	// Attributes of variables say how the device lays them out.
	for p.tok.kind == groupToken {
		p.use(p.advance())
	}
	p.putGlobal(g, t)
}

func (p *parser) putGlobal(g *Global, t token) {
	if p.m.globals[g.Name] != nil || p.m.functions[g.Name] != nil {
		p.fail(t.line, t.col, "@%s is there twice", g.Name)
	}
	p.m.globals[g.Name] = g
	p.m.Globals = append(p.m.Globals, g)
}

// use notes a group of attributes that is mentioned.
func (p *parser) use(t token) {
	if _, ok := p.m.groups[t.text]; !ok && p.indexed {
		p.cutOff(t, "attributes %s, which are not defined", t)
	}
	if _, ok := p.uses[t.text]; !ok && !p.indexed {
		p.uses[t.text] = t
	}
}

// cutOff fails since something is mentioned that is not there.
func (p *parser) cutOff(t token, format string, args ...any) {
	problem := preproc.Refuse(p.file, preproc.Place{Line: t.line, Col: t.col}, fmt.Sprintf(format, args...)+": the file is cut off")
	if p.missing == nil {
		p.missing = problem
	}
	panic(problem)
}

// functionEntity reads the head of a function, and notes where its body is.
func (p *parser) functionEntity() {
	start := p.advance()
	f := &Function{Line: start.line, Defined: start.text == "define"}
	for p.tok.kind == metadataToken { // of a declaration
		f.Meta = append(f.Meta, p.attachment())
	}
	var ret Attributes
	for {
		if p.tok.kind == wordToken && (linkages[p.tok.text] || decorations[p.tok.text]) {
			if linkages[p.tok.text] {
				f.Linkage = p.tok.text
			}
			p.advance()
			continue
		}
		if p.tok.kind == wordToken && conventions[p.tok.text] {
			f.CC = p.advance().text
			continue
		}
		if p.isWord("cc") {
			p.refuse("a calling convention by number")
		}
		break
	}
	for p.startsAttribute() {
		p.attribute(&ret, "what a function returns")
	}
	f.Ret = p.typ("what a function returns")
	name := p.tok
	if name.kind != globalToken {
		p.unexpected("a function")
	}
	p.advance()
	f.Name = name.text
	p.function, p.number = f, 0
	p.params(f)
	for {
		switch {
		case p.tok.kind == metadataToken:
			f.Meta = append(f.Meta, p.attachment())
			continue
		case p.eat("comdat"):
			if p.eat("(") {
				p.advance()
				p.expect(")", "a comdat")
			}
			continue
		case p.eat("section"), p.eat("gc"), p.eat("partition"):
			p.str("a function")
			continue
		case p.eat("addrspace"):
			p.expect("(", "addrspace")
			p.integer("addrspace")
			p.expect(")", "addrspace")
			continue
		case p.eat("personality"), p.eat("prefix"), p.eat("prologue"):
			p.typedValue("a function")
			continue
		case p.isPunct("{"), p.tok.kind == endOfFile, p.tok.kind == wordToken && (p.tok.text == "define" || p.tok.text == "declare" || p.tok.text == "attributes"):
		case p.startsAttribute():
			p.attribute(&f.Attrs, "a function")
			continue
		}
		break
	}
	p.resolve(&f.Attrs)
	if old := p.m.functions[f.Name]; old != nil || p.m.globals[f.Name] != nil {
		p.fail(name.line, name.col, "@%s is there twice", f.Name)
	}
	p.m.functions[f.Name] = f
	p.m.Functions = append(p.m.Functions, f)
	if f.Defined {
		f.unread = p.enclosed(f)
		f.number = p.number
	}
	p.function = nil
}

// enclosed finds the body of a function. It ends at the first line that begins with }, and no line of it may begin as an entity of
// a module does: nothing of a module is taken for part of a body.
func (p *parser) enclosed(f *Function) *span {
	if !p.isPunct("{") {
		p.unexpected("a function")
	}
	at := &span{from: p.pos, line: p.line}
	rest := p.src[p.pos:]
	for n := 0; ; n++ {
		end := strings.IndexByte(rest, '\n')
		line := rest[:max(end, 0)]
		if end < 0 {
			line = rest
		}
		switch {
		case n > 0 && strings.HasPrefix(line, "}"):
			at.end = p.pos
			p.advance()
			p.advance()
			return at
		case n == 0 && strings.TrimLeft(line, " \t\r") != "" && strings.TrimLeft(line, " \t\r")[0] != ';', n > 0 && outside.MatchString(line):
			p.fail(p.line, 1, "function @%s, whose body does not end in a line of its own", f.Name)
		case end < 0:
			p.fail(p.line, 1, "the file ends within function @%s: it is cut off", f.Name)
		}
		rest = rest[end+1:]
		p.pos += end + 1
		p.line++
		p.bol = p.pos
	}
}

// outside matches lines that no body has.
var outside = regexp.MustCompile(`^(?:[@!$]|%[^=]* = type\s|(?:define|declare|attributes|target|module|source_filename)\s)`)

// params reads the parameters of a function.
func (p *parser) params(f *Function) {
	p.expect("(", "parameters")
	for !p.eat(")") {
		if p.eat("...") {
			f.Varargs = true
			p.expect(")", "parameters")
			return
		}
		a := Param{Type: p.typ("a parameter")}
		for p.startsAttribute() {
			p.attribute(&a.Attrs, "a parameter")
		}
		if a.Attrs.odd != "" && f.Problem == nil {
			f.Problem = preproc.Refuse(p.file, preproc.Place{Line: p.tok.line, Col: 1}, "attribute "+a.Attrs.odd+" of a parameter")
		}
		if p.tok.kind == localToken {
			a.Name = p.advance().text
		} else {
			a.Name = strconv.Itoa(p.number)
		}
		p.numbered(a.Name)
		f.Params = append(f.Params, a)
		if !p.eat(",") && !p.isPunct(")") {
			p.unexpected("parameters")
		}
	}
}

// numbered notes that a value or block has a name, which may be the next number.
func (p *parser) numbered(name string) {
	if name == strconv.Itoa(p.number) {
		p.number++
	}
}

func (p *parser) startsAttribute() bool {
	switch p.tok.kind {
	case groupToken, stringToken:
		return true
	case wordToken:
		return !typeWord(p.tok.text)
	}
	return false
}

// attribute reads one attribute.
func (p *parser) attribute(a *Attributes, where string) {
	t := p.advance()
	switch t.kind {
	case groupToken:
		p.use(t)
		a.groups = append(a.groups, t.text)
		return
	case stringToken:
		value := ""
		if p.eat("=") {
			value = p.str(where)
		}
		a.set(t.text, value)
		return
	case wordToken:
	default:
		p.fail(t.line, t.col, "%s in %s", t, where)
	}
	// Attributes that may change what accesses do are marked as odd, and code that depends on them refuses.
	switch {
	case p.isPunct("("):
		switch t.text {
		case "byval", "sret", "byref", "inalloca", "preallocated", "elementtype":
			p.advance()
			of := p.typ("an attribute")
			p.expect(")", "an attribute")
			switch t.text {
			case "byval":
				a.ByVal = of
			case "sret":
				a.SRet = of
			case "byref":
				a.ByRef = of
			default:
				a.odd = t.text
			}
			return
		}
		if !valuedIsFine[t.text] && !callWide[t.text] {
			a.odd = t.text
		}
		a.set(t.text, p.parenthesised(where))
	case p.eat("="):
		a.set(t.text, p.advance().text)
	case t.text == "align" && p.tok.kind == intToken:
		a.set(t.text, p.advance().text)
	default:
		if !plainIsFine[t.text] && !callWide[t.text] {
			a.odd = t.text
		}
		a.set(t.text, "")
	}
}

// callWide are the attributes of functions and calls that are known; none takes a meaning away.
var callWide = words("allockind allocsize alwaysinline builtin cold convergent disable_sanitizer_instrumentation hot hybrid_patchable inlinehint jumptable memory minsize mustprogress naked nobuiltin nocallback nocf_check nodivergencesource noduplicate nofree noimplicitfloat noinline nomerge nonlazybind noprofile norecurse noredzone noreturn nosanitize_bounds nosanitize_coverage nosync nounwind null_pointer_is_valid optforfuzzing optdebug optnone optsize readnone readonly writeonly argmemonly inaccessiblememonly inaccessiblemem_or_argmemonly returns_twice speculatable ssp sspreq sspstrong strictfp uwtable vscale_range willreturn skipprofile coro_only_destroy_when_complete")

// parenthesised is the text between brackets, as words.
func (p *parser) parenthesised(where string) string {
	var out []string
	depth := 0
	for {
		if p.tok.kind == endOfFile {
			p.unexpected(where)
		}
		t := p.advance()
		switch {
		case t.kind == punctToken && t.text == "(":
			depth++
		case t.kind == punctToken && t.text == ")":
			depth--
		}
		if depth == 0 {
			return strings.Join(out[1:], " ")
		}
		if t.kind == labelToken {
			t.text += ":"
		}
		out = append(out, t.text)
	}
}

// resolve adds what attribute groups say, once they are read.
func (p *parser) resolve(a *Attributes) {
	if len(a.groups) == 0 {
		return
	}
	add := func() {
		for _, g := range a.groups {
			group := p.m.groups[g]
			if group.odd != "" {
				a.odd = group.odd
			}
			if len(a.Words) == 0 && len(a.groups) == 1 { // as nearly always: they are never changed
				a.Words = group.Words
				continue
			}
			for k, v := range group.Words {
				a.set(k, v)
			}
		}
	}
	if p.indexed {
		add()
	} else {
		p.fixups = append(p.fixups, add)
	}
}

func typeWord(s string) bool {
	switch s {
	case "void", "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128", "label", "metadata", "token", "ptr", "target":
		return true
	}
	return len(s) > 1 && s[0] == 'i' && strings.Trim(s[1:], "0123456789") == ""
}

func (p *parser) startsType() bool {
	switch p.tok.kind {
	case wordToken:
		return typeWord(p.tok.text)
	case localToken:
		return true
	case punctToken:
		return p.tok.text == "[" || p.tok.text == "<" || p.tok.text == "{"
	}
	return false
}

var simpleTypes = map[string]*Type{
	"void": {Kind: Void}, "half": {Kind: Float, Bits: 16, Name: "half"}, "bfloat": {Kind: Float, Bits: 16, Name: "bfloat"},
	"float": {Kind: Float, Bits: 32, Name: "float"}, "double": {Kind: Float, Bits: 64, Name: "double"},
	"x86_fp80": {Kind: Float, Bits: 80, Name: "x86_fp80"}, "fp128": {Kind: Float, Bits: 128, Name: "fp128"}, "ppc_fp128": {Kind: Float, Bits: 128, Name: "ppc_fp128"},
	"label": {Kind: Label}, "metadata": {Kind: MetadataType}, "token": {Kind: Opaque, Name: "token"},
	"i1": {Kind: Int, Bits: 1}, "i8": {Kind: Int, Bits: 8}, "i16": {Kind: Int, Bits: 16}, "i32": {Kind: Int, Bits: 32}, "i64": {Kind: Int, Bits: 64},
}

// IntType is the type of integers of so many bits.
func IntType(bits int) *Type {
	if t := simpleTypes["i"+strconv.Itoa(bits)]; t != nil {
		return t
	}
	return &Type{Kind: Int, Bits: bits}
}

// pointerTypes are those of the address spaces that targets have.
var pointerTypes = func() (out [16]*Type) {
	for space := range out {
		out[space] = &Type{Kind: Pointer, Space: space}
	}
	return out
}()

func pointerType(space int) *Type {
	if space >= 0 && space < len(pointerTypes) {
		return pointerTypes[space]
	}
	return &Type{Kind: Pointer, Space: space}
}

func (p *parser) namedType(name string) *Type {
	t := p.m.types[name]
	if t == nil {
		t = &Type{Kind: Opaque, Name: name}
		p.m.types[name] = t
	}
	return t
}

func (p *parser) typ(where string) (out *Type) {
	p.nested(func() { out = p.typ1(where) })
	return out
}

// typ1 reads a type; typ bounds how deeply it is nested.
func (p *parser) typ1(where string) *Type {
	t := p.tok
	var out *Type
	switch {
	case t.kind == localToken:
		p.advance()
		out = p.namedType(t.text)
	case t.kind == wordToken && t.text == "ptr":
		p.advance()
		space := 0
		if p.eat("addrspace") {
			p.expect("(", where)
			space = int(p.integer(where))
			p.expect(")", where)
		}
		out = pointerType(space)
	case t.kind == wordToken && t.text == "target":
		p.advance()
		out = &Type{Kind: Opaque, Name: "target(" + p.parenthesised(where) + ")"}
	case t.kind == wordToken && simpleTypes[t.text] != nil:
		p.advance()
		out = simpleTypes[t.text]
	case t.kind == wordToken && typeWord(t.text):
		p.advance()
		bits, err := strconv.Atoi(t.text[1:])
		if err != nil || bits < 1 || bits > 1<<16 {
			p.fail(t.line, t.col, "an integer of %s bits", t.text[1:])
		}
		out = &Type{Kind: Int, Bits: bits}
	case p.eat("["):
		out = &Type{Kind: Array, N: p.integer(where)}
		p.expect("x", where)
		out.Elem = p.typ(where)
		p.expect("]", where)
	case p.eat("<"):
		if p.eat("{") {
			out = p.structure(where)
			out.Packed = true
			p.expect(">", where)
			break
		}
		if p.isWord("vscale") {
			p.refuse("a vector without fixed length")
		}
		out = &Type{Kind: Vector, N: p.integer(where)}
		p.expect("x", where)
		out.Elem = p.typ(where)
		p.expect(">", where)
		if out.N < 1 || out.N > 1<<12 {
			p.fail(t.line, t.col, "a vector of %d lanes", out.N)
		}
	case p.eat("{"):
		out = p.structure(where)
	default:
		p.unexpected(where)
	}
	// Types of functions follow the type of the result, and can be nested.
	for {
		switch {
		case p.isPunct("*"), p.isWord("addrspace"):
			p.refuse("typed pointers, as LLVM had them before 15; compile with opaque ones (clang 14: -mllvm -opaque-pointers, clang 15: -Xclang -opaque-pointers)")
		case p.isPunct("("):
			p.advance()
			f := &Type{Kind: FunctionType, Ret: out}
			for !p.eat(")") {
				if p.eat("...") {
					f.Variadic = true
				} else {
					f.Fields = append(f.Fields, p.typ(where))
					for p.startsAttribute() {
						a := Attributes{}
						p.attribute(&a, where)
					}
				}
				if !p.eat(",") && !p.isPunct(")") {
					p.unexpected(where)
				}
			}
			out = f
			continue
		}
		return out
	}
}

func (p *parser) structure(where string) *Type {
	out := &Type{Kind: Struct}
	for !p.eat("}") {
		out.Fields = append(out.Fields, p.typ(where))
		if !p.eat(",") && !p.isPunct("}") {
			p.unexpected(where)
		}
	}
	return out
}

// typedValue is a type and an operand.
func (p *parser) typedValue(where string) *Value { return p.value(p.typ(where), where) }

func (p *parser) value(t *Type, where string) (out *Value) {
	p.nested(func() { out = p.value1(t, where) })
	return out
}

// value1 reads a value of a type; value bounds how deeply it is nested.
func (p *parser) value1(t *Type, where string) *Value {
	tok := p.tok
	v := &Value{Type: t}
	if t.Kind == MetadataType {
		v.Kind, v.Metadata = MetadataValue, p.metadata()
		return v
	}
	// The type is known before the value, as it is in front of it or follows from the instruction.
	switch tok.kind {
	case localToken:
		p.advance()
		v.Kind, v.Name = Register, tok.text
		return v
	case globalToken:
		p.advance()
		v.Kind, v.Name = GlobalName, tok.text
		return v
	case intToken:
		p.advance()
		if t.Kind != Int {
			p.fail(tok.line, tok.col, "the number %s as %s", tok, t)
		}
		n, ok := new(big.Int).SetString(strings.TrimPrefix(tok.text, "+"), 10)
		if !ok || len(tok.text) > 400 {
			p.fail(tok.line, tok.col, "the number %s", tok)
		}
		v.Kind, v.Int = IntConstant, signed(n, t.Bits)
		return v
	case floatToken:
		p.advance()
		if t.Kind != Float {
			p.fail(tok.line, tok.col, "the number %s as %s", tok, t)
		}
		v.Kind, v.Name = FloatConstant, tok.text
		return v
	case charsToken:
		p.advance()
		v.Kind, v.Name = Bytes, tok.text
		return v
	case punctToken:
		switch tok.text {
		case "[":
			p.advance()
			p.elements(v, "]", where)
			return v
		case "{":
			p.advance()
			p.elements(v, "}", where)
			return v
		case "<":
			p.advance()
			if p.eat("{") {
				p.elements(v, "}", where)
				p.expect(">", where)
			} else {
				p.elements(v, ">", where)
			}
			return v
		}
	case wordToken:
		p.advance()
		switch tok.text {
		case "true", "false":
			v.Kind, v.Int = IntConstant, big.NewInt(0)
			if tok.text == "true" {
				v.Int = big.NewInt(1)
			}
			return v
		case "null":
			v.Kind = NullPointer
			return v
		case "undef":
			v.Kind = Undef
			return v
		case "poison":
			v.Kind = Poison
			return v
		case "zeroinitializer":
			v.Kind = Zero
			return v
		case "splat":
			p.expect("(", where)
			one := p.typedValue(where)
			p.expect(")", where)
			if t.Kind != Vector {
				p.fail(tok.line, tok.col, "splat of %s", t)
			}
			v.Kind = Aggregate
			for range t.N {
				v.Elems = append(v.Elems, one)
			}
			return v
		case "asm":
			v.Kind = AssemblyText
			for p.tok.kind == wordToken {
				v.Effect = v.Effect || p.tok.text == "sideeffect"
				p.advance()
			}
			v.Name = p.str(where)
			p.expect(",", where)
			v.Requires = p.str(where)
			return v
		// These have no meaning here. They are read, and refused where they are used.
		case "none", "blockaddress", "dso_local_equivalent", "no_cfi", "ptrauth":
			v.Kind, v.Name = Unknown, tok.text
			if p.isPunct("(") {
				p.parenthesised(where)
			} else if tok.text != "none" {
				p.advance()
			}
			return v
		}
		if op, ok := opNames[tok.text]; ok {
			v.Kind, v.Expr = Expression, p.expression(op, t, where)
			return v
		}
		p.fail(tok.line, tok.col, "%s in %s", tok, where)
	}
	p.unexpected(where)
	return nil
}

func (p *parser) elements(v *Value, end, where string) {
	v.Kind = Aggregate
	for !p.eat(end) {
		v.Elems = append(v.Elems, p.typedValue(where))
		if !p.eat(",") && !p.isPunct(end) {
			p.unexpected(where)
		}
	}
	want := v.Type.N
	if v.Type.Kind == Struct {
		want = int64(len(v.Type.Fields))
	}
	if v.Type.Kind != Struct && v.Type.Kind != Array && v.Type.Kind != Vector || int64(len(v.Elems)) != want {
		p.refuse("%d values as %s", len(v.Elems), v.Type)
	}
}

// signed is n as a signed number of so many bits.
func signed(n *big.Int, bits int) *big.Int {
	if bits == 1 {
		return new(big.Int).And(n, big.NewInt(1))
	}
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	r := new(big.Int).Mod(n, m)
	if r.Bit(bits-1) == 1 {
		r.Sub(r, m)
	}
	return r
}

// expression reads a constant expression.
func (p *parser) expression(op Op, t *Type, where string) *Instr {
	i := &Instr{Op: op, Type: t, Line: p.tok.line}
	p.flags(i)
	// Constant expressions have the operands of their instruction in brackets.
	switch {
	case op == GetElementPtr:
		if p.eat("inrange") {
			p.parenthesised(where)
		}
		p.expect("(", where)
		i.Source = p.typ(where)
		for p.eat(",") {
			p.eat("inrange")
			i.Args = append(i.Args, p.typedValue(where))
		}
	case ops[op].form == conversion:
		p.expect("(", where)
		i.Args = append(i.Args, p.typedValue(where))
		p.expect("to", where)
		i.Type = p.typ(where)
	case op == ICmp || op == FCmp:
		i.Pred = p.advance().text
		p.expect("(", where)
		i.Args = append(i.Args, p.typedValue(where))
		p.expect(",", where)
		i.Args = append(i.Args, p.typedValue(where))
	case ops[op].form == binary || op == Select || op == ExtractElement || op == InsertElement || op == ShuffleVector || op == FNeg:
		p.expect("(", where)
		i.Args = append(i.Args, p.typedValue(where))
		for p.eat(",") {
			i.Args = append(i.Args, p.typedValue(where))
		}
	default:
		p.refuse("%s as a constant", op)
	}
	p.expect(")", where)
	return i
}

// flags reads the flags of an instruction; one that it cannot have is refused.
func (p *parser) flags(i *Instr) {
	for p.tok.kind == wordToken {
		f, ok := flagNames[p.tok.text]
		if !ok {
			return
		}
		if ops[i.Op].flags&f == 0 {
			p.refuse("%s with the flag %s", i.Op, p.tok.text)
		}
		i.Flags |= f
		p.advance()
	}
}

// String is a type as LLVM writes it.
func (t *Type) String() string {
	switch t.Kind {
	case Void:
		return "void"
	case Int:
		return fmt.Sprintf("i%d", t.Bits)
	case Pointer:
		if t.Space != 0 {
			return fmt.Sprintf("ptr addrspace(%d)", t.Space)
		}
		return "ptr"
	case Array:
		return fmt.Sprintf("[%d x %s]", t.N, t.Elem)
	case Vector:
		return fmt.Sprintf("<%d x %s>", t.N, t.Elem)
	case FunctionType:
		return "a function type"
	case Label:
		return "label"
	case MetadataType:
		return "metadata"
	}
	if t.Name != "" {
		return t.Name
	}
	return "a structure"
}
