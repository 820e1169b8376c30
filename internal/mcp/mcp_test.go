package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gradine/gradine/internal/golden"
	"github.com/gradine/gradine/internal/mcp"
)

// call is one call of a tool in a table, and what the command behind it prints. Its lines are
//
//	TOOL ARGUMENTS     the call, with arguments as JSON
//	exit N MESSAGES    how the command ends; the line "panic" makes it fail
//	times N TEXT       N lines of output
//	TEXT               a line of output
type call struct {
	tool, arguments  string
	output, messages string
	code             int
	fails            bool
}

func readCall(t *testing.T, block string) (c call) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(block), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		var n int
		switch {
		case i == 0:
			c.tool, c.arguments = word, rest
			continue
		case word == "panic":
			c.fails = true
			continue
		case word == "exit" || word == "times":
			number, text, _ := strings.Cut(rest, " ")
			if _, err := fmt.Sscan(number, &n); err != nil {
				t.Fatal(line)
			}
			rest = text
		}
		switch word {
		case "exit":
			c.code, c.messages = n, rest
		case "times":
			c.output += strings.Repeat(rest+"\n", n)
		default:
			c.output += line + "\n"
		}
	}
	return c
}

// Each call shows the command that it runs, and what the agent is told. Equal lines of a
// long answer are counted.
func TestCalls(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		var now call
		var out strings.Builder
		session := connect(t, func(_ context.Context, command mcp.Command) (string, string, int) {
			fmt.Fprintf(&out, "runs %q %q dir %q path %q input %q\n", command.Line, command.Names, command.Dir, command.Path, command.Input)
			if now.fails {
				panic("broken")
			}
			return now.output, now.messages, now.code
		})
		for block := range strings.SplitSeq(in, "\n\n") {
			now = readCall(t, block)
			fmt.Fprintf(&out, "%s %s\n", now.tool, now.arguments)
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: now.tool, Arguments: json.RawMessage(now.arguments)})
			if err != nil {
				fmt.Fprintf(&out, "refused: %v\n\n", err)
				continue
			}
			structured, err := json.Marshal(result.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%serror %t %s\n\n", folded(result.Content[0].(*sdk.TextContent).Text), result.IsError, structured)
		}
		return panicked.ReplaceAllString(out.String(), "")
	})
}

// panicked is where a fault says that the program panicked.
var panicked = regexp.MustCompile(`, in \S+, line \d+`)

// connect is a session of an agent with a server that runs commands by run.
func connect(t *testing.T, run mcp.Run) *sdk.ClientSession {
	t.Helper()
	fromAgent, toServer := io.Pipe()
	fromServer, toAgent := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(t.Context(), fromAgent, toAgent, "test", run) }()
	agent := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := agent.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		<-ended
	})
	return session
}

// folded writes equal lines in a row as one, with their number.
func folded(text string) string {
	var out strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i+n] == lines[i] {
			n++
		}
		if n > 1 {
			fmt.Fprintf(&out, "%d × ", n)
		}
		fmt.Fprintln(&out, lines[i])
		i += n
	}
	return out.String()
}
