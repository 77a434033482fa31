/* Writes the files of --explain: one for each kernel, beside the output. */
#include <stdlib.h>
#include <string.h>
#include "cmc/output.h"
#include "cmc/phases.h"

static const struct {
    const char *suffix;
    void (*print)(const struct explain_kernel *, FILE *);
} formats[CMC_EXPLAIN_FORMATS] = {
    [CMC_EXPLAIN_HTML] = {"html", explain_print_html},
    [CMC_EXPLAIN_JSON] = {"json", explain_print_json},
    [CMC_EXPLAIN_TEXT] = {"txt", explain_print_text},
};

/* Returns NAME.KERNEL.SUFFIX for the output NAME.bin. The caller frees it. */
static char *path_of(const struct cmc_options *options, const char *kernel)
{
    char *suffix = NULL, *path;
    bool to_stream = strcmp(options->output, "-") == 0 || !*options->output;
    if (asprintf(&suffix, ".%s.%s", kernel, formats[options->explain].suffix) < 0)
        suffix = NULL;
    path = cmc_with_suffix(to_stream ? cmc_file_name(options->input) : options->output, cmc_checked(suffix));
    free(suffix);
    return path;
}

bool cmc_explain_write(const struct cmc_options *options, const struct explain_kernel *explain)
{
    char *text = NULL, *path = path_of(options, explain->kernel->name);
    size_t size = 0;
    FILE *out = cmc_checked(open_memstream(&text, &size));
    formats[options->explain].print(explain, out);
    bool good = fclose(out) == 0 && cmc_write(path, text, size);
    free(path);
    free(text);
    return good;
}

bool cmc_explain(const struct cmc_options *options, const struct explain_input *given, struct visa_program *program,
                 const struct gen_code *codes)
{
    struct explain_input input = *given;
    input.name = options->text ? options->input_name ? options->input_name : "<stdin>" : NULL;
    input.text = options->text;
    bool good = true;
    for (size_t i = 0; good && i < program->kernel_count; i++) {
        struct explain_kernel explain;
        good = explain_kernel_collect(&explain, &input, program, &program->kernels[i], &codes[i]);
        if (good)
            good = (!options->explain_with || explain_run_read(&explain, options->explain_with)) &&
                   cmc_explain_write(options, &explain);
        else
            cmc_error("--explain: the finalizer's listing of kernel %s does not describe its code: this is a fault of "
                      "cmkit; please report it with the source",
                      program->kernels[i].name);
        explain_kernel_free(&explain);
    }
    return good;
}
