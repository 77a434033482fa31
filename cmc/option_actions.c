/* Holds the actions of the command line's options, which options.def names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/option_actions.h"

/* Appends the platform `name` to those that are compiled for. */
static bool add_platform(struct cmc_options *options, const char *name)
{
    struct product product;
    if (platform_find(name))
        product = *product_of_platform(platform_find(name));
    else if (!product_find(name, &product))
        return cmc_no_platform(name);
    for (size_t i = 0; i < options->product_count; i++) {
        const struct product *other = &options->products[i];
        if (other->major == product.major && other->minor == product.minor && other->revision == product.revision) {
            cmc_error("-march= names %s twice", name);
            return false;
        }
    }
    CMC_APPEND(options->products, options->product_count, product);
    return true;
}

bool cmc_option_march(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    options->host = strcmp(value, "host") == 0;
    options->product_count = 0;
    if (options->host)
        return true;
    char *names = cmc_checked(strdup(value));
    bool good = true;
    for (char *rest = names, *name; good && (name = strsep(&rest, ","));) {
        if (strcmp(name, "host") == 0) {
            cmc_error("'%s': a library for this machine is no part of a file for GPUs", word);
            good = false;
        } else {
            good = add_platform(options, name);
        }
    }
    free(names);
    return good;
}

bool cmc_option_output(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word;
    options->output_name = value;
    return true;
}

bool cmc_option_optimize(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    if (value[0] < '0' || value[0] > '3' || value[1]) {
        cmc_error("'%s': the level is 0, 1, 2 or 3", word);
        return false;
    }
    options->optimization = (unsigned)(value[0] - '0');
    return true;
}

bool cmc_option_emit(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)value;
    if (options->output_kind != CMC_BINARY && options->output_kind != (enum cmc_output)number) {
        cmc_error("'%s' asks for a second kind of output", word);
        return false;
    }
    options->output_kind = (enum cmc_output)number;
    return true;
}

static void add_front_end(struct cmc_options *options, const char *word)
{
    CMC_APPEND(options->front_end, options->front_end_count, word);
}

/* Passes -D NAME on as two words, which Clang accepts as well. */
bool cmc_option_front_joined(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    add_front_end(options, word);
    bool apart = value != word + strlen(word) - strlen(value);
    if (apart)
        add_front_end(options, value);
    return true;
}

/* Handles Clang's warnings and cmc's own one: -W[no-][error=]register-spills. -Werror applies to both. */
bool cmc_option_warning(struct cmc_options *options, int number, const char *word, const char *value)
{
    static const struct {
        const char *value;
        enum cmc_spills spills;
    } own[] = {{"register-spills", CMC_SPILLS_DEFAULT},
               {"no-register-spills", CMC_SPILLS_IGNORED},
               {"error=register-spills", CMC_SPILLS_ERROR},
               {"no-error=register-spills", CMC_SPILLS_NO_ERROR}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(value, own[i].value) == 0) {
            options->spills = own[i].spills;
            return true;
        }
    if (strcmp(value, "error") == 0 || strcmp(value, "no-error") == 0)
        options->warnings_are_errors = *value == 'e';
    return cmc_option_front_joined(options, number, word, value);
}

bool cmc_option_no_warnings(struct cmc_options *options, int number, const char *word, const char *value)
{
    options->no_warnings = true;
    return cmc_option_front_joined(options, number, word, value);
}

/* -M and -MM: the list of included files is the output. -MD and -MMD: it is written beside the output. */
bool cmc_option_dependencies(struct cmc_options *options, int number, const char *word, const char *value)
{
    options->no_system_dependencies = strncmp(word, "-MM", 3) == 0;
    if (number != CMC_DEPENDENCIES)
        return options->write_dependencies = true;
    return cmc_option_emit(options, number, word, value);
}

/* `number`: the name is written as Make reads it. */
bool cmc_option_target(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)word;
    size_t count = options->target_count;
    CMC_APPEND(options->quoted_targets, count, number != 0);
    CMC_APPEND(options->targets, options->target_count, value);
    return true;
}

/* Every switch without a value: `number` is the place of its bool in the options. */
bool cmc_option_flag(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)word, (void)value;
    return *(bool *)((char *)options + number) = true;
}

/* Every option whose value is kept as it is: `number` is the place of its string in the options. */
bool cmc_option_word(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)word;
    *(const char **)((char *)options + number) = value;
    return true;
}

bool cmc_option_language(struct cmc_options *options, int number, const char *word, const char *value)
{
    static const char *const names[] = {
        "none",
#define CMC_LANGUAGE(ID, NAME, SUFFIXES, HELP) NAME,
#include "cmc/languages.def"
#undef CMC_LANGUAGE
    };
    (void)number, (void)word;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0) {
            options->language = (enum cmc_language)i;
            return true;
        }
    fprintf(stderr, "cmc: error: '-x %s': the languages are", value);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fputc('\n', stderr);
    return false;
}

bool cmc_option_messages(struct cmc_options *options, int number, const char *word, const char *value)
{
    static const char *const names[] = {"text", "json", "sarif"};
    (void)number;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0) {
            options->messages = (enum cmc_messages)i;
            return true;
        }
    cmc_error("'%s': messages are written as text, json or sarif", word);
    return false;
}

bool cmc_option_explain(struct cmc_options *options, int number, const char *word, const char *value)
{
    static const char *const names[] = {"html", "json", "text"};
    options->explain = (enum cmc_explain)number;
    for (unsigned i = 0; !options->explain && i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0)
            options->explain = (enum cmc_explain)(CMC_EXPLAIN_HTML + i);
    if (!options->explain)
        cmc_error("'%s': --explain writes html, json or text", word);
    return options->explain != CMC_EXPLAIN_NOTHING;
}

bool cmc_option_colours(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)word, (void)value;
    options->colours = (enum cmc_colours)number;
    return true;
}

/* -ffile-prefix-map= and the two options that it implies. Clang's -cc1 has only those. */
bool cmc_option_prefix_map(struct cmc_options *options, int number, const char *word, const char *value)
{
    static const char *const names[] = {"-fdebug-prefix-map=", "-fmacro-prefix-map="};
    if (!strchr(value, '=')) {
        cmc_error("'%s' needs OLD=NEW", word);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        char *mapped;
        if (!(number >> i & 1))
            continue;
        if (asprintf(&mapped, "%s%s", names[i], value) < 0)
            mapped = cmc_checked(NULL);
        CMC_APPEND(options->owned, options->owned_count, mapped);
        add_front_end(options, mapped);
    }
    return true;
}

bool cmc_option_front_pair(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    add_front_end(options, word);
    add_front_end(options, value);
    return true;
}

/* Names of Clang's checks for undefined behaviour. The alignment check is left out: format() reads elements at
 * unaligned addresses. */
#define UNDEFINED                                                                                                      \
    "-fsanitize=array-bounds,bool,builtin,enum,integer-divide-by-zero,null,pointer-overflow,return,shift-exponent,"    \
    "unreachable"

bool cmc_option_sanitize(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    bool both = !strcmp(value, "address,undefined") || !strcmp(value, "undefined,address");
    bool address = both || !strcmp(value, "address"), undefined = both || !strcmp(value, "undefined");
    if (!address && !undefined) {
        cmc_error("'%s': address, undefined or both with a comma", word);
        return false;
    }
    options->sanitize = word;
    options->sanitize_address = address;
    if (address)
        add_front_end(options, "-fsanitize=address");
    if (undefined)
        add_front_end(options, UNDEFINED);
    return true;
}

bool cmc_option_request(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)word, (void)value;
    options->request = (enum cmc_request)number;
    return true;
}

/* libclangFEWrapper.so says what it was built with: what the two agree on may change with every version. */
bool cmc_option_caller_version(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)options, (void)number, (void)word;
    if (strcmp(value, CMKIT_VERSION) == 0)
        return true;
    cmc_error("libclangFEWrapper.so is of cmkit %s and its cmc of cmkit %s: install both from one version", value,
              CMKIT_VERSION);
    return false;
}

/* `number`: the count of registers; 0 if the value has it. */
bool cmc_option_registers(struct cmc_options *options, int number, const char *word, const char *value)
{
    unsigned before = options->registers;
    options->registers = number                      ? (unsigned)number
                         : strcmp(value, "128") == 0 ? 128
                         : strcmp(value, "256") == 0 ? 256
                                                     : 0;
    if (!options->registers)
        cmc_error("'%s': a thread has 128 or 256 registers", word);
    else if (before && before != options->registers)
        cmc_error("'%s' contradicts '%s'", word, options->registers_word);
    else
        before = options->registers;
    options->registers_word = word;
    return options->registers && before == options->registers;
}

/* The CM headers are C++17. */
bool cmc_option_standard(struct cmc_options *options, int number, const char *word, const char *value)
{
    const char *year = strstr(value, "++");
    static const char *const older[] = {"98", "03", "0x", "11", "1y", "14"};
    bool good = year != NULL;
    for (size_t i = 0; good && i < sizeof older / sizeof *older; i++)
        good = strcmp(year + 2, older[i]) != 0;
    if (!good) {
        cmc_error("'%s': CM is C++17 or a later C++: c++17, c++20, c++23", word);
        return false;
    }
    return cmc_option_front_joined(options, number, word, value);
}

bool cmc_option_ignore(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)options, (void)number, (void)word, (void)value;
    return true;
}

bool cmc_option_binary_format(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)options, (void)number, (void)word;
    if (strcmp(value, "ze") == 0)
        return true;
    cmc_error("'-binary-format=%s': the only format is ze", value);
    return false;
}
