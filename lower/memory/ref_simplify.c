/* Simplifies references that have one address and constant lane offsets: merges equal values and folds constants. It
 * runs before LLVM's instcombine, which takes several times as long as all the rest and then has less to do. */
#include "lower/ir/forget_debug.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"
#include "lower/scalar/cse.h"
#include "lower/scalar/run_instcombine.h"

bool pass_ref_simplify(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        scalar_share_equal_values(f, NO_READS);
    if (!ir_run_llvm_passes(module, "function(simplifycfg)"))
        return false;
    ir_forget_debug_of_parts(module);
    if (scalar_wants_instcombine(module))
        return ir_run_llvm_passes(module, "function(instcombine<no-verify-fixpoint>,simplifycfg)");
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        scalar_share_equal_values(f, OF_VARIABLES);
    return true;
}
