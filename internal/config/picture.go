package config

// Picture says how an SVG, or a Gantt chart, follows the state of a machine: pictures/NAME.toml.
type Picture struct {
	Machine string           `toml:"machine"` // and those that refine it
	Title   string           `toml:"title"`
	SVG     string           `toml:"svg"` // a file in the same folder
	Element []PictureElement `toml:"element"`
	Gantt   *PictureGantt    `toml:"gantt"` // in place of an SVG
}

// PictureGantt is a Gantt chart. A value is a text with {EXPRESSION}, or a list of PREDICATE → text, the last else → text.
type PictureGantt struct {
	Each  string `toml:"each"`  // NAME ∈ SET: a bar for each
	Item  any    `toml:"item"`  // the name of the bar
	Lane  any    `toml:"lane"`  // the row in which it stands
	Start any    `toml:"start"` // a number
	End   any    `toml:"end"`   // a number
	Open  string `toml:"open"`  // PREDICATE: the bar has not ended
	Clock any    `toml:"clock"` // the time of the state, a number
}

// PictureElement is an element of the SVG that follows the state.
type PictureElement struct {
	ID    string         `toml:"id"`
	Each  string         `toml:"each"`  // NAME ∈ SET: the element is copied for each
	In    string         `toml:"in"`    // it is a part of this element, which is copied
	Click string         `toml:"click"` // EVENT, or EVENT(PREDICATE): a click takes this step
	Set   map[string]any `toml:"set"`   // attributes: a text with {EXPRESSION}, or a list of PREDICATE → text, the last else → text
}

// ReadPicture reads the bindings of a picture.
func ReadPicture(path string) (*Picture, error) {
	return ReadTable[Picture](path)
}
