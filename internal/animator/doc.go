// Package animator shows a machine in a browser: a page, served on the loopback interface, leads it from state to
// state. All is evaluated here; the page renders. A static file holds the same page with states that were visited
// before.
package animator
