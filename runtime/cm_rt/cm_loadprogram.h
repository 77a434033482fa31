// Loads a program with the driver's options for it: what the host programs of Intel's tutorial call.
#ifndef CMKIT_CM_LOADPROGRAM_H
#define CMKIT_CM_LOADPROGRAM_H

#include "cm_rt.h"

inline INT CmDevLoadProgram(CmDevice *device, void *code, std::size_t size, CmProgram *&program,
                            const char *options = nullptr)
{
    return device ? device->LoadProgram(code, (UINT)size, program, options) : (INT)CM_NULL_POINTER;
}

#endif
