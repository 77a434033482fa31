/* Asks libclangFEWrapper.so for its interface version, like Intel's compiler. Built as shared libraries named
 * libigdfcl.so.1 and libigdfcl.so.2, and as libigdfcl.so.3, which does not exist yet. */
#include <dlfcn.h>
#include <stdio.h>

int asked_version(const char *wrapper);

int asked_version(const char *wrapper)
{
    void *library = dlopen(wrapper, RTLD_NOW);
    int (*version)(void) = library ? (int (*)(void))dlsym(library, "IntelCMClangFEGetInterfaceVersion") : NULL;
    if (!version)
        fprintf(stderr, "%s\n", dlerror());
    volatile int answer = version ? version() : -1; /* no tail call: the library looks at who calls */
    return answer;
}
