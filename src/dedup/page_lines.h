/* SPDX-License-Identifier: MIT */
/*
 * Hashes of a text's normal form: of a document, and of its lines. A line that is not blank gets a key, which is the
 * XXH3-64 of its normal form in lower case, with the number of its scope as seed: equal lines of one scope have equal
 * keys. A scope is all pages, or the pages of a site: the domain that somebody has registered (Public Suffix List, by
 * libpsl).
 */
#ifndef DANA_DEDUP_PAGE_LINES_H
#define DANA_DEDUP_PAGE_LINES_H

#include "base/buf.h"
#include "dedup/hash.h"

/** One for each thread. */
struct text_hasher;

/** `flags`: enum normal_flags. Returns NULL if memory is exhausted. */
struct text_hasher *text_hasher_new(unsigned flags);
/** NULL is allowed. */
void text_hasher_free(struct text_hasher *h);
/** Computes the XXH3-128 of the text's normal form. *empty: that form is empty. Returns 0 or DANA_ENOMEM. */
int text_hash(struct text_hasher *h, struct slice text, struct hash128 *hash, bool *empty);
/**
 * Computes the XXH3-64 of a line's normal form, with a seed, and its number of characters (code points); if that is 0,
 * it is the hash of the empty string. Returns 0 or DANA_ENOMEM.
 */
int line_hash(struct text_hasher *h, struct slice line, uint64_t seed, uint64_t *hash, size_t *chars);

struct page_line {
	uint64_t key;        /* 0: the line is blank */
	uint32_t start, len; /* bytes of the text, without the line end */
	uint32_t chars;      /* code points of the normal form */
	uint32_t mark;       /* for the user of the list; 0 at first */
};

/** Zero-initialised it is empty. */
struct page_lines {
	struct page_line *items;
	size_t n, cap;
	uint64_t chars; /* of all lines */
};

/** Appends the lines of `text`, of at most 4 GiB. Returns 0 or DANA_ENOMEM. */
int page_lines_add(struct page_lines *lines, struct text_hasher *hasher, struct slice text, uint64_t scope);
/** Appends the keys of lines of at least `min_chars` characters, each once, sorted (uint64_t). Returns the same. */
int page_lines_keys(const struct page_lines *lines, size_t min_chars, struct buf *keys);
void page_lines_clear(struct page_lines *lines);
void page_lines_free(struct page_lines *lines);
/** Writes the lines whose mark is 0, joined by LF, to `out`. Returns 0 or DANA_ENOMEM. */
int page_lines_left(const struct page_lines *lines, struct slice text, struct buf *out);

/** Numbers of scopes. */
enum { LINE_SCOPE_ALL = 1 };
uint64_t line_scope(struct slice site);
/**
 * What a site has besides lines, by a hash of 32 bits: of a path its pages, and a sum over these; the addresses of the
 * pages that are learned from; and, by 0, whether these are not all of its pages.
 */
enum site_fact { PATH_PAGES = 1, PATH_SUM, SITE_ADDRESS, SITE_IN_PART };
/** Returns the key of such a number. No line has it: no text has such bytes. */
uint64_t site_key(uint32_t hash, enum site_fact fact, uint64_t scope);
/**
 * Appends the site of a URL to `site`, in small letters: "example.co.uk" for "https://www.Example.co.uk:8080/x". The
 * site of an IP address, or of a public suffix, is the host itself; of a URL without a host it is empty. Returns 0,
 * DANA_ENOMEM, or DANA_ELIBRARY if libpsl is missing. Any thread.
 */
int site_of_url(struct slice url, struct buf *site);

/** The scopes of hosts that were asked for, because libpsl takes long. Zero-initialise it. Of one thread. */
struct site_scopes {
	struct {
		uint64_t scope;
		uint8_t len, host[55];
	} known[64]; /* by hash */
};
/** Sets *scope to line_scope of the URL's site; 0 for a URL without a host. Returns as site_of_url. */
int site_scope(struct site_scopes *s, struct slice url, uint64_t *scope);

#endif
