// Package machines holds the Event-B machines of the GPU development as
// sources: gpu (the refinement tree), spin (the published Promela models'
// timing) and published (the machines of the paper that the development starts
// from). It knows nothing of the tool.
package machines

import "embed"

// FS holds the machines, one directory a project.
//
//go:embed */*.eventb */*.hints
var FS embed.FS
