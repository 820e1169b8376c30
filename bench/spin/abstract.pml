/*
 * The abstract platform of the published models: every element is a process that
 * waits, tick by tick, until a time has come; the clock goes on when all elements
 * at work have reported for this tick. WG and TS are chosen at the beginning, so
 * that one state space holds the runs of all of them.
 *
 * BOUND: can a run end by then? What is later is left out.
 * ORDERED: among the elements that can move, the latest does: one schedule of many.
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
#ifdef BOUND
#define GOES_ON (time < BOUND)
#else
#define GOES_ON true
#endif
int WG = 4, TS = 2;
int items; /* that every element goes through */
byte lanes; /* elements of a unit that work */
int time;
byte running; /* elements at work */
byte waiting; /* those of them that have reported for this tick */
byte arrived[NU * ND]; /* elements at the barrier of the unit */
bit gate[NU * ND]; /* changes when all have arrived */
bool FIN;

/* Each round is a report and the next tick. */
#define WAIT(cost) \
	do \
	:: time > start + cost -> break \
	:: else -> waiting++; tick = 1 - tick; (time % 2 == tick) \
	od

#define BARRIER \
	side = 1 - side; \
	arrived[unit]++; \
	if \
	:: arrived[unit] == lanes -> arrived[unit] = 0; gate[unit] = side \
	:: else -> (gate[unit] == side) \
	fi

proctype element(byte unit) {
	int start, item, tile;
	bit tick, side;
	atomic {
		running++;
#ifdef ORDERED
		_priority = running + 1;
#endif
		do
		:: item == items -> break
		:: else ->
			start = time;
			tile = 0;
			do
			:: tile == SIZE / TS -> break
			:: else ->
				WAIT(GMT * TS);
				BARRIER;
				start = time;
				WAIT(TS);
				BARRIER;
				tile++
			od;
			start = time;
			WAIT(GMT);
			item++
		od;
		running--
	}
}

proctype clock() {
end:
	do
	:: atomic { running > 0 && waiting == running && GOES_ON -> waiting = 0; time++ }
	od
}

init {
	int share = SIZE;
	byte unit, lane, started;
	atomic {
		do
		:: 2 * WG < SIZE -> WG = 2 * WG
		:: break
		od;
		do
		:: 2 * TS < SIZE -> TS = 2 * TS
		:: break
		od;
		share = SIZE / WG; /* the groups, then those of a device, then of a unit */
		share = share / ND + share % ND;
		share = share / NU + share % NU;
		items = (share == 1 -> 1 : share + 1) * (WG > NP -> WG / NP : 1);
		lanes = (WG > NP -> NP : WG);
		for (unit : 0 .. NU * ND - 1) {
			for (lane : 1 .. lanes) {
				started = running + 1;
				run element(unit);
				(running == started)
			}
		}
		run clock();
		(running == 0);
		FIN = true;
		printf("T %d %d %d\n", WG, TS, time);
#ifdef BOUND
		assert(time > BOUND)
#endif
	}
}
