package po_test

import (
	"fmt"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// The obligations of a counter, each with its name and goal.
func ExampleAll() {
	var problems diag.List
	file := lang.Parse("counter.eventb", []byte(`
		machine counter
		variables n
		invariants @limit n ≤ 3
		events
		  event INITIALISATION then @a n ≔ 0 end
		  event up where @g n < 3 then @a n ≔ n + 1 end
		end`), &problems)
	dev := check.Development("example", []*lang.File{file}, &problems)
	obligations, err := po.All(dev, nil)
	if err != nil {
		panic(err)
	}
	for _, o := range obligations {
		fmt.Printf("%s/%s: %s\n", o.Component, o.Name, text.Term(o.Bank(), o.Goal))
	}
	// Output:
	// counter/INITIALISATION/limit/INV: 0≤3
	// counter/up/limit/INV: n+1≤3
}
