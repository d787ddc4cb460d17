/* SPDX-License-Identifier: MIT */
/* What `dana extract` does: pages that are files, or lines of JSON, to their texts. */
#ifndef DANA_RUN_PAGES_H
#define DANA_RUN_PAGES_H

#include <stddef.h>

#include "archive/texts.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/slice.h"
#include "base/status.h"
#include "io/output.h"
#include "run/names.h"

/**
 * Returns 0, or DANA_ECONFIG if `name` is not a charset of the web or of iconv; the message begins with `where`, which
 * names the option. NULL (not given) is accepted.
 */
int charset_check(const char *where, const char *name, struct error *err);

/** Returns why the page `path` could not be opened, by errno: of an address, that pages are not fetched. */
const char *extract_page_fault(const char *path);

/* The pages of `dana extract`: files as given, folders searched; and the outputs that belong to them. */

/** All strings live in the memory of `names`. Zeroed before use but for `notices`. */
struct extract_inputs {
	struct name_list names; /* paths; "-" = standard input */
	struct notices notices; /* set by the caller: of folders that cannot be read */
	bool failed;            /* a folder could not be read, which was reported */
	const char **outputs;   /* one for each, after extract_inputs_outputs; else NULL */
};

/** Returns whether these names may stand for more than one page: before folders are searched. */
bool extract_inputs_several(const char *const *given, size_t n);
/**
 * The given names in their order; a folder means the files in it and in the folders inside that end in .html, .htm
 * or .xhtml, sorted by their paths. Hidden ones, and folders that symbolic links lead to, are left out. No name:
 * standard input. Returns 0, DANA_ECONFIG (standard input twice) or DANA_ENOMEM.
 */
int extract_inputs_gather(struct extract_inputs *in, const char *const *given, size_t n, struct error *err);
/**
 * Names an output FOLDER/NAME for each, with a suffix such as ".txt". Returns 0, DANA_ECONFIG (names collide
 * or are not allowed) or DANA_ENOMEM.
 */
int extract_inputs_outputs(struct extract_inputs *in, const char *folder, const char *suffix, struct error *err);
void extract_inputs_free(struct extract_inputs *in);

enum extract_format { EXTRACT_TEXT, EXTRACT_JSON, EXTRACT_JSONL };

/** How pages are read. */
struct extract_page_config {
	const struct text_list *methods;
	const char *charset, *content_type, *url; /* NULL: not given */
	enum extract_format format;
	struct texts texts;     /* as text the only one: Markdown where the plain text is left out */
	struct notices notices; /* of pages and outputs */
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
 * DANA_ESTATE if a signal has ended it; DANA_ECONFIG; or another negative status, also if only a page failed. What is
 * wrong was reported to `notices`.
 */
int extract_run_pages(const struct extract_run_config *config);

#endif
