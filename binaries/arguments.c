/* Finds where a kernel's pointers, and the address of its private memory, are in its payload, and how much shared local
 * memory it declares, in the description of a zebin (.ze_info, YAML in block style, as Intel's compilers and cmc write
 * it). */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "binaries/binaries.h"

/* A line "  - KEY: VALUE" of the text. */
struct line {
    size_t indent; /* of KEY */
    int is_item;   /* it has a dash */
    char key[40], value[64];
};

static int read_line(const char **text, const char *end, struct line *line)
{
    if (*text >= end)
        return 0;
    const char *newline = memchr(*text, '\n', (size_t)(end - *text)), *stop = newline ? newline : end, *at = *text;
    *line = (struct line){.key = ""};
    while (at < stop && *at == ' ')
        at++;
    if (stop - at > 1 && at[0] == '-' && at[1] == ' ') {
        line->is_item = 1;
        for (at++; at < stop && *at == ' '; at++)
            ;
    }
    line->indent = (size_t)(at - *text);
    const char *colon = memchr(at, ':', (size_t)(stop - at));
    if (colon) {
        const char *value = colon + 1;
        while (value < stop && (*value == ' ' || *value == '\'' || *value == '"'))
            value++;
        const char *last = stop;
        while (last > value && strchr(" '\"\r", last[-1]))
            last--;
        snprintf(line->key, sizeof line->key, "%.*s", (int)(colon - at), at);
        snprintf(line->value, sizeof line->value, "%.*s", (int)(last - value), value);
    }
    *text = newline ? newline + 1 : end;
    return 1;
}

/* Where the reader is: in which list of which kernel. */
struct place {
    char section[40], list[40];
    int is_kernel; /* the one that is sought */
};

static void enter(struct place *place, const struct line *line, const char *kernel)
{
    if (line->indent == 0 && !line->is_item) {
        snprintf(place->section, sizeof place->section, "%s", line->key);
        place->is_kernel = 0;
    } else if (line->is_item && strcmp(line->key, "name") == 0) {
        place->is_kernel = strcmp(line->value, kernel) == 0;
        place->list[0] = 0;
    } else if (!line->is_item && !line->value[0]) {
        snprintf(place->list, sizeof place->list, "%s", line->key);
    }
}

static int is_pointer(const struct zebin_argument *a, const char *type)
{
    return a->size == 8 && (strcmp(type, "arg_bypointer") == 0 || strcmp(type, "buffer_address") == 0);
}

static void read_number(struct zebin_argument *item, const struct line *line)
{
    uint32_t value = (uint32_t)strtoul(line->value, NULL, 10);
    if (strcmp(line->key, "offset") == 0)
        item->offset = value;
    else if (strcmp(line->key, "size") == 0)
        item->size = value;
    else if (strcmp(line->key, "arg_index") == 0)
        item->index = value;
}

/* Adds the pointers of the kernel's payload. */
static size_t find_pointers(const char *text, const char *end, const char *kernel, struct zebin_argument *arguments,
                            size_t room)
{
    struct place place = {.section = ""};
    struct zebin_argument item = {.name = ""};
    struct line line;
    char type[64] = "";
    size_t count = 0;
    int more;
    do {
        more = read_line(&text, end, &line);
        int is_field = more && place.is_kernel && strcmp(place.list, "payload_arguments") == 0 && line.value[0];
        if ((!is_field || line.is_item) && is_pointer(&item, type) && count < room)
            arguments[count++] = item;
        if (!is_field || line.is_item)
            type[0] = 0;
        if (more)
            enter(&place, &line, kernel);
        if (!is_field)
            continue;
        if (line.is_item)
            item = (struct zebin_argument){.name = ""};
        if (strcmp(line.key, "arg_type") == 0)
            snprintf(type, sizeof type, "%s", line.value);
        read_number(&item, &line);
    } while (more);
    return count;
}

/* Adds the names that the source gives them, where the file says them. */
static void find_names(const char *text, const char *end, const char *kernel, struct zebin_argument *arguments,
                       size_t count)
{
    struct place place = {.section = ""};
    struct line line;
    uint32_t index = 0;
    while (read_line(&text, end, &line)) {
        enter(&place, &line, kernel);
        if (!place.is_kernel || strcmp(place.list, "args_info") != 0)
            continue;
        if (strcmp(line.key, "index") == 0)
            index = (uint32_t)strtoul(line.value, NULL, 10);
        for (size_t i = 0; i < count && strcmp(line.key, "name") == 0; i++)
            if (arguments[i].index == index)
                snprintf(arguments[i].name, sizeof arguments[i].name, "%s", line.value);
    }
}

size_t zebin_pointers(const uint8_t *bytes, size_t size, const char *kernel, struct zebin_argument *arguments,
                      size_t room)
{
    size_t length;
    const char *text = (const char *)zebin_section(bytes, size, ".ze_info", &length);
    if (!text)
        return 0;
    size_t count = find_pointers(text, text + length, kernel, arguments, room);
    find_names(text, text + length, kernel, arguments, count);
    return count;
}

/* What one item of a list of the kernel says. */
struct private_item {
    char type[64], usage[64];
    uint64_t offset, size;
    int is_of_lane;
};

static void read_field(struct private_item *item, const struct line *line)
{
    if (strcmp(line->key, "arg_type") == 0 || strcmp(line->key, "type") == 0)
        snprintf(item->type, sizeof item->type, "%s", line->value);
    else if (strcmp(line->key, "usage") == 0)
        snprintf(item->usage, sizeof item->usage, "%s", line->value);
    else if (strcmp(line->key, "offset") == 0)
        item->offset = strtoul(line->value, NULL, 10);
    else if (strcmp(line->key, "size") == 0)
        item->size = strtoul(line->value, NULL, 10);
    else if (strcmp(line->key, "is_simt_thread") == 0)
        item->is_of_lane = strcmp(line->value, "true") == 0;
}

int zebin_private_find(const uint8_t *bytes, size_t size, const char *kernel, struct zebin_private *memory)
{
    size_t length;
    const char *text = (const char *)zebin_section(bytes, size, ".ze_info", &length),
               *end = text ? text + length : NULL;
    struct place place = {.section = ""};
    struct private_item item = {.type = ""};
    struct line line;
    uint64_t lanes = 1;
    int has_address = 0;
    *memory = (struct zebin_private){0};
    while (text && read_line(&text, end, &line)) {
        enter(&place, &line, kernel);
        if (!place.is_kernel)
            continue;
        if (strcmp(line.key, "simd_size") == 0)
            lanes = strtoul(line.value, NULL, 10);
        if (line.is_item)
            item = (struct private_item){.type = ""};
        read_field(&item, &line);
        if (strcmp(place.list, "payload_arguments") == 0 && strcmp(item.type, "private_base_stateless") == 0) {
            memory->offset = (uint32_t)item.offset;
            has_address = 1;
        }
        if (strcmp(place.list, "per_thread_memory_buffers") == 0 && strcmp(item.type, "global") == 0 &&
            strcmp(item.usage, "private_space") == 0)
            memory->thread_bytes = item.size * (item.is_of_lane ? lanes : 1);
    }
    return has_address && memory->thread_bytes;
}

/* True if the file has the same code for another kernel: only its name says which one it is. */
static int has_code(const uint8_t *bytes, size_t size, const char *kernel, const struct zebin_code *code)
{
    struct zebin_code own;
    return zebin_code_find(bytes, size, kernel, &own) && own.size == code->size &&
           memcmp(own.bytes, code->bytes, own.size) == 0;
}

int zebin_local_find(const uint8_t *bytes, size_t size, const char *kernel, struct zebin_local *local)
{
    size_t length;
    const char *text = (const char *)zebin_section(bytes, size, ".ze_info", &length),
               *end = text ? text + length : NULL;
    struct place place = {.section = ""};
    struct zebin_argument item = {.name = ""};
    struct zebin_code code;
    struct line line;
    int is_same = 0, is_found = 0;
    *local = (struct zebin_local){0};
    if (!text || !zebin_code_find(bytes, size, kernel, &code))
        return 0;
    while (read_line(&text, end, &line)) {
        enter(&place, &line, kernel);
        if (strcmp(place.section, "kernels") != 0)
            continue;
        if (line.is_item && strcmp(line.key, "name") == 0)
            is_same = has_code(bytes, size, line.value, &code);
        if (!is_same)
            continue;
        uint32_t declared = strcmp(line.key, "slm_size") == 0 ? (uint32_t)strtoul(line.value, NULL, 10) : 0;
        local->bytes = declared > local->bytes ? declared : local->bytes;
        if (line.is_item)
            item = (struct zebin_argument){.name = ""};
        read_number(&item, &line);
        if (strcmp(line.key, "addrspace") != 0 || strcmp(line.value, "local") != 0)
            continue;
        if (!place.is_kernel) /* another kernel's numbers say nothing of this one's */
            local->count = ZEBIN_LOCAL_ARGUMENTS;
        if (local->count < ZEBIN_LOCAL_ARGUMENTS)
            local->arguments[local->count] = item; /* its numbers are in front of the kind of memory */
        local->count++;
        is_found = 1;
    }
    return is_found || local->bytes;
}
