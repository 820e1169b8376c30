package lang_test

import (
	"fmt"
	"os"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// Parse reads a file as far as it can; what is wrong with it stands in the list.
func ExampleParse() {
	var problems diag.List
	f := lang.Parse("c.eventb", []byte("context c constants k axioms @k k : NAT & k /= 0 end"), &problems)
	for _, c := range f.Components {
		fmt.Println(c.Name.Text, problems.HasErrors())
	}
	os.Stdout.Write(lang.Format(f, lang.Options{}))
	// Output:
	// c false
	// context c
	// constants k
	// axioms
	//     @k k ∈ ℕ ∧ k ≠ 0
	// end
}
