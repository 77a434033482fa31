/* Makes LLVM bitcode of SPIR-V by Khronos' translator llvm-spirv, a process of its own: see module_input.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm/Config/llvm-config.h>
#include "cmc/module_input.h"
#include "tables/spirv.h"
#include "visa_emit/process.h"

enum { HEADER_WORDS = 5, TIME_LIMIT_SECONDS = 120, ERROR_SIZE = 1024 };

enum { OLDEST_TRANSLATOR = 14 };

static uint32_t word_at(const void *bytes, size_t number)
{
    uint32_t word;
    memcpy(&word, (const char *)bytes + number * sizeof word, sizeof word);
    return word;
}

/* Looks for the vector back end's capability among the first instructions. NULL: it is there; else what is wrong. */
static const char *wrong_spirv(const void *bytes, size_t size)
{
    enum { OP_CAPABILITY_WORDS = 2, SWAPPED_MAGIC = 0x03022307 };
    size_t count = size / sizeof(uint32_t);
    if (count < HEADER_WORDS)
        return "no SPIR-V: too short";
    if (word_at(bytes, 0) == SWAPPED_MAGIC)
        return "SPIR-V of a machine with another byte order";
    if (word_at(bytes, 0) != SPIRV_MAGIC)
        return "no SPIR-V: it begins with another number";
    bool vector = false;
    for (size_t at = HEADER_WORDS, length; at < count; at += length) {
        uint32_t first = word_at(bytes, at);
        length = first >> 16;
        if (!length || length > count - at)
            return "damaged SPIR-V: an instruction lies outside the file";
        vector = vector || (first == (OP_CAPABILITY_WORDS << 16 | OP_CAPABILITY) &&
                            word_at(bytes, at + 1) == CAPABILITY_VECTOR_COMPUTE);
    }
    return vector ? NULL
                  : "SPIR-V of work items, not of CM: it lacks the capability VectorComputeINTEL. A driver compiles "
                    "it as it is, and so does ocloc";
}

/* Finds $CMKIT_LLVM_SPIRV, or the newest of Debian's programs. The bitcode must not be newer than the LLVM that reads
 * it. */
static bool find_translator(char *path, size_t size)
{
    const char *chosen = getenv("CMKIT_LLVM_SPIRV");
    if (chosen && *chosen)
        return process_find(chosen, path, size);
    for (int version = LLVM_VERSION_MAJOR; version >= OLDEST_TRANSLATOR; version--) {
        char name[32];
        snprintf(name, sizeof name, "llvm-spirv-%d", version);
        if (process_find(name, path, size))
            return true;
    }
    return process_find("llvm-spirv", path, size);
}

static bool report_refusal(const char *path, const char *program, const struct process_result *ran)
{
    ran->output[strcspn(ran->output, "\n")] = '\0';
    if (ran->signal || ran->timed_out)
        cmc_error("%s: %s %s", path, program, ran->signal ? "crashed" : "does not come to an end");
    else
        cmc_error("%s: %s: %s", path, program, *ran->output ? ran->output : "refused without a reason");
    return false;
}

static bool translate(const char *program, const char *path, const struct scratch *scratch, void **bitcode,
                      size_t *bitcode_size)
{
    const char *argv[] = {program, "-r", "in.spv", "-o", "out.bc", NULL};
    char error[ERROR_SIZE];
    struct process_result ran;
    if (!process_run(argv, scratch->folder, process_seconds(TIME_LIMIT_SECONDS), &ran, error, sizeof error)) {
        cmc_error("%s", error);
        return false;
    }
    *bitcode = ran.status || ran.signal || ran.timed_out ? NULL : scratch_read(scratch, "out.bc", bitcode_size);
    bool good = *bitcode || report_refusal(path, program, &ran);
    free(ran.output);
    return good;
}

bool cmc_read_spirv(const char *path, const void *bytes, size_t size, void **bitcode, size_t *bitcode_size)
{
    char program[4096], error[ERROR_SIZE];
    struct scratch scratch;
    const char *wrong = wrong_spirv(bytes, size);
    if (wrong) {
        cmc_error("%s: %s", path, wrong);
        return false;
    }
    if (!find_translator(program, sizeof program)) {
        cmc_error("%s: reading SPIR-V needs the program llvm-spirv (Debian 12: package llvm-spirv-14; "
                  "$CMKIT_LLVM_SPIRV names another)",
                  path);
        return false;
    }
    if (!scratch_create(&scratch, error, sizeof error)) {
        cmc_error("%s", error);
        return false;
    }
    bool good = scratch_write_bytes(&scratch, "in.spv", bytes, size, error, sizeof error);
    if (!good)
        cmc_error("%s", error);
    good = good && translate(program, path, &scratch, bitcode, bitcode_size);
    scratch_remove(&scratch);
    return good;
}
