package clang

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mostListed bounds the files of a project among which headers are looked for.
const mostListed = 200_000

// nearest is the file of the project that an #include means which leads nowhere, relative to where clang runs: of
// those whose path ends so, the one that shares most folders with the source. It is "" if there is none, or if two
// different ones are as near.
func (j *job) nearest(name string) string {
	want := strings.ReplaceAll(name, `\`, "/")
	for strings.HasPrefix(want, "../") || strings.HasPrefix(want, "./") {
		_, want, _ = strings.Cut(want, "/")
	}
	want = path.Clean(want)
	if !fs.ValidPath(want) || want == "." {
		return ""
	}
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		var found []string
		for _, f := range j.projectFiles() {
			if len(f) >= len(want) && same(f[len(f)-len(want):], want) && (len(f) == len(want) || f[len(f)-len(want)-1] == '/') {
				found = append(found, f)
			}
		}
		if len(found) > 0 {
			return j.best(found)
		}
	}
	return ""
}

// best is the nearest of files to the source; "" if two that differ are as near.
func (j *job) best(found []string) string {
	source := path.Dir(path.Clean(filepath.ToSlash(j.source.File)))
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(shared(b, source), shared(a, source)), cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	})
	first := found[0]
	for _, other := range found[1:] {
		if shared(other, source) != shared(first, source) || strings.Count(other, "/") != strings.Count(first, "/") {
			break
		}
		a, err := j.source.Read(first)
		b, err2 := j.source.Read(other)
		if err != nil || err2 != nil || string(a) != string(b) {
			return ""
		}
	}
	return first
}

// shared counts the folders, from the top, that a file has in common with a folder.
func shared(file, folder string) (n int) {
	a, b := strings.Split(path.Dir(file), "/"), strings.Split(folder, "/")
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// projectFiles are the files of the project, by their paths, in order.
func (j *job) projectFiles() []string {
	if j.listed != nil {
		return j.listed
	}
	j.listed = []string{}
	_ = fs.WalkDir(os.DirFS(j.source.Dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case len(j.listed) >= mostListed:
			j.listed = []string{} // a part would do for some machines alone
			return fs.SkipAll
		}
		if d.Type().IsRegular() {
			j.listed = append(j.listed, name)
		}
		return nil
	})
	return j.listed
}
