// Compares the numbers in sim/eu/iga_c.h and tables/eu_math.def with the headers of libiga64, when it is compiled; the
// operations of tables/eu_ops.def and the platforms of tables/platforms.def with headers and library, when it runs.
#include <cstdio>
#include <cstring>
#include <iga/iga.h>
#include <iga/iga_types_ext.hpp>

#define IGA_C_NUMBERS_ONLY
#include "sim/eu/iga_c.h"
#include "tables/platforms.h"

#define SAME(OURS, THEIRS) static_assert(static_cast<long long>(OURS) == static_cast<long long>(THEIRS), #OURS)

SAME(IGA_KIND_DIRECT, iga::Kind::DIRECT);
SAME(IGA_KIND_MACRO, iga::Kind::MACRO);
SAME(IGA_KIND_INDIRECT, iga::Kind::INDIRECT);
SAME(IGA_KIND_IMMEDIATE, iga::Kind::IMMEDIATE);
SAME(IGA_KIND_LABEL, iga::Kind::LABEL);
SAME(IGA_REG_NULL, iga::RegName::ARF_NULL);
SAME(IGA_REG_A, iga::RegName::ARF_A);
SAME(IGA_REG_ACC, iga::RegName::ARF_ACC);
SAME(IGA_REG_MME, iga::RegName::ARF_MME);
SAME(IGA_REG_F, iga::RegName::ARF_F);
SAME(IGA_REG_CE, iga::RegName::ARF_CE);
SAME(IGA_REG_MSG, iga::RegName::ARF_MSG);
SAME(IGA_REG_SP, iga::RegName::ARF_SP);
SAME(IGA_REG_SR, iga::RegName::ARF_SR);
SAME(IGA_REG_CR, iga::RegName::ARF_CR);
SAME(IGA_REG_N, iga::RegName::ARF_N);
SAME(IGA_REG_IP, iga::RegName::ARF_IP);
SAME(IGA_REG_TDR, iga::RegName::ARF_TDR);
SAME(IGA_REG_TM, iga::RegName::ARF_TM);
SAME(IGA_REG_FC, iga::RegName::ARF_FC);
SAME(IGA_REG_DBG, iga::RegName::ARF_DBG);
SAME(IGA_REG_GRF, iga::RegName::GRF_R);
SAME(IGA_CONDITION_EQ, iga::FlagModifier::EQ);
SAME(IGA_CONDITION_NE, iga::FlagModifier::NE);
SAME(IGA_CONDITION_GT, iga::FlagModifier::GT);
SAME(IGA_CONDITION_GE, iga::FlagModifier::GE);
SAME(IGA_CONDITION_LT, iga::FlagModifier::LT);
SAME(IGA_CONDITION_LE, iga::FlagModifier::LE);
SAME(IGA_CONDITION_OV, iga::FlagModifier::OV);
SAME(IGA_CONDITION_UN, iga::FlagModifier::UN);
SAME(IGA_CONDITION_EO, iga::FlagModifier::EO);
SAME(IGA_OPTION_ACCWREN, iga::InstOpt::ACCWREN);
SAME(IGA_OPTION_EOT, iga::InstOpt::EOT);
SAME(IGA_OPTION_EXBSO, iga::InstOpt::EXBSO);
SAME(IGA_FUNCTION_A0, iga::SFID::A0REG);

#define EU_TYPE(ID, NAME, IGA, ...) SAME(IGA_TYPE_##IGA, iga::Type::IGA);
#include "sim/eu/types.def"
#undef EU_TYPE

static const struct {
    const char *mnemonic;
    unsigned number, theirs, first_generation, last_generation;
} operations[] = {
#define EU_OP(ID, MNEMONIC, NUMBER, SOURCES, FIRST, LAST, ...)                                                         \
    {MNEMONIC, NUMBER, static_cast<unsigned>(iga::Op::ID), FIRST, LAST},
#include "tables/eu_ops.def"
#undef EU_OP
};

#define EU_MATH(ID, NAME, NUMBER, ...) SAME(NUMBER, iga::MathFC::IGA_NAME_##ID);
#define IGA_NAME_INV                   INV
#define IGA_NAME_LOG                   LOG
#define IGA_NAME_EXP                   EXP
#define IGA_NAME_SQRT                  SQT
#define IGA_NAME_RSQT                  RSQT
#define IGA_NAME_SIN                   SIN
#define IGA_NAME_COS                   COS
#define IGA_NAME_FDIV                  FDIV
#define IGA_NAME_POW                   POW
#define IGA_NAME_IDIV                  IDIV
#define IGA_NAME_IQOT                  IQOT
#define IGA_NAME_IREM                  IREM
#define IGA_NAME_INVM                  INVM
#define IGA_NAME_RSQTM                 RSQTM
#include "tables/eu_math.def"
#undef EU_MATH

// Each operation has its mnemonic by the header's number, on the first platform that the library knows and that has it.
// The numbers are those of the table, or a release has numbered operations anew: then gensim goes by mnemonics.
static int check_operations()
{
    int failed = 0;
    size_t other_numbers = 0;
    for (const auto &each : operations) {
        char name[32] = "";
        size_t size = sizeof name, i = 0;
        iga_opspec_t operation = nullptr;
        while (i < platform_count &&
               (!platform_table[i].simulated || platform_table[i].needs_current ||
                !platform_between(&platform_table[i], each.first_generation, each.last_generation)))
            i++;
        other_numbers += each.number != each.theirs;
        if (i == platform_count)
            continue; // of a platform that only a later libiga64 knows
        if (iga_opspec_from_op(static_cast<iga_gen_t>(platform_table[i].decoder), each.theirs, &operation) !=
                IGA_SUCCESS ||
            iga_opspec_mnemonic(operation, name, &size) != IGA_SUCCESS || std::strcmp(name, each.mnemonic) != 0) {
            std::printf("%s on %s: libiga64 calls it '%s'\n", each.mnemonic, platform_table[i].name, name);
            failed++;
        }
    }
    const size_t count = sizeof operations / sizeof operations[0];
    if (other_numbers && 2 * other_numbers < count) {
        std::printf("%zu of %zu operations have other numbers than in tables/eu_ops.def\n", other_numbers, count);
        failed++;
    }
    return failed;
}

int main()
{
    int failed = check_operations();
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *platform = &platform_table[i];
        const char *suffix = "";
        if (!platform->simulated || platform->needs_current)
            continue;
        if (iga_platform_symbol_suffix(static_cast<iga_gen_t>(platform->decoder), &suffix) != IGA_SUCCESS ||
            std::strcmp(suffix, platform->assembler) != 0) {
            std::printf("%s: libiga64 calls platform 0x%x '%s', tables/platforms.def '%s'\n", platform->name,
                        platform->decoder, suffix, platform->assembler);
            failed++;
        }
    }
    return failed;
}
