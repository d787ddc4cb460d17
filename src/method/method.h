/* A main-content extraction method: a row of the table, fed by the tokeniser's events. */
#ifndef DANA_METHOD_METHOD_H
#define DANA_METHOD_METHOD_H

#include "base/slice.h"
#include "html/tokenizer.h"

struct text_writer;
struct dana_media;
struct trace;

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
	struct trace *trace; /* where decisions are told (explain); NULL = nowhere */
};

struct method {
	const char *name;
	const char *source;  /* where it comes from: "DEXA/TIR 2011" */
	const char *memory;  /* memory class: "two buffers", "text + 16 B a cell" */
	const char *summary; /* one line */
	size_t state_size;   /* of a zeroed block that init gets */
	/** 0 or DANA_ENOMEM; `destroy` is called all the same. */
	int (*init)(void *state, const struct method_env *env);
	/** One KEY=VALUE of the method's name, after init and before the first page. 0 or DANA_ECONFIG. NULL: no keys. */
	int (*set)(void *state, struct slice key, struct slice value);
	int (*run)(void *state, const struct html_run *run); /* status; DANA_ELIMIT: work limit */
	int (*tag)(void *state, const struct html_tag_event *event);
	/** Optional: a text and a plain tag at once (html_unit); NULL: they come as runs and tag. */
	int (*unit)(void *state, const struct html_unit *unit);
	/** Optional, instead of `unit`: as much ordinary markup as there is at once (html_stretch). */
	int (*stretch)(void *state, const struct html_stretch *stretch);
	bool voids_unread; /* with `stretch`: scripts, styles and comments are nothing to it (html_handler) */
	/**
	 * Optional, instead of `run`, `tag`, `unit` and `stretch`: the method is made of others and reads the page by tokenisers
	 * of its own, which get the bytes (any split) and the end of the page, and of which `tokens` has seen the page's title.
	 */
	int (*feed)(void *state, struct slice bytes);
	int (*end)(void *state);
	const struct html_tokenizer *(*tokens)(const void *state);
	/** Writes the page's text. May return METHOD_NO_REGION. */
	int (*finish)(void *state, struct text_writer *out);
	void (*reset)(void *state);   /* next page; keeps memory and keys */
	void (*destroy)(void *state); /* frees what the state holds, not the state */
	/** Optional: media found, after finish. */
	const struct dana_media *(*media)(const void *state, size_t *count);
	/** Optional: name of the method that really made the text (auto). */
	const char *(*chosen)(const void *state);
	/** Optional: bytes of the page in all (dana_expect). */
	void (*expect)(void *state, uint64_t page_bytes);
	/** Optional: URL of the page, before its first event. Status. */
	int (*url)(void *state, struct slice url);
	/** Optional: true when nothing that follows can change the result. Asked after each feed. */
	bool (*enough)(const void *state);
};

enum { METHOD_NO_REGION = 1 };

/** Calls `set` for each KEY=VALUE of `keys`. 0 or DANA_ECONFIG. */
int method_configure(const struct method *m, void *state, struct slice keys);
/** Decimal number for a `set`: true and *number, or false (not a number, or above `most`). */
bool method_number(struct slice value, unsigned long most, unsigned long *number);

#endif
