package space

import (
	"slices"
	"strings"
	"testing"
)

// Lists of values are read as Python reads them; anything else is refused by name.
func TestValues(t *testing.T) {
	for text, want := range map[string][]int64{
		"[1, 2, 4]":                        {1, 2, 4},
		"[]":                               nil,
		"(1, 2,)":                          {1, 2},
		"list(range(1, 9, 3))":             {1, 4, 7},
		"range(3, 0, -1)":                  {3, 2, 1},
		"[2**i for i in range(0, 4)]":      {1, 2, 4, 8},
		"[1, 2] + list(range(32, 97, 32))": {1, 2, 32, 64, 96},
		"[i for i in range(1, 2+2)]":       {1, 2, 3},
		"[i*i for i in [3, 4] if i % 2]":   {9},
		"[True, False]":                    {1, 0},
		"[-2, 0x10]":                       {-2, 16},
	} {
		if got, err := Values(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"numpy.arange(4)":                  `at "numpy.arange"`,
		"arange(4)":                        `"arange"`,
		"[1, 2":                            "its end",
		"[1, 2] 3":                         `"3"`,
		"[1/2]":                            "not an integer",
		"[x]":                              "x is undefined",
		"range(1, 2, 0)":                   "step is 0",
		"range(0, 100000000)":              "more than",
		"[j for i in [1]]":                 "j is undefined",
		"[i for i in [1] for j in [2]]":    `"for"`,
		"['a']":                            `at "'a"`,
		"[1.5]":                            `at "1.5"`,
		"range()":                          `")"`,
		"[i for (i) in [1]]":               "its name behind for",
		"[i for i in [1] if 1 // (i - 1)]": "division by 0",
	} {
		if got, err := Values(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want an error with %q", text, got, err, want)
		}
	}
}
