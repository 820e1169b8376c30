// Package report renders the results of other packages, as text and as the stable
// machine-readable formats. It computes nothing.
package report
