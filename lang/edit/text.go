package edit

import (
	"fmt"
	"path/filepath"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
)

// Text is the text of a model, of hints or of scenarios that was read again and says what was meant. Only this package makes
// one, and only a Text is saved: so no text reaches a file unread.
type Text struct{ text []byte }

// Bytes are the bytes of t, nil if it is no text. The caller must not change them.
func (t Text) Bytes() []byte { return t.text }

// Save writes t to a file, at once or not at all.
func (t Text) Save(name string) error { return atomic.Write(name, t.text, 0o666) }

// Formatted is a new layout of a text, by its kind, if it says what the old one did.
func Formatted(path string, before, after []byte) (Text, error) {
	if err := Layout(path, before, after); err != nil {
		return Text{}, err
	}
	return Text{after}, nil
}

// Of is the text of a file that says what components say. It may have errors that these have, too.
func Of(path string, text []byte, components []*lang.Component) (Text, error) {
	file, _ := read(path, text)
	if why := Components(components, file.Components); why != "" {
		return Text{}, unlike(path, why)
	}
	return Text{text}, nil
}

// Whole is a text that means what it says, by its kind: it must have no errors.
func Whole(path string, text []byte) (Text, error) {
	var problems diag.List
	switch filepath.Ext(path) {
	case hints.Ext:
		hints.Parse(path, text, &problems)
	case scenario.Ext:
		scenario.Parse(path, text, &problems)
	default:
		lang.Parse(path, text, &problems)
	}
	if problems.HasErrors() {
		return Text{}, unlike(path, problems.Sorted()[0].Message)
	}
	return Text{text}, nil
}

// unlike is why a new file is not written.
func unlike(path, why string) error {
	return fmt.Errorf("%s: the text would not say what is meant: %s; nothing was written", path, why)
}
