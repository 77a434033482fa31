/* The interface of gensim's plug-ins: shared objects that watch kernels while they run (gensim --plugin FILE.so).
 *
 * A plug-in is a C file that defines gensim_plugin():
 *
 *     cc -shared -fPIC -I PREFIX/include strides.c -o strides.so
 *     gensim -d icllp --plugin ./strides.so -- PROGRAM
 *
 * Calls for one thread group come in the order of its execution, from one thread of the host. Groups run at the same
 * time on several threads of the host, so calls for different groups may be concurrent; with `gensim --threads 1` they
 * are not. A kernel's begin comes before all calls for its groups, and its end after them. Pointers to the structures
 * hold during the call; strings of a kernel hold until its end. A plug-in must not call the drivers. */
#ifndef CMKIT_GENSIM_PLUGIN_H
#define CMKIT_GENSIM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. gensim refuses a plug-in of another one. */
enum { GENSIM_PLUGIN_VERSION = 1 };

/* A launch of a kernel. */
struct gensim_kernel {
    const char *device;      /* "icllp": as in gensim -d */
    const char *name;        /* "" if it is not known */
    uint64_t hash;           /* of its code: gensim --stats prints it, too */
    uint32_t instructions;   /* of its code, without functions of other modules */
    uint32_t groups[3];      /* thread groups */
    uint32_t group_threads;  /* EU threads of a group */
    uint32_t simd;           /* channels of a thread */
    uint32_t local_bytes;    /* shared local memory of a group */
    uint32_t register_bytes; /* size of a general register */
    uint32_t register_count; /* general registers of a thread */
    const void *internal;    /* gensim's own */
};

/* A thread group. */
struct gensim_group {
    const struct gensim_kernel *kernel;
    void *kernel_data; /* what kernel_begin() returned */
    uint32_t id[3];
};

/* What an instruction does. */
enum gensim_class {
    GENSIM_MOVE,
    GENSIM_COMPARE, /* and selection */
    GENSIM_BITS,    /* logic and shifts */
    GENSIM_INTEGER,
    GENSIM_FLOAT,
    GENSIM_MATH, /* inverse, square root, sine ... */
    GENSIM_CONTROL,
    GENSIM_MESSAGE, /* memory, samplers, barriers */
    GENSIM_WAIT,
    GENSIM_CLASSES
};

/* An instruction of a thread, before it is executed. */
struct gensim_instruction {
    uint32_t thread;    /* in its group */
    uint32_t offset;    /* bytes from the kernel's start */
    uint32_t index;     /* 0 to kernel->instructions - 1; UINT32_MAX in functions of other modules */
    const char *opcode; /* "mad" */
    enum gensim_class what;
    uint32_t lanes;           /* it computes at most */
    uint32_t enabled;         /* bit i: lane i executes; of a branch: lane i takes it */
    uint32_t active;          /* bit i: channel i of the thread executes at this place */
    int is_predicated;        /* a flag decides which of the active lanes are enabled */
    const uint8_t *registers; /* of the thread, r0 first */
};

enum gensim_memory { GENSIM_GLOBAL, GENSIM_LOCAL };
enum gensim_direction { GENSIM_READ, GENSIM_WRITE, GENSIM_ATOMIC };

/* An access of the instruction at hand to bytes that follow each other: of one channel, or of several if their bytes
 * are neighbours. */
struct gensim_access {
    uint64_t address; /* GENSIM_LOCAL: offset in the group's memory */
    uint64_t size;
    enum gensim_memory memory;
    enum gensim_direction direction;
};

/* What gensim does for plug-ins. */
struct gensim_host {
    /* Writes an instruction's assembly; "" outside of the kernel. */
    void (*disassemble)(const struct gensim_kernel *kernel, uint32_t offset, char *text, size_t room);
    /* Writes "scale.cm:7"; "" where nothing is known. It is slow. */
    void (*source)(const struct gensim_kernel *kernel, uint32_t offset, char *text, size_t room);
};

/* The functions of a plug-in; each may be NULL. `start`: the first call of the process that uses the device; `options`
 * is what follows the = of --plugin FILE.so=OPTIONS, "" without. `finish`: the program's end. kernel_begin() and
 * group_begin() return data of the plug-in's own, which the other calls get. */
struct gensim_plugin {
    uint32_t version; /* GENSIM_PLUGIN_VERSION */
    const char *name; /* for messages */
    void (*start)(const struct gensim_host *host, const char *options);
    void *(*kernel_begin)(const struct gensim_kernel *kernel);
    void *(*group_begin)(const struct gensim_group *group);
    void (*instruction)(const struct gensim_group *group, void *data, const struct gensim_instruction *instruction);
    void (*access)(const struct gensim_group *group, void *data, const struct gensim_instruction *instruction,
                   const struct gensim_access *access);
    void (*group_end)(const struct gensim_group *group, void *data);
    void (*kernel_end)(const struct gensim_kernel *kernel, void *data);
    void (*finish)(void);
};

/* Returns the plug-in. Each defines it. */
const struct gensim_plugin *gensim_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
