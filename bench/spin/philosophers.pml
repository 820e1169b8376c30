/* philosophers.eventb: one process, each move atomic, the state as bit sets. */
#ifndef N
#define N 10
#endif
#if N > 16
#error "at most 16 philosophers"
#endif
#define HAS(s, p) (((s) >> (p)) & 1)
#define NEXT(p) (((p) + 1) % N)

unsigned thinking : N = (1 << N) - 1;
unsigned hungry : N = 0;
unsigned eating : N = 0;
unsigned forks : N = (1 << N) - 1;

active [N] proctype philosopher() {
end:
	do
	:: atomic { HAS(thinking, _pid) && HAS(forks, _pid) ->
		thinking = thinking & ~(1 << _pid); hungry = hungry | (1 << _pid); forks = forks & ~(1 << _pid) }
	:: atomic { HAS(hungry, _pid) && HAS(forks, NEXT(_pid)) ->
		hungry = hungry & ~(1 << _pid); eating = eating | (1 << _pid); forks = forks & ~(1 << NEXT(_pid)) }
	:: atomic { HAS(eating, _pid) ->
		eating = eating & ~(1 << _pid); thinking = thinking | (1 << _pid); forks = forks | (1 << _pid) | (1 << NEXT(_pid)) }
	od
}
