/* peterson.eventb: processes 1..N, each event one atomic move. */
#ifndef N
#define N 4
#endif

#if N > 6
#error "at most 6 processes"
#endif
/* No other process is as high as `me`. */
#define LOWER(q) (q > N || q == me || level[q * (q <= N)] < level[me])
#define FREE (LOWER(1) && LOWER(2) && LOWER(3) && LOWER(4) && LOWER(5) && LOWER(6))

byte level[N + 1];
byte last[N];
byte pc[N + 1];

#define me (_pid + 1)

active [N] proctype process() {
end:
	do
	:: atomic { pc[me] == 0 && level[me] < N - 1 -> level[me] = level[me] + 1; pc[me] = 1 }
	:: atomic { pc[me] == 1 -> last[level[me]] = me; pc[me] = 2 }
	:: d_step { pc[me] == 2 && (last[level[me]] != me || FREE) -> pc[me] = (level[me] < N - 1 -> 0 : 3) }
	:: d_step { pc[me] == 3 -> level[me] = 0; pc[me] = 0 }
	od
}
