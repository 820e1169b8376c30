/*
 * machines/spin/abstract.eventb: one element stands for all, and time jumps to the
 * end of a wait. Each event is one atomic move; WG and TS are chosen first.
 */
#ifndef SIZE
#define SIZE 8
#endif
#ifndef NP
#define NP 4
#endif
#ifndef NU
#define NU 2
#endif
#ifndef ND
#define ND 1
#endif
#ifndef GMT
#define GMT 4
#endif

int WG = 4, TS = 2;
int work; /* items of the element */
int T_ev, start, items, tile;
bit phase;

init {
	int share;
	atomic {
		do
		:: 2 * WG < SIZE -> WG = 2 * WG
		:: break
		od;
		do
		:: 2 * TS < SIZE -> TS = 2 * TS
		:: break
		od;
		share = SIZE / WG;
		share = share / ND + share % ND;
		share = share / NU + share % NU;
		work = (share == 1 -> 1 : share + 1) * (WG > NP -> WG / NP : 1)
	}
	do
	:: d_step { items < work && tile < SIZE / TS && phase == 0 -> T_ev = start + GMT * TS + 1; phase = 1 }
	:: d_step { phase == 1 -> start = T_ev; T_ev = T_ev + TS + 1; tile++; phase = 0 }
	:: d_step { tile == SIZE / TS -> T_ev = T_ev + GMT + 1; start = T_ev; items++; tile = 0 }
	:: atomic {
			items == work ->
			printf("T %d %d %d\n", WG, TS, T_ev);
			break
		}
	od
}
