package llvm

import (
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// Place is where in the source an instruction stands; ok says whether that is known. What was
// inlined stands where its own text is.
func (i *Instr) Place() (at Place, ok bool) { return placeOf(i.Debug) }

func placeOf(n *Metadata) (Place, bool) {
	line := n.Field("line").Number()
	if line <= 0 {
		return Place{}, false
	}
	out := Place{Place: preproc.Place{Line: int(line), Col: max(1, int(n.Field("column").Number()))}}
	for s, k := n.Field("scope"), 0; s != nil && k < 100; s, k = s.Field("scope"), k+1 {
		if f := s.Field("file"); f != nil {
			out.File = f.Field("filename").String()
			break
		}
	}
	return out, true
}

// At is where in the source a function begins; ok says whether that is known.
func (f *Function) At() (at Place, ok bool) {
	n := Attached(f.Meta, "dbg")
	if line := n.Field("line").Number(); line > 0 {
		return Place{preproc.Place{Line: int(line), Col: 1}, n.Field("file").Field("filename").String()}, true
	}
	return Place{}, false
}

// SourceName is the name of a function as its source has it.
func (f *Function) SourceName() string {
	if n := Attached(f.Meta, "dbg").Field("name").String(); n != "" {
		return n
	}
	return f.Name
}

// Variable is what the source says of a variable or parameter.
type Variable struct {
	Name   string
	Type   *Metadata // DIBasicType and its kin, nil if it is not known
	Number int       // of a parameter, from 1; 0 of other variables
}

func variable(n *Metadata) Variable {
	return Variable{Name: n.Field("name").String(), Type: n.Field("type"), Number: int(n.Field("arg").Number())}
}

// Source is which variable of the source a debug record speaks of.
func (r *DebugRecord) Source() Variable { return variable(r.Variable) }

// Source is which variable of the source a variable of the module is; ok says whether that is known.
func (g *Global) Source() (v Variable, ok bool) {
	n := Attached(g.Meta, "dbg")
	if n == nil {
		return v, false
	}
	if inner := n.Field("var"); inner != nil {
		n = inner
	}
	return variable(n), n.Field("name") != nil
}

// Declared is the variable that a call of llvm.dbg.declare or llvm.dbg.value speaks of, nil of other
// instructions.
func (i *Instr) Declared() *DebugRecord {
	if i.Op != Call || i.Callee.Kind != GlobalName || len(i.Args) < 2 || i.Args[0].Kind != MetadataValue {
		return nil
	}
	if i.Callee.Name != "llvm.dbg.declare" && i.Callee.Name != "llvm.dbg.value" {
		return nil
	}
	return &DebugRecord{Declare: i.Callee.Name == "llvm.dbg.declare", Value: i.Args[0].Metadata.Value, Variable: i.Args[1].Metadata}
}

// Unsigned reports whether the source says that numbers of a type have no sign; known says whether
// it says anything.
func Unsigned(t *Metadata) (unsigned, known bool) {
	for k := 0; t != nil && k < 100; k++ {
		switch t.Name {
		case "DIBasicType":
			switch t.Field("encoding").String() {
			case "DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_boolean":
				return true, true
			case "DW_ATE_signed", "DW_ATE_signed_char":
				return false, true
			}
			return false, false
		case "DICompositeType":
			if t.Field("tag").String() != "DW_TAG_array_type" && t.Field("tag").String() != "DW_TAG_enumeration_type" {
				return false, false
			}
		case "DIDerivedType":
			switch t.Field("tag").String() {
			case "DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type", "DW_TAG_member":
			default:
				return false, false
			}
		}
		t = t.Field("baseType")
	}
	return false, false
}

// Pointee is what the source says that a pointer of a type points at, nil if it says nothing.
func Pointee(t *Metadata) *Metadata {
	for k := 0; t != nil && k < 100; k++ {
		if tag := t.Field("tag").String(); tag == "DW_TAG_pointer_type" || tag == "DW_TAG_reference_type" {
			return t.Field("baseType")
		}
		t = t.Field("baseType")
	}
	return nil
}

// IsKernel reports whether a function is called from the host.
func (m *Module) IsKernel(f *Function) bool {
	if kernelCC[f.CC] {
		return true
	}
	for _, n := range m.Named("nvvm.annotations") {
		if len(n.Elems) < 3 || n.Elems[0].Value == nil || n.Elems[0].Value.Name != f.Name {
			continue
		}
		for k := 1; k+1 < len(n.Elems); k += 2 {
			if n.Elems[k].Text == "kernel" {
				return true
			}
		}
	}
	return f.Attrs.Has("nvvm.kernel")
}

// Promise is what a source says of the launches of a kernel: how many threads a block has at most, and how many blocks of
// that size a multiprocessor has room for; 0 where it does not say it.
type Promise struct {
	Threads, Blocks int64
}

// Promise is that of a kernel, of __launch_bounds__.
func (m *Module) Promise(f *Function) (out Promise) {
	threads, said := int64(1), false
	for _, n := range m.Named("nvvm.annotations") {
		if len(n.Elems) < 3 || n.Elems[0].Value == nil || n.Elems[0].Value.Name != f.Name {
			continue
		}
		for k := 1; k+1 < len(n.Elems); k += 2 {
			v := n.Elems[k+1].Value
			if v == nil || v.Int == nil || !v.Int.IsInt64() {
				continue
			}
			switch n.Elems[k].Text {
			case "maxntidx", "maxntidy", "maxntidz":
				threads, said = threads*v.Int.Int64(), true
			case "minctasm":
				out.Blocks = v.Int.Int64()
			}
		}
	}
	if sizes, ok := f.Attrs.Words["nvvm.maxntid"]; ok { // of newer versions
		threads, said = 1, true
		for size := range strings.SplitSeq(sizes, ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(size), 10, 64)
			if said = said && err == nil; said {
				threads *= n
			}
		}
	}
	if n, err := strconv.ParseInt(f.Attrs.Words["nvvm.minctasm"], 10, 64); err == nil {
		out.Blocks = n
	}
	if _, most, ok := strings.Cut(f.Attrs.Words["amdgpu-flat-work-group-size"], ","); ok {
		if n, err := strconv.ParseInt(most, 10, 64); err == nil {
			threads, said = n, true
		}
	}
	if said {
		out.Threads = threads
	}
	return out
}

// GroupSize is the size of groups that a kernel is compiled for, 0 where it does not say one.
func (f *Function) GroupSize() (out [3]int64) {
	n := Attached(f.Meta, "reqd_work_group_size")
	for d := range out {
		if n != nil && d < len(n.Elems) && n.Elems[d].Value != nil && n.Elems[d].Value.Int != nil && n.Elems[d].Value.Int.IsInt64() {
			out[d] = n.Elems[d].Value.Int.Int64()
		}
	}
	return out
}

// ParamName is the name of parameter k, as the source has it where the module says that.
func (f *Function) ParamName(k int) string { return f.ParamSource(k).Name }

// ParamSource is what the source says of parameter k.
func (f *Function) ParamSource(k int) Variable {
	for _, b := range f.Blocks {
		for _, i := range b.Code {
			if d := i.Declared(); d != nil && d.Source().Number == k+1 {
				return d.Source()
			}
		}
		for _, d := range b.Debug {
			if d.Source().Number == k+1 {
				return d.Source()
			}
		}
	}
	name := f.Params[k].Name
	if strings.Trim(name, "0123456789") == "" {
		name = "arg" + name
	}
	return Variable{Name: name}
}

// LeafName is the name of a scalar of parameter k, the number j of so many, which begins at an offset.
func (f *Function) LeafName(k, j, of int, at int64) string {
	v := f.ParamSource(k)
	if n := memberName(v.Type, at); n != "" {
		return v.Name + "." + n
	}
	if of > 1 {
		return v.Name + "_" + strconv.Itoa(j)
	}
	return v.Name
}

// memberName is how the source names the scalar at an offset of a structure, "" if that is not known.
func memberName(t *Metadata, at int64) string {
	for k := 0; t != nil && k < 100; k++ {
		switch t.Field("tag").String() {
		case "DW_TAG_typedef", "DW_TAG_const_type":
			t = t.Field("baseType")
			continue
		case "DW_TAG_structure_type", "DW_TAG_class_type":
			if elements := t.Field("elements"); elements != nil {
				for _, e := range elements.Elems {
					if e.Field("tag").String() == "DW_TAG_member" && e.Field("offset").Number() == 8*at && e.Field("size").Number() <= 64 {
						return e.Field("name").String()
					}
				}
			}
		}
		return ""
	}
	return ""
}
