package project

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
)

// Parcel is the text of a project, for work on one of its machines elsewhere. It names no file that
// a program that opens it would read.
type Parcel struct {
	Name   string   `json:"name"`
	Models []string `json:"models"`           // texts of models, in the order of their files' names
	Config string   `json:"config,omitempty"` // the text of gradine.toml, "" without one
}

// Parcel packs the project for work on machine m. Only models that were written as text can be sent.
func (p *Project) Parcel(m *model.Machine) (*Parcel, error) {
	if p.kernelOf(m) != nil {
		return nil, fmt.Errorf("machine %s comes from a kernel, and only models as text are sent", m.Name)
	}
	out := &Parcel{Name: p.Name}
	files := slices.DeleteFunc(slices.Sorted(maps.Keys(p.sources)), func(name string) bool { return !IsText(name) })
	if len(p.Files) > len(files)+len(p.Kernels) {
		return nil, fmt.Errorf("project %s has models of Rodin, and only models as text are sent; `gradine import` writes them as text", p.Name)
	}
	for _, name := range files {
		if data := p.sources[name]; !rodin.IsPackage(data) {
			out.Models = append(out.Models, string(data))
		}
	}
	if p.Config != nil {
		text, err := p.opener.text(filepath.Join(p.Config.Dir, config.Name))
		if err != nil {
			return nil, err
		}
		out.Config = string(text)
	}
	return out, nil
}

// Inputs is the digest of all files that an answer about machine m rests on: models, hints, gradine.toml and the
// committed certificates. Of the machines that Parcel refuses there is none.
func (p *Project) Inputs(m *model.Machine) (answer.Digest, error) {
	parcel, err := p.Parcel(m)
	if err != nil {
		return answer.Digest{}, err
	}
	certificates, err := p.readCertificates(false)
	if err != nil {
		return answer.Digest{}, err
	}
	sum := sha256.New()
	add := func(text []byte) {
		fmt.Fprintf(sum, "%d\n", len(text)) // so that no two lists of texts have the same bytes
		sum.Write(text)
	}
	add([]byte(parcel.Name))
	add([]byte(parcel.Config))
	if certificates != nil {
		add(certificates.Encode())
	}
	for _, name := range slices.Sorted(maps.Keys(p.sources)) {
		add([]byte(name))
		add(p.sources[name])
	}
	return answer.Digest(sum.Sum(nil)), nil
}

// Open opens the project of a parcel, which may come from a stranger: it reads no file, whatever gradine.toml
// says. What is wrong with the models are its Problems.
func (x *Parcel) Open() (*Project, error) {
	var conf *config.Config
	if x.Config != "" {
		var err error
		if conf, err = config.Parse(config.Name, []byte(x.Config)); err != nil {
			return nil, err
		}
		conf.Project = map[string]config.Project{x.Name: conf.Project[x.Name]}
		conf.Kernel = nil
	}
	opened := newProject(x.Name, conf)
	for i, text := range x.Models {
		opened.add(fmt.Sprintf("model%d.eventb", i+1), []byte(text))
	}
	opened.Dev = check.Development(opened.Name, opened.Files, &opened.Problems)
	return opened, nil
}
