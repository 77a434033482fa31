/* See ir.h. */
#include "lower/ir/ir.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

bool ir_is_named(LLVMValueRef value, const char *prefix)
{
    return strncmp(LLVMGetValueName2(value, &(size_t){0}), prefix, strlen(prefix)) == 0;
}

bool ir_calls_named(LLVMValueRef value, const char *prefix)
{
    LLVMValueRef function = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
    if (!function || (strncmp(prefix, "llvm.", 5) == 0 && !LLVMGetIntrinsicID(function)))
        return false; /* fast: most calls are not of LLVM intrinsics, so their names are not read */
    return ir_is_named(function, prefix);
}

static unsigned scalar_type_bits(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind: return 16;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return 64;
    default: return 0;
    }
}

const struct ir_known_type *type_describe(LLVMTypeRef type, struct ir_known_type *known)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    *known = (struct ir_known_type){.type = type,
                                    .element = element,
                                    .lanes = vector ? LLVMGetVectorSize(type) : 1,
                                    .bits = scalar_type_bits(element),
                                    .is_float = kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
                                                kind == LLVMDoubleTypeKind};
    return known;
}

LLVMTypeRef type_with_lanes(LLVMTypeRef element, unsigned lanes)
{
    assert(lanes >= 1);
    return LLVMVectorType(element, lanes);
}

bool ir_module_calls(LLVMModuleRef module, const char *prefix)
{
    FOR_EACH_FUNCTION(f, module)
    if (LLVMGetFirstUse(f) && ir_is_named(f, prefix))
        return true;
    return false;
}

LLVMTypeRef type_like(LLVMTypeRef shape, LLVMTypeRef element)
{
    return LLVMGetTypeKind(shape) == LLVMVectorTypeKind ? LLVMVectorType(element, LLVMGetVectorSize(shape)) : element;
}

unsigned type_bytes(LLVMModuleRef module, LLVMTypeRef type)
{
    return (unsigned)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
}

bool constant_int(LLVMValueRef value, int64_t *number)
{
    if (!value || !LLVMIsAConstantInt(value))
        return false;
    *number = LLVMConstIntGetSExtValue(value);
    return true;
}

int constant_of(LLVMValueRef instruction, unsigned operand)
{
    assert(operand < (unsigned)LLVMGetNumOperands(instruction));
    int64_t number = 0;
    constant_int(LLVMGetOperand(instruction, operand), &number);
    return (int)number;
}

static LLVMValueRef small_number(struct ir_small_numbers *small, LLVMTypeRef type, int64_t number)
{
    if (number < 0 || number >= SMALL_NUMBERS)
        return LLVMConstInt(type, (uint64_t)number, true);
    if (small->type != type)
        ir_forget_numbers(small);
    small->type = type;
    LLVMValueRef **page = &small->pages[number / SMALL_PAGE];
    if (!*page)
        *page = ir_calloc(SMALL_PAGE, sizeof **page);
    LLVMValueRef *known = &(*page)[number % SMALL_PAGE];
    if (!*known)
        *known = LLVMConstInt(type, (uint64_t)number, true);
    return *known;
}

LLVMValueRef constant_i16(LLVMModuleRef module, int64_t number)
{
    return small_number(&ir_context->words, LLVMInt16TypeInContext(LLVMGetModuleContext(module)), number);
}

LLVMValueRef constant_i32(LLVMModuleRef module, int64_t number)
{
    return small_number(&ir_context->dwords, LLVMInt32TypeInContext(LLVMGetModuleContext(module)), number);
}

LLVMValueRef constant_splat(LLVMTypeRef type, LLVMValueRef scalar)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return scalar;
    unsigned lanes = type_lanes(type);
    LLVMValueRef *all = ir_calloc(lanes, sizeof *all);
    for (unsigned k = 0; k < lanes; k++)
        all[k] = scalar;
    LLVMValueRef splat = LLVMConstVector(all, lanes);
    free(all);
    return splat;
}

LLVMValueRef ir_build_splat(LLVMBuilderRef builder, LLVMValueRef number, unsigned lanes)
{
    assert(lanes >= 1);
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(number), lanes),
                i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    if (LLVMIsConstant(number))
        return constant_splat(type, number);
    LLVMValueRef one = LLVMBuildInsertElement(builder, LLVMGetPoison(type), number, LLVMConstNull(i32), "");
    return LLVMBuildShuffleVector(builder, one, LLVMGetPoison(type), LLVMConstNull(LLVMVectorType(i32, lanes)), "");
}

LLVMValueRef constant_number(LLVMTypeRef type, int64_t number)
{
    return constant_splat(type, LLVMConstInt(type_element(type), (uint64_t)number, true));
}

bool ir_is_splat_shuffle(LLVMValueRef shuffle)
{
    assert(LLVMIsAShuffleVectorInst(shuffle));
    for (unsigned k = 0; k < LLVMGetNumMaskElements(shuffle); k++)
        if (LLVMGetMaskValue(shuffle, k) > 0)
            return false;
    return true;
}

LLVMValueRef constant_splat_number(LLVMValueRef value)
{
    int64_t lane;
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind)
        return NULL;
    if (LLVMIsConstant(value)) {
        LLVMValueRef number = LLVMGetAggregateElement(value, 0);
        return number && constant_splat(LLVMTypeOf(value), number) == value ? number : NULL;
    }
    LLVMValueRef one = LLVMIsAShuffleVectorInst(value) && ir_is_splat_shuffle(value) ? LLVMGetOperand(value, 0) : NULL;
    bool first = one && LLVMIsAInsertElementInst(one) && constant_int(LLVMGetOperand(one, 2), &lane) && lane == 0;
    return first ? LLVMGetOperand(one, 1) : NULL;
}

bool constant_in_lanes(LLVMValueRef value, uint64_t *number)
{
    bool vector = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
    LLVMValueRef lane = LLVMIsConstant(value) && vector ? constant_splat_number(value) : value;
    if (!lane || !LLVMIsAConstantInt(lane) || type_element_bits(LLVMTypeOf(lane)) > 64)
        return false;
    *number = LLVMConstIntGetZExtValue(lane);
    return true;
}

bool ir_is_unsigned_order(LLVMIntPredicate predicate)
{
    return predicate == LLVMIntUGT || predicate == LLVMIntUGE || predicate == LLVMIntULT || predicate == LLVMIntULE;
}

bool ir_has_one_use(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

bool ir_is_run(LLVMValueRef shuffle, unsigned *first)
{
    if (!LLVMIsAShuffleVectorInst(shuffle) || LLVMGetMaskValue(shuffle, 0) < 0)
        return false;
    unsigned lanes = LLVMGetNumMaskElements(shuffle);
    *first = (unsigned)LLVMGetMaskValue(shuffle, 0);
    for (unsigned k = 1; k < lanes; k++)
        if (LLVMGetMaskValue(shuffle, k) >= 0 && LLVMGetMaskValue(shuffle, k) != (int)(*first + k))
            return false;
    return *first + lanes <= type_lanes(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
}

unsigned ir_instructions_for(unsigned bytes)
{
    return (bytes + INSTRUCTION_BYTES - 1) / INSTRUCTION_BYTES;
}

bool ir_is_lane_wise(LLVMValueRef i)
{
    return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind &&
           (LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) || LLVMIsACmpInst(i) || LLVMIsAFreezeInst(i) ||
            LLVMIsASelectInst(i) || (LLVMIsACastInst(i) && !LLVMIsABitCastInst(i)));
}

bool ir_is_extreme(LLVMValueRef i, LLVMIntPredicate *first)
{
    static const struct {
        const char *name;
        LLVMIntPredicate first;
    } functions[] = {
        {"llvm.umin.", LLVMIntULT}, {"llvm.umax.", LLVMIntUGT}, {"llvm.smin.", LLVMIntSLT}, {"llvm.smax.", LLVMIntSGT}};
    if (!LLVMIsACallInst(i) || genx_call_id(i) != GENX_NONE) /* fast: no names are read */
        return false;
    for (unsigned k = 0; k < sizeof functions / sizeof *functions; k++)
        if (ir_calls_named(i, functions[k].name)) {
            *first = functions[k].first;
            return true;
        }
    return false;
}

bool ir_is_signed_extreme(LLVMValueRef i, bool *least)
{
    enum genx_id id = genx_call_id(i);
    LLVMIntPredicate first = LLVMIntEQ;
    if (id == GENX_SMIN || id == GENX_SMAX)
        first = id == GENX_SMIN ? LLVMIntSLT : LLVMIntSGT;
    else if (!ir_is_extreme(i, &first))
        return false;
    *least = first == LLVMIntSLT;
    return first == LLVMIntSLT || first == LLVMIntSGT;
}

bool lower_is_in_headers(LLVMMetadataRef location)
{
    unsigned length = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : "";
    return memmem(name, length, "cm/detail/", 10) || memmem(name, length, "cm/cmtl.h", 9);
}

LLVMMetadataRef ir_user_location(LLVMMetadataRef location)
{
    LLVMMetadataRef outer;
    while (lower_is_in_headers(location) && (outer = LLVMDILocationGetInlinedAt(location)))
        location = outer;
    return location;
}

/* True if a word of the source is a function of the CM headers and not a variable with an initializer. */
static bool is_cm_function(const char *word)
{
    static const char *const beginnings[] = {"cm_",    "read",     "write",      "load",   "store",   "scatter", "svm_",
                                             "gather", "sample16", "get_thread", "signal", "monitor", "wait_"};
    for (unsigned i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* Builds the path of a location's file as the user gave it. Debug information has a folder and the rest of the path;
 * the folder is the working directory or the start of an absolute path. */
static void path_of(LLVMMetadataRef location, char *path, size_t size)
{
    unsigned length = 0, folder_length = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : "?";
    const char *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : "";
    char here[4096];
    bool is_here =
        getcwd(here, sizeof here) && strlen(here) == folder_length && memcmp(here, folder, folder_length) == 0;
    if (!file || is_here || !folder_length || (length && name[0] == '/'))
        snprintf(path, size, "%.*s", file ? (int)length : 1, name);
    else
        snprintf(path, size, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
}

/* Reads the source text from a location's column on, at most `size` - 1 characters. False: the file cannot be read any
 * more. */
static bool read_text(LLVMMetadataRef location, char *text, size_t size)
{
    unsigned column = LLVMDILocationGetColumn(location);
    char path[4096];
    path_of(location, path, sizeof path);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return false;
    char *line = NULL;
    size_t space = 0;
    ssize_t got = 0;
    for (unsigned number = LLVMDILocationGetLine(location); number > 0 && got >= 0; number--)
        got = getline(&line, &space, stream);
    bool good = got > 0 && column > 0 && column <= (unsigned long)got;
    if (good)
        snprintf(text, size, "%s", line + column - 1);
    free(line);
    fclose(stream);
    return good;
}

const char *lower_called(LLVMValueRef at, const char *otherwise, struct ir_called *called)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    char text[sizeof called->name];
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
    snprintf(called->name, sizeof called->name, "%s", otherwise);
    if (location && read_text(ir_user_location(location), text, sizeof text) && is_cm_function(text))
        snprintf(called->name, sizeof called->name, "%.*s", (int)strspn(text, letters), text);
    return called->name;
}

LLVMValueRef function_start(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (LLVMInstructionGetDebugLoc(i))
        return i;
    return NULL;
}

static LLVMMetadataRef position_of(LLVMValueRef value)
{
    return value && LLVMIsAInstruction(value) ? LLVMInstructionGetDebugLoc(value) : NULL;
}

/* Returns the position of an instruction, or, if a pass has made it without one, of one near it: what leads to a phi,
 * what uses the result, what follows in its block, the function's start. NULL: none has one. */
static LLVMMetadataRef position_near(LLVMValueRef at)
{
    LLVMMetadataRef found = position_of(at);
    if (!at || !LLVMIsAInstruction(at))
        return NULL;
    for (unsigned k = 0; !found && LLVMIsAPHINode(at) && k < LLVMCountIncoming(at); k++)
        found = position_of(LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(at, k)));
    for (LLVMUseRef use = LLVMGetFirstUse(at); !found && use; use = LLVMGetNextUse(use))
        found = position_of(LLVMGetUser(use));
    for (LLVMValueRef next = at; !found && next; next = LLVMGetNextInstruction(next))
        found = position_of(next);
    return found ? found : position_of(function_start(LLVMGetBasicBlockParent(LLVMGetInstructionParent(at))));
}

bool lower_error(LLVMValueRef at, const char *format, ...)
{
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    LLVMMetadataRef location = position_near(at);
    if (!location) {
        fprintf(stderr, "cmc: error: %s\n", message);
        return false;
    }
    location = ir_user_location(location);
    char path[4096];
    path_of(location, path, sizeof path);
    fprintf(stderr, "%s:%u:%u: error: %s\n", path, LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location),
            message);
    return false;
}

bool ir_run_llvm_passes(LLVMModuleRef module, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, false);
    LLVMPassBuilderOptionsSetSLPVectorization(options, false);
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (strstr(pipeline, "globaldce")) /* function passes delete no functions */
        ir_forget_functions();
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    lower_error(NULL, "LLVM passes '%s': %s", pipeline, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

const char *ir_string_attribute(LLVMValueRef function, unsigned index, const char *name, char *buffer, size_t size)
{
    assert(size >= 1);
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, index, name, (unsigned)strlen(name));
    if (!attribute)
        return NULL;
    unsigned length;
    const char *text = LLVMGetStringAttributeValue(attribute, &length);
    snprintf(buffer, size, "%.*s", (int)length, text);
    return buffer;
}

unsigned ir_named_barriers(LLVMValueRef kernel)
{
    char text[16];
    const char *count = ir_string_attribute(kernel, LLVMAttributeFunctionIndex, IR_NAMED_BARRIERS, text, sizeof text);
    return count ? (unsigned)strtoul(count, NULL, 10) : 0;
}

bool function_is_kernel(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function) &&
           LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, "cm-kernel", 9) != NULL;
}

static void *checked(void *memory)
{
    if (!memory) {
        fputs("cmc: error: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void *ir_realloc(void *old, size_t bytes)
{
    return checked(realloc(old, bytes));
}
void *ir_calloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size));
}

static void grow(struct pointer_map *map)
{
    enum { FIRST = 16, FACTOR = 4 }; /* on growth entries are inserted again; the map is at most a quarter full */
    size_t capacity = map->capacity ? FACTOR * map->capacity : FIRST;
    struct pointer_map bigger = {ir_calloc(capacity, sizeof *map->slots), 0, capacity};
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].key)
            pointer_map_set(&bigger, map->slots[i].key, map->slots[i].value);
    free(map->slots);
    *map = bigger;
}

void pointer_map_set(struct pointer_map *map, const void *key, size_t value)
{
    assert(key);
    if (2 * map->count >= map->capacity)
        grow(map);
    size_t i = pointer_map_hash(key) & (map->capacity - 1);
    while (map->slots[i].key && map->slots[i].key != key)
        i = (i + 1) & (map->capacity - 1);
    map->count += !map->slots[i].key;
    map->slots[i].key = key;
    map->slots[i].value = value;
}

void pointer_map_free(struct pointer_map *map)
{
    free(map->slots);
    memset(map, 0, sizeof *map);
}

LLVMValueRef ir_only_lane(LLVMValueRef vector)
{
    int64_t lane;
    if (LLVMIsConstant(vector))
        return LLVMGetAggregateElement(vector, 0);
    bool first = LLVMIsAInsertElementInst(vector) && constant_int(LLVMGetOperand(vector, 2), &lane) && lane == 0;
    return first && LLVMIsUndef(LLVMGetOperand(vector, 0)) ? LLVMGetOperand(vector, 1) : NULL;
}
