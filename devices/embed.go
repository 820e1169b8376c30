// Package devices holds figures of GPUs as data: one file a device, each figure with its public
// source, or an interval that is assumed. It knows nothing of the tool.
package devices

import "embed"

// FS holds the devices.
//
//go:embed *.toml
var FS embed.FS
