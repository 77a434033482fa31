/* Follows unwritten values until they decide something: gensim --check=init.
 *
 * For each bit of registers and memory a shadow bit says that nothing has written it, as in memcheck (Seward and
 * Nethercote, "Using Valgrind to detect undefined value errors with bit-precision", 2005). The EU has the shadow of
 * registers and computes that of results; the shared functions move it between registers and memory, whose shadow is
 * here. Copies are not reported. A branch, an address, and a computed value that is stored in memory of the program's
 * are. An origin says where a value without a writer was read first. */
#ifndef CMKIT_SIM_CHECK_INIT_H
#define CMKIT_SIM_CHECK_INIT_H

#include "sim/check/check.h"

/* Names the first read of an uninitialized value. 0: the register has not been read yet, so there is none.
 * CHECK_COMPUTED is added when the value is more than a copy. */
typedef uint16_t check_origin;
enum { CHECK_COMPUTED = 0x8000 };

enum check_store { CHECK_STORE_REGISTER, CHECK_STORE_GLOBAL, CHECK_STORE_SLM };

/* True if the group's accesses are checked for uninitialized values. */
bool check_follows_values(const struct check_group *group);

/* Returns the origin for a read, at the instruction at hand, of an uninitialized value: of register `where` (its
 * number; from CHECK_OTHER_REGISTERS on: flags, accumulators and addresses), or of memory at address `where`. */
enum { CHECK_FLAGS = 1000, CHECK_ACCUMULATORS, CHECK_ADDRESSES };
check_origin check_origin_at(struct check_group *group, enum check_store store, uint64_t where);

/* Reports that the instruction at hand uses an uninitialized value. `what`: "a branch depends on an uninitialized
 * value". Each origin is reported for the first instruction that it reaches. Bit i of `lanes`: it is lane i of the
 * instruction. */
void check_value_used(struct check_group *group, const char *what, uint32_t lanes, check_origin origin);

/* Returns the shadow of [where, where + size) while a message moves shadow bits. It remembers the place until
 * check_values_moved(). NULL: out of memory. */
uint8_t *check_values_at(struct check_group *group, enum check_store store, uint64_t where, uint64_t size, bool writes);

/* Ends the move of a message. A read: returns the origin of an uninitialized value, 0 if there was none. A write:
 * `origin` is that of the data; reports data of lanes `lanes` that the program's memory gets. */
check_origin check_values_moved(struct check_group *group, bool writes, check_origin origin, uint32_t lanes);

/* Says whether the atomic operations of the message at hand store without looking at what was there. */
void check_atomic_overwrites(struct check_group *group, bool overwrites);

/* True if the launch's values are followed. */
bool check_launch_follows_values(const struct check_launch *launch);

/* Says that private memory [address, address + size), which is not the program's, has no values until the launch writes
 * them. */
void check_launch_private(struct check_launch *launch, uint64_t address, uint64_t size);

/* Says that the thread's scratch memory [address, address + size) has no values, or is used no more. */
void check_scratch_begin(uint64_t address, uint64_t size);
void check_scratch_end(uint64_t address, uint64_t size);

/* Says that the program has allocated [address, address + size), which only the GPU can write, or that the memory has
 * values from now on. Without --check=init nothing happens. */
void check_memory_is_fresh(uint64_t address, uint64_t size);
void check_memory_has_values(uint64_t address, uint64_t size);

/* Follows values from now on. */
void check_init_start(void);

#endif
