// Package stubborn chooses the enabled events of a state that a search with partial-order
// reduction follows, from known facts about their order (package order). The search itself must
// ensure that no event is postponed forever.
//
// Partial-order reduction: in a state, a search need not follow all instances of
// events that are enabled. A set T of instances, enabled or not, is stubborn in
// a state if
//
//   - some instance in T is enabled;
//   - for each enabled one, T has all that it is not known to commute with;
//   - for each disabled one, T has all that might make some guard true that is
//     false in the state.
//
// T may lack what cannot happen in any state in which an enabled one of T can.
// On a path whose instances lie outside of T nothing in T becomes enabled that
// was not, and what is enabled in T stays so, and commutes with the path. So
// the instances enabled in T are persistent, and to follow them alone keeps all
// deadlocks (P. Godefroid, Partial-Order Methods for the Verification of
// Concurrent Systems, 1996, ch. 4; stubborn sets are A. Valmari's).
//
// Other properties are predicates over variables. Then, with an enabled instance
// that assigns one of these, T has all that do. And nothing may be put off for
// ever, which could happen on cycles: every strongly connected component of the
// reduced graph that cannot be left has a state at which all is followed. (Both are
// conditions of A. Valmari, The State Explosion Problem, 1998; compare C2 and C3 of
// E. Clarke, O. Grumberg, D. Peled, Model Checking, 1999, ch. 10.) For let a path
// lead to a state where the property fails. If an instance on it is followed now,
// the first such commutes to the front, and the rest is shorter. If not, and what
// is followed assigns no variable of the property, then that leaves the whole path
// possible, with an end that the property does not tell from the first, until at
// last a state is met at which an instance on it is followed. If what is followed
// does assign one, no instance on the path does, and the property fails right
// here. So the search first goes without care for cycles, then follows all at one
// state of each such component, and goes on from there.
//
// Traces need not be the shortest.
//
// Instances are taken together in nodes: those of an event whose parameters have
// the same values as far as some known fact depends on them. Where those of a
// node commute with each other, and nothing else in T needs the node, T may have
// just one of them, which is enabled: it commutes with the others, and with those
// that are not enabled once they are.
package stubborn
