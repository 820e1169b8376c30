package scaffold

import (
	_ "embed"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
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

// Job adds a job for continuous integration on a code host, which runs this version of
// the program.
func (f Files) Job(host, version string) error {
	job, ok := jobs[host]
	if !ok {
		return fmt.Errorf("it must be one of %s", strings.Join(slices.Sorted(maps.Keys(jobs)), ", "))
	}
	f[job.file] = []byte(strings.ReplaceAll(job.text, "@VERSION", "@"+pinned(version)))
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
