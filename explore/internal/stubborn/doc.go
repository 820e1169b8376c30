// Package stubborn chooses which enabled events of a state a search with partial-order reduction
// follows, from known facts about their order (package order). The search itself must ensure
// that no event is postponed forever.
//
// With partial-order reduction, a search need not follow all enabled instances of events in a
// state. A set T of instances, enabled or not, is stubborn in a state if
//
//   - some instance in T is enabled;
//   - for each enabled instance, T has all instances that are not known to commute with it;
//   - for each disabled instance, T has all instances that might make one false guard of it true.
//
// T may omit instances that cannot happen in any state in which an enabled instance of T can.
// Consider a path of instances outside T. Nothing in T becomes enabled on it; enabled instances
// of T stay enabled and commute with the path. So the enabled instances of T are persistent, and
// following them alone keeps all deadlocks (P. Godefroid, Partial-Order Methods for the
// Verification of Concurrent Systems, 1996, ch. 4; stubborn sets are due to A. Valmari).
//
// Other properties are predicates over variables. For these there are two more conditions. If T
// has an enabled instance that assigns such a variable, T has all instances that do. And no
// instance may be postponed forever, which could happen on cycles. So every strongly connected
// component of the reduced graph that cannot be left has a state at which all instances are
// followed. (Both are conditions of A. Valmari, The State Explosion Problem, 1998; compare C2 and
// C3 of E. Clarke, O. Grumberg, D. Peled, Model Checking, 1999, ch. 10.)
//
// The argument: let a path lead to a state where the property fails. If an instance on the path
// is followed now, the first such instance commutes to the front, and the rest is shorter.
// Otherwise there are two cases. Either the followed instances assign no variable of the
// property. Then the whole path stays possible, and the property cannot tell its new end from
// the old one; at last a state is met at which an instance of the path is followed. Or they
// assign such a variable. Then no instance on the path does, and the property fails already in
// the present state. So the search first ignores cycles, then follows all instances at one state
// of each such component, and continues from there.
//
// Traces need not be the shortest.
//
// Instances are grouped in nodes: the instances of one event whose parameters agree as far as any
// known fact depends on them. If the instances of a node commute with each other, and nothing
// else in T needs the node, T may have just one of them that is enabled. It commutes with the
// others, also with those that become enabled later.
package stubborn
