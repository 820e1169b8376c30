package rodin

import (
	"strings"
	"testing"
)

const smallProof = `<org.eventb.core.prFile version="1">
<org.eventb.core.prProof name="evt/inv1/INV" org.eventb.core.prHyps="p1,p9,">
<org.eventb.core.prRule name="r0" org.eventb.core.prHyps="p1">
<org.eventb.core.prAnte name="0" org.eventb.core.prGoal="p0"/>
<org.eventb.core.prAnte name="1" org.eventb.core.prHyps="p1">
<org.eventb.core.prIdent name="x" org.eventb.core.type="ℤ"/>
<org.eventb.core.prHypAction name="SELECT0" org.eventb.core.prHyps="p1"/>
<org.eventb.core.prHypAction name="FORWARD_INF1" org.eventb.core.prHyps="p1" org.eventb.core.prInfHyps="p0"/>
<org.eventb.core.prRule name="org.eventb.core.seqprover.hyp" org.eventb.core.prHyps=""/>
</org.eventb.core.prAnte>
<org.eventb.core.prExprRef name=".exprs" org.eventb.core.prRef=",e0"/>
<org.eventb.core.prPredRef name=".pred" org.eventb.core.prRef="p1"/>
</org.eventb.core.prRule>
<org.eventb.core.prPred name="p0" org.eventb.core.predicate="⊤"/>
<org.eventb.core.prPred name="p1" org.eventb.core.predicate="a&lt;b"/>
<org.eventb.core.prExpr name="e0" org.eventb.core.expression="a+1"/>
<org.eventb.core.prReas name="r0" org.eventb.core.prRID="org.eventb.core.seqprover.allD:2"/>
</org.eventb.core.prProof>
</org.eventb.core.prFile>`

// Keys stand for formulas and for reasoners, in new files and in old ones; a key that names
// nothing names no formula.
func TestProofs(t *testing.T) {
	list, f := parseProofs([]byte(smallProof))
	if f != nil || len(list) != 1 {
		t.Fatal(f, list)
	}
	p := list[0]
	s := p.Root
	if p.Name != "evt/inv1/INV" || strings.Join(p.Hyps, ";") != "a<b;;" || s.Reasoner != "allD" ||
		strings.Join(s.Exprs, ";") != ";a+1" || strings.Join(s.Preds, ";") != "a<b" || len(s.Branches) != 2 {
		t.Errorf("%+v %+v", p, s)
	}
	b := s.Branches[1]
	if s.Branches[0].Goal != "⊤" || !b.Selects || len(b.New) != 1 || len(b.Inferred) != 1 || b.Inferred[0].To[0] != "⊤" || b.Next.Reasoner != "hyp" {
		t.Errorf("%+v", b)
	}
	steps := 0
	p.Steps(func(*Step) { steps++ })
	if steps != 2 {
		t.Errorf("%d steps", steps)
	}
}

// Proofs nest deep, but not without end.
func TestDeepProofs(t *testing.T) {
	nested := func(depth int) []byte {
		open := strings.Repeat(`<org.eventb.core.prRule name="r"><org.eventb.core.prAnte name="a">`, depth)
		end := strings.Repeat(`</org.eventb.core.prAnte></org.eventb.core.prRule>`, depth)
		return []byte(`<org.eventb.core.prFile><org.eventb.core.prProof name="p">` + open + end + `</org.eventb.core.prProof></org.eventb.core.prFile>`)
	}
	if list, f := parseProofs(nested(1500)); f != nil || len(list) != 1 {
		t.Error(f)
	}
	if _, f := parseProofs(nested(3000)); f == nil || f.code != TooLarge {
		t.Error(f)
	}
}

func FuzzProofs(f *testing.F) {
	f.Add([]byte(smallProof))
	f.Add([]byte(`<org.eventb.core.prFile><org.eventb.core.prProof><org.eventb.core.prRule><org.eventb.core.prAnte><org.eventb.core.prHypAction/></org.eventb.core.prAnte></org.eventb.core.prRule></org.eventb.core.prProof></org.eventb.core.prFile>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, fault := parseProofs(data)
		if fault != nil && fault.msg == "" {
			t.Fatal("no word about the fault")
		}
		for _, p := range list {
			p.Steps(func(s *Step) { _ = s.Reasoner })
		}
	})
}
