/*
 * The minimum of the published models: the work of one unit, whose elements wait as
 * in abstract.pml, but set `start` once an item. At the end one of them combines
 * what all have found, and stores it. ORDERED as there.
 */
#ifndef SIZE
#define SIZE 16
#endif
#ifndef NP
#define NP 4
#endif
#ifndef GMT
#define GMT 4
#endif
int WG = 4, TS = 2;
int items; /* that every element goes through */
int reads; /* of an item */
byte lanes; /* elements that work */
int time;
byte running; /* elements at work */
byte waiting; /* those of them that have reported for this tick */
bool FIN;

proctype element() {
	int start, item, read;
	bit tick;
	atomic {
		running++;
#ifdef ORDERED
		_priority = running + 1;
#endif
		do
		:: item == items -> break
		:: else ->
			start = time;
			for (read : 1 .. reads) {
				do
				:: time > start + GMT * reads -> break
				:: else -> waiting++; tick = 1 - tick; (time % 2 == tick)
				od
			}
			item++
		od;
		running--
	}
}

proctype clock() {
end:
	do
	:: atomic { running > 0 && waiting == running -> waiting = 0; time++ }
	od
}

init {
	byte lane, started;
	atomic {
		do
		:: 2 * WG < SIZE -> WG = 2 * WG
		:: break
		od;
		do
		:: 2 * TS < SIZE -> TS = 2 * TS
		:: break
		od;
		reads = (TS * WG > SIZE -> SIZE / WG : TS);
		items = SIZE / (WG * reads) * (WG > NP -> WG / NP : 1);
		lanes = (WG > NP -> NP : WG);
		for (lane : 1 .. lanes) {
			started = running + 1;
			run element();
			(running == started)
		}
		run clock();
		(running == 0);
		for (lane : 2 .. lanes) {
			time++
		}
		time = time + GMT;
		FIN = true;
		printf("T %d %d %d\n", WG, TS, time)
	}
}
