// Package mcp serves agents: the Model Context Protocol in, commands of the program out.
// Each tool is one command, so that an agent is told what a person and a script are told,
// byte for byte. Nothing writes into a project.
package mcp

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/gradine/gradine/internal/seam"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Command is a command of the program: where it looks for the project unless it is told,
// what it reads from its standard input, its name with flags, and what these are about.
type Command struct {
	Dir, Input  string
	Line, Names []string
}

// Run runs a command, and returns what it printed, what it said beside that, and its exit
// code.
type Run func(ctx context.Context, command Command) (output, messages string, code int)

// Serve speaks with an agent until it closes the connection.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, version string, run Run) error {
	return newServer(version, run).Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
}

const instructions = `gradine checks, proves and explores Event-B models that are text files.
Edit the files yourself; the tools read what is saved and never write.
Begin with check; then prove; ask why about what is open or refuted.
A verdict is proved, vacuous, refuted or open. open is not a proof, bounded is not a success.`

func newServer(version string, run Run) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "gradine", Title: "Event-B: check, prove, explore", Version: version}, &mcp.ServerOptions{Instructions: instructions})
	add(server, run, "check", "Checks names, types and static rules. One problem a line, as JSON: file, line, code, message.",
		func(in whole) Command { return Command{Line: []string{"check", "--format=jsonl"}, Names: in.names()} })
	add(server, run, "obligations", "Generates proof obligations. One a line, as JSON: name, goal, hypotheses, selected hypotheses.",
		func(in some) Command {
			return Command{Line: []string{"po", "--format=jsonl"}, Names: in.names(in.Elements...)}
		})
	add(server, run, "sequent", "Shows one obligation so that people can read it: where it comes from, its hypotheses, its goal.",
		func(in one) Command { return Command{Line: []string{"po", "--all"}, Names: in.names(in.Obligation)} })
	add(server, run, "prove", "Finds verdicts. One obligation a line, as JSON: verdict (proved, vacuous, refuted, open), steps, hypotheses used, counterexample.",
		func(in budgeted) Command {
			return Command{Line: []string{"prove", "--format=jsonl", fmt.Sprintf("--steps=%d", in.Steps)}, Names: in.names(in.Elements...)}
		})
	add(server, run, "why", "Explains the verdict of one obligation: the proof, the counterexample, or what is left to prove.",
		func(in one) Command { return Command{Line: []string{"report", "why"}, Names: in.names(in.Obligation)} })
	add(server, run, "explore", "Explores the states of a machine. JSON: states, verdict (complete, bounded, counterexample), violated invariants, trace.",
		func(in machine) Command {
			line := []string{"explore", "--format=jsonl"}
			for _, constant := range in.Constants {
				line = append(line, "--const="+constant)
			}
			return Command{Line: line, Names: in.names(in.Machine)}
		})
	add(server, run, "infer", "Finds invariants worth adding to a machine, each with certificates. JSON: kept and killed candidates.",
		func(in inferred) Command {
			return Command{Line: []string{"infer", "--format=jsonl"}, Names: in.names(in.Machine)}
		})
	add(server, run, "try", "Says what an edited file would change, and writes nothing. One obligation a line, as JSON: what is new, gone, proved now, lost, refuted with its counterexample.",
		func(in edited) Command {
			return Command{Dir: in.Path, Input: in.Text, Line: []string{"try", "--format=jsonl"}, Names: []string{in.File + "=-"}}
		})
	add(server, run, "explain", "Explains a diagnostic code such as GR0150, or a kind of obligation such as INV.",
		func(in subject) Command { return Command{Line: []string{"explain"}, Names: []string{in.Subject}} })
	return server
}

type whole struct {
	Path string `json:"path,omitempty" jsonschema:"a project: its folder, its gradine.toml, a model file, or an archive of Rodin; the current folder if left out"`
}

// names are the arguments of a command about a project.
func (in whole) names(elements ...string) []string {
	return append([]string{cmp.Or(in.Path, ".")}, elements...)
}

type some struct {
	whole
	Elements []string `json:"elements,omitempty" jsonschema:"which: components, events, labels or obligations such as m/evt/inv1/INV; all if there are none"`
}

type budgeted struct {
	some
	Steps int64 `json:"steps,omitempty" jsonschema:"budget of one search in steps; that of the project if 0"`
}

type one struct {
	whole
	Obligation string `json:"obligation" jsonschema:"an obligation such as m/evt/inv1/INV"`
}

type inferred struct {
	whole
	Machine string `json:"machine" jsonschema:"the name of a machine"`
}

type machine struct {
	inferred
	Constants []string `json:"constants,omitempty" jsonschema:"values of constants, such as N=3"`
}

type edited struct {
	whole
	File string `json:"file" jsonschema:"the file of the project that the text is for, such as models/m.eventb"`
	Text string `json:"text" jsonschema:"the whole edited text"`
}

type subject struct {
	Subject string `json:"subject" jsonschema:"a code or a kind"`
}

// exits says what an exit code means.
var exits = map[int]string{
	0: "yes", 1: "no: something is refuted, violated or unexpected", 2: "wrong usage", 3: "the model has errors",
	4: "no verdict: open obligations, or a bound was reached", 5: "fault of the program", 130: "interrupted",
}

// answer is what a command came to. Its output is the content of the result.
type answer struct {
	Exit     int    `json:"exit"`
	Meaning  string `json:"meaning"`
	Messages string `json:"messages,omitempty"`
}

// add adds a tool that is a command: its flags are set here, and what an agent names is
// never a flag.
func add[In any](server *mcp.Server, run Run, name, description string, line func(In) Command) {
	tool := &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}}
	mcp.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, answer, error) {
		var output, messages string
		var code int
		if fault := seam.Contain(ctx, seam.AgentRequest, name, func(ctx context.Context) { output, messages, code = run(ctx, line(in)) }); fault != nil {
			output, messages, code = "", "gradine: internal fault: "+fault.Error()+"; please report it with the model\n", 5
		}
		if output == "" {
			output = messages
		}
		// A definite no is an answer; an error is what could not be asked.
		result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: output}}, IsError: code == 2 || code == 5}
		return result, answer{code, exits[code], messages}, nil
	})
}
