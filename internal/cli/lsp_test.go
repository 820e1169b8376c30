package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an editor runs by a lens is about the texts that are open: each of these commands
// answers what it answers once they are saved, and reads nothing of what is saved now.
func TestCommandsOfOpenTexts(t *testing.T) {
	const machine = "machine m\nvariables x y\ninvariants\n    @x x ∈ ℕ\n    @y y ∈ ℕ\n    @top x ≤ 3\nevents\n    event INITIALISATION\n        then\n            @x x ≔ 0\n            @y y ≔ 0\n    end\n" +
		"    event up\n        where\n            @low x < 3\n        then\n            @x x ≔ x + 1\n            @y y ≔ y + 1\n    end\nend\n"
	const config = "[project.p]\nsources = [\"m.eventb\"]\n[machine.m.bounds]\ny = [0, 9]\n[tune.t]\nmachine = \"m\"\nobjective = \"y\"\nfinal = \"x = 3\"\ninstances = [{ }]\n"
	saved, open := t.TempDir(), t.TempDir()
	texts := map[string][]byte{}
	for name, text := range map[string]string{"m.eventb": machine, "gradine.toml": config, "m.hints": "for m/up/top/INV\n    use low\n"} {
		texts[filepath.Join(open, name)] = []byte(text)
		for dir, text := range map[string]string{saved: text, open: "spoilt"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("GRADINE_CACHE", t.TempDir())
	for _, line := range []string{
		"check", "prove", "explore m", "infer m", "tune", "report", "report --format html", "prove --suggest m/up/top/INV", "report why m/up/top/INV", "po",
	} {
		words := strings.Fields(line)
		run := func(texts map[string][]byte, dir string) (string, int) {
			args := append([]string{words[0]}, dir)
			if words[0] == "report" && len(words) > 1 && words[1] == "why" {
				args = []string{"report", "why", dir}
			}
			for _, word := range words[1:] {
				if word != "why" {
					args = append(args, word)
				}
			}
			if words[0] == "tune" {
				args = []string{"-C", dir, "tune"}
			}
			r := &run{ctx: t.Context()}
			out, code := r.shown(t.Context(), texts, args)
			return strings.ReplaceAll(out, dir, ""), code
		}
		want, code := run(nil, saved)
		if got, c := run(texts, open); got != want || c != code {
			t.Errorf("%s of open texts: %d\n%s\nof saved ones: %d\n%s", line, c, got, code, want)
		}
		if strings.Contains(want, "unknown") || code == exitUsage {
			t.Errorf("%s: %d %s", line, code, want)
		}
	}
}
