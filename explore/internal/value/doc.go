// Package value represents the values of formulas on one instance, and implements the
// operations on sets and relations.
//
// A value is one machine word, interpreted by its shape: its type, for given sizes of carrier
// sets. Elements of finite types are numbered. A set over a type of at most 64 elements is a
// bit mask. A small function is stored in slots. All other values are interned, so that equal
// values are equal words: pairs and sets over infinite or large types, and integers of 2^62 and
// more. Interned numbers depend on the order of events in a run; ordering and printing
// therefore use the structure of values.
package value
