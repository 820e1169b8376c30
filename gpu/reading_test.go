package gpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// speller writes random kernels that compute: most of what C has, without anything whose
// value C leaves open. Another compiler says what the variables are in the end.
type speller struct {
	*rand.Rand
	b         strings.Builder
	cuda      bool
	plus      bool // with what C++ has and C has not
	depth     int
	loops     int
	labels    int
	fixed     map[string]bool // variables that statements must not change now
	functions int
	hidden    int
	straight  bool // without loops, behind which less is known of values
}

// takenOrChanged is vi where no number can stand for it.
var takenOrChanged = regexp.MustCompile(`(&|\+\+|--)vi\b|\bvi(\+\+|--| (<<|>>|[-+*/%&|^])?=[^=])`)

var integers = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}

// scalars are the variables that every kernel has, one of each type, and what holds more of them.
var scalars = []string{"vc", "vuc", "vs", "vus", "vi", "vui", "vl", "vul"}

func (m *speller) pick(of ...string) string { return of[m.IntN(len(of))] }

func (m *speller) w(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

func (m *speller) literal() string {
	switch m.IntN(8) {
	case 0:
		return m.pick("0", "1", "2", "3", "7", "8", "31", "32", "127", "128", "255", "256", "-1", "-2", "-128", "32767", "32768", "65535", "65536")
	case 1:
		return m.pick("0x7fffffff", "0x80000000", "0xffffffff", "2147483647", "(-2147483647-1)", "4294967295", "0x100000000", "4294967296", "0x7fffffffffffffff", "0xffffffffffffffff")
	case 2:
		return m.pick("1u", "3u", "4294967295u", "5L", "-1L", "9000000000L", "12345678901ul", "0xffu", "037", "010u")
	case 3:
		return m.pick("'a'", "'0'", "'\\n'", "'\\xff'", "'\\0'", "'\\377'", "'\\\\'")
	case 4:
		return m.pick("E0", "E1", "EM", "LIM", "MASK(3)")
	}
	return strconv.Itoa(m.IntN(20) - 5)
}

// place is something that can be assigned, and has one order with all that value makes.
func (m *speller) place() string {
	for {
		p := m.pick(m.pick(scalars...), m.pick(scalars...), fmt.Sprintf("ar[%d]", m.IntN(4)), fmt.Sprintf("ac[%d]", m.IntN(4)), fmt.Sprintf("ar[(%s) & 3]", m.pick(scalars...)),
			"st.x", "st.c", "st.in.u", fmt.Sprintf("st.in.h[%d]", m.IntN(2)), fmt.Sprintf("sa[%d].c", m.IntN(2)), fmt.Sprintf("sa[%s & 1].x", m.pick("vi", "vuc", "t")), "*pi", "pi[0]", "ps->x", "ps->in.u",
			fmt.Sprintf("dd[%d][%d]", m.IntN(2), m.IntN(3)), "e", "(*pu)", m.lane())
		if !m.fixed[p] && (p != "e" || !m.cuda) { // an enumeration takes no numbers in C++
			return p
		}
	}
}

func (m *speller) lane() string {
	if m.cuda {
		return "w4.x"
	}
	return m.pick("v4.x", "v4.w", "v4.s2", "v4.lo.y", "v4.hi.x", "v4.odd.x", "u4.y", "u4.s3", "c4.x", "c4.z", "v4.wzyx.x", "v3.z", "v3.x", "l2.y")
}

// laneAt takes the address of a lane, which only CUDA has.
func (m *speller) laneAt() string {
	if m.cuda {
		return m.pick("pi = &w4.y;", "pi = &w4.z;", "pi = &tw[t & 3].z;")
	}
	return "pi = &dd[1][1];"
}

func (m *speller) value(depth int) string {
	if depth <= 0 {
		switch m.IntN(4) {
		case 0:
			return m.literal()
		case 1:
			return m.pick("t", "n", "m", "g", "bo", "gid")
		}
		return m.place()
	}
	x := func() string { return m.value(depth - 1) }
	switch m.IntN(24) {
	case 0:
		return fmt.Sprintf("(%s(%s))", m.pick("-", "~", "!", "+"), x())
	case 1, 2, 3, 4:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("+", "-", "*", "&", "|", "^"), x())
	case 5, 6:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("==", "!=", "<", "<=", ">", ">="), x())
	case 7:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("&&", "||"), x())
	case 8:
		return fmt.Sprintf("(%s %s ((%s & 7) + 1))", x(), m.pick("/", "%"), x())
	case 9:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("/", "%"), m.pick("3", "-3", "7u", "16", "2L", "-5L", "100"))
	case 10:
		return fmt.Sprintf("(%s %s (%s & 7))", x(), m.pick("<<", ">>"), x())
	case 11:
		return fmt.Sprintf("(%s %s %d)", x(), m.pick("<<", ">>"), m.IntN(31))
	case 12:
		return fmt.Sprintf("(%s ? %s : %s)", x(), x(), x())
	case 13:
		return fmt.Sprintf("(%s, %s)", m.place(), x())
	case 14, 15:
		return fmt.Sprintf("((%s)(%s))", m.pick(integers...), x())
	case 16:
		return fmt.Sprintf("((bool)(%s))", x())
	case 17:
		if m.functions == 0 {
			return x()
		}
		return fmt.Sprintf("f%d(%s, %s)", m.IntN(m.functions), x(), x())
	case 18:
		return m.pick(fmt.Sprintf("sizeof(%s)", m.pick("int", "char", "long", "struct S", "ar", "st.in", "vs", "vc + vc", "st", "st.in.h", "dd[1]", "*dd", "*pa", "+vc", "-vs", "~vuc", "!vl", "vc < vl", "vi && t", "ac[0]", "bo", "vul << vc", "n ? vc : vs", "vi++", "sa[1].in.h[0]", "&vi", "ar + 1")), "sizeof(dd)", "(&ar[3] - pa)", "(pa == ar)")
	case 19:
		if m.cuda {
			return fmt.Sprintf("%s(%s, %s)", m.pick("MAX", "umin", "umax"), x(), x())
		}
		t := m.pick("int", "uint", "short", "uchar", "long")
		return fmt.Sprintf("%s((%s)(%s), (%s)(%s))", m.pick("min", "max", "abs_diff"), t, x(), t, x())
	case 20:
		switch {
		case m.plus:
			return m.beyondC(x)
		case m.cuda:
			return m.value(1)
		}
		t := m.pick(integers...)
		return m.pick(fmt.Sprintf("abs((%s)(%s))", t, x()), fmt.Sprintf("convert_%s(%s)", t, x()), fmt.Sprintf("clamp((int)(%s), -3, 9)", x()), fmt.Sprintf("mul24((int)(%s) & 0xfff, 77)", x()), fmt.Sprintf("mad24((int)(%s) & 0xff, 7, (int)(%s))", x(), x()))
	}
	return m.value(0)
}

// beyondC is a value that only C++ can say so.
func (m *speller) beyondC(x func() string) string {
	t := m.pick(integers...)
	return m.pick(
		fmt.Sprintf("%s(%s)", m.pick("int", "short", "word", "char", "long", "bool", "uchar"), x()),
		fmt.Sprintf("static_cast<%s>(%s)", t, x()),
		fmt.Sprintf("twice((%s)(%s))", t, x()),
		fmt.Sprintf("twice<%s>(%s)", t, x()),
		fmt.Sprintf("times<%s, %d>(%s)", t, m.IntN(9)-2, x()),
		fmt.Sprintf("room(%s)", m.pick(x(), x()+" + vc", "ar", "st.c", "'a'", "!vi", "vc < vi", "vi ? vc : vs", "vi ? vc : ac[0]", "vi ? bo : vi < 2", "&vi", "true", "+vc", "~vus", "vuc << 1", "nullptr == pi")),
		fmt.Sprintf("kind(%s)", m.pick("("+m.pick("int", "uint", "long", "char", "bool")+")("+x()+")", "vc + vs", "vi", "vui", "vl", "vc", "vi < vl", "vi + vl", "bo", "bo && vi", "-vc", "ar[1]", "*pu", "vc, 3", "7", "7u", "7L", "'7'", "false")),
		fmt.Sprintf("less(%s, %s)", m.pick("vi", "ar[2]", "vi + 1", "7"), m.pick("vl", "vl - 1", "9L", "(long)(vc)")),
		fmt.Sprintf("less(%s, %s)", m.pick("vc", "vus", x()), m.pick("vs", "vui", x())),
		fmt.Sprintf("inner(%s)", x()), fmt.Sprintf("%s::inner(%s)", "space", x()),
		fmt.Sprintf("added(%s)", x()), fmt.Sprintf("added(%s, %s)", x(), x()))
}

// references are statements with names that stand for others.
func (m *speller) references() {
	switch m.IntN(8) {
	case 0:
		m.w("bump(%s);", m.pick("vi", "ar[1]", "ar[(vuc) & 3]", "st.x", "*pi", "ps->x", "dd[1][2]"))
	case 1:
		m.w("bump(%s, %s);", m.pick("vi", "ar[1]", "st.x", "*pi"), m.value(1))
	case 2:
		m.w("%s;", m.pick("exchange(vi, ar[0])", "exchange(ar[0], ar[vuc & 3])", "exchange(vs, st.in.h[0])", "exchange(sa[0], st)", "exchange(vl, vl)", "exchange<long>(vl, vl)", "exchange(*pi, ps->x)"))
	case 3:
		m.w("{ auto q = %s; vl ^= q; q %s= %s; vi = sizeof(q); vul += q; }", m.value(1), m.pick("+", "-", "*"), m.value(1))
	case 4:
		m.w("{ %s = %s; q += %s; vl ^= q; bump(%s); vi ^= q; }", m.pick("int &q", "auto &q", "auto& q"), m.pick("vi", "ar[vuc & 3]", "st.x", "dd[1][vuc & 1]", "*pi"), m.value(1), m.pick("vi", "ar[2]"))
	case 5:
		m.w("{ const %s& q = %s; vi += 2; vl += q; }", m.pick("auto", "auto", "int"), m.pick("vi", "vi + 1", "ar[2]", "(vi)"))
	case 6:
		m.w("{ auto *q = %s; auto p = %s; *q += 5; vl += *p - *q; }", m.pick("ar", "&vi", "pi", "&st.x", "ar + 1"), m.pick("pi", "ar", "&ar[2]"))
	case 7:
		m.w("if constexpr (sizeof(%s) > 2) { %s = %s; }", m.pick("vi", "vc", "word"), m.place(), m.value(1))
	}
}

// headOfC are functions of C++ that kernels call.
const headOfC = `using word = short;
template <typename T> __device__ T twice(T x) { T y = x; y += x; return y; }
template <typename T, int N> __device__ __forceinline__ T times(const T x) { int many[N + 3]; many[N + 2] = N; return T(x * N + many[N + 2]); }
template <class T> __device__ int room(T x) { return sizeof(T); }
__device__ int kind(int x) { return 1; }
__device__ int kind(uint x) { return 2; }
__device__ int kind(long x) { return 3; }
__device__ int kind(char x) { return 4; }
__device__ int kind(bool x) { return 5 + x; }
__device__ void bump(int &x, int by = (3)) { x += by; }
template <typename T> __device__ void exchange(T &x, T &y) { T z = x; x = y; y = z; }
__device__ bool less(const int &x, const long& y) { return x < y; }
namespace space { __device__ int inner(char x = 'a') { auto y = x + 1; return y; } }
using namespace space;
__device__ long added(int x, uchar y = 250) { return x + y; }
`

func (m *speller) block(n int) {
	m.depth++
	for range n {
		m.statement()
	}
	m.depth--
}

func (m *speller) statement() {
	kind := m.IntN(26)
	if m.plus && m.hidden == 0 && m.IntN(4) == 0 {
		m.references()
		return
	}
	if m.depth > 2 {
		kind = m.IntN(14)
	}
	switch kind {
	case 0, 1, 2, 3:
		m.w("%s = %s;", m.place(), m.value(2))
	case 4, 5:
		m.w("%s %s= %s;", m.place(), m.pick("+", "-", "*", "&", "|", "^"), m.value(1))
	case 6:
		m.w("%s %s= %s;", m.place(), m.pick("<<", ">>"), m.pick("1", "3", "(vi & 7)", "(vuc & 3)"))
	case 7:
		m.w("%s;", m.pick(m.place()+"++", m.place()+"--", "++"+m.place(), "--"+m.place()))
	case 8:
		p := m.pick(scalars...)
		if m.fixed[p] {
			return
		}
		// Each scalar changes once: the result is that of another one.
		q := scalars[(m.IntN(7)+1+indexOf(scalars, p))%8]
		m.w("%s = %s;", q, m.pick("("+p+" = "+m.literal()+")", "("+p+" += "+m.literal()+")", p+"++", "++"+p, p+"--", "("+p+" -= "+m.literal()+") * 2", "("+p+" ^= 5) + 1"))
	case 9:
		m.w("bo = %s;", m.value(2))
	case 10:
		m.w("%s", m.pick("sa[0] = st;", "st = sa[1];", "sa[1] = *ps;", "*ps = sa[0];", "sa[0] = *pt;", "pt = sa;", "pt = sa + 1;", "pt->c++;"))
	case 11:
		if m.hidden > 0 {
			return
		}
		m.w("%s", m.pick("pi = &vi;", "pi = ar + 1;", "pi = &ar[2];", "pi = &st.x;", "pa = ar;", "pa = ar + 2;", "pu = &vui;", "pu = (uint *)&vi;", "pu = &st.in.u;", "pu = (uint *)ar;", m.laneAt()))
	case 12:
		if m.cuda {
			m.w("%s", m.pick("h(&vi, "+m.value(1)+");", "w4.y += w4.x;", "w4 = make_int4(vi, vs, n, t);", "w2.x = vi;", "w2 = make_uchar2(vs, vui);", "w4.w = w2.x << 3;", "vl = w2.y - 2;", "tw[1] = w4;", "w4 = tw[vi & 3];", "tw[t & 1].y = vs;", "*(&tw[2].x + 1) = vi;"))
			return
		}
		m.w("%s", m.pick("v4 = v4 + (int4)(1, 2, 3, 4);", "v4 = (int4)(vi, vs, n, t);", "u4 = convert_uint4(v4);", "v4 = v4.wzyx;", "v4.xy = v4.zw;", "c4 = c4 + (uchar4)(200, 100, 3, 255);", "c4 = c4 << (uchar4)(1, 7, 2, 9);", "v4 = v4 * 3;", "v4 = v4 > (int4)(0, 1, 2, 3);", "l2 = (long2)(vl, -1);", "u4 >>= 3;", "v4.lo = v4.hi;", "v3 = v4.xyz;", "v4 = (int4)(v3, 7);", "v4 = -v4;", "u4 = ~u4;", "v4.x += v4.y;", "c4 = convert_uchar4(v4);", "v4 = convert_int4(c4);", "v4 = (int4)(vc);", "u4 = as_uint4(v4);",
			"v4 = (int4)((vi, vs));", "v3 = (int3)((vc, vi), vs, 3);", "v4 = isequal((float4)(1), (float4)(1, 2, 1, 3));", "v4 = convert_int4(c4 < (uchar4)(3, 200, 1, 0));", "vl = (c4 > (uchar4)(3)).y;", "vl = abs((char)(vi)) - 200;", "vl = max((uchar)(vi), (uchar)(vs)) - 300;", "vl = abs_diff((short)vi, vs) - 70000;", "v4 = v4 == v4.yxwz ? v4 : (int4)(7);"))
	case 13:
		m.w("%s", m.pick("h(&vi, "+m.value(1)+");", "h(&ar[1], vs);", "vi = k2(&st, vc);", "k2(ps, 3);", "h(pi, 4);", "vl = h(&st.x, t);", "rot(ar);"))
	case 14, 15, 16:
		m.w("if (%s) {", m.value(2))
		m.block(1 + m.IntN(2))
		if m.IntN(2) == 0 {
			m.w("} else {")
			m.block(1)
		}
		if m.loops > 0 && m.IntN(3) == 0 {
			m.w("%s;", m.pick("break", "continue"))
		}
		m.w("}")
	case 17:
		m.hidden++
		first := m.value(1)
		for takenOrChanged.MatchString(first) { // it would be the new one
			first = m.value(1)
		}
		first = regexp.MustCompile(`\bvi\b`).ReplaceAllString(first, "(int)sizeof(vi)") // it has no value yet, but a size
		m.w("{ %s vi = %s;", m.pick(integers...), first)                                // which hides another
		if m.hidden == 1 {
			m.w("vl = vi;")
		}
		m.w("vul ^= vi; }")
		m.hidden--
	case 18, 19:
		if m.loops > 1 || m.straight {
			return
		}
		i := fmt.Sprint("i", m.loops)
		m.loops++
		switch m.IntN(3) {
		case 0:
			m.w("for (int %s = %d; %s < %d; %s%s) {", i, m.IntN(2), i, 2+m.IntN(3), i, m.pick("++", "+= 2"))
			m.block(1 + m.IntN(2))
			m.w("vl += %s; }", i)
		case 1:
			m.w("{ uchar %s = %d; do {", i, m.IntN(3))
			m.block(1)
			m.w("} while (%s++ < %d); vs += %s; }", i, 1+m.IntN(3), i)
		case 2:
			m.w("{ uint %s = %d; while (%s--) {", i, m.IntN(4), i)
			m.block(1)
			m.w("} vus = %s; }", i)
		}
		m.loops--
	case 20, 21:
		loops := m.loops
		m.loops = 0
		m.w("switch (%s) {\ncase %d:", m.pick("vi & 3", "vuc", "(char)vi", "vul & 1", "vs % 3", "t"), m.IntN(3))
		m.block(1)
		m.w("%s\ncase %s:", m.pick("break;", ""), m.pick("-1", "E1 + 10", "'a'", "200"))
		m.block(1)
		m.w("%s\ndefault: ;", m.pick("break;", ""))
		m.block(1)
		m.w("}")
		m.loops = loops
	case 22:
		m.labels++
		l := fmt.Sprint("l", m.labels)
		m.w("if (%s) goto %s;", m.value(1), l)
		m.block(1)
		m.w("%s: ;", l)
	case 23:
		if m.cuda {
			m.w("dev[t] = %s; %s = dev[t];", m.value(1), m.pick("vi", "vuc", "vl"))
			return
		}
		m.w("%s", m.pick("sh[t] = "+m.value(1)+"; vi = sh[t];", "shc[t] = "+m.value(1)+"; vi = shc[t];", "((__local uint *)sh)[t] = -1; vl = ((__local uint *)sh)[t];", "sh[t] = -5; vl = ((__local uint *)sh)[t];", "sh[t] = vi; sh[t] += 3; vl = sh[t];", "((__local uchar *)shc)[t] = 200; vi = shc[t];"))
	case 24:
		m.w("%s = tab[(%s) & 3];", m.place(), m.value(1))
	case 25:
		m.w("%s = big[%d];", m.place(), m.IntN(3))
	}
}

func indexOf(of []string, s string) int {
	for i, x := range of {
		if x == s {
			return i
		}
	}
	return -1
}

// results are the expressions whose values are compared.
var results = append([]string{"bo", "e", "ar[0]", "ar[1]", "ar[2]", "ar[3]", "ac[0]", "ac[3]", "st.x", "st.c", "st.in.u", "st.in.h[1]", "sa[0].c", "sa[1].x", "sa[1].in.h[0]", "dd[0][2]", "dd[1][1]", "*pi", "ps->x"}, scalars...)

var lanesOf = []string{"v4.x", "v4.y", "v4.z", "v4.w", "u4.x", "u4.w", "c4.x", "c4.y", "c4.w", "v3.z", "l2.y"}

// spell is the text of a kernel, before and behind what it does with the results.
func spell(seed uint64, cuda, plus bool) (head, body string, outcomes []string) {
	m := &speller{Rand: rand.New(rand.NewPCG(seed, 7)), cuda: cuda, plus: plus, fixed: map[string]bool{}, straight: seed%4 != 3}
	space, priv := "__constant", ""
	if cuda {
		space, priv = "__constant__", "__device__ "
		m.w("typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;")
	}
	m.w("#define LIM 10\n#define MASK(b) ((1 << (b)) - 1)\n#define MAX(x, y) ((x) > (y) ? (x) : (y))")
	m.w("enum E { E0, E1 = %d, EM = %s };", 1+m.IntN(5), m.pick("7", "-2", "100"))
	m.w("struct I { uint u; short h[2]; };\nstruct S { int x; char c; struct I in; };")
	m.w("%s int tab[4] = { %d, %s, 300 };\n%s %s big[3] = { -1, 200, 70000 };", space, m.IntN(9), m.pick("-1", "1 << 20", "'b'"), space, m.pick("uchar", "short", "char", "uint", "long"))
	if cuda {
		m.w("__device__ int dev[64];")
	}
	if plus {
		m.w("%s", headOfC)
	}
	for i := range 2 {
		m.w("%s%s f%d(%s p, %s q) {\n  if (p > %s) return q;\n  %s r = p %s q;\n  return r %s; }", priv, m.pick(integers...), i, m.pick(integers...), m.pick(integers...), m.pick("3", "q", "0u"), m.pick(integers...), m.pick("+", "*", "-", "^"), m.pick("", "+ 1", ">> 1", "- p"))
	}
	m.functions = 2
	m.w("%sint h(int *p, int q) { if (q & 1) { *p = q; return 1; } *p += q; return *p; }", priv)
	m.w("%sint k2(struct S *s, int q) { s->c += q; s->in.h[1] = s->c; struct S o = *s; o.x = 1; return o.x + s->in.u; }", priv)
	m.w("%svoid rot(int *p) { int first = p[0]; p[0] = p[1]; p[1] = p[2]; p[2] = p[3]; p[3] = first; }", priv)
	head = m.b.String()
	m.b.Reset()
	m.w("char vc = 1; uchar vuc = 250; short vs = -3; ushort vus = 65000; int vi = 5; uint vui = 4000000000u; long vl = -1; ulong vul = 3; bool bo = 1; enum E e = E1;")
	m.w("int ar[4] = { 1, -2, 3, 4 }; char ac[4] = { 'x', -1, 3 }; int dd[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };")
	m.w("struct S st = { 1, 2, { 3, { 4, 5 } } }; struct S sa[2]; sa[0] = st; sa[1] = st; sa[1].x = 9; struct S *ps = &st; struct S *pt = &sa[1]; int *pi = &vi; int *pa = ar; uint *pu = &vui;")
	if cuda {
		m.w("int4 tw[4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }; int4 w4 = make_int4(1, 2, -3, 4); uchar2 w2 = make_uchar2(250, 1);")
	} else {
		m.w("int4 v4 = (int4)(1, 2, -3, 4); uint4 u4 = (uint4)(7); uchar4 c4 = (uchar4)(250, 1, 2, 3); int3 v3 = (int3)(1, 2, 3); long2 l2 = (long2)(5, 6);")
	}
	m.block(2 + m.IntN(4))
	if cuda {
		return head, m.b.String(), append([]string{"w4.x", "w4.y", "w4.w", "w2.x", "w2.y", "tw[1].y", "tw[2].z"}, results...)
	}
	return head, m.b.String(), append(append([]string{}, results...), lanesOf...)
}

var dumped = regexp.MustCompile(`out\[(\d+)\] = (-?\d+)`)

const (
	readingN, readingM = 6, 4000000001
	readingThreads     = 2
)

// spelling is how a kernel of one language begins, and what says which values it computes.
type spelling struct {
	file, tool       string
	flags            string // of a group of so many threads
	out, kernel, ids string // the array of results; the kernel with its own parameters; its thread
	values           func(t *testing.T, dir, text string, outcomes int) []int64
	module           func(t *testing.T, dir, file, src string) (ir []byte, o gpu.Options) // of the source, where clang reads it
}

var spellings = []spelling{
	{"k.cl", "oclgrind-kernel", "//--local_size=%d --num_groups=1\n", "__global long *out, ", "__kernel void k(%s__local int *sh, __local char *shc, ", "int t = get_local_id(0); size_t g = get_group_id(0), gid = get_global_id(0);\n", simulated, nil},
	{"k.cu", "g++", "//--blockDim=%d --gridDim=1\n", "long *out, ", "__global__ void k(%s", "int t = threadIdx.x; unsigned g = blockIdx.x, gid = blockIdx.x * blockDim.x + threadIdx.x;\n", compiled, nil},
}

// computed are the values of the outcomes in each thread; nil if there are none.
func (s spelling) computed(t *testing.T, dir, head, body string, outcomes []string) []int64 {
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, s.kernel, s.out)
	fmt.Fprintf(&b, "int n, uint m) {\n%s%s", s.ids, body)
	for i, o := range outcomes {
		fmt.Fprintf(&b, "out[t * %d + %d] = %s;\n", len(outcomes), i, o)
	}
	b.WriteString("}\n")
	return s.values(t, dir, b.String(), readingThreads*len(outcomes))
}

// simulated are the results of a kernel of OpenCL, by oclgrind.
func simulated(t *testing.T, dir, src string, outcomes int) []int64 {
	sim := fmt.Sprintf("k.cl\nk\n%d 1 1\n%d 1 1\n<size=%d long fill=0 dump>\n<size=64>\n<size=64>\n<size=4 int>\n%d\n<size=4 uint>\n%d\n", readingThreads, readingThreads, 8*outcomes, readingN, readingM)
	for name, text := range map[string]string{"k.cl": src, "k.sim": sim} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), fuse)
	defer cancel()
	c := exec.CommandContext(ctx, "oclgrind-kernel", "--uninitialized", "--build-options", "-cl-opt-disable -fwrapv", "k.sim")
	c.Dir = dir
	text, err := c.CombinedOutput()
	out := make([]int64, outcomes)
	found := dumped.FindAllStringSubmatch(string(text), -1)
	if err != nil || len(found) != len(out) || strings.Contains(string(text), "ninitialized") {
		if os.Getenv("KERNEL_READING") != "" {
			t.Logf("no reference: %.300s", text)
		}
		return nil
	}
	for i, f := range found {
		out[i], _ = strconv.ParseInt(f[2], 10, 64)
	}
	return out
}

// asCuda makes C++ of a kernel of CUDA: its threads run one after the other.
const asCuda = `#include <cstdio>
#define __global__
#define __device__
#define __forceinline__ inline
#define __constant__ static const
struct { unsigned x, y, z; } threadIdx, blockIdx, blockDim = {%d, 1, 1}, gridDim = {1, 1, 1};
struct int4 { int x, y, z, w; };
struct uchar2 { unsigned char x, y; };
int4 make_int4(int x, int y, int z, int w) { int4 v = {x, y, z, w}; return v; }
unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
unsigned umax(unsigned x, unsigned y) { return x > y ? x : y; }
uchar2 make_uchar2(unsigned char x, unsigned char y) { uchar2 v = {x, y}; return v; }
%s
long results[%[3]d];
int main() {
	for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
		k(results, %[4]d, %[5]du);
	for (int i = 0; i < %[3]d; i++)
		printf("%%ld\n", results[i]);
}
`

// compiled are the results of a kernel of CUDA, by g++; nil if a division breaks it off.
func compiled(t *testing.T, dir, src string, outcomes int) []int64 {
	path := filepath.Join(dir, "k.cpp")
	if err := os.WriteFile(path, fmt.Appendf(nil, asCuda, readingThreads, src, outcomes, readingN, readingM), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), fuse)
	defer cancel()
	if text, err := exec.CommandContext(ctx, "g++", "-w", "-O0", "-fwrapv", "-fsigned-char", "-fno-strict-aliasing", "-Wno-narrowing", "-o", path+".out", path).CombinedOutput(); err != nil {
		t.Fatalf("g++ refuses the text: %s\n%s", text, src)
	}
	text, err := exec.CommandContext(ctx, path+".out").Output()
	if err != nil {
		return nil
	}
	out := make([]int64, outcomes)
	for i, line := range strings.Fields(string(text)) {
		if out[i], err = strconv.ParseInt(line, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// claims are a kernel with an assertion about each outcome in one thread: that it has its value,
// or has not.
func (s spelling) claims(head, body string, outcomes []string, values []int64, thread int, op string, given int) string {
	var b strings.Builder
	params, first, where, threads := "int n, uint m, ", "", "", readingThreads
	switch given {
	case 0: // numbers, in a group of one thread
		threads = 1
		params, first = "", fmt.Sprintf("int n = %d; uint m = %du;", readingN, readingM)
	case 1: // known from the launch on
		first = fmt.Sprintf("__requires(n == %d); __requires(m == %du);", readingN, readingM)
	case 2: // known where they are asked for
		where = fmt.Sprintf(" && n == %d && m == %du", readingN, readingM)
	}
	fmt.Fprintf(&b, s.flags+"%s", threads, head)
	fmt.Fprintf(&b, s.kernel, "")
	fmt.Fprintf(&b, "%sint q) {\n%s\n%s%s", params, first, s.ids, body)
	fmt.Fprintf(&b, "if (t == %d%s) {\n", thread, where)
	for i, o := range outcomes {
		fmt.Fprintf(&b, "if (q == %d) __assert((long)%s %s %s);\n", i, o, op, longNumber(values[thread*len(outcomes)+i]))
	}
	b.WriteString("}\n}\n")
	return b.String()
}

func longNumber(v int64) string {
	if v == -1<<63 {
		return "(-9223372036854775807L - 1)"
	}
	return fmt.Sprintf("(%dL)", v)
}

// TestReading: what kernels compute is what another compiler makes of them: oclgrind of OpenCL,
// g++ of CUDA. They run random kernels; that a variable has another value than it had there is
// never proved, and that it has this value is never refuted by a run. KERNEL_READING=1000 takes
// so many of each, KERNEL_SEED another beginning.
func TestReading(t *testing.T) {
	for _, s := range spellings {
		t.Run(s.file, func(t *testing.T) {
			if _, err := exec.LookPath(s.tool); err != nil {
				t.Skip(s.tool + " is not installed")
			}
			s.reads(t)
		})
	}
}

// reads compares what random kernels of one language compute.
func (s spelling) reads(t *testing.T) {
	many := corpus.Effort(2, 3, 200)
	if n, err := strconv.Atoi(os.Getenv("KERNEL_READING")); err == nil {
		many = n
	}
	first, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	dir := t.TempDir()
	counts := map[string]int{}
	for seed := first; seed < first+many; seed++ {
		head, body, outcomes := spell(uint64(seed), s.file == "k.cu", s.file == "k.cu" && s.module != nil)
		values := s.computed(t, dir, head, body, outcomes)
		if values == nil {
			counts["no reference"]++
			continue
		}
		given, thread := max(0, seed%5-2), seed%readingThreads
		if given == 0 {
			thread = 0
		}
		for _, op := range []string{"!=", "=="} {
			src := s.claims(head, body, outcomes, values, thread, op, given)
			line := 1 + strings.Count(src[:strings.Index(src, "if (q == 0)")], "\n")
			ctx, cancel := context.WithTimeout(context.Background(), fuse)
			file, text, o := s.file, []byte(src), gpu.Options{}
			if s.module != nil {
				file += ".ll"
				text, o = s.module(t, dir, s.file, src)
			}
			r := gpu.File(ctx, file, text, o)[0]
			cancel()
			counts[op+" "+string(r.Verdict)]++
			if r.Verdict == gpu.Unsupported {
				counts[r.Why]++
			}
			proved := map[int]bool{}
			for _, c := range r.Checks {
				if c.Kind != "assert" {
					continue
				}
				at := c.Line - line
				switch {
				case c.Verdict.Holds() && op == "!=":
					proved[at] = true
				case op == "==" && c.Replayed != "" && c.Line >= line && r.Verdict == gpu.Unsafe:
					t.Errorf("seed %d: a run says that %s is not %d in thread %d\n%s", seed, outcomes[at], values[thread*len(outcomes)+at], thread, src)
				}
			}
			if op == "!=" && r.Verdict == gpu.Safe {
				t.Errorf("seed %d is safe: false\n%s", seed, src)
			}
			for at := range proved {
				if at >= 0 && at < len(outcomes) {
					t.Errorf("seed %d: it is proved that %s is not %d in thread %d\n%s", seed, outcomes[at], values[thread*len(outcomes)+at], thread, src)
				}
			}
		}
	}
	t.Logf("%v", counts)
}
