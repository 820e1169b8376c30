package clang

import (
	"context"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// behind compiles a source that another file of the project is meant to include: alone it has failed, or lost kernels. It stands
// behind what that file has before the #include. The first result stays if the second one is no better.
func (c Compiler) behind(ctx context.Context, j *job, u *Unit, err error) (*Unit, error) {
	if ctx.Err() != nil || err == nil && !slices.ContainsFunc(u.Absent, func(r Repair) bool { return u.losing(r.Name) != nil }) {
		return u, err
	}
	in, text, several := j.includer()
	if several && err == nil {
		for i := range u.Absent {
			u.Absent[i].Why += "; " + in + " includes this file in several places, whose macros may differ"
		}
	}
	// From here on nothing is said of what fails: the first result stands, and this was only a try.
	if in == "" || several {
		return u, err
	}
	k, failed := c.begin(j.source, j.options)
	if failed != nil {
		return u, err
	}
	defer k.overlay.close()
	k.before, k.beforeText = in, text
	at, failed := k.absolute(filepath.FromSlash(in))
	if failed == nil {
		failed = k.overlay.mount(at, text)
	}
	if failed != nil {
		return u, err
	}
	v, failed := k.compile(ctx)
	if failed != nil || err == nil && len(v.Absent) >= len(u.Absent) {
		return u, err
	}
	return v, nil
}

// mostIncluders bounds the files that are read for an #include of the source.
const mostIncluders = 2000

var included = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]`)

var onlyOnce = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+once\b`)

// includer is the nearest file of C or C++ in the folder of the source, or above it, that includes the source, and what stands before
// that. It is "" if there is none, or if two different ones are as near. Several says that it includes the source in several places,
// each of which may make other kernels of it.
func (j *job) includer() (name string, before []byte, several bool) {
	source := path.Clean(filepath.ToSlash(j.source.File))
	// Only folders on the way up from the source are looked at. Files elsewhere are other programs, with other macros.
	texts, places := map[string][]byte{}, map[string]int{}
	var found []string
	read := 0
	for _, f := range j.projectFiles() {
		folder := path.Dir(f)
		if f == source || folder != "." && folder != path.Dir(source) && !strings.HasPrefix(path.Dir(source), folder+"/") || !slices.Contains([]string{".cu", ".cpp", ".cc", ".c", ".hip"}, path.Ext(f)) {
			continue
		}
		if read++; read > mostIncluders {
			return "", nil, false
		}
		text, err := j.source.Read(f)
		if err != nil {
			continue
		}
		for _, m := range included.FindAllSubmatchIndex(text, -1) {
			named := path.Clean(string(text[m[2]:m[3]]))
			if path.Join(folder, named) == source || strings.HasSuffix("/"+source, "/"+named) {
				if places[f]++; places[f] == 1 {
					found, texts[f] = append(found, f), text[:m[0]]
				}
			}
		}
	}
	if len(found) == 0 {
		return "", nil, false
	}
	best := j.best(found)
	own, err := j.source.Read(source)
	return best, texts[best], places[best] > 1 && (err != nil || !onlyOnce.Match(own))
}
