/* SPDX-License-Identifier: MIT */
/*
 * Words, hashed: of texts, in runs of three, to measure how much one text repeats of another; and of attributes, each
 * with a learned weight. Counts of a text.
 */
#ifndef DANA_EXTRACT_LEARNED_TOKENS_H
#define DANA_EXTRACT_LEARNED_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "extract/html/attribute.h"
#include "extract/html/display.h"
#include "extract/learned/says.h"

/** The value of a byte in a word, ASCII capitals as small letters; 0 if it ends a word, as do the lead bytes below. */
extern const uint8_t word_byte[256];

/** One bit for each two bytes that a word may begin with; many pairs share a bit. */
struct word_begins {
	uint8_t bits[32];
};

/** Takes the next word from `rest` and hashes it without regard to ASCII case. Returns false at the end. */
bool words_next(struct slice *rest, uint32_t *hash);
/** Hashes all words; there is room for one for each two bytes, rounded up. Returns how many there are. */
uint32_t words_hashes(struct slice text, uint32_t *hash);
/** Bytes after a text that must be readable; their values do not matter. */
enum { WORDS_READ_ON = 33 };
/**
 * Returns whether a text has less than `n` words, if that is quickly seen: false says nothing. WORDS_READ_ON bytes
 * after it can be read.
 */
bool words_are_fewer(struct slice text, unsigned n);

/* A fixed-size set of a text's hashed runs of three words, to measure how much another text repeats. */

/** Limits: words read of a text, and runs in the set, which stays less than a quarter full. */
enum { RUN_BITS = 12, RUNS_MOST = 1 << (RUN_BITS - 2), RUN_WORDS = 64 };

struct word_runs {
	uint32_t n;
	struct word_begins begins; /* first bytes of its words: most others need no hash */
	uint64_t set[(1 << RUN_BITS) / 64];
};

/** Adds the runs of a text, as long as there is room. */
void word_runs_add(struct word_runs *r, struct slice text);
/** Returns how many runs of the first RUN_WORDS words are in the set. WORDS_READ_ON bytes after `text` can be read. */
uint32_t word_runs_match(const struct word_runs *r, struct slice text);

/*
 * Words of class, id, role and the like, hashed; each hash has a learned weight, and an element's score is their sum.
 * Every value gives its space-separated words (digit runs as one 0; hashed with the kind of attribute) and their parts
 * ("comment", "footer"; hashed without it), so that unknown names are weighed by known parts.
 */

/** Hashes have this many bits: the size of the table of weights. */
enum { TOKEN_BITS = 16, TOKEN_COUNT = 1 << TOKEN_BITS, TOKEN_FETCH = 64 /* bytes of a cache line */ };

/* Earlier values with their results: pages repeat the same classes and links again and again. */
enum { TOKEN_CACHE = 256, TOKEN_CACHE_VALUE = 242, ADDRESS_CACHE = 64, ADDRESS_BYTES = 40 };

struct token_cache {
	struct token_memory {
		int32_t score;
		uint32_t class_hash;
		uint8_t white;              /* enum white_space of a class or style */
		uint8_t kind, len;          /* kind: 0 if it is empty */
		uint8_t says;               /* enum says */
		struct style_display shown; /* by a style or class */
		uint8_t value[TOKEN_CACHE_VALUE];
	} entries[TOKEN_CACHE];
	struct address_memory {
		int32_t score;
		uint8_t len; /* 0 if it is empty */
		uint8_t path[ADDRESS_BYTES];
	} addresses[ADDRESS_CACHE];
};

static inline void token_cache_reset(struct token_cache *cache)
{
	for (size_t i = 0; i < TOKEN_CACHE; i++)
		cache->entries[i].kind = 0;
	for (size_t i = 0; i < ADDRESS_CACHE; i++)
		cache->addresses[i].len = 0;
}

/** Where tokens go. */
struct token_sink {
	const int8_t *weights;     /* TOKEN_COUNT */
	struct token_cache *cache; /* for these weights, reset at first; not used if it is NULL or `seen` is set */
	void (*seen)(void *arg, uint32_t id); /* receives each token (training); may be NULL */
	void *arg;
};

/** Facts from the attributes of a start tag. */
struct attribute_facts {
	int32_t score;       /* sum of the weights of its tokens */
	uint32_t class_hash; /* of the first word of class, without digits; 0 if there is none */
	bool hidden;         /* unseen, aria-hidden=true, role=dialog */
	bool unseen;         /* html/display.h: a browser does not show it */
	uint8_t says;        /* enum says */
	bool href;
	bool no_table;                        /* its role says that the table is for layout */
	uint16_t columns;                     /* its colspan; 0: it has none, or one that is wrong */
	uint32_t host;                        /* hash of its host, without "www."; 0: the href has none */
	bool line;                            /* its style or class shows it as lines of its own */
	bool place;                           /* its href is a place of the page: "#top" */
	uint8_t white;                        /* enum white_space of the style, or else of the class */
	const uint8_t *first;                 /* where the attributes begin; NULL: the tag has none */
	const struct html_attr_reader *attrs; /* that has read them */
};

/**
 * Prefetches the weights and the cached values where a page begins: their order of use is unpredictable, and the work
 * between two pages has evicted them from the caches.
 */
static inline __attribute__((always_inline)) void tokens_fetch(
	const struct token_sink *sink) /* gcc drops a call that only prefetches */
{
	for (size_t i = 0; i < TOKEN_COUNT; i += TOKEN_FETCH)
		__builtin_prefetch(sink->weights + i, 0, 2);
	for (size_t i = 0; sink->cache && i < TOKEN_CACHE; i++)
		__builtin_prefetch(&sink->cache->entries[i], 0, 2);
}

/** Uses the reader up. Nothing is passed by value: copying a struct right after writing its halves is slow. */
void tokens_of_tag(const struct token_sink *sink, struct html_attr_reader *attrs, bool is_inline,
		   struct attribute_facts *facts);
/**
 * Returns the score of a link's address: /tag/, /author/, #comment-12, ?share=, whatever the language of the page. It
 * uses only small letters, without the host, and only the beginning, because titles of articles are at the end. Bytes
 * before `limit` can be read.
 */
int32_t token_words_of_address(const struct token_sink *sink, struct slice address, const uint8_t *limit);
/** Returns the hash of a value's first word without its digits, or 0. */
uint32_t token_words_first(struct slice value);

/*
 * Counts of a piece of text: units, words, marks. They do not depend on the language: there are no word lists, only
 * classes of characters. A unit is a character that is not white space; a character of a script without spaces counts
 * as two units and one word.
 */

/** Zeroed, it has no text. */
struct counts {
	uint32_t units, words;
	uint32_t stops, commas;
	uint32_t digits; /* of ASCII */
	uint32_t currency;
	uint32_t exclaims; /* ! */
	bool stopped; /* ends with a full stop, question or exclamation mark; closing quotes and brackets may follow */
	bool in_word;
	bool arabic; /* has lead bytes of U+0640 to U+067F or U+06C0 to U+06FF, as Arabic and Persian digits */
};

/** Bytes after a text that must be readable; their values do not matter. */
enum { COUNTS_READ_ON = 32 };

/** Counts source text (character references are decoded). `text` must not end inside a reference or character. */
void counts_add(struct counts *c, struct slice text);

/*
 * Times of day and dates in digits, which look alike in all languages. An article has one or two in total; in a list of
 * comments or of articles each entry has its own.
 */

/** Least digits of a time or a date. */
enum { DATE_DIGITS = 3 };

/** Returns whether the text has a time (9:05, 12:30:00) or a date (1.2.2012, 2012-02-01), also in Arabic digits. */
bool dates_found(struct slice text);

#endif
