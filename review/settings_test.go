package review_test

import (
	"testing"

	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/review"
)

// A name with dots hides no loss.
func TestSettingsOfNamesWithDots(t *testing.T) {
	settings := func(text string) (out []review.Setting) {
		list, err := config.Settings("gradine.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, kv := range list {
			out = append(out, review.Setting{Key: kv[0], Value: kv[1]})
		}
		return out
	}
	for name, c := range map[string]struct {
		before, now string
		loss        review.Loss
	}{
		"carrier set":      {"[machine.\"a.b\".carriers]\n\"S.T\" = 3\n", "[machine.\"a.b\".carriers]\n\"S.T\" = 2\n", review.Smaller},
		"deadlock freedom": {"[machine.\"a.b\"]\ndeadlock_free = true\n", "[machine.\"a.b\"]\ndeadlock_free = false\n", review.Dropped},
		"plain":            {"[machine.a.carriers]\nS = 3\n", "[machine.a.carriers]\nS = 2\n", review.Smaller},
	} {
		x := review.Settings(settings(c.before), settings(c.now), nil)
		if len(x.Claims) != 1 || x.Claims[0].Loss != c.loss {
			t.Errorf("%s: %+v", name, x.Claims)
		}
	}
}
