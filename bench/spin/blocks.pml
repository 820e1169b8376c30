/* blocks.eventb: M multiprocessors, each event one atomic move. */
#ifndef B
#define B 8
#endif
#ifndef M
#define M 6
#endif
#ifndef D
#define D 4
#endif
#if D > 6
#error "at most 6 units"
#endif
#define START(d) d_step { d <= D && waiting > 0 && left[_pid] == 0 -> waiting--; left[_pid] = d }

byte waiting = B;
byte left[M];
byte finished = 0;

active [M] proctype multiprocessor() {
end:
	do
	:: START(1) :: START(2) :: START(3) :: START(4) :: START(5) :: START(6)
	:: d_step { left[_pid] > 1 -> left[_pid]-- }
	:: d_step { left[_pid] == 1 -> left[_pid] = 0; finished++ }
	od
}
