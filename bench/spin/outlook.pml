/*
 * Work items that compute several results each, and messages that take time: a unit tells an element which item it
 * runs, and the element answers when it is through.
 */
int WI = 1, WG = 1, TS = 2;

#define ITEM \
	WAIT(COM); \
	tile = 0; \
	do \
	:: tile == SIZE / TS -> break \
	:: else -> \
		WAIT(GMT * TS); \
		result = 0; \
		do \
		:: result == SIZE / WI -> break \
		:: else -> WAIT(TS); result++ \
		od; \
		tile++ \
	od; \
	result = 0; \
	do \
	:: result == SIZE / WI -> break \
	:: else -> WAIT(GMT); result++ \
	od; \
	WAIT(COM)

#include "ticks.pml"

init {
	byte unit, lane;
	atomic {
		do
		:: 2 * WI <= SIZE -> WI = 2 * WI
		:: break
		od;
		do
		:: 2 * WG <= WI -> WG = 2 * WG
		:: break
		od;
		do
		:: 2 * TS < SIZE -> TS = 2 * TS
		:: break
		od;
		lanes = (WG > NP -> NP : WG);
		rounds = (WG > NP -> WG / NP : 1);
		groups = WI / WG;
		RUN;
		printf("T %d %d %d %d\n", WG, TS, time, WI)
	}
}
