package proofstore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gradine/gradine/discharge/verdict"
	"pgregory.net/rapid"
)

func TestLockRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Lock
		name := rapid.StringMatching("[a-c /\"'\t`\u2003é]{0,6}")
		for _, o := range rapid.SliceOfNDistinct(name, 0, 5, rapid.ID).Draw(t, "obligations") {
			l.Lines = append(l.Lines, verdict.LockLine{
				Obligation: o, Fingerprint: rapid.StringMatching("[0-9a-f]{32}").Draw(t, "fingerprint"),
				Verdict: rapid.SampledFrom([]verdict.Verdict{verdict.Proved, verdict.Vacuous, verdict.Refuted, verdict.Open}).Draw(t, "verdict"),
				Steps:   rapid.Int64Range(0, 1<<40).Draw(t, "steps"), Used: rapid.SliceOfN(name, 0, 3).Draw(t, "used"),
			})
		}
		sortLines(l.Lines)
		got, err := DecodeLock(l.Encode())
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Lines {
			if len(got.Lines[i].Used) == 0 {
				got.Lines[i].Used = l.Lines[i].Used
			}
		}
		if len(got.Lines) != len(l.Lines) || len(l.Lines) > 0 && !cmp.Equal(got.Lines, l.Lines) {
			t.Fatal(cmp.Diff(l.Lines, got.Lines))
		}
		for _, x := range l.Lines {
			if y, ok := got.Find(x.Obligation, x.Fingerprint); !ok || y.Steps != x.Steps {
				t.Fatalf("%q not found again", x.Obligation)
			}
			if _, ok := got.Find(x.Obligation, "00"); ok {
				t.Fatal("found with another fingerprint")
			}
		}
	})
}

func TestDecodeLockErrors(t *testing.T) {
	line := "a/b\t" + strings.Repeat("0", 32) + "\tproved\t1\tx"
	for text, want := range map[string]string{
		"":                 "line 1",
		lockHeader + "\na": "1 fields instead of 5",
		lockHeader + "\n" + strings.Replace(line, "000", "", 1):        "not a fingerprint",
		lockHeader + "\n" + strings.Replace(line, "proved", "sure", 1): "not a verdict",
		lockHeader + "\n" + strings.Replace(line, "\t1\t", "\tx\t", 1): "number of steps",
		lockHeader + "\n" + strings.Replace(line, "a/b", "\"a", 1):     "quoted",
		lockHeader + "\nz" + line + "\n" + line:                        "line 3: out of order",
	} {
		if _, err := DecodeLock([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}
