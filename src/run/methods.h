/* SPDX-License-Identifier: MIT */
/*
 * Checks methods, their keys and the texts asked for before a run begins, and says in words what is wrong with them;
 * and reads the files that keys name. Errors: a status, with a text in `err`.
 */
#ifndef DANA_RUN_METHODS_H
#define DANA_RUN_METHODS_H

#include <pthread.h>

#include "archive/texts.h"
#include "base/slice.h"
#include "base/status.h"
#include "run/names.h"

/**
 * Makes the method and drops it again. Returns 0, DANA_ECONFIG (err names which key, or what file, and why) or
 * DANA_ENOMEM.
 */
int method_check(const char *spec, struct error *err);
/** As method_check, for each of them; DANA_ECONFIG also if one is given twice. */
int methods_check(const struct text_list *methods, struct error *err);
/**
 * METHOD[,METHOD...] of the command line; "all" is every method of the program. A method's keys are parted by commas
 * too: `danag:gap=40,segment=80,dana` is two methods. The names are not checked.
 */
int method_list_make(struct name_list *list, const char *text);

/*
 * Reads the files that keys of methods name (dana_options.read_file), and remembers what was wrong with one, because
 * libdana returns only that it refused it. Threads: any number of extractors may share one.
 */

struct model_reader {
	const char *const *methods; /* borrowed */
	size_t n_methods;
	pthread_mutex_t lock;
	char file[200];    /* printable */
	int error;         /* errno of the file that could not be read */
	const char *fault; /* what is wrong with its content, should the method refuse it */
};

/** `methods`, with their keys, are borrowed. */
void model_reader_init(struct model_reader *r, const char *const *methods, size_t n_methods);
/** dana_options.read_file with the reader as its argument; returns as that. */
int model_reader_read(void *reader, const char *name, char **data, size_t *len);
/** After the method has refused a file: stores which, and why. Returns DANA_ECONFIG. */
int model_reader_refused(struct model_reader *r, struct error *err);
void model_reader_free(struct model_reader *r);

/* The options that say which texts of a page are written. */

/** As given on the command line. */
struct text_options {
	struct page_options page;           /* `rules` is the name of a file */
	const char *site;                   /* --site: a table (dedup/site_table.h) */
	const struct site_sources *learner; /* in place of a table, sources that learn; borrowed */
	const char *learned;                /* the file that they write */
};

/**
 * Fills `texts` from the options, for these methods. Returns 0 or DANA_ECONFIG: an unknown text or key, or a first
 * method that has no structure, selectors that are refused; DANA_EIO: a file of rules that cannot be read. `texts`
 * borrows the keys and the methods, and is freed by texts_free.
 */
int texts_check(const struct text_options *options, const struct text_list *methods, struct texts *texts,
		struct error *err);

void texts_free(struct texts *texts);

/** Returns 0, or DANA_ECONFIG for an unknown key or value of --markdown; NULL: none. */
int texts_check_keys(const char *markdown, struct error *err);
/** Returns whether a method, which is known, knows which parts of the page it keeps, so that it has Markdown. */
bool texts_of_method(const char *spec);
/** Returns whether the method lists media. */
bool method_lists_media(const char *spec);
/** Returns the option by which a text is wanted that only JSON has a place for; NULL: none. */
const char *texts_json_option(const struct texts *texts);

/* Why a file cannot be the model of a method, in words. */

/**
 * Returns what is wrong with the content of a file that the method refuses as its model, and what would be right; NULL
 * if it does not refuse it. This is known of mountain, whose models of sites are read during the run, not of learned.
 */
const char *model_fault(struct slice method, struct slice file);

#endif
