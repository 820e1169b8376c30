package project

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/rodin"
)

// below returns the text models of p, by path, that some machines and all that they build on may
// stand in; nil, for all, where that shows only when everything is read. It goes by the words
// of the texts and takes rather too many: a name may be that of a context and of a machine, and
// stand in several files.
func (p *Project) below(machines []string) map[string]bool {
	defines, mentions := map[string][]string{}, map[string][]string{} // files by name, names by file
	for _, source := range p.Config.Project[p.Name].Sources {
		names, ok := p.texts(filepath.Join(p.Config.Dir, source))
		if !ok {
			return nil
		}
		for _, name := range names {
			data, err := p.opener.text(name)
			if err != nil || rodin.IsPackage(data) {
				return nil
			}
			var defined []string
			defined, mentions[name] = lang.Outline(string(data))
			for _, component := range defined {
				defines[component] = append(defines[component], name)
			}
		}
	}
	out, seen := map[string]bool{}, map[string]bool{}
	for open := slices.Clone(machines); len(open) > 0; open = open[1:] {
		component := open[0]
		if seen[component] {
			continue
		}
		seen[component] = true
		for _, name := range defines[component] {
			out[name] = true
			open = append(open, mentions[name]...)
		}
	}
	if slices.ContainsFunc(machines, func(machine string) bool { return len(defines[machine]) == 0 }) {
		return nil
	}
	return out
}

// texts lists the text models of a source, saved or not; ok is false if there is anything else in it.
func (p *Project) texts(source string) (names []string, ok bool) {
	isDir, err := p.opener.stat(source)
	if err != nil || !isDir {
		return []string{source}, err == nil && IsText(source)
	}
	names, err = modelFiles(os.DirFS(source), ".", IsText)
	for i := range names {
		names[i] = filepath.Join(source, names[i])
	}
	others, _ := modelFiles(os.DirFS(source), ".", isRodin, IsKernel)
	return p.opener.withNew(source, names, IsText), err == nil && len(others) == 0 && len(names) > 0
}
