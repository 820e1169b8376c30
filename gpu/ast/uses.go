package ast

import "slices"

// AsksForGroup reports whether statements ask for the group of a thread.
func AsksForGroup(ss []*Stmt) bool {
	found := false
	Exprs(ss, func(e *Expr) {
		found = found || e.Kind == Name && (e.Name == "blockIdx" || e.Name == "get_group_id" || e.Name == "get_global_id")
	})
	return found
}

// Uncalled are the functions of the device with access to arrays that no kernel calls.
func (u *Unit) Uncalled() (out []*Function) {
	// Calls are followed from the kernels on, each function once, for they may be recursive.
	called := map[string]bool{}
	var body func(ss []*Stmt)
	body = func(ss []*Stmt) {
		Exprs(ss, func(e *Expr) {
			if e.Kind == Call && e.Args[0].Kind == Name && !called[e.Args[0].Name] {
				called[e.Args[0].Name] = true
				for _, f := range u.named(e.Args[0].Name) {
					body(f.Body)
				}
			}
		})
	}
	for _, f := range u.Functions {
		if f.Kernel {
			body(f.Body)
		}
	}
	for _, f := range u.Functions {
		if !f.Kernel && f.Defined && f.Device && !called[f.Name] && slices.ContainsFunc(f.Params, func(p *Decl) bool { return p.Typ.Kind == PointerType }) {
			out = append(out, f)
		}
	}
	return out
}
