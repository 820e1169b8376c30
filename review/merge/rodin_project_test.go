package merge

import (
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rodinElement is an element of a file of Rodin's, read without the packages that are tested.
type rodinElement struct {
	kind       string
	attributes map[string]string
	children   []*rodinElement
}

func (e *rodinElement) of(kind string) (out []*rodinElement) {
	for _, c := range e.children {
		if c.kind == kind {
			out = append(out, c)
		}
	}
	return out
}

func readRodin(text string) (*rodinElement, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	open := []*rodinElement{{}}
	for {
		token, err := d.Token()
		if err != nil {
			if len(open) == 1 && len(open[0].children) == 1 && err.Error() == "EOF" {
				return open[0].children[0], nil
			}
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &rodinElement{strings.TrimPrefix(token.Name.Local, "org.eventb.core."), map[string]string{}, nil}
			for _, a := range token.Attr {
				e.attributes[strings.TrimPrefix(a.Name.Local, "org.eventb.core.")] = a.Value
			}
			top := open[len(open)-1]
			top.children = append(top.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}

// invalid lists what keeps Rodin from opening a project as it is meant: files that are no XML,
// elements that share an internal name or a name that people see, references to what there is not,
// and records of proofs without the proof or about elements that there are not.
func invalid(files map[string]string) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	roots := map[string]*rodinElement{}
	for name, text := range files {
		root, err := readRodin(text)
		if err != nil {
			say("%s: %v", name, err)
			continue
		}
		roots[name] = root
		if want := map[string]string{".bum": "machineFile", ".buc": "contextFile", ".bps": "psFile", ".bpr": "prFile"}[path.Ext(name)]; root.kind != want {
			say("%s: %s instead of %s", name, root.kind, want)
		}
		sharedNames(name, root, say)
	}
	for name, root := range roots {
		there := func(target, ext string) bool { return roots[target+ext] != nil }
		for _, r := range []struct{ kind, ext string }{{"refinesMachine", ".bum"}, {"seesContext", ".buc"}, {"extendsContext", ".buc"}} {
			for _, e := range root.of(r.kind) {
				if target := e.attributes["target"]; !there(target, r.ext) {
					say("%s: %s %s is not there", name, r.kind, target)
				}
			}
		}
		var abstract *rodinElement
		for _, e := range root.of("refinesMachine") {
			abstract = roots[e.attributes["target"]+".bum"]
		}
		for _, event := range root.of("event") {
			for _, r := range event.of("refinesEvent") {
				if target := r.attributes["target"]; abstract == nil || !slices.ContainsFunc(abstract.of("event"), func(e *rodinElement) bool { return e.attributes["label"] == target }) {
					say("%s: event %s refines %s, which is not there", name, event.attributes["label"], target)
				}
			}
		}
	}
	for name, root := range roots {
		component := strings.TrimSuffix(name, path.Ext(name))
		model := roots[component+".bum"]
		if model == nil {
			model = roots[component+".buc"]
		}
		for _, e := range slices.Concat(root.of("psStatus"), root.of("prProof")) {
			obligation := e.attributes["name"]
			if missing := unknownPart(model, obligation); missing != "" {
				say("%s: %s is about %s, which is not there", name, obligation, missing)
			}
			proofs := roots[component+".bpr"]
			confidence, _ := strconv.Atoi(e.attributes["confidence"]) // none is 0
			if e.kind == "psStatus" && confidence > 0 && (proofs == nil || !slices.ContainsFunc(proofs.of("prProof"), func(p *rodinElement) bool { return p.attributes["name"] == obligation })) {
				say("%s: %s has no proof", name, obligation)
			}
		}
	}
	slices.Sort(out)
	return out
}

// sharedNames looks for elements of one place with one internal name, or one name that people see.
func sharedNames(at string, e *rodinElement, say func(string, ...any)) {
	seen := map[string]bool{}
	for _, c := range e.children {
		keys := []string{"internal name of " + c.kind + " " + c.attributes["name"]}
		switch c.kind {
		case "event":
			keys = append(keys, "event "+c.attributes["label"])
		case "axiom", "invariant", "guard", "action", "witness":
			keys = append(keys, "label "+c.kind+" "+c.attributes["label"])
		case "variable", "constant", "carrierSet", "parameter":
			keys = append(keys, "identifier "+c.attributes["identifier"])
		case "refinesMachine", "seesContext", "extendsContext", "refinesEvent":
			keys = append(keys, c.kind+" "+c.attributes["target"])
		}
		if c.attributes["name"] == "" {
			say("%s: a %s without an internal name", at, c.kind)
		}
		for _, key := range keys {
			if seen[key] {
				say("%s: two elements with %s", at, key)
			}
			seen[key] = true
		}
		sharedNames(at+"/"+c.attributes["name"], c, say)
	}
}

// unknownPart is the part of the name of an obligation that no element of its model is called.
func unknownPart(model *rodinElement, obligation string) string {
	if model == nil {
		return "a component"
	}
	parts := strings.Split(obligation, "/")
	parts = parts[:len(parts)-1] // the last one is its kind
	labels := map[string]bool{}
	var collect func(e *rodinElement)
	collect = func(e *rodinElement) {
		labels[e.attributes["label"]] = true
		labels[e.attributes["identifier"]] = true
		for _, c := range e.children {
			collect(c)
		}
	}
	collect(model)
	for _, p := range parts {
		if !labels[p] {
			return p
		}
	}
	return ""
}

// aroundSample is the file next to a sample in its project.
func aroundSample(sample string) map[string]string {
	const c = "org.eventb.core."
	head := "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	return map[string]string{
		"m.bum":   sample,
		"ctx.buc": head + "<" + c + "contextFile version=\"3\">\n<" + c + "carrierSet name=\"s\" " + c + "identifier=\"S\"/>\n</" + c + "contextFile>\n",
		"abs.bum": head + "<" + c + "machineFile version=\"5\">\n<" + c + "event name=\"i\" " + c + "label=\"INITIALISATION\"/>\n<" + c + "event name=\"a\" " + c + "label=\"any\"/>\n</" + c + "machineFile>\n",
		"m.bps":   head + "<" + c + "psFile>\n<" + c + "psStatus name=\"INITIALISATION/type/INV\" " + c + "confidence=\"1000\"/>\n</" + c + "psFile>\n",
		"m.bpr":   head + "<" + c + "prFile version=\"1\">\n<" + c + "prProof name=\"INITIALISATION/type/INV\" " + c + "confidence=\"1000\"/>\n</" + c + "prFile>\n",
	}
}

// The validator of the tests sees what it is there for.
func TestInvalid(t *testing.T) {
	good := aroundSample(sample{name: "m", inv: []sampleEntry{{"i", "n0", 1, 2}, {"k", "n1", 3, 4}}, events: []sampleEvent{{label: "e", internal: "e0", guards: []sampleEntry{{"g", "g0", 5, 6}}}}}.xml())
	if found := invalid(good); len(found) > 0 {
		t.Fatal(found)
	}
	for _, test := range []struct{ file, old, now, want string }{
		{"m.bum", `name="n1"`, `name="n0"`, "internal name"},
		{"m.bum", `label="k"`, `label="i"`, "label invariant i"},
		{"m.bum", `target="ctx"`, `target="other"`, "seesContext other"},
		{"m.bum", `target="any"`, `target="none"`, "refines none"},
		{"m.bum", `label="type"`, `label="typed"`, "about type"},
		{"m.bum", `</org.eventb.core.event>`, ``, "m.bum"},
		{"m.bum", `label="INITIALISATION"`, `label="e"`, "two elements with event e"},
		{"m.bpr", `prProof name="INITIALISATION/type/INV"`, `prProof name="e/g/WD"`, "has no proof"},
		{"abs.bum", `machineFile`, `contextFile`, "instead of"},
	} {
		bad := map[string]string{}
		for name, text := range good {
			bad[name] = text
		}
		bad[test.file] = strings.ReplaceAll(bad[test.file], test.old, test.now)
		if bad[test.file] == good[test.file] {
			t.Fatalf("%s changes nothing", test.old)
		}
		if found := invalid(bad); !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, test.want) }) {
			t.Errorf("%s → %s: %q", test.old, test.now, found)
		}
	}
}
