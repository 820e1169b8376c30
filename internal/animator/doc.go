// Package animator runs a machine in a browser, state by state, through a page on the loopback
// interface. The server evaluates everything; the page only renders. A static file holds the
// same page with recorded states.
package animator
