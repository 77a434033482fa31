/* Keeps the simulated GPU of the process and the list of its open device files.
 *
 * A device file is a real, empty memory file, so that duplicating, passing, polling and closing it need no help; it is
 * recognised by its inode. The GPU is created when the first device file is opened. */
#ifndef CMKIT_SIM_GENSIM_DEVICE_FILE_H
#define CMKIT_SIM_GENSIM_DEVICE_FILE_H

#include <sys/types.h>
#include "sim/kernel/kernel.h"

/* An open device file. Its descriptor `keeper` belongs to the simulator: while it is open, no other file gets the
 * inode. A closed device file has keeper -1 and inode 0; it stays in the list and is reused. */
struct device_file {
    struct device_file *next;
    dev_t device;
    ino_t inode;
    int keeper;
    struct kernel_file file;
};

/* Opens the device: a descriptor, or -1 with errno set. `flags` as for open(). */
int device_file_open(int flags);

/* Returns the device file of a descriptor, NULL for every other file; errno is preserved. After a fork this does not
 * start the device in the child: many children only close all open files and then call exec(). */
struct device_file *device_file_look_up(int descriptor);

/* Like device_file_look_up(), for a descriptor that is used: starts the device if needed. */
struct device_file *device_file_use(int descriptor);

/* Call it after a descriptor of the file was closed. If it was the last one, frees the file with its objects and
 * contexts. */
void device_file_close_if_unused(struct device_file *entry);

/* True if this process has a running device. */
int device_is_running(void);

/* True if this process, or the one that it was forked from, has opened the device. */
int device_was_opened(void);

#endif
