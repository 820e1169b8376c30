// Package interp runs programs as they stand: a host program with its launches, or a
// kernel on a small grid. It knows nothing of the machines that kernels become. The
// threads of a group run one after the other from barrier to barrier; each access is
// compared with those of the other threads that no barrier separates from it. A run
// without conflict is the same in every order, so one order is enough.
package interp
