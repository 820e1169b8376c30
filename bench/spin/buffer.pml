/* buffer.eventb: P producers and C consumers, each event one atomic move. */
#ifndef K
#define K 6
#endif
#ifndef P
#define P 3
#endif
#ifndef C
#define C 3
#endif

byte slot[K];
byte head = 0;
byte count = 0;
byte taken[C];

active [P] proctype producer() {
end:
	do
	:: d_step { count < K -> slot[(head + count) % K] = _pid + 1; count++ }
	od
}

active [C] proctype consumer() {
end:
	do
	:: d_step { count > 0 -> taken[_pid - P] = slot[head]; slot[head] = 0; head = (head + 1) % K; count-- }
	od
}
