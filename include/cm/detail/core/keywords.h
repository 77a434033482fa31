/* Defines the keywords that CM adds to C++. frontend/syntax/attributes.cpp reads the "cm-kernel" mark. All platforms.
 * The names of CmFloatControl are those of Intel's cm/cm_common.h. */
#ifndef CMKIT_CM_DETAIL_CORE_KEYWORDS_H
#define CMKIT_CM_DETAIL_CORE_KEYWORDS_H

/* _GENX_MAIN_ before a function: it is a kernel, which is launched by its name. _GENX_: ignored, because every function
 * runs on the GPU. _GENX_STACKCALL_: the function is called with a stack, so that it may call itself. _GENX_VOLATILE_
 * before a variable outside of functions: ignored, because such variables are always in registers.
 * Source: CM specification 4.1 "Function Qualifiers", 2.4 "Variable Qualifiers"; Intel's cm/cm_common.h
 * (_GENX_STACKCALL_). */
#define _GENX_MAIN_ __attribute__((annotate("cm-kernel")))
#define _GENX_
#define _GENX_STACKCALL_ __attribute__((annotate("cm-stackcall")))
#define _GENX_VOLATILE_
/* _GENX_VOLATILE_BINDING_(N) before a variable outside functions: its offset in the register file, in bytes, a multiple
 * of the element's size. Variables that overlap share their bytes; cmkit chooses the registers.
 * Source: CM specification 2.4 "Variable Qualifiers". */
#define _GENX_VOLATILE_BINDING_(offset) __attribute__((annotate("cm-binding", offset, CM_GRF_WIDTH / 8, CM_GRF_COUNT)))

/* _GENX_FLOAT_CONTROL_(MODE), _GENX_ROUNDING_MODE_(MODE) before a kernel: its rounding mode and handling of denormals,
 * bits of CmFloatControl. Without it: to the nearest, and denormals are zeros.
 * Source: CM specification 4.20 "Rounding mode and float control support". */
#define _GENX_FLOAT_CONTROL_(MODE) __attribute__((annotate("cm-float-control", (MODE))))
#define _GENX_ROUNDING_MODE_(MODE) _GENX_FLOAT_CONTROL_(MODE)
/* Modes for _GENX_FLOAT_CONTROL_, bits that can be combined: rounding, and which denormals are kept. */
enum CmFloatControl {
    CM_RTE = 0,                   /* to the nearest, ties to even */
    CM_RTP = 1 << 4,              /* up */
    CM_RTN = 2 << 4,              /* down */
    CM_RTZ = 3 << 4,              /* toward zero */
    CM_DENORM_FTZ = 0,            /* denormals are zeros */
    CM_DENORM_RTZ = 0,            /* the same */
    CM_DENORM_D_ALLOW = 1 << 6,   /* denormals of double are kept */
    CM_DENORM_F_ALLOW = 1 << 7,   /* ... of float */
    CM_DENORM_HF_ALLOW = 1 << 10, /* ... of half */
    CM_DENORM_ALLOW = CM_DENORM_D_ALLOW | CM_DENORM_F_ALLOW | CM_DENORM_HF_ALLOW,
    CM_FLOAT_MODE_IEEE = 0,
    /* as Intel's headers name them: CmFloatControl::_CM_RTE */
    _CM_RTE = CM_RTE,
    _CM_RTP = CM_RTP,
    _CM_RTN = CM_RTN,
    _CM_RTZ = CM_RTZ,
    _CM_DENORM_FTZ = CM_DENORM_FTZ,
    _CM_DENORM_D_ALLOW = CM_DENORM_D_ALLOW,
    _CM_DENORM_F_ALLOW = CM_DENORM_F_ALLOW,
    _CM_DENORM_HF_ALLOW = CM_DENORM_HF_ALLOW,
    _CM_FLOAT_MODE_IEEE = CM_FLOAT_MODE_IEEE,
};

/* CM_INLINE before a function: it is inlined, like all functions without CM_NOINLINE or _GENX_STACKCALL_.
 * Source: Intel's cm/cm_common.h. */
#define CM_INLINE   inline __attribute__((always_inline))
#define CM_NOINLINE __attribute__((noinline))

/* __local before a type: the object is in the memory that the threads of a group share. `__local T x[N];` in a kernel
 * or outside of functions, of numbers, arrays and structures of them, without an initial value, is allocated there,
 * after the memory of cm_slm_init and cm_slm_alloc, never at 0. A __local T * is an offset in it, as wide as a pointer:
 * (__local T *)(svmptr_t)cm_slm_alloc(bytes). Such pointers cannot be converted to flat ones, or back; load and store
 * copy whole structures. Source: Intel's cm/cm_common.h. */
#if __has_attribute(cm_shared)
#define __local __attribute__((opencl_local, cm_shared))
#else
#define __local /* editors: their Clang has no such variables in functions */
#endif

/* __global, __constant before the type of a pointer: mean nothing, a plain pointer is a flat address. __private,
 * __generic: an error before a kernel's argument, nothing elsewhere.
 * Source: Intel's cm/cm_common.h. */
#define __global
#define __constant
#define __private __attribute__((annotate("cm-private")))
#define __generic __attribute__((annotate("cm-generic")))

/* __CM, __CMC: what says that a CM compiler is at work.
 * Source: what Intel's compiler predefines. */
#define __CM  1
#define __CMC 1

/* __INTEL_CM, __INTEL_MDF: the version of the language, above CM_7_0. Compare it with CM_1_0, CM_2_0, CM_3_0, CM_4_0,
 * CM_5_0, CM_6_0, CM_7_0 (and CM_2_1, CM_2_2, CM_2_3, CM_2_4).
 * Source: Intel's cm/cm_common.h. */
#define CM_1_0      100
#define CM_2_0      200
#define CM_2_1      201
#define CM_2_2      202
#define CM_2_3      203
#define CM_2_4      204
#define CM_3_0      300
#define CM_4_0      400
#define CM_5_0      500
#define CM_6_0      600
#define CM_7_0      700
#define __INTEL_CM  (CM_7_0 + 1)
#define __INTEL_MDF (CM_7_0 + 1)

/* CM_NODEBUG, CM_DEPRECATED("text") before a function: a debugger steps over it; its calls are warned of.
 * CM_STATIC_ERROR(condition, "text"): static_assert. _CM_BUILTIN_, __GLOBAL(V): mean nothing.
 * Source: Intel's cm/cm_common.h. */
#define CM_NODEBUG                       __attribute__((nodebug))
#define CM_DEPRECATED(TEXT)              __attribute__((deprecated(TEXT)))
#define CM_STATIC_ERROR(CONDITION, TEXT) static_assert((CONDITION), TEXT)
#define _CM_BUILTIN_
#define __GLOBAL(V) V

/* __int8, __int16, __int32, __int64, __uint8, __uint16, __uint32, __uint64: integers of so many bits.
 * Source: Intel's cm/cm_common.h. */
#define __int8   char
#define __uint8  unsigned char
#define __int16  short
#define __uint16 unsigned short
#define __int32  int
#define __uint32 unsigned int
#define __int64  long long
#define __uint64 unsigned long long

/* NULL: the pointer that points to nothing, 0.
 * Source: Intel's cm/cm_common.h. */
#ifndef NULL
#define NULL 0
#endif

/* Detail functions: always inlined, never seen by a debugger. */
#define CM_DETAIL_INLINE inline __attribute__((always_inline, nodebug))
#define CM_DETAIL_MEMBER __attribute__((always_inline, nodebug))

/* Index I, or every lane of I, of an object of N elements. The sanitizer guards only some bytes around an object: an
 * index far outside would access another object, and is clamped to the guarded bytes. */
#if defined CMKIT_HOST && __has_feature(address_sanitizer)
#define CM_DETAIL_GUARDED(I, N)       ((I) < 0 ? -1 : (I) > (N) ? (N) : (I))
#define CM_DETAIL_GUARDED_LANES(I, N) __builtin_elementwise_min(I, (decltype(I))(ushort)(N))
/* Element J of row I, of R rows of C: an element beyond a row or column may be inside the object. */
#define CM_DETAIL_GUARDED_PLACE(I, J, R, C)                                                                            \
    ((I) < 0 || (J) < 0 ? -1 : (I) >= (R) || (J) >= (C) ? (R) * (C) : (I) * (C) + (J))
#define CM_DETAIL_GUARDED_PLACES(I, J, R, C)                                                                           \
    (((I) < (ushort)(R)) & ((J) < (ushort)(C)) ? (I) * (ushort)(C) + (J) : (decltype(I))(ushort)((R) * (C)))
/* The same for a reference, whose elements may be anywhere in an object: missing elements are after a byte of its own.
 */
#define CM_DETAIL_CHECK_PLACE(I, J, R, C)                                                                              \
    if ((I) < 0 || (J) < 0 || (I) >= (R) || (J) >= (C)) {                                                              \
        char element_that_the_reference_lacks = 0;                                                                     \
        const volatile char *volatile behind = &element_that_the_reference_lacks + 1;                                  \
        (void)*behind;                                                                                                 \
    }
/* A part of the object at A that starts in row I: the same holds for its elements. */
#define CM_DETAIL_CHECK_ROW(A, I) (void)((I) < 0 ? ((const volatile char *)(A))[-1] : 0)
#else
#define CM_DETAIL_GUARDED(I, N)              (I)
#define CM_DETAIL_GUARDED_LANES(I, N)        I
#define CM_DETAIL_GUARDED_PLACE(I, J, R, C)  ((I) * (C) + (J))
#define CM_DETAIL_GUARDED_PLACES(I, J, R, C) ((I) * (ushort)(C) + (J))
#define CM_DETAIL_CHECK_PLACE(I, J, R, C)
#define CM_DETAIL_CHECK_ROW(A, I)
#endif

#endif
