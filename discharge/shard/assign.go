// Package shard splits obligations among several runs of the program, and joins the answers
// of these runs. A shard is not trusted: joining checks every answer.
package shard

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic/text"
)

// Part is one shard of several: number K of N, from 1.
type Part struct{ K, N int }

// MaxParts bounds the number of shards.
const MaxParts = 10_000

// ParsePart reads a part as it is written on a command line, such as 3/8.
func ParsePart(s string) (Part, error) {
	k, n, ok := strings.Cut(s, "/")
	var p Part
	var err1, err2 error
	p.K, err1 = strconv.Atoi(k)
	p.N, err2 = strconv.Atoi(n)
	if !ok || errors.Join(err1, err2) != nil || p.K < 1 || p.K > p.N || p.N > MaxParts {
		return Part{}, fmt.Errorf("%q is not a shard: write K/N with 1 ≤ K ≤ N ≤ %d, such as 3/8", s, MaxParts)
	}
	return p, nil
}

func (p Part) String() string { return fmt.Sprintf("%d/%d", p.K, p.N) }

// Has reports whether an item belongs to the part of which nothing but the fingerprint is known.
func (p Part) Has(print text.Fingerprint) bool {
	return binary.BigEndian.Uint64(print[:])%uint64(p.N) == uint64(p.K-1)
}

// Item is something to search.
type Item struct {
	Fingerprint text.Fingerprint
	Known       bool  // Steps is known
	Steps       int64 // what a search took when the lock was written
}

// overhead is what an item costs in addition to its search, in steps.
const overhead = 400

// Assign returns for each item the number of the shard that searches it, from 1 to n. Items with
// equal fingerprints stay together. Those whose steps are known go, the longest first, to the
// shard with the fewest steps so far; the others are spread by fingerprint.
func Assign(items []Item, n int) []int {
	type group struct {
		print text.Fingerprint
		known bool
		steps int64
	}
	at := map[text.Fingerprint]int{} // places in groups
	var groups []group
	for _, x := range items {
		i, ok := at[x.Fingerprint]
		if !ok {
			i = len(groups)
			at[x.Fingerprint] = i
			groups = append(groups, group{print: x.Fingerprint})
		}
		if x.Known {
			groups[i].known, groups[i].steps = true, max(groups[i].steps, x.Steps)
		}
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.steps, a.steps), slices.Compare(a.print[:], b.print[:]))
	})
	of := map[text.Fingerprint]int{}
	load := make([]int64, n)
	for _, g := range groups {
		k := int(binary.BigEndian.Uint64(g.print[:]) % uint64(n))
		if g.known {
			k = 0
			for i := range load {
				if load[i] < load[k] {
					k = i
				}
			}
			load[k] += g.steps + overhead
		}
		of[g.print] = k + 1
	}
	out := make([]int, len(items))
	for i, x := range items {
		out[i] = of[x.Fingerprint]
	}
	return out
}
