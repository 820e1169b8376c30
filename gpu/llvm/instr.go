package llvm

import (
	"strconv"

	"github.com/gradine/gradine/gpu/preproc"
)

// body reads the blocks of a function. What is not understood there is its problem alone.
func (p *parser) body(f *Function) {
	if f.unread == nil {
		return
	}
	problem := f.Problem
	func() {
		defer preproc.Catch(&problem)
		defer p.forget()
		p.seek(*f.unread)
		p.function, p.number = f, f.number
		p.blocks(f)
		if p.pos != f.unread.end+1 {
			p.refuse("} here, before function @%s ends", f.Name)
		}
		p.settle()
	}()
	p.function = nil
	if problem == nil {
		problem = p.checked(f)
	}
	if f.Problem == nil {
		f.Problem = problem
	}
	f.unread = nil
}

// blocks reads the blocks of a function, up to its closing brace.
func (p *parser) blocks(f *Function) {
	var b *Block
	begin := func(name string) {
		b = &Block{Name: name}
		f.Blocks = append(f.Blocks, b)
	}
	for {
		switch {
		case p.isPunct("}"):
			return
		case p.tok.kind == labelToken:
			t := p.advance()
			p.numbered(t.text)
			begin(t.text)
			continue
		case p.tok.kind == endOfFile:
			p.unexpected("function @" + f.Name)
		case p.isWord("uselistorder"):
			p.balanced("uselistorder")
			continue
		}
		// A block without a label takes the next number, as values do.
		if b == nil || len(b.Code) > 0 && Terminator(b.Code[len(b.Code)-1].Op) {
			name := strconv.Itoa(p.number)
			p.number++
			begin(name)
		}
		if p.tok.kind == recordToken {
			p.record(b)
			continue
		}
		if p.count++; p.count > p.most {
			p.refuse("more than %d instructions", p.most)
		}
		b.Code = append(b.Code, p.instruction())
	}
}

// Terminator reports whether an instruction ends a block.
func Terminator(o Op) bool {
	switch o {
	case Ret, Br, Switch, IndirectBr, Invoke, CallBr, Resume, CatchSwitch, CatchRet, CleanupRet, Unreachable:
		return true
	}
	return false
}

// checked reports what is wrong with the form of a function: names that are there twice, jumps
// to blocks that are not, uses of values that nothing defines.
func (p *parser) checked(f *Function) *preproc.Problem {
	bad := func(line int, what string) *preproc.Problem {
		return preproc.Refuse(p.file, preproc.Place{Line: line, Col: 1}, what)
	}
	// Later passes rely on this: every jump has a target and every register a definition.
	blocks, values := map[string]*Block{}, map[string]bool{}
	for _, a := range f.Params {
		if values[a.Name] {
			return bad(f.Line, "%"+a.Name+" is there twice")
		}
		values[a.Name] = true
	}
	if len(f.Blocks) == 0 {
		return bad(f.Line, "a function without blocks")
	}
	for _, b := range f.Blocks {
		if blocks[b.Name] != nil {
			return bad(f.Line, "block %"+b.Name+" is there twice")
		}
		blocks[b.Name] = b
		for k, i := range b.Code {
			if Terminator(i.Op) != (k == len(b.Code)-1) {
				return bad(i.Line, "a block that does not end where it says")
			}
			if i.Name != "" {
				if values[i.Name] {
					return bad(i.Line, "%"+i.Name+" is there twice")
				}
				values[i.Name] = true
			}
		}
		if len(b.Code) == 0 {
			return bad(f.Line, "an empty block %"+b.Name)
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.Code {
			for _, to := range i.To {
				if i.Op != Phi && (blocks[to] == nil || blocks[to] == f.Blocks[0]) {
					return bad(i.Line, "a jump to %"+to+", which is no block to jump to")
				}
			}
			ok := true
			i.EachValue(func(v *Value) { ok = ok && (v.Kind != Register || values[v.Name] || v.Type.Kind == Label) })
			if !ok {
				return bad(i.Line, "a value that nothing defines")
			}
		}
	}
	return nil
}

// EachValue visits the operands of an instruction, and those within constants.
func (i *Instr) EachValue(visit func(*Value)) {
	for _, a := range i.Args {
		a.each(visit)
	}
	if i.Callee != nil {
		i.Callee.each(visit)
	}
}

// each visits v, and what lies within it.
func (v *Value) each(visit func(*Value)) {
	visit(v)
	for _, e := range v.Elems {
		e.each(visit)
	}
	if v.Expr != nil {
		v.Expr.EachValue(visit)
	}
}

// instruction reads an instruction.
func (p *parser) instruction() *Instr {
	i := &Instr{Line: p.tok.line}
	if p.tok.kind == localToken {
		i.Name = p.advance().text
		p.expect("=", "an instruction")
	}
	if p.tok.kind != wordToken {
		p.unexpected("an instruction")
	}
	word := p.advance()
	for word.text == "tail" || word.text == "musttail" || word.text == "notail" {
		i.Tail = true
		word = p.advance()
	}
	op, ok := opNames[word.text]
	if !ok && p.tok.kind == endOfFile {
		p.unexpected("an instruction")
	}
	if !ok {
		p.fail(word.line, word.col, "the instruction %s, which is not known", word.text)
	}
	i.Op = op
	p.flags(i)
	switch ops[op].form {
	case refused:
		p.fail(word.line, word.col, "the instruction %s", op)
	case binary:
		a := p.typedValue(op.String())
		p.expect(",", op.String())
		i.Args, i.Type = []*Value{a, p.value(a.Type, op.String())}, a.Type
	case unary:
		a := p.typedValue(op.String())
		i.Args, i.Type = []*Value{a}, a.Type
	case conversion:
		i.Args = []*Value{p.typedValue(op.String())}
		p.expect("to", op.String())
		i.Type = p.typ(op.String())
	default:
		ownForms[op](p, i)
	}
	// Results without a name are numbered in order.
	p.trailer(i)
	switch {
	case i.Type == nil:
		i.Type = simpleTypes["void"]
	case i.Type.Kind != Void && i.Name == "":
		i.Name = strconv.Itoa(p.number)
	}
	if i.Name != "" {
		if i.Type.Kind == Void {
			p.fail(word.line, word.col, "a name for a result that there is not")
		}
		p.numbered(i.Name)
	}
	return i
}

// trailer reads the metadata behind an instruction.
func (p *parser) trailer(i *Instr) {
	for p.isPunct(",") {
		p.advance()
		switch {
		case p.tok.kind == metadataToken:
			p.attach(i)
		case p.eat("align"):
			p.integer("an alignment")
		case i.Op == Alloca && p.eat("addrspace"):
			p.expect("(", "alloca")
			i.Type = pointerType(int(p.integer("alloca")))
			p.expect(")", "alloca")
		default:
			p.unexpected(i.Op.String())
		}
	}
}

func (p *parser) label(i *Instr) {
	p.expect("label", i.Op.String())
	if p.tok.kind != localToken {
		p.unexpected(i.Op.String())
	}
	i.To = append(i.To, p.advance().text)
}

// ownForms read the instructions that have a form of their own.
var ownForms = map[Op]func(*parser, *Instr){
	Ret:            (*parser).ret,
	Br:             (*parser).br,
	Switch:         (*parser).switching,
	Unreachable:    func(*parser, *Instr) {},
	ExtractElement: (*parser).lanes,
	InsertElement:  (*parser).lanes,
	ShuffleVector:  (*parser).lanes,
	Select:         (*parser).lanes,
	ExtractValue:   (*parser).parts,
	InsertValue:    (*parser).parts,
	Alloca:         (*parser).alloca,
	Load:           (*parser).load,
	Store:          (*parser).store,
	Fence:          (*parser).fence,
	CmpXchg:        (*parser).cmpxchg,
	AtomicRMW:      (*parser).atomicrmw,
	GetElementPtr:  (*parser).getelementptr,
	ICmp:           (*parser).compare,
	FCmp:           (*parser).compare,
	Phi:            (*parser).phi,
	Call:           (*parser).call,
}

func (p *parser) ret(i *Instr) {
	where := i.Op.String()
	t := p.typ(where)
	if t.Kind != Void {
		i.Args = []*Value{p.value(t, where)}
	}
}

func (p *parser) br(i *Instr) {
	where := i.Op.String()
	if p.isWord("label") {
		p.label(i)
		return
	}
	i.Args = []*Value{p.typedValue(where)}
	p.expect(",", where)
	p.label(i)
	p.expect(",", where)
	p.label(i)
}

func (p *parser) switching(i *Instr) {
	where := i.Op.String()
	i.Args = []*Value{p.typedValue(where)}
	p.expect(",", where)
	p.label(i)
	p.expect("[", where)
	for !p.eat("]") {
		i.Cases = append(i.Cases, p.typedValue(where))
		p.expect(",", where)
		p.label(i)
	}
}

func (p *parser) lanes(i *Instr) {
	where := i.Op.String()
	i.Args = []*Value{p.typedValue(where)}
	for p.eat(",") {
		if !p.startsType() {
			p.unexpected(where)
		}
		i.Args = append(i.Args, p.typedValue(where))
		if len(i.Args) == map[Op]int{ExtractElement: 2, InsertElement: 3, ShuffleVector: 3, Select: 3}[i.Op] {
			break
		}
	}
	p.resultOf(i)
}

// parts reads extractvalue and insertvalue.
func (p *parser) parts(i *Instr) {
	where := i.Op.String()
	i.Args = []*Value{p.typedValue(where)}
	if i.Op == InsertValue {
		p.expect(",", where)
		i.Args = append(i.Args, p.typedValue(where))
	}
	t := i.Args[0].Type
	for p.isPunct(",") {
		// The metadata behind may follow the last index.
		p.advance()
		if p.tok.kind == metadataToken {
			p.attach(i)
			continue
		}
		k := p.integer(where)
		i.Index = append(i.Index, k)
		switch {
		case t.Kind == Struct && k >= 0 && k < int64(len(t.Fields)):
			t = t.Fields[k]
		case t.Kind == Array && k >= 0 && k < t.N:
			t = t.Elem
		default:
			p.refuse("an index that %s does not have", t)
		}
	}
	i.Type = t
	if i.Op == InsertValue {
		i.Type = i.Args[0].Type
	}
}

// alloca reads alloca.
func (p *parser) alloca(i *Instr) {
	where := i.Op.String()
	if p.eat("inalloca") {
		p.refuse("inalloca")
	}
	i.Source, i.Type = p.typ(where), pointerType(0)
	for p.isPunct(",") {
		p.advance()
		switch {
		case p.startsType():
			i.Args = append(i.Args, p.typedValue(where))
		case p.eat("align"):
			p.integer(where)
		case p.eat("addrspace"):
			p.expect("(", where)
			i.Type = pointerType(int(p.integer(where)))
			p.expect(")", where)
		case p.tok.kind == metadataToken:
			p.attach(i)
		default:
			p.unexpected(where)
		}
	}
}

func (p *parser) load(i *Instr) {
	where := i.Op.String()
	atomic := p.eat("atomic")
	i.Volatile = p.eat("volatile")
	i.Type = p.typ(where)
	p.expect(",", where)
	i.Args = []*Value{p.typedValue(where)}
	p.atomic(i, atomic)
}

func (p *parser) store(i *Instr) {
	where := i.Op.String()
	atomic := p.eat("atomic")
	i.Volatile = p.eat("volatile")
	i.Args = []*Value{p.typedValue(where)}
	p.expect(",", where)
	i.Args = append(i.Args, p.typedValue(where))
	p.atomic(i, atomic)
}

func (p *parser) fence(i *Instr) {
	p.atomic(i, true)
}

func (p *parser) cmpxchg(i *Instr) {
	where := i.Op.String()
	p.eat("weak")
	i.Volatile = p.eat("volatile")
	i.Args = []*Value{p.typedValue(where)}
	for range 2 {
		p.expect(",", where)
		i.Args = append(i.Args, p.typedValue(where))
	}
	p.atomic(i, true)
	p.advance() // the order of a failure
	i.Type = &Type{Kind: Struct, Fields: []*Type{i.Args[1].Type, simpleTypes["i1"]}}
}

func (p *parser) atomicrmw(i *Instr) {
	where := i.Op.String()
	i.Volatile = p.eat("volatile")
	i.Pred = p.advance().text
	if !rmwOperations[i.Pred] {
		p.refuse("atomicrmw %s", i.Pred)
	}
	i.Args = []*Value{p.typedValue(where)}
	p.expect(",", where)
	i.Args = append(i.Args, p.typedValue(where))
	p.atomic(i, true)
	i.Type = i.Args[1].Type
}

// getelementptr reads getelementptr.
func (p *parser) getelementptr(i *Instr) {
	where := i.Op.String()
	i.Source = p.typ(where)
	for p.isPunct(",") {
		p.advance()
		if p.tok.kind == metadataToken {
			p.attach(i)
			continue
		}
		i.Args = append(i.Args, p.typedValue(where))
	}
	if len(i.Args) == 0 {
		p.unexpected(where)
	}
	i.Type = i.Args[0].Type
	for _, a := range i.Args[1:] {
		if a.Type.Kind == Vector {
			i.Type = &Type{Kind: Vector, N: a.Type.N, Elem: i.Args[0].Type}
		}
	}
}

func (p *parser) compare(i *Instr) {
	where := i.Op.String()
	i.Pred = p.advance().text
	if i.Op == ICmp && !icmpPredicates[i.Pred] || i.Op == FCmp && !fcmpPredicates[i.Pred] {
		p.refuse("%s %s", where, i.Pred)
	}
	a := p.typedValue(where)
	p.expect(",", where)
	i.Args = []*Value{a, p.value(a.Type, where)}
	i.Type = simpleTypes["i1"]
	if a.Type.Kind == Vector {
		i.Type = &Type{Kind: Vector, N: a.Type.N, Elem: i.Type}
	}
}

// phi reads phi.
func (p *parser) phi(i *Instr) {
	where := i.Op.String()
	i.Type = p.typ(where)
	for {
		p.expect("[", where)
		i.Args = append(i.Args, p.value(i.Type, where))
		p.expect(",", where)
		if p.tok.kind != localToken {
			p.unexpected(where)
		}
		i.To = append(i.To, p.advance().text)
		p.expect("]", where)
		if !p.isPunct(",") {
			return
		}
		p.advance()
		if p.tok.kind == metadataToken {
			p.attach(i)
			return
		}
	}
}

var (
	rmwOperations  = words("xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin fmaximum fminimum uinc_wrap udec_wrap usub_cond usub_sat")
	icmpPredicates = words("eq ne ugt uge ult ule sgt sge slt sle")
	fcmpPredicates = words("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true")
	orders         = words("unordered monotonic acquire release acq_rel seq_cst")
)

// resultOf is the type of what has it from its operands.
func (p *parser) resultOf(i *Instr) {
	bad := len(i.Args) < 2
	if !bad {
		switch i.Op {
		case ExtractElement:
			bad = i.Args[0].Type.Kind != Vector
			i.Type = i.Args[0].Type.Elem
		case InsertElement:
			bad = len(i.Args) != 3 || i.Args[0].Type.Kind != Vector
			i.Type = i.Args[0].Type
		case ShuffleVector:
			bad = len(i.Args) != 3 || i.Args[0].Type.Kind != Vector || i.Args[2].Type.Kind != Vector
			if !bad {
				i.Type = &Type{Kind: Vector, N: i.Args[2].Type.N, Elem: i.Args[0].Type.Elem}
			}
		case Select:
			bad = len(i.Args) != 3
			i.Type = i.Args[1].Type
		}
	}
	if bad {
		p.refuse("%s with these operands", i.Op)
	}
}

// atomic reads the scope and the order of an atomic access.
func (p *parser) atomic(i *Instr, atomic bool) {
	if !atomic {
		return
	}
	if p.eat("syncscope") {
		p.expect("(", "syncscope")
		i.Scope = p.str("syncscope")
		p.expect(")", "syncscope")
	}
	if !orders[p.tok.text] {
		p.unexpected(i.Op.String())
	}
	i.Order = p.advance().text
}

// call reads a call, with the attributes of its result, its arguments and itself.
func (p *parser) call(i *Instr) {
	const where = "call"
	for p.tok.kind == wordToken && conventions[p.tok.text] {
		p.advance()
	}
	if p.isWord("cc") {
		p.refuse("a calling convention by number")
	}
	var ret Attributes
	for p.startsAttribute() {
		if p.tok.text == "addrspace" {
			p.advance()
			p.parenthesised(where)
			continue
		}
		p.attribute(&ret, where)
	}
	t := p.typ(where)
	i.Source = t
	i.Type = t
	if t.Kind == FunctionType {
		i.Type = t.Ret
	}
	i.Callee = p.value(pointerType(0), where)
	p.expect("(", where)
	for !p.eat(")") {
		var a Attributes
		at := p.typ(where)
		for at.Kind != MetadataType && p.startsAttribute() && !p.startsConstant() {
			p.attribute(&a, where)
		}
		if a.odd != "" {
			p.refuse("attribute %s of an argument", a.odd)
		}
		i.Args = append(i.Args, p.value(at, where))
		i.Given = append(i.Given, a)
		if !p.eat(",") && !p.isPunct(")") {
			p.unexpected(where)
		}
	}
	for p.startsAttribute() && !p.startsInstruction() {
		p.attribute(&i.Attrs, where)
	}
	p.resolve(&i.Attrs)
	if p.eat("[") { // operand bundles
		for !p.eat("]") {
			if p.tok.kind == endOfFile {
				p.unexpected(where)
			}
			if p.tok.kind == stringToken && p.tok.text != "align" && p.tok.text != "nonnull" && p.tok.text != "convergencectrl" && p.tok.text != "noundef" && p.tok.text != "dereferenceable" {
				p.refuse("the operand bundle %s", p.tok)
			}
			p.advance()
		}
	}
}

// startsInstruction reports whether a word begins an instruction, and is no attribute of the one before.
func (p *parser) startsInstruction() bool {
	_, ok := opNames[p.tok.text]
	return p.tok.kind == wordToken && (ok || p.tok.text == "tail" || p.tok.text == "musttail" || p.tok.text == "notail")
}

// startsConstant reports whether a word begins an operand, and no attribute.
func (p *parser) startsConstant() bool {
	switch p.tok.text {
	case "true", "false", "null", "undef", "poison", "zeroinitializer", "splat", "asm", "none", "blockaddress", "dso_local_equivalent", "no_cfi", "ptrauth":
		return p.tok.kind == wordToken
	}
	_, ok := opNames[p.tok.text]
	return ok && p.tok.kind == wordToken
}

// record reads a debug record, which LLVM 19 writes in place of calls of llvm.dbg: #dbg_declare(…) and #dbg_value(…) say
// where a variable of the source is. Other records say nothing about that and are skipped.
func (p *parser) record(b *Block) {
	t := p.advance()
	p.expect("(", "a debug record")
	if t.text != "dbg_declare" && t.text != "dbg_value" {
		// Brackets are counted, because records may contain expressions.
		for depth := 1; depth > 0; {
			switch {
			case p.tok.kind == endOfFile:
				p.unexpected("a debug record")
			case p.isPunct("("):
				depth++
			case p.isPunct(")"):
				depth--
			}
			p.advance()
		}
		return
	}
	r := &DebugRecord{Declare: t.text == "dbg_declare", Before: len(b.Code)}
	if p.tok.kind == metadataToken || p.isPunct("!") {
		p.metadata()
	} else {
		r.Value = p.typedValue("a debug record")
	}
	p.expect(",", "a debug record")
	r.Variable = p.metadata()
	for p.eat(",") {
		p.metadata()
	}
	p.expect(")", "a debug record")
	if r.Value != nil {
		b.Debug = append(b.Debug, r)
	}
}

// attach reads metadata behind an instruction.
func (p *parser) attach(i *Instr) {
	a := p.attachment()
	if a.Kind == "dbg" {
		i.Debug = a.Node
		return
	}
	i.Meta = append(i.Meta, a)
}
