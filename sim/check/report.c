#include "sim/check/report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/fault.h"
#include "sim/check/document.h"
#include "sim/check/suppress.h"

/* Places in the code that are reported: more than a user would read. Findings elsewhere are only counted. */
enum { MOST_PLACES = 100 };

struct known_finding {
    enum sim_check kind;
    uint64_t hash;
    uint32_t ip, other_ip;
    bool is_suppressed;
    unsigned number; /* of those that are reported */
};

static struct {
    pthread_mutex_t lock;
    struct known_finding places[MOST_PLACES];
    unsigned count, reported;
    uint64_t findings;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Resets the state in a forked child: it reports its own findings, and the lock's owner may not exist there. */
static void forget(void)
{
    pthread_mutex_init(&all.lock, NULL);
    all.findings = all.count = all.reported = 0;
    check_document_forget();
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

static void (*watcher)(const char *text); /* NULL: none */

void check_report_watch(void (*wanted)(const char *text))
{
    watcher = wanted;
}

static struct known_finding *find(const struct check_finding *f)
{
    uint32_t other = f->other_did ? f->other.ip : 0;
    for (unsigned i = 0; i < all.count; i++) {
        struct known_finding *p = &all.places[i];
        bool same = p->ip == f->site.ip && p->other_ip == other;
        bool swapped = f->other_did && p->ip == other && p->other_ip == f->site.ip;
        if (p->kind == f->kind && p->hash == f->hash && (same || swapped))
            return p;
    }
    return NULL;
}

/* Adds the source line, with its text where the file can be read. */
static size_t print_source(char *text, size_t room, const char *source)
{
    char line[160];
    if (!source[0])
        return 0;
    sim_source_text(source, line, sizeof line);
    int used = snprintf(text, room, "        source %s%s%s\n", source, line[0] ? ": " : "", line);
    return used < 0 ? 0 : (size_t)used < room ? (size_t)used : room - 1;
}

static size_t print_place(char *text, size_t room, const char *did, const struct check_site *site,
                          const struct check_location *place)
{
    const char *between = strlen(did) > 40 ? "\n        in" : " in";
    int used = snprintf(text, room, "    %s%s %s\n", did, between, place->position);
    if (site->ip != CHECK_NO_CODE && used >= 0 && (size_t)used < room)
        used += snprintf(text + used, room - (size_t)used, "        at kernel offset 0x%" PRIx32 "%s%s\n", site->ip,
                         place->instruction[0] ? ": " : "", place->instruction);
    size_t length = used < 0 ? 0 : (size_t)used < room ? (size_t)used : room - 1;
    return length + print_source(text + length, room - length, place->source);
}

static const char *known_or_any(const char *text)
{
    return text[0] ? text : "*";
}

void check_suppression_line(enum sim_check kind, const struct check_location *place, char *text, size_t room)
{
    int start = snprintf(text, room, "%s %s ", sim_check_name(kind), known_or_any(place->kernel));
    snprintf(text + start, room - (size_t)start, "%s", known_or_any(place->source));
    for (char *at = text + start; place->source[0] && *at; at++) /* characters that end the word, or are patterns */
        if (strchr(" \t#*[]\\", *at))
            *at = '?';
}

/* Writes the finding's line about its address with the argument that points there: "0x1000, argument 1 "out" + 64". */
static void name_argument(const struct check_finding *f, const void *context, char *text, size_t room)
{
    char name[96];
    uint64_t value = f->from < f->to ? f->argument(context, f->from, f->to, name, sizeof name) : 0;
    if (!value)
        snprintf(text, room, "%s", f->address);
    else
        snprintf(text, room, "%s, %s %c %" PRIu64, f->address, name, f->at < value ? '-' : '+',
                 f->at < value ? value - f->at : f->at - value);
}

/* Prints with one write: other threads of the program may be printing too. False: it is suppressed. */
static bool print(const struct check_finding *given, check_describe *describe, const void *context)
{
    char where[400];
    struct check_finding finding = *given;
    const struct check_finding *f = &finding;
    struct check_location place = {.kernel = ""}, other = {.kernel = ""};
    char text[3072];
    const char *kind = sim_check_name(f->kind);
    describe(context, &f->site, &place);
    const char *kernel = known_or_any(place.kernel), *source = known_or_any(place.source);
    if (check_is_suppressed(kind, kernel, source))
        return false;
    name_argument(given, context, where, sizeof where);
    finding.address = where;
    size_t room = sizeof text - 600;
    int used = snprintf(text, room, "gensim: check: %s: %s\n", kind, f->what);
    size_t length = used < 0 ? 0 : (size_t)used;
    length += print_place(text + length, room - length, f->did, &f->site, &place);
    if (f->other_did) {
        describe(context, &f->other, &other);
        length += print_place(text + length, room - length, f->other_did, &f->other, &other);
    }
    if (f->address[0])
        length += (size_t)snprintf(text + length, sizeof text - length, "    address %s\n", f->address);
    if (length < sizeof text)
        length += (size_t)snprintf(text + length, sizeof text - length, "    to suppress it: %s %s %s\n", kind, kernel,
                                   source);
    check_document_add(f, &place, f->other_did ? &other : NULL);
    fwrite(text, 1, length < sizeof text ? length : sizeof text - 1, stderr);
    fflush(stderr);
    text[length < sizeof text ? length : sizeof text - 1] = 0;
    if (watcher)
        watcher(text);
    return true;
}

void check_report(const struct check_finding *f, check_describe *describe, const void *context)
{
    pthread_mutex_lock(&all.lock);
    struct known_finding *place = find(f);
    if (place && !place->is_suppressed)
        check_document_count(place->number);
    if (!place && all.count < MOST_PLACES) {
        place = &all.places[all.count++];
        *place =
            (struct known_finding){f->kind, f->hash, f->site.ip, f->other_did ? f->other.ip : 0, false, all.reported};
        place->is_suppressed = !print(f, describe, context);
        all.reported += !place->is_suppressed;
    }
    all.findings += !place || !place->is_suppressed;
    pthread_mutex_unlock(&all.lock);
}

unsigned check_report_end(void)
{
    pthread_mutex_lock(&all.lock);
    unsigned reported = all.reported;
    if (all.findings)
        fprintf(stderr, "gensim: check: %" PRIu64 " finding%s, %u place%s in the code%s\n", all.findings,
                all.findings == 1 ? "" : "s", reported, reported == 1 ? "" : "s",
                all.count == MOST_PLACES ? " reported, more not" : "");
    check_document_write(all.findings);
    all.findings = 0;
    pthread_mutex_unlock(&all.lock);
    return reported;
}
