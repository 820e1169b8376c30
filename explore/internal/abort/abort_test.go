package abort_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/explore/internal/abort"
)

// What has no value is said at the innermost place that tries; nothing else is taken for it.
func TestTry(t *testing.T) {
	if why := abort.Try(func() {}); why != "" {
		t.Error(why)
	}
	inner := ""
	outer := abort.Try(func() {
		inner = abort.Try(func() { abort.NoValue("division by zero") })
		abort.NoValue("no image")
	})
	if inner != "division by zero" || outer != "no image" {
		t.Error(inner, outer)
	}
	limit, fault := abort.Caught(func() { abort.Try(func() { panic("torn") }) })
	if limit != "" || fault == nil || fault.Cause != "torn" {
		t.Error("a fault was taken for a missing value:", limit, fault)
	}
}

// A limit ends a search with its name, a fault with an error that names the machine and the place.
func TestEnds(t *testing.T) {
	cause := errors.New("index out of range")
	for _, c := range []struct {
		run        func()
		limit, err string
	}{
		{func() {}, "", ""},
		{func() { panic(abort.Limit{What: "memory"}) }, "memory", "machine m: memory ended the search"},
		{func() { panic(cause) }, "", "internal error while machine m was explored (index out of range); please report it with the model"},
		{func() { panic(&abort.Fault{Cause: "torn"}) }, "", "internal error while machine m was explored (torn); please report it with the model"},
	} {
		limit, fault := abort.Caught(c.run)
		if limit != c.limit || (fault != nil) != strings.HasPrefix(c.err, "internal") {
			t.Errorf("%q: limit %q, fault %v", c.err, limit, fault)
		}
		err := contained(c.run)
		if got := message(err); got != c.err {
			t.Errorf("%q, want %q", got, c.err)
		}
		var f *abort.Fault
		if errors.As(err, &f) && f.Machine != "m" {
			t.Error(f.Machine)
		}
	}
	if err := contained(func() { abort.Bounded(func() { panic(cause) }) }); !errors.Is(err, cause) {
		t.Error("the cause of a fault is lost:", err)
	}
	if limit := abort.Bounded(func() { panic(abort.Limit{What: "time"}) }); limit != "time" {
		t.Error(limit)
	}
}

func contained(run func()) (err error) {
	defer abort.Contain("m", &err)
	run()
	return nil
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The end of a context ends what is under way, and says which kind of end it was.
func TestCheck(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	late, end := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer end()
	for _, c := range []struct {
		ctx   context.Context
		limit string
	}{{nil, ""}, {context.Background(), ""}, {stopped, "interrupted"}, {late, "time"}} {
		if limit := abort.Bounded(func() { abort.Check(c.ctx) }); limit != c.limit {
			t.Errorf("%q, want %q", limit, c.limit)
		}
	}
}
