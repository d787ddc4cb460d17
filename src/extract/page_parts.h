/* SPDX-License-Identifier: MIT */
/*
 * Parts of a page that are left out, or that alone are read, chosen by selectors: the page's bytes pass through and
 * those of other parts do not. What is left out is there neither for a method nor for the structure. What is dropped
 * passes, so that a method decides as without rules, and then leaves out the blocks that are in it.
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
 * "exclude", "only" or "drop", a tab, and a list, where '#' begins a comment; and of the parts that `comments` and
 * `tables` find without selectors (found_parts.h). `drops`: page_parts_drops is asked; otherwise what is to be dropped
 * is excluded. Returns DANA_ENOMEM, or DANA_ECONFIG with the option, the selector and what
 * is wrong with it in `err`. *out is NULL where nothing is left out.
 */
int page_parts_new(struct page_parts **out, const struct page_options *options, bool drops, struct error *err);
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
/**
 * After the end: returns whether all words from byte `from` to byte `to` of what is read are in dropped elements.
 * Example: with "drop .x" those of <p>in <b class=x>a</b></p> are not, those of <p class=x>b</p>, and of
 * <p><b class=x>b</b>.</p>, are. `p` may be NULL.
 */
bool page_parts_drops(const struct page_parts *p, uint64_t from, uint64_t to);
/**
 * Returns whether a text, UTF-8, has words, and not only white space and signs: a letter, a digit, or any character
 * above ASCII but those of U+0080 to U+00BF and General Punctuation.
 */
bool page_parts_words(struct slice text);
void page_parts_free(struct page_parts *p);

#endif
