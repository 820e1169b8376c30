// Package merge performs three-way merges: of models by element, in text or in Rodin's format;
// of settings by key; of hints and scenarios by block; and of lockfiles by line. Edits of
// different elements never conflict, even on adjacent lines. Edits of one element conflict
// unless they are equal. A renamed element is matched as in reviews. Texts may merge while
// their meanings conflict: errors that neither edit has alone are reported.
package merge
