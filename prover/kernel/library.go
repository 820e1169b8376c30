package kernel

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/gradine/gradine/logic"
)

// Theorem is a lemma of the library: a schema whose formula is proved from the
// axioms alone. Statement is that formula, over free identifiers and carrier sets;
// as it holds of all their values, so it does of all types. An instance puts closed
// terms for the identifiers, its parameters, and types for the carrier sets.
type Theorem struct {
	Schema
	Bank      *logic.Bank // frozen
	Statement logic.Term
	Free      []logic.Term // the parameters: the free identifiers of Statement, in order of occurrence
	err       error
}

// LemmaFiles are the lemmas, a certificate lemmas/NAME.cert each, whose last term is the statement. They
// may use one another, not in circles.
//
//go:embed lemmas
var LemmaFiles embed.FS

// library has the lemmas looked up so far, good and bad ones.
var (
	libraryLock sync.Mutex
	library     = map[string]*Theorem{}
)

// Lemmas returns the names of the lemmas, sorted.
func Lemmas() (names []string) {
	files, _ := fs.Glob(LemmaFiles, "lemmas/*.cert")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f, "lemmas/"), ".cert"))
	}
	return names
}

// FindLemma returns the lemma called name. It fails if there is none, or if its
// certificate, which is checked once a process, proves nothing.
func FindLemma(name string) (*Theorem, error) {
	libraryLock.Lock()
	defer libraryLock.Unlock()
	return findLemma(name)
}

func findLemma(name string) (*Theorem, error) {
	if l, ok := library[name]; ok {
		return l, l.err
	}
	text, err := LemmaFiles.ReadFile("lemmas/" + name + ".cert")
	if err != nil {
		return nil, fmt.Errorf("kernel: no lemma %q", name)
	}
	l := &Theorem{Bank: logic.NewBank(), err: fmt.Errorf("kernel: lemma %q rests on itself", name)}
	library[name] = l
	l.err = l.load(name, text)
	return l, l.err
}

// load reads and checks the certificate of lemma name.
func (l *Theorem) load(name string, text []byte) error {
	d, err := decode(l.Bank, text)
	if err != nil {
		return err
	}
	l.Statement = d.terms[len(d.terms)-1]
	if _, err = check(logic.Sequent{Bank: l.Bank, Goal: l.Statement}, &d.proof, true); err != nil {
		return err
	}
	l.Free = l.Bank.FreeIdents(l.Statement)
	l.Schema = Schema{Name: name, lemma: true, Params: strings.Repeat("x: ", len(l.Free)), body: l.instance}
	l.Bank.Freeze()
	return nil
}

func (l *Theorem) instance(m maker, args []term) term {
	im := logic.NewImporter(m.Bank, l.Bank, true)
	for i, p := range l.Free {
		l.match(im, m.Bank, l.Bank.Type(p), m.Type(args[i]))
	}
	for i, p := range l.Free {
		need(im.Type(l.Bank.Type(p)) == m.Type(args[i]), "%s: argument %d has another type", l.Name, i)
		im.Put(p, args[i])
	}
	return im.Term(l.Statement)
}

// match instantiates the carrier sets of s so that it becomes t, if possible.
func (l *Theorem) match(im *logic.Importer, bank *logic.Bank, s, t logic.Type) {
	switch l.Bank.TypeKind(s) {
	case logic.KindGiven:
		im.PutType(s, t)
	case logic.KindPow:
		l.match(im, bank, l.Bank.Elem(s), bank.Elem(t))
	case logic.KindProd:
		x, y := l.Bank.Pair(s)
		v, w := bank.Pair(t)
		l.match(im, bank, x, v)
		l.match(im, bank, y, w)
	}
}
