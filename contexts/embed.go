// Package contexts holds the Event-B contexts of the GPU development as sources:
// gpu (the refinement tree), spin (the published Promela models' timing) and
// published (the context of the paper that the development starts from). It
// knows nothing of the tool.
package contexts

import "embed"

// FS holds the contexts, one directory a project.
//
//go:embed */*.eventb
var FS embed.FS
