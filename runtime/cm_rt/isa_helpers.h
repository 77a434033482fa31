// The same as common/isa_helpers.h, for programs that name it without its folder.
#include "common/isa_helpers.h"
