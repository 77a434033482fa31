#include "runtime/cmrun/argument.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t argument_parse_size(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    unsigned shift = *end == 'k' || *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (*text < '0' || *text > '9' || errno || end[shift != 0] || value > SIZE_MAX >> shift)
        return 0;
    return (size_t)value << shift;
}

int argument_parse_counts(const char *text, uint32_t counts[3])
{
    counts[0] = counts[1] = counts[2] = 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        unsigned long long value = strtoull(text, &end, 10);
        if (*text < '0' || *text > '9' || errno || value < 1 || value > UINT32_MAX)
            return 0;
        counts[i] = (uint32_t)value;
        if (!*end)
            return i + 1;
        if (*end != 'x')
            return 0;
        text = end + 1;
    }
    return 0;
}

/* Cuts the field that starts at *at at the first of `stops` that no backslash escapes, and removes backslashes. Returns
 * the stop character (0 at the end) and moves *at past it. */
static char cut_field(char **at, const char *stops)
{
    char *from = *at, *to = *at;
    while (*from && !strchr(stops, *from)) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from++;
    }
    char stop = *from;
    *at = stop ? from + 1 : from;
    *to = 0;
    return stop;
}

/* Parses the attributes of buffers and images: @w, @r=FILE, @device ... `rest` starts after the first '@'. */
static int parse_attributes(char *rest, struct argument *out, char *why)
{
    static const struct {
        const char *name;
        enum cmrt_memory memory;
    } memories[] = {{"shared", CMRT_MEMORY_SHARED}, {"host", CMRT_MEMORY_HOST}, {"device", CMRT_MEMORY_DEVICE}};
    for (char stop = '@'; stop == '@';) {
        char *field = rest, *value;
        stop = cut_field(&rest, "@");
        value = strchr(field, '=');
        if (value)
            *value++ = 0;
        int known = 0;
        if (strcmp(field, "r") == 0 || strcmp(field, "w") == 0 || strcmp(field, "rw") == 0) {
            int reads = strchr(field, 'r') != NULL, writes = strchr(field, 'w') != NULL;
            known = 1;
            if (!value)
                out->bare |= (reads ? CMRT_READ : 0) | (writes ? CMRT_WRITE : 0);
            if (value && reads)
                out->file = value;
            if (value && writes)
                out->output = value;
        } else if (strcmp(field, "print") == 0 && value) {
            known = 1;
            out->print = scalar_find(value, strlen(value));
            if (out->print == SCALAR_COUNT)
                return snprintf(why, REASON_BYTES, "'%s' is no element type", value), -1;
        }
        for (size_t i = 0; !known && i < sizeof memories / sizeof *memories; i++) {
            if (!value && strcmp(field, memories[i].name) == 0) {
                out->memory = memories[i].memory;
                known = 1;
            }
        }
        if (!known)
            return snprintf(why, REASON_BYTES, "unknown attribute '@%s'", field), -1;
    }
    return 0;
}

/* A file named as the source is read; with a bare @w it is written, with a bare @rw both. */
static int name_source(struct argument *out, const char *path, char *why)
{
    int reads = out->bare != CMRT_WRITE, writes = (out->bare & CMRT_WRITE) != 0;
    if ((reads && out->file) || (writes && out->output))
        return snprintf(why, REASON_BYTES, "a file before '@' and another for the same purpose behind it"), -1;
    if (reads)
        out->file = path;
    if (writes)
        out->output = path;
    return 0;
}

/* Refuses a bare attribute on memory of a given size, which has no file. */
static int size_source(const struct argument *out, char *why)
{
    return out->bare ? (snprintf(why, REASON_BYTES, "@r and @w need a file here: @w=FILE"), -1) : 0;
}

static int parse_buffer(const char *source, const char *detail, struct argument *out, char *why)
{
    if (*source >= '0' && *source <= '9' && (out->bytes = argument_parse_size(source)) != 0) {
        out->pattern = detail;
        return size_source(out, why);
    }
    size_t digits = strspn(source, "0123456789");
    int size = digits && (!source[digits] || (strchr("kKMG", source[digits]) && !source[digits + 1]));
    if (detail || size)
        return snprintf(why, REASON_BYTES, "'%s' is no size", source), -1;
    if (out->bare == CMRT_WRITE)
        return snprintf(why, REASON_BYTES, "how large? Write it as buf:BYTES@w=%s", source), -1;
    return name_source(out, source, why);
}

static int is_format(const char *text)
{
    return cmrt_format_find(text) != CMRT_FORMAT_NONE ||
           (strncmp(text, "raw", 3) == 0 && (!text[3] || (text[3] >= '1' && text[3] <= '4' && !text[4])));
}

static int parse_image(const char *source, char *first, char *second, struct argument *out, char *why)
{
    uint32_t counts[3];
    int dimensions = argument_parse_counts(source, counts);
    if (first && is_format(first)) {
        out->format = first;
        first = second;
        second = NULL;
    }
    if (second)
        return snprintf(why, REASON_BYTES, "'%s' is no image format", first), -1;
    if (dimensions && dimensions != 2 && out->format && strncmp(out->format, "raw", 3) == 0)
        return snprintf(why, REASON_BYTES, "'%s' is no size of a raw image, which has 2 dimensions", source), -1;
    if (dimensions) {
        out->dimensions = (unsigned)dimensions;
        out->width = counts[0];
        out->height = counts[1];
        out->depth = counts[2];
        out->pattern = first;
        return size_source(out, why);
    }
    if (first)
        return snprintf(why, REASON_BYTES, "'%s' is no image format", first), -1;
    if (out->bare == CMRT_WRITE) {
        out->like_first = 1;
        if (out->format)
            return snprintf(why, REASON_BYTES, "a format needs a size too: img:WxH:%s@w=%s", out->format, source), -1;
    }
    return name_source(out, source, why);
}

/* buf:SOURCE[:DETAIL][@...] and img:SOURCE[:DETAIL[:DETAIL]][@...] */
static int parse_memory(char *rest, struct argument *out, char *why)
{
    char *fields[3] = {NULL, NULL, NULL};
    char stop = ':';
    for (int i = 0; i < 3 && stop == ':'; i++) {
        fields[i] = rest;
        stop = cut_field(&rest, ":@");
    }
    if (stop == ':')
        return snprintf(why, REASON_BYTES, "too many ':'"), -1;
    if (stop == '@' && parse_attributes(rest, out, why))
        return -1;
    if (!*fields[0])
        return snprintf(why, REASON_BYTES, "a file or a size is missing"), -1;
    if (out->kind == CMRT_ARGUMENT_IMAGE)
        return parse_image(fields[0], fields[1], fields[2], out, why);
    if (fields[2])
        return snprintf(why, REASON_BYTES, "too many ':'"), -1;
    return parse_buffer(fields[0], fields[1], out, why);
}

static int parse_sampler(char *rest, struct argument *out, char *why)
{
    static const char *const addresses[] = {"none", "clamp", "border", "repeat", "mirror"};
    for (char stop = ','; stop == ',';) {
        char *word = rest;
        int known = 1;
        stop = cut_field(&rest, ",");
        if (strcmp(word, "nearest") == 0)
            out->filter = CMRT_FILTER_NEAREST;
        else if (strcmp(word, "linear") == 0)
            out->filter = CMRT_FILTER_LINEAR;
        else if (strcmp(word, "normalized") == 0)
            out->normalized = 1;
        else
            known = 0;
        for (int i = 0; !known && i < 5; i++) {
            if (strcmp(word, addresses[i]) == 0) {
                out->address = (enum cmrt_sampler_address)i;
                known = 1;
            }
        }
        if (!known)
            return snprintf(why, REASON_BYTES, "unknown sampler property '%s'", word), -1;
    }
    return 0;
}

static int parse_local(const char *text, struct argument *out, char *why)
{
    out->bytes = argument_parse_size(text);
    return out->bytes ? 0 : (snprintf(why, REASON_BYTES, "'%s' is no size", text), -1);
}

int argument_parse(const char *text, struct argument *out, char why[REASON_BYTES])
{
    memset(out, 0, sizeof *out);
    out->text = text;
    out->print = SCALAR_COUNT;
    out->address = CMRT_ADDRESS_CLAMP;
    out->copy = strdup(text);
    if (!out->copy)
        return snprintf(why, REASON_BYTES, "out of memory"), -1;
    char *rest = strchr(out->copy, ':');
    if (!rest)
        return snprintf(why, REASON_BYTES, "no ':'; write it as u32:7, buf:FILE, img:FILE.png ..."), -1;
    *rest++ = 0;
    enum scalar_type type = scalar_find(out->copy, strlen(out->copy));
    if (type < SCALAR_COUNT) {
        out->kind = CMRT_ARGUMENT_VALUE;
        out->value = values_parse(type, rest, &out->bytes, why, REASON_BYTES);
        return out->value ? 0 : -1;
    }
    static const struct {
        const char *name;
        enum cmrt_argument_kind kind;
    } kinds[] = {{"buf", CMRT_ARGUMENT_BUFFER},
                 {"img", CMRT_ARGUMENT_IMAGE},
                 {"sampler", CMRT_ARGUMENT_SAMPLER},
                 {"slm", CMRT_ARGUMENT_LOCAL}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(out->copy, kinds[i].name) == 0)
            out->kind = kinds[i].kind;
    switch (out->kind) {
    case CMRT_ARGUMENT_BUFFER:
    case CMRT_ARGUMENT_IMAGE: return parse_memory(rest, out, why);
    case CMRT_ARGUMENT_SAMPLER: return parse_sampler(rest, out, why);
    case CMRT_ARGUMENT_LOCAL: return parse_local(rest, out, why);
    default:
        return snprintf(why, REASON_BYTES, "'%s' is no kind of argument (u32, f32, buf, img, sampler, slm ...)",
                        out->copy),
               -1;
    }
}

void argument_free(struct argument *argument)
{
    free(argument->copy);
    free(argument->value);
    memset(argument, 0, sizeof *argument);
}
