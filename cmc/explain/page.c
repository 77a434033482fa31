/* Puts the text of page.css and page.js into the program. The assembler finds them by the -I of the tree. */
#include "cmc/explain/page.h"

#define TEXT(SYMBOL, FILE)                                                                                             \
    __asm__(".section .rodata\n.globl " #SYMBOL "\n" #SYMBOL ":\n.incbin \"cmc/explain/" FILE                          \
            "\"\n.byte 0\n.previous\n")
TEXT(explain_page_css, "page.css");
TEXT(explain_page_js, "page.js");
