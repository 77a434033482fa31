/* Faster ways to execute the commonest instructions. */
#include "sim/eu/operand.h"

eu_execute *eu_fast_execute(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    return in->op->execute;
}
