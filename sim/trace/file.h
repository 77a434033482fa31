/* Reads and writes files of recorded launches: a head that programs can read at once, then one frame of zstd with the
 * rest. A file may come from anybody: what is read from it is what its writer chose. */
#ifndef CMKIT_SIM_TRACE_FILE_H
#define CMKIT_SIM_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>

enum { TRACE_VERSION = 1, TRACE_PATH = 4096 };

/* The first bytes of a file, in the byte order of x86-64. Texts end with a zero. */
struct trace_head {
    char magic[8]; /* "gensimtr" */
    uint32_t version;
    uint32_t is_ordered; /* one host thread and no check: the GPU's own memory is the same in each run */
    char device[16];     /* as gensim -d has it */
    uint32_t slices, subslices, eus;
    uint32_t groups[3], group_threads;
    uint32_t has_fault;     /* the launch ended with one */
    char kernel[128];       /* "" if not known */
    uint64_t hash;          /* of the kernel's code */
    uint64_t pages;         /* that the launch has accessed, of 4096 bytes */
    uint64_t content_bytes; /* of the frame's content */
};

/* Reads a file's head. NULL, or a static sentence that says what is wrong with it. */
const char *trace_head_read(const char *path, struct trace_head *head);

/* Writes the path of a launch's file in a folder: 1, or 0 if it is too long. */
int trace_path(const char *folder, uint64_t number, char *path, size_t size);

/* Returns the highest number of a launch in the folder; 0: there is none. */
uint64_t trace_last(const char *folder);

/* A file that is written. */
struct trace_out;
/* NULL with errno set. `path` must not exist. */
struct trace_out *trace_out_open(const char *path);
void trace_put(struct trace_out *out, const void *bytes, size_t size);
void trace_put_number(struct trace_out *out, uint64_t number);
/* Writes the head and closes the file, which is removed if anything failed. 1, or 0 with errno set. */
int trace_out_close(struct trace_out *out, struct trace_head *head);

/* A file that is read. */
struct trace_in;
/* NULL with `*wrong` a static sentence. */
struct trace_in *trace_in_open(const char *path, struct trace_head *head, const char **wrong);
/* 1, or 0: the file ends before, or is damaged. */
int trace_get(struct trace_in *in, void *bytes, size_t size);
int trace_get_number(struct trace_in *in, uint64_t *number);
/* 1: the file ends here, and its checksum is right. */
int trace_at_end(struct trace_in *in);
void trace_in_close(struct trace_in *in); /* NULL is allowed */

#endif
