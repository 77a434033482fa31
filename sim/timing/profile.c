/* Adds up a launch's profile. */
#include "sim/timing/profile.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKET = 1 << 12 /* ticks */ };

struct timing_profile *timing_profile_create(void)
{
    struct timing_profile *profile = calloc(1, sizeof *profile);
    if (profile)
        profile->each = FIRST_BUCKET;
    return profile;
}

static void destroy_code(struct timing_code *code)
{
    free(code->line);
    free(code->flops);
    free(code);
}

void timing_profile_destroy(struct timing_profile *profile)
{
    while (profile && profile->code) {
        struct timing_code *next = profile->code->next;
        destroy_code(profile->code);
        profile->code = next;
    }
    if (profile)
        free(profile->event);
    free(profile);
}

struct timing_code *timing_profile_add(struct timing_profile *profile, const struct eu_program *program, size_t count)
{
    struct timing_code **last = &profile->code, *code = calloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->program = program;
    code->count = count;
    code->line = calloc(count, sizeof *code->line);
    code->flops = calloc(count, sizeof *code->flops);
    if (!code->line || !code->flops) {
        destroy_code(code);
        return NULL;
    }
    while (*last)
        last = &(*last)->next;
    *last = code;
    return code;
}

/* Halves the number of buckets until the tick has one. */
static uint64_t bucket_of(struct timing_profile *profile, uint64_t at)
{
    for (; at / profile->each >= TIMING_BUCKETS; profile->each *= 2)
        for (unsigned s = 0; s < TIMING_SERIES; s++) {
            uint64_t *bucket = profile->bucket[s];
            for (unsigned i = 0; i < TIMING_BUCKETS / 2; i++)
                bucket[i] = bucket[2 * i] + bucket[2 * i + 1];
            memset(bucket + TIMING_BUCKETS / 2, 0, (TIMING_BUCKETS - TIMING_BUCKETS / 2) * sizeof *bucket);
        }
    return at / profile->each;
}

void timing_profile_event(struct timing_profile *profile, const struct timing_event *event)
{
    if (event->to <= profile->window[0] || event->from >= profile->window[1])
        return;
    if (profile->events == profile->room && profile->room < TIMING_MOST_EVENTS) {
        size_t room = profile->room ? 2 * profile->room : 1000;
        room = room < TIMING_MOST_EVENTS ? room : TIMING_MOST_EVENTS;
        struct timing_event *grown = realloc(profile->event, room * sizeof *grown);
        if (grown) {
            profile->event = grown;
            profile->room = room;
        }
    }
    if (profile->events < profile->room)
        profile->event[profile->events++] = *event;
    else
        profile->lost++;
}

void timing_profile_note(struct timing_profile *profile, enum timing_series series, uint64_t at, uint64_t amount)
{
    profile->bucket[series][bucket_of(profile, at)] += amount;
}

void timing_profile_spread(struct timing_profile *profile, enum timing_series series, uint64_t from, uint64_t to)
{
    if (to <= from)
        return;
    uint64_t last = bucket_of(profile, to - 1);
    for (uint64_t i = from / profile->each; i <= last; i++) {
        uint64_t start = i * profile->each, end = start + profile->each;
        profile->bucket[series][i] += (to < end ? to : end) - (from > start ? from : start);
    }
}
