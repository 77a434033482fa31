/* Lays out an image in the memory of the CPU: one plane, or several in sequence. */
#ifndef CMKIT_RUNTIME_HOST_PLANES_H
#define CMKIT_RUNTIME_HOST_PLANES_H

#include "tables/host_abi.h"
#include "runtime/internal.h"

/* Fills planes[0], the surface that a kernel gets for the image, and after it the further planes that it refers to.
 * `rows` has image_total_bytes() bytes. */
void host_place_planes(const cmrt_image *image, unsigned char *rows,
                       struct cm_host_surface planes[1 + MOST_FURTHER_PLANES]);

#endif
