/* Reads what `gensim --profile` or `--stats` counted of a kernel, and adds it to the Gen and source lines. It reads the
 * lines that gensim writes, and no other JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/explain/explain.h"
#include "cmc/options.h"

/* The number after "KEY": in a line. False: there is none. */
static bool read_number(const char *text, const char *key, uint64_t *number)
{
    char quoted[64], *end;
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    if (!at)
        return false;
    at += strlen(quoted);
    *number = strtoull(at, &end, 10);
    return end != at;
}

/* True if the line has "KEY": "VALUE". */
static bool has_text(const char *text, const char *key, const char *value)
{
    char *quoted = NULL;
    if (asprintf(&quoted, "\"%s\": \"%s\"", key, value) < 0)
        quoted = NULL;
    bool found = strstr(text, cmc_checked(quoted)) != NULL;
    free(quoted);
    return found;
}

/* True if both instructions have the same name: the letters behind predicates, up to a bracket. */
static bool is_same_instruction(const char *gen, const char *json)
{
    const char *quoted = strstr(json, "\"text\": \"");
    if (!quoted)
        return false;
    quoted += strlen("\"text\": \"");
    for (int i = 0; i < 2; i++) {
        const char **text = i ? &quoted : &gen;
        *text += strspn(*text, " ");
        while (**text == '(' && strchr(*text, ')'))
            *text = strchr(*text, ')') + 1, *text += strspn(*text, " ");
    }
    size_t length = strcspn(gen, " .("), other = strcspn(quoted, " .(");
    return length == other && strncmp(gen, quoted, length) == 0;
}

/* Adds a line {"offset": ...} to the instruction there. False: there is none like it. */
static bool add_counts(struct explain_kernel *e, const char *json)
{
    struct explain_listing *gen = &e->forms[EXPLAIN_GEN];
    uint64_t offset, executed, cycles;
    if (!read_number(json, "offset", &offset) || !read_number(json, "executed", &executed) ||
        !read_number(json, "cycles", &cycles))
        return false;
    for (size_t i = 0; i < gen->count; i++)
        if (gen->lines[i].offset == offset && is_same_instruction(gen->lines[i].text, json)) {
            gen->lines[i].executed = executed;
            gen->lines[i].cycles = cycles;
            e->run.cycles += cycles;
            e->run.has_lines = true;
            return true;
        }
    return false;
}

/* Reads the kernel's part of the file. False: it is of other code. */
static bool read_kernel(struct explain_kernel *e, FILE *file, char **line, size_t *size)
{
    bool in_lines = false;
    e->run.is_known = true;
    if (read_number(*line, "launches", &e->run.launches)) /* of --stats, all in one line */
        return read_number(*line, "instructions", &e->run.instructions);
    while (getline(line, size, file) > 0) {
        if (strstr(*line, "\"timing\": {"))
            read_number(*line, "launches", &e->run.launches), read_number(*line, "instructions", &e->run.instructions);
        else if (strstr(*line, "\"lines\": ["))
            in_lines = true;
        else if (in_lines && strncmp(*line, "      {\"offset\": ", 17) != 0)
            break;
        else if (in_lines && !add_counts(e, *line))
            return false;
    }
    return true;
}

/* Source lines have the sums of their instructions. */
static void sum_up(struct explain_kernel *e)
{
    struct explain_listing *source = &e->forms[EXPLAIN_SOURCE], *gen = &e->forms[EXPLAIN_GEN];
    for (size_t i = 0; i < source->count; i++)
        for (size_t g = 0; g < gen->count && source->lines[i].file; g++)
            if (gen->lines[g].file == source->lines[i].file && gen->lines[g].line == source->lines[i].line) {
                source->lines[i].executed += gen->lines[g].executed;
                source->lines[i].cycles += gen->lines[g].cycles;
            }
}

bool explain_run_read(struct explain_kernel *e, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    bool is_json = false, has_device = false, is_same = true;
    if (!file) {
        cmc_error("--with: %s: %s", path, strerror(errno));
        return false;
    }
    while (!e->run.is_known && getline(&line, &size, file) > 0) {
        is_json |= strncmp(line, "{\"gensim_profile\": 1,", 21) == 0 || strncmp(line, "  \"timing\": ", 12) == 0;
        has_device |= has_text(line, "device", e->program->platform->ocloc);
        if (strncmp(line, "    {\"kernel\": ", 15) == 0 && has_text(line, "kernel", e->kernel->name) && is_json)
            is_same = read_kernel(e, file, &line, &size);
    }
    free(line);
    fclose(file);
    if (!is_json)
        cmc_error("--with: %s is no JSON of gensim --profile or --stats", path);
    else if (!has_device)
        cmc_error("--with: %s is of another device than %s", path, e->program->platform->ocloc);
    else if (!is_same)
        cmc_error("--with: %s is of another version of kernel %s: compile it as it was when it ran", path,
                  e->kernel->name);
    if (is_same)
        sum_up(e);
    return is_json && has_device && is_same;
}
