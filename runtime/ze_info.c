/* Reads .ze_info, the YAML that describes a zebin's kernels. It reads only the keys that a launch needs and skips keys
 * it does not know, as the format requires. */
#include "runtime/formats.h"
#include "runtime/status.h"
#include "runtime/zebin.h"
#include "runtime/yaml_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXIMUM_ARGUMENTS = 1024, MAXIMUM_KERNELS = 65536 };

static size_t length(const yaml_node_t *list)
{
    return list && list->type == YAML_SEQUENCE_NODE
               ? (size_t)(list->data.sequence.items.top - list->data.sequence.items.start)
               : 0;
}

static yaml_node_t *element(yaml_document_t *document, const yaml_node_t *list, size_t index)
{
    return yaml_document_get_node(document, list->data.sequence.items.start[index]);
}

/* Returns a node's number, or `otherwise` if it is missing or not a number that fits. */
static uint32_t number_of(const yaml_node_t *node, uint32_t otherwise)
{
    const char *text = yaml_text(node);
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    return *text < '0' || *text > '9' || *end || errno || value > UINT32_MAX ? otherwise : (uint32_t)value;
}

/* Returns the number of `key` in `map`. */
static uint32_t number(yaml_document_t *document, const yaml_node_t *map, const char *key, uint32_t otherwise)
{
    return number_of(yaml_find(document, map, key), otherwise);
}

static enum cmrt_access access_of(const char *text)
{
    return strcmp(text, "readonly") == 0 ? CMRT_READ : strcmp(text, "writeonly") == 0 ? CMRT_WRITE : CMRT_READ_WRITE;
}

/* Adds the facts of one payload entry to its argument; one argument can have several entries. */
static void describe_argument(yaml_document_t *document, const yaml_node_t *entry, struct cmrt_argument *argument)
{
    const char *type = yaml_text(yaml_find(document, entry, "arg_type"));
    const char *space = yaml_text(yaml_find(document, entry, "addrspace"));
    if (strcmp(type, "arg_byvalue") == 0) {
        uint64_t end = (uint64_t)number(document, entry, "source_offset", 0) + number(document, entry, "size", 0);
        argument->kind = CMRT_ARGUMENT_VALUE;
        if (end > argument->bytes && end <= UINT32_MAX)
            argument->bytes = (uint32_t)end;
    } else if (strcmp(type, "arg_bypointer") == 0) {
        const char *image = yaml_text(yaml_find(document, entry, "image_type"));
        argument->kind = strcmp(space, "image") == 0     ? CMRT_ARGUMENT_IMAGE
                         : strcmp(space, "sampler") == 0 ? CMRT_ARGUMENT_SAMPLER
                         : strcmp(space, "local") == 0   ? CMRT_ARGUMENT_LOCAL
                                                         : CMRT_ARGUMENT_BUFFER;
        argument->access = access_of(yaml_text(yaml_find(document, entry, "access_type")));
        argument->dimensions = image_type_dimensions(image);
        argument->media_block = strcmp(image, "image_2d_media_block") == 0;
    }
}

/* Texts end at a ';': type names carry their size after one. */
static enum cmrt_status set_names(struct cmrt_argument *argument, const char *name, const char *type)
{
    enum cmrt_status status = zebin_set_text(&argument->name, name, strcspn(name, ";"));
    return status ? status : zebin_set_text(&argument->type, type, strcspn(type, ";"));
}

static enum cmrt_status read_arguments(yaml_document_t *document, const yaml_node_t *kernel,
                                       struct cmrt_kernel_info *info)
{
    const yaml_node_t *entries = yaml_find(document, kernel, "payload_arguments");
    size_t count = 0;
    for (size_t i = 0; i < length(entries); i++) {
        uint32_t index = number(document, element(document, entries, i), "arg_index", UINT32_MAX);
        if (index == UINT32_MAX)
            continue; /* an implicit argument: the driver's own */
        if (index >= MAXIMUM_ARGUMENTS)
            return cmrt_fail(CMRT_BAD_FILE, "damaged zebin: kernel %s has an argument number %u", info->name, index);
        if (index >= count)
            count = index + 1;
    }
    struct cmrt_argument *arguments = calloc(count ? count : 1, sizeof *arguments);
    if (!arguments)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < length(entries); i++) {
        const yaml_node_t *entry = element(document, entries, i);
        uint32_t index = number(document, entry, "arg_index", UINT32_MAX);
        if (index < count)
            describe_argument(document, entry, &arguments[index]);
    }
    info->arguments = arguments;
    info->argument_count = count;
    enum cmrt_status status = CMRT_OK;
    for (size_t i = 0; !status && i < count; i++)
        status = set_names(&arguments[i], "", ""); /* until read_names() finds them */
    return status;
}

static enum cmrt_status read_kernel(yaml_document_t *document, const yaml_node_t *kernel, struct cmrt_kernel_info *info)
{
    const yaml_node_t *environment = yaml_find(document, kernel, "execution_env");
    const yaml_node_t *memory = yaml_find(document, kernel, "per_thread_memory_buffers");
    const yaml_node_t *required = yaml_find(document, environment, "required_work_group_size");
    const char *name = yaml_text(yaml_find(document, kernel, "name"));
    if (!*name)
        return cmrt_fail(CMRT_BAD_FILE, "damaged zebin: a kernel without a name");
    enum cmrt_status status = zebin_set_text(&info->name, name, strlen(name));
    if (status)
        return status;
    info->simd_size = number(document, environment, "simd_size", 0);
    info->grf_count = number(document, environment, "grf_count", 0);
    info->slm_bytes = number(document, environment, "slm_size", 0);
    for (size_t i = 0; i < length(required) && i < 3; i++)
        info->required_local[i] = number_of(element(document, required, i), 0);
    info->barriers = number(document, environment, "barrier_count", 0);
    for (size_t i = 0; i < length(memory); i++) {
        const yaml_node_t *entry = element(document, memory, i);
        if (strcmp(yaml_text(yaml_find(document, entry, "type")), "scratch") == 0)
            info->scratch_bytes += number(document, entry, "size", 0);
    }
    return read_arguments(document, kernel, info);
}

/* cmc writes "TYPE;WIDTHxROWS" for images that are accessed in blocks. */
static void read_block(const char *type, struct cmrt_argument *argument)
{
    enum { MOST = 99999 }; /* of either */
    const char *size = strchr(type, ';');
    char *middle;
    unsigned long width = size ? strtoul(size + 1, &middle, 10) : 0;
    unsigned long rows = width && *middle == 'x' ? strtoul(middle + 1, NULL, 10) : 0;
    if (rows && width <= MOST && rows <= MOST) {
        argument->block_width = (unsigned)width;
        argument->block_rows = (unsigned)rows;
    }
}

/* Names and types of arguments, which ocloc writes for tools beside the kernels. */
static enum cmrt_status read_names(yaml_document_t *document, const yaml_node_t *root, struct zebin *out)
{
    enum cmrt_status status = CMRT_OK;
    const yaml_node_t *list = yaml_find(document, root, "kernels_misc_info");
    for (size_t i = 0; i < length(list); i++) {
        const yaml_node_t *entry = element(document, list, i), *infos = yaml_find(document, entry, "args_info");
        for (size_t k = 0; k < out->kernel_count; k++) {
            if (strcmp(out->kernels[k].name, yaml_text(yaml_find(document, entry, "name"))) != 0)
                continue;
            for (size_t a = 0; !status && a < length(infos); a++) {
                const yaml_node_t *info = element(document, infos, a);
                uint32_t index = number(document, info, "index", UINT32_MAX);
                if (index >= out->kernels[k].argument_count)
                    continue;
                struct cmrt_argument *argument = (struct cmrt_argument *)&out->kernels[k].arguments[index];
                const char *type = yaml_text(yaml_find(document, info, "type_name"));
                status = set_names(argument, yaml_text(yaml_find(document, info, "name")), type);
                if (argument->media_block)
                    read_block(type, argument);
            }
        }
    }
    return status;
}

static enum cmrt_status read_document(yaml_document_t *document, struct zebin *out)
{
    const yaml_node_t *root = yaml_document_get_root_node(document), *kernels = yaml_find(document, root, "kernels");
    size_t count = length(kernels);
    if (out->kernels)
        return cmrt_fail(CMRT_BAD_FILE, "damaged zebin: two .ze_info sections");
    if (count > MAXIMUM_KERNELS)
        return cmrt_fail(CMRT_BAD_FILE, "damaged zebin: %zu kernels", count);
    out->kernels = calloc(count ? count : 1, sizeof *out->kernels);
    if (!out->kernels)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        out->kernel_count = i + 1;
        enum cmrt_status status = read_kernel(document, element(document, kernels, i), &out->kernels[i]);
        if (status)
            return status;
    }
    return read_names(document, root, out);
}

enum cmrt_status ze_info_read(const char *text, size_t size, struct zebin *out)
{
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strnlen(text, size));
    enum cmrt_status status;
    if (!yaml_parser_load(&parser, &document)) {
        status = cmrt_fail(CMRT_BAD_FILE, "damaged zebin: .ze_info line %zu: %s", parser.problem_mark.line + 1,
                           parser.problem ? parser.problem : "not YAML");
    } else {
        status = read_document(&document, out);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return status;
}
