package animator_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/animator"
	"github.com/gradine/gradine/project"
)

// opener opens a machine of a folder, as the command does.
func opener(dir, machine string, constants map[string]string) animator.Opener {
	return func(ctx context.Context) (*animator.Subject, string, []animator.Problem, error) {
		projects, err := project.Open(dir)
		if err != nil {
			return nil, "", nil, err
		}
		stamp := project.Stamp(projects, nil)
		var problems []animator.Problem
		for _, p := range projects {
			for _, d := range p.Problems.Sorted() {
				if d.Severity == 0 {
					problems = append(problems, animator.Problem{File: d.Span.File, Line: d.Span.Line, Message: d.Message})
				}
			}
		}
		if len(problems) > 0 {
			return nil, stamp, problems, nil
		}
		for _, p := range projects {
			if m := p.Dev.Machine(machine); m != nil {
				scope := p.Scope(m)
				setup, err := p.Setup(m, scope, project.Overrides{Constants: constants})
				if err != nil {
					return nil, stamp, nil, err
				}
				found, others, err := explore.Solve(ctx, p.Dev, m, setup, 1)
				if err != nil {
					return nil, stamp, nil, err
				}
				return &animator.Subject{Project: p, Machine: m, Scope: scope, Instance: found[0], Others: others}, stamp, nil, nil
			}
		}
		return nil, stamp, nil, os.ErrNotExist
	}
}

// folder is a folder with files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// serve serves an animation until the test ends, and returns its URL.
func serve(t testing.TB, o animator.Options) string {
	t.Helper()
	server, err := animator.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return server.URL()
}

const lights = `machine crossing
variables go
invariants
  @t go ∈ BOOL
events
  event INITIALISATION
    then
      @a go ≔ FALSE
  end
  event switch
    then
      @a go :∈ BOOL
  end
end

machine lights
refines crossing
variables cars peds
invariants
  @cars cars ∈ BOOL
  @peds peds ∈ BOOL
  @safe ¬(cars = TRUE ∧ peds = TRUE)
  @glue go = cars
events
  event INITIALISATION
    then
      @a cars ≔ FALSE
      @b peds ≔ FALSE
  end
  event peds_go
    where
      @c cars = FALSE ∧ peds = FALSE
    then
      @b peds ≔ TRUE
  end
  event peds_stop
    then
      @b peds ≔ FALSE
  end
  event cars_go refines switch
    where
      @p cars = FALSE
    with
      @go' go' = TRUE
    then
      @a cars ≔ TRUE
  end
  event cars_stop refines switch
    where
      @x cars = TRUE
    with
      @go' go' = WITNESS
    then
      @a cars ≔ FALSE
  end
end
`

const lampToml = `machine = "lights"
title = "Crossing"
svg = "lamps.svg"
[[element]]
id = "cars"
click = "cars_go"
set.fill = ["cars = TRUE → green", "else → red"]
[[element]]
id = "any"
each = "i ∈ 0‥1"
click = "peds_go"
set.move = "{20 ∗ i}px, 0px"
`

const lampSVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><script>window.evil = 1</script>
<circle id="cars" cx="30" cy="20" r="10" onload="window.evil = 2"/><g id="any"><rect width="10" height="10" y="40"/></g></svg>`

func lightsFolder(t testing.TB, witness string) string {
	return folder(t, map[string]string{"lights.eventb": strings.ReplaceAll(lights, "WITNESS", witness), "pictures/lamps.toml": lampToml, "pictures/lamps.svg": lampSVG})
}

// A foreign page, a guessed token and a request that changes state by GET get nothing.
func TestHostile(t *testing.T) {
	url := serve(t, animator.Options{Open: opener(lightsFolder(t, "FALSE"), "lights", nil)})
	origin := url[:strings.LastIndex(strings.TrimSuffix(url, "/"), "/")]
	question := `{"op":"model"}`
	for _, c := range []struct {
		name, method, url, body string
		head                    map[string]string
		want                    int
	}{
		{"the page", "GET", url, "", nil, 200},
		{"a question", "POST", url + "ask", question, map[string]string{"Origin": origin, "Content-Type": "application/json"}, 200},
		{"no token", "GET", origin + "/", "", nil, 403},
		{"another token", "GET", origin + "/AAAAAAAAAAAAAAAAAAAAAAAAAA/", "", nil, 403},
		{"another host", "GET", url, "", map[string]string{"Host": "evil.example"}, 403},
		{"another origin", "POST", url + "ask", question, map[string]string{"Origin": "http://evil.example", "Content-Type": "application/json"}, 403},
		{"no origin", "POST", url + "ask", question, map[string]string{"Content-Type": "application/json"}, 403},
		{"a form", "POST", url + "ask", question, map[string]string{"Origin": origin, "Content-Type": "text/plain"}, 415},
		{"an opaque origin", "POST", url + "ask", question, map[string]string{"Origin": "null", "Content-Type": "application/json"}, 403},
		{"another port", "POST", url + "ask", question, map[string]string{"Origin": "http://127.0.0.1:1", "Content-Type": "application/json"}, 403},
		{"a name of the loopback interface", "GET", url, "", map[string]string{"Host": "localhost"}, 403},
		{"a question by PUT", "PUT", url + "ask", question, map[string]string{"Origin": origin, "Content-Type": "application/json"}, 405},
		{"a page by POST", "POST", url, question, map[string]string{"Origin": origin, "Content-Type": "application/json"}, 405},
		{"a question by GET", "GET", url + "ask", "", map[string]string{"Origin": origin}, 405},
		{"a file outside", "GET", url + "../../../../etc/passwd", "", nil, 404},
		{"a file outside, escaped", "GET", url + "..%2f..%2fetc%2fpasswd", "", nil, 404},
		{"a source", "GET", url + "page.jsx", "", nil, 404},
		{"no JSON", "POST", url + "ask", "{", map[string]string{"Origin": origin, "Content-Type": "application/json"}, 400},
		{"a state that is none", "POST", url + "ask", `{"op":"state","state":99,"count":1}`, map[string]string{"Origin": origin, "Content-Type": "application/json"}, 200},
	} {
		r, err := http.NewRequest(c.method, c.url, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range c.head {
			if name == "Host" {
				r.Host = value
			}
			r.Header.Set(name, value)
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, answer.StatusCode, body, c.want)
		}
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src 'self' ") {
			t.Errorf("%s: policy %q", c.name, policy)
		}
		if c.want == 403 && strings.Contains(string(body), "lights") {
			t.Errorf("%s: it speaks of the model: %s", c.name, body)
		}
	}
}
