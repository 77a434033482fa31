/* Prints vISA operands. */
#include <inttypes.h>
#include "visa_emit/print.h"

static void print_modifier(const struct visa_printer *printer, unsigned modifier)
{
    switch (modifier) {
    case VISA_MODIFIER_NONE: return;
    case VISA_MODIFIER_NEGATE: visa_put(printer, "(-)"); return;
    case VISA_MODIFIER_ABSOLUTE: visa_put(printer, "(abs)"); return;
    case VISA_MODIFIER_NEGATE | VISA_MODIFIER_ABSOLUTE: visa_put(printer, "(-abs)"); return;
    case VISA_MODIFIER_NOT: visa_put(printer, "(~)"); return;
    default: break;
    }
    visa_print_bug(printer, "source modifiers that exclude each other:", modifier);
}

/* Prints name(register,element) for a byte offset. An offset inside an element cannot be printed. */
static void print_place(const struct visa_printer *printer, const struct visa_operand *operand)
{
    unsigned grf = printer->program->platform->grf_bytes, element = visa_type_bytes(operand->type);
    if (operand->offset < 0 || (unsigned)operand->offset % element)
        visa_print_bug(printer, "offset does not fit the type: bytes", (unsigned)operand->offset);
    unsigned place = (unsigned)operand->offset - visa_print_general_name(printer, operand);
    visa_put_char(printer, '(');
    visa_put_number(printer, place / grf);
    visa_put_char(printer, ',');
    visa_put_number(printer, place % grf / element);
    visa_put_char(printer, ')');
}

/* Prints an immediate: integers with their sign, floats as bits. Gen has no byte immediates: they are printed as words.
 */
static void print_immediate(const struct visa_printer *printer, const struct visa_operand *operand)
{
    enum visa_type type = operand->type;
    unsigned bytes = visa_type_bytes(type);
    uint64_t bits = bytes == 8 ? operand->bits : operand->bits & ((UINT64_C(1) << 8 * bytes) - 1);
    bool negative = visa_type_class(type) == 'S' && bits >> (8 * bytes - 1);
    if (negative)
        bits = (~bits + 1) & (bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1);
    const char *text = type == VISA_TYPE_UB ? "uw" : type == VISA_TYPE_B ? "w" : visa_type_text(type);
    fprintf(printer->out, "%s0x%" PRIx64 ":%s", negative ? "-" : "", bits, text);
}

static void print_indirect_base(const struct visa_printer *printer, const struct visa_operand *operand)
{
    fputs("r[", printer->out);
    visa_print_name(printer, operand->variable);
    fprintf(printer->out, "(%u),%d]", operand->element, operand->offset);
}

/* Prints an address operand: as many address words as it has lanes, or one word for all lanes (region.width 1). */
static void print_address(const struct visa_printer *printer, const struct visa_instruction *instruction,
                          const struct visa_operand *operand)
{
    visa_print_name(printer, operand->variable);
    fprintf(printer->out, "(%u)<%u>", operand->element,
            operand->region.width ? operand->region.width : (unsigned)instruction->exec_size);
}

static void print_raw(const struct visa_printer *printer, const struct visa_instruction *instruction,
                      const struct visa_operand *operand)
{
    enum visa_type type = visa_payload_type(printer, instruction, operand);
    if (type == VISA_TYPE_COUNT)
        visa_print_name(printer, operand->variable);
    else
        visa_print_typed_name(printer, operand->variable, type);
    fprintf(printer->out, ".%d", operand->variable == VISA_NULL ? 0 : operand->offset);
}

static void print_address_of(const struct visa_printer *printer, const struct visa_operand *operand)
{
    fputc('&', printer->out);
    visa_print_name(printer, operand->variable);
    if (operand->offset)
        fprintf(printer->out, "[%d]", operand->offset);
}

static void print_region(const struct visa_printer *printer, const struct visa_operand *operand)
{
    const struct visa_region *r = &operand->region;
    visa_put_char(printer, '<');
    if (!operand->per_channel) {
        visa_put_number(printer, r->vstride);
        visa_put_char(printer, ';');
    }
    visa_put_number(printer, r->width);
    visa_put_char(printer, ',');
    visa_put_number(printer, r->hstride);
    visa_put_char(printer, '>');
}

void visa_print_payload(const struct visa_printer *printer, const struct visa_operand *operand, enum visa_type type)
{
    if (operand->kind != VISA_OPERAND_RAW)
        visa_print_bug(printer, "a message payload is of kind", operand->kind);
    fputc(' ', printer->out);
    visa_print_typed_name(printer, operand->variable, type);
    fprintf(printer->out, ".%d", operand->variable == VISA_NULL ? 0 : operand->offset);
}

void visa_print_scalar(const struct visa_printer *printer, const struct visa_operand *operand)
{
    if (operand->kind == VISA_OPERAND_IMMEDIATE) { /* a dword, without its type */
        fprintf(printer->out, "%" PRIu32, (uint32_t)operand->bits);
        return;
    }
    if (operand->kind != VISA_OPERAND_GENERAL)
        visa_print_bug(printer, "no text for a scalar operand of kind", operand->kind);
    print_place(printer, operand);
}

void visa_print_source(const struct visa_printer *printer, const struct visa_instruction *instruction,
                       const struct visa_operand *operand)
{
    FILE *out = printer->out;
    visa_put_char(printer, ' ');
    print_modifier(printer, operand->modifier);
    switch (operand->kind) {
    case VISA_OPERAND_GENERAL:
        print_place(printer, operand);
        print_region(printer, operand);
        return;
    case VISA_OPERAND_INDIRECT:
        print_indirect_base(printer, operand);
        print_region(printer, operand);
        fprintf(out, ":%s", visa_type_text(operand->type));
        return;
    case VISA_OPERAND_ADDRESS: print_address(printer, instruction, operand); return;
    case VISA_OPERAND_ADDRESS_OF: print_address_of(printer, operand); return;
    case VISA_OPERAND_IMMEDIATE: print_immediate(printer, operand); return;
    case VISA_OPERAND_RAW: print_raw(printer, instruction, operand); return;
    case VISA_OPERAND_PREDICATE:
    case VISA_OPERAND_STATE: visa_print_name(printer, operand->variable); return;
    case VISA_OPERAND_STRING:
        fprintf(out, "0x%x:ud", printer->string_base + 2 * (uint32_t)operand->bits + operand->element);
        return;
    case VISA_OPERAND_NAME:
    case VISA_OPERAND_NUMBER: /* of assembly only */
    case VISA_OPERAND_NONE: break;
    }
    visa_print_bug(printer, "no text for a source operand of kind", operand->kind);
}

static void print_stride(const struct visa_printer *printer, const struct visa_operand *operand)
{
    visa_put_char(printer, '<');
    visa_put_number(printer, operand->region.hstride);
    visa_put_char(printer, '>');
}

void visa_print_destination(const struct visa_printer *printer, const struct visa_instruction *instruction,
                            const struct visa_operand *operand)
{
    FILE *out = printer->out;
    visa_put_char(printer, ' ');
    switch (operand->kind) {
    case VISA_OPERAND_GENERAL:
        print_place(printer, operand);
        print_stride(printer, operand);
        return;
    case VISA_OPERAND_INDIRECT:
        print_indirect_base(printer, operand);
        print_stride(printer, operand);
        fprintf(out, ":%s", visa_type_text(operand->type));
        return;
    case VISA_OPERAND_ADDRESS: print_address(printer, instruction, operand); return;
    case VISA_OPERAND_RAW: print_raw(printer, instruction, operand); return;
    case VISA_OPERAND_PREDICATE: visa_print_name(printer, operand->variable); return;
    case VISA_OPERAND_STATE:
        visa_print_name(printer, operand->variable);
        fprintf(out, "(%u)", operand->element);
        return;
    default: visa_print_bug(printer, "no text for a destination operand of kind", operand->kind);
    }
}
