// Package interp executes source programs: a host program with its launches, or a kernel on
// a small grid. The threads of a group run one after the other from barrier to barrier.
// Each access is compared with those of other threads in the same barrier interval. A run
// without a conflict gives the same result in every order, so one order is enough.
package interp
