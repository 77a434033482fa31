/* Says why a program that ends has not come to the simulated GPU, if Intel's driver was not there for it: the program
 * itself only tells that it found no device, or quietly uses the processor. */
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/gensim/device_file.h"
#include "sim/gensim/real.h"

static const char OPEN_CL_FILES[] = "/etc/OpenCL/vendors/*.icd";
static const char OPEN_CL_DRIVER[] = "libigdrcl.so", LEVEL_ZERO_DRIVER[] = "libze_intel_gpu.so.1";
static const char GUIDE[] = "`gensim -d DEVICE -- clinfo -l` lists what OpenCL programs see; docs/guide/clients.md";

/* What is or was loaded into the process: a program may close the loader before it ends. */
static struct loaded {
    atomic_int open_cl, level_zero;               /* loaders of drivers */
    atomic_int open_cl_driver, level_zero_driver; /* Intel's */
    atomic_int other_driver;                      /* an OpenCL driver for the processor or another vendor's GPU */
} loaded;

static int begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static int note_library(struct dl_phdr_info *library, size_t size, void *unused)
{
    static const char *const others[] = {"libpocl",          "libintelocl",      "libMesaOpenCL",
                                         "libRusticlOpenCL", "libnvidia-opencl", "libamdocl"};
    const char *slash = strrchr(library->dlpi_name, '/'), *name = slash ? slash + 1 : library->dlpi_name;
    (void)size, (void)unused;
    loaded.open_cl |= begins(name, "libOpenCL");
    loaded.level_zero |= begins(name, "libze_loader");
    loaded.open_cl_driver |= begins(name, OPEN_CL_DRIVER);
    loaded.level_zero_driver |= begins(name, "libze_intel_gpu");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        loaded.other_driver |= begins(name, others[i]);
    return 0;
}

/* The program's call. */
EXPORT int dlclose(void *library)
{
    if (!device_was_opened())
        dl_iterate_phdr(note_library, NULL);
    return REAL(dlclose)(library);
}

/* The path of Intel's driver in a file of OpenCL's loader: whether there is one. */
static int read_driver(const char *file, char *path, int size)
{
    FILE *stream = fopen(file, "r");
    int found = stream && fgets(path, size, stream) && strstr(path, OPEN_CL_DRIVER);
    if (stream)
        fclose(stream);
    if (found)
        path[strcspn(path, "\r\n")] = 0;
    return found;
}

/* Says why a driver does not load. */
static void explain_loading(const char *path)
{
    if (!dlopen(path, RTLD_LAZY | RTLD_LOCAL))
        fprintf(stderr, "gensim: the program has not seen the simulated GPU: Intel's driver does not load: %s\n",
                dlerror());
}

static void explain_open_cl(void)
{
    char path[4096] = "";
    const char *vendors = getenv("OCL_ICD_VENDORS");
    glob_t files;
    if (vendors) {
        fprintf(stderr,
                "gensim: the program has not seen the simulated GPU: OCL_ICD_VENDORS=%s has no driver of "
                "Intel that loads (%s)\n",
                vendors, GUIDE);
        return;
    }
    int found = 0;
    if (glob(OPEN_CL_FILES, 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc && !found; i++)
            found = read_driver(files.gl_pathv[i], path, sizeof path);
        globfree(&files);
    }
    if (!found)
        fprintf(stderr,
                "gensim: the program has not seen the simulated GPU: no file %s names Intel's driver: install "
                "intel-opencl-icd (%s)\n",
                OPEN_CL_FILES, GUIDE);
    else
        explain_loading(path);
}

/* Nothing is said if the driver was or could be loaded: then the program ends for another reason. */
static void explain(int status, void *unused)
{
    (void)unused;
    if (device_was_opened())
        return;
    dl_iterate_phdr(note_library, NULL);
    if (loaded.open_cl_driver || loaded.level_zero_driver || (status == 0 && !loaded.other_driver))
        return;
    if (loaded.open_cl)
        explain_open_cl();
    else if (loaded.level_zero)
        explain_loading(LEVEL_ZERO_DRIVER);
}

__attribute__((constructor)) static void watch_end(void)
{
    on_exit(explain, NULL);
}
