package lsp

import (
	"strings"

	"github.com/gradine/gradine/internal/lsp/protocol"
)

// animateCommand opens a page that animates a machine, or the counterexample of an obligation.
const animateCommand = "gradine.animate"

// animate opens a page, which follows the open texts until the server ends. Who asks again for the same is shown the same page.
func (s *server) animate(uri, name string) (*protocol.Executed, error) {
	if s.opts.Animate == nil {
		return nil, refusal("%s: this server has no pages", animateCommand)
	}
	if strings.HasPrefix(name, "-") {
		return nil, refusal("%s takes names, no flags", animateCommand)
	}
	url, err := s.page(pathOf(uri), name)
	if err != nil {
		return nil, err
	}
	s.open(name, url)
	return &protocol.Executed{Text: url}, nil
}

// page is the URL of the page about something in the project of a file.
func (s *server) page(path, name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return "", s.ctx.Err()
	}
	what := animated{s.homeOf(path).at, name}
	if url, ok := s.pages[what]; ok {
		return url, nil
	}
	url, serve, err := s.opts.Animate(s.present, what.at, name)
	if err != nil {
		return "", refusal("%s %s: %v", animateCommand, name, err)
	}
	s.pages[what] = url
	s.running.Go(func() { _ = serve(s.ctx) }) // its page says that the server is gone
	return url, nil
}

// present are the open texts now.
func (s *server) present() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.texts()
}

// open has the editor open a URL, or show it.
func (s *server) open(name, url string) {
	if !s.opens {
		_ = s.rpc.Notify(s.ctx, "window/showMessage", protocol.ShowMessage{Type: 3, Message: "animate " + name + ": open " + url}) // a connection that is gone ends the server
		return
	}
	show := protocol.ShowDocument{URI: url, External: true, TakeFocus: true}
	go func() { _, _ = s.rpc.Callback(s.ctx, "window/showDocument", show) }() // the answer of the command has the URL as well
}
