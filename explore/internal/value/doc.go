// Package value represents the values of formulas on one instance, and implements the operations on
// sets and relations.
//
// A value is one machine word whose reading depends on its shape: its type, for
// given sizes of carrier sets. Elements of finite types are numbered; a set over a
// type of at most 64 elements is a bit mask; a small function stands in slots;
// everything else (pairs and sets over infinite or large types, integers of 2^62 and
// more) is interned, so equal values are equal words. Interned numbers depend on the
// order of events in a run; whatever is ordered or printed goes by structure instead.
package value
