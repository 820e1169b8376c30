// Package rodin reads and writes Rodin's project files: contexts (.buc) and machines (.bum) in
// a directory or a zip archive. It converts between them and the syntax tree of lang. Files
// that Rodin derives from the sources are ignored (.bcc, .bcm, .bpo, .bps, .bpr).
//
// An unreadable file gives one diagnostic and is omitted. A formula that does not parse keeps
// its text and its diagnostics.
//
// The order of elements is significant only within one kind, and is kept. Rodin's handles use
// internal element names; in a new file, these are made from labels. An export over an
// existing file updates it. Existing elements keep their names, and content that a text model
// cannot express stays. So exporting an unchanged import changes no byte.
package rodin
