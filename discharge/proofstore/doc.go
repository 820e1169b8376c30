// Package proofstore stores the results of searches: in one user's proof cache (Store), and in
// Git as the lockfile and the certificates of a project (Lock, Certificates). It finds them
// again after identifiers have been renamed.
//
// A lockfile proves nothing. A certificate counts once the proof kernel accepts it.
package proofstore
