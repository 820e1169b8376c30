// Package mcp serves agents over the Model Context Protocol. Each tool runs one command, so an
// agent, a person and a script get the same answer, with three differences: proved obligations
// and rejected candidates are omitted unless the agent asks for all, long answers are cut at a
// marked place, and recommendations name tools instead of commands. No tool writes to a project.
package mcp

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/seam"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Command is a call of the program: the default folder of the project, the standard input,
// the name of the command with its flags, and its arguments.
type Command struct {
	Dir, Input  string
	Path        string // where the project has to be; "" for the current folder
	Line, Names []string
}

// Run runs a command, and returns its standard output, its standard error and its exit code.
type Run func(ctx context.Context, command Command) (output, messages string, code int)

// Serve speaks with an agent until it closes the connection.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, version string, run Run) error {
	answers := &shared{WriteCloser: out}
	return newServer(version, run).Run(ctx, &mcp.IOTransport{Reader: newMessages(door.NewLines(in), answers), Writer: answers})
}

const instructions = `gradine checks, proves and explores Event-B models that are text files.
Edit the files yourself. The tools read saved files and never write.
First call check, then prove, then why for each open or refuted obligation.
A verdict is proved, vacuous, refuted or open. open is not a proof, and bounded is not a success.`

// newServer is the MCP server with its tools, each of which runs a command line by run.
func newServer(version string, run Run) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "gradine", Title: "Event-B: check, prove, explore", Version: version}, &mcp.ServerOptions{Instructions: instructions})
	// Each description says what the output looks like, since it is all that an agent reads before its first call.
	add(server, run, "check", "Checks names, types and static rules. Prints one diagnostic per line as JSON: file, line, code, message.",
		func(in whole) Command { return in.command([]string{"check", "--format=jsonl"}) }, nil)
	add(server, run, "verify", "Checks everything that gradine.toml requests: diagnostics, proofs, expectations, optima. Prints text; the last lines say what is wrong. Only exit code 0 is a success.",
		func(in whole) Command { return in.command([]string{"verify"}) }, nil)
	add(server, run, "obligations", "Generates proof obligations. Prints one per line as JSON: name, goal, hypotheses, selected hypotheses.",
		func(in some) Command { return in.command([]string{"po", "--format=jsonl"}, in.Elements...) },
		func(_ some, output string) string { return goals(output) })
	add(server, run, "sequent", "Shows one obligation in readable form: its origin, its hypotheses, its goal.",
		func(in one) Command { return in.command([]string{"po", "--all"}, in.Obligation) }, nil)
	add(server, run, "prove", "Proves or refutes obligations. Prints each unproved obligation on a line as JSON: verdict (vacuous, refuted, open), steps, counterexample. The last line counts the proved obligations and those with the verdict that gradine.toml expects.",
		func(in budgeted) Command {
			return in.command([]string{"prove", "--format=jsonl", fmt.Sprintf("--steps=%d", in.Steps)}, in.Elements...)
		},
		func(in budgeted, output string) string {
			if in.All {
				return output
			}
			return unproved(output)
		})
	add(server, run, "why", "Explains the verdict of one obligation: the proof, the counterexample, or the part that is left to prove.",
		func(in one) Command { return in.command([]string{"report", "why"}, in.Obligation) }, nil)
	add(server, run, "explore", "Explores the states of a machine. Prints JSON: states, verdict (complete, bounded, counterexample), violated invariants, trace.",
		func(in machine) Command {
			line := []string{"explore", "--format=jsonl"}
			for _, constant := range in.Constants {
				line = append(line, "--const="+constant)
			}
			for _, size := range in.Sizes {
				line = append(line, "--size="+size)
			}
			if in.Goal != "" {
				line = append(line, "--goal="+in.Goal)
			}
			if in.LTL != "" {
				line = append(line, "--ltl="+in.LTL)
			}
			if in.States > 0 {
				line = append(line, fmt.Sprintf("--max-states=%d", in.States))
			}
			return in.command(line, in.Machine)
		}, nil)
	add(server, run, "infer", "Proposes invariants of a machine, each proved with certificates. Prints JSON: kept candidates, and the number of rejected ones; with all, also each rejected candidate and the reason.",
		func(in guessed) Command { return in.command([]string{"infer", "--format=jsonl"}, in.Machine) },
		func(in guessed, output string) string {
			if in.All {
				return output
			}
			return without(output, map[string]string{"killed": "rejected"})
		})
	add(server, run, "suggest", "Searches for proof hints that discharge an open obligation. Prints JSON: verdict, the shortest hint found, its steps. Put the hint into the .hints file of the model.",
		func(in one) Command {
			return in.command([]string{"prove", "--suggest", "--format=jsonl"}, in.Obligation)
		}, nil)
	add(server, run, "fmt", "Formats a model, hints or scenarios, and returns the text. Writes nothing.",
		func(in layout) Command {
			line := []string{"fmt"}
			if in.ASCII {
				line = append(line, "--ascii")
			}
			if in.Text != "" {
				return Command{Input: in.Text, Line: line, Names: []string{"-"}}
			}
			return in.command(line)
		}, nil)
	add(server, run, "try", "Previews the effect of an edited file. Writes nothing. Prints one obligation per line as JSON: new, removed, newly proved, lost, or refuted with its counterexample.",
		func(in edited) Command {
			return Command{Dir: in.Path, Input: in.Text, Line: []string{"try", "--format=jsonl"}, Names: []string{in.File + "=-"}, Path: in.Path}
		}, nil)
	add(server, run, "explain", "Explains a diagnostic code such as GR0150, or an obligation kind such as INV.",
		func(in subject) Command { return Command{Line: []string{"explain"}, Names: []string{in.Subject}} }, nil)
	return server
}

type whole struct {
	Path string `json:"path,omitempty" jsonschema:"the project: a folder, a gradine.toml, a model file, or a Rodin archive; default: the current folder"`
}

// command is one about a project.
func (in whole) command(line []string, elements ...string) Command {
	return Command{Line: line, Names: append([]string{cmp.Or(in.Path, ".")}, elements...), Path: in.Path}
}

type some struct {
	whole
	Elements []string `json:"elements,omitempty" jsonschema:"components, events, labels or obligations such as m/evt/inv1/INV; default: all"`
}

type budgeted struct {
	some
	Steps int64 `json:"steps,omitempty" jsonschema:"budget of one search in steps; 0: that of the project"`
	All   bool  `json:"all,omitempty" jsonschema:"also show proved obligations and those with the expected verdict"`
}

type one struct {
	whole
	Obligation string `json:"obligation" jsonschema:"an obligation such as m/evt/inv1/INV"`
}

type inferred struct {
	whole
	Machine string `json:"machine" jsonschema:"the name of a machine"`
}

type guessed struct {
	inferred
	All bool `json:"all,omitempty" jsonschema:"also show rejected candidates"`
}

type machine struct {
	inferred
	Constants []string `json:"constants,omitempty" jsonschema:"values of constants, such as N=3"`
	Sizes     []string `json:"sizes,omitempty" jsonschema:"sizes of carrier sets, such as S=3, or 3 for all others"`
	Goal      string   `json:"goal,omitempty" jsonschema:"search for a state that satisfies this predicate, such as n = 3"`
	LTL       string   `json:"ltl,omitempty" jsonschema:"search for a run that violates this LTL formula, such as G {n < 3} or F [event]"`
	States    int      `json:"max_states,omitempty" jsonschema:"maximum number of states; a search stopped by it is bounded, which is not a success"`
}

type edited struct {
	whole
	File string `json:"file" jsonschema:"the file of the project that the text replaces, such as models/m.eventb"`
	Text string `json:"text" jsonschema:"the complete edited text"`
}

type layout struct {
	whole
	Text  string `json:"text,omitempty" jsonschema:"the text of a model; default: the files at path"`
	ASCII bool   `json:"ascii,omitempty" jsonschema:"write operators in ASCII"`
}

type subject struct {
	Subject string `json:"subject" jsonschema:"a diagnostic code or an obligation kind"`
}

// exits says what an exit code means.
var exits = map[int]string{
	0: "success", 1: "no: refuted, violated or unexpected", 2: "wrong usage", 3: "the model has errors",
	4: "no verdict: open obligations, or a limit was reached", 5: "internal error", 130: "interrupted",
}

// silent says what it means that a command prints nothing, by tool.
var silent = map[string]string{"check": "no errors or warnings\n", "suggest": "no hints are needed: the obligation is proved without them\n"}

// answer is what a command came to. Its output is the content of the result.
type answer struct {
	Exit     int    `json:"exit"`
	Meaning  string `json:"meaning"`
	Messages string `json:"messages,omitempty"`
}

// add adds a tool that is a command: its flags are set here, and what an agent names is
// never a flag. shorter, which may be nil, leaves out what was not asked for.
func add[In any](server *mcp.Server, run Run, name, description string, line func(In) Command, shorter func(In, string) string) {
	tool := &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}}
	mcp.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, answer, error) {
		var output, messages string
		var code int
		if fault := seam.Contain(ctx, seam.AgentRequest, name, func(ctx context.Context) { output, messages, code = run(ctx, line(in)) }); fault != nil {
			output, messages, code = "", "gradine: internal error: "+fault.Error()+"; please report it with the model\n", 5
		}
		switch {
		case output != "" && shorter != nil:
			output = shorter(in, output)
		case output == "" && messages != "":
			output = messages
		case output == "" && code == 0 && silent[name] != "":
			output = silent[name]
		case output == "":
			output = "no output: " + exits[code] + "\n"
		}
		output, messages = bounded(instead(output)), bounded(instead(messages))
		// A definite no is an answer; an error is what could not be asked.
		result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: output}}, IsError: code == 2 || code == 5}
		return result, answer{code, exits[code], messages}, nil
	})
}
