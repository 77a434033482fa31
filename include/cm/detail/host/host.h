/* Defines the builtins of tables/builtins.def on the CPU, lane by lane. */
#ifndef CMKIT_CM_DETAIL_HOST_HOST_H
#define CMKIT_CM_DETAIL_HOST_HOST_H

#include "state.h"
#include "regions.h"
#include "media.h"
#include "buffer.h"
#include "atomic.h"
#include "slm.h"
#include "flat.h"
#include "lsc.h"
#include "thread.h"
#include "math.h"
#include "integer.h"
#include "dpas.h"
#include "convert.h"
#include "image.h"
#include "linear.h"
#include "lsc_atomic.h"

#endif
