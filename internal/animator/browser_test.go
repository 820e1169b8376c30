package animator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/internal/animator"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/project"
)

// written is the name of a file with a page.
func written(t testing.TB, page []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, page, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// phone is the size of a small screen.
var phone = chromedp.EmulateViewport(400, 800)

// browser is a page in Chromium.
type browser struct {
	testing.TB
	ctx context.Context
}

// open opens a page of so many pixels; the test is skipped where there is no Chromium.
func open(t testing.TB, url string, width, height int64) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes a while")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium")
	}
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, corpus.Fuse)
	t.Cleanup(cancel)
	b := &browser{t, ctx}
	b.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(url))
	b.wait("document.querySelector('main')")
	return b
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// eval evaluates an expression in the page as JSON.
func (b *browser) eval(expression string) string {
	b.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("(async () => JSON.stringify(await ("+expression+")) ?? 'null')()", chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return out
}

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.Helper()
	if !corpus.Until(func() bool { return b.eval("!!("+expression+")") == "true" }) {
		b.Fatalf("never true: %s\n%s", expression, b.eval("document.body.innerText"))
	}
}

// step waits until so many steps were taken.
func (b *browser) step(n int) {
	b.Helper()
	b.wait(fmt.Sprintf("document.querySelector('.count b')?.textContent === '%d'", n))
}

// press clicks the button whose text begins so.
func (b *browser) press(text string) {
	b.Helper()
	quoted, _ := json.Marshal(text)
	b.wait(fmt.Sprintf("[...document.querySelectorAll('button')].some(x => x.innerText.replace(/^\\d\\s*/, '').trim().startsWith(%s) && !x.disabled)", quoted))
	b.eval(fmt.Sprintf("[...document.querySelectorAll('button')].find(x => x.innerText.replace(/^\\d\\s*/, '').trim().startsWith(%s) && !x.disabled).click()", quoted))
}

func (b *browser) shows(selector, text string) {
	b.Helper()
	where, _ := json.Marshal(selector)
	what, _ := json.Marshal(text)
	b.wait(fmt.Sprintf("document.querySelector(%s)?.innerText.replace(/\\s+/g, ' ').includes(%s)", where, what))
}

func (b *browser) key(keys string) {
	b.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// click clicks a part of a picture once it takes steps.
func (b *browser) click(selector string) {
	b.Helper()
	b.wait("document.querySelector(" + selector + ")?.onclick")
	b.eval("document.querySelector(" + selector + ").dispatchEvent(new MouseEvent('click', {bubbles: true}))")
}

// look writes a picture of the page where GRADINE_SCREENSHOTS names a folder.
func (b *browser) look(name string) {
	dir := os.Getenv("GRADINE_SCREENSHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666)
	}
	if err != nil {
		b.Error(err)
	}
}

// fitsPhone wants every tab to fit a screen of 400 pixels, and looks at it.
func (b *browser) fitsPhone(name string, dark bool) {
	b.Helper()
	b.do(phone)
	for _, tab := range []string{"Events", "State", "Checks"} {
		b.press(tab)
		if wide := b.eval("document.documentElement.scrollWidth"); wide != "400" {
			b.Errorf("%s is %s pixels wide on a screen of 400", tab, wide)
		}
		b.look(fmt.Sprintf("%s%s-400-%t", name, tab, dark))
	}
}

func (b *browser) dark(is bool) {
	scheme := "light"
	if is {
		scheme = "dark"
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		b.Error(err)
	}
}

// 1. By keyboard to a deadlock.
func TestDeadlockByKeyboard(t *testing.T) {
	root, _ := filepath.Abs("../..")
	b := open(t, serve(t, animator.Options{Open: opener(filepath.Join(root, "bench/spin/philosophers.eventb"), "philosophers", map[string]string{"N": "3"})}), 1280, 900)
	b.step(1)
	for n := 2; n < 40; n++ {
		if b.eval("!!document.querySelector('#deadlock')") == "true" {
			break
		}
		b.key("1")
		b.step(n)
	}
	b.shows("#deadlock", "No event is enabled")
	b.shows("[aria-live]", "No event is enabled")
	b.key(kb.ArrowLeft)
	b.wait("!document.querySelector('#deadlock')")
}

// 2, 3, 4, 6, 7. Undo and branches; a false guard; a broken invariant; two levels; a picture.
func TestLights(t *testing.T) {
	b := open(t, serve(t, animator.Options{Open: opener(lightsFolder(t, "FALSE"), "lights", nil)}), 1280, 900)
	b.step(1)
	b.wait("document.querySelector('#cars')?.getAttribute('fill') === 'red'") // a picture follows its state a moment later
	if got := b.eval("[window.evil ?? 0, document.querySelectorAll('script').length, document.querySelector('#cars').hasAttribute('onload')]"); got != "[0,1,false]" {
		t.Errorf("scripts of the picture: %s", got)
	}
	b.press("peds_go")
	b.step(2)
	// The guard that is false, with the value that makes it so.
	b.eval("[...document.querySelectorAll('.disabled .summary')].find(x => x.innerText.includes('peds_go')).click()")
	b.shows(".disabled .why", "✗ false peds = FALSE peds TRUE")
	if got := b.eval("[...document.querySelectorAll('.disabled .why > .reason > ul > li > .reason')].map(x => [x.querySelector('.truth').title, x.className])"); got != `[["true","reason aside"],["false","reason"]]` {
		t.Errorf("the parts of the guard: %s", got)
	}
	// A click on the picture takes a step, in both machines.
	b.click("'#cars'")
	b.step(3)
	b.wait("document.querySelector('#cars').getAttribute('fill') === 'green'")
	b.shows("#refinement", "lights cars_go crossing switch")
	b.shows("#state", "abstract: crossing go")
	b.shows("#invariants", "✗ 1 of 5 not true")
	b.eval("document.querySelector('#invariants .bad .summary').click()")
	b.shows("#invariants .why", "✗ false ¬(cars = TRUE ∧ peds = TRUE) ✓ true cars = TRUE ∧ peds = TRUE")
	b.look("broken-1280-light")
	b.dark(true)
	b.look("broken-1280-dark")
	b.dark(false)
	// Back three, forward two, another way: both branches stay.
	for n := 2; n >= 0; n-- {
		b.key(kb.ArrowLeft)
		b.step(n)
	}
	b.key(kb.ArrowRight)
	b.step(1)
	b.key(kb.ArrowRight)
	b.step(2)
	b.press("peds_stop")
	b.step(3)
	b.shows("#history", "3 peds_stop ⑂ cars_go 1 step")
	b.eval("document.querySelector('.branch').click()")
	b.shows("#history", "3 cars_go ✗ ⑂ peds_stop 1 step")
	b.eval("history.back()")
	b.shows("#history [aria-current]", "peds_stop")
}

// Two steps that match a click open a chooser; a witness that fails is named.
func TestChooserAndWitness(t *testing.T) {
	dir := folder(t, map[string]string{
		"m.eventb":           "machine m\nvariables x\ninvariants\n@x x ∈ ℤ\nevents\nevent INITIALISATION\nthen\n@a x ≔ 0\nend\nevent set\nany n\nwhere\n@n n ∈ 1‥3\nthen\n@a x ≔ n\nend\nend\n",
		"pictures/dot.toml":  "machine = \"m\"\nsvg = \"dot.svg\"\n[[element]]\nid = \"dot\"\nclick = \"set(n > 1)\"\nset.r = \"{x + 5}\"\n",
		"pictures/dot.svg":   `<svg viewBox="0 0 40 40"><circle id="dot" cx="20" cy="20" r="5"/></svg>`,
		"pictures/none.toml": "machine = \"other\"\nsvg = \"dot.svg\"\n",
	})
	b := open(t, serve(t, animator.Options{Open: opener(dir, "m", nil)}), 1280, 900)
	b.step(1)
	b.click("'#dot'")
	b.shows(".chooser", "set(n = 2) set(n = 3)")
	b.eval("document.querySelectorAll('.chooser button')[1].click()")
	b.step(2)
	b.wait("document.querySelector('#dot').getAttribute('r') === '8'")

	b = open(t, serve(t, animator.Options{Open: opener(lightsFolder(t, "FALSE ∧ peds = TRUE"), "lights", nil)}), 1280, 900)
	b.step(1)
	b.press("cars_go")
	b.step(2)
	b.press("cars_stop")
	b.step(3)
	b.shows("#lost", "witness go' of cars_stop does not give a step of crossing/switch")
}

// 5. A trace with a loop, in ITF.
func TestLasso(t *testing.T) {
	dir := lightsFolder(t, "FALSE")
	state := func(i int, event string, cars, peds bool) string {
		return fmt.Sprintf(`{"#meta":{"index":%d,"event":%q},"cars":%t,"peds":%t}`, i, event, cars, peds)
	}
	trace := `{"#meta":{"format":"ITF","source":"lights"},"vars":["cars","peds"],"loop":0,"states":[` + strings.Join([]string{
		state(0, "INITIALISATION", false, false), state(1, "cars_go", true, false), state(2, "cars_stop", false, false)}, ",") + `]}`
	b := open(t, serve(t, animator.Options{Open: opener(dir, "lights", nil)}), 1280, 900)
	b.step(1)
	quoted, _ := json.Marshal(trace)
	b.eval(fmt.Sprintf("(() => { const d = new DataTransfer(); d.items.add(new File([%s], 't.json')); const f = document.querySelector('input[type=file]'); f.files = d.files; f.dispatchEvent(new Event('change', {bubbles: true})) })()", quoted))
	b.step(3)
	b.shows("#loop", "goes on for ever: after its last step it is back after step 1")
	for _, n := range []int{1, 2, 3} { // round the loop
		b.key(kb.ArrowRight)
		b.step(n)
	}
	b.shows("#history", "loop")
}

// 8. What is recorded passes; the file that is exported steps without a server.
func TestRecordAndExport(t *testing.T) {
	dir := lightsFolder(t, "FALSE")
	name := filepath.Join(dir, "lights.scenario")
	o := animator.Options{Open: opener(dir, "lights", nil), Write: func(_ *animator.Subject, text []byte) (string, error) {
		return name, os.WriteFile(name, text, 0o666)
	}}
	b := open(t, serve(t, o), 1280, 900)
	b.step(1)
	b.press("cars_go")
	b.step(2)
	b.press("Record a scenario")
	b.press("Save")
	b.shows("#saved", "lights.scenario")
	projects, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := projects[0].Followings(projects[0].AllScenarios()[0])
	if err != nil || len(ready) != 1 {
		t.Fatal(ready, err)
	}
	found, _, err := explore.Solve(context.Background(), projects[0].Dev, ready[0].On, ready[0].Setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := follow.Run(context.Background(), ready[0].On, found[0], ready[0].Script, 1000); err != nil || x.Verdict != follow.Passed || len(x.Trace.Steps) != 2 {
		t.Errorf("the recorded scenario: %+v, %v", x, err)
	}
	page, bound, err := animator.Export(context.Background(), o, 100)
	if err != nil || bound != "all 4 states" {
		t.Fatal(bound, err)
	}
	b = open(t, "file://"+written(t, page), 1280, 900)
	b.step(1)
	b.press("peds_go")
	b.step(2)
	b.press("cars_go")
	b.step(3)
	b.shows("#invariants", "✗ 1 of 5 not true")
	b.eval("document.querySelector('#invariants .bad .summary').click()")
	b.shows("#invariants .why", "✓ true cars = TRUE ∧ peds = TRUE")
	if got := b.eval("performance.getEntriesByType('resource').filter(x => !x.name.startsWith('data:')).length"); got != "0" {
		t.Errorf("the file makes %s requests", got)
	}
}

// 9. The model is edited: the run is repeated, and the first step that does not fit is marked; errors are shown, and go.
func TestEdit(t *testing.T) {
	dir := lightsFolder(t, "FALSE")
	b := open(t, serve(t, animator.Options{Open: opener(dir, "lights", nil)}), 1280, 900)
	b.step(1)
	b.press("peds_go")
	b.step(2)
	b.press("cars_go")
	b.step(3)
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "lights.eventb"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	good := strings.ReplaceAll(lights, "WITNESS", "FALSE")
	write(strings.Replace(good, "@p cars = FALSE", "@p cars = FALSE ∧", 1))
	b.shows(".banner.bad", "The model cannot be run")
	write(strings.Replace(good, "@p cars = FALSE", "@p cars = FALSE ∧ peds = FALSE // now with care", 1))
	b.shows("#misfit", "The run fits up to step 2. Step 3, cars_go, does not: this step is not possible here")
	b.wait("!document.body.innerText.includes('The model cannot be run')")
	b.step(2)
}

// largeFolder has a machine with 300 variables and a function of 10,000 pairs.
func largeFolder(t testing.TB) string {
	var text strings.Builder
	text.WriteString("machine large\nvariables f")
	for i := range 300 {
		fmt.Fprintf(&text, " v%d", i)
	}
	text.WriteString("\ninvariants\n@f f ∈ 0‥9999 → ℤ\n")
	for i := range 300 {
		fmt.Fprintf(&text, "@i%d v%d ∈ ℕ\n", i, i)
	}
	text.WriteString("events\nevent INITIALISATION\nthen\n@f f ≔ 0‥9999 × {0}\n")
	for i := range 300 {
		fmt.Fprintf(&text, "@a%d v%d ≔ 0\n", i, i)
	}
	text.WriteString("end\nevent up\nthen\n@a v7 ≔ v7 + 1\n@f f(v7) ≔ v7 + 1\nend\nend\n")
	return folder(t, map[string]string{"large.eventb": text.String()})
}

// 10. Long runs of large machines, by counting what the page makes; what axe-core finds; small screens.
func TestLargeAndAccessible(t *testing.T) {
	b := open(t, serve(t, animator.Options{Open: opener(largeFolder(t), "large", nil)}), 1280, 900)
	b.step(1)
	b.eval("[...document.querySelectorAll('.run input[type=number]')].forEach((x, i) => { x.value = [2000, 1][i]; x.dispatchEvent(new Event('input', {bubbles: true})) })")
	b.press("Random")
	b.step(2001)
	b.key("1")
	b.step(2002)
	// A table of 10,000 pairs makes the rows in sight only, wherever it is scrolled to, and shows what a step has changed first.
	b.eval("document.querySelector('.vars details').open = true")
	b.wait("document.querySelector('.long')")
	b.shows(".long tr.changed", "2000")
	for _, at := range []struct{ scroll, row string }{{"0", ""}, {"140000", "5000"}, {"1e9", "10000"}} {
		b.eval("document.querySelector('.long').scrollTop = " + at.scroll)
		if at.row != "" {
			b.wait("document.querySelector('.long [aria-rowindex=\"" + at.row + "\"]')")
		}
		if n := b.eval("document.querySelectorAll('.long tr').length < 60"); n != "true" {
			t.Errorf("%s rows are made", b.eval("document.querySelectorAll('.long tr').length"))
		}
	}
	b.shows(".long", "9999")
	axe, err := os.ReadFile(filepath.Join(modules(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip(err)
	}
	b.accessible(axe, "a table of 10,000 rows")
	b.eval("(() => { const f = document.querySelector('.vars .filter'); f.value = '777'; f.dispatchEvent(new Event('input', {bubbles: true})) })()")
	b.wait("document.querySelector('.vars .pairs').innerText.includes('7770')")
	if n := b.eval("document.querySelectorAll('*').length < 6000"); n != "true" {
		t.Errorf("the page has %s elements", b.eval("document.querySelectorAll('*').length"))
	}
	for _, scheme := range []bool{false, true} {
		b := open(t, serve(t, animator.Options{Open: opener(lightsFolder(t, "FALSE"), "lights", nil)}), 1280, 900)
		b.dark(scheme)
		b.step(1)
		b.press("peds_go")
		b.step(2)
		b.press("cars_go")
		b.step(3)
		b.eval("document.querySelectorAll('.summary[aria-expanded=false]').forEach(x => x.click())")
		b.press("Graph")
		b.wait("document.querySelector('.node.now')")
		b.look(fmt.Sprintf("graph-1280-%t", scheme))
		b.accessible(axe, fmt.Sprintf("dark %t", scheme))
		b.fitsPhone("", scheme)
		chart := open(t, serve(t, animator.Options{Open: opener(jobsFolder(t), "jobs", nil)}), 1280, 900)
		chart.dark(scheme)
		chart.step(1)
		chart.wait("document.querySelector('.enabled > li .move')")
		chart.eval("document.querySelector('.enabled > li .move').click()")
		chart.step(2)
		chart.wait("document.querySelector('.chart .bar')")
		chart.accessible(axe, fmt.Sprintf("a chart, dark %t", scheme))
		chart.look(fmt.Sprintf("chart-1280-%t", scheme))
	}
}

// accessible wants axe-core to find nothing in the page as it is.
func (b *browser) accessible(axe []byte, what string) {
	b.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[any](string(axe)+";0")); err != nil {
		b.Fatal(err)
	}
	if found := b.eval("axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 150)).join(' | ')))"); found != "[]" {
		b.Errorf("axe, %s: %s", what, found)
	}
}

// The picture of the GPU development moves.
func TestPictureOfDevelopment(t *testing.T) {
	root, _ := filepath.Abs("../..")
	constants := map[string]string{"launches": "1", "blocks": "5", "slots": "3", "threads": "8", "steps": "2", "ports": "4", "min_cost": "2", "max_cost": "3", "max_sync": "1"}
	b := open(t, serve(t, animator.Options{Open: opener(root, "timing", constants)}), 1280, 1100)
	b.step(1)
	b.press("start")
	b.step(2)
	b.click("'[data-copy=\"sm[0]\"]'")
	b.step(3)
	b.wait("document.querySelectorAll('[data-copy^=\"thread[\"]').length === 8")
	b.click("'[data-copy=\"thread[0↦3]\"]'")
	b.shows(".chooser", "access(b = 0, n = 4, d = 2) access(b = 0, n = 4, d = 3)")
	b.eval("document.querySelectorAll('.chooser button')[1].click()")
	b.step(4)
	b.shows(".drawing", "4 running 4 waiting")
	b.shows(".drawing", "time 3")
	b.look("gpu-1280-light")
	b.dark(true)
	b.look("gpu-1280-dark")
	b.do(phone)
	b.press("State")
	b.look("gpu-400-dark")
}

// A page begins with a counterexample: in its state, whose step breaks the invariant. Such a run is not recorded.
func TestCounterexampleState(t *testing.T) {
	at := opener(lightsFolder(t, "FALSE"), "lights", nil)
	begins := func(ctx context.Context) (*animator.Subject, string, []animator.Problem, error) {
		s, stamp, problems, err := at(ctx)
		if s != nil {
			s.Begin = func(context.Context, *animator.Subject) (*animator.Start, error) {
				return &animator.Start{Values: map[string]any{"cars": false, "peds": true, "go": false}, Event: s.Machine.Event("cars_go"), About: "the counterexample of lights/cars_go/safe/INV; the reachability of its state is unknown"}, nil
			}
		}
		return s, stamp, problems, err
	}
	b := open(t, serve(t, animator.Options{Open: begins}), 1280, 900)
	b.step(2)
	b.shows("#invariants", "✗ 1 of 5 not true")
	b.shows("#refinement", "lights cars_go crossing switch")
	b.shows(".notices", "the reachability of its state is unknown")
	b.eval("document.querySelector('#invariants .bad .summary').click()")
	b.shows("#invariants .why", "¬(cars = TRUE ∧ peds = TRUE)")
	b.look("counterexample-1280-false")
	b.press("Record a scenario")
	b.press("Preview")
	b.shows(".notices", "not known to be reachable")
	b.key(kb.ArrowLeft)
	b.step(1)
	b.key(kb.ArrowLeft)
	b.step(0)
	b.press("counterexample")
	b.step(1)
	for _, scheme := range []bool{false, true} {
		b.dark(scheme)
		b.fitsPhone("counterexample-", scheme)
	}
}

// The graph merges states by the view that somebody asks for from the beginning.
func TestView(t *testing.T) {
	at := opener(lightsFolder(t, "FALSE"), "lights", nil)
	viewed := func(ctx context.Context) (*animator.Subject, string, []animator.Problem, error) {
		s, stamp, problems, err := at(ctx)
		if s != nil {
			s.View = "cars"
		}
		return s, stamp, problems, err
	}
	b := open(t, serve(t, animator.Options{Open: viewed}), 1280, 900)
	b.wait("document.querySelectorAll('.node').length === 2")
	b.shows(".graph", "FALSE ×2")
}

// evil is a page of another origin that knows even the token, and tries all that a browser lets a foreign page do.
const evil = `<!doctype html><meta charset="utf-8"><title>evil</title><main></main><script>
const url = new URLSearchParams(location.search).get('at'), question = '{"op":"model"}';
const tries = {
  frame: () => new Promise(done => { const f = document.createElement('iframe'); f.src = url; f.onload = () => setTimeout(() => { try { done(f.contentDocument ? 'read ' + f.contentDocument.body.innerText : '') } catch { done('') } }, 500); document.body.append(f) }),
  read: () => fetch(url).then(r => r.text()),
  ask: () => fetch(url + 'ask', {method: 'POST', body: question, headers: {'Content-Type': 'application/json'}}).then(r => r.text()),
  blind: () => fetch(url + 'ask', {method: 'POST', mode: 'no-cors', body: question}).then(r => r.text()),
  beacon: async () => navigator.sendBeacon(url + 'ask', new Blob([question], {type: 'application/json'})) && '',
  script: () => new Promise(done => { const s = document.createElement('script'); s.src = url + 'page.js'; s.onload = () => done('ran'); s.onerror = () => done(''); document.body.append(s) }),
  style: () => new Promise(done => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.href = url + 'page.css'; s.onload = () => done('applied'); s.onerror = () => done(''); document.head.append(s) }),
  form: () => new Promise(done => { const f = document.createElement('iframe'); f.name = 'there'; document.body.append(f); const form = document.createElement('form'); form.method = 'POST'; form.enctype = 'text/plain'; form.target = 'there'; form.action = url + 'ask'; const i = document.createElement('input'); i.name = '{"op":"model","x":"'; i.value = '"}'; form.append(i); document.body.append(form); f.onload = () => done(''); form.submit() }),
};
window.result = (async () => {
  const out = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try { out[name] = await attempt() } catch { out[name] = '' }
  }
  return out;
})();
</script>`

// A page of another origin reads nothing and changes nothing in a real browser, although it knows the address and the token.
func TestHostilePage(t *testing.T) {
	var asked atomic.Int64
	load := opener(lightsFolder(t, "FALSE"), "lights", nil)
	url := serve(t, animator.Options{Open: func(ctx context.Context) (*animator.Subject, string, []animator.Problem, error) {
		asked.Add(1)
		return load(ctx)
	}})
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(evil)) }))
	defer foreign.Close()
	b := open(t, foreign.URL+"/?at="+neturl.QueryEscape(url), 1280, 900)
	got := map[string]string{}
	if err := json.Unmarshal([]byte(b.eval("window.result")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 8 {
		t.Errorf("%d attempts were made: %v", len(got), got)
	}
	for name, text := range got {
		if strings.TrimSpace(text) != "" {
			t.Errorf("%s: %q", name, text)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the model was opened %d times", n)
	}
	b.do(chromedp.Navigate(url))
	b.step(1)
}
