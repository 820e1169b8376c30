package formula

import

// try evaluates p, and says why it has no value; "" if it has one.
(
	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
)

func (f *Frame) Try(p Pred) (holds bool, why string) {
	defer func() {
		if r := recover(); r != nil {
			holds, why = false, unwind.Why(r)
		}
	}()
	return p(f), ""
}

// Value is try for expressions.
func (f *Frame) Value(x Expr) (v value.Value, why string) {
	defer func() {
		if r := recover(); r != nil {
			v, why = 0, unwind.Why(r)
		}
	}()
	return x(f), ""
}

// Visit is try for searches; what leaf has seen before something has no value, it
// has seen.
func (f *Frame) Visit(s Searcher, leaf Then) (whole bool, why string) {
	defer func() {
		if r := recover(); r != nil {
			whole, why = false, unwind.Why(r)
		}
	}()
	return s(f, leaf), ""
}
