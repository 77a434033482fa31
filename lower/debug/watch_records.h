/* Lets a pass that divides vectors divide what LLVM's debug records say of them, too (cmc -O2 -g): a record whose value
 * is replaced by a part of it only would be forgotten. */
#ifndef CMKIT_LOWER_DEBUG_WATCH_RECORDS_H
#define CMKIT_LOWER_DEBUG_WATCH_RECORDS_H

#include "lower/ir/ir.h"

struct watch_record {
    LLVMValueRef call; /* llvm.dbg.value */
    size_t next;       /* of the same value: index + 1 */
    bool is_divided;
};

struct watch_records {
    LLVMModuleRef module;
    LLVMDIBuilderRef builder; /* NULL: there are no records */
    LLVMBuilderRef calls;
    struct watch_record *list;
    size_t count, capacity;
    struct pointer_map first; /* value to its first record: index + 1 */
};

/* From open to close, the module's records are calls. */
void watch_records_open(struct watch_records *r, LLVMModuleRef module, bool exist);
void watch_records_close(struct watch_records *r);

/* The records that name a value: numbers from 1; 0: there is none, no further one. */
size_t watch_records_first(const struct watch_records *r, LLVMValueRef value);
size_t watch_records_next(const struct watch_records *r, size_t record);

/* Adds a record, of the same number, that `bytes` bytes from byte `first` of the value on are `part`.
 * watch_records_close() removes the record for the whole. */
void watch_records_add_part(struct watch_records *r, size_t record, LLVMValueRef part, unsigned first, unsigned bytes);

#endif
