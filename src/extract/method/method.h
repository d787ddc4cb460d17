/* SPDX-License-Identifier: MIT */
/* A main-content extraction method: a row of the table, fed by the tokeniser's events. */
#ifndef DANA_METHOD_METHOD_H
#define DANA_METHOD_METHOD_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "extract/html/tokenizer.h"
#include "extract/method/words.h"

struct text_writer;
struct dana_media;
struct trace;
struct work;

/** How a method gets at files that its keys name: as dana_options.read_file. `read` NULL = not at all. */
struct method_files {
	int (*read)(void *arg, const char *name, char **data, size_t *len);
	void *arg;
};

/** What a method gets from the extractor when it is made. */
struct method_env {
	size_t max_text;    /* bytes of text that may be kept */
	unsigned max_depth; /* open elements */
	struct method_files files;
	struct work *work;   /* where steps are counted that are not plainly bounded by the page's bytes */
	struct trace *trace; /* where decisions are told (explain); NULL = nowhere */
	/**
	 * Where `finish` lists the blocks that it writes, struct dana_text_block (dana/dana.h) each; NULL: nobody asks, and a
	 * method need not.
	 */
	struct buf *blocks;
};

/** A key of a method, NAME:KEY=VALUE. The table says all that is told and checked of it. */
struct method_key {
	const char *name;          /* NULL ends a list */
	unsigned long least, most; /* the value is a number of this range; most 0: it is not a number */
	const char *words;         /* the value is one of "first|second"; NULL: it is not a word of a list */
	const char *argument;      /* "FILE": what else the value is; NULL with a number or words */
	const char *standard;      /* default as it would be written; NULL: none */
	const char *help;          /* one line, begins small, no full stop at its end */
};

/** A key that was set; the value is one that the key takes. */
struct method_setting {
	const struct method_key *key;
	struct slice value;
	unsigned long number; /* the number; of words: which one */
};

struct method {
	const char *name;
	const char *source;  /* where it comes from: "DEXA/TIR 2011" */
	const char *memory;  /* memory class: "two buffers", "text + 16 B a cell" */
	const char *summary; /* one line */
	size_t state_size;   /* of a zeroed block that init gets */
	/** 0 or DANA_ENOMEM; `destroy` is called all the same. */
	int (*init)(void *state, const struct method_env *env);
	const struct method_key *keys; /* ended by a row without a name; NULL: the method has none */
	/**
	 * Takes one of `keys`, after init and before the first page. 0, DANA_ENOMEM, or DANA_ECONFIG for a file that
	 * is not fit.
	 */
	int (*set)(void *state, const struct method_setting *setting);
	int (*run)(void *state,
		   const struct html_run *run); /* status; DANA_ELIMIT: more work than the page's size allows */
	int (*tag)(void *state, const struct html_tag_event *event);
	/** Optional: a text and a plain tag at once (html_unit); NULL: they come as runs and tag. */
	int (*unit)(void *state, const struct html_unit *unit);
	/** Optional, instead of `unit`: as much ordinary markup as there is at once (html_stretch). */
	int (*stretch)(void *state, const struct html_stretch *stretch);
	bool voids_unread; /* with `stretch`: scripts, styles and comments are nothing to it (html_handler) */
	/**
	 * Optional, instead of `run`, `tag`, `unit` and `stretch`: the method is made of others and reads the page by
	 * tokenisers of its own, which get the bytes (any split) and the end of the page, and of which `tokens` has
	 * seen the page's title.
	 */
	int (*feed)(void *state, struct slice bytes);
	int (*end)(void *state);
	const struct html_tokenizer *(*tokens)(const void *state);
	/** Writes the page's text. May return METHOD_NO_REGION. */
	int (*finish)(void *state, struct text_writer *out);
	void (*reset)(void *state);   /* next page; keeps memory and keys */
	void (*destroy)(void *state); /* frees what the state holds, not the state */
	const struct method_words
		*words; /* what `explain` calls the parts of its picture; NULL: method_words_default */
	/** Optional: media found, after finish. The results of a method that has this say that they list media. */
	const struct dana_media *(*media)(const void *state, size_t *count);
	/** Optional: name of the method that really made the text (auto). */
	const char *(*chosen)(const void *state);
	/** Optional: URL of the page, before its first event. Status. */
	int (*url)(void *state, struct slice url);
};

enum { METHOD_NO_REGION = 1 };

/** Calls `set` for each KEY=VALUE of `keys`. 0, DANA_ECONFIG or DANA_ENOMEM. */
int method_configure(const struct method *m, void *state, struct slice keys);
/** Takes the first KEY=VALUE off `keys`, which is not empty, with the comma after it. */
struct slice method_next_pair(struct slice *keys);
/** Reads one KEY=VALUE without a method's state. 0, or DANA_ECONFIG with one line in `err` (may be NULL). */
int method_setting_read(const struct method *m, struct slice pair, struct method_setting *setting, struct error *err);
/** Appends what the values of a key are: "0 to 100", "bytes|chars", "FILE". 0 or DANA_ENOMEM. */
int method_key_values(const struct method_key *key, struct buf *out);
/** Whether the setting is of the key with this name. */
bool method_setting_is(const struct method_setting *setting, const char *key);

#endif
