// Package latex typesets models in LaTeX. It computes nothing.
package latex

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/project"
)

// latexHead begins a document that needs packages of every distribution only. What
// Event-B has beyond the usual symbols is put together from others.
const latexHead = `\documentclass[a4paper,10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=22mm]{geometry}
\setlength{\parindent}{0pt}
\newcommand{\kw}[1]{\textsf{\bfseries\small #1}}
\newcommand{\lab}[1]{\textsf{\small #1}}
\newcommand{\note}[1]{\hspace{1em}\textit{\small #1}}
\newcommand{\row}[2]{\par\hangindent=\dimexpr#1em+4em\relax\hangafter=1\hspace*{#1em}#2}
\newcommand{\pfun}{\mathrel{\ooalign{\hfil$\mapstochar\mkern5mu$\hfil\cr$\to$\cr}}}
\newcommand{\tinj}{\rightarrowtail}
\newcommand{\pinj}{\mathrel{\ooalign{\hfil$\mapstochar\mkern5mu$\hfil\cr$\rightarrowtail$\cr}}}
\newcommand{\tsur}{\twoheadrightarrow}
\newcommand{\psur}{\mathrel{\ooalign{\hfil$\mapstochar\mkern5mu$\hfil\cr$\twoheadrightarrow$\cr}}}
\newcommand{\tbij}{\mathrel{\ooalign{$\rightarrowtail$\cr\hfil$\mkern4mu\twoheadrightarrow$\cr}}}
\newcommand{\rel}{\leftrightarrow}
\newcommand{\trel}{\mathrel{\leftarrow\mkern-14mu\leftrightarrow}}
\newcommand{\srel}{\mathrel{\leftrightarrow\mkern-14mu\rightarrow}}
\newcommand{\strel}{\mathrel{\leftrightarrow\mkern-14mu\leftrightarrow}}
\newcommand{\domres}{\mathbin{\lhd}}
\newcommand{\domsub}{\mathbin{\lhd\mkern-14mu-}}
\newcommand{\ranres}{\mathbin{\rhd}}
\newcommand{\ransub}{\mathbin{\rhd\mkern-14mu-}}
\newcommand{\ovl}{\mathbin{\lhd\mkern-9mu-}}
\newcommand{\bcmin}{\mathrel{:\mkern1mu\in}}
\newcommand{\bcmsuch}{\mathrel{:\mkern1mu|}}
\newcommand{\upto}{\mathbin{.\,.}}
`

// latexSymbols says how the characters of formulas are set; others are letters of
// names, digits, or stand for themselves.
var latexSymbols = map[rune]string{
	'∧': `\land`, '∨': `\lor`, '¬': `\lnot`, '⇒': `\mathbin{\Rightarrow}`, '⇔': `\mathbin{\Leftrightarrow}`, '∀': `\forall`, '∃': `\exists`, '·': `\mathrel{\cdot}`, '⊤': `\top`, '⊥': `\bot`,
	'∈': `\in`, '∉': `\notin`, '⊆': `\subseteq`, '⊈': `\not\subseteq`, '⊂': `\subset`, '⊄': `\not\subset`, '≠': `\neq`, '≤': `\leq`, '≥': `\geq`, '=': `=`, '<': `<`, '>': `>`,
	'∪': `\cup`, '∩': `\cap`, '∖': `\setminus`, '∅': `\emptyset`, '×': `\times`, '↦': `\mapsto`, 'ℙ': `\mathbb{P}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, '⋃': `\bigcup`, '⋂': `\bigcap`,
	'↔': `\rel`, '→': `\to`, '⇸': `\pfun`, '↣': `\tinj`, '⤔': `\pinj`, '↠': `\tsur`, '⤀': `\psur`, '⤖': `\tbij`, '\ue100': `\trel`, '\ue101': `\srel`, '\ue102': `\strel`,
	'◁': `\domres`, '⩤': `\domsub`, '▷': `\ranres`, '⩥': `\ransub`, '\ue103': `\ovl`, '∘': `\circ`, ';': `\mathbin{;}`, '∼': `^{-1}`, '⊗': `\otimes`, '∥': `\parallel`,
	'+': `+`, '−': `-`, '-': `-`, '∗': `*`, '*': `*`, '÷': `\div`, '^': `\mathbin{\widehat{\ }}`, '‥': `\upto`, 'λ': `\lambda`, '∣': `\mid`, '|': `\mid`, '≔': `:=`, '⦂': `:`,
	'{': `\{`, '}': `\}`, '(': `(`, ')': `)`, '[': `[`, ']': `]`, ',': `,\;`, '\'': `'`, '.': `.`, ':': `:`, '/': `/`, '\\': `\setminus`,
}

// latexWords are spellings of two or more characters, the longest first.
var latexWords = []struct{ text, latex string }{
	{"ℕ1", `\mathbb{N}_1`}, {"ℙ1", `\mathbb{P}_1`}, {"<<->>", `\strel`}, {"<<->", `\trel`}, {"<->>", `\srel`}, {":∈", `\bcmin`}, {":∣", `\bcmsuch`}, {"<+", `\ovl`},
}

// Write writes components as a document, typeset as people print them.
func Write(w io.Writer, title, revision string, listings []project.Listing) error {
	var out strings.Builder
	out.WriteString(latexHead)
	fmt.Fprintf(&out, "\\title{%s}\n\\author{}\n\\date{%s}\n\\begin{document}\n\\maketitle\n", latexText(title), latexText(revision))
	for _, l := range listings {
		fmt.Fprintf(&out, "\n\\section*{%s %s}\n", strings.ToUpper(l.Kind[:1])+l.Kind[1:], latexText(l.Component))
		for _, line := range l.Lines {
			latexLine(&out, line)
		}
	}
	out.WriteString("\n\\end{document}\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// latexLine writes one line; further lines of its formula are set below its first.
func latexLine(out *strings.Builder, line project.Line) {
	var parts []string
	if line.Keyword != "" {
		parts = append(parts, `\kw{`+latexText(strings.ToUpper(line.Keyword))+"}")
	}
	if line.Name != "" {
		var names []string
		for name := range strings.SplitSeq(line.Name, ", ") {
			names = append(names, `\textit{`+latexText(name)+"}")
		}
		parts = append(parts, strings.Join(names, ", "))
	}
	if line.Theorem {
		parts = append(parts, `\kw{theorem}`)
	}
	if line.Label != "" {
		parts = append(parts, `\lab{`+latexText(line.Label)+":}")
	}
	comment := ""
	if line.Comment != "" {
		comment = `\note{` + latexText(line.Comment) + "}"
	}
	if strings.HasSuffix(line.Keyword, "event") {
		out.WriteString("\\smallskip\n")
	}
	indent := 2 * line.Depth
	// What precedes the formula is set before its first line, and the comment behind its last.
	for i, text := range line.Formula {
		set := strings.Join(append(parts, "$"+latexFormula(text)+"$"), " ")
		if i == len(line.Formula)-1 {
			set += comment
		}
		fmt.Fprintf(out, "\\row{%d}{%s}\n", indent, set)
		parts = nil
		if i == 0 {
			indent += 3
		}
	}
	if len(line.Formula) == 0 {
		fmt.Fprintf(out, "\\row{%d}{%s}\n", indent, strings.Join(parts, " ")+comment)
	}
}

// latexFormula sets a formula: names in italics, words of the language upright.
func latexFormula(text string) string {
	var out strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		r := runes[i]
		rest := string(runes[i:])
		j := i
		for j < len(runes) && (unicode.IsLetter(runes[j]) && latexSymbols[runes[j]] == "" || unicode.IsDigit(runes[j]) || runes[j] == '_') {
			j++
		}
		switch {
		case j > i:
			out.WriteString(latexName(string(runes[i:j])))
			i = j
			continue
		case r == ' ':
			if i > 0 && runes[i-1] == ' ' {
				out.WriteString(`\ `) // a blank beyond the first shows how the author indented
			} else {
				out.WriteByte(' ')
			}
			i++
			continue
		}
		found := false
		for _, word := range latexWords {
			if strings.HasPrefix(rest, word.text) {
				out.WriteString(word.latex + " ")
				i += len([]rune(word.text))
				found = true
				break
			}
		}
		if found {
			continue
		}
		if set, ok := latexSymbols[r]; ok {
			out.WriteString(set)
			if set != "" && unicode.IsLetter(rune(set[len(set)-1])) {
				out.WriteByte(' ')
			}
		} else {
			out.WriteString(`\text{` + latexText(string(r)) + "}")
		}
		i++
	}
	return out.String()
}

// operator reports whether a word is one of the language.
func operator(word string) bool {
	return slices.ContainsFunc(notation.All(), func(e *notation.Entry) bool { return e.Unicode == word })
}

func latexName(word string) string {
	switch {
	case unicode.IsDigit([]rune(word)[0]):
		return word
	case word == "mod":
		return `\mathbin{\mathrm{mod}}`
	case operator(word):
		return `\mathrm{` + word + "}"
	}
	return `\mathit{` + latexText(word) + "}"
}

// latexText keeps text from being read as commands; letters that the fonts lack are
// spelt.
func latexText(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case strings.ContainsRune(`#$%&_{}`, r):
			out.WriteString(`\` + string(r))
		case r == '\\':
			out.WriteString(`\textbackslash{}`)
		case r == '~':
			out.WriteString(`\textasciitilde{}`)
		case r == '^':
			out.WriteString(`\textasciicircum{}`)
		case r == '\n':
			out.WriteString(" ")
		case r < 0x80 || unicode.Is(unicode.Latin, r) && r < 0x180 || strings.ContainsRune("–—‘’“”…", r):
			out.WriteRune(r)
		case latexSymbols[r] != "":
			out.WriteString(`\ensuremath{` + latexSymbols[r] + "}")
		default:
			fmt.Fprintf(&out, "[U+%04X]", r)
		}
	}
	return out.String()
}
