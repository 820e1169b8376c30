// Package devices holds figures of GPUs as data: one file a device, each figure with the name of its
// public source, or an interval that is assumed. The figures were entered by hand and are not all compared with these sources. It knows nothing of the tool.
package devices

import "embed"

// FS holds the devices.
//
//go:embed *.toml
var FS embed.FS
