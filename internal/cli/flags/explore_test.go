package flags_test

import (
	"testing"

	"github.com/gradine/gradine/internal/cli/flags"
)

// A search without bounds is bounded in states and memory; who bounds one of them alone is not bounded in the other.
func TestDefaultLimits(t *testing.T) {
	for _, test := range []struct {
		name           string
		given          flags.Explore
		states, memory int
	}{
		{"nothing", flags.Explore{}, 10_000_000, 1024},
		{"states", flags.Explore{MaxStates: 7, Limited: true}, 7, 1024},
		{"no bound on states", flags.Explore{Limited: true}, 0, 1024},
		{"memory", flags.Explore{MaxMemory: 4096}, 0, 4096},
		{"disk", flags.Explore{Disk: "d"}, 0, 1024},
		{"bits", flags.Explore{BitState: 64}, 0, 1024},
	} {
		f := test.given
		f.Settle()
		if f.MaxStates != test.states || f.MaxMemory != test.memory {
			t.Errorf("%s: got %d states and %d MB, want %d and %d", test.name, f.MaxStates, f.MaxMemory, test.states, test.memory)
		}
	}
}
