package animator_test

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gradine/gradine/internal/animator"
)

// The benchmarks of the animator. Figures are in docs/evaluation/animator.md; no test depends on the clock.
//
//	go test ./internal/animator -run '^$' -bench . -benchtime 50x

// largest are machines of the GPU development: timing with its largest state, warp with its longest chain of refinements.
var largest = []struct {
	machine   string
	constants map[string]string
}{
	{"timing", map[string]string{"launches": "1", "blocks": "16", "slots": "8", "threads": "32", "steps": "2", "ports": "4", "min_cost": "2", "max_cost": "3", "max_sync": "1"}},
	{"warp", map[string]string{
		"launches": "1", "blocks": "16", "slots": "8", "waves": "2", "threads": "32", "r": "2", "NP": "16", "ports": "16", "dispatchers": "4", "warp": "4",
		"size": "512", "TS": "32", "k": "16", "steps": "33", "branches": "1", "GMT": "4", "load": "128", "work": "32", "sync": "2", "tile_time": "324",
		"duration": "5192", "min_cost": "0", "max_cost": "128", "max_sync": "2",
	}},
}

// BenchmarkStep measures a step from the question of the page to the whole answer: values, steps that are possible, why others
// are not, the invariants of all machines of the chain, the pictures.
func BenchmarkStep(b *testing.B) {
	root, _ := filepath.Abs("../..")
	for _, x := range largest {
		b.Run(x.machine, func(b *testing.B) {
			c := &client{TB: b, url: serve(b, animator.Options{Open: opener(root, x.machine, x.constants)})}
			at := c.ask(map[string]any{"op": "model", "state": -1})
			size := 0
			b.ResetTimer()
			for i := range b.N {
				if len(at.Moves) == 0 {
					at = c.ask(map[string]any{"op": "state", "state": -1})
				}
				at = c.ask(map[string]any{"op": "fire", "state": at.Number, "step": at.Moves[i%len(at.Moves)]})
				size += at.bytes
			}
			b.ReportMetric(float64(size)/float64(b.N), "B/answer")
		})
	}
}

// BenchmarkPage measures in Chromium how long the page takes from its request until it shows the first state, while the
// program has the model open.
func BenchmarkPage(b *testing.B) {
	root, _ := filepath.Abs("../..")
	for _, x := range largest {
		b.Run(x.machine, func(b *testing.B) {
			url := serve(b, animator.Options{Open: opener(root, x.machine, x.constants)})
			page := open(b, url, 1280, 900)
			sum := 0.0
			b.ResetTimer()
			for range b.N {
				page.do(chromedp.Navigate("about:blank"), chromedp.Navigate(url))
				page.step(1)
				page.wait("performance.getEntriesByName('ready').length")
				sum += number(b, page.eval("performance.getEntriesByName('ready')[0].startTime"))
			}
			b.ReportMetric(sum/float64(b.N), "ms/load")
		})
	}
}

// stepped takes the first possible step in the page, and says how many milliseconds pass until it is painted.
const stepped = `(async () => {
  const count = () => document.querySelector('.count b').textContent
  const before = count(), start = performance.now()
  document.querySelector('.move').click()
  while (count() === before) await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  return performance.now() - start
})()`

// BenchmarkClick measures a step in Chromium, from the click until it is painted: on the machines above, and on a state with
// 300 variables and a function of 10,000 pairs that is open and changes with each step.
func BenchmarkClick(b *testing.B) {
	root, _ := filepath.Abs("../..")
	for _, x := range largest {
		b.Run(x.machine, func(b *testing.B) { click(b, opener(root, x.machine, x.constants), "") })
	}
	b.Run("10000-pairs", func(b *testing.B) {
		click(b, opener(largeFolder(b), "large", nil), "document.querySelector('.vars details').open = true")
	})
}

func click(b *testing.B, o animator.Opener, first string) {
	page := open(b, serve(b, animator.Options{Open: o}), 1280, 900)
	page.step(1)
	if first != "" {
		page.eval(first)
	}
	sum, worst := 0.0, 0.0
	b.ResetTimer()
	for range b.N {
		if page.eval("!!document.querySelector('.move')") != "true" {
			page.press("Begin")
			page.step(0)
		}
		took := number(b, page.eval(stepped))
		sum, worst = sum+took, max(worst, took)
	}
	b.ReportMetric(sum/float64(b.N), "ms/click")
	b.ReportMetric(worst, "ms/worst")
}

func number(b *testing.B, text string) float64 {
	b.Helper()
	out, err := strconv.ParseFloat(text, 64)
	if err != nil {
		b.Fatal(err)
	}
	return out
}
