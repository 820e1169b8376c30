// Package devices embeds figures of GPUs, one file per device. Each figure names its public
// source, or is an interval that is marked as assumed. The figures were entered by hand, and
// not all of them have been compared with their sources.
package devices

import "embed"

// FS holds the devices.
//
//go:embed *.toml
var FS embed.FS
