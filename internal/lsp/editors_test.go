package lsp

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/corpus"
)

const serving = "GRADINE_LSP_SERVES"

// TestMain makes the test binary a server for the editors that tests start.
func TestMain(m *testing.M) {
	if dir := os.Getenv(serving); dir != "" {
		if err := Serve(context.Background(), os.Stdin, os.Stdout, Options{Store: proofstore.OpenStore(dir), Animate: pageOf}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// pageOf is a page that is not served.
func pageOf(_ func() map[string][]byte, _, name string) (string, func(context.Context) error, error) {
	return "http://127.0.0.1:1/page-of-" + name, func(context.Context) error { return nil }, nil
}

// inEditor runs an editor on a project with a mistake, and returns what its script says.
func inEditor(t *testing.T, program string, args func(dir, config string) []string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip("no " + program)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config, err := filepath.Abs("../../editors")
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, file):           strings.Replace(counter, "n > 0", "n ≥ 0", 1),
		filepath.Join(dir, "gradine.toml"): "[project.c]\nsources = [\".\"]\n",
		filepath.Join(bin, "gradine"):      fmt.Sprintf("#!/bin/sh\n%s=%s exec %s\n", serving, t.TempDir(), self),
	} {
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), corpus.Fuse)
	defer cancel()
	c := exec.CommandContext(ctx, path, args(dir, config)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+bin)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// compare compares what an editor says, a line for each feature, with what is wanted of it.
func compare(t *testing.T, said string, want [][2]string) {
	t.Helper()
	got := map[string]string{}
	for line := range strings.Lines(said) {
		if feature, what, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			got[feature] = what
		}
	}
	for _, w := range want {
		if !strings.Contains(got[w[0]], w[1]) {
			t.Errorf("%s: %q, want %q", w[0], got[w[0]], w[1])
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}

func TestNeovim(t *testing.T) {
	script, err := filepath.Abs("testdata/nvim.lua")
	if err != nil {
		t.Fatal(err)
	}
	said := inEditor(t, "nvim", func(dir, config string) []string {
		return []string{"--headless", "-u", "NONE", "-c", "luafile " + config + "/nvim/gradine.lua", "-c", "edit " + filepath.Join(dir, file), "-c", "luafile " + script}
	})
	compare(t, said, [][2]string{
		{"diagnostics", "down/type/INV is refuted: n − 1 ∈ ℕ is false"},
		{"servers", "1, 1, // %s"},
		{"states", "before: n = 0, after: n = −1, invariant type"},
		{"inlay hints", "11 2/3 · 1 refuted, 13 1/1, 18 1/1, 23 0/1 · 1 refuted, 37 3/3, 39 1/1, 42 1/1, 47 1/1"},
		{"lenses", "2/3 · 1 refuted, prove, explore, animate, infer, prove, prove, prove, why down/type/INV, animate down/type/INV, 3/3, prove, explore, animate, infer, prove, prove, prove"},
		{"status", "down/type/INV refuted, INITIALISATION/limit/INV proved"},
		{"hover", "variable n ⦂ ℤ // of counter"},
		{"definition", "9"},
		{"references", "9, 11, 15, 20, 20, 25, 27, 27, 35, 37, 44"},
		{"highlights", "9, 11, 15, 20, 20, 25, 27, 27, 35, 37, 44"},
		{"symbols", "limits, counter, bounded"},
		{"workspace symbols", "up of counter, up of bounded"},
		{"refining events", "up of bounded"},
		{"refined events", "up of counter"},
		{"obligations", "6"},
		{"sequent", "n − 1∈ℕ"},
		{"why", "reachable: INITIALISATION"},
		{"animate", "http://127.0.0.1:1/page-of-counter"},
		{"prove", "0 of 1 obligations proved"},
		{"refinements", "limits , counter 2/3 · 1 refuted, bounded 3/3"},
		{"folding", "1-5, 3-4, 8-29, 10-11, 12-28, 13-16, 18-21, 23-28, 32-49, 36-37, 38-48, 39-40, 42-45, 47-48"},
		{"selection", "25-25, 25-25, 25-25, 23-28, 8-29, 1-50"},
		{"tokens", "0"},
		{"completion", "≤"},
		{"completion of names", "variable ⦂ ℤ"},
		{"signature", "card(S)"},
		{"typing", "@positive n > 0 ∧ n >= 0"},
		{"lines", "@positive n > 0"},
		{"corrected", "0"},
		{"formatting", "@positive n > 0"},
		{"action", "Declare m as a parameter of down, Declare m as a variable | variables m n"},
		{"resolved action", "Add an invariant that closes down/type/INV"},
		{"rename", "variables level | @positive level > 0 | @limit level ≤ most"},
	})
}

func TestEmacs(t *testing.T) {
	script, err := filepath.Abs("testdata/emacs.el")
	if err != nil {
		t.Fatal(err)
	}
	said := inEditor(t, "emacs", func(dir, config string) []string {
		return []string{"--batch", "-l", "package", "--eval", "(package-initialize)", "-l", config + "/emacs/gradine.el", "--eval", `(setq eglot-sync-connect 10)`, filepath.Join(dir, file), "-l", script}
	})
	compare(t, said, [][2]string{
		{"diagnostics", "down/type/INV is refuted: n − 1 ∈ ℕ is false"},
		{"hover", "variable n ⦂ ℤ // of counter"},
		{"definition", "9"},
		{"references", "9, 11, 15, 20, 20, 25, 27, 27, 35, 37, 44"},
		{"workspace symbols", "counter up Function, bounded up Function"},
		{"symbols", "limits"},
		{"highlights", "11"},
		{"lenses", "2/3 · 1 refuted, prove, explore, animate, infer, prove, prove, prove, why down/type/INV, animate down/type/INV, 3/3"},
		{"refining events", "bounded"},
		{"why", "reachable: INITIALISATION"},
		{"animate", "http://127.0.0.1:1/page-of-counter"},
		{"completion", "≤"},
		{"completion of names", "n, any, where"},
		{"signature", "card(S)"},
		{"typing", "@positive n ≥"},
		{"lines", "@positive n > 0"},
		{"formatting", "@positive n > 0"},
		{"corrected", "0"},
		{"action", "Declare m as a parameter of down, Declare m as a variable"},
		{"rename", "variables level | @positive level > 0 | @limit level ≤ most"},
	})
}
