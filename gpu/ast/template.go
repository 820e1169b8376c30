package ast

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
	"modernc.org/cc/v4"
)

// template is a function with parameters that are types and numbers. Its text is parsed once, with the
// parameters as names, and read anew for each choice of them.
type template struct {
	name     string
	at       preproc.Place
	from, to int // its head, and the name behind that
	params   []templateParameter
	text     *cc.FunctionDefinition
	nameAt   preproc.Place // of its name
	used     bool          // it is a kernel, and has an instance
	pattern  *Function     // its parameters, with types that stand for those of the template
}

// templateParameter is a type, or a number of type typ.
type templateParameter struct {
	name string
	typ  *Ctype
}

var (
	instantiation    = regexp.MustCompile(`\btemplate\s+[^<;{}()]*?\b([A-Za-z_]\w*)\s*<`)
	named            = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*<`)
	templateOf       = regexp.MustCompile(`^\s*(struct|class|union|using|template)\b`)
	ofType           = regexp.MustCompile(`^(?:typename|class)\s+([A-Za-z_]\w*)$`)
	ofNumber         = regexp.MustCompile(`^((?:const\s+)?[A-Za-z_][\w ]*?)\s+([A-Za-z_]\w*)$`)
	plainNumber      = regexp.MustCompile(`^[\w\s+*/()%-]+$`)
	templateNumberOf = map[string]*Ctype{"int": TInt, "unsigned": TUint, "unsigned int": TUint, "bool": TBool, "long": TLong, "unsigned long": TUlong, "long long": TLong, "short": IntOf(16, true), "char": IntOf(8, true), "unsigned char": IntOf(8, false), "unsigned short": IntOf(16, false)}
)

// headers takes the heads of templates out of the text.
func (c *cplusplus) headers(w *preproc.Rewriting, types map[string]bool) *preproc.Problem {
	for _, m := range preproc.TemplateHead.FindAllIndex(w.Code, -1) {
		end := preproc.Angles(w.Code, m[1]-1)
		if end < 0 {
			continue // and is refused as foreign
		}
		t := &template{at: w.Place(m[0]), from: m[0]}
		if templateOf.Match(w.Code[end+1:]) || len(bytes.TrimSpace(w.Code[m[1]:end])) == 0 {
			continue
		}
		for _, p := range preproc.Split(w.Code, m[1], end) {
			text := strings.Join(strings.Fields(string(w.Code[p.From:p.To])), " ")
			if of := ofType.FindStringSubmatch(text); of != nil {
				t.params = append(t.params, templateParameter{name: of[1]})
				types[of[1]] = true
				continue
			}
			var typ *Ctype
			of := ofNumber.FindStringSubmatch(text)
			if of != nil {
				name := strings.TrimPrefix(of[1], "const ")
				if typ = templateNumberOf[name]; typ == nil {
					typ = Scalars[name]
				}
			}
			if typ == nil || typ.Kind != IntType {
				return w.Refuse(preproc.SpaceBehind(w.Code, p.From), "a parameter of a template that is neither a type without default nor a number without default")
			}
			t.params = append(t.params, templateParameter{name: of[2], typ: typ})
		}
		open := end + 1 + bytes.IndexByte(w.Code[end+1:], '(')
		for open > end && open < len(w.Code) && !preproc.ParameterList(w.Code, open) {
			past := preproc.Closing(w.Code, open, '(', ')')
			if past < 0 {
				break
			}
			open = past + 1 + bytes.IndexByte(w.Code[past+1:], '(')
		}
		if open <= end {
			continue
		}
		t.to = preproc.SpaceBefore(w.Code, open)
		t.name = preproc.WordBefore(w.Code, t.to)
		t.nameAt = w.Place(t.to - len(t.name))
		preproc.Blank(w.Out[m[0] : end+1])
		preproc.Blank(w.Code[m[0] : end+1])
		c.templates = append(c.templates, t)
		c.byName[t.name] = t
	}
	return nil
}

// inUse calls visit for what looks like a template with arguments, which begin at the last offset.
func (c *cplusplus) inUse(code []byte, visit func(t *template, from, arguments int) *preproc.Problem) *preproc.Problem {
	for _, m := range named.FindAllSubmatchIndex(code, -1) {
		if t := c.byName[string(code[m[2]:m[3]])]; t != nil {
			if problem := visit(t, m[0], m[1]); problem != nil {
				return problem
			}
		}
	}
	return nil
}

// explicit takes instantiations out of the text, and asks for their instances behind it.
func (c *cplusplus) explicit(w *preproc.Rewriting, types map[string]bool) *preproc.Problem {
	macros, latest := preproc.MacrosIn(w.Code, nil), preproc.LastDefined(w.Code)
	behind := func(from, to int) bool { // which macros mean something else
		text, _ := macros.Expanded(w.Code[from:to])
		return preproc.OfPlace.Match(text) || slices.ContainsFunc(preproc.Others(text), func(w string) bool { return latest[w] > from })
	}
	for _, m := range instantiation.FindAllSubmatchIndex(w.Code, -1) {
		t := c.byName[string(w.Code[m[2]:m[3]])]
		past, end := preproc.Angles(w.Code, m[1]-1), bytes.IndexByte(w.Code[m[1]:], ';')
		if t == nil || past < 0 || end < 0 || behind(m[1], past) || !c.want(t, w.Code[m[1]:past], types) {
			return w.Refuse(m[0], "an instantiation of this form")
		}
		preproc.Blank(w.Out[m[0] : m[1]+end+1])
		preproc.Blank(w.Code[m[0] : m[1]+end+1])
	}
	return nil
}

// launched asks for the instances that the host, whose text is left out, names.
func (c *cplusplus) launched(w *preproc.Rewriting, host []byte, types map[string]bool) {
	macros, twice, hiding := preproc.MacrosIn(w.Code, nil), preproc.RedefinedIn(w.Code), declaredIn(host)
	_ = c.inUse(host, func(t *template, _, from int) *preproc.Problem {
		end := preproc.Angles(host, from-1)
		var given []byte
		if end >= 0 {
			given, _ = macros.Expanded(host[from:end])
		}
		if from < len(host) && host[from] == '<' || end < 0 || preproc.OfPlace.Match(given) || preproc.Mentions(given, twice) || preproc.Mentions(given, hiding) || !c.want(t, host[from:end], types) {
			c.unread = append(c.unread, t.name+": one launch of it gives the template arguments that are not read here; it is not judged with them")
		}
		return nil
	})
}

// declaredIn are the words that code may declare, by what stands around them somewhere.
func declaredIn(code []byte) map[string]bool {
	out := map[string]bool{}
	for _, m := range preproc.Identifier.FindAllIndex(code, -1) {
		before, next := preproc.SpaceBefore(code, m[0]), preproc.SpaceBehind(code, m[1])
		last, word, follows := byte(0), preproc.WordBefore(code, before), string(code[next:min(len(code), next+2)])+"  "
		if before > 0 {
			last = code[before-1]
		}
		if word != "" && !operatorWords[word] || follows[0] == '=' && follows[1] != '=' || strings.IndexByte("{(}", follows[0]) >= 0 ||
			strings.IndexByte("*&>", last) >= 0 && strings.IndexByte(";[", follows[0]) >= 0 {
			out[string(code[m[0]:m[1]])] = true
		}
	}
	return out
}

// operatorWords are the words behind which a value may stand.
var operatorWords = map[string]bool{"return": true, "case": true, "else": true, "and": true, "or": true, "not": true, "sizeof": true, "throw": true}

// want asks for an instance behind the text. It is false if the arguments are no types and numbers.
func (c *cplusplus) want(t *template, text []byte, types map[string]bool) bool {
	pieces := preproc.Split(text, 0, len(text))
	if len(pieces) != len(t.params) {
		return false
	}
	var args []string
	for i, p := range pieces {
		arg := string(bytes.TrimSpace(text[p.From:p.To]))
		switch {
		case t.params[i].typ == nil:
			for _, word := range preproc.Word.FindAllString(arg, -1) {
				if !types[word] && word != "const" {
					return false
				}
			}
			args = append(args, "("+arg+")0")
		case !plainNumber.MatchString(arg):
			return false
		default:
			args = append(args, "("+arg+")")
		}
	}
	fmt.Fprintf(&c.behind, "int %s%d(void) { return %s(%s); }\n", wantedName, len(c.wanted), t.name, strings.ReplaceAll(strings.Join(args, ", "), "\n", " "))
	c.wanted = append(c.wanted, fmt.Sprintf("%s<%s> is not judged: its arguments are no types and numbers that this file knows", t.name, strings.Join(strings.Fields(string(text)), " ")))
	return true
}

// uses makes calls of templates with arguments, f<T, 4>(x), calls of calls: f((T)0, 4)(x).
func (c *cplusplus) uses(w *preproc.Rewriting, _ map[string]bool) *preproc.Problem {
	return c.inUse(w.Code, func(t *template, name, from int) *preproc.Problem {
		if from < len(w.Code) && w.Code[from] == '<' {
			return w.Refuse(name, fmt.Sprintf("a launch of the template %s without its arguments; write %s<…><<<…>>>", t.name, t.name))
		}
		if w.Directive[w.Line(name)] {
			c.unread = append(c.unread, t.name+": a macro gives it template arguments; a kernel is not judged with those")
		}
		end := preproc.Angles(w.Code, from-1)
		next := preproc.SpaceBehind(w.Code, end+1)
		if end < 0 || next == len(w.Code) || w.Code[next] != '(' && !bytes.HasPrefix(w.Code[next:], []byte("<<<")) {
			return w.Refuse(name, fmt.Sprintf("a use of the template %s that is no call", t.name))
		}
		pieces := preproc.Split(w.Code, from, end)
		if len(pieces) > len(t.params) {
			return w.Refuse(name, fmt.Sprintf("%d arguments of the template %s", len(pieces), t.name))
		}
		for i, p := range pieces {
			if p = preproc.Trimmed(w.Code, p); t.params[i].typ == nil {
				w.Insert(p.From, "(")
				w.Insert(p.To, ")0")
			}
		}
		w.Out[from-1], w.Out[end] = '(', ')'
		w.Code[from-1], w.Code[end] = '(', ')'
		c.arguments[w.Place(from-1)] = true
		return nil
	})
}
