package gpuc

import (
	"os"
	"path/filepath"
	"testing"
)

func TestParseCorpus(t *testing.T) {
	dir := os.Getenv("KDIR")
	ok, all := 0, 0
	filepath.Walk(dir, func(p string, i os.FileInfo, err error) error {
		if e := filepath.Ext(p); e != ".cl" && e != ".cu" {
			return nil
		}
		src, _ := os.ReadFile(p)
		o, _ := headerOptions(src)
		_, pr := parse(p, src, o.Defines)
		all++
		if pr != nil {
			t.Log(pr.Error())
		} else {
			ok++
		}
		return nil
	})
	t.Log(ok, all)
}
