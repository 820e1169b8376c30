package scaffold

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// job is what a code host runs: its file in a repository, and the text of it, with
// @VERSION in the place of the version of this program.
type job struct{ file, text string }

//go:embed github.yml
var githubJob string

//go:embed gitlab.yml
var gitlabJob string

var jobs = map[string]job{
	"github": {".github/workflows/verify.yml", githubJob},
	"gitlab": {".gitlab-ci.yml", gitlabJob},
}

// sharded are the parts of a job that several machines need.
var sharded = regexp.MustCompile(`(?ms)^# @SHARDS begin\n(.*?)^# @SHARDS end\n`)

// Job adds a job for continuous integration on a code host, which runs this version of
// the program, and splits the work into so many shards.
func (f Files) Job(host, version string, shards int) error {
	job, ok := jobs[host]
	if !ok {
		return fmt.Errorf("it must be one of %s", strings.Join(slices.Sorted(maps.Keys(jobs)), ", "))
	}
	part, from := "", ""
	var list []string
	if shards > 1 {
		part, from = "$1", " --from shards"
		for k := range shards {
			list = append(list, strconv.Itoa(k+1))
		}
	}
	text := sharded.ReplaceAllString(job.text, part)
	f[job.file] = []byte(strings.NewReplacer("@VERSION", "@"+pinned(version), "@FROM", from, "@SHARDS", strconv.Itoa(shards), "@LIST", strings.Join(list, ", ")).Replace(text))
	return nil
}

// pinned is the version that a job runs: this one, a release or a commit, so that
// an upgrade is a commit of its own; the latest if this one was built from neither.
func pinned(version string) string {
	if strings.HasPrefix(version, "v") && !strings.Contains(version, "+") {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "latest"
	}
	revision, modified := "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if revision == "" || modified {
		return "latest"
	}
	return revision
}
