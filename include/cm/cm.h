/* C for Metal: vectors and matrices that live in registers, and the operations of an Intel GPU's thread on them.
 * `cmc` includes this file before the first line of every kernel file; including it again does nothing. */
#ifndef CMKIT_CM_CM_H
#define CMKIT_CM_CM_H

#include "detail/keywords.h"
#include "detail/types.h"
#include "detail/traits.h"
#include "detail/builtins.h"
#include "detail/operand.h"
#include "detail/convert.h"
#include "detail/vector.h"
#include "detail/operators.h"
#include "detail/math.h"
#include "detail/integer.h"
#include "detail/linear.h"
#include "detail/exact.h"
#include "detail/reduce.h"
#include "detail/thread.h"
#include "detail/send.h"
#include "detail/media.h"
#include "detail/buffer.h"
#include "detail/svm.h"
#include "detail/atomic.h"
#include "detail/typed.h"
#include "detail/sampler.h"
#include "detail/slm.h"
#include "detail/flat.h"
#include "detail/pointers.h"
#include "detail/lsc.h"
#include "detail/lsc_atomic.h"
#include "detail/lsc_older.h"
#include "detail/block2d.h"
#include "detail/print.h"
#include "detail/dpas.h"
#include "detail/short_floats.h"
#include "detail/simdcf.h"

#endif
