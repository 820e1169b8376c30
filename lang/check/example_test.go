package check_test

import (
	"fmt"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
)

// A text is read, checked, and what is wrong with it shown. The machine is there all
// the same, but not whole.
func ExampleDevelopment() {
	var problems diag.List
	file := lang.Parse("counter.eventb", []byte("machine counter\nvariables n\ninvariants @limit n ≤ most\nevents\n  event INITIALISATION then @a n ≔ 0 end\nend"), &problems)
	dev := check.Development("example", []*lang.File{file}, &problems)
	for _, p := range problems.Sorted()[:1] {
		fmt.Println(p)
	}
	m := dev.Machine("counter")
	fmt.Println(m.Whole, m.Lost)
	// Output:
	// counter.eventb:2:11: error: variable `n` has no type [GR0114]
	// false variable n is missing
}
