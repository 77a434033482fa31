/* Reads back what a kernel's text says of its launch: see read_text.h. The text is anybody's: every number is checked
 * before it reaches the zebin. */
#include "visa_emit/read_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16, MOST_ARGUMENTS = 1024, MOST_BINDING = 239, LINE_SIZE = 1024 };

/* In the order of enum visa_argument_kind, enum visa_access. */
static const char *const kind_words[] = {"value",   "pointer",   "local",      "buffer",      "image_block",  "image",
                                         "sampler", "local_ids", "local_size", "group_count", "printf_buffer"};
static const char *const access_words[] = {"read_write", "read_only", "write_only"};

/* --- writing -------------------------------------------------------------------------------------------------------
 */

static void print_plain(const char *text, FILE *out)
{
    for (; text && *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

void visa_print_launch(const struct visa_program *program, const struct visa_kernel *kernel, FILE *out)
{
    fprintf(out, "//.thread slm=%u barrier=%d strings=%zu\n", kernel->slm_bytes, (int)visa_barrier_count(kernel),
            program->string_count);
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct visa_argument *a = &kernel->arguments[i];
        fprintf(out, "//.arg %d %s %s offset=%d size=%u binding=%d dimensions=%u block=%ux%u ", a->index,
                kind_words[a->kind], access_words[a->access], a->payload_offset, a->size, a->binding, a->dimensions,
                a->block_width, a->block_rows);
        print_plain(a->name && *a->name ? a->name : "-", out);
        fputc(' ', out);
        print_plain(a->type_name, out);
        fputc('\n', out);
    }
}

/* --- reading -------------------------------------------------------------------------------------------------------
 */

struct reader {
    struct visa_program *program;
    struct visa_part *parts;
    size_t most;
    bool assembly, described; /* the kernel has //.arg or //.thread lines */
    const char *start;        /* of the part that begins here */
    unsigned line, start_line;
    char *error;
    size_t error_size;
};

static bool fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct reader *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(r->error, r->error_size, format, list);
    va_end(list);
    return false;
}

static struct visa_kernel *kernel_of(struct reader *r)
{
    size_t count = r->program->kernel_count;
    return count ? &r->program->kernels[count - 1] : NULL;
}

static int word_number(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return (int)i;
    return -1;
}

static bool in_memory(const struct visa_argument *a)
{
    return a->payload_offset >= 0;
}

/* The kinds that the driver passes in the payload, and in the binding table. */
static const char *wrong_argument(const struct reader *r, const struct visa_argument *a)
{
    bool surface = a->kind == VISA_ARG_BUFFER || a->kind == VISA_ARG_IMAGE || a->kind == VISA_ARG_IMAGE_BLOCK;
    bool implicit = a->kind > VISA_ARG_SAMPLER;
    bool payload = !surface && a->kind != VISA_ARG_SAMPLER && a->kind != VISA_ARG_LOCAL_IDS;
    if (implicit != (a->index < 0) || a->index >= MOST_ARGUMENTS)
        return "its index does not fit its kind";
    if (payload && !in_memory(a))
        return "it has no offset";
    if (in_memory(a) && a->kind != VISA_ARG_LOCAL_IDS &&
        (a->payload_offset < 2 * (int)r->program->platform->grf_bytes || a->payload_offset > MOST_BYTES || !a->size ||
         a->size > MOST_BYTES))
        return "its bytes lie outside the payload, which begins behind two registers";
    if (surface ? a->binding < 0 || a->binding > MOST_BINDING : a->binding != -1)
        return "its binding does not fit its kind";
    return a->dimensions > 3 ? "it has more than three dimensions" : NULL;
}

static bool read_argument(struct reader *r, const char *line)
{
    char kind[24], access[24], name[256];
    struct visa_argument a = {0};
    int end = 0;
    if (!kernel_of(r))
        return fail(r, "an argument before its kernel");
    if (sscanf(line, "%d %23s %23s offset=%d size=%u binding=%d dimensions=%u block=%ux%u %255s%n", &a.index, kind,
               access, &a.payload_offset, &a.size, &a.binding, &a.dimensions, &a.block_width, &a.block_rows, name,
               &end) != 10)
        return fail(r, "not a line '//.arg INDEX KIND ACCESS offset=N size=N binding=N dimensions=N block=NxN NAME "
                       "TYPE'");
    int kind_number = word_number(kind, kind_words, sizeof kind_words / sizeof *kind_words);
    int access_number = word_number(access, access_words, sizeof access_words / sizeof *access_words);
    if (kind_number < 0 || access_number < 0)
        return fail(r, "no kind of arguments, or of their use: '%s'", kind_number < 0 ? kind : access);
    a.kind = (enum visa_argument_kind)kind_number;
    a.access = (enum visa_access)access_number;
    a.name = visa_string(r->program, strcmp(name, "-") == 0 ? "" : name);
    a.type_name = visa_string(r->program, line[end] == ' ' ? line + end + 1 : "");
    const char *wrong = wrong_argument(r, &a);
    if (wrong)
        return fail(r, "argument '%s': %s", name, wrong);
    if (kernel_of(r)->argument_count == MOST_ARGUMENTS)
        return fail(r, "more than %d arguments", MOST_ARGUMENTS);
    visa_add_argument(r->program, kernel_of(r), &a);
    return true;
}

static bool read_thread(struct reader *r, const char *line)
{
    unsigned shared, barrier, strings, most = r->program->platform->slm_kilobytes * 1024;
    struct visa_kernel *kernel = kernel_of(r);
    if (!kernel || sscanf(line, "slm=%u barrier=%u strings=%u", &shared, &barrier, &strings) != 3)
        return fail(r, "not a line '//.thread slm=N barrier=0|1 strings=N' behind its kernel");
    if (strings)
        return fail(r, "kernel '%s' prints: its texts are in the zebin, not here", kernel->name);
    if (barrier > 32)
        return fail(r, "kernel '%s' asks for %u barriers: there are 32", kernel->name, barrier);
    if (shared > most)
        return fail(r, "kernel '%s' asks for %u bytes of shared memory: there are %u", kernel->name, shared, most);
    kernel->slm_bytes = shared;
    kernel->has_barrier = barrier != 0;
    kernel->named_barriers = barrier > 1 ? barrier - 1 : 0;
    return r->described = true;
}

/* `.input Vn offset=N size=N`, of a text that others wrote: numbers, and addresses if they are declared as one uq. */
static bool read_input(struct reader *r, const char *line)
{
    char name[64], declared[96];
    struct visa_argument a = {.binding = -1};
    struct visa_kernel *kernel = kernel_of(r);
    if (!kernel || sscanf(line, "%63s offset=%d size=%u", name, &a.payload_offset, &a.size) != 3)
        return fail(r, "not a line '.input NAME offset=N size=N' behind its kernel");
    snprintf(declared, sizeof declared, ".decl %s v_type=", name);
    const char *declaration = strstr(r->start, declared);
    char class = '\0';
    if (declaration)
        class = declaration[strlen(declared)];
    if (class != 'G')
        return fail(r,
                    "input %s: only general variables say how they are passed; for surfaces and samplers write lines "
                    "//.arg",
                    name);
    declaration += strlen(declared);
    bool address = strncmp(declaration, "G type=uq num_elts=1 ", 21) == 0;
    if (a.payload_offset < 2 * (int)r->program->platform->grf_bytes)
        return true; /* thread header and local ids */
    a.kind = address ? VISA_ARG_POINTER : VISA_ARG_VALUE;
    a.index = (int)kernel->argument_count;
    a.name = visa_string(r->program, name);
    a.type_name = "";
    const char *wrong = wrong_argument(r, &a);
    if (wrong || a.index == MOST_ARGUMENTS)
        return fail(r, "input %s: %s", name, wrong ? wrong : "too many arguments");
    visa_add_argument(r->program, kernel, &a);
    return true;
}

/* Ends the part before this line. */
static void end_part(struct reader *r, const char *here)
{
    if (r->program->kernel_count)
        r->parts[r->program->kernel_count - 1].size = (size_t)(here - r->parts[r->program->kernel_count - 1].text);
}

static bool begin_kernel(struct reader *r, const char *name)
{
    char plain[256];
    size_t quoted = *name == '"';
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name + quoted, quoted ? "\"" : " \t"), name + quoted);
    for (size_t i = 0; i < r->program->kernel_count; i++)
        if (strcmp(r->program->kernels[i].name, plain) == 0)
            return fail(r, "a second kernel '%s'", plain);
    if (!*plain || r->program->kernel_count == r->most)
        return fail(r, "%s", *plain ? "too many kernels" : "a kernel without a name");
    struct visa_kernel *kernel = visa_add_kernel(r->program, plain);
    kernel->uses_stateless = kernel->has_barrier = true; /* as far as one knows */
    r->parts[r->program->kernel_count - 1] = (struct visa_part){r->start, 0, r->start_line};
    r->described = false;
    return true;
}

/* `.kernel_attr SLMSize=KILOBYTES`, `.kernel_attr NoBarrier` */
static bool read_attribute(struct reader *r, const char *line)
{
    struct visa_kernel *kernel = kernel_of(r);
    unsigned long kilobytes = strncmp(line, "SLMSize=", 8) == 0 ? strtoul(line + 8, NULL, 10) : 0;
    if (!kernel || r->described)
        return true;
    if (kilobytes > r->program->platform->slm_kilobytes)
        return fail(r, "more shared memory than there is: %lu KiB", kilobytes);
    if (kilobytes)
        kernel->slm_bytes = (unsigned)kilobytes * 1024;
    if (strncmp(line, "NoBarrier", 9) == 0)
        kernel->has_barrier = false;
    return true;
}

/* What stands behind `word` in a line that begins with it; NULL: another line. */
static const char *behind(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\t')
               ? line + length + strspn(line + length, " \t")
               : NULL;
}

/* here: where the line begins in the text; line: a copy of its start. */
static bool read_line(struct reader *r, const char *here, const char *line)
{
    const char *rest;
    bool begins = r->assembly ? behind(line, "//.kernel") != NULL : strncmp(line, ".version", 8) == 0;
    if (begins) {
        end_part(r, here);
        r->start = here;
        r->start_line = r->line;
    }
    if ((rest = behind(line, r->assembly ? "//.kernel" : ".kernel")))
        return begin_kernel(r, rest);
    if ((rest = behind(line, "//.arg")))
        return read_argument(r, rest);
    if ((rest = behind(line, "//.thread")))
        return read_thread(r, rest);
    if (!r->assembly && (rest = behind(line, ".kernel_attr")))
        return read_attribute(r, rest);
    if (!r->assembly && !r->described && (rest = behind(line, ".input")))
        return read_input(r, rest);
    return true;
}

bool visa_read_text(struct visa_program *program, const char *text, bool assembly, const char *otherwise,
                    struct visa_part *parts, size_t most, unsigned *error_line, char *error, size_t error_size)
{
    struct reader r = {.program = program,
                       .parts = parts,
                       .most = most,
                       .assembly = assembly,
                       .start = text,
                       .line = 1,
                       .start_line = 1,
                       .error = error,
                       .error_size = error_size};
    char line[LINE_SIZE];
    *error_line = 0;
    if (assembly && strncmp(text, "//.kernel ", 10) != 0 && !strstr(text, "\n//.kernel ") &&
        !begin_kernel(&r, otherwise))
        return false;
    for (const char *here = text; *here; r.line++) {
        size_t length = strcspn(here, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), here);
        line[strcspn(line, "\r")] = '\0';
        if (!read_line(&r, here, line)) {
            *error_line = r.line;
            return false;
        }
        here += length + (here[length] == '\n');
    }
    end_part(&r, text + strlen(text));
    return program->kernel_count || fail(&r, "no kernel");
}
