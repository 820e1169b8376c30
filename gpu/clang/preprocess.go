package clang

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// preprocessed is what the preprocessor made of a source.
type preprocessed struct {
	files  map[string]map[int]string // of the project, by name: what became of their lines
	order  []string                  // of files, as they are met
	macros map[string]string         // that are defined in the end
}

var notFound = regexp.MustCompile(`fatal error: '([^']+)' file not found`)

// mostMissing bounds the headers that something else stands for.
const mostMissing = 200

// preprocess runs the preprocessor. For a header that is not found stands the file of the project with that name that
// is nearest to the source, or declarations of this package, or else an empty file.
func (j *job) preprocess(ctx context.Context) (*preprocessed, error) {
	for {
		got, err := j.clang(ctx, "-E", "-dD", "-o", "-")
		if err != nil {
			return nil, err
		}
		if m := notFound.FindStringSubmatch(got.Stderr); m != nil && len(j.missing)+len(j.found) < mostMissing {
			if err := j.supply(ctx, m[1]); err != nil {
				return nil, err
			}
			continue
		}
		if got.Failed && got.Stdout == "" {
			return nil, fmt.Errorf("clang cannot read %s: %s", j.source.File, firstError(got.Stderr))
		}
		return j.lines(got.Stdout), nil
	}
}

// supply mounts what stands for a header that was not found, and for all others that are not found: clang stops at the first
// one, and a run for each would take minutes on a large file.
func (j *job) supply(ctx context.Context, name string) error {
	names := []string{name}
	if got, err := j.clang(ctx, "-M", "-MG"); err == nil {
		known := strings.ReplaceAll(got.Stdout, "\\\n", " ")
		for _, f := range strings.Fields(known) {
			// Headers that are not found stand as they are written; all others by a path.
			if !path.IsAbs(f) && !strings.HasPrefix(f, ".") && !strings.HasSuffix(f, ":") && !j.exists(f) {
				names = append(names, f)
			}
		}
	} else if ctx.Err() != nil {
		return err
	}
	for _, n := range names {
		if path.IsAbs(n) {
			continue
		}
		if err := j.stand(n); err != nil {
			return err
		}
	}
	if _, ok := j.found[name]; !ok && !slices.Contains(j.missing, name) {
		return fmt.Errorf("clang does not find %s", name)
	}
	return nil
}

// stand mounts what stands for a header that was not found.
func (j *job) stand(name string) error {
	if _, ok := j.found[name]; ok || slices.Contains(j.missing, name) {
		return nil
	}
	var text []byte
	if in := j.nearest(name); in != "" {
		j.found[name] = in
		text = []byte("#include \"" + in + "\"\n")
	} else if known, err := headers.ReadFile("include/known/" + path.Base(name)); err == nil && j.source.Language != OpenCL {
		j.found[name] = ""
		text = known
	} else {
		j.missing = append(j.missing, name)
	}
	return j.overlay.mount(path.Join(missingRoot, name), text)
}

// missingRoot is where headers that are not found are mounted.
const missingRoot = root + "/missing"

// exists reports whether clang sees a file of the project under a name.
func (j *job) exists(name string) bool {
	_, err := j.read(name)
	return err == nil
}

var lineMarker = regexp.MustCompile(`^# (\d+) "((?:[^"\\]|\\.)*)"`)

// lines takes the output of the preprocessor apart.
func (j *job) lines(out string) *preprocessed {
	p := &preprocessed{files: map[string]map[int]string{}, macros: map[string]string{}}
	var here map[int]string
	line := 0
	for l := range strings.Lines(out) {
		l = strings.TrimRight(l, "\n")
		if m := lineMarker.FindStringSubmatch(l); m != nil {
			line, _ = strconv.Atoi(m[1])
			name := strings.ReplaceAll(m[2], `\\`, `\`)
			here = nil
			if j.inProject(name) {
				if p.files[name] == nil {
					p.files[name] = map[int]string{}
					p.order = append(p.order, name)
				}
				here = p.files[name]
			}
			continue
		}
		if rest, ok := strings.CutPrefix(l, "#define "); ok {
			name := rest[:wordEnd(rest)]
			p.macros[name] = strings.TrimSpace(rest[len(name):])
		} else if rest, ok := strings.CutPrefix(l, "#undef "); ok {
			delete(p.macros, strings.TrimSpace(rest))
		} else if here != nil && strings.TrimSpace(l) != "" {
			here[line] += l + " "
		}
		line++
	}
	return p
}

func wordEnd(s string) int {
	for i := range len(s) {
		if !letter(s[i]) && !digit(s[i]) {
			return i
		}
	}
	return len(s)
}

// inProject reports whether a file that clang names is one of the project: neither of the
// system nor of this package.
func (j *job) inProject(name string) bool {
	if name == "" || name[0] == '<' || strings.HasPrefix(name, root+"/") {
		return false
	}
	if !filepath.IsAbs(name) {
		return true
	}
	rel, err := filepath.Rel(j.source.Dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// firstError is the first line of messages that tells of an error.
func firstError(messages string) string {
	for l := range strings.Lines(messages) {
		if strings.Contains(l, "error: ") {
			return strings.TrimSpace(l)
		}
	}
	return strings.TrimSpace(messages)
}
