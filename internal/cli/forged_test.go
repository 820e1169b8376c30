package cli

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sealed is the text of a shard with these lines, whose footer fits them.
func sealed(lines [][]byte) []byte {
	text := bytes.Join(lines, nil)
	return fmt.Appendf(text, `{"answers":%d,"complete":true,"sha256":"%s"}`+"\n", len(lines)-1, hex.EncodeToString(sumOf(text)))
}

func sumOf(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

// forgeries are ways to change a shard, whose lines are header and answers, without and with a footer that fits.
var forgeries = map[string]func(r *rand.Rand, lines [][]byte) []byte{
	"a bit flipped": func(r *rand.Rand, lines [][]byte) []byte {
		text := sealed(lines)
		text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		return text
	},
	"cut": func(r *rand.Rand, lines [][]byte) []byte { text := sealed(lines); return text[:r.IntN(len(text))] },
	"doubled": func(r *rand.Rand, lines [][]byte) []byte {
		return sealed(slices.Insert(lines, 1, lines[some(r, lines)]))
	},
	"a line less": func(r *rand.Rand, lines [][]byte) []byte {
		i := some(r, lines)
		return sealed(slices.Delete(lines, i, i+1))
	},
	"exchanged answers": func(r *rand.Rand, lines [][]byte) []byte {
		i, j := some(r, lines), some(r, lines)
		q, p := questionOf.Find(lines[i]), questionOf.Find(lines[j])
		lines[i], lines[j] = bytes.Replace(lines[i], q, p, 1), bytes.Replace(lines[j], p, q, 1)
		return sealed(lines)
	},
	"one answer too many": func(_ *rand.Rand, lines [][]byte) []byte {
		return bytes.Replace(sealed(lines), fmt.Appendf(nil, `"answers":%d,`, len(lines)-1), fmt.Appendf(nil, `"answers":%d,`, len(lines)), 1)
	},
	"steps of 10^30": func(r *rand.Rand, lines [][]byte) []byte {
		return sealed(changed(r, lines, `"steps":\d+`, `"steps":1000000000000000000000000000000`))
	},
	"steps": func(r *rand.Rand, lines [][]byte) []byte { return sealed(changed(r, lines, `"steps":`, `"steps":1`)) },
	"open": func(r *rand.Rand, lines [][]byte) []byte {
		return sealed(changed(r, lines, `"verdict":"(proved|refuted)"`, `"verdict":"open"`))
	},
	"proved": func(r *rand.Rand, lines [][]byte) []byte {
		return sealed(changed(r, lines, `"verdict":"(open|refuted)"`, `"verdict":"proved"`))
	},
	"another digest": func(r *rand.Rand, lines [][]byte) []byte {
		i, j := some(r, lines), some(r, lines)
		mac := regexp.MustCompile(`"hmac":"[0-9a-f]*"`)
		lines[i] = bytes.Replace(lines[i], mac.Find(lines[i]), mac.Find(lines[j]), 1)
		return sealed(lines)
	},
	"lines of Windows": func(_ *rand.Rand, lines [][]byte) []byte {
		return bytes.ReplaceAll(sealed(lines), []byte("\n"), []byte("\r\n"))
	},
	"a byte order mark": func(_ *rand.Rand, lines [][]byte) []byte { return append([]byte("\xef\xbb\xbf"), sealed(lines)...) },
	"a key twice": func(r *rand.Rand, lines [][]byte) []byte {
		return sealed(changed(r, lines, `"verdict":`, `"verdict":"vacuous","verdict":`))
	},
	"nested": func(r *rand.Rand, lines [][]byte) []byte {
		return sealed(slices.Insert(lines, 1, append(bytes.Repeat([]byte("["), 100_000), '\n')))
	},
	"keys in another order": func(_ *rand.Rand, lines [][]byte) []byte {
		for i, line := range lines[1:] {
			var x map[string]json.RawMessage
			if json.Unmarshal(line, &x) == nil {
				text, _ := json.Marshal(x)
				lines[i+1] = append(text, '\n')
			}
		}
		return sealed(lines)
	},
	"two shards in one": func(_ *rand.Rand, lines [][]byte) []byte { return append(sealed(lines), sealed(lines)...) },
	"empty":             func(*rand.Rand, [][]byte) []byte { return []byte{} },
	"compressed": func(_ *rand.Rand, lines [][]byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = z.Write(sealed(lines))
		_ = z.Close()
		return out.Bytes()
	},
	"another number": func(_ *rand.Rand, lines [][]byte) []byte {
		return sealed(changed(nil, lines, `"shard":\d+`, `"shard":4`))
	},
	"another version": func(_ *rand.Rand, lines [][]byte) []byte {
		return sealed(changed(nil, lines, `"search":"`, `"search":"f`))
	},
}

var questionOf = regexp.MustCompile(`"question":"[0-9a-f]{64}"`)

// some is the number of a line with an answer.
func some(r *rand.Rand, lines [][]byte) int { return 1 + r.IntN(len(lines)-1) }

// changed replaces a pattern in a line with an answer, or in the header if r is nil.
func changed(r *rand.Rand, lines [][]byte, pattern, by string) [][]byte {
	i := 0
	if r != nil {
		i = some(r, lines)
	}
	lines[i] = regexp.MustCompile(pattern).ReplaceAll(lines[i], []byte(by))
	return lines
}

// TestForgedShards changes shards in ways that leave their digests right, too: the verdicts, certificates and steps are those of a run
// without shards, or the exit code is that of wrong usage. GRADINE_SEED is the first of the seeds.
func TestForgedShards(t *testing.T) {
	dir := sharded(t)
	const n = 4
	from := shards(t, dir, n, "prove")
	fresh(t, "a")
	want, _, wantCode := shell(t, "-C", dir, "prove", "--format", "jsonl")
	seed := uint64(1)
	if text := os.Getenv("GRADINE_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 63); err != nil {
			t.Fatal(err)
		}
	}
	cases := 200
	if testing.Short() {
		cases = 2 * len(forgeries)
	}
	var ways []string
	for name := range forgeries {
		ways = append(ways, name)
	}
	slices.Sort(ways)
	same, uncounted, errors := 0, 0, 0
	for i := range cases {
		r := rand.New(rand.NewPCG(seed+uint64(i), 33))
		way, to := ways[i%len(ways)], t.TempDir()
		k := 1 + r.IntN(n-1)
		for j := 1; j <= n; j++ {
			name := fmt.Sprintf("shard-%d.gradine", j)
			data, err := os.ReadFile(filepath.Join(from, name))
			if err != nil {
				t.Fatal(err)
			}
			if j == k {
				lines := bytes.SplitAfter(data, []byte("\n"))
				data = forgeries[way](r, lines[:len(lines)-2]) // without footer
			}
			if err := os.WriteFile(filepath.Join(to, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		fresh(t, "a")
		got, errs, code := shell(t, "-C", dir, "prove", "--format", "jsonl", "--from", to)
		switch {
		case code == exitUsage && got == "":
			errors++
			if !strings.Contains(errs, "shard") {
				t.Errorf("case %d, %s: %s", i, way, errs)
			}
		case code != wantCode || stepsOf.ReplaceAllString(got, "") != stepsOf.ReplaceAllString(want, ""):
			t.Errorf("case %d, %s: exit code %d, want %d\n%s\n%s", i, way, code, wantCode, errs, got)
		case got == want:
			same++
		case strings.Contains(got, `"open","steps":null`) || strings.Contains(stepsOf.ReplaceAllStringFunc(got, func(x string) string {
			return cmp.Or(map[bool]string{true: x}[strings.Contains(want, x) || strings.HasSuffix(x, "null")], "false steps")
		}), "false steps"):
			t.Errorf("case %d, %s: steps that nobody counted\n%s", i, way, got)
		default:
			uncounted++
		}
	}
	t.Logf("seed %d: %d times the same bytes, %d times without some steps, %d times an error that names a shard", seed, same, uncounted, errors)
}
