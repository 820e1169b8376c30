// Package rodin reads and writes Rodin's project files: contexts (.buc) and machines (.bum)
// in a directory or a zip archive, from and to the syntax tree of
// lang. A Rodin file is another spelling of the same syntax. The package ignores files that Rodin
// derives from the sources (.bcc, .bcm, .bpo, .bps, .bpr).
//
// A file that cannot be read gives one diagnostic and is left out. A formula that
// does not parse keeps its text, and the problems with it.
//
// The order of elements has a meaning within one kind only; that order is kept.
// Element names, which Rodin uses in handles, are made from labels when a file is
// new. Over a file that exists, an export is an update: elements that are there
// keep their names, and all that the text of a model cannot say stays, so that an
// export of what was imported changes no byte.
package rodin
