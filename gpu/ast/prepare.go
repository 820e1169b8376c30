package ast

import (
	"regexp"

	"github.com/gradine/gradine/gpu/preproc"
)

var (
	silenced   = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]|\\\r?\n)*define(?:[ \t]|\\\r?\n)+NDEBUG\b`)
	dim3       = regexp.MustCompile(`\bdim3\s+[A-Za-z_]\w*\s*\(|\bdim3\s+[A-Za-z_]\w*\s*\([^;]*?\)\s*,\s*[A-Za-z_]\w*\s*\(`)
	tagged     = regexp.MustCompile(`(?m)^[ \t]*(struct|enum)[ \t]+([A-Za-z_]\w*)\s*\{`)
	alignments = regexp.MustCompile(`\b(__align__|_Alignas|alignas)\b|\b(aligned|packed|__aligned__|__packed__)\b`)
)

// prepare rewrites what is no C, where it can byte for byte at its place: launches f<<<g, b>>>(x)
// become calls f(g, b)(x).
func (r *reader) prepare(file string, src []byte) ([]byte, *preproc.Problem) {
	w, problem := preproc.Admit(file, src, r.unit.origin)
	if problem != nil {
		return nil, problem
	}
	for i := 0; i+2 < len(w.Code); i++ {
		switch string(w.Code[i : i+3]) {
		case "<<<":
			copy(w.Out[i:], "(  ")
			i += 2
		case ">>>":
			copy(w.Out[i:], ")  ")
			i += 2
		}
	}
	// dim3 x(a, b) is dim3 x={a, b}.
	for _, m := range dim3.FindAllIndex(w.Code, -1) {
		open := m[1] - 1
		if end := preproc.Closing(w.Code, open, '(', ')'); end >= 0 {
			w.Out[open], w.Out[end] = '{', '}'
			w.Insert(open, "=")
		}
	}
	text, moved := w.Finished()
	r.moved = moved
	return text, nil
}
