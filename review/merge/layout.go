package merge

import (
	"bytes"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
)

// laidOut is a joined text in the canonical layout, if both sides have it: elements that
// both add each on its own line may belong on one. Any other layout is left alone.
func laidOut(name string, ours, theirs, joined []byte) []byte {
	for _, opts := range []lang.Options{{}, {ASCII: true}} {
		if !bytes.Equal(canonical(name, ours, opts), ours) || !bytes.Equal(canonical(name, theirs, opts), theirs) {
			continue
		}
		if text := canonical(name, joined, opts); edit.Layout(name, joined, text) == nil {
			return text
		}
	}
	return joined
}

func canonical(name string, text []byte, opts lang.Options) []byte {
	var problems diag.List
	return lang.Format(lang.Parse(name, text, &problems), opts)
}
