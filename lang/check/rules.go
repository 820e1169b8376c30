package check

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
)

// Rule is one static rule.
type Rule struct {
	Code        string
	Severity    diag.Severity
	Rodin       string // Rodin's identifier of the same problem, without its prefix; "" if it has none
	Title       string
	Explanation string
	Example     string // a file that breaks this rule, and no other
}

// RodinID is Rodin's identifier of the problem, or "".
func (r Rule) RodinID() string {
	if r.Rodin == "" {
		return ""
	}
	return "org.eventb.core." + r.Rodin
}

// RuleOf returns the rule with the given code.
func RuleOf(code string) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(Rules, code, func(r Rule, code string) int { return strings.Compare(r.Code, code) })
	if !ok {
		return Rule{}, false
	}
	return Rules[i], true
}

// Rules is the catalogue of all rules that this package checks, by code.
var Rules = []Rule{
	{Code: "GR0100", Rodin: "TypesDoNotMatchError"},
	{Code: "GR0101", Rodin: "TypeUnknownError"},
	{Code: "GR0102", Rodin: "CircularityError"},
	{Code: "GR0103", Rodin: "MinusAppliedToSetError"},
	{Code: "GR0104", Rodin: "MulAppliedToSetError"},
	{Code: "GR0105", Rodin: "TypeCheckError"},
	{Code: "GR0106", Rodin: "SyntaxError"},
	{Code: "GR0107"},
	{Code: "GR0110", Rodin: "UndeclaredFreeIdentifierError"},
	{Code: "GR0111", Rodin: "FreeIdentifierFaultyDeclError"},
	{Code: "GR0112", Rodin: "UntypedIdentifierError"},
	{Code: "GR0113", Rodin: "UntypedConstantError"},
	{Code: "GR0114", Rodin: "UntypedVariableError"},
	{Code: "GR0115", Rodin: "UntypedParameterError"},
	{Code: "GR0116", Rodin: "InvalidIdentifierError"},
	{Code: "GR0117", Rodin: "InvalidIdentifierSpacesError"},
	{Code: "GR0118", Severity: diag.Warning, Rodin: "FreeIdentifierHasBoundOccurencesWarning"},
	{Code: "GR0119", Severity: diag.Warning, Rodin: "BoundIdentifierIsAlreadyBoundWarning"},
	{Code: "GR0120", Severity: diag.Warning, Rodin: "ImplicationInExistentialWarning"},
	{Code: "GR0121", Rodin: "IdentifierUndefError"},
	{Code: "GR0122", Rodin: "PredicateUndefError"},
	{Code: "GR0123", Rodin: "ExpressionUndefError"},
	{Code: "GR0124", Rodin: "AssignmentUndefError"},
	{Code: "GR0125", Rodin: "LabelUndefError"},
	{Code: "GR0126", Rodin: "EmptyLabelError"},
	{Code: "GR0127", Rodin: "ConvergenceUndefError"},
	{Code: "GR0128", Rodin: "ExtendedUndefError"},
	{Code: "GR0129", Rodin: "ConfigurationMissingError"},
	{Code: "GR0130", Rodin: "CarrierSetNameConflictError"},
	{Code: "GR0131", Rodin: "CarrierSetNameImportConflictError"},
	{Code: "GR0132", Severity: diag.Warning, Rodin: "CarrierSetNameImportConflictWarning"},
	{Code: "GR0133", Rodin: "ConstantNameConflictError"},
	{Code: "GR0134", Rodin: "ConstantNameImportConflictError"},
	{Code: "GR0135", Severity: diag.Warning, Rodin: "ConstantNameImportConflictWarning"},
	{Code: "GR0136", Rodin: "VariableNameConflictError"},
	{Code: "GR0137", Severity: diag.Warning, Rodin: "VariableNameConflictWarning"},
	{Code: "GR0138", Severity: diag.Warning, Rodin: "VariableNameImportConflictWarning"},
	{Code: "GR0139", Rodin: "ParameterNameConflictError"},
	{Code: "GR0140", Severity: diag.Warning, Rodin: "ParameterNameImportConflictWarning"},
	{Code: "GR0141", Rodin: "AxiomLabelConflictError"},
	{Code: "GR0142", Severity: diag.Warning, Rodin: "AxiomLabelConflictWarning"},
	{Code: "GR0143", Rodin: "InvariantLabelConflictError"},
	{Code: "GR0144", Severity: diag.Warning, Rodin: "InvariantLabelConflictWarning"},
	{Code: "GR0145", Rodin: "VariantLabelConflictError"},
	{Code: "GR0146", Severity: diag.Warning, Rodin: "VariantLabelConflictWarning"},
	{Code: "GR0147", Rodin: "EventLabelConflictError"},
	{Code: "GR0148", Rodin: "GuardLabelConflictError"},
	{Code: "GR0149", Severity: diag.Warning, Rodin: "GuardLabelConflictWarning"},
	{Code: "GR0150", Rodin: "ActionLabelConflictError"},
	{Code: "GR0151", Rodin: "WitnessLabelConflictError"},
	{Code: "GR0152", Severity: diag.Warning, Rodin: "WitnessLabelConflictWarning"},
	{Code: "GR0159", Severity: diag.Warning},
	{Code: "GR0160"},
	{Code: "GR0161"},
	{Code: "GR0162"},
	{Code: "GR0163", Rodin: "AbstractContextNameUndefError"},
	{Code: "GR0164", Rodin: "AbstractContextNotFoundError"},
	{Code: "GR0165", Rodin: "AbstractContextWithoutConfigurationError"},
	{Code: "GR0166", Severity: diag.Warning, Rodin: "AbstractContextRedundantWarning"},
	{Code: "GR0167", Rodin: "SeenContextNameUndefError"},
	{Code: "GR0168", Rodin: "SeenContextNotFoundError"},
	{Code: "GR0169", Rodin: "SeenContextWithoutConfigurationError"},
	{Code: "GR0170", Severity: diag.Warning, Rodin: "SeenContextRedundantWarning"},
	{Code: "GR0171", Severity: diag.Warning, Rodin: "ContextOnlyInAbstractMachineWarning"},
	{Code: "GR0172", Rodin: "TooManyAbstractMachinesError"},
	{Code: "GR0173", Rodin: "AbstractMachineNameUndefError"},
	{Code: "GR0174", Rodin: "AbstractMachineNotFoundError"},
	{Code: "GR0175", Rodin: "AbstractMachineWithoutConfigurationError"},
	{Code: "GR0180", Rodin: "DisappearedVariableRedeclaredError"},
	{Code: "GR0181", Rodin: "VariableHasDisappearedError"},
	{Code: "GR0182", Rodin: "VariantFreeIdentifierError"},
	{Code: "GR0183", Rodin: "InvalidVariantTypeError"},
	{Code: "GR0184", Severity: diag.Warning, Rodin: "NoConvergentEventButVariantWarning"},
	{Code: "GR0185", Severity: diag.Warning, Rodin: "MachineWithoutInitialisationWarning"},
	{Code: "GR0186", Severity: diag.Warning, Rodin: "AbstractEventNotRefinedWarning"},
	{Code: "GR0187", Severity: diag.Warning, Rodin: "EventInitLabelMisspellingWarning"},
	{Code: "GR0190", Rodin: "AbstractEventLabelUndefError"},
	{Code: "GR0191", Rodin: "AbstractEventNotFoundError"},
	{Code: "GR0192", Rodin: "EventRefinementError"},
	{Code: "GR0193", Severity: diag.Warning, Rodin: "AbstractEventLabelConflictWarning"},
	{Code: "GR0194", Rodin: "InitialisationRefinedError"},
	{Code: "GR0195", Severity: diag.Warning, Rodin: "InitialisationRefinesEventWarning"},
	{Code: "GR0196", Severity: diag.Warning, Rodin: "InconsistentEventLabelWarning"},
	{Code: "GR0197", Rodin: "EventMergeVariableTypeError"},
	{Code: "GR0198", Rodin: "EventMergeActionError"},
	{Code: "GR0199", Rodin: "EventMergeLabelError"},
	{Code: "GR0200", Rodin: "EventExtendedUnrefinedError"},
	{Code: "GR0201", Rodin: "EventExtendedMergeError"},
	{Code: "GR0202", Rodin: "InitialisationVariableError"},
	{Code: "GR0203", Rodin: "InitialisationGuardError"},
	{Code: "GR0204", Rodin: "InitialisationActionRHSError"},
	{Code: "GR0205", Severity: diag.Warning, Rodin: "InitialisationIncompleteWarning"},
	{Code: "GR0206", Severity: diag.Warning, Rodin: "InitialisationNotOrdinaryWarning"},
	{Code: "GR0207", Severity: diag.Warning, Rodin: "OrdinaryFaultyConvergenceWarning"},
	{Code: "GR0208", Severity: diag.Warning, Rodin: "ConvergentEventNoVariantWarning"},
	{Code: "GR0209", Severity: diag.Warning, Rodin: "FaultyAbstractConvergenceUnchangedWarning"},
	{Code: "GR0210", Severity: diag.Warning, Rodin: "FaultyAbstractConvergenceOrdinaryWarning"},
	{Code: "GR0211", Severity: diag.Warning, Rodin: "FaultyAbstractConvergenceAnticipatedWarning"},
	{Code: "GR0212", Rodin: "ParameterChangedTypeError"},
	{Code: "GR0220", Rodin: "AssignedIdentifierNotVariableError"},
	{Code: "GR0221", Rodin: "AssignmentToParameterError"},
	{Code: "GR0222", Rodin: "AssignmentToCarrierSetError"},
	{Code: "GR0223", Rodin: "AssignmentToConstantError"},
	{Code: "GR0224", Rodin: "ActionDisjointLHSError"},
	{Code: "GR0225", Severity: diag.Warning, Rodin: "ActionDisjointLHSWarining"},
	{Code: "GR0230", Rodin: "WitnessFreeIdentifierError"},
	{Code: "GR0231", Severity: diag.Warning, Rodin: "WitnessLabelMissingWarning"},
	{Code: "GR0232", Rodin: "WitnessLabelNotPermissible"},
}

// RodinID returns Rodin's identifier of the problem with the given code, which
// may be one of package lang, or "".
func RodinID(code string) string {
	if r, ok := RuleOf(code); ok {
		return r.RodinID()
	}
	switch {
	case code == lexerCode:
		return "org.eventb.core.LexerError"
	case code < "GR0100":
		return "org.eventb.core.SyntaxError"
	}
	return ""
}

// lexerCode is the syntax error of a character that begins no token.
const lexerCode = "GR0004"
