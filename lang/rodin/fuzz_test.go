package rodin

import (
	"bytes"
	"testing"

	"github.com/gradine/gradine/diag"
)

func FuzzXML(f *testing.F) {
	f.Add([]byte(`<org.eventb.core.machineFile version="5" org.eventb.core.configuration="c" org.eventb.core.comment="two&#10;lines">
<org.eventb.core.event name="e" org.eventb.core.label="e v/t" org.eventb.core.convergence="2" org.eventb.core.extended="true"/>
<org.eventb.core.invariant name="i" org.eventb.core.label="i" org.eventb.core.predicate="x &lt; 1 ∧" org.eventb.core.theorem="true"/>
</org.eventb.core.machineFile>`))
	f.Add([]byte("<org.eventb.core.machineFile><org.eventb.core.theorem org.eventb.core.predicate='id(S)=S'/></org.eventb.core.machineFile>"))
	f.Add([]byte("<!DOCTYPE a []>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var problems diag.List
		first := parseFile("m.bum", data, &problems)
		if first == nil {
			if !problems.HasErrors() {
				t.Fatal("file left out without a word")
			}
			return
		}
		out := encodeMachine(first.Components[0])
		var none diag.List
		second := parseFile("m.bum", out, &none)
		if second == nil || none.HasErrors() {
			t.Fatalf("%v in\n%s", none.Sorted(), out)
		}
		if again := encodeMachine(second.Components[0]); !bytes.Equal(out, again) {
			t.Fatalf("another import and export changes\n%s\nto\n%s", out, again)
		}
	})
}
