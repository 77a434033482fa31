/* Reads the package's tables, see genx_signatures.h. The package's file compiles as C if only its data tables are
 * included. A signature in it is a row of small numbers (LLVM's encoding of intrinsic types): up to eight packed into a
 * word, or in a longer table. */
#include "tools/peer/genx_signatures.h"

#include <stddef.h>
#include <string.h>

#define GET_INTRINSIC_GENERATOR_GLOBAL
#include <llvm/GenXIntrinsics/GenXIntrinsicDescription.gen>
#undef GET_INTRINSIC_GENERATOR_GLOBAL

#define MANGLE(NAME) NAME
static const char *const names[] = {
#define GET_INTRINSIC_NAME_TABLE
#include <llvm/GenXIntrinsics/GenXIntrinsicDescription.gen>
#undef GET_INTRINSIC_NAME_TABLE
};

/* The encoding's numbers: llvm/lib/IR/Function.cpp of LLVM 14, IIT_Info. */
enum {
    CODE_END = 0,
    CODE_V2 = 9,
    CODE_V4,
    CODE_V8,
    CODE_V16,
    CODE_V32,
    CODE_POINTER = 14,
    CODE_OVERLOAD = 15,
    CODE_V64 = 16,
    CODE_STRUCT2 = 21,
    CODE_STRUCT5 = 24,
    CODE_V1 = 28
};

struct reader {
    const unsigned char *codes;
    size_t next, count;
    struct genx_signature *out;
};

static unsigned take(struct reader *r)
{
    return r->next < r->count ? r->codes[r->next++] : CODE_END;
}

static struct genx_type *add(struct reader *r)
{
    static struct genx_type spare; /* more types than fit: counted, never matched */
    struct genx_type *type = r->out->count < SIG_TYPES ? &r->out->types[r->out->count] : &spare;
    r->out->count++;
    *type = (struct genx_type){.kind = SIG_UNKNOWN};
    return type;
}

static unsigned vector_lanes(unsigned code)
{
    if (code >= CODE_V2 && code <= CODE_V32)
        return 2u << (code - CODE_V2);
    return code == CODE_V64 ? 64 : code == CODE_V1 ? 1 : 0;
}

static void decode(struct reader *r)
{
    static const unsigned char integer_bits[] = {[1] = 1, 8, 16, 32, 64}, float_bits[] = {[6] = 16, 32, 64};
    struct genx_type *type = add(r);
    unsigned code = take(r);
    for (unsigned lanes; (lanes = vector_lanes(code)) != 0; code = take(r))
        type->lanes = lanes;
    if (code == CODE_END) {
        type->kind = SIG_VOID;
    } else if (code <= 5) {
        type->kind = SIG_INTEGER;
        type->bits = integer_bits[code];
    } else if (code <= 8) {
        type->kind = SIG_FLOAT;
        type->bits = float_bits[code];
    } else if (code == CODE_OVERLOAD) {
        unsigned which = take(r);
        type->kind = SIG_OVERLOAD;
        type->overload = which >> 3;
        type->class = which & 7;
    } else if (code >= CODE_STRUCT2 && code <= CODE_STRUCT5) {
        type->kind = SIG_STRUCT;
        type->members = code - CODE_STRUCT2 + 2;
        for (unsigned members = type->members; members; members--)
            decode(r);
    }
}

bool genx_signature_find(const char *name, struct genx_signature *out)
{
    size_t index = 0, count = sizeof names / sizeof *names;
    while (index < count && strcmp(names[index] + strlen("llvm.genx."), name) != 0)
        index++;
    if (index == count)
        return false;
    unsigned word = IIT_Table[index];
    unsigned char packed[8];
    struct reader r = {.codes = packed, .out = out};
    if (word >> 31) {
        r.codes = IIT_LongEncodingTable + (word & 0x7fffffff);
        r.count = sizeof IIT_LongEncodingTable - (word & 0x7fffffff);
    } else {
        do
            packed[r.count++] = word & 0xf;
        while ((word >>= 4) != 0);
    }
    out->count = 0;
    decode(&r); /* the result, which may be void */
    while (r.next < r.count && r.codes[r.next] != CODE_END)
        decode(&r);
    return true;
}
