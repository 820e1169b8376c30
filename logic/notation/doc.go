// Package notation defines the table of operators: their spelling in Unicode and in ASCII, the
// positions of their arguments, their groups, and which operators may be adjacent without
// parentheses. Parser, printers and documentation use this table.
//
// Event-B has no total order of precedence. Operators belong to groups, and the groups are only
// partially ordered. Within a group, only the listed neighbours are compatible. All other
// combinations need parentheses.
package notation
