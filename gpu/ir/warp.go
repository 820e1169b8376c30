package ir

import (
	"regexp"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/preproc"
)

var (
	warpOrder = regexp.MustCompile(`^(__syncwarp|sub_group_barrier)$`)
	warpFirst = regexp.MustCompile(`^(__shfl(_up|_down|_xor)?|sub_group_(reduce|scan_inclusive|scan_exclusive)_(add|min|max)|sub_group_broadcast)$`)
	warpNext  = regexp.MustCompile(`^(__shfl(_up|_down|_xor)?_sync|__reduce_(add|min|max|and|or|xor)_sync)$`)
	warpVote  = regexp.MustCompile(`^(__(any|all)(_sync)?|sub_group_(any|all))$`)
	warpMask  = regexp.MustCompile(`^(__ballot(_sync)?|__activemask|__match_any_sync|get_(max_|enqueued_)?(num_)?sub_groups?(_size|_id|_local_id)?)$`)
)

// warpCall is the value of a function of the threads of a warp; nil if n is none. What it
// gives depends on other threads: any value of its type covers that, whoever they are. It
// orders no accesses here, so that what rests on the order of a warp is found to race.
func (l *lowerer) warpCall(n string, args []*ast.Expr, at preproc.Place) *value {
	var t *ast.Ctype
	of := -1 // the argument whose type the value has
	switch {
	case warpOrder.MatchString(n):
		t = ast.TVoid
	case warpFirst.MatchString(n):
		of = 0
	case warpNext.MatchString(n):
		of = 1
	case warpVote.MatchString(n):
		t = ast.TInt
	case warpMask.MatchString(n):
		t = ast.TUint
	default:
		return nil
	}
	l.prog.Warps = true
	for i, a := range args {
		if t == ast.TVoid {
			l.effect(a)
		} else if v := l.value(a); i == of {
			t = v.typ
		}
	}
	switch {
	case t == nil:
		l.fail(at, "%s with %d arguments", n, len(args))
	case t == ast.TVoid:
		return &value{typ: t, parts: []*Term{Number(0)}}
	}
	return l.anyValue(t, at)
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
