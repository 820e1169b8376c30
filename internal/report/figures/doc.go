// Package figures renders numbers over points and over commits: the answers of
// tuning, constants that were fitted to measured times, and the trend of a branch. It
// computes nothing.
package figures
