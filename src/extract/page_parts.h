/* SPDX-License-Identifier: MIT */
/*
 * Parts of a page that are left out, or that alone are read, chosen by selectors: the page's bytes pass through and
 * those of other parts do not. What is left out is there neither for a method nor for the structure.
 *
 * A list of selectors (CSS Selectors 4, the part that an element and those around it decide): "nav, div.ad > p, #footer
 * a, [role=note], [class^='x-']". Compounds of a name or *, .class, #id and [attribute] with =, ^=, $=, *=, ~= or |=; a
 * blank between compounds for descendants, > for children. Elements are those of the tokeniser with the implied end
 * tags of HTML (html/elements.h).
 *
 * Example: of "<p>a<b class=x>b</b>c" without ".x" the bytes "<p>ac" are left.
 */
#ifndef DANA_EXTRACT_PAGE_PARTS_H
#define DANA_EXTRACT_PAGE_PARTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diagnostics.h"
#include "extract/found_parts.h"
#include "extract/page_options.h"

enum { PARTS_SELECTORS = 64, PARTS_COMPOUNDS = 256 };

struct page_parts;

/**
 * Makes a filter of `exclude` and `only`, lists of selectors, of `rules`, lines of a host (and its subdomains), a tab,
 * "exclude" or "only", a tab, and a list, where '#' begins a comment; and of the parts that `comments` and `tables`
 * find without selectors (found_parts.h). Returns DANA_ENOMEM, or DANA_ECONFIG with the option, the selector and what
 * is wrong with it in `err`. *out is NULL where nothing is left out.
 */
int page_parts_new(struct page_parts **out, const struct page_options *options, struct error *err);
/** Begins a page of this address, empty if it is not known. */
void page_parts_begin(struct page_parts *p, struct slice url);
/** Takes bytes of the page, and appends what is read of them to `out`, which may be less, or bytes of before. */
int page_parts_take(struct page_parts *p, struct slice bytes, struct buf *out);
/** Ends the page, and appends what is left. */
int page_parts_finish(struct page_parts *p, struct buf *out);
/**
 * After the end, where parts are found and nothing was appended: gives the next bytes that are read. *at is 0 before
 * the first ones. Returns 1, 0 after the last ones, or DANA_ENOMEM. The bytes live until the next page.
 */
int page_parts_next(struct page_parts *p, enum parts_read which, size_t *at, struct slice *bytes);
/** Returns the place in the page of the byte that is read as number `offset`. */
uint64_t page_parts_place(const struct page_parts *p, uint64_t offset);
void page_parts_free(struct page_parts *p);

#endif
