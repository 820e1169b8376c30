// Package sarif defines the part of SARIF 2.1.0 that this program uses. Absent values are omitted,
// because code hosts reject or report empty ones.
package sarif

import (
	"encoding/json"
	"io"
)

// The levels of results, the gravest first.
const (
	Error   = "error"
	Warning = "warning"
	Note    = "note"
)

// Run is what one command found.
type Run struct {
	Tool        Tool         `json:"tool"`
	Automation  *Automation  `json:"automationDetails,omitempty"`
	ColumnKind  string       `json:"columnKind"`
	Invocations []Invocation `json:"invocations,omitempty"`
	Results     []Result     `json:"results"` // none is a statement, too
}

// Automation names the kind of a run: a later one of the same kind replaces it.
type Automation struct {
	ID string `json:"id"`
}

// Tool is this program.
type Tool struct {
	Driver Driver `json:"driver"`
}

// Driver is the part of a tool that has rules.
type Driver struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	InformationURI string `json:"informationUri"`
	Rules          []Rule `json:"rules"`
}

// Rule is a kind of result.
type Rule struct {
	ID               string `json:"id"`
	Name             string `json:"name"` // one word in capitals and small letters
	ShortDescription Text   `json:"shortDescription"`
	FullDescription  Text   `json:"fullDescription"`
	HelpURI          string `json:"helpUri"`
	Help             Text   `json:"help"`
}

// Text is a message.
type Text struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// Invocation is how the program ran.
type Invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification is what the program says of its run.
type Notification struct {
	Level   string `json:"level"`
	Message Text   `json:"message"`
}

// Result is one finding.
type Result struct {
	RuleID        string            `json:"ruleId"`
	RuleIndex     int               `json:"ruleIndex"`
	Level         string            `json:"level"`
	Message       Text              `json:"message"`
	BaselineState string            `json:"baselineState,omitempty"`
	Fingerprints  map[string]string `json:"partialFingerprints"`
	Locations     []Location        `json:"locations"`
	Related       []Location        `json:"relatedLocations,omitempty"`
	CodeFlows     []CodeFlow        `json:"codeFlows,omitempty"`
	Suppressions  []Suppression     `json:"suppressions,omitempty"`
}

// Location is a place in a file.
type Location struct {
	Physical Physical  `json:"physicalLocation"`
	Logical  []Logical `json:"logicalLocations,omitempty"`
	Message  *Text     `json:"message,omitempty"`
}

// Physical is a file and a place in it.
type Physical struct {
	Artifact Artifact `json:"artifactLocation"`
	Region   Region   `json:"region"`
}

// Artifact is a file.
type Artifact struct {
	URI    string `json:"uri"`
	BaseID string `json:"uriBaseId,omitempty"`
}

// Region is a place in a file.
type Region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

// Logical is an element of a model.
type Logical struct {
	Name string `json:"fullyQualifiedName"`
}

// CodeFlow is how something comes about.
type CodeFlow struct {
	ThreadFlows []ThreadFlow `json:"threadFlows"`
}

// ThreadFlow is a sequence of steps.
type ThreadFlow struct {
	Steps []Step `json:"locations"`
}

// Step is a place with the values that names have there.
type Step struct {
	Location Location        `json:"location"`
	State    map[string]Text `json:"state,omitempty"`
}

// Suppression says why a result is accepted.
type Suppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

// Write writes a document with one run.
func Write(out io.Writer, run Run) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []Run  `json:"runs"`
	}{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []Run{run}})
}
