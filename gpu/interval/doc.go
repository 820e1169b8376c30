// Package interval implements integer intervals, including those of the C types.
package interval
