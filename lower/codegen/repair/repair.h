/* Workarounds for faults of Intel's finalizer, and forms that it makes better code of, on finished vISA. */
#ifndef CMKIT_LOWER_CODEGEN_REPAIR_REPAIR_H
#define CMKIT_LOWER_CODEGEN_REPAIR_REPAIR_H

#include "visa_emit/visa.h"

enum { LARGE_REGISTER = 64 }; /* bytes, from PVC on */

/* ifcvt_workaround.c: rewrites short branches that the finalizer's if-conversion would miscompile. */
void fixup_short_branches(struct visa_program *program, struct visa_kernel *out);

/* indirect_src_workaround.c: keeps the finalizer from reading per-lane indirect operands as signed numbers. */
void fixup_indirect_sources(const struct platform *platform, struct visa_kernel *out);

/* mad_chains.c: puts sums of products in the order of their sums, chain by chain, where the finalizer makes better code
 * of them then: those whose operands repeat lanes, and those of words on platforms without a mad of words. */
void fixup_mad_chains(const struct platform *platform, struct visa_kernel *out);

/* late_compares.c: keeps comparisons and the users of their predicates together, where flag registers are too few. */
void fixup_late_compares(const struct platform *platform, struct visa_kernel *out);

/* block_headers.c: makes the address of a block message its header, where the finalizer would copy it. */
void fixup_block_headers(struct visa_program *program, struct visa_kernel *out);

/* packed_constants.c: keeps the finalizer from using packed immediates in instructions that do not take them. */
void fixup_packed_constants(struct visa_kernel *out);

/* packed_moves.c: keeps the finalizer from joining moves of words with instructions that it would spread then. */
void fixup_packed_moves(const struct visa_program *program, struct visa_kernel *out);

/* half_compares.c: keeps the finalizer from comparing halves before they are rounded to integers. */
void fixup_half_compares(const struct platform *platform, struct visa_kernel *out);

/* packed_places.c: starts variables at a register where the finalizer could not pack their lanes in place otherwise. */
void fixup_packed_places(const struct platform *platform, struct visa_kernel *out);

#endif
