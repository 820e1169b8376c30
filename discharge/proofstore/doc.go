// Package proofstore keeps what searches have found: in a cache for one user (Store), and in
// Git as the lock and the certificates of a project (Lock, Certificates), also under new
// names. A lock proves nothing, and a certificate what the kernel accepts.
//
// It knows nothing of searches.
package proofstore
