/* The words that CM adds to C++. frontend/attributes.cpp reads the "cm-kernel" mark. */
#ifndef CMKIT_CM_DETAIL_KEYWORDS_H
#define CMKIT_CM_DETAIL_KEYWORDS_H

#define _GENX_MAIN_      __attribute__((annotate("cm-kernel")))
#define _GENX_           /* every function runs on the GPU */
#define _GENX_STACKCALL_ /* every function is inlined so far */
#define _GENX_VOLATILE_  /* variables outside functions are in registers anyway */
/* The variable's place in the register file, in bytes: checked. What is bound has no other way to be seen than by its name,
 * since every function is inlined, so the compiler places it as it does any other. */
#define _GENX_VOLATILE_BINDING_(offset) __attribute__((annotate("cm-binding", offset, CM_GRF_WIDTH / 8, CM_GRF_COUNT)))
#define CM_INLINE        inline __attribute__((always_inline))
#define CM_NOINLINE

/* Address spaces: a plain pointer is a flat address. Kernel arguments cannot be private or generic. */
#define __global
#define __constant
#define __private __attribute__((annotate("cm-private")))
#define __generic __attribute__((annotate("cm-generic")))

#define __CM  1
#define __CMC 1

#ifndef NULL
#define NULL 0
#endif

/* Detail functions: always inlined, never seen by a debugger. */
#define CM_DETAIL_INLINE inline __attribute__((always_inline, nodebug))
#define CM_DETAIL_MEMBER __attribute__((always_inline, nodebug))

#endif
