package config_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/config"
)

// TestWithFigures: measured figures stand in place of assumed ones, and nothing else changes.
func TestWithFigures(t *testing.T) {
	const before = "name = \"d\"\n# kept\n\n[figures.barrier]\nvalue = 3\nlow = 1\nhigh = 9\nassumed = \"a guess\"\n\n# of the clock\n[figures.mhz]\nvalue = 1800\nsource = \"data sheet\"\n"
	measured := []config.NamedFigure{
		{Name: "barrier", Figure: config.Figure{Value: 5, Low: 4, High: 6, Measured: "2026-11-28, \"GPU\", driver 1"}},
		{Name: "cache_1", Figure: config.Figure{Value: 4096, Low: 4096, High: 8192, Measured: "2026-11-28"}},
	}
	const want = "name = \"d\"\n# kept\n\n[figures.barrier]\nvalue = 5\nlow = 4\nhigh = 6\nmeasured = \"2026-11-28, \\\"GPU\\\", driver 1\"\n\n# of the clock\n[figures.mhz]\nvalue = 1800\nsource = \"data sheet\"\n\n[figures.cache_1]\nvalue = 4096\nlow = 4096\nhigh = 8192\nmeasured = \"2026-11-28\"\n"
	got, err := config.WithFigures("d.toml", []byte(before), measured)
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	again, err := config.WithFigures("d.toml", got, measured)
	if err != nil || string(again) != want {
		t.Errorf("again: %v\n%s", err, again)
	}
	for text, why := range map[string]string{
		"figures = { barrier = { value = 3, source = \"x\" } }\n": "d.toml",
		"name = 1\n": "d.toml",
	} {
		if _, err := config.WithFigures("d.toml", []byte(text), measured); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, bad := range []string{
		"[figures.x]\nvalue = 3\nmeasured = \"today\"\n",
		"[figures.x]\nvalue = 3\nlow = 1\nhigh = 4\nmeasured = \"today\"\nsource = \"data sheet\"\n",
	} {
		if _, err := config.ParseDevice("d.toml", []byte(bad)); err == nil {
			t.Errorf("accepted %q", bad)
		}
	}
}
