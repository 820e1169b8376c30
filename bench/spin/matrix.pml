/*
 * Matrix multiplication: a group computes a square tile of the product, and an item an element of it. For each tile of
 * a row and of a column, an item loads an element of both, waits for the others, and adds TS products.
 */
#define edge (n / TS) /* tiles of a row */
int TS = 1;

#define ITEM \
	tile = 0; \
	do \
	:: tile == edge -> break \
	:: else -> \
		WAIT(GMT); WAIT(GMT); \
		BARRIER(skip); WAIT(sync); \
		WAIT(TS); \
		BARRIER(skip); WAIT(sync); \
		tile++ \
	od; \
	WAIT(GMT)

#include "ticks.pml"

init {
	byte unit, lane;
	atomic {
		do
		:: TS < n && 2 * (2 * TS) * (2 * TS) <= memory -> TS = 2 * TS
		:: break
		od;
		lanes = (TS * TS > NP -> NP : TS * TS);
		rounds = (TS * TS > NP -> TS * TS / NP : 1);
		groups = edge * edge;
		RUN;
		printf("T 0 %d %d\n", TS, time)
	}
}
