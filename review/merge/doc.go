// Package merge joins two edits of a text model, or of a lock of proofs, with the
// revision that both began from: by element, not by line. Edits of different
// elements never collide, however close they stand; edits of one element collide
// unless they say the same. Errors that the edits make only together are told: their
// meanings collide, though their texts do not. It knows nothing of Git or proofs.
package merge
