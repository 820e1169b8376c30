package discharge

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"sync"
)

// searched is what the search answers to fixed questions: a line for each, with verdict, steps
// and digests. A test compares it with what the search answers now.
//
//go:embed search.txt
var searched []byte

// SearchVersion names the version of the search: two programs with the same version answer every
// question alike, on every computer. It is the digest of what the search answers
// to fixed questions, so it changes with the search and need not be counted up.
var SearchVersion = sync.OnceValue(func() string {
	sum := sha256.Sum256(searched)
	return hex.EncodeToString(sum[:8])
})
