/* How the parameters of functions that are called cross the call. */
#ifndef CMKIT_LOWER_FUNCTIONS_PARAMETERS_H
#define CMKIT_LOWER_FUNCTIONS_PARAMETERS_H

#include "lower/ir/function_info.h"

enum passing {
    PASS_VALUE, /* as it is; pointers as integers, truth values as bytes */
    PASS_COPY,  /* the memory that it points to */
    PASS_LANES  /* the lanes of a vector_ref or matrix_ref, whose address and offsets are in memory */
};

struct parameter {
    enum passing passing;
    LLVMTypeRef type;   /* of the value that crosses the call */
    LLVMTypeRef memory; /* COPY, LANES: what the pointer points to */
    bool in, out;       /* the caller's value is read; is changed */
};

/* A global variable that a function or what it calls uses: copied like a parameter. */
struct global {
    LLVMValueRef variable;
    LLVMTypeRef type;
    bool out;
};

struct signature {
    LLVMValueRef function;
    struct parameter *parameters;
    unsigned count;
    struct global *globals;
    size_t global_count, global_capacity;
};

/* Fills parameters[] from the attributes that frontend/called.cpp leaves. False: one cannot be a value. */
bool signature_describe(LLVMModuleRef module, LLVMValueRef function, struct signature *out);
void signature_free(struct signature *signature);

/* The signatures of all functions that are called, with what is written and which globals they use. */
struct signatures {
    struct signature *all;
    size_t count, capacity;
    struct pointer_map numbers; /* function to all[] */
};
bool signatures_find(LLVMModuleRef module, struct signatures *out);                         /* false after an error */
struct signature *signature_of(const struct signatures *signatures, LLVMValueRef function); /* NULL: not called */
void signatures_free(struct signatures *signatures);

/* The type in which a variable of type `memory` is copied as a whole; NULL: it holds pointers. */
LLVMTypeRef copied_type(LLVMModuleRef module, LLVMTypeRef memory);

#endif
