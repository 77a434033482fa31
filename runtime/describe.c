/* Converts a zebin's section table and the YAML of its .ze_info to JSON. */
#include "runtime/describe.h"

#include <ctype.h>
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "runtime/status.h"
#include "runtime/zebin.h"
#include "text/json.h"

enum { DEEPEST = 32 };
static const uint32_t ZE_INFO = 0xff000011;

/* True if JSON writes the text of a plain scalar as YAML does: true, false, or an integer without leading zeros. */
static bool is_plain(const char *text)
{
    const char *digits = text + (*text == '-');
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return true;
    size_t length = strspn(digits, "0123456789");
    return length && !digits[length] && (*digits != '0' || length == 1);
}

static bool print_node(yaml_document_t *document, int index, unsigned depth, FILE *out);

static bool print_sequence(yaml_document_t *document, const yaml_node_t *node, unsigned depth, FILE *out)
{
    bool good = true;
    fputc('[', out);
    for (yaml_node_item_t *i = node->data.sequence.items.start; good && i < node->data.sequence.items.top; i++) {
        fputs(i == node->data.sequence.items.start ? "" : ", ", out);
        good = print_node(document, *i, depth, out);
    }
    fputc(']', out);
    return good;
}

static bool print_mapping(yaml_document_t *document, const yaml_node_t *node, unsigned depth, FILE *out)
{
    bool good = true;
    fputc('{', out);
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; good && p < node->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = yaml_document_get_node(document, p->key);
        if (!key || key->type != YAML_SCALAR_NODE)
            return false;
        fputs(p == node->data.mapping.pairs.start ? "" : ", ", out);
        json_bytes((const char *)key->data.scalar.value, key->data.scalar.length, out);
        fputs(": ", out);
        good = print_node(document, p->value, depth, out);
    }
    fputc('}', out);
    return good;
}

/* False: a node that JSON has no form for, or deeper than any .ze_info (an alias of YAML may make a circle). */
static bool print_node(yaml_document_t *document, int index, unsigned depth, FILE *out)
{
    const yaml_node_t *node = yaml_document_get_node(document, index);
    if (!node || depth == DEEPEST)
        return false;
    if (node->type == YAML_SEQUENCE_NODE)
        return print_sequence(document, node, depth + 1, out);
    if (node->type == YAML_MAPPING_NODE)
        return print_mapping(document, node, depth + 1, out);
    const char *text = (const char *)node->data.scalar.value;
    if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && is_plain(text))
        fputs(text, out);
    else
        json_bytes(text, node->data.scalar.length, out);
    return true;
}

static enum cmrt_status print_ze_info(const char *text, size_t size, FILE *out)
{
    yaml_parser_t parser;
    yaml_document_t document;
    bool good = false;
    if (!yaml_parser_initialize(&parser))
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strnlen(text, size));
    if (yaml_parser_load(&parser, &document)) {
        good = yaml_document_get_root_node(&document) && print_node(&document, 1, 0, out); /* nodes count from 1 */
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return good ? CMRT_OK : cmrt_fail(CMRT_BAD_FILE, "damaged zebin: .ze_info is not a document of mappings");
}

/* Copies section `index` of a file whose section table zebin_read() has checked. */
static Elf64_Shdr section_at(const unsigned char *file, const Elf64_Ehdr *header, size_t index)
{
    Elf64_Shdr section;
    memcpy(&section, file + header->e_shoff + index * sizeof section, sizeof section);
    return section;
}

/* Returns a section's name; "" if it lies outside of the names. */
static const char *name_of(const unsigned char *file, const Elf64_Shdr *names, uint32_t at)
{
    bool inside = at < names->sh_size && memchr(file + names->sh_offset + at, 0, names->sh_size - at);
    return inside ? (const char *)file + names->sh_offset + at : "";
}

static void print_sections(const unsigned char *file, size_t size, const Elf64_Ehdr *header, FILE *out)
{
    Elf64_Shdr names = {0};
    uint64_t relocations = 0;
    bool debug = false, first = true;
    if (header->e_shstrndx < header->e_shnum)
        names = section_at(file, header, header->e_shstrndx);
    if (names.sh_offset > size || names.sh_size > size - names.sh_offset)
        names.sh_size = 0;
    fputs("\"sections\": [", out);
    for (size_t i = 0; i < header->e_shnum; i++) {
        Elf64_Shdr section = section_at(file, header, i);
        const char *name = name_of(file, &names, section.sh_name);
        if (section.sh_type == SHT_NULL)
            continue;
        fputs(first ? "{\"name\": " : ", {\"name\": ", out);
        first = false;
        json_bytes(name, strlen(name), out);
        fprintf(out, ", \"bytes\": %llu}", (unsigned long long)section.sh_size);
        debug = debug || strncmp(name, ".debug_info", 11) == 0;
        bool of_code = strncmp(name, ".rel.text", 9) == 0 || strncmp(name, ".rela.text", 10) == 0;
        if (of_code && section.sh_entsize)
            relocations += section.sh_size / section.sh_entsize;
    }
    fprintf(out, "], \"relocations\": %llu, \"debugInfo\": %s, ", (unsigned long long)relocations,
            debug ? "true" : "false");
}

enum cmrt_status describe_zebin(const void *bytes, size_t size, FILE *out)
{
    const unsigned char *file = bytes;
    struct zebin zebin;
    Elf64_Ehdr header;
    enum cmrt_status status = zebin_read(bytes, size, &zebin); /* checks the section table and .ze_info */
    if (status)
        return status;
    memcpy(&header, file, sizeof header);
    fputs("{\"product\": ", out);
    json_bytes(zebin.product ? zebin.product : "", zebin.product ? strlen(zebin.product) : 0, out);
    fputs(", ", out);
    print_sections(file, size, &header, out);
    fputs("\"zeInfo\": ", out);
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section = section_at(file, &header, i);
        if (section.sh_type == ZE_INFO)
            status = print_ze_info((const char *)file + section.sh_offset, section.sh_size, out);
    }
    fputc('}', out);
    zebin_free(&zebin);
    return status;
}
