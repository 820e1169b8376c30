package preproc

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// What stands in declarations: the end of a function without its body, the word for an operator, the beginning of a template.
var (
	FunctionHead = regexp.MustCompile(`\)\s*((const|noexcept|override)\s*)*$`)
	Overloads    = regexp.MustCompile(`\boperator\b`)
	TemplateHead = regexp.MustCompile(`\btemplate\s*<`)
)

var (
	tagIn      = regexp.MustCompile(`\b(?:struct|enum|union|class)\s+([A-Za-z_]\w*)`)
	enumerated = regexp.MustCompile(`\benum\b[^{};()]*\{([^{}]*)\}`)
	befriends  = regexp.MustCompile(`\bfriend\b`)
	called     = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(`)
)

// Item is a declaration outside of all brackets. Its body, if it has one, begins at Body, which is −1 if not.
type Item struct{ From, Body, To int }

// TopLevel splits code into items. Directives of the preprocessor stand between them and in them,
// and extern "C" with brackets is none. It fails where brackets do not match, also under a condition alone.
func TopLevel(code []byte) (items []Item, ok bool) {
	none := Item{-1, -1, -1}
	current, depth, opened := none, 0, 0
	var outside []int // how deep it is outside of the conditions of the preprocessor
	ok = true
	for i := 0; i < len(code); i++ {
		c := code[i]
		if c == '#' && len(bytes.TrimSpace(code[bytes.LastIndexByte(code[:i], '\n')+1:i])) == 0 {
			end := endOfDirective(code, i)
			switch m := condition.FindSubmatch(code[i:end]); {
			case m == nil:
			case bytes.HasPrefix(m[1], []byte("if")):
				outside = append(outside, depth)
			case len(outside) == 0 || outside[len(outside)-1] != depth:
				ok = false
			case string(m[1]) == "endif":
				outside = outside[:len(outside)-1]
			}
			i = end - 1
			continue
		}
		if c == '}' && depth == 0 && opened > 0 {
			opened--
			continue
		}
		if current.From < 0 && c > ' ' {
			current.From = i
		}
		switch c {
		case '{':
			if depth == 0 && string(bytes.TrimSpace(code[current.From:i])) == "extern" {
				current = none
				opened++
				continue
			}
			if depth == 0 && current.Body < 0 {
				current.Body = i
			}
			depth++
		case '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		}
		if depth < 0 {
			return nil, false
		}
		// Behind the body of a function there is no semicolon, behind that of a structure there is.
		if depth == 0 && (c == ';' || c == '}' && current.Body >= 0 && FunctionHead.Match(code[current.From:current.Body])) {
			current.To = i + 1
			items = append(items, current)
			current = none
		}
	}
	return items, ok && depth == 0 && opened == 0 && len(outside) == 0
}

// condition is a directive of the preprocessor that begins, divides or ends what is compiled under a condition.
var condition = regexp.MustCompile(`^#(?:[ \t]|\\\r?\n)*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b`)

// ItemAt is the item that an offset is in.
func ItemAt(code []byte, at int) (Item, bool) {
	items, ok := TopLevel(code)
	if !ok || at < 0 {
		return Item{}, false
	}
	i := slices.IndexFunc(items, func(i Item) bool { return i.From <= at && at < i.To })
	if i < 0 {
		return Item{}, false
	}
	return items[i], true
}

// BlankItems blanks items of a text but for their directives, without comments: what they define can be used behind them.
func BlankItems(text []byte, items []Item) {
	code, plain := CodeOnly(text), without(text, false)
	for _, i := range items {
		blankCode(text[i.From:i.To], code[i.From:i.To], plain[i.From:i.To])
	}
}

func blankCode(text, code, plain []byte) {
	copy(text, plain)
	for i := 0; i < len(text); {
		end := i + bytes.IndexByte(text[i:], '\n') + 1
		if end == i {
			end = len(text)
		}
		if line := bytes.TrimSpace(code[i:end]); len(line) > 0 && line[0] == '#' {
			end = endOfDirective(text, i)
		} else {
			Blank(text[i:end])
		}
		i = max(end, i+1)
	}
}

// Head is the item up to its body, without the parameters of a template, blanked in place.
func (i Item) Head(code []byte) []byte {
	end := i.To
	if i.Body >= 0 {
		end = i.Body
	}
	head := bytes.Clone(code[i.From:end])
	BlankDirectives(head)
	for {
		m := TemplateHead.FindIndex(head)
		if m == nil {
			return head
		}
		last := CloseAngle(head, m[1]-1)
		if last < 0 {
			return head
		}
		Blank(head[m[0] : last+1])
	}
}

// IsFunction reports whether the item declares a function, by its form.
func (i Item) IsFunction(code []byte) bool {
	head := i.Head(code)
	open := bytes.IndexByte(head, '(')
	switch {
	case open < 0, i.Body >= 0 && !FunctionHead.Match(head):
		return false
	}
	return bytes.IndexByte(head[:open], '=') < 0 || Overloads.Match(head[:open])
}

// Function is the name of the function that the item declares, "" if it declares none. It is plain if it is all that the
// item declares, unless macros have a part in it.
func (i Item) Function(code []byte) (name string, plain bool) {
	head := i.Head(code)
	if !i.IsFunction(code) {
		return "", false
	}
	for open := bytes.IndexByte(head, '('); open < len(head); {
		past := Closing(head, open, '(', ')')
		if past < 0 {
			return "", false
		}
		next := bytes.IndexByte(head[past:], '(')
		if ParameterList(head, open) {
			return WordBefore(head, SpaceBefore(head, open)), ending.Match(head[past:])
		}
		if next < 0 {
			break
		}
		open = past + next
	}
	return "", false
}

// ParameterList reports whether the bracket at open is that of the parameters of a function.
func ParameterList(code []byte, open int) bool {
	name := WordBefore(code, SpaceBefore(code, open))
	return name != "" && name != "__launch_bounds__" && name != "__attribute__" && name != "__align__"
}

// ending is what may follow the parameters of a function that stands alone.
var ending = regexp.MustCompile(`^\)\s*((const|noexcept)\s*)*;?\s*$`)

// Declarators are the words of a declaration that may be what it declares: tags, and those that something other than a
// word, a star or a bracket that closes follows.
func Declarators(head []byte) (out []string) {
	for _, m := range tagIn.FindAllSubmatch(head, -1) {
		out = append(out, string(m[1]))
	}
	for _, m := range Identifier.FindAllIndex(head, -1) {
		next := SpaceBehind(head, m[1])
		if next < len(head) && (strings.IndexByte("*&>", head[next]) >= 0 || bytes.HasPrefix(head[next:], []byte("::")) || inWord(head[next]) && !behindName.Match(head[next:])) {
			continue
		}
		out = append(out, Others(head[m[0]:m[1]])...)
	}
	return out
}

// behindName are words that may stand behind the name that a declaration declares.
var behindName = regexp.MustCompile(`^(__attribute|__attribute__|alignas|_Alignas|__align__|asm|__asm__|noexcept|final|override|const|volatile|throw|requires)\b`)

// InBody are the names that the body of what is no function may declare in addition to members, and those behind it.
func (i Item) InBody(code []byte) (out []string) {
	if i.Body < 0 {
		return nil
	}
	body := code[i.Body:i.To]
	forms := []*regexp.Regexp{tagIn, enumerated}
	if befriends.Match(body) {
		forms = append(forms, called)
	}
	for _, form := range forms {
		for _, m := range form.FindAllSubmatch(code[i.From:i.To], -1) {
			out = append(out, Others(m[1])...)
		}
	}
	if end := Closing(body, 0, '{', '}'); end >= 0 {
		out = append(out, Others(body[end:])...)
	}
	return out
}
