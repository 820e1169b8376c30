package explore

// What has no value stops its evaluation at once: undefined unwinds to the
// innermost try, and nothing in between goes on with a value that is none. So only
// the callers of try, of which there are few, can lose that something has no value.

// noValue unwinds an evaluation.
type noValue struct{ why string }

// undefined ends the evaluation of something that has no value.
func undefined(why string) Value { panic(&noValue{why}) }

// try evaluates p, and says why it has no value; "" if it has one.
func (f *frame) try(p pred) (holds bool, why string) {
	defer func() {
		if r := recover(); r != nil {
			holds, why = false, unwound(r)
		}
	}()
	return p(f), ""
}

// value is try for expressions.
func (f *frame) value(x expr) (v Value, why string) {
	defer func() {
		if r := recover(); r != nil {
			v, why = 0, unwound(r)
		}
	}()
	return x(f), ""
}

// visit is try for searches; what leaf has seen before something has no value, it
// has seen.
func (f *frame) visit(s searcher, leaf cont) (whole bool, why string) {
	defer func() {
		if r := recover(); r != nil {
			whole, why = false, unwound(r)
		}
	}()
	return s(f, leaf), ""
}

// defined is try for all that fn does.
func defined(fn func()) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = unwound(r)
		}
	}()
	fn()
	return ""
}

// unwound returns why there is no value, if that is what a panic is about.
func unwound(r any) string {
	if n, ok := r.(*noValue); ok {
		return n.why
	}
	panic(r)
}
