/* Collects what a compilation says on standard error. All stages write plain lines there: the front end, the middle end
 * and cmc itself; here they become coloured, get the source line, or become one JSON document. */
#include "cmc/messages.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "cmc/message.h"

static struct {
    int kept;     /* file in memory that replaces standard error; -1: nothing is kept */
    int original; /* standard error */
    enum cmc_messages form;
    bool colours, carets;
    struct cmc_message *messages; /* that wait for the end */
    size_t count;
    struct cmc_message before; /* in text: the message that was printed last */
} state = {.kept = -1};

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/* After a crash: what was kept, unchanged, by system calls only; then the signal's own action. */
static void copy_and_die(int signal_number)
{
    char bytes[4096];
    lseek(state.kept, 0, SEEK_SET);
    for (ssize_t got; (got = read(state.kept, bytes, sizeof bytes)) > 0;)
        if (write(state.original, bytes, (size_t)got) != got)
            break;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static bool on_terminal(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !getenv("NO_COLOR");
}

void cmc_messages_begin(const struct cmc_options *options)
{
    state.form = options->messages;
    state.carets = !options->no_carets;
    state.colours =
        options->colours == CMC_COLOURS_ALWAYS || (options->colours == CMC_COLOURS_ON_TERMINALS && on_terminal());
    fflush(stderr);
    state.original = dup(STDERR_FILENO);
    state.kept = state.original < 0 ? -1 : memfd_create("messages", MFD_CLOEXEC);
    if (state.kept < 0 || dup2(state.kept, STDERR_FILENO) < 0) {
        state.kept = -1; /* messages come out as they are */
        return;
    }
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], copy_and_die);
    atexit(cmc_messages_end);
}

/* Prints the kept text unchanged, if there is no memory for more. */
static void copy_kept(off_t size)
{
    char piece[512];
    for (off_t at = 0; at < size;) {
        ssize_t got = pread(state.kept, piece, sizeof piece, at);
        if (got <= 0 || write(state.original, piece, (size_t)got) != got)
            return;
        at += got;
    }
}

/* What was kept since the last time, NUL-terminated. NULL: nothing. The caller frees it. */
static char *take_kept(void)
{
    fflush(stderr);
    off_t size = lseek(state.kept, 0, SEEK_END);
    char *text = size > 0 ? malloc((size_t)size + 1) : NULL;
    ssize_t got = text ? pread(state.kept, text, (size_t)size, 0) : 0;
    if (text)
        text[got > 0 ? got : 0] = 0;
    else
        copy_kept(size);
    if (ftruncate(state.kept, 0) == 0)
        lseek(state.kept, 0, SEEK_SET);
    return text;
}

/* A note at the place of the message before it: its line has been shown. */
static bool is_shown(const struct cmc_message *message)
{
    const struct cmc_message *before = &state.before;
    return message->severity == CMC_NOTE && before->place && strcmp(before->place, message->place) == 0 &&
           before->line == message->line && before->column == message->column;
}

static void write_line(const char *line, struct cmc_sources *sources, FILE *out)
{
    struct cmc_message message;
    if (!cmc_message_parse(line, &message)) {
        fprintf(out, "%s\n", line);
    } else if (state.form == CMC_MESSAGES_TEXT) {
        bool shows = state.carets && !is_shown(&message);
        cmc_message_print(&message, state.colours, shows ? sources : NULL, out);
        cmc_message_free(&state.before);
        state.before = message;
    } else {
        CMC_APPEND(state.messages, state.count, message);
    }
}

void cmc_messages_flush(const struct cmc_options *options)
{
    char *text = state.kept < 0 ? NULL : take_kept();
    if (!text)
        return;
    struct cmc_sources sources = {.standard_text = options->text, .standard_size = options->text_size};
    if (options->text)
        sources.standard_name = options->input_name ? options->input_name : "<stdin>";
    FILE *out = fdopen(dup(state.original), "w");
    char *rest = text;
    for (char *line; out && (line = strsep(&rest, "\n")) && (rest || *line);)
        write_line(line, &sources, out);
    if (out)
        fclose(out);
    cmc_sources_free(&sources);
    free(text);
}

void cmc_messages_end(void)
{
    if (state.kept < 0)
        return;
    cmc_messages_flush(&(struct cmc_options){0});
    dup2(state.original, STDERR_FILENO);
    close(state.original);
    close(state.kept);
    state.kept = -1;
    if (state.form == CMC_MESSAGES_JSON)
        cmc_messages_json(state.messages, state.count, stderr);
    if (state.form == CMC_MESSAGES_SARIF)
        cmc_messages_sarif(state.messages, state.count, stderr);
    for (size_t i = 0; i < state.count; i++)
        cmc_message_free(&state.messages[i]);
    free(state.messages);
    cmc_message_free(&state.before);
    state.before = (struct cmc_message){0};
    state.messages = NULL;
    state.count = 0;
}
