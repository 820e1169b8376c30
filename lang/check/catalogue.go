package check

import "github.com/gradine/gradine/diag"

// Rules is the catalogue of all rules that this package checks, by code.
var Rules = []Rule{
	{
		Code: "GR0100", Rodin: "TypesDoNotMatchError",
		Title:       "Types do not match",
		Explanation: "Two expressions that must have the same type have different ones, or an operator is applied to what it does not fit. There are no subtypes in Event-B: ℤ, BOOL, each carrier set, sets and pairs are all apart.",
		Example: `context C
constants c
axioms
  @axm1 c ∈ ℤ
  @axm2 c = TRUE
end
`,
	},
	{
		Code: "GR0101", Rodin: "TypeUnknownError",
		Title:       "Unknown type",
		Explanation: "The formula does not determine the type of an identifier or of a generic atom (∅, id, prj1, prj2). Clauses are typed one after the other; a later clause does not help. State the type with ⦂, or put a typing clause first.",
		Example: `context C
axioms
  @axm1 finite(∅)
end
`,
	},
	{
		Code: "GR0102", Rodin: "CircularityError",
		Title:       "Circular type",
		Explanation: "The formula would need a type that contains itself, such as a set that is its own element.",
		Example: `context C
axioms
  @axm1 ∃a,b·a ∈ b ∧ b ∈ a
end
`,
	},
	{
		Code: "GR0103", Rodin: "MinusAppliedToSetError",
		Title:       "Subtraction of sets",
		Explanation: "− is for integers; the difference of two sets is written ∖.",
		Example: `context C
sets S
axioms
  @axm1 S − S = ∅
end
`,
	},
	{
		Code: "GR0104", Rodin: "MulAppliedToSetError",
		Title:       "Multiplication of sets",
		Explanation: "∗ is for integers; the Cartesian product of two sets is written ×.",
		Example: `context C
sets S T
axioms
  @axm1 S ∗ T ≠ ∅
end
`,
	},
	{
		Code: "GR0105", Rodin: "TypeCheckError",
		Title:       "Identifier used as a type",
		Explanation: "Only carrier sets, ℤ and BOOL are types, and what ℙ, × and ↔ make of them. Here a constant, variable or parameter stands in a type.",
		Example: `context C
constants c
axioms
  @axm1 c ∈ ℤ
  @axm2 (∅ ⦂ ℙ(c)) = ∅
end
`,
	},
	{
		Code: "GR0106", Rodin: "SyntaxError",
		Title:       "Predicate variable",
		Explanation: "$P stands for any predicate in the patterns of proof rules. A model has no use for it.",
		Example: `context C
axioms
  @axm1 $P
end
`,
	},
	{
		Code:        "GR0107",
		Title:       "Formula or type too large",
		Explanation: "The size of types and the number of nested bound variables are limited, since a short formula can have a type whose text would fill a library.",
		Example: `context C
axioms
  @axm1 ∃a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r·a = 1 ∧ b = a ↦ a ∧ c = b ↦ b ∧ d = c ↦ c ∧ e = d ↦ d ∧ f = e ↦ e ∧ g = f ↦ f ∧ h = g ↦ g ∧ i = h ↦ h ∧ j = i ↦ i ∧ k = j ↦ j ∧ l = k ↦ k ∧ m = l ↦ l ∧ n = m ↦ m ∧ o = n ↦ n ∧ p = o ↦ o ∧ q = p ↦ p ∧ r = q ↦ q
end
`,
	},
	{
		Code: "GR0110", Rodin: "UndeclaredFreeIdentifierError",
		Title:       "Undeclared identifier",
		Explanation: "The name is declared nowhere that this formula can see. Guards, actions, invariants and witnesses see different names; after-values x' are visible in witnesses and on the right of :∣ only.",
		Example: `context C
axioms
  @axm1 d > 0
end
`,
	},
	{
		Code: "GR0111", Rodin: "FreeIdentifierFaultyDeclError",
		Title:       "Identifier with a faulty declaration",
		Explanation: "The name is declared, but its declaration has a problem that is reported there. The formula is dropped.",
		Also:        []string{"GR0115"},
		Example: `machine M
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  any p
  then
    @act1 v ≔ p
  end
end
`,
	},
	{
		Code: "GR0112", Rodin: "UntypedIdentifierError",
		Title:       "Identifier without a type",
		Explanation: "The formula would give a type to an identifier that must have one already. Constants get their types from axioms, variables from invariants, parameters from guards.",
		Also:        []string{"GR0114"},
		Example: `machine M
variables v
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
end
`,
	},
	{
		Code: "GR0113", Rodin: "UntypedConstantError",
		Title:       "Constant without a type",
		Explanation: "No axiom says what the constant is. It is dropped.",
		Example: `context C
constants c
end
`,
	},
	{
		Code: "GR0114", Rodin: "UntypedVariableError",
		Title:       "Variable without a type",
		Explanation: "No invariant says what the variable is. It is dropped.",
		Example: `machine M
variables v
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0115", Rodin: "UntypedParameterError",
		Title:       "Parameter without a type",
		Explanation: "No guard says what the parameter is. It is dropped.",
		Example: `machine M
events
  event INITIALISATION
  end
  event e
  any p
  end
end
`,
	},
	{
		Code: "GR0116", Rodin: "InvalidIdentifierError",
		Title:       "Invalid identifier",
		Explanation: "Sets, constants, variables, parameters and the labels of witnesses are identifiers: letters, digits and _, no digit first, no prime, no reserved word.",
		Example:     "context C\nconstants `a-b`\nend\n",
	},
	{
		Code: "GR0117", Rodin: "InvalidIdentifierSpacesError",
		Title:       "Blanks around an identifier",
		Explanation: "The declared name begins or ends with a blank.",
		Example:     "context C\nconstants ` a`\nend\n",
	},
	{
		Code: "GR0118", Severity: diag.Warning, Rodin: "FreeIdentifierHasBoundOccurencesWarning",
		Title:       "Bound variable hides an identifier",
		Explanation: "A bound variable has the name of something declared. The formula is right, but easily misread.",
		Example: `context C
constants c
axioms
  @axm1 c ∈ ℕ
  @axm2 ∀c·c ∈ ℤ ⇒ c ∗ c ≥ 0
end
`,
	},
	{
		Code: "GR0119", Severity: diag.Warning, Rodin: "BoundIdentifierIsAlreadyBoundWarning",
		Title:       "Bound variable hides another",
		Explanation: "A variable is bound inside the scope of one with the same name. The formula is right, but easily misread.",
		Example: `context C
axioms
  @axm1 ∀x·x ∈ ℕ ⇒ (∃x·x ∈ ℕ ∧ x > 0)
end
`,
	},
	{
		Code: "GR0120", Severity: diag.Warning, Rodin: "ImplicationInExistentialWarning",
		Title:       "Implication below ∃",
		Explanation: "∃x·P⇒Q holds already if P is false for some x, which is hardly what is meant.",
		Example: `context C
axioms
  @axm1 ∃x·x ∈ ℕ ⇒ x > 0
end
`,
	},
	{
		Code: "GR0121", Rodin: "IdentifierUndefError",
		Title:       "Missing identifier",
		Explanation: "A declaration in a Rodin file has no identifier. It is dropped.",
		Example: `-- C.buc --
<org.eventb.core.contextFile org.eventb.core.configuration="org.eventb.core.fwd" version="3">
  <org.eventb.core.constant name="c"/>
</org.eventb.core.contextFile>
`,
	},
	{
		Code: "GR0122", Rodin: "PredicateUndefError",
		Title:       "Missing predicate",
		Explanation: "An axiom, invariant, guard or witness in a Rodin file has no predicate. It is dropped.",
		Example: `-- C.buc --
<org.eventb.core.contextFile org.eventb.core.configuration="org.eventb.core.fwd" version="3">
  <org.eventb.core.axiom name="a" org.eventb.core.label="axm1"/>
</org.eventb.core.contextFile>
`,
	},
	{
		Code: "GR0123", Rodin: "ExpressionUndefError",
		Title:       "Missing expression",
		Explanation: "A variant in a Rodin file has no expression. It is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.variant name="v"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0124", Rodin: "AssignmentUndefError",
		Title:       "Missing assignment",
		Explanation: "An action in a Rodin file has no assignment. It is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION">
    <org.eventb.core.action name="a" org.eventb.core.label="act1"/>
  </org.eventb.core.event>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0125", Rodin: "LabelUndefError",
		Title:       "Missing label",
		Explanation: "An element in a Rodin file has no label. It is dropped. In text files labels may be left out; there, such elements are numbered.",
		Example: `-- C.buc --
<org.eventb.core.contextFile org.eventb.core.configuration="org.eventb.core.fwd" version="3">
  <org.eventb.core.axiom name="a" org.eventb.core.predicate="⊤"/>
</org.eventb.core.contextFile>
`,
	},
	{
		Code: "GR0126", Rodin: "EmptyLabelError",
		Title:       "Empty label",
		Explanation: "The label is empty or blank. The element is dropped.",
		Example:     "context C\naxioms\n  @` ` ⊤\nend\n",
	},
	{
		Code: "GR0127", Rodin: "ConvergenceUndefError",
		Title:       "Missing status",
		Explanation: "An event in a Rodin file does not say whether it is ordinary, convergent or anticipated. It is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.event name="i" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
  <org.eventb.core.event name="e" org.eventb.core.extended="false" org.eventb.core.label="e"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0128", Rodin: "ExtendedUndefError",
		Title:       "Missing extended attribute",
		Explanation: "An event in a Rodin file does not say whether it is extended. It is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.event name="i" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.label="e"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0129", Rodin: "ConfigurationMissingError",
		Title:       "Missing configuration",
		Explanation: "A Rodin file without configuration is not checked, here as in Rodin.",
		Example: `-- C.buc --
<org.eventb.core.contextFile version="3">
</org.eventb.core.contextFile>
`,
	},
	{
		Code: "GR0130", Rodin: "CarrierSetNameConflictError",
		Title:       "Carrier set declared twice",
		Explanation: "Another identifier of the context has the name of the carrier set.",
		Example: `context C
sets S S
end
`,
	},
	{
		Code: "GR0131", Rodin: "CarrierSetNameImportConflictError",
		Title:       "Carrier set of an included context in conflict",
		Explanation: "A context that is extended or seen declares a carrier set whose name is taken. The clause is dropped, with all that it includes.",
		Example: `context A
sets S
end
context B
sets S
end
context C
extends A B
end
`,
	},
	{
		Code: "GR0132", Severity: diag.Warning, Rodin: "CarrierSetNameImportConflictWarning",
		Title:       "Carrier set of an included context declared again",
		Explanation: "An own declaration has the name of a carrier set of an included context. The own one is dropped.",
		Also:        []string{"GR0130"},
		Example: `context A
sets S
end
context C
extends A
sets S
end
`,
	},
	{
		Code: "GR0133", Rodin: "ConstantNameConflictError",
		Title:       "Constant declared twice",
		Explanation: "Another identifier of the context has the name of the constant.",
		Also:        []string{"GR0113"},
		Example: `context C
constants c c
end
`,
	},
	{
		Code: "GR0134", Rodin: "ConstantNameImportConflictError",
		Title:       "Constant of an included context in conflict",
		Explanation: "A context that is extended or seen declares a constant whose name is taken. The clause is dropped, with all that it includes.",
		Example: `context A
constants c
axioms
  @axm1 c = 1
end
context B
constants c
axioms
  @axm1 c = 1
end
context C
extends A B
end
`,
	},
	{
		Code: "GR0135", Severity: diag.Warning, Rodin: "ConstantNameImportConflictWarning",
		Title:       "Constant of an included context declared again",
		Explanation: "An own declaration has the name of a constant of an included context. The own one is dropped.",
		Also:        []string{"GR0133"},
		Example: `context A
constants c
axioms
  @axm1 c = 1
end
context C
extends A
constants c
end
`,
	},
	{
		Code: "GR0136", Rodin: "VariableNameConflictError",
		Title:       "Variable declared twice",
		Explanation: "Another identifier of the machine has the name of the variable. Names of parameters of abstract events count too.",
		Also:        []string{"GR0114"},
		Example: `machine M
variables v v
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0137", Severity: diag.Warning, Rodin: "VariableNameConflictWarning",
		Title:       "Parameter with the name of a variable",
		Explanation: "A parameter has the name of a variable. The parameter is dropped.",
		Also:        []string{"GR0139"},
		Example: `machine M
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  any v
  end
end
`,
	},
	{
		Code: "GR0138", Severity: diag.Warning, Rodin: "VariableNameImportConflictWarning",
		Title:       "Variable of the refined machine in conflict",
		Explanation: "A seen context declares the name of a variable of the refined machine. The clause that sees the context is dropped.",
		Also:        []string{"GR0131"},
		Example: `context C
sets v
end
machine A
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
end
machine B
refines A
sees C
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0139", Rodin: "ParameterNameConflictError",
		Title:       "Parameter declared twice",
		Explanation: "Another identifier has the name of the parameter.",
		Also:        []string{"GR0115"},
		Example: `machine M
events
  event INITIALISATION
  end
  event e
  any p p
  end
end
`,
	},
	{
		Code: "GR0140", Severity: diag.Warning, Rodin: "ParameterNameImportConflictWarning",
		Title:       "Parameter of an abstract event in conflict",
		Explanation: "A variable, or an identifier of a seen context, has the name of a parameter of an abstract event; or an own parameter that of an inherited one.",
		Also:        []string{"GR0136"},
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  any x
  where
    @grd1 x ∈ ℤ
  end
end
machine B
refines A
variables x
events
  event INITIALISATION
  end
  event e
  refines e
  with
    @x x = 1
  end
end
`,
	},
	{
		Code: "GR0141", Rodin: "AxiomLabelConflictError",
		Title:       "Axiom label used twice",
		Explanation: "The axioms of a context, theorems included, have different labels. The later axiom is dropped.",
		Also:        []string{"GR0142"},
		Example: `context C
axioms
  @a ⊤
  @a ⊤
end
`,
	},
	{
		Code: "GR0142", Severity: diag.Warning, Rodin: "AxiomLabelConflictWarning",
		Title:       "Axiom label used again",
		Explanation: "A later axiom has the label of this one and is dropped.",
		Also:        []string{"GR0141"},
		Example: `context C
axioms
  @a ⊤
  @a ⊤
end
`,
	},
	{
		Code: "GR0143", Rodin: "InvariantLabelConflictError",
		Title:       "Invariant label used twice",
		Explanation: "The invariants, variants and events of a machine have different labels. The later invariant is dropped.",
		Also:        []string{"GR0144"},
		Example: `machine M
invariants
  @a ⊤
  @a ⊤
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0144", Severity: diag.Warning, Rodin: "InvariantLabelConflictWarning",
		Title:       "Invariant label used again",
		Explanation: "A later invariant, variant or event has the label of this invariant and is dropped.",
		Also:        []string{"GR0147"},
		Example: `machine M
invariants
  @a ⊤
events
  event INITIALISATION
  end
  event a
  end
end
`,
	},
	{
		Code: "GR0145", Rodin: "VariantLabelConflictError",
		Title:       "Variant label used twice",
		Explanation: "The invariants, variants and events of a machine have different labels. The later variant is dropped.",
		Also:        []string{"GR0144"},
		Example: `machine M
invariants
  @a ⊤
variant
  @a 1
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0146", Severity: diag.Warning, Rodin: "VariantLabelConflictWarning",
		Title:       "Variant label used again",
		Explanation: "A later variant or event has the label of this variant and is dropped.",
		Also:        []string{"GR0147"},
		Example: `machine M
variables n
invariants
  @inv1 n ∈ ℕ
variant
  @a n
events
  event INITIALISATION
  then
    @act1 n ≔ 0
  end
  convergent event e
  where
    @grd1 n > 0
  then
    @act1 n ≔ n − 1
  end
  event a
  end
end
`,
	},
	{
		Code: "GR0147", Rodin: "EventLabelConflictError",
		Title:       "Event label used twice",
		Explanation: "The invariants, variants and events of a machine have different labels. Two events with one label are both dropped.",
		Example: `machine M
events
  event INITIALISATION
  end
  event e
  end
  event e
  end
end
`,
	},
	{
		Code: "GR0148", Rodin: "GuardLabelConflictError",
		Title:       "Guard label used twice",
		Explanation: "The guards and actions of an event have different labels, inherited ones included. The later guard is dropped.",
		Also:        []string{"GR0149"},
		Example: `machine M
events
  event INITIALISATION
  end
  event e
  where
    @a ⊤
    @a ⊤
  end
end
`,
	},
	{
		Code: "GR0149", Severity: diag.Warning, Rodin: "GuardLabelConflictWarning",
		Title:       "Guard label used again",
		Explanation: "A later guard or action has the label of this guard and is dropped.",
		Also:        []string{"GR0150"},
		Example: `machine M
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  where
    @a ⊤
  then
    @a v ≔ 1
  end
end
`,
	},
	{
		Code: "GR0150", Rodin: "ActionLabelConflictError",
		Title:       "Action label used twice",
		Explanation: "The guards and actions of an event have different labels, inherited ones included. Two actions with one label are both dropped.",
		Example: `machine M
variables v w
invariants
  @inv1 v ∈ ℤ
  @inv2 w ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v, w ≔ 0, 0
  end
  event e
  then
    @a v ≔ 1
    @a w ≔ 1
  end
end
`,
	},
	{
		Code: "GR0151", Rodin: "WitnessLabelConflictError",
		Title:       "Two witnesses for one identifier",
		Explanation: "The later witness is dropped.",
		Also:        []string{"GR0152"},
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  any x
  where
    @grd1 x ∈ ℤ
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines e
  with
    @x x = 1
    @x x = 2
  end
end
`,
	},
	{
		Code: "GR0152", Severity: diag.Warning, Rodin: "WitnessLabelConflictWarning",
		Title:       "Another witness for the same identifier",
		Explanation: "There is another witness for the identifier, which is dropped.",
		Also:        []string{"GR0151"},
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  any x
  where
    @grd1 x ∈ ℤ
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines e
  with
    @x x = 1
    @x x = 2
  end
end
`,
	},
	{
		Code: "GR0159", Severity: diag.Warning,
		Title:       "Component names that are easily confused",
		Explanation: "A context and a machine have the same name, or the names of two components differ in case only. Rodin keeps what it derives from a component, its proofs among it, in files called after the component alone: two components of one name share these files everywhere, and those whose names differ in case share them on Windows and macOS.",
		Example: `context X
end
machine X
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code:        "GR0160",
		Title:       "Component defined twice",
		Explanation: "A project has two contexts or two machines of the same name. The later one is not checked.",
		Example: `context C
end
context C
end
`,
	},
	{
		Code:        "GR0161",
		Title:       "Cyclic dependency",
		Explanation: "Contexts extend each other, or machines refine each other, in a circle. None of them is checked.",
		Example: `context A
extends B
end
context B
extends A
end
`,
	},
	{
		Code:        "GR0162",
		Title:       "Dependency on a cycle",
		Explanation: "The component includes or refines one that is part of a cycle, and is not checked either.",
		Also:        []string{"GR0161"},
		Example: `context A
extends A
end
context B
extends A
end
`,
	},
	{
		Code: "GR0163", Rodin: "AbstractContextNameUndefError",
		Title:       "Missing name of an extended context",
		Explanation: "An extends clause in a Rodin file names no context. It is dropped.",
		Example: `-- C.buc --
<org.eventb.core.contextFile org.eventb.core.configuration="org.eventb.core.fwd" version="3">
  <org.eventb.core.extendsContext name="e"/>
</org.eventb.core.contextFile>
`,
	},
	{
		Code: "GR0164", Rodin: "AbstractContextNotFoundError",
		Title:       "Extended context not found",
		Explanation: "There is no context of that name in the project. The clause is dropped.",
		Example: `context C
extends D
end
`,
	},
	{
		Code: "GR0165", Rodin: "AbstractContextWithoutConfigurationError",
		Title:       "Extended context without configuration",
		Explanation: "The extended context is a Rodin file without configuration, which is not checked. The clause is dropped.",
		Also:        []string{"GR0129"},
		Example: `-- A.buc --
<org.eventb.core.contextFile version="3">
</org.eventb.core.contextFile>
-- C.buc --
<org.eventb.core.contextFile org.eventb.core.configuration="org.eventb.core.fwd" version="3">
  <org.eventb.core.extendsContext name="e" org.eventb.core.target="A"/>
</org.eventb.core.contextFile>
`,
	},
	{
		Code: "GR0166", Severity: diag.Warning, Rodin: "AbstractContextRedundantWarning",
		Title:       "Context extended twice",
		Explanation: "Another extends clause includes the context already. Extension is transitive.",
		Example: `context A
end
context B
extends A
end
context C
extends A B
end
`,
	},
	{
		Code: "GR0167", Rodin: "SeenContextNameUndefError",
		Title:       "Missing name of a seen context",
		Explanation: "A sees clause in a Rodin file names no context. It is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.seesContext name="s"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0168", Rodin: "SeenContextNotFoundError",
		Title:       "Seen context not found",
		Explanation: "There is no context of that name in the project. The clause is dropped.",
		Example: `machine M
sees D
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0169", Rodin: "SeenContextWithoutConfigurationError",
		Title:       "Seen context without configuration",
		Explanation: "The seen context is a Rodin file without configuration, which is not checked. The clause is dropped.",
		Also:        []string{"GR0129"},
		Example: `-- A.buc --
<org.eventb.core.contextFile version="3">
</org.eventb.core.contextFile>
-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.seesContext name="s" org.eventb.core.target="A"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0170", Severity: diag.Warning, Rodin: "SeenContextRedundantWarning",
		Title:       "Context seen twice",
		Explanation: "Another sees clause includes the context already: a machine sees what a seen context extends.",
		Example: `context A
end
context B
extends A
end
machine M
sees A B
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0171", Severity: diag.Warning, Rodin: "ContextOnlyInAbstractMachineWarning",
		Title:       "Context of the refined machine not seen",
		Explanation: "The refined machine sees a context that this machine does not. It is added, as the inherited invariants need it.",
		Example: `context C
end
machine A
sees C
events
  event INITIALISATION
  end
end
machine B
refines A
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0172", Rodin: "TooManyAbstractMachinesError",
		Title:       "Several refined machines",
		Explanation: "A machine refines one machine at most. The first clause counts.",
		Example: `machine A
events
  event INITIALISATION
  end
end
machine B
events
  event INITIALISATION
  end
end
machine C
refines A B
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0173", Rodin: "AbstractMachineNameUndefError",
		Title:       "Missing name of the refined machine",
		Explanation: "A refines clause in a Rodin file names no machine. It is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.refinesMachine name="r"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0174", Rodin: "AbstractMachineNotFoundError",
		Title:       "Refined machine not found",
		Explanation: "There is no machine of that name in the project. The machine is checked as if it refined none.",
		Example: `machine M
refines A
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0175", Rodin: "AbstractMachineWithoutConfigurationError",
		Title:       "Refined machine without configuration",
		Explanation: "The refined machine is a Rodin file without configuration, which is not checked. The clause is dropped.",
		Also:        []string{"GR0129"},
		Example: `-- A.bum --
<org.eventb.core.machineFile version="5">
</org.eventb.core.machineFile>
-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.refinesMachine name="r" org.eventb.core.target="A"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0180", Rodin: "DisappearedVariableRedeclaredError",
		Title:       "Disappeared variable declared again",
		Explanation: "A variable that an earlier refinement dropped cannot come back: its invariants would speak of another thing.",
		Example: `machine A
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
end
machine B
refines A
events
  event INITIALISATION
  end
end
machine C
refines B
variables v
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0181", Rodin: "VariableHasDisappearedError",
		Title:       "Disappeared variable used",
		Explanation: "Guards and actions use the variables of their own machine. Invariants, guards that are theorems and witnesses may also use those that disappear in this very refinement.",
		Example: `machine A
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  where
    @grd1 v > 0
  end
end
`,
	},
	{
		Code: "GR0182", Rodin: "VariantFreeIdentifierError",
		Title:       "Disappeared variable in a variant",
		Explanation: "A variant is an expression over the variables of its own machine.",
		Example: `machine A
variables v
invariants
  @inv1 v ∈ ℕ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
end
machine B
refines A
variant v
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0183", Rodin: "InvalidVariantTypeError",
		Title:       "Variant of a wrong type",
		Explanation: "A variant is an integer or a set: only these can be shown to decrease.",
		Example: `machine M
variant TRUE
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0184", Severity: diag.Warning, Rodin: "NoConvergentEventButVariantWarning",
		Title:       "Needless variant",
		Explanation: "No convergent event needs the variant. Obligations of anticipated events mention it nevertheless.",
		Example: `machine M
variant 1
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0185", Severity: diag.Warning, Rodin: "MachineWithoutInitialisationWarning",
		Title:       "No initialisation",
		Explanation: "The machine has no event INITIALISATION, so nothing is said about its first state.",
		Example: `machine M
end
`,
	},
	{
		Code: "GR0186", Severity: diag.Warning, Rodin: "AbstractEventNotRefinedWarning",
		Title:       "Abstract event not refined",
		Explanation: "No event refines the abstract event, which thereby cannot occur any more. If that is meant, say so in the abstract machine: with the guard ⊥.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  end
end
machine B
refines A
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0187", Severity: diag.Warning, Rodin: "EventInitLabelMisspellingWarning",
		Title:       "Initialisation misspelled",
		Explanation: "The label looks like INITIALISATION, but is not; the event is an ordinary one.",
		Example: `machine M
events
  event INITIALISATION
  end
  event Initialization
  end
end
`,
	},
	{
		Code: "GR0190", Rodin: "AbstractEventLabelUndefError",
		Title:       "Missing label of the refined event",
		Explanation: "A refines clause of an event in a Rodin file names no event. It is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.event name="i" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="e">
    <org.eventb.core.refinesEvent name="r"/>
  </org.eventb.core.event>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0191", Rodin: "AbstractEventNotFoundError",
		Title:       "Refined event not found",
		Explanation: "The refined machine has no such event, or it was dropped there. INITIALISATION refines the abstract one without saying so.",
		Also:        []string{"GR0192"},
		Example: `machine A
events
  event INITIALISATION
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines f
  end
end
`,
	},
	{
		Code: "GR0192", Rodin: "EventRefinementError",
		Title:       "Unclear refinement",
		Explanation: "Some refines clause of the event is wrong, so it is unclear what it refines. The event is dropped.",
		Also:        []string{"GR0191"},
		Example: `machine A
events
  event INITIALISATION
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines f
  end
end
`,
	},
	{
		Code: "GR0193", Severity: diag.Warning, Rodin: "AbstractEventLabelConflictWarning",
		Title:       "Event refined twice",
		Explanation: "The event names the same abstract event twice.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines e e
  end
end
`,
	},
	{
		Code: "GR0194", Rodin: "InitialisationRefinedError",
		Title:       "Initialisation refined by another event",
		Explanation: "Only INITIALISATION refines the abstract INITIALISATION. The event is dropped.",
		Also:        []string{"GR0192"},
		Example: `machine A
events
  event INITIALISATION
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0195", Severity: diag.Warning, Rodin: "InitialisationRefinesEventWarning",
		Title:       "Needless refinement of the initialisation",
		Explanation: "INITIALISATION refines the abstract one; it needs no clause for that.",
		Example: `machine A
events
  event INITIALISATION
  end
end
machine B
refines A
events
  event INITIALISATION
  refines INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0196", Severity: diag.Warning, Rodin: "InconsistentEventLabelWarning",
		Title:       "New event with the name of an abstract one",
		Explanation: "Events refine what their refines clauses name, and nothing besides. An event of the same name without such a clause is a new event.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  where
    @grd1 ⊥
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  end
end
`,
	},
	{
		Code: "GR0197", Rodin: "EventMergeVariableTypeError",
		Title:       "Merged events with parameters of different types",
		Explanation: "Two abstract events that are refined together have parameters of one name and different types. The event is dropped.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  any x
  where
    @grd1 x ∈ ℤ
  end
  event f
  any x
  where
    @grd1 x ∈ BOOL
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event g
  refines e f
  with
    @x ⊤
  end
end
`,
	},
	{
		Code: "GR0198", Rodin: "EventMergeActionError",
		Title:       "Merged events with different actions",
		Explanation: "Events can be refined together if their actions are the same, labels included. The event is dropped.",
		Example: `machine A
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  then
    @act1 v ≔ 1
  end
  event f
  then
    @act1 v ≔ 2
  end
end
machine B
refines A
variables v
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event g
  refines e f
  then
    @act1 v ≔ 1
  end
end
`,
	},
	{
		Code: "GR0199", Rodin: "EventMergeLabelError",
		Title:       "Merged events with different action labels",
		Explanation: "Events can be refined together if their actions are the same, labels included. Here only the labels differ. The event is dropped.",
		Example: `machine A
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  then
    @act1 v ≔ 1
  end
  event f
  then
    @act2 v ≔ 1
  end
end
machine B
refines A
variables v
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event g
  refines e f
  then
    @act1 v ≔ 1
  end
end
`,
	},
	{
		Code: "GR0200", Rodin: "EventExtendedUnrefinedError",
		Title:       "Extended event without refinement",
		Explanation: "An extended event inherits the parameters, guards and actions of the one event that it refines. This one refines none and is dropped.",
		Example: `-- M.bum --
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
  <org.eventb.core.event name="i" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION"/>
  <org.eventb.core.event name="e" org.eventb.core.convergence="0" org.eventb.core.extended="true" org.eventb.core.label="e"/>
</org.eventb.core.machineFile>
`,
	},
	{
		Code: "GR0201", Rodin: "EventExtendedMergeError",
		Title:       "Extended event with several refined ones",
		Explanation: "An extended event inherits from one event. To refine several together, write the event out. It is dropped.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  end
  event f
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event g
  extends e f
  end
end
`,
	},
	{
		Code: "GR0202", Rodin: "InitialisationVariableError",
		Title:       "Parameter of the initialisation",
		Explanation: "INITIALISATION has no parameters. The parameter is dropped.",
		Also:        []string{"GR0115"},
		Example: `machine M
events
  event INITIALISATION
  any p
  end
end
`,
	},
	{
		Code: "GR0203", Rodin: "InitialisationGuardError",
		Title:       "Guard of the initialisation",
		Explanation: "INITIALISATION has no guards: it must be possible. The guard is dropped.",
		Example: `machine M
events
  event INITIALISATION
  where
    @grd1 ⊤
  end
end
`,
	},
	{
		Code: "GR0204", Rodin: "InitialisationActionRHSError",
		Title:       "State before the initialisation",
		Explanation: "Before the initialisation no variable has a value, so its actions use constants only, and its witnesses after-values.",
		Also:        []string{"GR0205"},
		Example: `machine M
variables v w
invariants
  @inv1 v ∈ ℤ
  @inv2 w ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
    @act2 w ≔ v
  end
end
`,
	},
	{
		Code: "GR0205", Severity: diag.Warning, Rodin: "InitialisationIncompleteWarning",
		Title:       "Variable not initialised",
		Explanation: "INITIALISATION does not assign the variable. An action v :∣ ⊤ with the label GEN is added, so any value is possible.",
		Example: `machine M
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0206", Severity: diag.Warning, Rodin: "InitialisationNotOrdinaryWarning",
		Title:       "Status of the initialisation",
		Explanation: "INITIALISATION is always ordinary.",
		Example: `machine M
events
  convergent event INITIALISATION
  end
end
`,
	},
	{
		Code: "GR0207", Severity: diag.Warning, Rodin: "OrdinaryFaultyConvergenceWarning",
		Title:       "Status stronger than that of the abstract event",
		Explanation: "An ordinary event is refined by ordinary events. Only new events, and those that refine anticipated ones, can be convergent.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  anticipated event e
  refines e
  end
end
`,
	},
	{
		Code: "GR0208", Severity: diag.Warning, Rodin: "ConvergentEventNoVariantWarning",
		Title:       "Convergent event without variant",
		Explanation: "A convergent event decreases a variant; the machine has no valid one. The event is taken as ordinary.",
		Example: `machine M
events
  event INITIALISATION
  end
  convergent event e
  end
end
`,
	},
	{
		Code: "GR0209", Severity: diag.Warning, Rodin: "FaultyAbstractConvergenceUnchangedWarning",
		Title:       "Merged events of different status",
		Explanation: "Events of different status are refined together. The weakest status counts for all of them; this event has it.",
		Also:        []string{"GR0210"},
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  end
  anticipated event f
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event g
  refines e f
  end
end
`,
	},
	{
		Code: "GR0210", Severity: diag.Warning, Rodin: "FaultyAbstractConvergenceOrdinaryWarning",
		Title:       "Merged events of different status, ordinary assumed",
		Explanation: "Events of different status are refined together. This one is taken as ordinary, since another one is.",
		Also:        []string{"GR0209"},
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  end
  anticipated event f
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event g
  refines e f
  end
end
`,
	},
	{
		Code: "GR0211", Severity: diag.Warning, Rodin: "FaultyAbstractConvergenceAnticipatedWarning",
		Title:       "Merged events of different status, anticipated assumed",
		Explanation: "Events of different status are refined together. This one is taken as anticipated, since another one is.",
		Also:        []string{"GR0209"},
		Example: `machine A
variables n
invariants
  @inv1 n ∈ ℕ
variant n
events
  event INITIALISATION
  then
    @act1 n ≔ 9
  end
  anticipated event e
  where
    @grd1 n > 0
  then
    @act1 n ≔ n − 1
  end
  convergent event f
  where
    @grd1 n > 1
  then
    @act1 n ≔ n − 1
  end
end
machine B
refines A
variables n
events
  event INITIALISATION
  then
    @act1 n ≔ 9
  end
  anticipated event g
  refines e f
  where
    @grd1 n > 0
  then
    @act1 n ≔ n − 1
  end
end
`,
	},
	{
		Code: "GR0212", Rodin: "ParameterChangedTypeError",
		Title:       "Parameter of another type",
		Explanation: "A parameter that is kept in a refinement keeps its type. The guard is dropped.",
		Also:        []string{"GR0115", "GR0231"},
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  any p
  where
    @grd1 p ∈ ℤ
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines e
  any p
  where
    @grd1 p ∈ BOOL
  end
end
`,
	},
	{
		Code: "GR0220", Rodin: "AssignedIdentifierNotVariableError",
		Title:       "Assignment to an unknown name",
		Explanation: "What stands on the left of an assignment is no variable. The action is dropped.",
		Example: `machine M
events
  event INITIALISATION
  end
  event e
  then
    @act1 x ≔ 1
  end
end
`,
	},
	{
		Code: "GR0221", Rodin: "AssignmentToParameterError",
		Title:       "Assignment to a parameter",
		Explanation: "Parameters keep their values while the event happens. The action is dropped.",
		Example: `machine M
events
  event INITIALISATION
  end
  event e
  any p
  where
    @grd1 p ∈ ℤ
  then
    @act1 p ≔ 1
  end
end
`,
	},
	{
		Code: "GR0222", Rodin: "AssignmentToCarrierSetError",
		Title:       "Assignment to a carrier set",
		Explanation: "Carrier sets never change. The action is dropped.",
		Example: `context C
sets S
end
machine M
sees C
events
  event INITIALISATION
  end
  event e
  then
    @act1 S ≔ ∅
  end
end
`,
	},
	{
		Code: "GR0223", Rodin: "AssignmentToConstantError",
		Title:       "Assignment to a constant",
		Explanation: "Constants never change. The action is dropped.",
		Example: `context C
constants c
axioms
  @axm1 c ∈ ℤ
end
machine M
sees C
events
  event INITIALISATION
  end
  event e
  then
    @act1 c ≔ 1
  end
end
`,
	},
	{
		Code: "GR0224", Rodin: "ActionDisjointLHSError",
		Title:       "Variable assigned twice",
		Explanation: "The actions of an event happen at the same time, so each variable is assigned by one of them at most. All that assign it are dropped.",
		Example: `machine M
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  then
    @act1 v ≔ 1
    @act2 v ≔ 2
  end
end
`,
	},
	{
		Code: "GR0225", Severity: diag.Warning, Rodin: "ActionDisjointLHSWarining",
		Title:       "Variable assigned by an inherited action",
		Explanation: "An action of an extended event assigns a variable that an inherited action assigns. The own action is dropped.",
		Also:        []string{"GR0224"},
		Example: `machine A
variables v
invariants
  @inv1 v ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  then
    @act1 v ≔ 1
  end
end
machine B
refines A
variables v
events
  event INITIALISATION
  then
    @act1 v ≔ 0
  end
  event e
  extends e
  then
    @act2 v ≔ 2
  end
end
`,
	},
	{
		Code: "GR0230", Rodin: "WitnessFreeIdentifierError",
		Title:       "Other after-value in a witness",
		Explanation: "The witness for w' may mention w', but not the after-values of other variables that disappear. The witness is dropped.",
		Also:        []string{"GR0231"},
		Example: `machine A
variables v w
invariants
  @inv1 v ∈ ℤ
  @inv2 w ∈ ℤ
events
  event INITIALISATION
  then
    @act1 v, w ≔ 0, 0
  end
  event e
  then
    @act1 v, w :∣ v' = w'
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines e
  with
    @v' v' = w'
    @w' w' = 1
  end
end
`,
	},
	{
		Code: "GR0231", Severity: diag.Warning, Rodin: "WitnessLabelMissingWarning",
		Title:       "Missing witness",
		Explanation: "An abstract parameter that is not kept needs a witness: a value for it in terms of this event. So does v' if v disappears and the abstract event assigns it by :∈ or :∣. The witness ⊤ is added, which leaves the value arbitrary; the obligations will hardly hold.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  any p
  where
    @grd1 p ∈ ℤ
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines e
  end
end
`,
	},
	{
		Code: "GR0232", Rodin: "WitnessLabelNotPermissible",
		Title:       "Needless witness",
		Explanation: "Nothing of that name disappears here in a way that needs a witness. It is dropped.",
		Example: `machine A
events
  event INITIALISATION
  end
  event e
  end
end
machine B
refines A
events
  event INITIALISATION
  end
  event e
  refines e
  with
    @x ⊤
  end
end
`,
	},
}
