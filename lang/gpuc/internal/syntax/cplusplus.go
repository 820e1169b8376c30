package syntax

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
)

// foreign is what C++ has and C has not, with what can be written instead: the parser
// would only say that it did not expect a word.
var foreign = []struct {
	form    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\btemplate\s*<`), "a template; write the function for each type that it is launched with"},
	{regexp.MustCompile(`\b(class|namespace|using|typename|operator|concept)\b`), "C++ beyond C; write functions and structures of C"},
	{regexp.MustCompile(`\bauto\s*&?\s*[A-Za-z_]\w*\s*=`), "auto; write the type"},
	{regexp.MustCompile(`[=(,]\s*\[[&=\w\s,]*\]\s*\([^()]*\)\s*(mutable\s*)?(->\s*\w+\s*)?\{`), "a lambda; make it a __device__ function"},
	{regexp.MustCompile(`\b(texture|surface)\s*<`), "a texture; take an array"},
	{regexp.MustCompile(`\bdynamic_cast\b`), "dynamic_cast; nothing of C does that"},
	{regexp.MustCompile(`\b[A-Za-z_]\w*\s*::\s*[A-Za-z_]`), "a name of a namespace or class; write functions and structures of C"},
}

var castOf = regexp.MustCompile(`\b(static_cast|reinterpret_cast|const_cast)\s*<`)

// beyondC makes casts of C++ casts of C in the code of CUDA, byte for byte at their place,
// and refuses other constructs of C++ by name.
func beyondC(file string, src, code, out []byte) *Problem {
	if filepath.Ext(file) != ".cu" {
		return nil
	}
	for _, f := range foreign {
		if m := f.form.FindIndex(code); m != nil {
			at := m[0] + len(code[m[0]:m[1]]) - len(bytes.TrimLeft(code[m[0]:m[1]], "=(, \t\n"))
			return Refuse(file, placeOf(src, at), f.instead)
		}
	}
	for _, m := range castOf.FindAllSubmatchIndex(code, -1) {
		angle := closing(code, m[1]-1, '<', '>')
		open := angle + 1
		for open < len(code) && (code[open] == ' ' || code[open] == '\n') {
			open++
		}
		end := -1
		if angle >= 0 && open < len(code) && code[open] == '(' {
			end = closing(code, open, '(', ')')
		}
		if end < 0 {
			return Refuse(file, placeOf(src, m[0]), fmt.Sprintf("a %s of this form", code[m[2]:m[3]]))
		}
		blank(out[m[0] : m[1]-1])
		out[m[1]-1], out[angle] = '(', ')'
		// What follows would bind closer than a cast of C: ((T) x)[i] then, for a plain x.
		rest := bytes.TrimLeft(code[end+1:], " \t\n")
		if len(rest) == 0 || !bytes.ContainsAny(rest[:1], "[.(") && !bytes.HasPrefix(rest, []byte("->")) && !bytes.HasPrefix(rest, []byte("++")) && !bytes.HasPrefix(rest, []byte("--")) {
			continue
		}
		if !word.Match(code[open+1:end]) || len(word.Find(code[open+1:end])) != len(bytes.TrimSpace(code[open+1:end])) {
			return Refuse(file, placeOf(src, m[0]), fmt.Sprintf("a %s of more than a name, with an access behind it; write a cast of C", code[m[2]:m[3]]))
		}
		out[m[1]-2], out[open] = '(', ' '
	}
	return nil
}
