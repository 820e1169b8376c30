package lang

// Rule is one syntax rule of the language.
type Rule struct {
	Code        string
	Rodin       string // Rodin's identifier of the same problem, without its prefix; "" if it has none
	Title       string
	Explanation string
	Example     string // a text file that breaks this rule alone; "" where that takes a large file
}

// The codes of syntax errors.
const (
	codeEncoding        = "GR0001"
	codeTooLong         = "GR0002"
	codeNesting         = "GR0003"
	codeCharacter       = "GR0004"
	codeTooMany         = "GR0005"
	codeParens          = "GR0010"
	codeMissingOperand  = "GR0011"
	codeMissingOperator = "GR0012"
	codeExpected        = "GR0013"
	codeUnclosed        = "GR0014"
	codeEnd             = "GR0015"
	codeWantPredicate   = "GR0016"
	codeWantExpression  = "GR0017"
	codeWantName        = "GR0018"
	codeWantType        = "GR0019"
	codeOfType          = "GR0020"
	codeGenericType     = "GR0021"
	codeDuplicateName   = "GR0022"
	codeNotBinding      = "GR0023"
	codeAssignment      = "GR0024"
	codeArity           = "GR0025"
	codeReserved        = "GR0026"
	codeStructure       = "GR0030"
)

// Rules lists the rules by code.
var Rules = []Rule{
	{
		Code:        codeEncoding,
		Title:       "Not UTF-8",
		Explanation: "Files are read as UTF-8. The first byte that is part of no character is shown.",
		Example:     "context C\nsets S \xff\nend\n",
	},
	{
		Code:        codeTooLong,
		Title:       "Text too long",
		Explanation: "Files and formulas are bounded, so that no input can take all memory. Split the file, or the formula.",
	},
	{
		Code:        codeNesting,
		Title:       "Formula nested too deeply",
		Explanation: "Brackets, binders, prefix operators and rows like a − b − … nest. A thousand levels are read; a formula of more is a mistake or an attack.",
	},
	{
		Code: codeCharacter, Rodin: "LexerError",
		Title:       "Unknown character",
		Explanation: "The character is no part of the language. Many signs have look-alikes: ∣ is U+2223, · is U+00B7, ∖ is U+2216. ASCII spellings are read in text files only, not in formulas that Rodin stored.",
		Example:     "context C\nconstants f\naxioms\n  @axm1 f ∈ ℤ ⟶ ℤ\nend\n",
	},
	{
		Code:        codeTooMany,
		Title:       "Too many errors",
		Explanation: "After fifty syntax errors in one file the rest is not reported.",
	},
	{
		Code: codeParens, Rodin: "SyntaxError",
		Title:       "Missing parentheses",
		Explanation: "Event-B has no precedence between such operators: ∧ and ∨, ∪ and ∩, ⇒ and ⇒ can be read in two ways, and a quantifier or λ as an operand would swallow all that follows. Say with parentheses what is meant.",
		Example:     "context C\naxioms\n  @axm1 1 = 1 ∧ 2 = 2 ∨ 3 = 3\nend\n",
	},
	{
		Code: codeMissingOperand, Rodin: "SyntaxError",
		Title:       "Missing operand",
		Explanation: "An operator or a bracket stands where a name, a literal or a formula should.",
		Example:     "context C\naxioms\n  @axm1 1 + = 2\nend\n",
	},
	{
		Code: codeMissingOperator, Rodin: "SyntaxError",
		Title:       "Missing operator",
		Explanation: "Two operands stand side by side. A second formula needs a label, or an operator joins the two.",
		Example:     "context C\naxioms\n  @axm1 1 = 1 2 = 2\nend\n",
	},
	{
		Code: codeExpected, Rodin: "SyntaxError",
		Title:       "Unexpected sign",
		Explanation: "Another sign should stand here: the · behind the names of a quantifier, the ∣ of a set, a closing bracket.",
		Example:     "context C\naxioms\n  @axm1 ∀x ∈ ℤ\nend\n",
	},
	{
		Code: codeUnclosed, Rodin: "SyntaxError",
		Title:       "Never closed",
		Explanation: "A bracket or a comment is opened, and the formula or the file ends before it is closed.",
		Example:     "context C\naxioms\n  @axm1 (1 = 1\nend\n",
	},
	{
		Code: codeEnd, Rodin: "SyntaxError",
		Title:       "Formula breaks off",
		Explanation: "The formula ends behind an operator that needs one more operand.",
		Example:     "context C\naxioms\n  @axm1 1 = 1 ∧\nend\n",
	},
	{
		Code: codeWantPredicate, Rodin: "SyntaxError",
		Title:       "Expression instead of predicate",
		Explanation: "Connectives, quantifiers, axioms, invariants and guards take predicates. An expression b of type BOOL becomes one by b = TRUE.",
		Example:     "context C\nconstants b\naxioms\n  @axm1 b\nend\n",
	},
	{
		Code: codeWantExpression, Rodin: "SyntaxError",
		Title:       "Predicate instead of expression",
		Explanation: "Relations, sets and arithmetic take expressions. bool(P) is TRUE where P holds and FALSE elsewhere.",
		Example:     "context C\nconstants b\naxioms\n  @axm1 b = (1 < 2)\nend\n",
	},
	{
		Code: codeWantName, Rodin: "SyntaxError",
		Title:       "Name expected",
		Explanation: "A name is declared or assigned here. Names that a quantifier declares stand without parentheses; reserved words such as card and mod are no names.",
		Example:     "context C\naxioms\n  @axm1 ∀(x)·x = 1\nend\n",
	},
	{
		Code: codeWantType, Rodin: "SyntaxError",
		Title:       "Type expected",
		Explanation: "Behind ⦂ stands a type: ℤ, BOOL, a carrier set, ℙ(T), S×T or S↔T. ℕ is no type, but a subset of ℤ.",
		Example:     "context C\naxioms\n  @axm1 ∀x⦂ℕ·x = 1\nend\n",
	},
	{
		Code: codeOfType, Rodin: "SyntaxError",
		Title:       "⦂ not expected",
		Explanation: "Only declarations, and the generic ∅, id, prj1 and prj2, carry a type.",
		Example:     "context C\nconstants x\naxioms\n  @axm1 (x⦂ℤ) = 1\nend\n",
	},
	{
		Code: codeGenericType, Rodin: "SyntaxError",
		Title:       "Wrong type of a generic operator",
		Explanation: "∅ has a type ℙ(α), id ℙ(α×α), prj1 ℙ(α×β×α) and prj2 ℙ(α×β×β).",
		Example:     "context C\naxioms\n  @axm1 finite(∅⦂ℤ)\nend\n",
	},
	{
		Code: codeDuplicateName, Rodin: "SyntaxError",
		Title:       "Name twice in a pattern",
		Explanation: "Each name occurs once in the pattern of λ.",
		Example:     "context C\naxioms\n  @axm1 finite(λx ↦ x·⊤ ∣ x + 1)\nend\n",
	},
	{
		Code: codeNotBinding, Rodin: "SyntaxError",
		Title:       "Nothing is bound",
		Explanation: "In {E ∣ P} all identifiers of E are bound, so there must be one.",
		Example:     "context C\naxioms\n  @axm1 finite({1 ∣ 2 = 2})\nend\n",
	},
	{
		Code: codeAssignment, Rodin: "SyntaxError",
		Title:       "No assignment",
		Explanation: "An action assigns: x ≔ E, f(E) ≔ F, x :∈ S or x,y :∣ P. The sign = compares.",
		Example:     "machine M\nvariables x\nevents\n  event e\n    then\n      @act1 x = 1\n  end\nend\n",
	},
	{
		Code: codeArity, Rodin: "SyntaxError",
		Title:       "Numbers of sides differ",
		Explanation: "As many expressions as variables are assigned; :∈ assigns one variable.",
		Example:     "machine M\nvariables x y\nevents\n  event e\n    then\n      @act1 x, y ≔ 1\n  end\nend\n",
	},
	{
		Code:        codeReserved,
		Title:       "Reserved word as a name",
		Explanation: "The word is an operator or a constant of formulas, such as max, id or BOOL, or the ASCII spelling of one, such as or. No carrier set, constant, variable or parameter can have its name. docs/language.md lists all of these words. Components and events can: their names are quoted.",
		Example:     "context C\nconstants max\naxioms\n  @axm1 max ∈ ℕ\nend\n",
	},
	{
		Code:        codeStructure,
		Title:       "Unexpected word",
		Explanation: "The word fits no clause of a context or machine here. A keyword that is meant as a name is quoted: `end`.",
		Example:     "context C\nvariables x\nend\n",
	},
}
