// The same as common/bitmap_helpers.h, for programs that name it without its folder.
#include "common/bitmap_helpers.h"
