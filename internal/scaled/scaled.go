// Package scaled generates projects with any number of components, to test how work and memory
// grow with a project.
package scaled

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Shape is how the components of a project build on each other.
type Shape string

// The shapes. In all of them a component builds on a bounded number of others, so that the
// obligations of a project grow as its components do.
const (
	Families Shape = "families" // a context of its own for each machine and its refinement, all on one base
	Hub      Shape = "hub"      // one context that all machines see
	Chains   Shape = "chains"   // ten refinements each
)

// Pairs is the shape of contexts that build on nothing, and of a machine for each that sees it alone.
const Pairs Shape = "pairs"

// Shapes are those whose components build on one base.
var Shapes = []Shape{Families, Hub, Chains}

// File is one text model.
type File struct{ Name, Text string }

// Files returns a project of n components, each in a file of its own. The first files are those
// of any larger project of that shape. All obligations are true, and proved in few steps.
func Files(shape Shape, n int) []File {
	var files []File
	if shape != Pairs {
		files = append(files, File{"base.eventb", base})
	}
	for i := 0; len(files) < n; i++ {
		files = append(files, family(shape, i)...)
	}
	return files[:n]
}

// Write makes a project of n components in dir: its files, and a gradine.toml.
func Write(dir string, shape Shape, n int) error {
	models := filepath.Join(dir, "models")
	if err := os.MkdirAll(models, 0o777); err != nil {
		return err
	}
	for _, f := range Files(shape, n) {
		if err := os.WriteFile(filepath.Join(models, f.Name), []byte(f.Text), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "gradine.toml"), []byte("[project.scaled]\nsources = [\"models\"]\n"), 0o666)
}

// family returns the components of number i that belong together.
func family(shape Shape, i int) []File {
	number := func(text string, level int) string {
		return strings.NewReplacer("#", fmt.Sprint(i), "~", fmt.Sprint(level), "^", fmt.Sprint(level-1)).Replace(text)
	}
	at := func(name, text string, level int) File {
		return File{number(name, level) + ".eventb", number(text, level)}
	}
	switch shape {
	case Hub:
		return []File{at("m#", strings.NewReplacer("sees c#", "sees base", "cap#", "most").Replace(machine), 0)}
	case Pairs:
		own := strings.NewReplacer("extends base", "sets\n  ITEM#", "1 ‥ most", "ℕ1", "ITEM", "ITEM#")
		return []File{at("c#", own.Replace(context), 0), at("m#", own.Replace(machine), 0)}
	case Chains:
		files := []File{at("c#", context, 0), at("m#", machine, 0)}
		for level := range 9 {
			text := deeper
			if level == 0 {
				text = strings.Replace(text, "refines d#_^", "refines m#", 1)
			}
			files = append(files, at("d#_~", text, level))
		}
		return files
	}
	return []File{at("c#", context, 0), at("m#", machine, 0), at("r#", refinement, 0)}
}

// In the texts, # is the number of the family, ~ that of the level, and ^ that of the level above.

const base = `context base
sets
  ITEM
constants
  most
axioms
  @most most ∈ ℕ1
  @items finite(ITEM)
end
`

const context = `context c#
extends base
constants
  cap#
axioms
  @cap cap# ∈ 1 ‥ most
  theorem @pos cap# > 0
end
`

const machine = `machine m#
sees c#
variables
  n# held#
invariants
  @n n# ∈ 0 ‥ cap#
  @held held# ⊆ ITEM
events
  event INITIALISATION
  then
    @n n# ≔ 0
    @held held# ≔ ∅
  end

  event put
  any
    x
  where
    @room n# < cap#
    @x x ∈ ITEM ∖ held#
  then
    @n n# ≔ n# + 1
    @held held# ≔ held# ∪ {x}
  end

  event take
  where
    @some n# > 0
  then
    @n n# ≔ n# − 1
  end
end
`

const refinement = `machine r#
refines m#
sees c#
variables
  n# held# log#
invariants
  @log log# ⊆ ℕ × ITEM
  @len n# ≥ 0
events
  event INITIALISATION
  extends INITIALISATION
  then
    @log log# ≔ ∅
  end

  event put
  extends put
  then
    @log log# ≔ log# ∪ {n# ↦ x}
  end

  event take
  extends take
  end
end
`

const deeper = `machine d#_~
refines d#_^
sees c#
variables
  n# held#
events
  event INITIALISATION
  extends INITIALISATION
  end

  event put
  extends put
  where
    @level~ n# < cap# + ~
  end

  event take
  extends take
  end
end
`
