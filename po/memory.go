package po

import (
	"errors"
	"slices"

	"github.com/gradine/gradine/lang/model"
)

// Memory makes the obligations of a project again and again, and makes only those of components that are not the same values
// as before: see check.Memory. The zero Memory remembers nothing. It is for one goroutine at a time.
type Memory struct {
	// Made is how many obligations the last call of All has made.
	Made int

	kept map[model.Component]kept
}

// kept are the obligations of a component.
type kept struct {
	opts        Options
	obligations []*Obligation
}

// All is the function All. What is kept is of dev, too, but in the bank of the development that it was made for, which dev extends.
func (m *Memory) All(dev *model.Development, opts map[string]Options) ([]*Obligation, error) {
	components := dev.Components()
	missing := slices.DeleteFunc(slices.Clone(components), func(c model.Component) bool {
		x, ok := m.kept[c]
		return ok && x.opts.same(opts[c.Name()])
	})
	results, faults, err := each(dev, missing, opts)
	if err != nil {
		return nil, err
	}
	made := map[model.Component]kept{}
	m.Made = 0
	for i, c := range missing {
		m.Made += len(results[i])
		if faults[i] == nil {
			made[c] = kept{opts[c.Name()], results[i]}
		}
	}
	var out []*Obligation
	for _, c := range components {
		x, ok := made[c]
		if !ok && !slices.Contains(missing, c) {
			x = m.kept[c].of(dev)
			made[c] = x
		}
		out = append(out, x.obligations...)
	}
	m.kept = made
	return out, errors.Join(faults...)
}

// same reports whether both ask for the same. Claims are read for one development, and are not compared.
func (x Options) same(y Options) bool {
	return x.DeadlockFree == y.DeadlockFree && slices.Equal(x.Enabled, y.Enabled) && len(x.LeadsTo)+len(y.LeadsTo) == 0
}

// of returns the same obligations as those of another development, which others may still look at.
func (x kept) of(dev *model.Development) kept {
	out := make([]*Obligation, len(x.obligations))
	for i, o := range x.obligations {
		again := *o
		again.Development = dev
		out[i] = &again
	}
	return kept{x.opts, out}
}
