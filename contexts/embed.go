// Package contexts embeds the Event-B contexts of the GPU development: gpu (the refinement
// tree), spin (the timing of the published Promela models) and published (the context of
// the paper that the development starts from).
package contexts

import "embed"

// FS holds the contexts, one directory a project.
//
//go:embed */*.eventb
var FS embed.FS
