/* Prints each string of standard input, which ends in a zero, as a string of JSON and as text of HTML, a line each. */
#include <stdio.h>
#include <stdlib.h>
#include "text/html.h"
#include "text/json.h"

int main(void)
{
    char *text = NULL;
    size_t size = 0;
    while (getdelim(&text, &size, 0, stdin) > 0) {
        json_string(text, stdout);
        putchar(0);
        html_text(text, stdout);
        putchar(0);
    }
    free(text);
    return 0;
}
