package lang

// The codes of syntax errors; package rules explains them.
const (
	codeEncoding        = "GR0001"
	codeTooLong         = "GR0002"
	codeNesting         = "GR0003"
	codeCharacter       = "GR0004"
	codeTooMany         = "GR0005"
	codeDirection       = "GR0006"
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
