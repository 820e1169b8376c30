// Package report renders what the other packages found, as text for people and
// as the fixed machine-readable formats. It computes nothing.
package report
