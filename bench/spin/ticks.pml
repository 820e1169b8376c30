/*
 * What the models of matrix multiplication and of work items share. Every element is a process that waits tick by tick;
 * the clock goes on when all elements at work have reported for this tick. A unit whose elements are through with a
 * group takes the next one that no unit has taken.
 */
int time;
byte running; /* elements at work */
byte waiting; /* those of them that have reported for this tick */
byte arrived[NU]; /* elements at the barrier of the unit */
bit gate[NU]; /* changes when all have arrived */
bool busy[NU]; /* the unit has a group */
int groups; /* that no unit has taken */
byte lanes; /* elements of a unit that work */
int rounds; /* work items of a group that an element runs */
bool FIN;

#define WAIT(cost) \
	start = time; \
	do \
	:: time >= start + (cost) -> break \
	:: else -> tick = 1 - time % 2; waiting++; (time % 2 == tick) \
	od

/* Those that stand at a barrier do not report; the last one lets them go, and counts them again. */
#define BARRIER(last) \
	side = 1 - side; \
	arrived[unit]++; \
	if \
	:: arrived[unit] == lanes -> arrived[unit] = 0; last; running = running + lanes - 1; gate[unit] = side \
	:: else -> running--; (gate[unit] == side) \
	fi

#define TAKE if :: groups > 0 -> groups--; busy[unit] = true :: else -> busy[unit] = false fi

proctype element(byte unit) {
	int start, item, tile, result;
	bit tick, side;
	atomic {
		do
		:: !busy[unit] -> break
		:: else ->
			item = 0;
			do
			:: item == rounds -> break
			:: else -> ITEM; item++
			od;
			BARRIER(TAKE)
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

/* Starts all elements of the units that have a group, and waits for their end. */
#define RUN \
	for (unit : 0 .. NU - 1) { \
		if \
		:: groups > 0 -> groups--; busy[unit] = true; running = running + lanes \
		:: else \
		fi \
	} \
	for (unit : 0 .. NU - 1) { \
		if \
		:: busy[unit] -> for (lane : 1 .. lanes) { run element(unit) } \
		:: else \
		fi \
	} \
	run clock(); \
	(running == 0); \
	FIN = true
