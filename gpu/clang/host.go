package clang

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// hosts are the headers that the host part sees in addition to those of its language.
//
//go:embed all:host
var hosts embed.FS

// hostHeader is included behind all others that this package brings.
const hostHeader = "gradine_host.h"

// hostHeaders are those for a language, by name. HIP has the functions of CUDA's host API under names of its own.
func hostHeaders(l Language) (map[string][]byte, error) {
	out := map[string][]byte{}
	if l == CHost || l == CXXHost {
		return map[string][]byte{hostHeader: nil}, nil // CL/cl.h has all
	}
	files, err := hosts.ReadDir("host")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if l == HIP && f.Name() != hostHeader {
			continue // it repairs a header of CUDA
		}
		text, err := hosts.ReadFile("host/" + f.Name())
		if err != nil {
			return nil, err
		}
		if l == HIP {
			text = bytes.ReplaceAll(text, []byte("cuda"), []byte("hip"))
		}
		out[f.Name()] = text
	}
	return out, nil
}

// Host is what clang made of the host part of a source.
type Host struct {
	IR    []byte
	Sites []LaunchSite
	Lost  []Repair // functions without their bodies, and declarations: what they launch is not known

	Mentioned map[string]bool // words in what is lost
	Catches   bool            // a file of the project catches exceptions: the IR is that of a program without any
}

// LaunchSite is a launch as the text has it, with all macros expanded.
type LaunchSite struct {
	File   string // of the project, as clang names it, without ./
	Line   int    // where the name of the kernel stands, or what stands for it
	Kernel string // its last name, without arguments of templates; "" if no plain name stands there
}

// CompileHost compiles the host part of a CUDA or HIP source, or a host of OpenCL, for reading what it launches. What clang does not compile
// loses its body, as a whole: nothing is known of a function that was read in part.
func (c Compiler) CompileHost(ctx context.Context, src Source, o Options) (*Host, error) {
	if src.Language == OpenCL || o.CUDAPath != "" {
		return nil, fmt.Errorf("launches are read of hosts in CUDA, HIP, and C or C++ with OpenCL, with the declarations that gradine brings")
	}
	if src.Language == HIP && c.Major < 15 {
		return nil, fmt.Errorf("clang %d crashes on the host part of HIP; use clang 15 or later", c.Major)
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	j, err := c.begin(src, o)
	if err != nil {
		return nil, err
	}
	defer j.overlay.close()
	// The declarations of the host take the place of the toolkit's, and are mounted like files of the project.
	j.host = true
	files, err := hostHeaders(src.Language)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := j.overlay.mount(path.Join(root, name), files[name]); err != nil {
			return nil, err
		}
	}
	u, err := j.compile(ctx)
	if err != nil {
		return nil, err
	}
	return &Host{IR: u.IR, Sites: j.seen.launches(), Lost: u.Lost, Mentioned: j.mentioned, Catches: j.seen.catches()}, nil
}

// Launches reports whether a text may launch kernels: most files of kernels alone do not.
func Launches(src []byte) bool {
	return strings.Contains(string(src), "<<<") || strings.Contains(string(src), "<< <") || strings.Contains(string(src), "LaunchKernel") || strings.Contains(string(src), "LaunchCooperativeKernel")
}

// hosted are the flags of every run for the host part. The target is the same on every machine, so that arguments
// are passed in one way.
func (l Language) hosted(o Options, c Compiler) []string {
	var out []string
	for _, f := range l.fixed(o, c) {
		switch f {
		case "--cuda-device-only":
			out = append(out, "--cuda-host-only")
		case "-nocudalib", "--cuda-noopt-device-debug":
		default:
			out = append(out, f)
		}
	}
	if i := slices.Index(out, "+ptx75"); i >= 3 {
		out = slices.Delete(out, i-3, i+1) // a feature of the device
	}
	if l == HIP { // a launch is told as in CUDA without a toolkit: a configuration, its arguments, and a call
		out = append(out, "-fno-hip-new-launch-api")
	}
	return append(out, "-fignore-exceptions", "-mllvm", "-inline-threshold=2000")
}

var (
	launchOpens = regexp.MustCompile(`<<\s*<`)
	launchCalls = regexp.MustCompile(`\w*Launch(?:Cooperative)?Kernel\w*\s*\(\s*(?:\([^()]*\)\s*)?&?\s*(?:\w+\s*::\s*)*(\w*)`)
	enqueues    = regexp.MustCompile(`\bclEnqueue(?:NDRangeKernel|Task)\b`)
	behindPath  = regexp.MustCompile(`([A-Za-z_]\w*)$`)
)

// catches reports whether a file of the project has a handler of exceptions.
func (p *preprocessed) catches() bool {
	for _, lines := range p.files {
		for _, line := range lines {
			if handler.MatchString(quoted.ReplaceAllString(line, "")) {
				return true
			}
		}
	}
	return false
}

var handler = regexp.MustCompile(`\bcatch\b`)

// launches are the places in the files of the project where the text has a launch.
func (p *preprocessed) launches() (out []LaunchSite) {
	for _, name := range p.order {
		var b strings.Builder
		var starts []int // of lines in the text
		var numbers []int
		lines := p.files[name]
		all := make([]int, 0, len(lines))
		for l := range lines {
			all = append(all, l)
		}
		slices.Sort(all)
		for _, l := range all {
			starts, numbers = append(starts, b.Len()), append(numbers, l)
			b.WriteString(lines[l])
			b.WriteByte('\n')
		}
		text := quoted.ReplaceAllStringFunc(b.String(), func(s string) string { return strings.Repeat(" ", len(s)) })
		add := func(kernel string, at int) {
			i, ok := slices.BinarySearch(starts, at)
			if !ok {
				i--
			}
			out = append(out, LaunchSite{File: strings.TrimPrefix(filepath.ToSlash(name), "./"), Line: numbers[i], Kernel: kernel})
		}
		for _, m := range launchOpens.FindAllStringIndex(text, -1) {
			add(launched(text[:m[0]]))
		}
		for _, m := range enqueues.FindAllStringIndex(text, -1) {
			add("", m[0])
		}
		for _, m := range launchCalls.FindAllStringSubmatchIndex(text, -1) {
			add(text[m[2]:m[3]], m[0])
		}
	}
	return out
}

// quoted are strings and characters.
var quoted = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)

// launched is the name at the end of a text, without arguments of templates, and where what it ends begins.
func launched(text string) (name string, at int) {
	rest := strings.TrimRight(text, " \t\n")
	if strings.HasSuffix(rest, ">") {
		depth := 0
		i := len(rest) - 1
		for ; i >= 0; i-- {
			switch rest[i] {
			case '>':
				depth++
			case '<':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if i < 0 {
			return "", len(rest)
		}
		rest = strings.TrimRight(rest[:i], " \t\n")
	}
	m := behindPath.FindString(rest)
	at = len(rest) - len(m)
	for { // a::b
		before := strings.TrimRight(rest[:at], " \t\n")
		if !strings.HasSuffix(before, "::") {
			break
		}
		before = strings.TrimRight(strings.TrimSuffix(before, "::"), " \t\n")
		more := behindPath.FindString(before)
		at = len(before) - len(more)
		if more == "" {
			break
		}
	}
	return m, min(at, max(0, len(text)-1))
}
