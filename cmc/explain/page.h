/* The texts of page.css and page.js, which the build puts into the program. */
#ifndef CMKIT_CMC_EXPLAIN_PAGE_H
#define CMKIT_CMC_EXPLAIN_PAGE_H

extern const char explain_page_css[], explain_page_js[];

#endif
