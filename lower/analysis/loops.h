/* Finds the loops of one function, in the order in which control reaches them, outer loops first. */
#ifndef CMKIT_LOWER_ANALYSIS_LOOPS_H
#define CMKIT_LOWER_ANALYSIS_LOOPS_H

#include "lower/analysis/unroll_clone.h"
#include "lower/ir/cfg.h"

struct loop {
    unsigned header, latch; /* blocks of the graph */
    unsigned ways_back;     /* branches to the header from inside */
    unsigned body, exit;    /* where the header goes, where it leaves to */
    bool simple;            /* one way in, to the header; one way back; left from the header only, by a plain branch */
    bool asked;             /* #pragma unroll */
    bool refused;           /* #pragma nounroll, or unrolled by a number */
    bool chooses;           /* between references: unless it is unrolled, they may be one of several variables */
    unsigned size;          /* of a round, inner loops as often as their counts are known; as LLVM counts, about */
    int rounds;             /* as loop_rounds(), where nothing outside decides it */
    bool *members;          /* per block */
    unsigned *inside, inside_count; /* its blocks but the header, in their order */
};

struct loops {
    struct cfg cfg;
    unsigned *order, reached; /* blocks in reverse post-order (back edges ignored) */
    struct loop *list;
    size_t count, capacity;
    size_t *of_header; /* per block: index + 1 of the loop that it heads */
    bool reducible;
};

void loops_find(struct loops *loops, LLVMValueRef function);
/* The same with headers, latches and members only, in less time. */
void loops_find_members(struct loops *loops, LLVMValueRef function);
void loops_free(struct loops *loops);

/* Returns the number of iterations of a simple loop, at most LOOPS_MOST_ROUNDS, if the header's phis start as in
 * `values` (NULL: with their own values); -1: not known. */
enum { LOOPS_MOST_ROUNDS = 64 };
int loop_rounds(const struct loops *loops, const struct loop *loop, const struct replay *values);

/* True if the loop should be unrolled with that many iterations. */
bool loop_is_wanted(const struct loop *loop, int rounds);

#endif
