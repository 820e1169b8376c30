// Package gradine carries the configuration of this repository's own
// development, which `gradine init --gpu` writes out. It knows nothing else.
package gradine

import _ "embed"

// Config is the text of gradine.toml.
//
//go:embed gradine.toml
var Config string
