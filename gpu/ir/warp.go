package ir

import (
	"regexp"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/preproc"
)

var (
	warpOrder = regexp.MustCompile(`^(__syncwarp|sub_group_barrier)$`)
	warpValue = regexp.MustCompile(`^(__shfl|__reduce_|__any|__all|__ballot|__activemask|__match_any|sub_group_)|sub_group`)
)

// OfWarp reports whether what function n gives depends on the threads of a warp.
func OfWarp(n string) bool { return warpValue.MatchString(n) }

// warpCall is the value of a function of the threads of a warp; nil if n is none. What it
// gives depends on other threads: any value of its type covers that, whoever they are. It
// orders no accesses here, so that what rests on the order of a warp is found to race.
func (l *lowerer) warpCall(n string, args []*ast.Expr, at preproc.Place) *value {
	if warpOrder.MatchString(n) {
		l.Prog.Warps = true
		for _, a := range args {
			l.effect(a)
		}
		return &value{typ: ast.TVoid, parts: []*Term{Number(0)}}
	}
	if !OfWarp(n) || !ast.IsBuiltin(n, l.cuda()) {
		return nil
	}
	l.Prog.Warps = true
	var vs []*value
	for _, a := range args {
		vs = append(vs, l.value(a))
	}
	return l.anyValue(l.resultType(n, vs, at), at)
}

// undeclared refuses a call of what is no function here, with what can be written instead.
func (l *lowerer) undeclared(n string, at preproc.Place) {
	for _, x := range [][2]string{
		{"async_work_group", "asynchronous copies are not read; let the threads of the group copy, and put a barrier behind"},
		{"wait_group_events", "asynchronous copies are not read; let the threads of the group copy, and put a barrier behind"},
		{"work_group_", "functions of a whole group are not read; write it with local memory and barriers"},
		{"read_image", "images are not read; take an array"},
		{"write_image", "images are not read; take an array"},
		{"tex", "textures are not read; take an array"},
		{"surf", "surfaces are not read; take an array"},
		{"__barrier_invariant", "invariants of barriers are not read; write __assert behind the barrier"},
	} {
		if strings.HasPrefix(n, x[0]) {
			l.fail(at, "%s: %s", n, x[1])
		}
	}
	l.fail(at, "function %s, which is not declared; give it a body, or a prototype if it cannot write", n)
}
