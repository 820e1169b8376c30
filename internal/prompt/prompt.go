// Package prompt implements the interactive prompt of people and editors that run a machine
// state by state. A line is a command, and each is answered before the next one is read.
package prompt

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/project"
)

// Help says what can be typed.
const Help = `  N, or EVENT   take step N, or the only step of EVENT
  ? FORMULA     the value of an expression or a predicate in this state
  state         all variables
  steps         what can happen next
  back [N]      take the last N steps back (1)
  run           the steps so far
  write FILE    write them as ITF, for explore --replay
  quit          or the end of the input
`

// Prompt leads one machine.
type Prompt struct {
	Animation *animation.Session
	Machine   string
	Scope     project.Scope
	Style     report.Style
	JSON      bool // answer each command with one line of JSON
	// Path is where a file is that a command names; nil: below the current folder.
	Path func(name string) string

	out   io.Writer
	moves []animation.Move // those of the state
	why   []string         // they are not all
}

// maxMoves is how many steps are listed: people choose from fewer.
const maxMoves = 200

// Run reads commands from in until it ends, and says whether all were understood.
func (p *Prompt) Run(ctx context.Context, in io.Reader, out io.Writer) (understood bool, err error) {
	p.out = out
	understood = true
	if err := p.arrive(); err != nil {
		return false, err
	}
	// A goroutine reads the lines: an interrupt must not wait for the next one.
	lines := make(chan string)
	scanner := bufio.NewScanner(in)
	go func() {
		defer close(lines)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		if !p.JSON {
			fmt.Fprintf(out, "%s> ", p.Machine)
		}
		select {
		case <-ctx.Done():
			return understood, nil
		case line, ok := <-lines:
			// Commands behind a line that cannot be read are lost, so the input was not understood.
			if err := scanner.Err(); !ok && err != nil {
				p.refuse(fmt.Errorf("cannot read the next command: %w", err))
				return false, nil
			}
			line = strings.TrimSpace(line)
			if !ok || line == "quit" {
				if !p.JSON {
					fmt.Fprintln(out)
				}
				return understood, nil
			}
			if err := p.command(line); err != nil {
				if ctx.Err() != nil {
					return understood, nil
				}
				understood = false
				p.refuse(err)
			}
		}
	}
}

// command carries out one command.
func (p *Prompt) command(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return nil
	case "help":
		p.text(Help)
		return nil
	case "state":
		return p.showState()
	case "steps":
		return p.showMoves()
	case "run":
		return p.showRun()
	case "write":
		return p.write(rest)
	case "back":
		n := 1
		if rest != "" {
			var err error
			if n, err = strconv.Atoi(rest); err != nil || n < 1 {
				return fmt.Errorf("back %s: write back, or back and how many steps", rest)
			}
		}
		p.Animation.Back(n)
		return p.arrive()
	}
	// Whatever is not a word of the prompt names a step: its number or its event.
	if formula, ok := strings.CutPrefix(line, "?"); ok {
		return p.evaluate(strings.TrimSpace(formula))
	}
	return p.take(line)
}

// take takes the step of a number, or the only one of an event.
func (p *Prompt) take(name string) error {
	if number, err := strconv.Atoi(name); err == nil {
		if number < 1 || number > len(p.moves) {
			return fmt.Errorf("there is no step %d; `steps` lists what can happen", number)
		}
		p.Animation.Take(p.moves[number-1])
		return p.arrive()
	}
	var found []int
	for i, move := range p.moves {
		if move.Event == name {
			found = append(found, i)
		}
	}
	switch {
	case len(found) == 0:
		return fmt.Errorf("%s is neither a command nor an event that is enabled; `steps` lists those, `help` the commands", name)
	case len(found) > 1:
		return fmt.Errorf("%s can happen in %d ways; take one of the steps %d to %d", name, len(found), found[0]+1, found[len(found)-1]+1)
	}
	p.Animation.Take(p.moves[found[0]])
	return p.arrive()
}

// arrive finds out what can happen in the state, and shows it.
func (p *Prompt) arrive() error {
	var err error
	if p.moves, p.why, err = p.Animation.Moves(maxMoves); err != nil {
		return err
	}
	return p.showMoves()
}

// evaluate shows the value of a formula: an expression, unless it reads as a predicate. An error is that of the
// expression, as any text is a predicate less often than that.
func (p *Prompt) evaluate(text string) error {
	term, err := p.Scope.Predicate(text)
	if err != nil {
		term, err = p.Scope.Formula(text, lang.ParseExpression)
	}
	if err != nil {
		return err
	}
	value, err := p.Animation.Value(p.Scope.Bank(), term)
	if err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	p.value(value)
	return nil
}

// write writes the run so far.
func (p *Prompt) write(name string) error {
	if name == "" || p.Animation.Length() == 0 {
		return fmt.Errorf("write FILE writes the run, which begins with the initialisation")
	}
	path := name
	if p.Path != nil {
		path = p.Path(name)
	}
	data, err := p.Animation.Trace().ITF()
	if err == nil {
		err = atomic.Write(path, append(data, '\n'), 0o666)
	}
	if err == nil {
		p.text("  " + name + "\n")
	}
	return err
}
