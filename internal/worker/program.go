package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// Program identifies this build: by its version or, if that does not tell builds apart, by the digest of the program
// file. What cannot be checked is only comparable between equal builds. It is "" where neither is known.
var Program = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" && !strings.HasSuffix(v, "+dirty") {
			return v
		}
	}
	file, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// build is in each job that only the same build may answer.
type build struct {
	Program string `json:"program"`
}

// check refuses the job of another build.
func (b build) check() error {
	if is := Program(); b.Program != is || is == "" {
		return fmt.Errorf("a job of gradine %.40q; this worker is %.40q, and states and steps are comparable between equal programs only", b.Program, is)
	}
	return nil
}
