/* SPDX-License-Identifier: MIT */
#ifndef DANA_RUN_PAGES_H
#define DANA_RUN_PAGES_H

#include <stdatomic.h>
#include <stddef.h>

#include "archive/texts.h"
#include "base/buf.h"
#include "base/notice.h"
#include "base/status.h"
#include "base/text_list.h"
#include "io/output.h"
#include "run/methods.h"
#include "run/names.h"

/**
 * Returns 0, or DANA_ECONFIG if `name` is not a charset of the web or of iconv; the message begins with `where`, which
 * names the option. NULL (not given) is accepted.
 */
int charset_check(const char *where, const char *name, struct error *err);

/* One page from a file or standard input to the text or JSON of its main content. */

enum extract_format { EXTRACT_TEXT, EXTRACT_JSON, EXTRACT_JSONL };

/** Common to all pages of a run. */
struct extract_page_config {
	const struct text_list *methods;
	const char *charset, *content_type, *url; /* NULL: not given */
	enum extract_format format;
	struct texts texts;     /* as text the only one: Markdown where the plain text is left out */
	struct notices notices; /* of pages and outputs */
	struct model_reader *models;
	const atomic_bool *stop; /* standard input and pipes are waited for until then */
};

/** Returns why the page `path` could not be opened, by errno: of an address, that pages are not fetched. */
const char *extract_page_fault(const char *path);
struct extract_page;

/** One for each thread. Returns 0, DANA_ECONFIG (a bad method) or DANA_ENOMEM with a text. */
int extract_page_new(struct extract_page **out, const struct extract_page_config *config, struct error *err);
/**
 * Appends what the page becomes, "-" is standard input. Returns 0, or the error, whose text does not name the file:
 * DANA_EIO, DANA_EFORMAT (not a page), DANA_ELIMIT, DANA_EFILES: of this page; DANA_ECONFIG (a model of its site),
 * DANA_ENOMEM, DANA_ESTATE (stopped): nothing more can be done.
 */
int extract_page_file(struct extract_page *p, const char *path, struct buf *out, struct error *err);
/** NULL allowed. */
void extract_page_free(struct extract_page *p);

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
 * The given names in their order; a folder stands for the files in it and in the folders inside that end in .html, .htm
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

/* The pages of a run of `dana extract`, by several threads, to their output or outputs, in order. */

struct extract_run_config {
	struct extract_page_config page; /* `stop` and `models` are set by the run */
	const struct extract_inputs *inputs;
	const char *output; /* FILE; NULL = standard output, or the outputs of the inputs */
	unsigned jobs;
	enum output_way way;
};

/**
 * Returns 0; DANA_ESTATE if a signal has ended it; DANA_ECONFIG; or another negative status, also if only a page
 * failed. What is wrong was reported to `notices`.
 */
int extract_run_pages(const struct extract_run_config *config);

/* `dana extract --jsonl`: the lines of one input, one line of output for each, in their order. */

struct extract_lines_config {
	struct extract_page_config page; /* `models`, `stop` and `format` are set by extract_lines */
	const char *input;               /* "-": standard input */
	const char *output;              /* NULL: standard output */
	unsigned jobs;                   /* threads beside this one; 0: none */
	size_t line_most;                /* bytes; a longer line is passed over, and its output says so */
	enum output_way way;
};

/**
 * Returns 0; DANA_ESTATE if a signal has ended it; DANA_ECONFIG; or another negative status. What is wrong was reported
 * to `notices`.
 */
int extract_lines(const struct extract_lines_config *config);

/* One line of `dana extract --jsonl`: a JSON object that holds a page, to a JSON object that holds its text. */

struct extract_line;

/** One for each thread; `format` and `stop` of the config do not count. Returns 0, or as extract_page_new. */
int extract_line_new(struct extract_line **out, const struct extract_page_config *config, struct error *err);
/**
 * Appends exactly one line. Returns 0; DANA_EFORMAT: it holds no text but the reason; DANA_ECONFIG (a model of the
 * page's site) or DANA_ENOMEM with a text: nothing more can be done.
 */
int extract_line_read(struct extract_line *l, struct slice line, struct buf *out, struct error *err);
/** NULL allowed. */
void extract_line_free(struct extract_line *l);

#endif
