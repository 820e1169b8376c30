// Package figures renders numbers over points and over commits: the answers of tuning, fitted
// constants, and the trend of a branch. It computes nothing.
package figures
