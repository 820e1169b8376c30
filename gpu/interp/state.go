package interp

import (
	"fmt"
	"math"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/preproc"
)

// runner runs one program.
type runner struct {
	u        *ast.Unit
	globals  map[*ast.Decl]*object // see lasting
	scopes   []map[string]*object
	names    map[string]int64 // of unknown values
	t        *thread
	local    [3]int64
	groups   [3]int64
	shared   map[*ast.Decl]*object // of the group that runs
	fuel     int
	objects  int
	launches []Launch
	returned *result
	way      []int // calls and rounds of loops that the thread is in, by line, column and number
	fill     bool  // arrays are 0 unless set
	depth    int
	number   int // of the launch
	use      *use
	only     map[[3]int64]bool // groups that run; nil: all
	sample   uint64            // inputs are drawn from it; 0: they are not known
	ordered  bool              // one order of atomic operations is followed
	checks   Checks
}

// thread is one thread of a launch.
type thread struct {
	id, group int
	lid, gid  [3]int64
	epochs    [2]int // local, global
	stop      func(barrierAt) bool
}

// barrierAt is where a thread waits: at a barrier, and by which calls and in which rounds of loops it came there. All
// threads of a group have to come the same way.
type barrierAt struct {
	at  preproc.Place
	way string
}

// Fault is what a run has found.
type Fault struct {
	Kind      string
	Line, Col int
	Why       string
	Threads   []Ids // that the run shows it of: one, two, or none on a host
	Offset    string
}

// Ids are those of a thread, and of its group.
type Ids struct{ Id, Group [3]int64 }

func (t *thread) ids() Ids { return Ids{t.lid, t.gid} }

// halt ends a run.
type halt struct{ fault Fault }

// undecided ends a run that depends on what is not known.
type undecided struct {
	at  preproc.Place
	why string
}

type exited struct{}

// Launch is a launch of a kernel by a host program.
type Launch struct {
	Kernel        string
	Local, Groups [3]int64
	Arguments     []string // of parameters other than arrays; "" if not known
}

// Checks are what is a fault on request.
type Checks struct {
	Overflow bool // of signed numbers
	NoBenign bool // two writes of one value to one place

	// What is no fault, because it is not checked.
	NoRaces   bool // of two threads
	NoBetween bool // of threads of different groups
	NoAsserts bool // assertions
}

const runFuel = 8_000_000

func (r *runner) undecided(at preproc.Place, format string, args ...any) {
	panic(&undecided{at, fmt.Sprintf(format, args...)})
}

func (r *runner) fault(kind string, at preproc.Place, format string, args ...any) {
	f := Fault{Kind: kind, Line: at.Line, Col: at.Col, Why: fmt.Sprintf(format, args...)}
	if r.t != nil {
		f.Threads = []Ids{r.t.ids()}
	}
	panic(&halt{f})
}

// faultOf is a fault of two threads.
func (r *runner) faultOf(one, two *thread, offset, kind string, at preproc.Place, format string, args ...any) {
	panic(&halt{Fault{kind, at.Line, at.Col, fmt.Sprintf(format, args...), []Ids{one.ids(), two.ids()}, offset}})
}

type abandoned struct{}

// object is a variable or array in memory.
type object struct {
	name    string
	decl    *ast.Decl // of a variable
	typ     *ast.Ctype
	bytes   int64 // of an allocation without type yet
	cells   []scalar
	shared  ast.Space // private: of one thread, or of the host
	seen    map[int64][]touch
	changed map[int64]string // by atomic operations of which class
	during  int              // of which launch the two are
	id      int
	dead    bool
	side    side              // who may use it
	freed   string            // by which function; "" of what is not allocated
	vast    bool              // of a size that is not known: what lies outside is not judged
	outside map[int64]*scalar // cells of such memory that have been asked for
}

// side is who may use memory: what is of the host, kernels must not touch, and the other way round.
type side uint8

const (
	ofBoth side = iota
	ofHost
	ofDevice
)

// ref is a place in memory.
type ref struct {
	o      *object
	off    int64
	typ    *ast.Ctype
	pick   []int64 // lanes of a vector
	beyond bool    // the array that is named with an index
}

// touch is an access to a cell.
type touch struct {
	by            *thread
	when          int // see signals
	thread, group int
	epoch         int
	what          int
	value         scalar
	own           bool // a read of what the thread has itself written since the last barrier
	at            preproc.Place
}

// use is what launches do with the arrays that they are given.
type use struct {
	given, touched, atomics bool
	running                 bool           // a launch, as far as the host knows
	recorded                map[string]int // for each event the launch before it
	products                map[int64]bool // names of values that are products of floats on the device
	device                  []*object      // what is allocated of the device
	signals                 signals
	doubt                   string // why a run without fault is not decided
}

func newUse() *use { return &use{recorded: map[string]int{}, products: map[int64]bool{}} }

// doubt notes what goes well in a run, and need not in another: what the run shows is a fault even so.
func (r *runner) doubt(at preproc.Place, format string, args ...any) {
	if r.use.doubt == "" {
		r.use.doubt = at.Tell(fmt.Sprintf(format, args...))
	}
}

// scalarKind tells what a scalar is.
type scalarKind uint8

const (
	unknownScalar scalarKind = iota
	intScalar
	floatScalar
	pointerScalar
)

// scalar is a number, a pointer, or a value that is not known: then i is its name, so
// that equal values are seen to be equal.
type scalar struct {
	kind scalarKind
	i    int64
	f    float64
	to   *object
	typ  *ast.Ctype // of what a pointer points at
	end  bool       // it is the address of what lies beyond its row
}

// result of an expression.
type result struct {
	typ *ast.Ctype
	c   []scalar
}

func (s scalar) key() string { return fmt.Sprint(s.kind, ",", s.i, ",", s.f) }

func (s scalar) equals(o scalar) bool {
	return s.kind == o.kind && s.i == o.i && math.Float64bits(s.f) == math.Float64bits(o.f) && s.to == o.to // 0 is not −0
}

func intValue(t *ast.Ctype, i int64) result {
	return result{t, []scalar{{kind: intScalar, i: narrow(t, i)}}}
}

// narrow is i as a value of type t.
func narrow(t *ast.Ctype, i int64) int64 {
	switch {
	case t.Kind != ast.IntType || t.Bits >= 64:
		return i
	case t.Bits == 1:
		if i != 0 {
			return 1
		}
		return 0
	case t.Signed:
		return i << (64 - t.Bits) >> (64 - t.Bits)
	}
	return int64(uint64(i) << (64 - t.Bits) >> (64 - t.Bits))
}

func asInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// unknown is the value with a name; the empty name is new each time.
func (r *runner) unknown(name string) scalar {
	if name == "" {
		name = fmt.Sprint("new ", len(r.names))
	}
	n, ok := r.names[name]
	if !ok {
		n = int64(len(r.names) + 1)
		r.names[name] = n
	}
	return scalar{kind: unknownScalar, i: n}
}

func (r *runner) burn(at preproc.Place) {
	if r.fuel--; r.fuel < 0 {
		r.undecided(at, "the budget of steps for runs is exhausted")
	}
}
