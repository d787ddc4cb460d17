/* SPDX-License-Identifier: MIT */
/*
 * The main text of one page that is not a record of an archive: a file, a line, a request. Bytes of any charset in, a
 * document out. Threads: one page at a time for each object. Ownership: borrows all that its config points to.
 */
#ifndef DANA_ARCHIVE_SINGLE_PAGE_H
#define DANA_ARCHIVE_SINGLE_PAGE_H

#include "archive/texts.h"
#include "base/slice.h"
#include "base/status.h"

struct single_page_config {
	const char *method; /* as for dana_new */
	int (*read_file)(void *read_arg, const char *name, char **data,
			 size_t *len); /* as dana_options.read_file; any thread */
	void *read_arg;
	struct texts texts;
	struct plugins *plugins; /* plugins_new_of_pages; NULL: none */
	/**
	 * NULL, or gets what single_page_read returns, with the page's URL. Documents then have the numbers of
	 * dana_page_decision.
	 */
	void (*read)(void *note_arg, int status, const struct document *doc, struct slice url, const struct error *err);
	void *note_arg;
};

/**
 * What the caller knows about a page. Empty slices: not known. Must stay valid as long as the page's document is used.
 */
struct single_page_source {
	struct slice url;
	struct slice charset;    /* name of the web or of iconv */
	bool charset_is_foreign; /* the page's owner named it: where it is unknown, the page is looked at */
	/**
	 * As the page's server sent it: its charset counts where none is named above, what is text by it
	 * (archive/http/media_type.h) stays as it stands, and what is neither that nor HTML is refused.
	 */
	struct slice content_type;
	bool alone; /* its Markdown is a file, which begins with the title unless the keys of Markdown refuse that */
};

struct plugins;
struct single_page;

/** Returns 0; DANA_ECONFIG (the method, or a model of it); DANA_EPLUGIN with a text; DANA_ENOMEM. */
int single_page_new(struct single_page **out, const struct single_page_config *config, struct error *err);
/** Returns the names of texts->others, as documents have them, *n of them; they live as long as `p`. */
const char *const *single_page_other_methods(const struct single_page *p, size_t *n);
/** As plugin_chain_choose, for the pages to come; nothing happens without plugins. */
void single_page_choose(struct single_page *p, uint32_t chosen);
/** The next page. Returns 0; DANA_ECONFIG (a model of its site), DANA_EFILES, DANA_ENOMEM; DANA_EPLUGIN with a text. */
int single_page_begin(struct single_page *p, const struct single_page_source *source, struct error *err);
/**
 * Takes bytes of the page, in any split; the first call has at least 512 or all of a shorter page, because it looks
 * whether this is a page. Returns 0; DANA_EFORMAT or DANA_EPLUGIN with a text; DANA_ELIMIT, DANA_EFILES,
 * DANA_ENOMEM.
 */
int single_page_write(struct single_page *p, struct slice bytes, struct error *err);
enum { SINGLE_PAGE_DROPPED = 1 };

/**
 * Ends the page. Fills `doc`, valid until the next page; its record has the address alone. Returns 0, or as above;
 * SINGLE_PAGE_DROPPED where a plugin has dropped the page, with "plugin:NAME: RULE" in `err`: then there is no `doc`.
 */
int single_page_finish(struct single_page *p, struct document *doc, struct error *err);
/** Reads a page that is completely in memory. Returns as the three above. */
int single_page_read(struct single_page *p, const struct single_page_source *source, struct slice html,
		     struct document *doc, struct error *err);
/** Fills `err` with a message for a negative `status` unless a call already did. Returns `status`. */
int single_page_fault(int status, struct error *err);
void single_page_free(struct single_page *p);

/*
 * Recognises files that are given as HTML pages but are something else, by their first bytes. Pure functions, any
 * thread.
 */

/**
 * Returns what the file is, with the command that would be right: "a PDF, not an HTML page: pdftotext FILE makes text
 * of it"; NULL if it may be a page. Static memory. `first`: at least 512 bytes, or all of a shorter file; more let zstd
 * data be looked into.
 */
const char *not_a_page(struct slice first);
#define PAGE_DAMAGED "compressed, and so damaged that nothing in it can be read"
#define PAGE_IS_ARCHIVE \
	"an archive (WARC or ARC), not one HTML page: dana filter FILE finds the main text of all its pages"
#define PAGE_IS_JSON \
	"JSON, not an HTML page: dana extract --jsonl reads the pages in lines of JSON (html or html_base64)"
enum { PAGE_FIRST_BYTES = 4096 };

/**
 * Returns whether a file whose name does not tell is a page, by its first PAGE_FIRST_BYTES bytes, or all of a shorter
 * one.
 */
bool page_begins(struct slice first);
/**
 * Returns what characters are that are given as a page but are the address or the file name of one, by their form
 * alone; NULL if they may be a page. Static memory.
 */
const char *name_of_a_page(struct slice text);

#endif
