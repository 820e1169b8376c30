package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/config"
)

// TestSizes: lists of defines and arguments belong together, value by value.
func TestSizes(t *testing.T) {
	for _, c := range []struct{ table, want string }{
		{"arguments = { n = 5 }\ndefines = { A = 2 }", "[[] map[A:2] map[n:5]]"},
		{"arguments = { n = [5] }", "[[] map[] map[n:5]]"},
		{"arguments = { n = [5, 6], m = 7 }\ndefines = { N = [8, 9] }", "[[{n 5} {N 8}] map[N:8] map[m:7 n:5]] [[{n 6} {N 9}] map[N:9] map[m:7 n:6]]"},
		{"[defines]\nN = [8, 9]\n[arguments]\nn = [5, 6]", "[[{N 8} {n 5}] map[N:8] map[n:5]] [[{N 9} {n 6}] map[N:9] map[n:6]]"},
		{"arguments = { n = [5, 6] }\ndefines = { N = [1, 2, 3] }", "k.toml:2: N has 3 values, and n has 2: the lists of sizes belong together, value by value"},
		{"arguments = { n = [5, 5] }", "k.toml:1: n has the size 5 twice"},
		{"arguments = { n = [5, 6] }\ndefines = { n = 1 }", "k.toml:1: n is both a define and an argument"},
		{"arguments = { n = [] }", "a list of sizes needs a value"},
		{"arguments = { n = [1.5] }", "neither an integer nor a list of integers"},
		{"arguments = { n = \"5\" }", "the text \"5\" is neither an integer nor a list of integers"},
	} {
		table, err := config.ParseKernelTable("k.toml", []byte(c.table))
		var got []string
		if err == nil {
			var sizes []*config.SizedTable
			sizes, err = table.Sizes()
			for _, s := range sizes {
				got = append(got, fmt.Sprint([]any{s.Size, s.Defines, s.Arguments}))
			}
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if text := strings.Join(got, " "); !strings.Contains(text, c.want) {
			t.Errorf("%s\n%s, want %s", c.table, text, c.want)
		}
	}
}
