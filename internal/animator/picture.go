package animator

import "context"

type jsonPicture struct{}
type jsonDrawn struct{}
type drawing struct{}

func (s *session) compilePictures(m *jsonModel) ([]*drawing, error) { return nil, nil }

func (s *session) draw(ctx context.Context, number int, out *jsonState) error { return nil }
