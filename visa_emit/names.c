/* Prints the declarations of a kernel's variables and the names of operands.
 *
 * General operands of vISA have no type of their own: the type is that of the name. A variable that is used with a type
 * other than its own therefore gets an alias per type: V32 of type d, used as ub, is V32_ub. */
#include <stdlib.h>
#include <string.h>
#include "visa_emit/print.h"

/* vISA's predefined variables: name, name of an alias (identifiers have no %), own type, bytes. */
static const struct {
    const char *name;
    enum visa_type type;
    unsigned bytes;
} predefined[VISA_FIRST_VARIABLE] = {
    [VISA_NULL] = {"%null", VISA_TYPE_UD, 0},
    [VISA_R0] = {"%r0", VISA_TYPE_UD, 32},
    [VISA_GROUP_ID_X] = {"%group_id_x", VISA_TYPE_UD, 4},
    [VISA_GROUP_ID_Y] = {"%group_id_y", VISA_TYPE_UD, 4},
    [VISA_GROUP_ID_Z] = {"%group_id_z", VISA_TYPE_UD, 4},
    [VISA_CR0] = {"%cr0", VISA_TYPE_UD, 12},
    [VISA_SR0] = {"%sr0", VISA_TYPE_UD, 16},
    [VISA_HWID] = {"%hw_id", VISA_TYPE_UD, 4},
    [VISA_TSC] = {"%tsc", VISA_TYPE_UD, 20},
    [VISA_SLM] = {"%slm", VISA_TYPE_UD, 0},
    [VISA_ARG] = {"%arg", VISA_TYPE_UD, 32 * VISA_ARG_REGISTERS},
    [VISA_RETVAL] = {"%retval", VISA_TYPE_UD, 32 * VISA_RETVAL_REGISTERS},
    [VISA_STATELESS] = {"%scratch", VISA_TYPE_UD, 0},
};

static const char class_letter[] = {
    [VISA_CLASS_GENERAL] = 'V', [VISA_CLASS_ADDRESS] = 'A', [VISA_CLASS_PREDICATE] = 'P',
    [VISA_CLASS_SAMPLER] = 'S', [VISA_CLASS_SURFACE] = 'T',
};

void visa_print_bug(const struct visa_printer *printer, const char *what, unsigned number)
{
    fprintf(stderr, "internal error: kernel %s: %s %u\n", printer->kernel->name, what, number);
    abort();
}

static unsigned variable_end(const struct visa_printer *printer)
{
    return VISA_FIRST_VARIABLE + (unsigned)printer->kernel->variable_count;
}

static void check_variable(const struct visa_printer *printer, unsigned variable)
{
    if (variable >= variable_end(printer) || (variable < VISA_FIRST_VARIABLE && !predefined[variable].name))
        visa_print_bug(printer, "no such variable:", variable);
}

enum visa_type visa_own_type(const struct visa_printer *printer, unsigned variable)
{
    return variable < VISA_FIRST_VARIABLE ? predefined[variable].type : visa_variable(printer->kernel, variable)->type;
}

static unsigned bytes_of(const struct visa_printer *printer, unsigned variable)
{
    bool registers = variable == VISA_R0 || variable == VISA_ARG || variable == VISA_RETVAL;
    if (variable < VISA_FIRST_VARIABLE) /* the table's registers have 32 bytes */
        return predefined[variable].bytes / (registers ? 32 : 1) *
               (registers ? printer->program->platform->grf_bytes : 1);
    const struct visa_variable *v = visa_variable(printer->kernel, variable);
    return v->elements * visa_type_bytes(v->type);
}

void visa_print_name(const struct visa_printer *printer, unsigned variable)
{
    check_variable(printer, variable);
    if (variable < VISA_FIRST_VARIABLE)
        visa_put(printer, predefined[variable].name);
    else {
        visa_put_char(printer, class_letter[visa_variable(printer->kernel, variable)->class]);
        visa_put_number(printer, variable);
    }
}

/* The alias of `variable` in `type`: V32_ub, r0_ub. */
static void print_alias(const struct visa_printer *printer, unsigned variable, enum visa_type type)
{
    if (variable < VISA_FIRST_VARIABLE)
        visa_put(printer, predefined[variable].name + 1);
    else {
        visa_put_char(printer, 'V');
        visa_put_number(printer, variable);
    }
    visa_put_char(printer, '_');
    visa_put(printer, visa_type_text(type));
}

void visa_print_typed_name(const struct visa_printer *printer, unsigned variable, enum visa_type type)
{
    check_variable(printer, variable);
    if (variable == VISA_NULL || type == visa_own_type(printer, variable))
        visa_print_name(printer, variable);
    else
        print_alias(printer, variable, type);
}

static unsigned far_start(const struct visa_printer *printer)
{
    return VISA_MOST_ROWS * printer->program->platform->grf_bytes;
}

static bool is_far(const struct visa_printer *printer, const struct visa_operand *operand)
{
    return operand->kind == VISA_OPERAND_GENERAL && operand->offset >= (int)far_start(printer);
}

unsigned visa_print_general_name(const struct visa_printer *printer, const struct visa_operand *operand)
{
    if (!is_far(printer, operand)) {
        visa_print_typed_name(printer, operand->variable, operand->type);
        return 0;
    }
    check_variable(printer, operand->variable);
    print_alias(printer, operand->variable, operand->type);
    visa_put(printer, "_far");
    return far_start(printer);
}

void visa_print_label(const struct visa_printer *printer, int label)
{
    if (label < 0 || (unsigned)label >= printer->kernel->label_count)
        visa_print_bug(printer, "no such label:", (unsigned)label);
    fprintf(printer->out, "L%d", label);
}

static void collect_operand(struct visa_printer *printer, const struct visa_instruction *instruction,
                            const struct visa_operand *operand)
{
    bool named = operand->kind == VISA_OPERAND_NAME; /* for what, only the text knows: a message, perhaps */
    if (operand->kind != VISA_OPERAND_GENERAL && operand->kind != VISA_OPERAND_RAW && !named)
        return;
    check_variable(printer, operand->variable);
    struct visa_uses *uses = &printer->uses[operand->variable];
    enum visa_type type = operand->type;
    uses->message |= named;
    if (operand->kind == VISA_OPERAND_RAW) {
        uses->message = true;
        type = visa_payload_type(printer, instruction, operand);
    }
    if (type != VISA_TYPE_COUNT)
        uses->types |= UINT32_C(1) << type;
    if (is_far(printer, operand))
        uses->far |= UINT32_C(1) << type;
}

/* Returns the uses of a vector that the instruction reads from its start; NULL: it is none. */
static struct visa_uses *uses_of_vector(struct visa_printer *printer, const struct visa_instruction *i)
{
    const struct visa_operand *source = &i->src[0];
    bool vector = i->exec_size > 1 && source->kind == VISA_OPERAND_GENERAL && source->offset == 0 && !source->modifier;
    return vector && i->dst.kind == VISA_OPERAND_GENERAL ? &printer->uses[source->variable] : NULL;
}

/* The finalizer makes the constant of a sum a part of the message whose offsets the sum is. The message then has the
 * sum's source as its payload, which has to start on a GRF: the finalizer takes it where it is. */
static void align_folded_offsets(struct visa_printer *printer)
{
    for (size_t n = printer->kernel->instruction_count; n-- > 0;) {
        const struct visa_instruction *i = &printer->kernel->instructions[n];
        struct visa_uses *source = uses_of_vector(printer, i);
        const struct visa_uses *result = source ? &printer->uses[i->dst.variable] : NULL;
        if (!source || !(result->message || result->copied))
            continue;
        source->copied |= i->op == VISA_OP_MOV;
        source->message |= i->op == VISA_OP_ADD && i->src[1].kind == VISA_OPERAND_IMMEDIATE;
    }
}

/* Fills printer->uses, which the caller frees. */
void visa_collect_uses(struct visa_printer *printer)
{
    _Static_assert(VISA_TYPE_COUNT <= 32, "a bit per type");
    printer->uses = calloc(variable_end(printer), sizeof *printer->uses);
    if (!printer->uses) {
        fputs("error: out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < printer->kernel->instruction_count; i++) {
        const struct visa_instruction *instruction = &printer->kernel->instructions[i];
        collect_operand(printer, instruction, &instruction->dst);
        for (unsigned s = 0; s < VISA_MAX_SOURCES; s++)
            collect_operand(printer, instruction, &instruction->src[s]);
        for (unsigned k = 0; k < instruction->parameter_count; k++)
            collect_operand(printer, instruction, &instruction->parameters[k]);
    }
    if (platform_has(printer->program->platform, FEATURE_LSC_OFFSETS))
        align_folded_offsets(printer);
}

/* Returns the alignment that satisfies the declaration and every use. An argument is aligned by the driver: the
 * finalizer takes its offset from .input and checks nothing. */
static unsigned needed_alignment(const struct visa_printer *printer, unsigned variable)
{
    const struct visa_variable *v = visa_variable(printer->kernel, variable);
    unsigned grf = printer->program->platform->grf_bytes, align = visa_type_bytes(v->type);
    for (unsigned type = 0; type < VISA_TYPE_COUNT; type++)
        if (printer->uses[variable].types >> type & 1 && visa_type_bytes(type) > align)
            align = visa_type_bytes(type);
    if (v->align > align)
        align = v->align;
    if (align < grf && (printer->uses[variable].message || bytes_of(printer, variable) >= grf))
        align = v->input_offset < 0 ? grf : align;
    return align;
}

static const char *alignment_name(const struct visa_printer *printer, unsigned variable)
{
    unsigned align = needed_alignment(printer, variable), grf = printer->program->platform->grf_bytes;
    if (align == grf)
        return "GRF";
    if (align == 2 * grf)
        return "GRFx2";
    switch (align) {
    case 1: return "byte";
    case 2: return "word";
    case 4: return "dword";
    case 8: return "qword";
    case 16: return "oword";
    case 32: return "hword";
    default: break;
    }
    visa_print_bug(printer, "no vISA alignment of bytes:", align);
}

/* Prints text after //. It ends with the line: source names hold no line end, but a generated name might. */
static void print_comment(FILE *out, const char *text)
{
    fputs(" // ", out);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

static void print_declaration(const struct visa_printer *printer, unsigned variable)
{
    const struct visa_variable *v = visa_variable(printer->kernel, variable);
    bool general = v->class == VISA_CLASS_GENERAL;
    visa_put(printer, ".decl ");
    visa_print_name(printer, variable);
    visa_put(printer, " v_type=");
    visa_put_char(printer, general ? 'G' : class_letter[v->class]);
    if (general) {
        visa_put(printer, " type=");
        visa_put(printer, visa_type_text(v->type));
    }
    visa_put(printer, " num_elts=");
    visa_put_number(printer, v->elements);
    if (general) {
        visa_put(printer, " align=");
        visa_put(printer, alignment_name(printer, variable));
    }
    if (v->comment && *v->comment)
        print_comment(printer->out, v->comment);
    visa_put_char(printer, '\n');
}

static void print_aliases(const struct visa_printer *printer, unsigned variable)
{
    for (unsigned type = 0; type < VISA_TYPE_COUNT; type++) {
        if (!(printer->uses[variable].types >> type & 1) || type == visa_own_type(printer, variable) ||
            variable == VISA_NULL)
            continue;
        unsigned elements = bytes_of(printer, variable) / visa_type_bytes(type);
        if (!elements)
            visa_print_bug(printer, "an operand is wider than its variable", variable);
        fputs(".decl ", printer->out);
        print_alias(printer, variable, type);
        fprintf(printer->out, " v_type=G type=%s num_elts=%u alias=<", visa_type_text(type), elements);
        visa_print_name(printer, variable);
        fputs(", 0>\n", printer->out);
    }
}

static void print_far_aliases(const struct visa_printer *printer, unsigned variable)
{
    for (unsigned type = 0; type < VISA_TYPE_COUNT; type++) {
        if (!(printer->uses[variable].far >> type & 1))
            continue;
        fputs(".decl ", printer->out);
        print_alias(printer, variable, type);
        fprintf(printer->out, "_far v_type=G type=%s num_elts=%u alias=<", visa_type_text(type),
                (bytes_of(printer, variable) - far_start(printer)) / visa_type_bytes(type));
        visa_print_name(printer, variable);
        fprintf(printer->out, ", %u>\n", far_start(printer));
    }
}

static unsigned input_bytes(const struct visa_printer *printer, unsigned variable)
{
    /* The finalizer takes surfaces and samplers as one 32-bit handle each. */
    const struct visa_variable *v = visa_variable(printer->kernel, variable);
    return v->class == VISA_CLASS_GENERAL ? bytes_of(printer, variable) : 4 * v->elements;
}

void visa_print_declarations(const struct visa_printer *printer)
{
    unsigned end = variable_end(printer);
    for (unsigned v = VISA_FIRST_VARIABLE; v < end; v++)
        print_declaration(printer, v);
    for (unsigned v = 0; v < end; v++)
        print_aliases(printer, v);
    for (unsigned v = VISA_FIRST_VARIABLE; v < end; v++)
        print_far_aliases(printer, v);
    for (unsigned v = VISA_FIRST_VARIABLE; v < end; v++) {
        int offset = visa_variable(printer->kernel, v)->input_offset;
        if (offset < 0)
            continue;
        fputs(".input ", printer->out);
        visa_print_name(printer, v);
        fprintf(printer->out, " offset=%d size=%u\n", offset, input_bytes(printer, v));
    }
}
