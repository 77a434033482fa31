/* Describes how parameters of functions that stay functions are passed. */
#ifndef CMKIT_LOWER_FUNCTIONS_PARAMETERS_H
#define CMKIT_LOWER_FUNCTIONS_PARAMETERS_H

#include "lower/ir/function_info.h"

enum signature_passing {
    PASS_VALUE, /* as it is; pointers as integers, truth values as bytes */
    PASS_COPY,  /* the memory that it points to */
    PASS_LANES  /* lanes of a vector_ref or matrix_ref; its address and offsets are in memory */
};

struct signature_parameter {
    enum signature_passing passing;
    LLVMTypeRef type;   /* of the value that crosses the call */
    LLVMTypeRef memory; /* COPY, LANES: type of the object behind the pointer */
    bool in, out;       /* the caller's value is read; is changed */
};

/* A global variable that a function or its callees use: copied like a parameter. */
struct signature_global {
    LLVMValueRef variable;
    LLVMTypeRef type;
    bool out;
};

struct signature {
    LLVMValueRef function;
    struct signature_parameter *parameters;
    unsigned count;
    struct signature_global *globals;
    size_t global_count, global_capacity;
};

/* Fills parameters[] from the attributes that the front end sets. False: one cannot be a value. */
bool signature_describe(LLVMModuleRef module, LLVMValueRef function, struct signature *out);
void signature_free(struct signature *signature);

/* The signatures of all functions that stay functions, with written parameters and used globals. */
struct signatures {
    struct signature *all;
    size_t count, capacity;
    struct pointer_map numbers; /* function to all[] */
};
bool signatures_find(LLVMModuleRef module, struct signatures *out);                         /* false after an error */
struct signature *signature_of(const struct signatures *signatures, LLVMValueRef function); /* NULL: not called */
void signatures_free(struct signatures *signatures);

/* Returns the type in which a variable of type `memory` is copied as a whole; NULL: it holds pointers. */
LLVMTypeRef signature_copied_type(LLVMModuleRef module, LLVMTypeRef memory);

#endif
