package layers_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// doors are the functions that read what others have written without internal/door, and what bounds it.
var doors = map[string]string{
	"gpu/clang/many.go several":                        "what clang has written of bounded sources",
	"project/described.go Text":                        "the development that the program carries",
	"internal/cli/stability.go stabilityCommand":       "report.ReadVerdicts, a line at a time",
	"internal/report/stability.go ReadVerdicts":        "lines of 256 MB",
	"internal/svg/svg.go Clean":                        "project reads the picture by door; nesting is counted",
	"cmd/recheck/main.go check":                        "nothing: the checker imports nothing of the project, and certificates have limits of their own once read",
	"cmd/recheck/main.go findProofs":                   "nothing: a list that its user writes",
	"discharge/answer/answer.go Decode":                "the store, the cache and shards bound an answer by MaxLine",
	"discharge/answer/job.go DecodeJob":                "the queue bounds its messages",
	"discharge/answer/key.go readKey":                  "4 KB",
	"discharge/bundle/bundle.go Decode":                "bundle.MaxBytes",
	"discharge/cache/client.go get":                    "the limit of the request",
	"discharge/cache/credentials.go netrc":             "1 MB",
	"discharge/proofstore/store.go read":               "answer.MaxLine",
	"discharge/question/question.go Open":              "lines bounds each value",
	"discharge/question/question.go decode":            "lines has bounded it",
	"discharge/shard/file.go decode":                   "shard.MaxBytes, and answer.MaxLine a line",
	"discharge/shard/file.go strict":                   "a line of decode",
	"discharge/shard/set.go open":                      "shard.MaxBytes",
	"explore/internal/trace/itf.go decodeITF":          "whoever reads the file has bounded it",
	"gpu/clang/compile.go compile":                     "what clang has written of a bounded source",
	"gpu/clang/compile.go read":                        "mostSource",
	"gpu/clang/entries.go Entries":                     "the module that it is given",
	"gpu/clang/record.go ReadRecord":                   "mostRecord",
	"internal/prompt/prompt.go Run":                    "the scanner ends at lines of 64 KB",
	"internal/animator/server.go ask":                  "mostAsked",
	"gpu/runner/data.go pairs":                         "buffers of a bounded size, an element at a time",
	"project/rig_data.go copyFile":                     "mostData, and not in memory",
	"project/rig.go hashFile":                          "a copy of copyFile, or what gradine has written, and not in memory",
	"internal/cli/pack.go unpack":                      "bundle.MaxBytes",
	"internal/cli/sequents.go digestFile":              "nothing of it is kept in memory",
	"internal/cli/trace.go explainLog":                 "project.LogReader, a line at a time",
	"internal/config/config.go ReadFS":                 "the development that the program carries",
	"internal/config/config.go ReadPastFS":             "review/git bounds what it reads by maxBlob",
	"internal/config/config.go readFile":               "maxBytes",
	"internal/corpus/corpus.go Lines":                  "for tests",
	"internal/mcp/messages.go newMessages":             "door.NewLines, which bounds a line",
	"internal/lsp/connection.go connect":               "messages of 64 MB, headers of maxHeader",
	"internal/report/figures/grid.go pairs":            "ReadTunings has it whole",
	"internal/report/figures/tuning.go ReadTunings":    "whoever reads the file has bounded it",
	"internal/report/sample/sarif.go ValidateSARIF":    "for tests",
	"lang/rodin/project.go Unpack":                     "maxFileSize a file, and a limit for all together",
	"lang/rodin/project.go read":                       "maxFileSize a file, and a limit for all together",
	"lang/rodin/project.go readFile":                   "maxFileSize",
	"lang/rodin/xml.go parseNested":                    "readFile has bounded it; nesting is counted",
	"logic/eval/model.go ReadModel":                    "a part of an answer",
	"project/log.go NewLogReader":                      "MaxLogLine",
	"project/json.go readObject":                       "MaxLogLine",
	"project/project.go hasText":                       "lists a folder",
	"internal/report/requirements_csv.go ReadRequired": "the command reads the file by internal/door",
	"project/revision.go readRevision":                 "review/git bounds what it reads by maxBlob",
	"project/revision.go readArchive":                  "review/git bounds what it reads by maxBlob",
	"project/revision.go readFile":                     "review/git bounds what it reads by maxBlob",
	"project/revision.go readIfAny":                    "review/git bounds what it reads by maxBlob",
	"project/try.go ReadFile":                          "review/git bounds what it reads by maxBlob",
	"review/git/command.go start":                      "ask refuses more than maxBlob",
	"review/git/history.go Holds":                      "maxBlob",
	"review/git/library.go blob":                       "maxBlob",
	"review/git/repository.go content":                 "maxBlob",
	"review/merge/tag.go startTag":                     "Git and fmt bound the texts of a merge",
	"review/merge/xml.go xmlTree":                      "Git and fmt bound the texts of a merge",
	"review/merge/follow.go xmlVersion":                "Git and fmt bound the texts of a merge",
	"tune/measurements.go ReadMeasurements":            "maxTable",
	"tune/measurements.go unpacked":                    "maxTable",
}

// reading are the calls by which text enters.
var reading = []string{
	"os.ReadFile", "os.Open", "io.ReadAll", "fs.ReadFile", "bufio.NewScanner", "bufio.NewReader", "bufio.NewReaderSize",
	"json.NewDecoder", "toml.DecodeFile", "gzip.NewReader", "zip.OpenReader", "zip.NewReader", "xml.NewDecoder", "csv.NewReader",
}

// Text of others enters by internal/door, which bounds it, or this test says what bounds it.
func TestWhereTextEnters(t *testing.T) {
	found := map[string]bool{}
	functions(t, func(key string, f *ast.FuncDecl) {
		if strings.HasPrefix(key, "internal/door/") || strings.HasPrefix(key, "internal/codemetrics/") || strings.HasPrefix(key, "bench/") {
			return
		}
		what, bounded := "", false
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			on, ok := s.X.(*ast.Ident)
			switch {
			case !ok:
			case on.Name == "door":
				bounded = true
			case slices.Contains(reading, on.Name+"."+s.Sel.Name):
				what = on.Name + "." + s.Sel.Name
			}
			return true
		})
		if what == "" || bounded {
			return
		}
		found[key] = true
		if doors[key] == "" {
			t.Errorf("%s: %s; read it by internal/door, or say in this test what bounds it", key, what)
		}
	})
	for key := range doors {
		if !found[key] {
			t.Errorf("%s reads nothing", key)
		}
	}
}
