/* Prints text inside HTML. */
#include "text/html.h"

#include <assert.h>

void html_text(const char *text, FILE *out)
{
    assert(text && out);
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if ((unsigned char)*text >= ' ' || *text == '\t' || *text == '\n')
                fputc(*text, out);
        }
    }
}
