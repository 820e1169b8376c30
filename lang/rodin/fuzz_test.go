package rodin

import (
	"bytes"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

func FuzzXML(f *testing.F) {
	f.Add([]byte(`<org.eventb.core.machineFile version="5" org.eventb.core.configuration="c" org.eventb.core.comment="two&#10;lines">
<org.eventb.core.event name="e" org.eventb.core.label="e v/t" org.eventb.core.convergence="2" org.eventb.core.extended="true"/>
<org.eventb.core.invariant name="i" org.eventb.core.label="i" org.eventb.core.predicate="x &lt; 1 ∧" org.eventb.core.theorem="true"/>
</org.eventb.core.machineFile>`))
	f.Add([]byte("<org.eventb.core.machineFile><org.eventb.core.theorem org.eventb.core.predicate='id(S)=S'/></org.eventb.core.machineFile>"))
	f.Add([]byte("<!DOCTYPE a []>"))
	f.Add([]byte("<org.eventb.core.contextFile version='3'><org.eventb.core.axiom org.eventb.core.predicate='⊤'/></org.eventb.core.contextFile>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		roundTrip(t, "m.bum", data)
		roundTrip(t, "c.buc", data)
	})
}

func roundTrip(t *testing.T, name string, data []byte) {
	encode := func(c *lang.Component) []byte {
		root := elementOf(c)
		root.nameChildren()
		return encode(root, "\t")
	}

	var problems diag.List
	first := parseFile(name, data, &problems)
	if first == nil {
		if !problems.HasErrors() {
			t.Fatal("file left out without a word")
		}
		return
	}
	out := encode(first.Components[0])
	var none diag.List
	second := parseFile(name, out, &none)
	if second == nil || none.HasErrors() {
		t.Fatalf("%v in\n%s", none.Sorted(), out)
	}
	if again := encode(second.Components[0]); !bytes.Equal(out, again) {
		t.Fatalf("another import and export changes\n%s\nto\n%s", out, again)
	}
	// An export over the file itself changes nothing in it, unless it is of another
	// version or says what text cannot.
	if _, current := parseOwned(name, data); current && first.Complete {
		kept := update(name, data, elementOf(first.Components[0]))
		var more diag.List
		if third := parseFile(name, kept, &more); third == nil || !bytes.Equal(encode(third.Components[0]), out) {
			t.Fatalf("an export over\n%s\ngives\n%s", data, kept)
		}
	}
}
