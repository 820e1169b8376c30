package cli

import _ "embed"

// job is what a code host runs: its file in a repository, and the text of it, with
// @VERSION in the place of the version of this program.
type job struct{ file, text string }

//go:embed job_github.yml
var githubJob string

//go:embed job_gitlab.yml
var gitlabJob string

var jobs = map[string]job{
	"github": {".github/workflows/verify.yml", githubJob},
	"gitlab": {".gitlab-ci.yml", gitlabJob},
}
