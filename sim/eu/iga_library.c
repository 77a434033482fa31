/* Loads versions of libiga64: the one of Debian 12 up to Xe-HPC, a later one for later platforms. */
#include "sim/eu/iga_c.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "sim/eu/instruction.h"
#include "tables/platforms.h"

enum { OPERATIONS = 256, MNEMONIC = 24 };

/* Functions that name operations (<iga/iga.h>). */
typedef int name_function(const void *operation, char *name, size_t *size);
typedef int find_function(uint32_t platform, uint32_t number, const void **operation);

/* A row of iga_libraries.def, and what was found. */
static struct version {
    const char *file;
    uint32_t last_decoder;
    uint32_t added_register; /* registers from this number on are one higher; 0: none was added */
    pthread_once_t once;
    struct iga_library functions;
    name_function *name_of;
    find_function *find;
    int is_there;
    int has_our_numbers; /* its numbers of operations are those of tables/eu_ops.def */
    pthread_mutex_t lock;
    uint32_t named_platform; /* whose names are in the table */
    char names[OPERATIONS][MNEMONIC];
} versions[] = {
#define IGA_LIBRARY(FILE, LAST_DECODER, ADDED_REGISTER)                                                                \
    {FILE, LAST_DECODER, ADDED_REGISTER, PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER},
#include "sim/eu/iga_libraries.def"
#undef IGA_LIBRARY
};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

_Thread_local const struct iga_library *iga_library_now;

/* Compares the numbers of the operations of Gen9, which every version knows. Releases of IGC number them anew. */
static int has_our_numbers(const struct version *version)
{
    const struct platform *first = &platform_table[PLATFORM_SKL];
    for (size_t i = 0; i < EU_OPS; i++) {
        const struct eu_op *op = &eu_op_table[i];
        const void *operation = NULL;
        char name[MNEMONIC];
        size_t size = sizeof name;
        if (platform_between(first, op->first_generation, op->last_generation) &&
            (version->find(first->decoder, op->iga, &operation) != 0 || !operation ||
             version->name_of(operation, name, &size) != 0 || strcmp(name, op->mnemonic) != 0))
            return 0;
    }
    return 1;
}

static void load(struct version *version)
{
    void *library = dlopen(version->file, RTLD_NOW | RTLD_LOCAL);
    int is_there = library != NULL;
    if (!library)
        return;
#define IGA_OPTIONAL(RETURNS, NAME, PARAMETERS, ARGUMENTS) *(void **)&version->functions.NAME = dlsym(library, #NAME);
#define IGA_FUNCTION(RETURNS, NAME, PARAMETERS, ARGUMENTS)                                                             \
    *(void **)&version->functions.NAME = dlsym(library, #NAME);                                                        \
    is_there &= version->functions.NAME != NULL;
#include "sim/eu/iga_functions.def"
#undef IGA_FUNCTION
    *(void **)&version->name_of = dlsym(library, "iga_opspec_mnemonic");
    *(void **)&version->find = dlsym(library, "iga_opspec_from_op");
    version->is_there = is_there && version->name_of && version->find;
    version->has_our_numbers = version->is_there && has_our_numbers(version);
}

static void load_first(void)
{
    load(&versions[0]);
}

static void load_second(void)
{
    load(&versions[1]);
}

static struct version *version_of(const struct platform *platform)
{
    static void (*const loaders[])(void) = {load_first, load_second};
    _Static_assert(sizeof loaders / sizeof loaders[0] == VERSIONS, "one for each version");
    size_t i = 0;
    while (i + 1 < VERSIONS && platform->decoder > versions[i].last_decoder)
        i++;
    pthread_once(&versions[i].once, loaders[i]);
    return &versions[i];
}

kv_t *iga_view_create(const struct platform *platform, const void *bytes, size_t size, int *status, char *errors,
                      size_t errors_size)
{
    assert(bytes && size && status);
    const struct version *version = version_of(platform);
    *status = IGA_STATUS_DECODE_ERROR;
    if (!version->is_there)
        return NULL;
    iga_library_now = &version->functions;
    return kv_create(platform->decoder, bytes, size, status, errors, errors_size, 0);
}

const char *iga_library_name(const struct platform *platform)
{
    return version_of(platform)->file;
}

_Bool iga_library_is_there(const struct platform *platform)
{
    return version_of(platform)->is_there;
}

/* With the lock held. */
static void read_names(struct version *version, uint32_t decoder)
{
    for (uint32_t number = 0; number < OPERATIONS; number++) {
        const void *operation = NULL;
        size_t size = MNEMONIC;
        if (version->find(decoder, number, &operation) != 0 || !operation ||
            version->name_of(operation, version->names[number], &size) != 0)
            version->names[number][0] = 0;
    }
    version->named_platform = decoder;
}

const char *iga_mnemonic(const struct platform *platform, uint32_t number)
{
    struct version *version = version_of(platform);
    if (version->has_our_numbers || !version->is_there)
        return NULL;
    pthread_mutex_lock(&version->lock);
    if (version->named_platform != platform->decoder)
        read_names(version, platform->decoder);
    pthread_mutex_unlock(&version->lock);
    return number < OPERATIONS ? version->names[number] : "";
}

uint32_t iga_register_of(const struct platform *platform, uint32_t number)
{
    const struct version *version = version_of(platform);
    if (version->added_register == 0 || number < version->added_register)
        return number;
    return number == version->added_register ? (uint32_t)IGA_REG_S : number - 1;
}
