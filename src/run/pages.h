/* SPDX-License-Identifier: MIT */
/*
 * Work on numbered items by several threads, with results in the order of the items: for pages that are files of their
 * own, or lines of one. (Records of an archive go through handoff.h, which copies their bytes.) What is finished and
 * waits for its turn is bounded. Threads: all calls from one thread, the owner's.
 */
#ifndef DANA_RUN_PAGES_H
#define DANA_RUN_PAGES_H

#include <stddef.h>

#include "archive/plugin/plugins.h"
#include "archive/texts.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/slice.h"
#include "base/status.h"
#include "io/output.h"
#include "io/page_fetch.h"
#include "run/names.h"

enum { ORDERED_MOST = 1024 }; /* threads */

struct ordered_config {
	unsigned jobs;     /* threads; 0: the work is done in ordered_next */
	size_t n;          /* items */
	bool grows;        /* ordered_add will name more */
	size_t bytes_most; /* of results that wait: no item is begun beyond, but the one whose turn it is */
	/**
	 * Appends the result of item `index`. `worker`: 0 to jobs - 1 (0 without threads); no two calls with one at a
	 * time. Returns the status that ordered_next gives.
	 */
	int (*work)(void *arg, unsigned worker, size_t index, struct buf *out);
	void (*wake)(void *arg); /* any thread: the item whose turn it is has been finished */
	void *arg;
};

struct ordered;

struct ordered *ordered_new(const struct ordered_config *config, struct error *err);
/**
 * The result of the item whose turn it is, and what `work` returned; valid until the next call. False: it is not
 * finished yet
 * (`wake` will be called), or there is no item left.
 */
bool ordered_next(struct ordered *o, struct slice *result, int *status);
/** One more item; only with `grows`. Example: a line that was read. */
void ordered_add(struct ordered *o);
size_t ordered_given(const struct ordered *o);
/** Waits for the items that are worked on; no others are begun. */
void ordered_free(struct ordered *o);

/* What `dana extract` does: pages that are files, or lines of JSON, to their texts. */

/**
 * Returns 0, or DANA_ECONFIG if `name` is not a charset of the web or of iconv; the message begins with `where`, which
 * names the option. NULL (not given) is accepted.
 */
int charset_check(const char *where, const char *name, struct error *err);
enum { PAGE_FAULT_MOST = 512 };

/**
 * Writes why the page `path` could not be opened, by errno: of a URL, which of them are fetched, and of what looks like
 * one without its scheme, the URL. Returns `out`.
 */
const char *extract_page_fault(const char *path, char out[PAGE_FAULT_MOST]);
/**
 * Makes what fetches pages of the network, within the limits of pages; warns where certificates are not verified.
 * Returns as page_fetcher_new.
 */
struct page_fetcher *extract_page_fetcher(const struct page_fetch_config *config, const atomic_bool *stop,
					  const struct notices *notices, struct error *err);

/* The pages of `dana extract`: files and addresses as given, folders searched; and the outputs that belong to them. */

/** All strings live in the memory of `names`. Zeroed before use but for `notices`. */
struct extract_inputs {
	struct name_list names;   /* paths; "-" = standard input */
	struct notices notices;   /* set by the caller: of folders that cannot be read */
	size_t *below, below_cap; /* where, in each, what is below a folder that was named begins; 0: none was */
	size_t passed_over;       /* files of the last folder that are no pages */
	bool failed;              /* a folder could not be read, which was reported */
	const char **outputs;     /* one for each, after extract_inputs_outputs; else NULL */
};

/** Returns whether a file has the name of a page: .html, .htm, .xhtml, .mhtml, .mht, also before .gz or .zst. */
bool extract_input_named_as_page(const char *name);
/** Returns whether these names may stand for more than one page: before folders are searched. */
bool extract_inputs_several(const char *const *given, size_t n);
/**
 * The given names in their order; a folder means the pages in it and in the folders inside, sorted by their paths:
 * files that end as pages do (.html, .htm, .xhtml, .mhtml, .mht, also before .gz or .zst) or begin so (page_begins).
 * Hidden ones, and folders that symbolic links lead to, are left out. No name: standard input. Returns 0, DANA_ECONFIG
 * (standard input twice) or DANA_ENOMEM.
 */
int extract_inputs_gather(struct extract_inputs *in, const char *const *given, size_t n, struct error *err);
/**
 * Names an output FOLDER/NAME for each, with a suffix such as ".txt", in the folders that the page has below a folder
 * that was named. Where several would have one name, each keeps its ending: "a.html.txt", "a.htm.txt". Returns 0,
 * DANA_ECONFIG (names are the same even so) or DANA_ENOMEM.
 */
int extract_inputs_outputs(struct extract_inputs *in, const char *folder, const char *suffix, struct error *err);
void extract_inputs_free(struct extract_inputs *in);

enum extract_format {
	EXTRACT_TEXT,
	EXTRACT_JSON,
	EXTRACT_JSONL,
	EXTRACT_CSV,
	EXTRACT_TSV,
	/* as text by `texts` */
	EXTRACT_MARKDOWN,
	EXTRACT_HTML,
	EXTRACT_XML,
	EXTRACT_TEI,
};

/** Returns whether each page is a row, so that there may be several, and some without a text. */
static inline bool extract_format_has_rows(enum extract_format format)
{
	return format >= EXTRACT_JSONL && format <= EXTRACT_TSV;
}

struct extract_page_config {
	const struct text_list *methods;
	const char *charset, *content_type, *url; /* NULL: not given */
	enum extract_format format;
	const char *fields;                    /* names, joined by commas; NULL: all */
	struct texts texts;                    /* as text the only one: Markdown where the plain text is left out */
	const struct plugin_rows *plugins;     /* JSON also has what `metadata` finds */
	const struct page_fetch_config *fetch; /* for URLs; `bytes_most` and `stop` are set by the run */
	struct notices notices;                /* of pages and outputs */
};

struct extract_run_config {
	struct extract_page_config page;
	const struct extract_inputs *inputs;
	const char *output; /* FILE; NULL = standard output, or the outputs of the inputs */
	unsigned jobs;      /* threads beside this one; 0: none */
	enum output_way way;
	bool lines;       /* --jsonl: the one input has lines, each of which becomes one; `format` does not count */
	size_t line_most; /* bytes; a longer line is passed over, and its output has the reason */
};

/**
 * The pages of a run of `dana extract`, by several threads, to their output or outputs, in order. Returns 0;
 * DANA_ESTATE if a signal has ended it; DANA_ECONFIG; or another negative status, also if only a page failed, or of
 * lines all of them. What is wrong was reported to `notices`.
 */
int extract_run_pages(const struct extract_run_config *config);

#endif
