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

// findings are the diagnostics so far. Its methods are all the messages of the
// checker, one method each.
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

// follows marks the last diagnostic as a consequence of another one if if_ holds.
func (f *findings) follows(if_ bool) {
	last := &(*f)[len(*f)-1]
	last.Follows = last.Follows || if_
}

func quote(name string) string { return "`" + name + "`" }

// Types of formulas.

// typesDoNotMatch reports that two types differ; notes locate the clauses that
// determine the types of identifiers.
func (f *findings) typesDoNotMatch(at place, got, want string, notes []diag.Note) {
	help := "the first clause that mentions a name determines its type"
	if len(notes) > 0 {
		help = "fix this formula, or the clause that determines the type"
	}
	f.add("GR0100", at, fmt.Sprintf("types %s and %s do not match", got, want), help, notes...)
}

func (f *findings) typeUnknown(at place, name string) {
	message := "cannot determine the type of this expression"
	if name != "" {
		message = "cannot determine the type of " + quote(name)
	}
	f.add("GR0101", at, message,
		"put x ∈ T before the use of x, or write ⦂ T after a bound variable or a generic constant such as ∅")
}

func (f *findings) circularType(at place) {
	f.add("GR0102", at, "the formula would require a type that contains itself",
		"check both sides of ∈, = and ↦: no set is an element of itself")
}

func (f *findings) minusAppliedToSet(at place) {
	f.add("GR0103", at, "− subtracts integers, but an operand is a set", `write ∖ (in ASCII \) for set difference`)
}

func (f *findings) timesAppliedToSet(at place) {
	f.add("GR0104", at, "∗ multiplies integers, but an operand is a set", "write × (in ASCII **) for the Cartesian product")
}

func (f *findings) typeNameUsed(at place, name string) {
	f.add("GR0105", at, quote(name)+" is used as a type, but is not declared as a carrier set",
		"use a carrier set as the type, or rename the identifier")
}

func (f *findings) predicateVariable(at place, name string) {
	f.add("GR0106", at, fmt.Sprintf("predicate variable $%s is not allowed in a model", name), "replace the variable with the predicate that you mean")
}

func (f *findings) typeTooLarge(at place) {
	f.add("GR0107", at, "the formula or a type in it is too large", "split the formula, or introduce constants for parts of nested pairs and sets")
}

func (f *findings) syntax(at place, p lang.Problem) {
	*f = append(*f, diag.Diagnostic{
		Code: p.Code, Severity: diag.Error, Span: at.span, Element: at.element, Message: p.Message, Help: p.Help,
	})
}

// Names.

// undeclared reports a name; hint suggests another one, or is "".
func (f *findings) undeclared(at place, name, hint string) {
	help := "declare the identifier, or fix its spelling; an identifier is visible after its declaration, and in refinements"
	if hint != "" {
		help = hint
	} else if unprimed(name) != name {
		help = "after-values x' are allowed in witnesses, and on the right of :∣ for the variables on its left"
	}
	f.add("GR0110", at, "identifier "+quote(name)+" has not been declared", help)
}

func (f *findings) inheritsUndeclared(at place, name, abstract string) {
	f.add("GR0110", at, fmt.Sprintf("a formula inherited from event %s mentions %s, which is not a variable of this machine", quote(abstract), quote(name)),
		"keep the variable, or write the event out in full with REFINES")
}

func (f *findings) faultyDeclaration(at place, name string, declared place) {
	f.add("GR0111", at, "the declaration of "+quote(name)+" is invalid", "fix the declaration first",
		diag.Note{Span: declared.span, Text: "declared here"})
	f.follows(true)
}

func (f *findings) untypedIdentifier(at place, name string) {
	f.add("GR0112", at, "identifier "+quote(name)+" has no type yet", "put a clause that determines the type before this formula: an axiom for a constant, an invariant for a variable, a guard for a parameter")
	f.follows(true) // the declaration without a type is reported
}

func (f *findings) untyped(x *symbol) {
	what := [...]string{constant: "constant", variable: "variable", parameter: "parameter"}[x.kind]
	where := [...]string{constant: "an axiom", variable: "an invariant", parameter: "a guard"}[x.kind]
	code := [...]string{constant: "GR0113", variable: "GR0114", parameter: "GR0115"}[x.kind]
	f.add(code, x.at, what+" "+quote(x.name)+" has no type", "add "+where+" "+x.name+" ∈ …, or fix the clause that should determine its type")
}

func (f *findings) invalidIdentifier(at place, name string) {
	f.add("GR0116", at, quote(name)+" is not an identifier", "an identifier consists of letters, digits and _, does not start with a digit, and is not a reserved word")
}

func (f *findings) identifierSpaces(at place, name string) {
	f.add("GR0117", at, quote(name)+" has spaces around it", "delete the spaces")
}

func (f *findings) hidesFree(at place, name string) {
	f.add("GR0118", at, "bound variable "+quote(name)+" hides a declared identifier of the same name", "rename the bound variable")
}

func (f *findings) rebound(at place, name string) {
	f.add("GR0119", at, "bound variable "+quote(name)+" hides another bound variable of the same name", "rename one of the two variables")
}

func (f *findings) implicationInExistential(at place) {
	f.add("GR0120", at, "∃x·P⇒Q is true whenever P is false for some x", "write ∧ instead of ⇒, or ∀ instead of ∃")
}

// Missing parts.

func (f *findings) identifierUndef(at place) {
	f.add("GR0121", at, "the identifier is missing", "add an identifier, or delete the declaration")
}
func (f *findings) predicateUndef(at place) {
	f.add("GR0122", at, "the predicate is missing", "add a predicate, or delete the element")
}
func (f *findings) expressionUndef(at place) {
	f.add("GR0123", at, "the expression is missing", "add an expression, or delete the variant")
}
func (f *findings) assignmentUndef(at place) {
	f.add("GR0124", at, "the assignment is missing", "add an assignment, or delete the action")
}
func (f *findings) labelUndef(at place, kind labelKind) {
	help := "add a label such as @inv1"
	if kind == witnessLabel {
		help = "use the identifier that the witness defines as its label: @p for a parameter, @v' for a variable that disappears"
	}
	f.add("GR0125", at, "the label is missing", help)
}
func (f *findings) emptyLabel(at place) {
	f.add("GR0126", at, "the label is empty", "add a label such as @inv1")
}
func (f *findings) convergenceUndef(at place) {
	f.add("GR0127", at, "the convergence of the event is missing", "state whether the event is ordinary, convergent or anticipated")
}
func (f *findings) extendedUndef(at place) {
	f.add("GR0128", at, `the event has no attribute "extended"`, "set the attribute to true or false")
}
func (f *findings) configurationMissing(at place) {
	f.add("GR0129", at, "the file has no configuration, so gradine does not check it", "add org.eventb.core.configuration=\"org.eventb.core.fwd\" to the root element of the file")
}

// Conflicts.

// nameConflicts are the codes by kind of identifier: of a declaration here, of a
// settled one, of an import, of a settled import.
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
	f.add(code, x.at, c.what+" "+quote(x.name)+where+" has the same name as another identifier", "rename one of the two identifiers",
		diag.Note{Span: other.span, Text: "the other one"})
}

// labelConflicts are the codes by kind of label: of any label, and of a settled one.
var labelConflicts = [...]struct{ what, code, settled, help string }{
	axiomLabel:     {"axiom", "GR0141", "GR0142", "rename one of the two: the labels of axioms and theorems in a context must differ"},
	invariantLabel: {"invariant", "GR0143", "GR0144", inMachine},
	variantLabel:   {"variant", "GR0145", "GR0146", inMachine},
	eventLabel:     {"event", "GR0147", "GR0147", inMachine},
	guardLabel:     {"guard", "GR0148", "GR0149", inEvent},
	actionLabel:    {"action", "GR0150", "GR0150", inEvent},
	witnessLabel:   {"witness", "GR0151", "GR0152", "delete one of the two witnesses"},
}

const (
	inMachine = "rename one of the two: the labels of invariants, variants and events in a machine must differ"
	inEvent   = "rename one of the two: the labels of guards and actions in an event must differ"
)

// labelConflict reports l, which is also a label at other.
func (f *findings) labelConflict(l *label, other place) {
	c := labelConflicts[l.kind]
	code := c.code
	if l.settled {
		code = c.settled
	}
	f.add(code, l.at, c.what+" label "+quote(l.text)+" is used twice", c.help,
		diag.Note{Span: other.span, Text: "the other one"})
}

func (f *findings) lookAlike(at place, name, other string, there place) {
	f.add("GR0153", at, quote(name)+" looks like "+quote(other)+", but is another name", "rename one of the two",
		diag.Note{Span: there.span, Text: "the other one"})
}

// Components.

func (f *findings) noComponent(at place) {
	f.add("GR0154", at, "the file contains no context or machine", "add context NAME … end or machine NAME … end, or delete the file")
}

func (f *findings) sharedName(at place, name string, other diag.Span) {
	f.add("GR0159", at, "a context and a machine are both named "+quote(name)+", so their obligations have the same names", "rename one of the two components",
		diag.Note{Span: other, Text: "the other one"})
}

func (f *findings) sameButCase(at place, name string, other lang.Name) {
	f.add("GR0159", at, quote(name)+" and "+quote(other.Text)+" differ only in case, so they share files on Windows and macOS", "rename one of the two components",
		diag.Note{Span: other.Span, Text: "the other one"})
}

func (f *findings) duplicateComponent(at place, name string, other diag.Span) {
	f.add("GR0160", at, "component "+quote(name)+" is already defined, so this one is not checked", "rename one of the two components",
		diag.Note{Span: other, Text: "the other one"})
}

func (f *findings) cyclic(at place, cycle string) {
	f.add("GR0161", at, "the component depends on itself: "+cycle, "delete one of the EXTENDS, REFINES or SEES clauses that form the cycle")
}

func (f *findings) dependsOnCycle(at place, name string) {
	f.add("GR0162", at, "the component is not checked, because "+quote(name)+" is part of a cycle or depends on one", "break the cycle; another diagnostic shows all its clauses")
}

// pick returns the code for a clause of kind p.
func (p pointer) pick(extended, seen string) string {
	if p == sees {
		return seen
	}
	return extended
}

func (f *findings) contextNameUndef(at place, p pointer) {
	f.add(p.pick("GR0163", "GR0167"), at, "the clause names no context", "name a context, or delete the clause")
}

func (f *findings) contextNotFound(at place, p pointer, name string, isMachine bool, hint string) {
	message, help := "there is no context "+quote(name), cmp.Or(hint, "fix the name, or add the context to the project")
	if isMachine {
		message, help = quote(name)+" is a machine, not a context", "name a context"
	}
	f.add(p.pick("GR0164", "GR0168"), at, message, help)
}

func (f *findings) contextWithoutConfiguration(at place, p pointer, name string) {
	f.add(p.pick("GR0165", "GR0169"), at, "context "+quote(name)+" has no configuration, so it cannot be included", "add the configuration to the file of that context, as GR0129 explains")
}

func (f *findings) contextRedundant(at place, p pointer, name string) {
	f.add(p.pick("GR0166", "GR0170"), at, "another clause already includes context "+quote(name), "delete this clause")
}

func (f *findings) contextOnlyInAbstract(at place, name string) {
	f.add("GR0171", at, "the abstract machine sees context "+quote(name)+", but this machine does not; gradine adds the context", "add the context to SEES")
}

func (f *findings) tooManyAbstractMachines(at place) {
	f.add("GR0172", at, "a machine refines at most one machine; gradine ignores this clause", "delete this clause")
}

func (f *findings) machineNameUndef(at place) {
	f.add("GR0173", at, "the clause names no machine", "name a machine, or delete the clause")
}

func (f *findings) machineNotFound(at place, name string, isContext bool, hint string) {
	message, help := "there is no machine "+quote(name), cmp.Or(hint, "fix the name, or add the machine to the project")
	if isContext {
		message, help = quote(name)+" is a context, not a machine", "name a machine; contexts belong in SEES"
	}
	f.add("GR0174", at, message, help)
}

func (f *findings) machineWithoutConfiguration(at place, name string) {
	f.add("GR0175", at, "machine "+quote(name)+" has no configuration, so it cannot be refined", "add the configuration to the file of that machine, as GR0129 explains")
}

// Machines.

func (f *findings) disappearedRedeclared(at place, name string) {
	f.add("GR0180", at, "variable "+quote(name)+" disappeared in an earlier refinement and cannot be declared again", "use another name")
}

func (f *findings) hasDisappeared(at place, name string) {
	f.add("GR0181", at, "variable "+quote(name)+" has disappeared", "use variables of this machine; only invariants, witnesses and theorems may mention variables of the refined machine")
}

func (f *findings) variantFreeIdentifier(at place, name string) {
	f.add("GR0182", at, "the variant mentions "+quote(name)+", which is not a variable of this machine", "write the variant in terms of variables of this machine")
}

func (f *findings) invalidVariantType(at place, typ string) {
	f.add("GR0183", at, "a variant must be an integer or a set, but this variant has type "+typ, "use an integer or a set that each convergent event decreases")
}

func (f *findings) needlessVariant(at place) {
	f.add("GR0184", at, "no event of this machine needs the variant", "make an event convergent, or delete the variant")
}

func (f *findings) withoutInitialisation(at place) {
	f.add("GR0185", at, "the machine has no INITIALISATION", "add an event INITIALISATION that assigns all variables")
}

func (f *findings) abstractEventNotRefined(at place, name string) {
	f.add("GR0186", at, "no event refines "+quote(name)+" of the abstract machine", "add an event that refines "+quote(name)+"; if the abstract event must not occur, give it the guard ⊥")
}

func (f *findings) initMisspelled(at place, name string) {
	f.add("GR0187", at, quote(name)+" is not the initialisation; did you mean INITIALISATION?", "change the label to INITIALISATION, or to a label that resembles it less")
}

// Refinement of events.

func (f *findings) abstractEventUndef(at place) {
	f.add("GR0190", at, "the clause names no event", "name an event, or delete the clause")
}

func (f *findings) abstractEventNotFound(at place, name, machine, hint string) {
	where := ": the machine refines no machine"
	if machine != "" {
		where = " in " + quote(machine)
	}
	f.add("GR0191", at, "there is no abstract event "+quote(name)+where, cmp.Or(hint, "fix the name; for a new event, delete the REFINES clause"))
}

func (f *findings) noRefinement(at place, name string) {
	f.add("GR0192", at, "cannot determine the abstract event of "+quote(name)+", so gradine drops the event", "fix the error in the REFINES clause of the event")
	f.follows(true)
}

func (f *findings) abstractEventTwice(at place, name string) {
	f.add("GR0193", at, "the event refines "+quote(name)+" twice", "delete one of the two REFINES clauses")
}

func (f *findings) initialisationRefined(at place) {
	f.add("GR0194", at, "only INITIALISATION can refine INITIALISATION", "delete this clause")
}

func (f *findings) initialisationRefines(at place) {
	f.add("GR0195", at, "INITIALISATION always refines the abstract INITIALISATION", "delete this clause")
}

func (f *findings) inconsistentLabel(at place, name string) {
	f.add("GR0196", at, "event "+quote(name)+" does not refine the abstract event with the same label", "add REFINES "+name+", or rename the event")
}

func (f *findings) mergeParameterType(at place, name string) {
	f.add("GR0197", at, "the merged events have a parameter "+quote(name)+" with different types", "rename the parameter in one of the abstract events")
}

func (f *findings) mergeActions(at place, a, b string) {
	f.add("GR0198", at, "the merged events "+quote(a)+" and "+quote(b)+" have different actions", "merge only events with the same actions")
}

func (f *findings) mergeLabels(at place, a, b string) {
	f.add("GR0199", at, "the merged events "+quote(a)+" and "+quote(b)+" have different labels on the same actions", "give these actions the same labels in the abstract machine")
}

func (f *findings) extendedUnrefined(at place, name string) {
	f.add("GR0200", at, "event "+quote(name)+" extends no event", "name the abstract event that this event extends")
}

func (f *findings) extendedMerge(at place, name string) {
	f.add("GR0201", at, "event "+quote(name)+" cannot extend several events", "write the merged event out in full, with REFINES")
}

// Events.

func (f *findings) initialisationParameter(at place) {
	f.add("GR0202", at, "INITIALISATION cannot have parameters", "assign an arbitrary value by :∈ or :∣")
}

func (f *findings) initialisationGuard(at place) {
	f.add("GR0203", at, "INITIALISATION cannot have guards", "delete the guard, and state its condition on the right of :∣ in an action")
}

func (f *findings) beforeInitialisation(at place, name string) {
	f.add("GR0204", at, "variable "+quote(name)+" has no value before the initialisation", "use constants, or after-values x' in :∣ and in witnesses")
}

func (f *findings) notInitialised(at place, name string) {
	f.add("GR0205", at, "variable "+quote(name)+" is not initialised, so it may have any initial value", "assign the variable in INITIALISATION")
}

func (f *findings) initialisationNotOrdinary(at place) {
	f.add("GR0206", at, "INITIALISATION is always ordinary; gradine ignores the keyword", "delete the keyword")
}

func (f *findings) notOrdinary(at place, name string) {
	f.add("GR0207", at, "event "+quote(name)+" refines an ordinary event, so gradine treats it as ordinary", "delete the keyword, or make the abstract event anticipated")
}

func (f *findings) noVariant(at place, name string) {
	f.add("GR0208", at, "convergent event "+quote(name)+" has no variant to decrease, so gradine treats the event as ordinary", "add a variant")
}

// mergeConvergence reports one of several merged events whose convergence differs.
func (f *findings) mergeConvergence(at place, a *model.Event, weakest model.Convergence) {
	code, message := "GR0209", "the merged events differ in convergence; gradine treats all of them like %s, which is %s"
	switch {
	case a.Convergence == weakest:
	case weakest == model.Ordinary:
		code, message = "GR0210", "the merged events differ in convergence; gradine treats %s as ordinary, although it is %s"
	default:
		code, message = "GR0211", "the merged events differ in convergence; gradine treats %s as anticipated, although it is %s"
	}
	f.add(code, at, fmt.Sprintf(message, quote(a.Label), a.Convergence), "give the abstract events the same convergence")
}

func (f *findings) parameterChangedType(at place, name, got, was string) {
	f.add("GR0212", at, "parameter "+quote(name)+" has type "+got+", but "+was+" in the abstract event", "restore the type, or rename the parameter and add a witness")
}

// Actions.

func (f *findings) assignedNoVariable(at place, name, hint string) {
	f.add("GR0220", at, "assigned identifier "+quote(name)+" is not a variable", cmp.Or(hint, "declare the identifier as a variable, or fix the name"))
}

// assignedOther reports an assignment to a parameter, carrier set or constant.
func (f *findings) assignedOther(at place, name string, kind symbolKind) {
	code := [...]string{parameter: "GR0221", carrierSet: "GR0222", constant: "GR0223"}[kind]
	f.add(code, at, "assigned identifier "+quote(name)+" is a "+nameConflicts[kind].what, "assign a variable, because only variables can change")
}

func (f *findings) notDisjoint(at place, notes []diag.Note) {
	f.add("GR0224", at, "another action of the event assigns the same variable", "combine the two actions into one, because the actions of an event occur simultaneously", notes...)
}

func (f *findings) nothingAfter(at place, name string) {
	f.add("GR0226", at, "the predicate does not constrain the value of "+quote(name)+" after the event", "write "+quote(name+"'")+" for the value after the event")
}

func (f *findings) clashesWithInherited(at place, name string) {
	f.add("GR0225", at, "an inherited action assigns "+quote(name)+" already", "delete this action, or write the event out in full with REFINES")
}

// Witnesses.

func (f *findings) witnessFreeIdentifier(at place, name string) {
	f.add("GR0230", at, "the witness mentions "+quote(name)+", the after-value of another variable that disappears", "write the witness in terms of variables of this machine")
}

func (f *findings) witnessMissing(at place, name string) {
	f.add("GR0231", at, "there is no witness for "+quote(name)+", so its value is arbitrary", fmt.Sprintf("add a witness such as WITH @%[1]s %[1]s = …", name))
}

func (f *findings) witnessNotPermissible(at place, name string, required []string) {
	help := "delete the witness; a witness is needed only for a parameter that disappears, and for v' if v disappears and the abstract event assigns v by :∈ or :∣"
	if len(required) > 0 {
		help = "delete the witness, or fix its label; this event needs witnesses for " + strings.Join(required, ", ")
	}
	f.add("GR0232", at, quote(name)+" needs no witness", help)
}

// pointer is a kind of clause that includes contexts: extends or sees.
type pointer uint8
