/* Checks Gen12's software scoreboard: hardware does not wait for registers by itself, the code must name its waits. */
#ifndef CMKIT_SIM_EU_SCOREBOARD_H
#define CMKIT_SIM_EU_SCOREBOARD_H

#include "sim/eu/thread.h"

struct eu_scoreboard;

/* Creates the checker for a thread of a platform with a software scoreboard, if checking was enabled
 * (eu_check_scoreboards); else NULL. */
struct eu_scoreboard *eu_scoreboard_create(const struct platform *platform);
void eu_scoreboard_reset(struct eu_scoreboard *board);

/* Call it before `in` executes: applies its waits, faults the thread if it touches a register that an instruction in
 * flight still has to write or read, and records what `in` itself leaves in flight. False after a fault.
 *
 * The model is the slowest hardware that the rules allow. A message or math instruction with a token has read its
 * sources when something waited for $n.src, and has written its destination when something waited for $n.dst or a new
 * instruction took the token. The unit that executes it (shared function, local memory, math) reads sources in order:
 * then it has also read those of all its earlier instructions, and it never overwrites registers that it has yet to
 * read. An in-order instruction has written its result when an instruction waited for its distance (@1 to @7), when as
 * many instructions as the pipeline is deep were issued since, or when a jump was taken. Registers addressed through a0
 * are not tracked. */
bool eu_scoreboard_step(struct eu_scoreboard *board, struct eu_thread *thread, const struct eu_instruction *in);

#endif
