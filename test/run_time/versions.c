/* versions WRAPPER CALLER VERSION...: checks that each CALLER, a build of caller.c, gets VERSION. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    int failures = 0;
    for (int n = 2; n + 1 < count; n += 2) {
        void *library = dlopen(words[n], RTLD_NOW);
        int (*asked)(const char *) = library ? (int (*)(const char *))dlsym(library, "asked_version") : NULL;
        int version = asked ? asked(words[1]) : -1;
        if (version != atoi(words[n + 1])) {
            printf("FAIL %s is told %d, not %s\n", words[n], version, words[n + 1]);
            failures++;
        }
    }
    return failures || count < 4;
}
