/* Allocates the vISA program's memory and grows its arrays. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "visa_emit/visa.h"

/* An arena: a list of blocks, the newest first, freed together. */
struct visa_arena {
    struct visa_arena *older;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

enum { ARENA_BLOCK = 1 << 16, FIRST_CAPACITY = 16 };

static const struct {
    const char *text;
    unsigned bytes;
    char class;
} types[] = {
#define VISA_TYPE(ID, TEXT, BYTES, CLASS) {TEXT, BYTES, CLASS},
#include "tables/visa_types.def"
#undef VISA_TYPE
};

unsigned visa_barrier_count(const struct visa_kernel *kernel)
{
    static const unsigned counts[] = {0, 1, 2, 4, 8, 16, 24};
    unsigned wanted = kernel->named_barriers + kernel->has_barrier;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (wanted <= counts[i])
            return counts[i];
    return 32;
}

unsigned visa_type_bytes(enum visa_type type)
{
    assert((unsigned)type < VISA_TYPE_COUNT);
    return types[type].bytes;
}
char visa_type_class(enum visa_type type)
{
    assert((unsigned)type < VISA_TYPE_COUNT);
    return types[type].class;
}
const char *visa_type_text(enum visa_type type)
{
    assert((unsigned)type < VISA_TYPE_COUNT);
    return types[type].text;
}

static struct visa_arena *arena_block(struct visa_arena *older, size_t bytes)
{
    size_t size = bytes > ARENA_BLOCK ? bytes : ARENA_BLOCK;
    if (size > SIZE_MAX - sizeof(struct visa_arena))
        return NULL;
    struct visa_arena *block = malloc(sizeof *block + size);
    if (block)
        *block = (struct visa_arena){.older = older, .size = size};
    return block;
}

struct visa_program *visa_program_create(const struct platform *platform)
{
    struct visa_arena *arena = arena_block(NULL, 0);
    struct visa_program *program = calloc(1, sizeof *program);
    if (!arena || !program) {
        free(arena);
        free(program);
        return NULL;
    }
    program->platform = platform;
    program->arena = arena;
    return program;
}

void visa_program_destroy(struct visa_program *program)
{
    if (!program)
        return;
    for (struct visa_arena *block = program->arena, *older; block; block = older) {
        older = block->older;
        free(block);
    }
    free(program);
}

/* Allocates uninitialized memory. */
static void *take(struct visa_program *program, size_t bytes)
{
    size_t step = _Alignof(max_align_t);
    struct visa_arena *block = program->arena;
    if (bytes <= SIZE_MAX - step)
        bytes = (bytes + step - 1) / step * step;
    if (bytes > block->size - block->used) {
        block = arena_block(block, bytes);
        if (!block) {
            fprintf(stderr, "error: out of memory\n");
            exit(1);
        }
        program->arena = block;
    }
    void *result = block->bytes + block->used;
    block->used += bytes;
    return result;
}

void *visa_alloc(struct visa_program *program, size_t bytes)
{
    return memset(take(program, bytes), 0, bytes);
}

void visa_replace_instructions(struct visa_program *program, struct visa_kernel *kernel, size_t most)
{
    kernel->instructions = take(program, most * sizeof *kernel->instructions);
    kernel->instruction_capacity = most;
    kernel->instruction_count = 0;
}

char *visa_string(struct visa_program *program, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(visa_alloc(program, size), text, size);
}

/* Makes room for one element more than `count`: returns the same array or a copy of twice the size. New elements are
 * not initialized. The old array stays in the arena, which is cheap because sizes double. */
static void *grown(struct visa_program *program, void *array, size_t count, size_t *capacity, size_t element_bytes)
{
    if (count < *capacity)
        return array;
    size_t wanted = count < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * count;
    void *larger = take(program, wanted * element_bytes);
    if (count)
        memcpy(larger, array, count * element_bytes);
    *capacity = wanted;
    return larger;
}

struct visa_kernel *visa_add_kernel(struct visa_program *program, const char *name)
{
    program->kernels =
        grown(program, program->kernels, program->kernel_count, &program->kernel_capacity, sizeof *program->kernels);
    struct visa_kernel *kernel = &program->kernels[program->kernel_count++];
    *kernel = (struct visa_kernel){.name = visa_string(program, name)};
    return kernel;
}

struct visa_kernel *visa_add_function(struct visa_program *program, struct visa_kernel *kernel, const char *name)
{
    kernel->functions = grown(program, kernel->functions, kernel->function_count, &kernel->function_capacity,
                              sizeof *kernel->functions);
    struct visa_kernel *function = visa_alloc(program, sizeof *function);
    function->name = visa_string(program, name);
    return kernel->functions[kernel->function_count++] = function;
}

unsigned visa_add_variable(struct visa_program *program, struct visa_kernel *kernel,
                           const struct visa_variable *variable)
{
    kernel->variables = grown(program, kernel->variables, kernel->variable_count, &kernel->variable_capacity,
                              sizeof *kernel->variables);
    kernel->variables[kernel->variable_count] = *variable;
    return VISA_FIRST_VARIABLE + (unsigned)kernel->variable_count++;
}

void visa_add_bound(struct visa_program *program, struct visa_kernel *kernel, struct visa_bound bound)
{
    assert(program && kernel);
    kernel->bounds =
        grown(program, kernel->bounds, kernel->bound_count, &kernel->bound_capacity, sizeof *kernel->bounds);
    kernel->bounds[kernel->bound_count++] = bound;
}

unsigned visa_add_text(struct visa_program *program, const char *bytes, size_t size)
{
    for (size_t i = 0; i < program->string_count; i++)
        if (program->strings[i].size == size && memcmp(program->strings[i].bytes, bytes, size) == 0)
            return (unsigned)i;
    program->strings =
        grown(program, program->strings, program->string_count, &program->string_capacity, sizeof *program->strings);
    char *copy = memcpy(visa_alloc(program, size), bytes, size);
    program->strings[program->string_count] = (struct visa_text){copy, size};
    return (unsigned)program->string_count++;
}

unsigned visa_add_file(struct visa_program *program, const char *name, const char *folder)
{
    for (size_t i = 0; i < program->file_count; i++)
        if (strcmp(program->files[i].name, name) == 0 && strcmp(program->files[i].folder, folder) == 0)
            return (unsigned)i + 1;
    program->files =
        grown(program, program->files, program->file_count, &program->file_capacity, sizeof *program->files);
    program->files[program->file_count++] =
        (struct visa_file){visa_string(program, name), visa_string(program, folder)};
    return (unsigned)program->file_count;
}

static bool has_immediate_from(const struct visa_kernel *kernel, uint32_t first, uint32_t count)
{
    for (size_t i = 0; i < kernel->instruction_count; i++)
        for (unsigned s = 0; s < VISA_MAX_SOURCES; s++) {
            const struct visa_operand *o = &kernel->instructions[i].src[s];
            if (o->kind == VISA_OPERAND_IMMEDIATE &&
                ((uint32_t)o->bits - first < count || (uint32_t)(o->bits >> 32) - first < count))
                return true;
        }
    for (size_t i = 0; i < kernel->function_count; i++)
        if (has_immediate_from(kernel->functions[i], first, count))
            return true;
    return false;
}

uint32_t visa_string_base(const struct visa_program *program, const struct visa_kernel *kernel)
{
    uint32_t base = 0x5a1c0000, step = 0x01000000; /* no small numbers, no floats that are likely */
    while (has_immediate_from(kernel, base, 2 * (uint32_t)program->string_count))
        base += step;
    return base;
}

struct visa_instruction *visa_add_instruction(struct visa_program *program, struct visa_kernel *kernel,
                                              const struct visa_instruction *instruction)
{
    kernel->instructions = grown(program, kernel->instructions, kernel->instruction_count,
                                 &kernel->instruction_capacity, sizeof *kernel->instructions);
    struct visa_instruction *added = &kernel->instructions[kernel->instruction_count++];
    *added = *instruction;
    return added;
}

void visa_insert_lifetime_starts(struct visa_program *program, struct visa_kernel *kernel, const bool *begins,
                                 size_t count)
{
    const struct visa_instruction *old = kernel->instructions;
    size_t instructions = kernel->instruction_count;
    visa_replace_instructions(program, kernel, instructions + count);
    for (size_t n = 0; n < instructions; n++) {
        struct visa_instruction start = {.op = VISA_OP_LIFETIME_START,
                                         .exec_size = 1,
                                         .dst = {.kind = VISA_OPERAND_RAW, .variable = old[n].dst.variable},
                                         .file = old[n].file,
                                         .line = old[n].line,
                                         .column = old[n].column};
        if (begins[n])
            visa_add_instruction(program, kernel, &start);
        visa_add_instruction(program, kernel, &old[n]);
    }
}

void visa_add_argument(struct visa_program *program, struct visa_kernel *kernel, const struct visa_argument *argument)
{
    kernel->arguments = grown(program, kernel->arguments, kernel->argument_count, &kernel->argument_capacity,
                              sizeof *kernel->arguments);
    kernel->arguments[kernel->argument_count++] = *argument;
}

struct visa_variable *visa_variable(const struct visa_kernel *kernel, unsigned number)
{
    assert(number >= VISA_FIRST_VARIABLE && number - VISA_FIRST_VARIABLE < kernel->variable_count);
    return &kernel->variables[number - VISA_FIRST_VARIABLE];
}
