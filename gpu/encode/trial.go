package encode

import (
	"cmp"

	"github.com/gradine/gradine/gpu/ast"
)

// Trials are launches that are worth a run when a check is neither proved nor refuted:
// two groups, sizes and parameters drawn from the numbers that the kernel itself
// mentions, from their neighbours and their differences.
func (k *Kernel) Trials() (out []map[string]int64) {
	const most = 28
	numbers := k.prog.Numbers()
	var names []string
	for _, p := range k.prog.Params {
		if p.Typ.Kind == ast.IntType {
			names = append(names, p.Term.Name)
		}
	}
	draw := uint64(1)
	for i := range most {
		trial := map[string]int64{}
		for d := range 3 {
			c := "xyz"[d : d+1]
			trial["lsz"+c], trial["ngr"+c] = 1, 1
			if d == 0 {
				trial["lsz"+c], trial["ngr"+c] = []int64{4, 2, 8, 32, 3, 1, 7}[i%7], 2
			}
		}
		if local, groups := k.Launch(); groups[0] != 1 && local[0] < 1<<10 {
			trial["gidx_2"] = 1
		}
		// The first trials give all parameters one number, the others mix them.
		for _, n := range names {
			if i < most/2 {
				trial[n] = numbers[i%len(numbers)]
				continue
			}
			draw = draw*6364136223846793005 + 1442695040888963407
			trial[n] = numbers[int(draw>>33)%len(numbers)]
		}
		out = append(out, trial)
		if local, groups := k.Launch(); len(names) == 0 && local[0] > 0 && groups[0] > 0 {
			break // nothing to choose
		}
	}
	return append(out, k.largest()...)
}

// largest is the end of the largest grid, where numbers of 32 bits overflow that do so nowhere else: none if that is not checked, or
// the number of groups is given.
func (k *Kernel) largest() []map[string]int64 {
	local, groups := k.Launch()
	if !k.prog.Opts.Overflow || groups[0] != 0 {
		return nil
	}
	const most, usual = 1<<31 - 1, 256
	trial := map[string]int64{"lszx": cmp.Or(local[0], usual)}
	trial["ngrx"] = most / trial["lszx"] // launches are smaller, see docs/kernels.md
	trial["gidx_1"], trial["gidx_2"] = trial["ngrx"]-2, trial["ngrx"]-1
	for _, p := range k.prog.Params {
		if p.Typ.Kind == ast.IntType {
			trial[p.Term.Name] = 1<<(min(32, p.Typ.Bits)-1) - 1
		}
	}
	return []map[string]int64{trial}
}
