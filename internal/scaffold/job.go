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

// job is what a code host runs: its file in a repository, and the text of it. It calls action.yml or
// templates/gradine.yml of the repository of this program, with @REF in the place of a tag or commit.
type job struct{ file, text string }

//go:embed github.yml
var githubJob string

//go:embed gitlab.yml
var gitlabJob string

var jobs = map[string]job{
	"github": {".github/workflows/verify.yml", githubJob},
	"gitlab": {".gitlab-ci.yml", gitlabJob},
}

// Hosts lists the code hosts that Job knows.
func Hosts() []string { return slices.Sorted(maps.Keys(jobs)) }

// sharded are the parts of a job that several machines need.
var sharded = regexp.MustCompile(`(?ms)^# @SHARDS begin\n(.*?)^# @SHARDS end\n`)

// Job adds a job for continuous integration on a code host, which runs this version of
// the program, and splits the work into so many shards.
func (f Files) Job(host, version string, shards int) error {
	job, ok := jobs[host]
	if !ok {
		return fmt.Errorf("it must be one of %s", strings.Join(Hosts(), ", "))
	}
	part := ""
	var list []string
	if shards > 1 {
		part = "$1"
		for k := range shards {
			list = append(list, strconv.Itoa(k+1))
		}
	}
	text := sharded.ReplaceAllString(job.text, part)
	release := pinned(version)
	ref := release
	if release == "latest" || pseudo.MatchString(release) { // no tag, and not the name of a whole commit
		ref = "main"
	}
	f[job.file] = []byte(strings.NewReplacer("@REF", ref, "@RELEASE", release, "@SHARDS", strconv.Itoa(shards), "@LIST", strings.Join(list, ", ")).Replace(text))
	return nil
}

// pseudo is the version that Go gives a commit without a tag.
var pseudo = regexp.MustCompile(`-\d{14}-[0-9a-f]{12}$`)

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
