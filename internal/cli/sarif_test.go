package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/report/sample"
)

// TestSARIF looks at the SARIF of each command that writes it: about errors, refuted, vacuous and
// expected obligations and kernels, from wherever in a repository it is asked for.
func TestSARIF(t *testing.T) {
	t.Setenv("GRADINE_CACHE", t.TempDir())
	top := t.TempDir()
	for name, text := range map[string]string{
		"models/gradine.toml": "[project.p]\nsources = [\".\"]\n\n[[expect]]\nproject = \"p\"\npo = \"M/up/low/INV\"\nverdict = \"refuted\"\nwhy = \"it is shown, <b>on purpose</b>\"\n",
		"models/a b.eventb": `machine M
  variables n
  invariants
    @n n ∈ ℤ
    @low n < 5
    @high n < 9
    @odd n = n + n
  events
    event INITIALISATION then @a n ≔ 0 end
    event up where @g n > 0 then @a n ≔ n + 1 end
    event never where @g n > n then @a n ≔ 7 end
end
`,
		"models/wrong.eventb": "machine W\n  variables x y\n  invariants\n    @t x ∈ BOOL ∧ x = 1\nend\n",
		"kernels/race.cl":     "kernel void race(global int *a) {\n  a[0] = get_global_id(0);\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"init -q -b main", "add models/gradine.toml kernels", "-c user.name=a -c user.email=a@example.org commit -q -m first"} {
		c := exec.Command("git", strings.Fields(line)...)
		c.Dir = top
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", line, err, out)
		}
	}
	texts := map[string]string{}
	for _, test := range []struct {
		name, dir string
		args      []string
		at        string // where something is found
	}{
		{"report", "models", []string{"report"}, "models/a%20b.eventb"},
		{"problem", "models", []string{"report"}, "models/wrong.eventb"},
		{"kernel", "kernels", []string{"kernel", "race.cl"}, "kernels/race.cl"},
		{"review", "models", []string{"review", "HEAD"}, "models/a%20b.eventb"},
	} {
		var out, complaints bytes.Buffer
		Main(append([]string{"-C", filepath.Join(top, test.dir)}, append(test.args, "--format", "sarif")...), nil, &out, &complaints)
		if out.Len() == 0 {
			t.Fatalf("%v writes nothing: %s", test.args, complaints.String())
		}
		texts[test.name] = out.String()
		found := false
		for _, result := range sample.ReadSARIF(t, out.String()).Results {
			found = found || *result.Locations[0].PhysicalLocation.ArtifactLocation.URI == test.at
		}
		if !found {
			t.Errorf("%s: nothing is found in %s:\n%s%s", test.name, test.at, out.String(), complaints.String())
		}
	}
	t.Run("validator", func(t *testing.T) { sample.ValidateSARIF(t, texts) })
}

// An error takes obligations away: a report that does not show it looks better than the models are.
func TestReportsOfErrors(t *testing.T) {
	t.Setenv("GRADINE_CACHE", t.TempDir())
	dir := t.TempDir()
	text := "machine W\n  variables x\n  invariants\n    @t x ∈ BOOL ∧ x = 1\nend\n"
	if err := os.WriteFile(filepath.Join(dir, "w.eventb"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"markdown", "html", "sarif", "junit"} {
		var out, complaints bytes.Buffer
		code := Main([]string{"-C", dir, "report", "--format", format}, nil, &out, &complaints)
		if code != exitModel || !strings.Contains(out.String(), "w.eventb") || !strings.Contains(out.String(), "type") {
			t.Errorf("%s, with exit code %d, does not show the error:\n%s%s", format, code, out.String(), complaints.String())
		}
	}
}
