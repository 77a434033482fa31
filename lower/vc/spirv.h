/* Writes a module as SPIR-V for IGC's vector back end: the dialect of vc.h as the binary that Intel's drivers load.
 *
 *   write_spirv.c        the module: kernels, their arguments and modes, functions, sections in order
 *   spirv_words.c        sections, instructions, what is declared once
 *   spirv_types.c        ids of types, constants and other values
 *   spirv_instruction.c  one instruction
 *   spirv_memory.c       loads, stores, addresses
 *   spirv_call.c         calls: intrinsics, functions, assembly
 *   spirv_print.c        printf, and the texts that it prints
 *   spirv_debug.c        lines
 *
 * Pointers are typed: every pointer value points to bytes, loads, stores and address arithmetic cast on the spot.
 * Drivers of LLVM 14 read that, and newer ones too. */
#ifndef CMKIT_LOWER_SPIRV_H
#define CMKIT_LOWER_SPIRV_H

#include "lower/vc/vc.h"
#include "tables/spirv.h"

/* Sections in the order of the file. */
enum spirv_section {
    SPIRV_CAPABILITIES,
    SPIRV_EXTENSIONS,
    SPIRV_IMPORTS,
    SPIRV_MODEL,
    SPIRV_ENTRIES,
    SPIRV_MODES,
    SPIRV_STRINGS,
    SPIRV_NAMES,
    SPIRV_DECORATIONS,
    SPIRV_TYPES,
    SPIRV_DECLARATIONS,
    SPIRV_FUNCTIONS,
    SPIRV_SECTIONS
};

struct spirv_words {
    uint32_t *words;
    size_t count, capacity;
};

/* An instruction that is written once: its words as a range of a section. */
struct spirv_once {
    uint32_t hash, id;
    enum spirv_section section;
    size_t at, words; /* words == 0: free */
};

struct spirv_writer {
    struct vc_writer vc; /* errors; names of intrinsics */
    struct spirv_words sections[SPIRV_SECTIONS];
    struct spirv_once *once;
    size_t once_count, once_capacity;
    struct pointer_map values;           /* instructions, parameters, blocks, functions: ids */
    struct pointer_map types, functions; /* of LLVM: ids; functions: intrinsics */
    struct spirv_declared {
        char *name;
        uint32_t id;
    } *declared; /* intrinsics */
    size_t declared_count, declared_capacity;
    uint32_t next;             /* the next id */
    uint32_t opencl;           /* the imported set of instructions, or 0 */
    bool debug;                /* lines are wanted */
    uint32_t debug_set, scope; /* the imported set of instructions, or 0; the function's description, or 0 */
    unsigned last_line, last_column;
    struct spirv_words texts; /* ids of the texts that printf prints */
    uint32_t left;            /* the struct of results that the last cm.return built */
};

void spirv_put(struct spirv_words *out, uint32_t word);
void spirv_put_text(struct spirv_words *out, const char *text, size_t length);
void spirv_emit(struct spirv_writer *w, enum spirv_section section, enum spirv_op op, const uint32_t *operands,
                size_t count);
#define SPIRV_EMIT(W, SECTION, OP, ...)                                                                                \
    spirv_emit(W, SECTION, OP, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Writes an instruction whose operand `result` is a new id, unless an equal one exists; returns its id. */
uint32_t spirv_once(struct spirv_writer *w, enum spirv_section section, enum spirv_op op, unsigned result,
                    const uint32_t *operands, size_t count);
#define SPIRV_ONCE(W, SECTION, OP, RESULT, ...)                                                                        \
    spirv_once(W, SECTION, OP, RESULT, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

void spirv_capability(struct spirv_writer *w, enum spirv_capability capability);
void spirv_extension(struct spirv_writer *w, const char *name);
void spirv_name(struct spirv_writer *w, uint32_t id, const char *name, size_t length);

/* Imports a function that the driver's compiler knows by its name. */
void spirv_import(struct spirv_writer *w, uint32_t id, const char *name);

uint32_t spirv_type(struct spirv_writer *w, LLVMTypeRef type);
uint32_t spirv_pointer_type(struct spirv_writer *w, uint32_t to,
                            unsigned space); /* number of the address space in LLVM */
uint32_t spirv_int_type(struct spirv_writer *w, unsigned bits);
uint32_t spirv_function_type(struct spirv_writer *w, const uint32_t *result_and_parameters, size_t count);
uint32_t spirv_constant(struct spirv_writer *w, LLVMValueRef value);
uint32_t spirv_splat(struct spirv_writer *w, LLVMTypeRef type,
                     int64_t number); /* an integer or float constant in every lane */
uint32_t spirv_undef(struct spirv_writer *w, uint32_t type);

uint32_t spirv_value(struct spirv_writer *w, LLVMValueRef value);  /* an operand */
uint32_t spirv_result(struct spirv_writer *w, LLVMValueRef value); /* Returns the id of an instruction's result. */
uint32_t spirv_block(struct spirv_writer *w, LLVMBasicBlockRef block);
uint32_t spirv_function(struct spirv_writer *w, LLVMValueRef function);

/* Writes an instruction into the current body; returns the new id of its result of that type. */
uint32_t spirv_compute(struct spirv_writer *w, enum spirv_op op, uint32_t type, const uint32_t *operands, size_t count);
#define SPIRV_COMPUTE(W, OP, TYPE, ...)                                                                                \
    spirv_compute(W, OP, TYPE, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* The same for the result of an instruction of the module. */
void spirv_define(struct spirv_writer *w, LLVMValueRef i, enum spirv_op op, const uint32_t *operands, size_t count);
#define SPIRV_DEFINE(W, I, OP, ...)                                                                                    \
    spirv_define(W, I, OP, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Describes a function whose body follows; puts its scope at the start of a block; says the line of what follows.
 * Nothing where no lines are wanted. */
void spirv_debug_function(struct spirv_writer *w, LLVMValueRef function, uint32_t id);
void spirv_debug_block(struct spirv_writer *w);
void spirv_debug_line(struct spirv_writer *w, LLVMValueRef i);

void spirv_instruction(struct spirv_writer *w, LLVMValueRef i);
void spirv_load(struct spirv_writer *w, LLVMValueRef i);
void spirv_store(struct spirv_writer *w, LLVMValueRef i);
void spirv_address(struct spirv_writer *w, LLVMValueRef i);
void spirv_call(struct spirv_writer *w, LLVMValueRef i);
void spirv_printf(struct spirv_writer *w, LLVMValueRef call);

/* Writes the texts that printf prints. */
void spirv_texts(struct spirv_writer *w, LLVMModuleRef module);

/* Returns the imported set of OpenCL's instructions. */
uint32_t spirv_opencl(struct spirv_writer *w);

#endif
