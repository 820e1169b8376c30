// Package merge joins two edits of a text model, or of a lock of proofs, with the
// revision that both began from: by element, not by line. Edits of different
// elements never collide, however close they stand; edits of one element collide
// unless they say the same. It knows nothing of Git, types or proofs.
package merge
