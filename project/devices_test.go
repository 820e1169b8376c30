package project_test

import (
	"testing"

	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/project"
)

// Each figure of each device states its source, or is assumed between bounds with a reason, and all devices have the
// figures that a prediction needs.
func TestFiguresOfDevices(t *testing.T) {
	names := project.Devices()
	if len(names) < 10 {
		t.Fatalf("only %d devices", len(names))
	}
	needed, err := project.Device(".", "rtx-a6000")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		d, err := project.Device(".", name)
		if err != nil {
			t.Error(err)
			continue
		}
		for figure := range needed.Figures {
			// Only devices whose shared memory is a part of a cache say so.
			if _, ok := d.Figures[figure]; !ok && figure != "cache_shared" {
				t.Errorf("%s has no figure %s", name, figure)
			}
		}
		for figure, f := range d.Figures {
			switch {
			case f.Source != "" && (len(f.Source) < 20 || f.Low != 0 || f.High != 0):
				t.Errorf("%s: %s: source %q names no document, or a figure with a source has bounds", name, figure, f.Source)
			case f.Source == "" && (len(f.Assumed) < 20 || f.Low >= f.High):
				t.Errorf("%s: %s: assumed %q gives no reason, or no interval %d‥%d", name, figure, f.Assumed, f.Low, f.High)
			}
		}
	}
	for _, bad := range []string{
		"name = \"d\"\n[figures.sms]\nvalue = 4\n",
		"name = \"d\"\n[figures.sms]\nvalue = 4\nsource = \"data sheet\"\nassumed = \"guess\"\nlow = 1\nhigh = 9\n",
		"name = \"d\"\n[figures.sms]\nvalue = 4\nassumed = \"guess\"\n",
		"name = \"d\"\n[figures.sms]\nvalue = 4\nassumed = \"guess\"\nlow = 5\nhigh = 9\n",
	} {
		if _, err := config.ParseDevice("d.toml", []byte(bad)); err == nil {
			t.Errorf("accepted:\n%s", bad)
		}
	}
}
