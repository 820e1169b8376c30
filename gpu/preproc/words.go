package preproc

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Words of a text: anywhere, from the beginning of a word, from that of the text.
var (
	Word       = regexp.MustCompile(`[A-Za-z_]\w*`)
	Identifier = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	FirstWord  = regexp.MustCompile(`^[A-Za-z_]\w*`)
)

// Words that nothing declares.
var (
	Qualifiers = strings.Fields("__global__ __device__ __shared__ __constant__ __host__ __managed__ __noinline__ __forceinline__ __inline__ __restrict__ __launch_bounds__ __align__ __attribute__ __kernel kernel __global global __local local __constant constant __private")
	Keywords   = strings.Fields("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false class template typename using namespace constexpr operator")
)

// Blank makes spaces of a part of a text, but keeps its lines.
func Blank(b []byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
}

// CodeOnly is src with comments, strings and characters blanked.
func CodeOnly(src []byte) []byte { return without(src, true) }

// without is src with comments blanked, and strings and characters if that is asked for.
func without(src []byte, strings bool) []byte {
	// Blanked and not removed, so that places stay the same.
	out := bytes.Clone(src)
	for i := 0; i < len(out); i++ {
		end := i
		switch {
		case bytes.HasPrefix(out[i:], []byte("//")):
			if end = bytes.IndexByte(out[i:], '\n'); end < 0 {
				end = len(out) - i
			}
			end += i
		case bytes.HasPrefix(out[i:], []byte("/*")):
			if end = bytes.Index(out[i+2:], []byte("*/")); end < 0 {
				end = len(out) - i - 4
			}
			end += i + 4
		case out[i] == '"' || out[i] == '\'':
			for end = i + 1; end < len(out) && out[end] != out[i] && out[end] != '\n'; end++ {
				if out[end] == '\\' {
					end++
				}
			}
			end++
		default:
			continue
		}
		end = min(end, len(out))
		if out[i] == '/' || strings {
			Blank(out[i:end])
		}
		i = end - 1
	}
	return out
}

// inWord reports whether c may stand in a word.
func inWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// Closing is where the bracket at open is closed, or −1.
func Closing(code []byte, open int, left, right byte) int {
	depth := 0
	for i := open; i < len(code); i++ {
		switch code[i] {
		case left:
			depth++
		case right:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// CloseAngle returns the place of the > that closes the < at open, or −1. It takes a < for an operator, which nothing
// closes, if a statement ends or an outer parenthesis closes first; brackets within parentheses do not count.
func CloseAngle(code []byte, open int) int {
	depth, round := 0, 0
	const most = 10_000 // bytes: without a bound, a text of operators would take quadratic time
	for i := open; i < min(len(code), open+most); i++ {
		switch code[i] {
		case '(':
			round++
		case ')':
			if round--; round < 0 {
				return -1
			}
		case ';', '{', '}':
			return -1
		case '<':
			if round == 0 {
				depth++
			}
		case '>':
			if round == 0 {
				if depth--; depth == 0 {
					return i
				}
			}
		}
	}
	return -1
}

// WordBefore is the word that ends in front of i.
func WordBefore(code []byte, i int) string {
	from := i
	for from > 0 && (code[from-1] == '_' || code[from-1]|32 >= 'a' && code[from-1]|32 <= 'z' || code[from-1] >= '0' && code[from-1] <= '9') {
		from--
	}
	return string(code[from:i])
}

// SpaceBefore skips blanks to the left of i.
func SpaceBefore(code []byte, i int) int {
	for i > 0 && strings.IndexByte(" \t\r\n", code[i-1]) >= 0 {
		i--
	}
	return i
}

// SpaceBehind skips blanks from i on.
func SpaceBehind(code []byte, i int) int {
	for i < len(code) && strings.IndexByte(" \t\r\n", code[i]) >= 0 {
		i++
	}
	return i
}

// endOfDirective is where the line ends that begins at i, with those that carry it on.
func endOfDirective(code []byte, i int) int {
	for i < len(code) && (code[i] != '\n' || bytes.HasSuffix(bytes.TrimSuffix(code[:i], []byte("\r")), []byte("\\"))) {
		i++
	}
	return i
}

// BlankDirectives takes the directives of the preprocessor out of a text.
func BlankDirectives(text []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] == '#' {
			end := endOfDirective(text, i)
			Blank(text[i:end])
			i = end
		}
	}
}

// OffsetOf is where a place is in a text, −1 if it is not there.
func OffsetOf(text []byte, p Place) int {
	at, line, col := 0, p.Line, p.Col
	for ; line > 1; line-- {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return -1
		}
		at += end + 1
	}
	return min(at+max(col-1, 0), len(text))
}

// Others are the words of a text that are neither keywords nor qualifiers.
func Others(text []byte) []string {
	return slices.DeleteFunc(Identifier.FindAllString(string(text), -1), func(w string) bool {
		return slices.Contains(Keywords, w) || slices.Contains(Qualifiers, w)
	})
}
