// The same as common/cm_rt_helpers.h, for programs that name it without its folder.
#include "common/cm_rt_helpers.h"
