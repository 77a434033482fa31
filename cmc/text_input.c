/* Compiles inputs that stand behind the middle end: vISA text through the finalizer, Gen assembly through iga64, and
 * Gen instructions as they are, to a zebin. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/phases.h"
#include "runtime/file.h"
#include "visa_emit/gen_layout.h"
#include "visa_emit/process.h"
#include "visa_emit/read_text.h"

enum { ERROR_SIZE = 1024, MOST_KERNELS = 1024, ASSEMBLER_SECONDS = 60 };

struct text_input {
    const struct cmc_options *options;
    struct visa_program *program;
    struct gen_code *codes;
    struct visa_part parts[MOST_KERNELS];
};

/* Reads the input, or the file beside raw code. The caller frees the text. NULL after an error line. */
static char *read_text(const struct cmc_options *options, const char *path, size_t *size)
{
    void *bytes;
    if (options->text && path == options->input) {
        *size = options->text_size;
        return memcpy(cmc_checked(calloc(1, *size + 1)), options->text, *size);
    }
    if (file_read(path, &bytes, size) == 0)
        return bytes;
    cmc_error("cannot read %s: %s", path, strerror(errno));
    return NULL;
}

static char *part_text(const struct visa_part *part)
{
    return cmc_checked(strndup(part->text, part->size));
}

/* --- vISA ----------------------------------------------------------------------------------------------------------
 */

/* The finalizer counts lines from the part's first one. */
static bool report_finalizer(const struct text_input *in, size_t kernel, const char *error)
{
    const char *place = strstr(error, "vISA line ");
    char *rest = NULL;
    unsigned long line = place ? strtoul(place + 10, &rest, 10) : 0;
    if (line)
        fprintf(stderr, "%s:%lu: error: the finalizer%s\n", in->options->input, line + in->parts[kernel].line - 1,
                rest);
    else
        cmc_error("%s: %s", in->options->input, error);
    return false;
}

static bool finalize(struct text_input *in, size_t kernel)
{
    char error[ERROR_SIZE];
    char *text = part_text(&in->parts[kernel]);
    bool good = gen_finalize(in->program->platform, in->program->kernels[kernel].name, text,
                             in->options->finalizer_options, &in->codes[kernel], error, sizeof error);
    free(text);
    return good || report_finalizer(in, kernel, error);
}

/* --- Gen assembly --------------------------------------------------------------------------------------------------
 */

static unsigned listed_number(const char *listing, const char *label)
{
    const char *found = strstr(listing, label);
    return found ? (unsigned)strtoul(found + strlen(label), NULL, 10) : 0;
}

/* Takes what a listing says of its code, if it is one. */
static bool take_code(const struct text_input *in, size_t kernel, char *listing, char *code, size_t size)
{
    in->codes[kernel] = (struct gen_code){.code = (uint8_t *)code,
                                          .size = size,
                                          .assembly = listing,
                                          .registers = listed_number(listing, "//.GRF count "),
                                          .spill_bytes = listed_number(listing, "//.spill size "),
                                          .instructions = gen_instruction_count((uint8_t *)code, size)};
    if (!in->codes[kernel].instructions) {
        cmc_error("%s: kernel %s: not whole Gen instructions", in->options->input, in->program->kernels[kernel].name);
        return false;
    }
    if (strstr(listing, "//.full_options"))
        in->codes[kernel].local_id_load_bytes = gen_local_id_load_bytes(listing, (uint8_t *)code, size);
    return true;
}

/* The assembler's message: `line LINE.COLUMN: error: ...`, of the part that it got. */
static bool report_assembler(const struct text_input *in, size_t kernel, const char *said)
{
    unsigned line = 0, column = 0;
    int end = 0;
    const char *place = strstr(said, "line ");
    if (place && sscanf(place, "line %u.%u:%n", &line, &column, &end) == 2 && end) {
        place += end;
        fprintf(stderr, "%s:%u:%u:%.*s\n", in->options->input, line + in->parts[kernel].line - 1, column,
                (int)strcspn(place, "\n"), place);
    } else {
        cmc_error("%s: iga64: %.*s", in->options->input, (int)strcspn(said, "\n"), said);
    }
    return false;
}

static bool run_assembler(const struct text_input *in, size_t kernel, const char *program,
                          const struct scratch *scratch, const char *listing)
{
    char error[ERROR_SIZE], platform[64];
    struct process_result ran;
    size_t size = 0;
    snprintf(platform, sizeof platform, "-p=%s", in->program->platform->assembler);
    const char *argv[] = {program, "-a", platform, "-o", "out.krn", "in.asm", NULL};
    if (!scratch_write(scratch, "in.asm", listing, error, sizeof error) ||
        !process_run(argv, scratch->folder, process_seconds(ASSEMBLER_SECONDS), &ran, error, sizeof error)) {
        cmc_error("%s", error);
        return false;
    }
    bool ended = !ran.signal && !ran.timed_out && ran.status == 0;
    char *code = ended ? scratch_read(scratch, "out.krn", &size) : NULL;
    bool good = code ? take_code(in, kernel, cmc_checked(strdup(listing)), code, size)
                     : report_assembler(in, kernel, ran.output);
    free(ran.output);
    return good;
}

static bool assemble(struct text_input *in, size_t kernel)
{
    char program[4096], error[ERROR_SIZE];
    struct scratch scratch;
    if (!process_find("iga64", program, sizeof program)) {
        cmc_error("Gen assembly needs the assembler iga64 on the path (Debian: libigc-tools)");
        return false;
    }
    if (!scratch_create(&scratch, error, sizeof error)) {
        cmc_error("%s", error);
        return false;
    }
    char *listing = part_text(&in->parts[kernel]);
    bool good = run_assembler(in, kernel, program, &scratch, listing);
    free(listing);
    scratch_remove(&scratch);
    return good;
}

/* --- Gen instructions ----------------------------------------------------------------------------------------------
 */

/* False after an error line: what iga64, where there is one, does not know as instructions of this platform. */
static bool is_gen(const struct text_input *in, const void *code, size_t size)
{
    char program[4096], error[ERROR_SIZE];
    if (!process_find("iga64", program, sizeof program))
        return true;
    char *listing = cmc_disassemble(program, in->program->platform, code, size, error, sizeof error);
    if (!listing)
        cmc_error("%s: no Gen instructions of %s: %s", in->options->input, in->program->platform->name, error);
    free(listing);
    return listing;
}

static bool take_raw(struct text_input *in, size_t kernel)
{
    size_t size;
    char *code = read_text(in->options, in->options->input, &size);
    return code && take_code(in, kernel, part_text(&in->parts[kernel]), code, size) && is_gen(in, code, size);
}

/* --- all -----------------------------------------------------------------------------------------------------------
 */

static bool make_codes(struct text_input *in)
{
    enum cmc_language language = in->options->input_language;
    for (size_t i = 0; i < in->program->kernel_count; i++)
        if (!(language == CMC_LANGUAGE_VISA_TEXT  ? finalize(in, i)
              : language == CMC_LANGUAGE_GEN_TEXT ? assemble(in, i)
                                                  : take_raw(in, i)))
            return false;
    return true;
}

static bool compile_text(struct text_input *in, const char *path, const char *text)
{
    char error[ERROR_SIZE], *stem = cmc_with_suffix(cmc_file_name(path), "");
    unsigned line;
    bool good = visa_read_text(in->program, text, in->options->input_language != CMC_LANGUAGE_VISA_TEXT, stem,
                               in->parts, MOST_KERNELS, &line, error, sizeof error);
    free(stem);
    if (!good && line)
        fprintf(stderr, "%s:%u: error: %s\n", path, line, error);
    else if (!good)
        cmc_error("%s: %s", path, error);
    in->codes = cmc_checked(calloc(in->program->kernel_count + 1, sizeof *in->codes));
    cmc_stage_end(CMC_STAGE_FRONT_END);
    good = good && make_codes(in);
    cmc_stage_end(CMC_STAGE_FINALIZER);
    good = good && cmc_write_zebin(in->options, in->program, in->codes);
    if (good && in->options->report)
        cmc_report(in->program, in->codes);
    for (size_t i = 0; i < in->program->kernel_count; i++)
        gen_code_free(&in->codes[i]);
    free(in->codes);
    return good;
}

bool cmc_compile_text(const struct cmc_options *options)
{
    bool raw = options->input_language == CMC_LANGUAGE_GEN_CODE;
    if (options->output_kind != CMC_BINARY || options->host || options->only_kernel || options->explain ||
        options->remarks) {
        cmc_error("'%s' becomes a binary for a GPU with all its kernels, and nothing else", options->input);
        return false;
    }
    char *path = raw ? cmc_with_suffix(options->input, ".args") : cmc_checked(strdup(options->input));
    struct text_input *in = cmc_checked(calloc(1, sizeof *in));
    size_t size;
    char *text = read_text(options, raw ? path : options->input, &size);
    bool good = text != NULL;
    cmc_stage_begin();
    *in = (struct text_input){.options = options, .program = visa_program_create(options->platform)};
    if (good && strlen(text) != size) {
        cmc_error("%s: text with a byte 0", path);
        good = false;
    }
    good = good && cmc_checked(in->program) && compile_text(in, path, text);
    visa_program_destroy(in->program);
    free(in);
    free(text);
    free(path);
    return good;
}
