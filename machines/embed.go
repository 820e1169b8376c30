// Package machines embeds the Event-B machines of the GPU development: gpu (the refinement
// tree), spin (the timing of the published Promela models) and published (the machines of
// the paper that the development starts from).
package machines

import "embed"

// FS holds the machines, one directory a project.
//
//go:embed */*.eventb */*.hints
var FS embed.FS
