/* SPDX-License-Identifier: MIT */
/* A main-content extraction method: a row of the table, fed by the tokeniser's events. */
#ifndef DANA_EXTRACT_METHOD_H
#define DANA_EXTRACT_METHOD_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "extract/html/tokenizer.h"

/** Terms that `explain` uses for a method: segments and regions, or the Mountain Model's cells and ridges. */
struct method_words {
	const char *segment, *segments;
	const char *region, *regions;
	const char *group;                   /* what regions are grouped by: "chain" */
	const char *above, *below;           /* what a plot shows: "content", "code" */
	const char *above_name, *below_name; /* the same as names of numbers */
	const char *smoothed;                /* "smoothed score" */
	const char *chosen;                  /* "the chosen chain" */
	const char *kept, *other;            /* reasons: in a chosen region, in another one, */
	const char *none, *gap;              /* in no region, between two regions of the chosen chain */
};

/** The terms for segments, regions and chains, for methods that differ in what they count. */
/* clang-format off */
#define METHOD_WORDS_OF_CHAINS \
	.segment = "segment", .segments = "segments", .region = "region", .regions = "regions", .group = "chain", \
	.chosen = "the chosen chain", .kept = "region of the chosen chain", \
	.other = "region of a chain that was not chosen", .gap = "gap of the chosen chain"
/* clang-format on */

/** Segments of content and code. */
extern const struct method_words method_words_default;

struct text_writer;
struct dana_media;
struct page_parts;
struct trace;

/*
 * Counted work. Most code takes a bounded number of instructions for each byte of a page; code that does not (a search
 * whose length depends on the page, several passes over all of it) adds its steps here.
 *
 * A page that takes more steps than its size allows ends with DANA_ELIMIT. Steps are counted, not timed, and compared
 * only after a tag or at the page's end, so that the result is the same on every machine and for every split.
 *
 * Example, with a rate of 64: a page of 100,000 bytes may take 1,048,576 + 6,400,000 steps.
 */

/** Steps that any page may take, and steps for each byte of it unless the caller says otherwise. */
enum { WORK_FREE = 1 << 20, WORK_RATE = 64 };

struct work {
	uint64_t steps; /* so far */
	uint64_t bytes; /* of the page so far; it is complete when the page ends */
	unsigned rate;  /* steps for each byte */
};

/** Adds steps. `bytes`: size of the page so far. Returns 0 or DANA_ELIMIT. */
static inline int work_add(struct work *w, uint64_t steps, uint64_t bytes)
{
	w->steps += steps;
	return w->steps > WORK_FREE + bytes * w->rate ? DANA_ELIMIT : DANA_OK;
}

/** How a method reads files that its keys name, as in dana_options.read_file. If `read` is NULL it cannot. */
struct method_files {
	int (*read)(void *arg, const char *name, char **data, size_t *len);
	void *arg;
};

/** What a method made of a part of the page. */
enum span_fate {
	SPAN_DROPPED,
	SPAN_SHOWN, /* kept like all that the page shows */
	SPAN_CHOSEN,
};

/** A part of the page on which a method decided as a whole; in the order of the page, without overlap. */
struct method_span {
	uint64_t from, to;
	uint32_t site_pages, site_others; /* how many of the other pages of the site that are known have its text */
	uint16_t chance;                  /* of being content, in 1/65536; 0 if the method has none */
	uint16_t alone;                   /* the same without other pages of the site */
	uint8_t fate;                     /* enum span_fate */
};

/**
 * What is known of the other pages of a page's site. A method that uses it (`learned`) believes less in text that many
 * of them have, and in places that they have little main text in.
 */
struct site_source {
	/** A page with this address begins. *others: how many other pages of its site are known. Returns a status. */
	int (*page)(void *arg, struct slice url, uint32_t *others);
	/** Sets *pages to the number of other pages that hold this text of a block, of one or more lines. */
	int (*text)(void *arg, struct slice text, uint32_t *pages);
	void *arg;
	/**
	 * Sets *pages to the number of other pages that have blocks on this path (the tags and first classes around
	 * them), and *sum to the sum of what the method thinks of these, a small number for each page. Of this page it
	 * is `own`. NULL: not known.
	 */
	int (*path)(void *arg, uint32_t path, uint32_t own, uint32_t *pages, uint64_t *sum);
	/**
	 * NULL, or the source learns: it gives nothing, and gets all texts and paths of a page with `others`. Sets
	 * *page to all that it got since the last call; empty: there was no page. Valid until the next page. Returns a
	 * status.
	 */
	int (*learned)(void *arg, struct slice *page);
};

/** Makes a source for each thread. Public, as struct dana_site_table, without what is in it. */
struct site_sources {
	const struct site_source *(*open)(void *arg);    /* NULL: memory is exhausted */
	void (*close)(const struct site_source *source); /* NULL is allowed */
	void *arg;
	/** Of sources that learn; NULL: they do not. Takes what one has learned of a page, in the order of the pages.
	 */
	int (*take)(void *arg, struct slice page);
	/**
	 * Returns false if enough is learned of the site of this address, so that `take` would leave the page out; once
	 * false it stays so. For runs that only learn, and give no documents. NULL: all pages are wanted.
	 */
	bool (*wants)(void *arg, struct slice url);
};

/** A source, and what it has returned for the page. */
struct site_page {
	const struct site_source *source; /* NULL: nothing is known of sites */
	uint32_t others;
};

/** What a method gets from the extractor when it is made. */
struct method_env {
	size_t max_text;    /* bytes of text that may be kept */
	unsigned max_depth; /* open elements */
	struct method_files files;
	struct work *work;   /* counts steps that the page's bytes do not bound directly */
	struct trace *trace; /* receives decisions (explain); may be NULL */
	const struct site_page *site;
	/** Where `finish` lists what it writes, each a struct dana_text_block (dana/dana.h); may be NULL. */
	struct buf *blocks;
	/** Where `finish` lists its decisions, each a struct method_span; may be NULL. */
	struct buf *spans;
	/** Of a method that `drops`: what it leaves out of what it has decided to keep (page_parts_drops); may be NULL.
	 */
	const struct page_parts *parts;
};

/** A key of a method, NAME:KEY=VALUE. Help and checks are made from this row alone. */
struct method_key {
	const char *name;          /* NULL ends a list */
	unsigned long least, most; /* range of a number; `most` 0 if the value is not a number */
	const char *words;         /* the value is one of "first|second"; NULL if any text is allowed */
	const char *argument;      /* name of any other value, such as "FILE"; NULL with a number or words */
	const char *standard;      /* default as it would be written; NULL if the key has no default */
	const char *help;          /* one line, in lower case, without a full stop */
};

/** A key that was set; the value is one that the key takes. */
struct method_setting {
	const struct method_key *key;
	struct slice value;
	unsigned long number; /* the number, or the index of the word */
};

/** How a method with probabilities decided about a page. Without blocks all is 0. */
struct page_decision {
	uint64_t words, kept; /* of the blocks that it judged; of these it kept */
	/* How far the blocks' probabilities are from the threshold, on average over the words, in 1/65536. */
	uint32_t margin;
};

struct method {
	const char *name;
	const char *option;  /* that takes the keys; NULL: --method */
	const char *source;  /* where it comes from: "DEXA/TIR 2011" */
	const char *memory;  /* memory class: "two buffers", "text + 16 B a cell" */
	const char *summary; /* one line */
	size_t state_size;   /* size of the zeroed block that init gets */
	/** `destroy` is called even if it fails. */
	int (*init)(void *state, const struct method_env *env);
	const struct method_key *keys; /* ended by a row without a name; NULL if the method has no keys */
	/** Takes one of `keys`, after init and before the first page. DANA_ECONFIG: a file that cannot be used. */
	int (*set)(void *state, const struct method_setting *setting);
	/** DANA_ELIMIT: more work than the page's size allows. */
	int (*run)(void *state, const struct html_run *run);
	int (*tag)(void *state, const struct html_tag_event *event);
	/** Optional: takes a text and a plain tag at once (html_unit); if NULL they come as runs and tag. */
	int (*unit)(void *state, const struct html_unit *unit);
	/** Optional, instead of `unit`: takes as much ordinary markup at once as possible (html_stretch). */
	int (*stretch)(void *state, const struct html_stretch *stretch);
	bool voids_unread; /* with `stretch`: the method ignores scripts, styles and comments (html_handler) */
	/** Optional: returns whether, with these keys, it reads them after all. */
	bool (*reads_voids)(const void *state);
	/**
	 * Optional, instead of `run`, `tag`, `unit` and `stretch`: for a method made of others, with its own
	 * tokenisers. These get the page's bytes (split anywhere) and its end; `tokens` returns the one that has the
	 * page's title.
	 */
	int (*feed)(void *state, struct slice bytes);
	int (*end)(void *state);
	const struct html_tokenizer *(*tokens)(const void *state);
	/** Writes the page's text. May return METHOD_NO_REGION. */
	int (*finish)(void *state, struct text_writer *out);
	void (*reset)(void *state);       /* prepares for the next page; keeps memory and keys */
	void (*destroy)(void *state);     /* frees what the state holds, not the state */
	const struct method_words *words; /* the terms that `explain` uses; NULL: method_words_default */
	/** Optional: returns the media found, after finish. Results of a method with this function list media. */
	const struct dana_media *(*media)(const void *state, size_t *count);
	/** Optional: returns the name of the method that actually made the text (auto). */
	const char *(*chosen)(const void *state);
	bool lists_spans; /* it fills method_env.spans */
	bool drops;       /* it looks at method_env.parts */
	/** Optional: returns the kind of the page after finish, as dana_page_kind does. */
	const char *(*page_kind)(const void *state);
	/** Optional: fills what dana_page_decision returns, after finish. */
	void (*decision)(const void *state, struct page_decision *d);
	/** Optional: takes the URL of the page, before its first event. Returns a status. */
	int (*url)(void *state, struct slice url);
};

enum { METHOD_NO_REGION = 1 };

/** Calls `set` for each KEY=VALUE of `keys`. */
int method_configure(const struct method *m, void *state, struct slice keys);
/** Removes the first KEY=VALUE, and the comma after it, from `keys`, which is not empty, and returns it. */
struct slice method_next_pair(struct slice *keys);
/** Reads one KEY=VALUE without a method's state. Returns 0, or DANA_ECONFIG with one line in `err` (may be NULL). */
int method_setting_read(const struct method *m, struct slice pair, struct method_setting *setting, struct error *err);
/** Appends the values that a key takes: "0 to 100", "bytes|chars", "FILE". */
int method_key_values(const struct method_key *key, struct buf *out);
/** Returns whether the setting is for the key with this name. */
bool method_setting_is(const struct method_setting *setting, const char *key);

/** Reports a method's decisions to `explain`. Any member may be NULL, and so may the trace. */
struct trace {
	void *arg;
	/** A segment (or line): content is drawn above, code below the axis. `text` is its source text. */
	void (*segment)(void *arg, uint64_t index, double content, double code, struct slice text);
	/** The smoothed value of a segment, and whether it lies in a region. */
	void (*smoothed)(void *arg, uint64_t index, double value, bool positive);
	/** A region of segments (both ends inclusive), its weight, and the chain it belongs to (0, 1, ...). */
	void (*region)(void *arg, uint64_t first, uint64_t last, double weight, uint64_t chain);
	/** The chain that won. */
	void (*chosen)(void *arg, uint64_t chain);
	/** A block of text with the numbers that decided about it; `numbers` is "name=value name=value". */
	void (*block)(void *arg, struct slice text, bool kept, double score, const char *reason, const char *numbers);
	/** About the last block: its number of words, and its probability after the first stage and in the end. */
	void (*chances)(void *arg, uint32_t words, double first, double last);
	/** Why the last block has its probability from stage 1 or 2: reasons and their log odds, strongest first. */
	void (*reason)(void *arg, int stage, const char *words, double log_odds);
	/** A named number of the page (threshold, slope). */
	void (*number)(void *arg, const char *name, double value);
};

/** Returns method number `index` in the order of `dana methods`; NULL after the last. */
const struct method *method_at(size_t index);
/** Finds the method of "danag:gap=40,segment=65"; NULL if the name is unknown. `keys` gets what is after the colon. */
const struct method *method_find(struct slice spec, struct slice *keys);

/*
 * Lists the parts of a page that a method keeps, as struct method_span, for methods that know them in order. A part
 * begins where the last text before it that is left out ends, and ends where the next one begins: tags and white
 * space between the two are not text, and must not weigh against a piece that is kept.
 */
/** Adds that from..to is kept, and that what is between it and the part before is not. */
int span_list_keep(struct buf *spans, uint64_t from, uint64_t to);
/** Adds that nothing after the last part, whose text ends at `to`, is kept; another part may follow all the same. */
int span_list_drop_rest(struct buf *spans, uint64_t to);

#endif
