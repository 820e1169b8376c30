package project

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/gpu/space"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/seam"
)

// CountStore is where counts of configurations are remembered. They cannot be checked, so they count under the reader's key
// alone, and for the same build. The zero value remembers nothing.
type CountStore struct {
	Store   *proofstore.Store
	Program string // the build
}

// rememberedCounts are the counts of earlier runs, of one source.
type rememberedCounts struct {
	store CountStore
	asked countAsked
}

// countAsked is all that the counts of a configuration depend on.
type countAsked struct {
	Program   string           `json:"program"`
	Compiler  string           `json:"compiler"`
	Setting   []string         `json:"setting"` // variables that compilers heed
	Language  clang.Language   `json:"language"`
	File      string           `json:"file"`
	Source    answer.Digest    `json:"source"`
	Kernel    string           `json:"kernel"`
	Std       string           `json:"std"`
	Arguments map[string]int64 `json:"arguments"`
	Loops     map[string]int64 `json:"loops"`
	Warp      int64            `json:"warp"`
	Unroll    int64            `json:"unroll"`

	Macros   []string `json:"macros"`
	Instance string   `json:"instance"`
	Block    [3]int64 `json:"block"`
	Grid     [3]int64 `json:"grid"`
	Dynamic  int64    `json:"dynamic"`
}

// countFound is what a configuration was counted as.
type countFound struct {
	Digest  string       `json:"digest"` // of its instructions
	Counts  *count.Block `json:"counts,omitempty"`
	Refused string       `json:"refused,omitempty"`
}

// beyondText is what makes a source depend on more than its text and options: other files, and the clock. A word that a line
// break splits could be one of these; compilers allow blanks before that break.
var beyondText = regexp.MustCompile(`\b(include\w*|import|embed|__has_\w+|__DATE__|__TIME__|__TIMESTAMP__|__BASE_FILE__)\b|\w\\\s|\?\?/`)

// heeded are the variables that change what clang compiles.
var heeded = []string{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "COMPILER_PATH", "GCC_EXEC_PREFIX", "CUDA_PATH", "ROCM_PATH", "HIP_PATH"}

// remembered is what is remembered of a source. Nothing is of one that depends on other files.
func (k *counter) remembered(src KernelSource, unit clang.Source, compiler clang.Compiler) rememberedCounts {
	text, err := door.File(filepath.Join(unit.Dir, unit.File))
	program, steady := steadyCompiler(compiler)
	if src.Counts.Store == nil || src.Counts.Program == "" || err != nil || !steady || len(k.table.Include) > 0 || beyondText.Match(text) {
		return rememberedCounts{}
	}
	out := rememberedCounts{store: src.Counts, asked: countAsked{
		Program: src.Counts.Program, Compiler: program, Language: unit.Language, File: unit.File, Source: sha256.Sum256(text),
		Kernel: k.table.Kernel, Std: k.table.Std, Arguments: k.table.Arguments, Loops: k.table.Loops, Warp: k.warp, Unroll: k.out.Figures["unroll_limit"],
	}}
	for _, name := range heeded {
		out.asked.Setting = append(out.asked.Setting, os.Getenv(name))
	}
	return out
}

// steadyCompiler is the digest of a compiler's program, with all that it says of its version. A script, or a compiler with a
// file of options, may compile otherwise tomorrow under the same version: it is not steady.
func steadyCompiler(c clang.Compiler) (is string, steady bool) {
	program, err := door.File(c.Path)
	if err != nil || bytes.HasPrefix(program, []byte("#!")) || strings.Contains(c.Says, "Configuration file:") {
		return "", false
	}
	return fmt.Sprintf("%x %s", sha256.Sum256(program), c.Says), true
}

// of is the question of a configuration.
func (r rememberedCounts) of(s *space.Space, c space.Configuration) answer.Digest {
	r.asked.Macros, r.asked.Instance, r.asked.Block, r.asked.Grid, r.asked.Dynamic = s.Macros(c), s.Instance(c), c.Block, c.Grid, c.Dynamic
	text, err := json.Marshal(r.asked)
	if err != nil {
		panic("project: " + err.Error())
	}
	return sha256.Sum256(append([]byte("gradine counts 1\n"), text...))
}

// get returns what is remembered of a configuration; nil if nothing is.
func (r rememberedCounts) get(ctx context.Context, s *space.Space, c space.Configuration) (found *countFound) {
	if r.store.Store == nil {
		return nil
	}
	_ = seam.Contain(ctx, seam.StoreRead, "", func(context.Context) { // what is lost is counted again
		var f countFound
		if r.store.Store.Claim(r.of(s, c), &f) && f.Digest != "" && (f.Counts == nil) != (f.Refused == "") {
			found = &f
		}
	})
	return found
}

// put remembers a configuration.
func (r rememberedCounts) put(ctx context.Context, s *space.Space, c space.Configuration, found countFound) {
	if r.store.Store == nil || ctx.Err() != nil {
		return
	}
	_ = seam.Contain(ctx, seam.StoreWrite, "", func(context.Context) { r.store.Store.PutClaim(r.of(s, c), found) })
}
