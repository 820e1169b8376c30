package project

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/tune"
)

// Assignment is a name and the text of its value, in an instance to tune.
type Assignment struct{ Name, Value string }

// Instance is an instance of an entry to tune, with its name if it has one.
type Instance struct {
	Name  string
	Given []Assignment
}

// Instances reads the instances of an entry.
func Instances(conf config.Tune) ([]Instance, error) {
	var out []Instance
	for _, in := range conf.Instances {
		read := Instance{}
		read.Name, _ = in[config.InstanceName].(string)
		for _, name := range conf.Given {
			if name == config.InstanceName {
				continue
			}
			switch value := in[name].(type) {
			case nil:
			case int64, string:
				read.Given = append(read.Given, Assignment{name, fmt.Sprint(value)})
			case bool:
				read.Given = append(read.Given, Assignment{name, strings.ToUpper(fmt.Sprint(value))})
			default:
				return nil, fmt.Errorf("instance: %s = %v is neither an integer nor an expression in quotes", name, value)
			}
		}
		out = append(out, read)
	}
	return out, nil
}

// InstanceOf reads an instance of an entry from NAME=VALUE,…, or from the name of one of
// gradine.toml, with what is to be different: NAME,NAME=VALUE,….
func InstanceOf(conf config.Tune, text string) (Instance, error) {
	name, rest, _ := strings.Cut(text, ",")
	if strings.Contains(name, "=") {
		given, err := Assignments(text)
		return Instance{Given: given}, err
	}
	found, err := instanceNamed(conf, name)
	if err != nil || rest == "" {
		return found, err
	}
	// What is different belongs to the name of the instance: its values speak for it.
	found.Name = ""
	changes, err := Assignments(rest)
	for _, change := range changes {
		if i := slices.IndexFunc(found.Given, func(g Assignment) bool { return g.Name == change.Name }); i >= 0 {
			found.Given[i] = change
		} else {
			found.Given = append(found.Given, change)
		}
	}
	return found, err
}

// instanceNamed returns the instance to which an entry gives a name.
func instanceNamed(conf config.Tune, name string) (Instance, error) {
	all, err := Instances(conf)
	if err != nil {
		return Instance{}, err
	}
	var names []string
	for _, in := range all {
		if in.Name == name {
			return in, nil
		}
		if in.Name != "" {
			names = append(names, in.Name)
		}
	}
	if len(names) == 0 {
		return Instance{}, fmt.Errorf("there is no instance %s: instances of this entry have no names", name)
	}
	return Instance{}, fmt.Errorf("there is no instance %s; there are %s", name, strings.Join(names, ", "))
}

// Assignments reads NAME=VALUE,….
func Assignments(text string) (out []Assignment, err error) {
	for pair := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(pair, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("%q is not of the form NAME=VALUE", pair)
		}
		if slices.ContainsFunc(out, func(g Assignment) bool { return g.Name == name }) {
			return nil, fmt.Errorf("%s has two values", name)
		}
		out = append(out, Assignment{Name: name, Value: value})
	}
	return out, nil
}

// longest is how long the name of a file may become that says what an instance is.
const longest = 100

// FileName is the name of a file about the instance of an entry, without what says its
// kind.
func (i Instance) FileName(entry string) string {
	name := entry
	for _, g := range i.Given {
		name += fmt.Sprintf("-%s%s", g.Name, g.Value)
	}
	if i.Name != "" || len(name) > longest {
		name = entry + "-" + cmp.Or(i.Name, fmt.Sprintf("%x", sha256.Sum256([]byte(name)))[:12])
	}
	return strings.Map(func(letter rune) rune {
		if letter == '/' || letter == filepath.Separator {
			return '_'
		}
		return letter
	}, name)
}

// PointOf returns the point of an answer at which the parameters have the given values.
func PointOf(answer *tune.Answer, given []Assignment) (*tune.Point, error) {
	for _, g := range given {
		if !slices.Contains(answer.Names, g.Name) {
			return nil, fmt.Errorf("there is no parameter %s; there are %s", g.Name, strings.Join(answer.Names, ", "))
		}
	}
	i := slices.IndexFunc(answer.Points, func(p tune.Point) bool {
		return !slices.ContainsFunc(given, func(g Assignment) bool {
			return p.Values[slices.Index(answer.Names, g.Name)].Text != strings.Replace(g.Value, "-", "−", 1)
		})
	})
	if i < 0 {
		return nil, fmt.Errorf("there is no such point")
	}
	return &answer.Points[i], nil
}
