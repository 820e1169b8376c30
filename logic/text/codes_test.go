package text_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// codes are those that fingerprints are made of. Stores and locks that exist depend on
// them: none may change. Those of later operators are pinned by testdata/fingerprints.txt.
var codes = map[logic.Op]byte{
	logic.True: 1, logic.False: 2, logic.Not: 3, logic.And: 4, logic.Or: 5, logic.Implies: 6, logic.Iff: 7,
	logic.Forall: 8, logic.Exists: 9,
	logic.Eq: 10, logic.Neq: 11, logic.Lt: 12, logic.Le: 13, logic.Gt: 14, logic.Ge: 15, logic.In: 16, logic.NotIn: 17,
	logic.Subset: 18, logic.NotSubset: 19, logic.SubsetEq: 20, logic.NotSubsetEq: 21, logic.Finite: 22, logic.Partition: 23,
	logic.Int: 24, logic.Free: 25, logic.Bound: 26, logic.Given: 27,
	logic.Integer: 28, logic.Natural: 29, logic.Natural1: 30, logic.Bool: 31, logic.TrueE: 32, logic.FalseE: 33,
	logic.Empty: 34, logic.Id: 35, logic.Prj1: 36, logic.Prj2: 37, logic.Pred: 38, logic.Succ: 39, logic.BoolOf: 40,
	logic.Maplet: 41, logic.Rel: 42, logic.TRel: 43, logic.SRel: 44, logic.STRel: 45, logic.PFun: 46, logic.TFun: 47,
	logic.PInj: 48, logic.TInj: 49, logic.PSur: 50, logic.TSur: 51, logic.TBij: 52,
	logic.Union: 53, logic.Inter: 54, logic.Diff: 55, logic.CProd: 56, logic.DProd: 57, logic.PProd: 58,
	logic.BComp: 59, logic.FComp: 60, logic.Ovr: 61, logic.DomRes: 62, logic.DomSub: 63, logic.RanRes: 64, logic.RanSub: 65,
	logic.Converse: 66, logic.Image: 67, logic.Apply: 68,
	logic.UpTo: 69, logic.Plus: 70, logic.Minus: 71, logic.Neg: 72, logic.Times: 73, logic.Div: 74, logic.Mod: 75, logic.Exp: 76,
	logic.Card: 77, logic.Pow: 78, logic.Pow1: 79, logic.GUnion: 80, logic.GInter: 81, logic.Dom: 82, logic.Ran: 83,
	logic.Min: 84, logic.Max: 85, logic.SetExt: 86, logic.Compr: 87, logic.QUnion: 88, logic.QInter: 89, logic.Eps: 90,
}

var kindCodes = map[logic.TypeKind]byte{
	logic.KindNone: 0, logic.KindProp: 1, logic.KindInt: 2, logic.KindBool: 3, logic.KindGiven: 4, logic.KindPow: 5, logic.KindProd: 6,
}

func TestCodes(t *testing.T) {
	for op, code := range codes {
		if code != byte(op) {
			t.Errorf("%s has the code of another operator, %d", op, code)
		}
	}
	for kind, code := range kindCodes {
		if code != byte(kind) {
			t.Errorf("kind of type %d has another code, %d", kind, code)
		}
	}
}

// Fingerprints of formulas stay: testdata/fingerprints.txt has a formula for every
// operator.
func TestFingerprintsStay(t *testing.T) {
	data, err := os.ReadFile("testdata/fingerprints.txt")
	if err != nil {
		t.Fatal(err)
	}
	b := logic.NewBank()
	env, err := new(check.Reader).Env(b, map[string]string{
		"a": "ℤ", "b": "ℤ", "x": "S", "y": "T", "k": "BOOL", "z": "ℙ(ℤ)", "s": "ℙ(S)", "t": "ℙ(S)", "u": "ℙ(T)",
		"ss": "ℙ(ℙ(S))", "r": "S↔T", "q": "S↔T", "p": "T↔S", "h": "S↔S", "i": "S↔(S×T)",
	})
	if err != nil {
		t.Fatal(err)
	}
	met := map[logic.Op]bool{}
	var seen func(u logic.Term)
	seen = func(u logic.Term) {
		met[b.Op(u)] = true
		for _, v := range b.Args(u) {
			seen(v)
		}
	}
	same := func(want, in string, u logic.Term) {
		seen(u)
		if got := fmt.Sprintf("%x", text.TermFingerprint(b, u)); got != want {
			t.Errorf("%s has fingerprint %s, not %s", in, got, want)
		}
	}
	for line := range strings.Lines(string(data)) {
		want, in, _ := strings.Cut(strings.TrimSpace(line), " ")
		f, problems := lang.ParsePredicate(in, lang.Text)
		u, _, found := check.Formula(b, env, f)
		if len(problems) > 0 || len(found) > 0 {
			t.Errorf("%s: %v %v", in, problems, found)
			continue
		}
		same(want, in, u)
	}
	eps := b.Choice([]logic.Type{logic.IntType, logic.BoolType}, 1, b.App(logic.Lt, b.Int64(-12), b.Bound(1, logic.IntType)))
	same("ff22e7b064391f6b7e66f3c7de414063be0dd83fd8211489127ad04bccdd4544", "a choice term", eps)
	for op := logic.Op(1); op < logic.NumOps; op++ {
		if !met[op] {
			t.Errorf("%s occurs in no formula of testdata/fingerprints.txt: add one, with the fingerprint that it has", op)
		}
	}
}
