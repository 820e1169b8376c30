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
	SVG    string   `json:"svg"`
	Copied []string `json:"copied,omitempty"` // elements that are only shown as copies
}

// compilePictures compiles the pictures of the subject, and describes them.
func (s *session) compilePictures(m *jsonModel) (out []*animation.Drawing, err error) {
	pictures, err := s.subject.Project.Pictures(s.subject.Machine, s.scope)
	if err != nil {
		return nil, err
	}
	for _, p := range pictures {
		d, err := s.animation.Compile(p.Elements)
		if err != nil {
			return nil, err
		}
		shown := jsonPicture{Name: p.Name, Title: p.Title, SVG: p.SVG}
		for _, e := range p.Elements {
			if e.Each != 0 && e.Of == e.ID {
				shown.Copied = append(shown.Copied, e.ID)
			}
		}
		m.Pictures, out = append(m.Pictures, shown), append(out, d)
	}
	return out, nil
}

// draw adds how the pictures look. A value that would make an attribute refer to something is left out.
func (s *session) draw(ctx context.Context, number int, out *jsonState, steps []animation.Successor) error {
	for _, d := range s.pictures {
		drawn, err := s.animation.Draw(ctx, number, d, steps)
		if err != nil {
			return err
		}
		for _, x := range drawn {
			for name, value := range x.Attributes {
				if name != "text" && name != "move" && !svg.Attribute(name, value) {
					delete(x.Attributes, name)
				}
			}
		}
		out.Drawn = append(out.Drawn, drawn)
	}
	return nil
}
