package check

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rules"
)

// findings are the problems found so far. Its methods are all the messages of
// the checker, one method each.
type findings []diag.Diagnostic

func (f *findings) add(code string, at place, message, help string, notes ...diag.Note) {
	r, ok := rules.Of(code)
	if !ok {
		panic("check: no rule " + code)
	}
	*f = append(*f, diag.Diagnostic{
		Code: code, Severity: r.Severity, Span: at.span, Element: at.element, Message: message, Help: help, Notes: notes,
	})
}

// follows marks the last problem as the consequence of another one, if it is.
func (f *findings) follows(if_ bool) {
	last := &(*f)[len(*f)-1]
	last.Follows = last.Follows || if_
}

func quote(name string) string { return "`" + name + "`" }

// Types of formulas.

// typesDoNotMatch reports a clash of types; notes say where those of identifiers
// come from.
func (f *findings) typesDoNotMatch(at place, got, want string, notes []diag.Note) {
	help := "a type follows from the first clause that mentions a name"
	if len(notes) > 0 {
		help = "correct this formula, or the clause that gives the type"
	}
	f.add("GR0100", at, fmt.Sprintf("types %s and %s do not match", got, want), help, notes...)
}

func (f *findings) typeUnknown(at place, name string) {
	what := "the type of this expression"
	if name != "" {
		what = "the type of " + quote(name)
	}
	f.add("GR0101", at, what+" does not follow from this formula",
		"state the type: x ∈ T before the use of x, or ⦂ T behind a bound variable or a generic atom such as ∅")
}

func (f *findings) circularType(at place) {
	f.add("GR0102", at, "the type would have to contain itself",
		"a set is not an element of itself; check the sides of ∈ and ↦")
}

func (f *findings) minusAppliedToSet(at place) {
	f.add("GR0103", at, "− subtracts integers, but an operand is a set", `for the difference of sets write ∖ (in ASCII \)`)
}

func (f *findings) timesAppliedToSet(at place) {
	f.add("GR0104", at, "∗ multiplies integers, but an operand is a set", "for the Cartesian product write × (in ASCII **)")
}

func (f *findings) typeNameUsed(at place, name string) {
	f.add("GR0105", at, quote(name)+" is used as a type, but is another identifier here",
		"only carrier sets are types; rename one of the two")
}

func (f *findings) predicateVariable(at place, name string) {
	f.add("GR0106", at, fmt.Sprintf("predicate variable $%s in a model", name), "predicate variables are for proof rules only; write the predicate")
}

func (f *findings) typeTooLarge(at place) {
	f.add("GR0107", at, "the formula or a type in it is too large", "split the formula, or name parts of nested pairs and sets")
}

func (f *findings) syntax(at place, p lang.Problem) {
	*f = append(*f, diag.Diagnostic{
		Code: p.Code, Severity: diag.Error, Span: at.span, Element: at.element, Message: p.Message, Help: p.Help,
	})
}

// Names.

// undeclared reports a name; hint is what may have been meant, or "".
func (f *findings) undeclared(at place, name, hint string) {
	help := "declare it, or correct the spelling; a name is visible below its declaration and in refinements"
	if hint != "" {
		help = hint
	} else if unprimed(name) != name {
		help = "after-values x' may occur in witnesses, and on the right of :∣ those of the variables on its left"
	}
	f.add("GR0110", at, "identifier "+quote(name)+" has not been declared", help)
}

func (f *findings) inheritsUndeclared(at place, name, abstract string) {
	f.add("GR0110", at, fmt.Sprintf("the event inherits a formula of %s about %s, which is not a variable of this machine", quote(abstract), quote(name)),
		"an extended event cannot drop a variable: write it out with REFINES, or keep the variable")
}

func (f *findings) faultyDeclaration(at place, name string, declared place) {
	f.add("GR0111", at, "the declaration of "+quote(name)+" has a problem of its own", "correct the declaration first",
		diag.Note{Span: declared.span, Text: "declared here"})
	f.follows(true)
}

func (f *findings) untypedIdentifier(at place, name string) {
	f.add("GR0112", at, "identifier "+quote(name)+" has no type yet", "give its type before this formula: constants in axioms, variables in invariants, parameters in guards")
	f.follows(true) // its declaration has no type, which is reported
}

func (f *findings) untyped(x *symbol) {
	what := [...]string{constant: "constant", variable: "variable", parameter: "parameter"}[x.kind]
	where := [...]string{constant: "an axiom", variable: "an invariant", parameter: "a guard"}[x.kind]
	code := [...]string{constant: "GR0113", variable: "GR0114", parameter: "GR0115"}[x.kind]
	f.add(code, x.at, what+" "+quote(x.name)+" has no type", "add "+where+" "+x.name+" ∈ …, or correct the one that should type it")
}

func (f *findings) invalidIdentifier(at place, name string) {
	f.add("GR0116", at, quote(name)+" is not an identifier", "use letters, digits and _, not starting with a digit, and not a reserved word")
}

func (f *findings) identifierSpaces(at place, name string) {
	f.add("GR0117", at, quote(name)+" has blanks around it", "remove them")
}

func (f *findings) hidesFree(at place, name string) {
	f.add("GR0118", at, "bound variable "+quote(name)+" hides an identifier that is declared already", "rename the bound variable")
}

func (f *findings) rebound(at place, name string) {
	f.add("GR0119", at, "bound variable "+quote(name)+" hides a bound variable of that name", "rename one of the two")
}

func (f *findings) implicationInExistential(at place) {
	f.add("GR0120", at, "an implication directly below ∃ holds already if its left side can be false", "probably ∧ is meant, or ∀")
}

// Missing parts.

func (f *findings) identifierUndef(at place) {
	f.add("GR0121", at, "the identifier is missing", "name it")
}
func (f *findings) predicateUndef(at place) {
	f.add("GR0122", at, "the predicate is missing", "write it")
}
func (f *findings) expressionUndef(at place) {
	f.add("GR0123", at, "the expression is missing", "write it, or remove the variant")
}
func (f *findings) assignmentUndef(at place) {
	f.add("GR0124", at, "the assignment is missing", "write it, or remove the action")
}
func (f *findings) labelUndef(at place, kind labelKind) {
	help := "give it one, such as @inv1"
	if kind == witnessLabel {
		help = "the label of a witness is the identifier that it is about: @p for a parameter, @v' for a variable that disappears"
	}
	f.add("GR0125", at, "the label is missing", help)
}
func (f *findings) emptyLabel(at place) {
	f.add("GR0126", at, "the label is empty", "give it one, such as @inv1")
}
func (f *findings) convergenceUndef(at place) {
	f.add("GR0127", at, "the status of the event is missing", "state whether it is ordinary, convergent or anticipated")
}
func (f *findings) extendedUndef(at place) {
	f.add("GR0128", at, "it is not stated whether the event is extended", "state it")
}
func (f *findings) configurationMissing(at place) {
	f.add("GR0129", at, "the file has no configuration, so it is not checked", "add org.eventb.core.configuration=\"org.eventb.core.fwd\" to its root element")
}

// Conflicts.

// nameConflicts are the codes by kind of identifier: of an own declaration, of
// one that is settled, of an import, of an import that is settled.
var nameConflicts = [...]struct {
	what                                    string
	own, settled, imported, settledImported string
}{
	carrierSet: {"carrier set", "GR0130", "GR0130", "GR0131", "GR0132"},
	constant:   {"constant", "GR0133", "GR0133", "GR0134", "GR0135"},
	variable:   {"variable", "GR0136", "GR0137", "GR0138", "GR0138"},
	parameter:  {"parameter", "GR0139", "GR0139", "GR0140", "GR0140"},
}

// nameConflict reports x, whose name is also declared at other.
func (f *findings) nameConflict(x *symbol, other place) {
	c := nameConflicts[x.kind]
	code, where := c.own, ""
	switch {
	case x.from != "" && x.settled:
		code = c.settledImported
	case x.from != "":
		code = c.imported
	case x.settled:
		code = c.settled
	}
	if x.from != "" {
		where = " of " + quote(x.from)
	}
	f.add(code, x.at, c.what+" "+quote(x.name)+where+" has the name of another identifier", "rename one of the two",
		diag.Note{Span: other.span, Text: "the other one"})
}

// labelConflicts are the codes by kind of label: in general, and of one that is settled.
var labelConflicts = [...]struct{ what, code, settled string }{
	axiomLabel:     {"axiom", "GR0141", "GR0142"},
	invariantLabel: {"invariant", "GR0143", "GR0144"},
	variantLabel:   {"variant", "GR0145", "GR0146"},
	eventLabel:     {"event", "GR0147", "GR0147"},
	guardLabel:     {"guard", "GR0148", "GR0149"},
	actionLabel:    {"action", "GR0150", "GR0150"},
	witnessLabel:   {"witness", "GR0151", "GR0152"},
}

// labelConflict reports l, which is also a label at other.
func (f *findings) labelConflict(l *label, other place) {
	c := labelConflicts[l.kind]
	code := c.code
	if l.settled {
		code = c.settled
	}
	f.add(code, l.at, c.what+" label "+quote(l.text)+" is used twice", "labels tell invariants, variants and events of a machine apart, and guards and actions of an event; rename one",
		diag.Note{Span: other.span, Text: "the other one"})
}

func (f *findings) lookAlike(at place, name, other string, there place) {
	f.add("GR0153", at, quote(name)+" looks like "+quote(other)+" and is another name", "rename one of the two",
		diag.Note{Span: there.span, Text: "the other one"})
}

// Components.

func (f *findings) noComponent(at place) {
	f.add("GR0154", at, "there is no context and no machine in this file", "write context NAME … end or machine NAME … end, or remove the file")
}

func (f *findings) sharedName(at place, name string, other diag.Span) {
	f.add("GR0159", at, "a context and a machine are both called "+quote(name)+", so their obligations have the same names", "rename one of the two",
		diag.Note{Span: other, Text: "the other one"})
}

func (f *findings) sameButCase(at place, name string, other lang.Name) {
	f.add("GR0159", at, quote(name)+" and "+quote(other.Text)+" differ in case only, so on Windows and macOS they share files", "rename one of the two",
		diag.Note{Span: other.Span, Text: "the other one"})
}

func (f *findings) duplicateComponent(at place, name string, other diag.Span) {
	f.add("GR0160", at, "there is a component "+quote(name)+" already, so this one is not checked", "rename one of the two",
		diag.Note{Span: other, Text: "the other one"})
}

func (f *findings) cyclic(at place, cycle string) {
	f.add("GR0161", at, "the component depends on itself: "+cycle, "remove one of these EXTENDS, REFINES or SEES clauses")
}

func (f *findings) dependsOnCycle(at place, name string) {
	f.add("GR0162", at, "the component is not checked, because "+quote(name)+" is not", "break the cycle that is reported there")
}

// pick returns the code for a clause of kind p.
func (p pointer) pick(extended, seen string) string {
	if p == sees {
		return seen
	}
	return extended
}

func (f *findings) contextNameUndef(at place, p pointer) {
	f.add(p.pick("GR0163", "GR0167"), at, "the clause names no context", "name one, or remove the clause")
}

func (f *findings) contextNotFound(at place, p pointer, name string, isMachine bool, hint string) {
	message, help := "there is no context "+quote(name), cmp.Or(hint, "add it to the project, or correct the name")
	if isMachine {
		message, help = quote(name)+" is a machine, not a context", "name a context"
	}
	f.add(p.pick("GR0164", "GR0168"), at, message, help)
}

func (f *findings) contextWithoutConfiguration(at place, p pointer, name string) {
	f.add(p.pick("GR0165", "GR0169"), at, "context "+quote(name)+" has no configuration, so it cannot be included", "correct that file")
}

func (f *findings) contextRedundant(at place, p pointer, name string) {
	f.add(p.pick("GR0166", "GR0170"), at, "context "+quote(name)+" is included by another clause as well", "remove this clause")
}

func (f *findings) contextOnlyInAbstract(at place, name string) {
	f.add("GR0171", at, "context "+quote(name)+" is seen by the abstract machine, but not by this one; it is added", "add it to SEES")
}

func (f *findings) tooManyAbstractMachines(at place) {
	f.add("GR0172", at, "a machine refines one machine at most; this clause is ignored", "remove it")
}

func (f *findings) machineNameUndef(at place) {
	f.add("GR0173", at, "the clause names no machine", "name one, or remove the clause")
}

func (f *findings) machineNotFound(at place, name string, isContext bool, hint string) {
	message, help := "there is no machine "+quote(name), cmp.Or(hint, "add it to the project, or correct the name")
	if isContext {
		message, help = quote(name)+" is a context, not a machine", "name a machine; contexts are seen"
	}
	f.add("GR0174", at, message, help)
}

func (f *findings) machineWithoutConfiguration(at place, name string) {
	f.add("GR0175", at, "machine "+quote(name)+" has no configuration, so it cannot be refined", "correct that file")
}

// Machines.

func (f *findings) disappearedRedeclared(at place, name string) {
	f.add("GR0180", at, "variable "+quote(name)+" disappeared in an earlier refinement and cannot come back", "use another name")
}

func (f *findings) hasDisappeared(at place, name string) {
	f.add("GR0181", at, "variable "+quote(name)+" has disappeared", "use the variables of this machine; gluing invariants, witnesses and theorems may mention the variables of the refined machine")
}

func (f *findings) variantFreeIdentifier(at place, name string) {
	f.add("GR0182", at, "the variant mentions "+quote(name)+", which is not a variable of this machine", "express the variant by the variables of this machine")
}

func (f *findings) invalidVariantType(at place, typ string) {
	f.add("GR0183", at, "a variant is an integer or a set, this one has type "+typ, "use a number or a set that each convergent event makes smaller")
}

func (f *findings) needlessVariant(at place) {
	f.add("GR0184", at, "no event of this machine needs the variant", "make an event convergent, or remove the variant")
}

func (f *findings) withoutInitialisation(at place) {
	f.add("GR0185", at, "the machine has no INITIALISATION", "add an event INITIALISATION that assigns all variables")
}

func (f *findings) abstractEventNotRefined(at place, name string) {
	f.add("GR0186", at, "no event refines "+quote(name)+" of the abstract machine", "refine it, or give it the guard ⊥ there if it must not occur any more")
}

func (f *findings) initMisspelled(at place, name string) {
	f.add("GR0187", at, quote(name)+" is an event like any other", "the initialisation is spelled INITIALISATION")
}

// Refinement of events.

func (f *findings) abstractEventUndef(at place) {
	f.add("GR0190", at, "the clause names no event", "name one, or remove the clause")
}

func (f *findings) abstractEventNotFound(at place, name, machine, hint string) {
	where := "the machine refines none"
	if machine != "" {
		where = "there is none in " + quote(machine)
	}
	f.add("GR0191", at, "there is no abstract event "+quote(name)+": "+where, cmp.Or(hint, "correct the name, or remove the clause if the event is new"))
}

func (f *findings) noRefinement(at place, name string) {
	f.add("GR0192", at, "it is unclear what event "+quote(name)+" refines, so it is dropped", "correct what is reported about its refinement")
	f.follows(true)
}

func (f *findings) abstractEventTwice(at place, name string) {
	f.add("GR0193", at, "the event refines "+quote(name)+" twice", "remove one clause")
}

func (f *findings) initialisationRefined(at place) {
	f.add("GR0194", at, "only INITIALISATION refines INITIALISATION", "remove this clause")
}

func (f *findings) initialisationRefines(at place) {
	f.add("GR0195", at, "INITIALISATION refines the abstract one without saying so", "remove this clause")
}

func (f *findings) inconsistentLabel(at place, name string) {
	f.add("GR0196", at, "event "+quote(name)+" does not refine the abstract event of that name", "add REFINES "+name+", or rename the event")
}

func (f *findings) mergeParameterType(at place, name string) {
	f.add("GR0197", at, "the merged events have parameters "+quote(name)+" of different types", "rename one of them in the abstract machine")
}

func (f *findings) mergeActions(at place, a, b string) {
	f.add("GR0198", at, "the merged events "+quote(a)+" and "+quote(b)+" have different actions", "only events with the same actions can be merged")
}

func (f *findings) mergeLabels(at place, a, b string) {
	f.add("GR0199", at, "the merged events "+quote(a)+" and "+quote(b)+" have different labels on the same actions", "use the same labels in the abstract machine")
}

func (f *findings) extendedUnrefined(at place, name string) {
	f.add("GR0200", at, "event "+quote(name)+" extends no event", "name the event it extends")
}

func (f *findings) extendedMerge(at place, name string) {
	f.add("GR0201", at, "event "+quote(name)+" cannot extend several events", "write the merged event out, with REFINES")
}

// Events.

func (f *findings) initialisationParameter(at place) {
	f.add("GR0202", at, "INITIALISATION has no parameters", "assign an arbitrary value with :∈ or :∣")
}

func (f *findings) initialisationGuard(at place) {
	f.add("GR0203", at, "INITIALISATION has no guards", "put the condition on the right of :∣")
}

func (f *findings) beforeInitialisation(at place, name string) {
	f.add("GR0204", at, "variable "+quote(name)+" has no value before the initialisation", "use constants, and after-values x' in :∣ and in witnesses")
}

func (f *findings) notInitialised(at place, name string) {
	f.add("GR0205", at, "variable "+quote(name)+" is not initialised; any value is assumed", "assign it in INITIALISATION")
}

func (f *findings) initialisationNotOrdinary(at place) {
	f.add("GR0206", at, "INITIALISATION is ordinary; its status is ignored", "remove the status")
}

func (f *findings) notOrdinary(at place, name string) {
	f.add("GR0207", at, "event "+quote(name)+" refines an ordinary event; ordinary is assumed", "remove the status, or make the abstract event anticipated")
}

func (f *findings) noVariant(at place, name string) {
	f.add("GR0208", at, "convergent event "+quote(name)+" has no variant to decrease; ordinary is assumed", "add a variant")
}

// mergeConvergence reports one of several merged events whose statuses differ.
func (f *findings) mergeConvergence(at place, a *model.Event, weakest model.Convergence) {
	code, then := "GR0209", "as is assumed of all of them"
	switch {
	case a.Convergence == weakest:
	case weakest == model.Ordinary:
		code, then = "GR0210", "ordinary is assumed"
	default:
		code, then = "GR0211", "anticipated is assumed"
	}
	f.add(code, at, fmt.Sprintf("merged events of different status: %s is %s, %s", quote(a.Label), a.Convergence, then), "give them the same status")
}

func (f *findings) parameterChangedType(at place, name, got, was string) {
	f.add("GR0212", at, "parameter "+quote(name)+" has type "+got+", but "+was+" in the abstract event", "keep the type, or rename the parameter and give a witness")
}

// Actions.

func (f *findings) assignedNoVariable(at place, name, hint string) {
	f.add("GR0220", at, "assigned identifier "+quote(name)+" is not a variable", cmp.Or(hint, "declare it as a variable, or correct the name"))
}

// assignedOther reports an assignment to a parameter, carrier set or constant.
func (f *findings) assignedOther(at place, name string, kind symbolKind) {
	code := [...]string{parameter: "GR0221", carrierSet: "GR0222", constant: "GR0223"}[kind]
	f.add(code, at, "assigned identifier "+quote(name)+" is a "+nameConflicts[kind].what, "only variables can be assigned")
}

func (f *findings) notDisjoint(at place, notes []diag.Note) {
	f.add("GR0224", at, "another action of the event assigns the same variable", "actions happen at the same time: join them into one", notes...)
}

func (f *findings) nothingAfter(at place, name string) {
	f.add("GR0226", at, "nothing is said of the value of "+quote(name)+" after the event", "write "+quote(name+"'")+" for the value after it")
}

func (f *findings) clashesWithInherited(at place, name string) {
	f.add("GR0225", at, "an inherited action assigns "+quote(name)+" already", "remove the own action, or write the event out with REFINES")
}

// Witnesses.

func (f *findings) witnessFreeIdentifier(at place, name string) {
	f.add("GR0230", at, "the witness mentions "+quote(name)+", the after-value of another variable that disappears", "express it by the variables of this machine")
}

func (f *findings) witnessMissing(at place, name string) {
	f.add("GR0231", at, "no witness for "+quote(name)+"; an arbitrary value is assumed", "add a witness: WITH @"+name+" "+name+" = …")
}

func (f *findings) witnessNotPermissible(at place, name string, required []string) {
	help := "witnesses are for abstract parameters that are not kept, and for v' where v disappears and the abstract event assigns it by :∈ or :∣"
	if len(required) > 0 {
		help += "; here that is " + strings.Join(required, ", ")
	}
	f.add("GR0232", at, quote(name)+" needs no witness", help)
}

// pointer is a kind of clause that includes contexts.
type pointer uint8
