package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/launch"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// filesOfFlags are command lines with a file that a flag names: "out" is written, "in" is read. They are tried below -C.
var filesOfFlags = map[string]string{
	"explore --itf":                  "explore m.eventb --itf out",
	"explore --scenario":             "explore m.eventb --scenario out",
	"explore --html":                 "explore m.eventb --html out",
	"explore --dot":                  "explore m.eventb --dot out",
	"explore --svg":                  "explore m.eventb --gantt start=s,end=e,clock=x --svg out",
	"explore --replay":               "explore m.eventb --replay in",
	"explore --disk":                 "explore m.eventb --disk in",
	"animate --export":               "animate m.eventb --export out",
	"animate --run":                  "animate m.eventb --export page.html --run in",
	"prove --sequents":               "prove --sequents in",
	"prove --hints":                  "prove --sequents one.jsonl --hints in",
	"prove --smtlib":                 "prove m.eventb m/up/j/INV --smtlib out",
	"prove --output":                 "prove m.eventb --shard 1/2 --output out",
	"report --output":                "report m.eventb --output out",
	"report --tuning":                "report m.eventb --format html --tuning in",
	"infer --plots":                  "infer m.eventb --evaluate --plots out",
	"cache pack --output":            "cache pack m.eventb --output out",
	"report requirements --output":   "report requirements m.eventb --output out",
	"report requirements --required": "report requirements m.eventb --required in",
	"export --output":                "export m.eventb --output out",
	"verify --output":                "verify m.eventb --shard 1/2 --output out",
	"kernel --output":                "kernel k.cl --reader c --shard 1/2 --output out",
	"report why --scenario":          "report why m.eventb m/up/j/INV --scenario out",
	"prove --from":                   "prove m.eventb --from in",
	"verify --from":                  "verify m.eventb --from in",
	"kernel --from":                  "kernel k.cl --reader c --from in",
	"report --from":                  "report m.eventb --from in",
	"report requirements --from":     "report requirements m.eventb --from in",
	"export --certificates":          "export m.eventb --certificates out",
}

// filesElsewhere are flags with files that need more than a small model: scripts run their commands.
var filesElsewhere = []string{
	"import --output", "review --output", "trace --map", "trace --scenario", "calibrate --measured", "tune --measured",
	"kernel --baseline", "kernel --host", "kernel --compile-commands", "kernel --cuda-path", "kernel --emit-ll", "kernel --include", "kernel --include-dir", "kernel --isystem",
	"tune --dispatch", "tune --export", "tune --from", "tune --output", "tune --plots", "tune --run-log", "tune --svg", "tune --table", "tune --trace", "tune --write",
}

const pathsModel = `machine m
variables x s e
invariants @i x ∈ ℕ @s s ∈ 0‥0 → ℕ @e e ∈ 0‥0 → ℕ @j x < 2
events
event INITIALISATION then @a x ≔ 0 @b s ≔ {0 ↦ 0} @c e ≔ {0 ↦ 1} end
event up where @g x < 3 then @a x ≔ x + 1 end
end
`

// TestFilesOfFlags: with -C DIR, what flags name is in DIR, be it read or written. A new flag that names a file is told of here.
func TestFilesOfFlags(t *testing.T) {
	fresh(t, "a")
	var walk func(path []string, c *cobra.Command)
	walk = func(path []string, c *cobra.Command) {
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			name := strings.Join(append(slices.Clone(path), "--"+f.Name), " ")
			kind, _ := pflag.UnquoteUsage(f)
			if _, tried := filesOfFlags[name]; !tried && slices.Contains([]string{"FILE", "DIR", "DIRECTORY"}, kind) && !slices.Contains(filesElsewhere, name) {
				t.Errorf("%s: nobody tries it with -C", name)
			}
		})
		for _, sub := range c.Commands() {
			walk(append(slices.Clone(path), sub.Name()), sub)
		}
	}
	walk(nil, (&run{ctx: t.Context()}).root())
	if testing.Short() {
		return // the list is whole; the command lines run in the full form
	}
	texts := map[string]string{
		"m.eventb": pathsModel, "one.jsonl": `{"id":1,"hyps":[],"goal":"1=1"}`,
		"k.cl": "__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }\n",
	}
	for name, line := range filesOfFlags {
		here := t.TempDir()
		t.Chdir(here)
		if err := os.Mkdir("p", 0o777); err != nil {
			t.Fatal(err)
		}
		for file, text := range texts {
			if err := os.WriteFile(filepath.Join("p", file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		args := strings.Fields(line)
		if slices.Contains(args, "out") {
			out, errs, _ := shell(t, append([]string{"-C", "p"}, args...)...)
			if _, err := os.Stat(filepath.Join("p", "out")); err != nil {
				t.Errorf("%s: %v\n%s%s", name, err, out, errs)
			}
			if all, _ := os.ReadDir("."); len(all) != 1 {
				t.Errorf("%s: written beside p: %v", name, all)
			}
			continue
		}
		// A file of this name here is not the one that is asked for.
		at := slices.Index(args, "in")
		args[at] = "here"
		if err := os.WriteFile("here", nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := shell(t, append([]string{"-C", "p"}, args...)...); code == 0 || !strings.Contains(errs, "no such file or directory") && !strings.Contains(errs, "p/here") {
			t.Errorf("%s: exit code %d\n%s%s", name, code, out, errs)
		}
	}
}

// TestToolkitOfFlags: with -C DIR, the toolkit that --cuda-path names is in DIR, as include folders are.
func TestToolkitOfFlags(t *testing.T) {
	var f kernelFlags
	f.compile.options.CUDAPath, f.compile.options.Include = "toolkit", []string{"headers"}
	o, err := (&run{dir: "p"}).clangOptions(f, nil, launch.Options{}, "k.cu", t.TempDir())
	if err != nil || o.CUDAPath != filepath.Join("p", "toolkit") || len(o.Include) != 1 || !strings.HasSuffix(o.Include[0], filepath.Join("p", "headers")) {
		t.Errorf("%+v, %v", o, err)
	}
}
