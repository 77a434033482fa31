/* Prints text inside HTML, SVG and attributes: the characters that mark them up are escaped, and control characters,
 * which neither may hold, are left out. */
#ifndef CMKIT_TEXT_HTML_H
#define CMKIT_TEXT_HTML_H

#include <stdio.h>

void html_text(const char *text, FILE *out);

#endif
