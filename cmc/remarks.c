/* Keeps remarks in the order in which they were made, and prints them as YAML. */
#include "cmc/remarks.h"

#include <stdlib.h>
#include <string.h>
#include "cmc/options.h"

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same(const struct lower_remark *a, const struct lower_remark *b)
{
    return a->kind == b->kind && a->line == b->line && a->column == b->column && same_text(a->name, b->name) &&
           same_text(a->text, b->text) && same_text(a->function, b->function) && same_text(a->file, b->file);
}

static const char *copied(const char *text)
{
    return text ? cmc_checked(strdup(text)) : NULL;
}

void cmc_remarks_add(void *remarks, const struct lower_remark *remark)
{
    struct cmc_remarks *all = remarks;
    struct lower_remark copy = *remark;
    for (size_t i = 0; i < all->count; i++)
        if (is_same(&all->list[i], remark))
            return;
    copy.text = copied(remark->text);
    copy.function = copied(remark->function);
    copy.file = copied(remark->file);
    copy.folder = copied(remark->folder);
    CMC_APPEND(all->list, all->count, copy);
}

void cmc_remarks_free(struct cmc_remarks *remarks)
{
    for (size_t i = 0; i < remarks->count; i++) {
        free((char *)remarks->list[i].text);
        free((char *)remarks->list[i].function);
        free((char *)remarks->list[i].file);
        free((char *)remarks->list[i].folder);
    }
    free(remarks->list);
}

const char *cmc_remark_kind(enum lower_remark_kind kind)
{
    static const char *const words[] = {"Passed", "Missed", "Analysis"};
    return words[kind];
}

/* Prints a string in YAML's single quotes. */
static void print_quoted(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    fputc('\'', out);
}

void cmc_remarks_print(const struct cmc_remarks *remarks, FILE *out)
{
    for (size_t i = 0; i < remarks->count; i++) {
        const struct lower_remark *r = &remarks->list[i];
        fprintf(out, "--- !%s\nPass:            %s\nName:            %s\n", cmc_remark_kind(r->kind), r->pass, r->name);
        if (r->file && r->line) {
            fputs("DebugLoc:        { File: ", out);
            print_quoted(r->file, out);
            fprintf(out, ", Line: %u, Column: %u }\n", r->line, r->column);
        }
        fputs("Function:        ", out);
        print_quoted(r->function, out);
        fputs("\nArgs:\n  - String:          ", out);
        print_quoted(r->text, out);
        fputs("\n...\n", out);
    }
}
