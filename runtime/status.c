/* Keeps the message of the last call that failed, one for each host thread. */
#include "runtime/status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[1024];

const char *cmrt_status_name(enum cmrt_status status)
{
    static const char *const names[] = {"CMRT_OK",        "CMRT_NO_DEVICE",    "CMRT_BAD_FILE",  "CMRT_WRONG_PLATFORM",
                                        "CMRT_NO_KERNEL", "CMRT_BAD_ARGUMENT", "CMRT_NO_MEMORY", "CMRT_DRIVER",
                                        "CMRT_NOT_YET"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : NULL;
}

unsigned cmrt_version(void)
{
    return CMRT_VERSION;
}

const char *cmrt_message(void)
{
    return message;
}

enum cmrt_status cmrt_fail(enum cmrt_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    for (char *at = message; *at; at++) /* build logs have lines; a message is one */
        if ((unsigned char)*at < ' ')
            *at = ' ';
    return status;
}
