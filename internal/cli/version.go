package cli

import "github.com/gradine/gradine/internal/report"

// version is that of the module, as far as the build knows it.
func version() string { return report.Version() }
