/* Texture sampling: SAMPLER_STATE decoded, addressing and filtering of one sample. */
#ifndef CMKIT_SIM_MESSAGE_TEXTURE_H
#define CMKIT_SIM_MESSAGE_TEXTURE_H

#include "sim/message/surface.h"

enum address_mode { MODE_WRAP = 0, MODE_MIRROR = 1, MODE_CLAMP = 2, MODE_BORDER = 4, MODE_MIRROR_ONCE = 5 };

struct sampler {
    bool magnify_linear, minify_linear; /* else nearest */
    bool unnormalized;                  /* coordinates count texels */
    enum address_mode address[3];       /* for U, V, R */
    bool round[2][3];                   /* [0 magnify, 1 minify][U, V, R]: round coordinates to 1/256, else truncate */
    uint32_t border[4];
};

/* Sampler state `index` of the thread, or of the header's pointer (dword 3). False with the fault raised if it uses
 * what is not implemented. */
bool sampler_open(struct request *request, unsigned index, struct sampler *sampler);

/* Where one channel samples. `place` is U, V, R; `slice` is the array element, for arrays. */
struct sample {
    float place[3];
    int32_t slice;
    bool minify;
};

/* Filtered value of `sample`, in the surface's channel order before the channel select. False with the fault raised. */
bool texture_sample(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct sample *sample, uint32_t channels[4]);

/* Component `component` of the four texels around `sample`: lower left, lower right, upper right, upper left. */
bool texture_gather(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct sample *sample, unsigned component, uint32_t values[4]);

/* Texel at integer coordinates; outside of the surface every channel that the format has is 0. */
bool texture_load(struct request *request, const struct surface *surface, const int32_t place[3], int32_t slice,
                  uint32_t channels[4]);

/* The channel select of the surface state. */
void texture_select(const struct surface *surface, uint32_t channels[4]);

/* Coordinates that position a texel, 1 to 3; an array index is not one of them. */
unsigned texture_dimensions(const struct surface *surface);

#endif
