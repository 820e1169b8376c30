package kernel

import (
	"strings"

	"github.com/gradine/gradine/logic"
)

// opNames are the names of operators in certificates and in the axiom table, in
// the order of logic.Op.
var opNames = strings.Fields(`invalid
	true false not and or implies iff forall exists
	eq neq lt le gt ge in notin subset notsubset subseteq notsubseteq finite partition
	int free bound given
	integer natural natural1 bool TRUE FALSE empty id prj1 prj2 pred succ
	boolof
	maplet rel trel srel strel pfun tfun pinj tinj psur tsur tbij
	union inter diff product direct parallel bcomp fcomp override domres domsub ranres ransub converse image apply
	upto plus minus neg times div mod power
	card pow pow1 union-of inter-of dom ran min max
	set comprehension union-over inter-over
	choose`)

var opByName = func() map[string]logic.Op {
	m := map[string]logic.Op{}
	for i, n := range opNames {
		m[n] = logic.Op(i)
	}
	return m
}()

// kindNames are the names of the kinds of step in certificates.
var kindNames = [...]string{"hyp", "goal", "wd", "wdgoal", "axiom", "lemma", "prop", "inst", "choose", "subst", "euf", "lin", "rup"}

// operands are the least numbers of terms that steps take.
var operands = [numKinds]int{Prop: 1, Inst: 2, Choose: 1, Subst: 3}
