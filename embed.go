// Package gradine embeds the configuration of this repository's own development.
// `gradine init` copies it, with the page for agents.
package gradine

import _ "embed"

// Config is the text of gradine.toml.
//
//go:embed gradine.toml
var Config string

// Agents is the page for agents that `gradine init --agent` writes out.
//
//go:embed docs/agents.md
var Agents string
