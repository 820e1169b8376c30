// Package merge joins two edits of a file with the revision that both began from: a model, text
// or Rodin's, by element, settings by key, hints and scenarios by block, a lock by line. Edits of
// different elements never collide, however close they stand; edits of one element collide unless
// they say the same. An element that a side only renamed is the same one, found as reviews find
// it. Errors that the edits make only together are reported: their meanings collide, though their
// texts do not. The package knows nothing of Git or proofs.
package merge
