package encode

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interp"
	"github.com/gradine/gradine/gpu/ir"
)

// Scene is a counterexample in the words of the source: which two threads, of which launch, and
// what they hold where the path that fails begins.
type Scene struct {
	Threads    [2]Thread `json:"threads"`
	Launch     []Value   `json:"launch,omitempty"`     // sizes, as the host says them
	Parameters []Value   `json:"parameters,omitempty"` // of the kernel
	Offset     string    `json:"offset,omitempty"`     // of the access that the first thread has made
}

// Thread is one of the two: its ids by dimension, those of its group, and its variables.
type Thread struct {
	Id        [3]string `json:"id"`
	Group     [3]string `json:"group"`
	Variables []Value   `json:"variables,omitempty"`
}

// Value is what something has in a scene.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Scene tells what the constants and variables of a model stand for. What they do not mention
// may be anything; ids are then 0.
func (k *Kernel) Scene(constants, state map[string]string) *Scene {
	s := &Scene{}
	local, groups := k.Launch()
	for d := range 3 {
		thread, group := ir.Symbol{Of: ir.OfThread, Dim: d}.Name(), ir.Symbol{Of: ir.OfGroup, Dim: d}.Name()
		for t, of := range []string{"_1", "_2"} {
			s.Threads[t].Id[d] = cmp.Or(constants[thread+of], "0")
			s.Threads[t].Group[d] = cmp.Or(constants[group+of], constants[group], "0")
		}
		for _, size := range []ir.Symbol{{Of: ir.GroupThread, Dim: d}, {Of: ir.GridGroups, Dim: d}} {
			fixed := local[d]
			if size.Of == ir.GridGroups {
				fixed = groups[d]
			}
			if v := constants[size.Name()]; fixed == 0 && v != "" {
				s.Launch = append(s.Launch, Value{k.sizeName(size), v})
			}
		}
	}
	for _, p := range k.prog.Params {
		if v := constants[p.Term.Name]; v != "" {
			s.Parameters = append(s.Parameters, Value{p.Name, v})
		}
	}
	logged := cmp.Or(state["site"], "0") != "0"
	if logged {
		s.Offset = state["off"]
	}
	for _, v := range k.prog.Vars {
		if v.Ghost {
			continue
		}
		first := state[v.Name+"_1"]
		if r := state["r_"+v.Name]; logged && r != "" {
			first = r // what it had before it went to the access
		}
		for t, value := range []string{first, state[v.Name+"_2"]} {
			if value != "" {
				s.Threads[t].Variables = append(s.Threads[t].Variables, Value{v.Name, value})
			}
		}
	}
	return s
}

// OrderedByAtomics is why a run does not decide on two accesses.
const OrderedByAtomics = interp.OrderedByAtomics

// Ran tells of a run that has shown a fault, nil if that is of no thread: the launch and parameters it was given are those of the model
// by their names. A fault of one thread is of that one twice.
func (k *Kernel) Ran(fault *interp.Fault, local, groups [3]int64, values map[string]int64) *Scene {
	if len(fault.Threads) == 0 {
		return nil
	}
	s := &Scene{Offset: strings.Replace(fault.Offset, "-", "−", 1)}
	for t := range s.Threads {
		of := fault.Threads[min(t, len(fault.Threads)-1)]
		for d := range 3 {
			s.Threads[t].Id[d], s.Threads[t].Group[d] = fmt.Sprint(of.Id[d]), fmt.Sprint(of.Group[d])
		}
	}
	fixedLocal, fixedGroups := k.Launch()
	for d := range 3 {
		if fixedLocal[d] == 0 && (d == 0 || local[d] > 1) {
			s.Launch = append(s.Launch, Value{k.sizeName(ir.Symbol{Of: ir.GroupThread, Dim: d}), fmt.Sprint(local[d])})
		}
		if fixedGroups[d] == 0 && (d == 0 || groups[d] > 1) {
			s.Launch = append(s.Launch, Value{k.sizeName(ir.Symbol{Of: ir.GridGroups, Dim: d}), fmt.Sprint(groups[d])})
		}
	}
	for _, p := range k.prog.Params {
		if n, ok := values[p.Term.Name]; ok && p.Typ.Kind == ast.IntType {
			s.Parameters = append(s.Parameters, Value{p.Name, strings.Replace(fmt.Sprint(n), "-", "−", 1)})
		}
	}
	return s
}

func (k *Kernel) cuda() bool { return filepath.Ext(k.File) == ".cu" }

// sizeName is what the host calls a size of a dimension.
func (k *Kernel) sizeName(s ir.Symbol) string {
	if k.cuda() {
		return map[ir.Quantity]string{ir.GroupThread: "blockDim.", ir.GridGroups: "gridDim."}[s.Of] + "xyz"[s.Dim:s.Dim+1]
	}
	return map[ir.Quantity]string{ir.GroupThread: "local_size", ir.GridGroups: "num_groups"}[s.Of] + "[" + "012"[s.Dim:s.Dim+1] + "]"
}
