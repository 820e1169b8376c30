// Package notation owns the table of operators: how each is spelled in Unicode
// and in ASCII, where its arguments stand, which group it belongs to, and which
// operators may stand beside each other without parentheses. Parser, printers
// and documentation all read it. It knows nothing of terms, trees and types.
//
// Event-B has no precedence ladder. Operators are sorted into groups; the groups
// are only partially ordered; and inside a group only the listed neighbours are
// compatible. Any other mix needs parentheses.
package notation
