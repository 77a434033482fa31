/* Registers the references of kernels: what each must write, as scalar C from the meaning of the language. NAME.c
 * stands beside NAME.cm and ends with a REFERENCE for each RUN-KERNEL line there; CMake finds both by their names. */
#ifndef CMKIT_TEST_KERNELS_REFERENCE_H
#define CMKIT_TEST_KERNELS_REFERENCE_H

/* Does what one thread of a kernel does: `in` and `out` are the whole buffers, `thread` the linear global id. */
typedef void reference_function(const void *in, void *out, unsigned thread);

struct reference {
    const char *kernel;
    reference_function *run;
    struct reference *next;
};

/* Adds a reference to the list that kernel_test.c searches; ends the program if the kernel has one. */
void reference_add(struct reference *reference);

/* Makes the function NAME the reference of the kernel NAME. */
#define REFERENCE(NAME)                                                                                                \
    __attribute__((constructor)) static void add_##NAME(void)                                                          \
    {                                                                                                                  \
        static struct reference reference = {#NAME, NAME, 0};                                                          \
        reference_add(&reference);                                                                                     \
    }

#endif
