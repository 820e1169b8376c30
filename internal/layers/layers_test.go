// Package layers holds the import policy of the project, policy.txt, and the
// test that keeps it. It parses import clauses itself, so that the test cache
// knows its inputs.
package layers

import (
	"cmp"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gradine/gradine/"

type policy struct {
	floors    [][]string // from the top
	leaves    []string
	beside    map[string][]string
	only      map[string][]string
	readers   map[string][]string
	importers map[string][]string
}

func readPolicy(t *testing.T) policy {
	data, err := os.ReadFile("policy.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := policy{beside: map[string][]string{}, only: map[string][]string{}, readers: map[string][]string{}, importers: map[string][]string{}}
	for i, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "floor":
			p.floors = append(p.floors, f[1:])
		case f[0] == "leaf":
			p.leaves = append(p.leaves, f[1:]...)
		case f[0] == "beside" && f[2] == "->":
			p.beside[f[1]] = f[3:]
		case f[0] == "only" && f[2] == "imports":
			p.only[f[1]] = f[3:]
		case f[0] == "readers":
			p.readers[strings.TrimSuffix(f[1], ":")] = f[2:]
		case f[0] == "importer":
			p.importers[strings.TrimSuffix(f[1], ":")] = f[2:]
		default:
			t.Fatalf("policy.txt:%d: cannot read %q", i+1, line)
		}
	}
	return p
}

// matches reports whether pkg is pattern, or lies below a pattern P/....
func matches(pattern, pkg string) bool {
	base, below := strings.CutSuffix(pattern, "/...")
	return pkg == base || below && strings.HasPrefix(pkg, base+"/")
}

func in(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, pkg) })
}

func (p policy) floor(pkg string) int {
	return slices.IndexFunc(p.floors, func(f []string) bool { return in(f, pkg) })
}

// allowed says why pkg may not import imp, or "".
func (p policy) allowed(pkg, imp string) string {
	if in(p.leaves, pkg) {
		return "a leaf imports nothing of the project"
	}
	if in(p.leaves, imp) {
		if slices.Contains([]string{"internal/cli", "internal/scaffold", "project"}, pkg) {
			return ""
		}
		return "only project, internal/scaffold and internal/cli import leaves"
	}
	from, to := p.floor(pkg), p.floor(imp)
	if from < 0 || to < 0 {
		return "the policy has no floor for one of them"
	}
	for pattern, imports := range p.beside {
		if matches(pattern, pkg) && in(imports, imp) {
			return ""
		}
	}
	if to <= from {
		return "it is not on a floor below"
	}
	for pattern, imports := range p.only {
		if matches(pattern, pkg) && !in(imports, imp) {
			return "the policy lists its imports"
		}
	}
	if readers, ok := p.readers[imp]; ok && !in(readers, pkg) {
		return "it has other readers only"
	}
	return ""
}

func imports(t *testing.T) map[string][]string {
	out := map[string][]string{}
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", name), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(name)
		out[pkg] = append(out[pkg], []string{}...)
		for _, s := range f.Imports {
			imp, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				return err
			}
			out[pkg] = append(out[pkg], imp)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPolicy(t *testing.T) {
	p := readPolicy(t)
	for pkg, imps := range imports(t) {
		for _, imp := range imps {
			if own, ok := strings.CutPrefix(imp+"/", module); ok {
				own = cmp.Or(strings.TrimSuffix(own, "/"), ".")
				if why := p.allowed(pkg, own); why != "" {
					t.Errorf("%s imports %s: %s", pkg, own, why)
				}
			}
			for mod, importers := range p.importers {
				if matches(mod+"/...", imp) && !in(importers, pkg) {
					t.Errorf("%s imports %s: only %v may", pkg, imp, importers)
				}
			}
		}
	}
}

func TestPolicyRefuses(t *testing.T) {
	p := readPolicy(t)
	for _, c := range [][2]string{
		{"prover/kernel", "diag"}, {"po", "prover"}, {"prover", "po"}, {"logic", "logic/text"},
		{"explore", "lang"}, {"discharge", "internal/config"}, {"lang", "lang/check"}, {"tune", "review"},
	} {
		if p.allowed(c[0], c[1]) == "" {
			t.Errorf("the policy lets %s import %s", c[0], c[1])
		}
	}
}
