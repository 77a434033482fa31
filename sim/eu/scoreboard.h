/* Gen12's software scoreboard, checked: hardware does not wait for registers by itself, code says what to wait for. */
#ifndef CMKIT_SIM_EU_SCOREBOARD_H
#define CMKIT_SIM_EU_SCOREBOARD_H

#include "sim/eu/thread.h"

struct eu_scoreboard;

/* For a thread of a part with a software scoreboard, when checking was asked for (eu_check_scoreboards); else NULL. */
struct eu_scoreboard *eu_scoreboard_create(const struct platform *platform);
void eu_scoreboard_reset(struct eu_scoreboard *board);

/* Before `in` executes: applies its waits, faults the thread if it touches a register that something in flight still
 * owes or reads, and notes what it leaves in flight itself. False after a fault.
 *
 * The model is the slowest hardware that the rules allow. A message or math instruction with a token has read its
 * sources when something waited for $n.src, and has written its destination when something waited for $n.dst or a new
 * instruction took the token. The unit that executes it (shared function, local memory, math) reads sources in order:
 * then it has also read those of everything that it got before, and it never overwrites what it is still to read. An
 * in-order instruction has written when an instruction waited for its distance (@1 to @7), when as many instructions as
 * the pipeline is deep were issued since, or when a jump was taken. Registers named through a0 are not followed.
 */
bool eu_scoreboard_step(struct eu_scoreboard *board, struct eu_thread *thread, const struct eu_instruction *in);

#endif
