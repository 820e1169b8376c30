package animator

import (
	"context"

	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/internal/svg"
)

// jsonPicture is a picture as the page knows it.
type jsonPicture struct {
	Name   string   `json:"name"`
	Title  string   `json:"title,omitempty"`
	Of     string   `json:"of,omitempty"`     // the abstract machine whose state it shows; "": the animated one
	SVG    string   `json:"svg,omitempty"`    // "": a Gantt chart
	Copied []string `json:"copied,omitempty"` // elements that are only shown as copies
}

// drawing is a picture that is compiled.
type drawing struct {
	*animation.Drawing
	gantt bool
}

// compilePictures compiles the pictures of the subject, and describes them.
func (s *session) compilePictures(m *jsonModel) (out []drawing, err error) {
	pictures, err := s.subject.Project.Pictures(s.subject.Machine, s.scope)
	if err != nil {
		return nil, err
	}
	for _, p := range pictures {
		d, err := s.animation.Compile(p.Machine, p.Elements)
		if err != nil {
			return nil, err
		}
		shown := jsonPicture{Name: p.Name, Title: p.Title, SVG: p.SVG}
		if p.Machine != s.subject.Machine {
			shown.Of = p.Machine.Name
		}
		for _, e := range p.Elements {
			if e.Each != 0 && e.Of == e.ID {
				shown.Copied = append(shown.Copied, e.ID)
			}
		}
		m.Pictures, out = append(m.Pictures, shown), append(out, drawing{d, p.SVG == ""})
	}
	return out, nil
}

// draw adds how the pictures look. A value that would make an attribute refer to something is left out.
func (s *session) draw(ctx context.Context, number int, out *jsonState, steps []animation.Successor) error {
	for _, d := range s.pictures {
		drawn, err := s.animation.Draw(ctx, number, d.Drawing, steps)
		if err != nil {
			return err
		}
		for _, x := range drawn {
			for name, value := range x.Attributes {
				if !d.gantt && name != "text" && name != "move" && !svg.Attribute(name, value) {
					delete(x.Attributes, name)
				}
			}
		}
		out.Drawn = append(out.Drawn, drawn)
	}
	return nil
}
