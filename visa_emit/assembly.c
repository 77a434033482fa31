/* Prints the user's inline assembly: vISA text in which $0, $1 ... stand for operands. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "visa_emit/print.h"

/* Parses an operand's number after `$`: 12 or {12}. *end is after it. UINT_MAX: no number there. */
static unsigned operand_at(const char *text, const char **end)
{
    bool braces = *text == '{';
    char *rest;
    if (!isdigit((unsigned char)text[braces]))
        return UINT_MAX;
    unsigned long number = strtoul(text + braces, &rest, 10);
    *end = rest + (braces && *rest == '}');
    return number < UINT_MAX ? (unsigned)number : UINT_MAX;
}

/* Prints an operand. Outputs are destinations, whose regions have a stride only. */
static void print_operand(const struct visa_printer *printer, const struct visa_instruction *i, unsigned number)
{
    const struct visa_operand *operand = &i->parameters[number];
    switch (operand->kind) {
    case VISA_OPERAND_NAME: visa_print_typed_name(printer, operand->variable, operand->type); return;
    case VISA_OPERAND_PREDICATE: visa_print_name(printer, operand->variable); return;
    case VISA_OPERAND_NUMBER: fprintf(printer->out, "%" PRId64, (int64_t)operand->bits); return;
    default: break;
    }
    if (number < (unsigned)i->attr[0])
        visa_print_destination(printer, i, operand);
    else
        visa_print_source(printer, i, operand);
}

void visa_print_assembly(const struct visa_printer *printer, const struct visa_instruction *i)
{
    for (const char *at = i->text; *at;) {
        const char *end = at + 1;
        unsigned number = *at == '$' ? operand_at(at + 1, &end) : UINT_MAX;
        if (number < i->parameter_count) {
            print_operand(printer, i, number);
        } else {
            end = at + 1 + (*at == '$' && at[1] == '$');
            fputc(*at, printer->out);
        }
        at = end;
    }
}

/* Counts the lines that the finalizer counts: all but blank lines, comments and declarations. */
unsigned visa_assembly_length(const struct visa_instruction *i)
{
    unsigned count = 0;
    if (i->op != VISA_OP_ASSEMBLY)
        return 1;
    for (const char *line = i->text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *word = line + strspn(line, " \t\r");
        count += *word && *word != '\n' && strncmp(word, "//", 2) != 0 && strncmp(word, ".decl", 5) != 0;
    }
    return count;
}
