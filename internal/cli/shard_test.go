package cli

import (
	"bytes"
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

// sharded is a project with obligations of all verdicts, hints and a contradiction.
func sharded(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var m strings.Builder
	m.WriteString("context c constants most axioms @most most ∈ 3‥9 end\n")
	m.WriteString("context odd constants k axioms @a k > 1 @b k < 1 end\n")
	m.WriteString("context hard constants s f axioms @s s ⊆ ℤ @zero 0 ∈ s @next ∀n· n ∈ s ⇒ n + 1 ∈ s @f f ∈ ℤ → ℤ @noise ∀x, y· x ∈ s ∧ y ∈ s ∧ f(y) = x ⇒ f(x + y) ∈ s ∧ f(x) ∈ s theorem @five 5 ∈ s theorem @six 6 ∈ s theorem @nine 9 ∈ s end\n")
	m.WriteString("machine m sees c variables n p invariants @p p ∈ BOOL\n")
	for i := range 8 {
		fmt.Fprintf(&m, "  @i%d n ≤ most + %d\n", i, i)
	}
	m.WriteString("  @bad n < 2\nevents event INITIALISATION then @n n ≔ 0 @p p ≔ TRUE end event up where @below n < most then @n n ≔ n + 1 end event down where @above n > 0 then @n n ≔ n − 1 end event flip then @p p :∈ BOOL end end\n")
	for name, text := range map[string]string{
		"m.eventb":     m.String(),
		"hard.hints":   "for hard/six/THM\n  have 3 ∈ s\n  have 5 ∈ s\n",
		"gradine.toml": "[project.p]\nsources = [\".\"]\nsteps = 500\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shell runs the program and returns what it prints, and its exit code.
func shell(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var w, e bytes.Buffer
	code = Main(args, strings.NewReader(""), &w, &e)
	return w.String(), e.String(), code
}

// fresh sets an empty store, and a key that has the given letter.
func fresh(t *testing.T, letter string) {
	t.Setenv("GRADINE_CACHE", t.TempDir())
	t.Setenv("GRADINE_KEY", strings.Repeat(letter, 32))
}

// shards writes n shards of what the command does in dir into a folder.
func shards(t *testing.T, dir string, n int, command ...string) string {
	t.Helper()
	to := t.TempDir()
	for k := 1; k <= n; k++ {
		fresh(t, "a")
		args := append([]string{"-C", dir}, command...)
		if _, errs, code := shell(t, append(args, "--shard", fmt.Sprintf("%d/%d", k, n), "-o", filepath.Join(to, fmt.Sprintf("shard-%d.gradine", k)))...); code != exitYes {
			t.Fatalf("shard %d/%d: exit code %d: %s", k, n, code, errs)
		}
	}
	return to
}

// stepsOf finds the steps that a line of JSON has.
var stepsOf = regexp.MustCompile(`"steps":(\d+|null)`)

// TestShards: what a run with shards prints is what a run without prints, byte by byte, if it has
// the key of the shards; all but the steps, if it has another one.
func TestShards(t *testing.T) {
	dir := sharded(t)
	fresh(t, "a")
	want := map[string]string{}
	codes := map[string]int{}
	for _, format := range []string{"text", "jsonl"} {
		want[format], _, codes[format] = shell(t, "-C", dir, "prove", "--format", format)
	}
	for _, verdict := range []string{"proved", "refuted", "open"} {
		if !strings.Contains(want["jsonl"], `"verdict":"`+verdict+`"`) {
			t.Errorf("nothing is %s:\n%s", verdict, want["jsonl"])
		}
	}
	counts := []int{1, 2, 3, 5, 8, 16}
	if testing.Short() {
		counts = []int{1, 3, 16}
	}
	for _, n := range counts {
		from := shards(t, dir, n, "prove")
		for format := range want {
			fresh(t, "a")
			got, errs, code := shell(t, "-C", dir, "prove", "--format", format, "--from", from)
			if got != want[format] || code != codes[format] || strings.Contains(errs, "shard") {
				t.Errorf("%d shards, %s: exit code %d, want %d\n%s\n%s", n, format, code, codes[format], errs, got)
			}
		}
		fresh(t, "b")
		got, errs, code := shell(t, "-C", dir, "prove", "--format", "jsonl", "--from", from)
		if none := stepsOf.ReplaceAllString(got, ""); none != stepsOf.ReplaceAllString(want["jsonl"], "") || code != codes["jsonl"] {
			t.Errorf("%d shards, another key: exit code %d\n%s", n, code, got)
		}
		if !strings.Contains(errs, "not signed with the key of this run") || !strings.Contains(got, `"verdict":"proved","steps":null`) || strings.Contains(got, `"verdict":"open","steps":null`) {
			t.Errorf("%d shards, another key: %s\n%s", n, errs, got)
		}
	}
}

// TestShardsLock: a lock records steps that were counted, and no others.
func TestShardsLock(t *testing.T) {
	dir := sharded(t)
	fresh(t, "a")
	shell(t, "-C", dir, "prove", "--lock")
	name := filepath.Join(dir, "p.proofs.lock")
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	from := shards(t, dir, 3, "prove")
	fresh(t, "b")
	if _, errs, code := shell(t, "-C", dir, "prove", "--lock", "--from", from); code != exitModel || !strings.Contains(errs, "were not counted under the key of this run: hard/noise/WD, m/") {
		t.Errorf("another key: exit code %d: %s", code, errs)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a lock is written all the same")
	}
	fresh(t, "a")
	shell(t, "-C", dir, "prove", "--lock", "--from", from)
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: the lock differs:\n%s", err, got)
	}
	// With the lock, the shards are split by steps: another split of the same work.
	if from := shards(t, dir, 3, "prove"); len(from) > 0 {
		fresh(t, "a")
		shell(t, "-C", dir, "prove", "--lock", "--from", from)
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: the lock differs:\n%s", err, got)
		}
	}
}

// smallKernels is a folder of small kernels: safe and unsafe ones.
func smallKernels(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"add":   "__kernel void add(__global int *a, __global int *b) { int i = get_global_id(0); a[i] = a[i] + b[i]; }\n",
		"race":  "__kernel void race(__global int *a) { int i = get_global_id(0); a[i] = a[i + 1]; }\n",
		"part":  "__kernel void part(__global int *a) { int i = get_local_id(0); if (i < 3) { barrier(CLK_LOCAL_MEM_FENCE); } a[get_global_id(0)] = i; }\n",
		"steps": "__kernel void steps(__global int *a, int n) { for (int i = get_global_id(0); i < n; i += get_global_size(0)) { a[i] = i; } }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".cl"), []byte("//--local_size=64 --num_groups=8\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSpoiltShards joins shards that are damaged in all ways: the bytes are the same, or the error
// names what is wrong.
func TestSpoiltShards(t *testing.T) {
	elsewhere := sharded(t)
	if err := os.WriteFile(filepath.Join(elsewhere, "more.eventb"), []byte("context more axioms theorem @t 1 = 1 end"), 0o666); err != nil {
		t.Fatal(err)
	}
	cases := 200
	if testing.Short() {
		cases = 16
	}
	spoilShards(t, 4, cases, sharded(t), elsewhere, "prove")
}

// TestSpoiltShardsOfKernels is TestSpoiltShards for kernels. There an answer is part of a longer search, so that one without a signature
// never counts.
func TestSpoiltShardsOfKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds: the full form has it")
	}
	cases := 2
	if os.Getenv("GRADINE_SWEEP") != "" {
		cases = 200
	}
	elsewhere := smallKernels(t)
	if err := os.Rename(filepath.Join(elsewhere, "race.cl"), filepath.Join(elsewhere, "add.cl")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, "race.cl"), []byte("__kernel void race() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	spoilShards(t, 3, cases, smallKernels(t), elsewhere, "kernel", "add.cl", "part.cl", "race.cl", "steps.cl")
}

// spoilShards joins n shards, some of them damaged, of what a command does in dir; elsewhere it does something else.
func spoilShards(t *testing.T, n, cases int, dir, elsewhere string, command ...string) {
	from := shards(t, dir, n, command...)
	t.Setenv("GITHUB_SHA", strings.Repeat("c", 40))
	foreign := shards(t, elsewhere, n, command...)
	t.Setenv("GITHUB_SHA", "")
	inDir := append(append([]string{"-C", dir}, command...), "--format", "jsonl")
	read := func(folder string) [][]byte {
		var out [][]byte
		for k := 1; k <= n; k++ {
			data, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("shard-%d.gradine", k)))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, data)
		}
		return out
	}
	good, other := read(from), read(foreign)
	fresh(t, "a")
	want, _, wantCode := shell(t, inDir...)
	seed := uint64(4)
	if text := os.Getenv("GRADINE_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(20, seed))
	for i := range cases {
		to := t.TempDir()
		spoilt := make([][]byte, n)
		for k := range spoilt {
			spoilt[k] = slices.Clone(good[k])
		}
		k := rng.IntN(n)
		word := ""
		switch i % 8 {
		case 0: // a bit flipped
			spoilt[k][rng.IntN(len(spoilt[k]))] ^= 1 << rng.IntN(8)
			word = "shard"
		case 1:
			spoilt[k], word = spoilt[k][:rng.IntN(len(spoilt[k]))], "shard"
		case 2: // two shards under each other's names: nothing rests on names
			j := (k + 1) % n
			spoilt[k], spoilt[j] = spoilt[j], spoilt[k]
		case 3:
			spoilt[k], word = other[k], "a shard of commit \"cccc"
		case 4:
			spoilt[k], word = bytes.Replace(good[k], []byte(`"search":"`), []byte(`"search":"0`), 1), "of the search"
		case 5:
			spoilt[k], word = nil, "missing"
		case 6: // lines exchanged
			lines := bytes.SplitAfter(good[k], []byte("\n"))
			a, b := 1+rng.IntN(len(lines)-3), 1+rng.IntN(len(lines)-3)
			lines[a], lines[b] = lines[b], lines[a]
			spoilt[k] = bytes.Join(lines, nil)
			if a != b {
				word = "changed since it was written"
			}
		case 7:
			spoilt[k] = bytes.ReplaceAll(good[k], []byte(`"verdict":"proved"`), []byte(`"verdict":"open"`))
			word = "changed since it was written"
			if bytes.Equal(spoilt[k], good[k]) {
				word = ""
			}
		}
		for k := range spoilt {
			if spoilt[k] != nil {
				if err := os.WriteFile(filepath.Join(to, fmt.Sprintf("shard-%d.gradine", k+1)), spoilt[k], 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		fresh(t, "a")
		got, errs, code := shell(t, append(inDir, "--from", to)...)
		// Where a bit of a proof is flipped, the line is no longer signed: then its steps are unknown.
		if i%8 == 0 && code == exitUsage && strings.Contains(errs, "different shards") {
			continue // the bit was in its number
		}
		if stepsOf.ReplaceAllString(got, "") != stepsOf.ReplaceAllString(want, "") || code != wantCode || strings.Contains(got, `"open","steps":null`) {
			t.Fatalf("case %d: exit code %d, want %d\n%s\n%s", i, code, wantCode, errs, got)
		}
		if !strings.Contains(errs, word) {
			t.Errorf("case %d: %q is not named: %s", i, word, errs)
		}
	}
	// Two different shards of one number are an error.
	if err := os.WriteFile(filepath.Join(from, "again.gradine"), good[0][:len(good[0])/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := shell(t, append(inDir, "--from", from)...); code != exitUsage || !strings.Contains(errs, fmt.Sprintf("two different shards 1/%d", n)) {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestShardsOfKernels: kernels are judged alike, wherever the searches ran.
func TestShardsOfKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	files := []string{filepath.Join("..", "..", "kernels", "minimum.cl"), filepath.Join("..", "..", "kernels", "tiled.cl")}
	command := append([]string{"kernel", "--format", "jsonl"}, files...)
	fresh(t, "a")
	want, _, wantCode := shell(t, command...)
	from := t.TempDir()
	for k := 1; k <= 3; k++ {
		out, errs, code := shell(t, append(command, "--shard", fmt.Sprintf("%d/3", k), "-o", filepath.Join(from, fmt.Sprintf("%d.gradine", k)))...)
		if code != exitYes || !strings.HasPrefix(out, fmt.Sprintf("shard %d/3: ", k)) {
			t.Fatalf("shard %d: exit code %d: %s%s", k, code, out, errs)
		}
	}
	for _, letter := range []string{"a", "b"} {
		fresh(t, letter)
		got, errs, code := shell(t, append(command, "--from", from)...)
		if got != want || code != wantCode {
			t.Errorf("key %s: exit code %d, want %d\n%s\n%s", letter, code, wantCode, errs, got)
		}
		if strings.Contains(errs, "shard") || strings.Contains(errs, "not signed") != (letter == "b") {
			t.Errorf("key %s: %s", letter, errs)
		}
	}
	// The shard of other kernels is named, and harms nothing.
	if got, errs, _ := shell(t, "kernel", "--format", "jsonl", "--from", from, files[0]); !strings.Contains(errs, "a shard of sources") || !strings.HasPrefix(want, got) {
		t.Errorf("%s\n%s", errs, got)
	}
	for _, other := range []string{"--all-launches", "--any-dimension", "--reader=c"} {
		if got, errs, _ := shell(t, append(command, "--from", from, other)...); !strings.Contains(errs, "a shard of sources") || got == "" {
			t.Errorf("%s: the options of the shards are not named: %s", other, errs)
		}
	}
	if _, errs, code := shell(t, "kernel", "--counts", "--from", from, files[0]); code != exitUsage {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestShardsOfSequents: a file of sequents is split by fingerprints, and joined as the obligations of projects are.
func TestShardsOfSequents(t *testing.T) {
	dir := sharded(t)
	lines, _, _ := shell(t, "-C", dir, "po", "--format", "jsonl")
	lines += strings.SplitAfter(lines, "\n")[0] // a sequent that comes twice
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "all.jsonl"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(lines)
	command := []string{"prove", "--sequents", "all.jsonl", "--steps", "500", "--format", "jsonl"}
	inDir := append([]string{"-C", dir}, command...)
	fresh(t, "a")
	want, _, wantCode := shell(t, inDir...)
	for _, verdict := range []string{"proved", "refuted", "open"} {
		if !strings.Contains(want, `"verdict":"`+verdict+`"`) {
			t.Errorf("nothing is %s:\n%s", verdict, want)
		}
	}
	for _, n := range []int{1, 3, 16} {
		from := shards(t, dir, n, command...)
		for _, letter := range []string{"a", "b"} {
			fresh(t, letter)
			got, errs, code := shell(t, append(inDir, "--from", from)...)
			if letter == "b" {
				if !strings.Contains(errs, "not signed with the key of this run") || !strings.Contains(got, `"steps":null`) || strings.Contains(got, `"open","steps":null`) {
					t.Errorf("%d shards, another key: %s\n%s", n, errs, got)
				}
				got, want, errs = stepsOf.ReplaceAllString(got, ""), stepsOf.ReplaceAllString(want, ""), ""
			}
			if got != want || code != wantCode || errs != "" {
				t.Errorf("%d shards, key %s: exit code %d, want %d\n%s\n%s", n, letter, code, wantCode, errs, got)
			}
		}
		fresh(t, "a")
		want, _, _ = shell(t, inDir...)
		if n == 3 {
			if err := os.Remove(filepath.Join(from, "shard-2.gradine")); err != nil {
				t.Fatal(err)
			}
			if got, errs, code := shell(t, append(inDir, "--from", from)...); got != want || code != wantCode || !strings.Contains(errs, "shard 2/3 is missing") {
				t.Errorf("a missing shard: exit code %d\n%s\n%s", code, errs, got)
			}
			write(lines + "\n")
			if got, errs, code := shell(t, append(inDir, "--from", from)...); got != want || code != wantCode || !strings.Contains(errs, "a shard of sources") {
				t.Errorf("another file: exit code %d\n%s\n%s", code, errs, got)
			}
			write(lines)
		}
	}
	for _, args := range [][]string{
		{"prove", "--sequents", "-", "--from", dir},
		{"prove", "--sequents", "all.jsonl", "--suggest", "--from", dir},
		{"prove", "--sequents", "all.jsonl", "--shard", "1/3"},
		{"prove", "--sequents", "all.jsonl", "--shard", "4/3", "-o", "x"},
	} {
		if out, errs, code := shell(t, append([]string{"-C", dir}, args...)...); code != exitUsage || out != "" {
			t.Errorf("%q: exit code %d: %s%s", args, code, errs, out)
		}
	}
}

// TestShardsOfRepository: the projects of this repository, with 1 to 16 shards.
func TestShardsOfRepository(t *testing.T) {
	if os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("GRADINE_SWEEP=1 verifies the repository 17 times")
	}
	root := filepath.Join("..", "..")
	fresh(t, "a")
	want, _, wantCode := shell(t, "-C", root, "verify")
	for n := 1; n <= 16; n++ {
		from := shards(t, root, n, "verify")
		fresh(t, "a")
		got, errs, code := shell(t, "-C", root, "verify", "--from", from)
		if got != want || code != wantCode {
			t.Errorf("%d shards: exit code %d, want %d\n%s\n%s", n, code, wantCode, errs, got)
		}
		if searched := answersIn(t); searched > 0 {
			t.Errorf("%d shards: %d answers were searched again", n, searched)
		}
	}
}

// TestTuneShards: joining the shards of tune prints what a run without shards prints.
func TestTuneShards(t *testing.T) {
	dir := smallProject(t)
	fresh(t, "a")
	want, _, code := shell(t, "-C", dir, "tune", "--format", "jsonl")
	for _, n := range []int{1, 3} {
		from := shards(t, dir, n, "tune")
		fresh(t, "a")
		got, errs, is := shell(t, "-C", dir, "tune", "--format", "jsonl", "--from", from)
		if got != want || is != code || errs != "" {
			t.Errorf("%d shards: exit code %d, want %d\n%s\n%s", n, is, code, errs, got)
		}
	}
	from := shards(t, dir, 2, "tune")
	if err := os.Remove(filepath.Join(from, "shard-2.gradine")); err != nil {
		t.Fatal(err)
	}
	fresh(t, "b")
	got, errs, is := shell(t, "-C", dir, "tune", "--format", "jsonl", "--from", from)
	if got != want || is != code || !strings.Contains(errs, "shard 2/2 is missing") {
		t.Errorf("a missing shard, another key: exit code %d\n%s\n%s", is, errs, got)
	}
}
