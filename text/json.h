/* Prints strings of JSON (RFC 8259), with their quotes. Bytes that are not UTF-8 become U+FFFD: file names and sources
 * may hold any bytes, JSON may not. */
#ifndef CMKIT_TEXT_JSON_H
#define CMKIT_TEXT_JSON_H

#include <stddef.h>
#include <stdio.h>

void json_string(const char *text, FILE *out);

/* The same for `size` bytes, which need no zero at their end. */
void json_bytes(const char *text, size_t size, FILE *out);

#endif
