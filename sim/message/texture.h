/* Declares texture sampling: SAMPLER_STATE decoded, addressing and filtering of one sample. */
#ifndef CMKIT_SIM_MESSAGE_TEXTURE_H
#define CMKIT_SIM_MESSAGE_TEXTURE_H

#include "sim/message/surface.h"

enum sampler_address_mode { MODE_WRAP = 0, MODE_MIRROR = 1, MODE_CLAMP = 2, MODE_BORDER = 4, MODE_MIRROR_ONCE = 5 };

enum sampler_mip_filter { MIP_NONE = 0, MIP_NEAREST = 1, MIP_LINEAR = 3 };
enum sampler_reduction { REDUCTION_NONE, REDUCTION_MINIMUM = 2, REDUCTION_MAXIMUM = 3 };

struct sampler {
    bool magnify_linear, minify_linear; /* else nearest */
    enum sampler_mip_filter mip_filter;
    double lod_bias, least_lod, most_lod;
    unsigned shadow_function;             /* hardware's number: the comparison of texel and reference that gives 0 */
    enum sampler_reduction reduction;     /* replaces the sum of a linear filter */
    bool unnormalized;                    /* coordinates count texels */
    enum sampler_address_mode address[3]; /* for U, V, R */
    bool round[2][3]; /* [0 magnify, 1 minify][U, V, R]: round coordinates to 1/256, else truncate */
    uint32_t border[4];
};

/* Opens sampler state `index` of the thread, or of the header's pointer (dword 3). Returns false with the fault raised
 * if it uses an unimplemented field. */
bool sampler_open(struct request *request, unsigned index, struct sampler *sampler);

/* The position that one channel samples. `place` is U, V, R; `slice` is the array element, for arrays. */
struct texture_sample {
    float place[3];
    int32_t slice;
    int offset[3]; /* in texels of the level */
    double lod;    /* before bias and clamp */
    bool compares; /* texels become 0 or 1 by the sampler's comparison with `reference` */
    float reference;
};

/* Returns the level of detail of a coordinate that changes by x[] and y[] from one pixel to its two neighbours. */
double texture_lod(const struct surface *surface, const struct sampler *sampler, const float x[3], const float y[3]);

/* Returns the filtered value of `sample`, in the surface's channel order before the channel select. False with the
 * fault raised. */
bool texture_sample(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct texture_sample *sample, uint32_t channels[4]);

/* Returns component `component` of the four texels around `sample`: lower left, lower right, upper right, upper left.
 */
bool texture_gather(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct texture_sample *sample, unsigned component, uint32_t values[4]);

/* Returns the texel at integer coordinates; outside of the surface every channel of the format is 0. */
bool texture_load(struct request *request, const struct surface *surface, const int32_t place[3], int32_t slice,
                  uint32_t channels[4]);

/* Returns the number of coordinates of a texel, 1 to 3, without an array index. */
unsigned texture_dimensions(const struct surface *surface);

#endif
