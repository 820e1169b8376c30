package report

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// schemaFile is the JSON Schema of the objects that commands print as JSON lines. Its
// draft is the newest that validators commonly support.
const schemaFile = "../../docs/json-schema.json"

// TestKeysDocumentSchema keeps the JSON Schema equal to the structures that commands print.
// internal/cli validates real output against it.
func TestKeysDocumentSchema(t *testing.T) {
	definitions := map[string]any{}
	for _, p := range printed {
		s := structNamed(t, p.file, p.name)
		if s == nil {
			t.Fatalf("%s has no structure %s", p.file, p.name)
		}
		definitions[p.command] = objectSchema(t, filepath.Dir(p.file), s, nil)
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"title":       "gradine: JSON lines",
		"description": "One definition for each kind of object that --format jsonl prints. Keys may be added in later versions.",
		"definitions": definitions,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(bytes.ReplaceAll(text, []byte(`\u003c`), []byte("<")), '\n')
	is, err := os.ReadFile(schemaFile)
	if bytes.Equal(is, text) {
		return
	}
	if !*updateKeys {
		t.Fatalf("%s is out of date (%v); go test ./internal/report -run KeysDocument -update-keys writes it", schemaFile, err)
	}
	if err := os.WriteFile(schemaFile, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// structNamed is the structure with a name in a file, or the one that a function with
// that name declares.
func structNamed(t *testing.T, file, name string) (found *ast.StructType) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.TypeSpec:
			if s, ok := x.Type.(*ast.StructType); ok && x.Name.Name == name {
				found = s
			}
			return false
		case *ast.FuncDecl:
			return x.Name.Name == name
		case *ast.StructType:
			if found == nil {
				found = x
			}
		}
		return found == nil
	})
	return found
}

// objectSchema describes what encoding/json makes of a structure. Keys without omitempty
// are required; other keys than those of the structure are errors.
func objectSchema(t *testing.T, dir string, s *ast.StructType, within []string) map[string]any {
	keys, required := map[string]any{}, []string{}
	for _, field := range s.Fields.List {
		tag := ""
		if field.Tag != nil {
			tag = reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
		}
		key, options, _ := strings.Cut(tag, ",")
		if key == "-" {
			continue
		}
		if len(field.Names) == 0 && key == "" { // its keys are those of the outer object
			inner := typeSchema(t, dir, field.Type, within)
			for k, v := range inner["properties"].(map[string]any) {
				keys[k] = v
			}
			if names, ok := inner["required"].([]string); ok {
				required = append(required, names...)
			}
			continue
		}
		for i := 0; key == "" && i < len(field.Names) && field.Names[i].IsExported(); i++ {
			key = field.Names[i].Name
		}
		if key == "" {
			continue
		}
		schema := typeSchema(t, dir, field.Type, within)
		optional := strings.Contains(options, "omitempty")
		if _, pointer := field.Type.(*ast.StarExpr); !optional && nullable(field.Type) && (pointer || schema["type"] == "array") {
			schema = map[string]any{"anyOf": []any{schema, map[string]any{"type": "null"}}}
		}
		if text := strings.TrimSpace(field.Comment.Text()); text != "" {
			schema["description"] = text
		}
		keys[key] = schema
		if !optional {
			required = append(required, key)
		}
	}
	slices.Sort(required)
	out := map[string]any{"type": "object", "properties": keys, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// nullable reports whether a value of the type may be written as null.
func nullable(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.StarExpr, *ast.MapType:
		return true
	case *ast.ArrayType:
		return x.Len == nil
	}
	return false
}

// typeSchema describes the JSON of a type that occurs in a file of dir. Types that write
// themselves, and those of other modules, are not constrained.
func typeSchema(t *testing.T, dir string, x ast.Expr, within []string) map[string]any {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeSchema(t, dir, x.X, within)
	case *ast.ArrayType:
		return map[string]any{"type": "array", "items": typeSchema(t, dir, x.Elt, within)}
	case *ast.MapType:
		return map[string]any{"type": "object", "additionalProperties": typeSchema(t, dir, x.Value, within)}
	case *ast.StructType:
		return objectSchema(t, dir, x, within)
	case *ast.Ident:
		switch x.Name {
		case "string":
			return map[string]any{"type": "string"}
		case "bool":
			return map[string]any{"type": "boolean"}
		case "int", "int64", "uint64", "int32", "uint32", "uint8", "uint":
			return map[string]any{"type": "integer"}
		case "float64":
			return map[string]any{"type": "number"}
		case "any":
			return map[string]any{}
		}
		return namedSchema(t, dir, x.Name, within)
	case *ast.SelectorExpr:
		of := x.X.(*ast.Ident).Name
		if of == "big" {
			return map[string]any{"type": "integer"}
		}
		for _, path := range importsOf(t, dir) {
			if inside, ok := strings.CutPrefix(path, "github.com/gradine/gradine/"); ok && strings.HasSuffix("/"+inside, "/"+of) {
				return namedSchema(t, filepath.Join("../..", inside), x.Sel.Name, within)
			}
		}
	}
	return map[string]any{}
}

// namedSchema describes a type by its name in the package in dir.
func namedSchema(t *testing.T, dir, name string, within []string) map[string]any {
	var spec *ast.TypeSpec
	for _, file := range filesOf(t, dir) {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.Name == name {
						spec = s
					}
				}
			case *ast.FuncDecl: // it writes itself
				if d.Recv != nil && (d.Name.Name == "MarshalJSON" || d.Name.Name == "MarshalText") {
					of := d.Recv.List[0].Type
					if p, ok := of.(*ast.StarExpr); ok {
						of = p.X
					}
					if id, ok := of.(*ast.Ident); ok && id.Name == name {
						return map[string]any{}
					}
				}
			}
		}
	}
	if id := dir + "." + name; spec != nil && !slices.Contains(within, id) {
		return typeSchema(t, dir, spec.Type, append(within[:len(within):len(within)], id))
	}
	return map[string]any{}
}

func filesOf(t *testing.T, dir string) (out []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

func importsOf(t *testing.T, dir string) (out []string) {
	t.Helper()
	for _, f := range filesOf(t, dir) {
		for _, i := range f.Imports {
			out = append(out, strings.Trim(i.Path.Value, `"`))
		}
	}
	return out
}
