package clang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Record says what IR was made of: by which compiler, with which flags, of which files. It
// stands in a comment above the IR.
type Record struct {
	Source   string            `json:"source"`
	Language Language          `json:"language"`
	Compiler string            `json:"compiler"`
	IR       string            `json:"ir"`    // digest of the IR below the record
	Flags    []string          `json:"flags"` // without those that say where clang runs, and what is mounted
	Asked    []string          `json:"instances,omitempty"`
	Headers  string            `json:"headers,omitempty"` // digest of the headers of this package, where they are used
	Files    map[string]string `json:"files"`             // digests of the files of the project
	Macros   []string          `json:"macros,omitempty"`  // that chose what is compiled, with their values
	Missing  []string          `json:"missing,omitempty"` // headers that were not found, and are empty
	Found    map[string]string `json:"found,omitempty"`   // headers that flags do not lead to, with the files that stand for them; "" for declarations of this package
	Before   string            `json:"before,omitempty"`  // a file that includes the source, of which what stands before that was compiled, too
	Blanked  []Repair          `json:"blanked,omitempty"` // code of the host
	Lost     []Repair          `json:"lost,omitempty"`    // functions of the device without their bodies, and declarations
	Absent   []Repair          `json:"absent,omitempty"`  // kernels that the source defines and the IR does not
}

const (
	recordHead = "; LLVM IR that gradine kernel --emit-ll wrote; the next line says of what.\n"
	recordLine = "; gradine: "
)

// ErrNoRecord says that IR does not tell what it was made of.
var ErrNoRecord = errors.New("the file has no record of its source: write it with gradine kernel --emit-ll")

// Text is the IR of a unit below its record.
func (u *Unit) Text() []byte {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	r := u.Record
	r.IR = digest(u.IR)
	if err := enc.Encode(r); err != nil {
		panic(err) // strings alone
	}
	return slices.Concat([]byte(recordHead+recordLine), line.Bytes(), u.IR)
}

// mostRecord bounds the bytes of a record.
const mostRecord = 16 << 20

// ReadRecord reads the record above IR. The error wraps ErrNoRecord if there is none; it is another one if the IR is not that of the record.
func ReadRecord(ll []byte) (*Record, error) {
	rest, ok := bytes.CutPrefix(ll, []byte(recordHead+recordLine))
	if !ok {
		return nil, ErrNoRecord
	}
	end := bytes.IndexByte(rest, '\n')
	if end < 0 || end > mostRecord {
		return nil, fmt.Errorf("its record is incomplete: %w", ErrNoRecord)
	}
	var r Record
	d := json.NewDecoder(bytes.NewReader(rest[:end]))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("its record cannot be read (%v): %w", err, ErrNoRecord)
	}
	if digest(rest[end+1:]) != r.IR {
		return nil, errors.New("its IR has changed since gradine kernel --emit-ll wrote it; write it again")
	}
	return &r, nil
}

var compilerWords = regexp.MustCompile(`^clang ((\d+)\.\d+\.\d+)$`)

// Differs says how the files and options of now differ from what IR was made of; "" if they
// do not. It needs no clang: read reads the files of the project.
func (r *Record) Differs(o Options, read func(name string) ([]byte, error)) string {
	m := compilerWords.FindStringSubmatch(r.Compiler)
	if m == nil {
		return fmt.Sprintf("it was compiled by %q, which is not clang", r.Compiler)
	}
	major, err := strconv.Atoi(m[2])
	if err != nil || major < Oldest || major > Newest {
		return fmt.Sprintf("it was compiled by %s; gradine supports clang %d to %d", r.Compiler, Oldest, Newest)
	}
	// Without --std, OpenCL is compiled by the first standard that accepts it: which one is known from the record alone.
	tried := []string{o.Std}
	if r.Language == OpenCL && o.Std == "" {
		tried = standards
	}
	now := flags(r.Language, o, Compiler{Major: major})
	same := slices.ContainsFunc(tried, func(std string) bool {
		with := o
		with.Std = std
		return slices.Equal(flags(r.Language, with, Compiler{Major: major}), r.Flags)
	})
	if !same || !slices.Equal(o.Instances, r.Asked) {
		return fmt.Sprintf("it was compiled with the flags %s, but the flags are now %s", said(r.Flags, r.Asked), said(now, o.Instances))
	}
	if r.Headers != "" && r.Headers != headerDigest(r.Language) {
		return "it was compiled with the headers of another version of gradine"
	}
	if len(r.Files) == 0 || r.Files[r.Source] == "" {
		return "its record names no source"
	}
	for _, name := range slices.Sorted(keys(r.Files)) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return name + " is not a file of the project"
		}
		text, err := read(name)
		switch {
		case err != nil:
			return name + ", its source, cannot be read"
		case digest(text) != r.Files[name]:
			return name + " has changed since it was compiled"
		}
	}
	for _, name := range r.Missing {
		if _, err := read(name); err == nil {
			return name + " exists now, but did not when it was compiled"
		}
	}
	return ""
}

// Major is the major version of the compiler, as it is written.
func (r *Record) Major() string {
	if m := compilerWords.FindStringSubmatch(r.Compiler); m != nil {
		return m[2]
	}
	return ""
}

// said are flags and instances as messages show them.
func said(flags, instances []string) string {
	return strings.Join(slices.Concat(flags, instances), " ")
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// headerDigest is the digest of all headers of this package for a language.
func headerDigest(l Language) string {
	h := sha256.New()
	files, err := headersOf(l)
	if err != nil {
		return ""
	}
	for _, name := range slices.Sorted(keys(files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// record says what the unit was made of.
func (j *job) record(u *Unit) error {
	u.Record = Record{
		Source: filepath.ToSlash(filepath.Clean(j.source.File)), Language: j.source.Language, Compiler: j.compiler.String(), Flags: j.flags(), Asked: j.options.Instances,
		Files: map[string]string{}, Macros: j.decidingMacros(), Missing: slices.Clone(j.missing), Found: maps.Clone(j.found), Before: j.before, Blanked: sorted(j.blanked), Lost: sorted(j.lost),
	}
	if j.source.Language == OpenCL || j.options.CUDAPath == "" {
		u.Headers = headerDigest(j.source.Language)
	}
	for _, name := range j.seen.order {
		at, err := j.absolute(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(j.source.Dir, at)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		text, err := j.source.read(name)
		if err != nil {
			return err
		}
		u.Files[filepath.ToSlash(rel)] = digest(text)
	}
	return nil
}

var conditional = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b[ \t]*((?:\\\r?\n|[^\n])*)`)

// decidingMacros are the macros that decide in the files of the project what is compiled, and
// that these files do not define themselves, each with its value. A verdict is about the code that they choose, so the record
// names them.
func (j *job) decidingMacros() []string {
	asked, own := map[string]bool{}, map[string]bool{}
	for _, name := range j.seen.order {
		text, err := j.source.read(name)
		if err != nil {
			continue
		}
		// The words in conditions are those that decide, unless the files define them.
		for _, m := range conditional.FindAllStringSubmatch(string(text), -1) {
			said, _, _ := strings.Cut(m[1], "//")
			for _, w := range identifier.FindAllString(said, -1) {
				asked[w] = true
			}
		}
		for _, m := range definedHere.FindAllStringSubmatch(string(text), -1) {
			own[m[1]] = true
		}
	}
	var out []string
	for _, w := range slices.Sorted(keys(asked)) {
		value, known := j.seen.macros[w]
		switch {
		case w == "defined" || own[w] || strings.HasPrefix(w, "__has_"):
		case !known:
			out = append(out, w+" is not defined")
		case value == "":
			out = append(out, w)
		default:
			out = append(out, w+"="+value)
		}
	}
	return out
}

var definedHere = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)`)
