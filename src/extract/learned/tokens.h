/* SPDX-License-Identifier: MIT */
/*
 * Words of class, id, role and the like, hashed; each hash has a learned weight, and an element's score is their sum.
 * Every value gives its space-separated words (digit runs as one 0, with the kind of attribute), and the parts of these
 * ("comment", "footer"; without it), so that names which were never seen are weighed by parts that were.
 */
#ifndef DANA_LEARNED_TOKENS_H
#define DANA_LEARNED_TOKENS_H

#include "extract/html/attribute.h"
#include "extract/html/white_space.h"

/** Hashes have this many bits: the size of the table of weights. */
enum { TOKEN_BITS = 16, TOKEN_COUNT = 1 << TOKEN_BITS, TOKEN_FETCH = 64 /* bytes that come together */ };

/* Values that came before, with what they gave: pages say the same classes again and again. */
enum { TOKEN_CACHE = 256, TOKEN_CACHE_VALUE = 54 };
struct token_cache {
	struct token_memory {
		int32_t score;
		uint32_t class_hash;
		uint8_t kind, len;
		uint8_t value[TOKEN_CACHE_VALUE];
	} entries[TOKEN_CACHE];
};

/** Where tokens go. */
struct token_sink {
	const int8_t *weights; /* TOKEN_COUNT */
	struct token_cache
		*cache; /* of these weights, zeroed at first; NULL or `seen` set = every value is read anew */
	void (*seen)(void *arg, uint32_t id); /* told each token (training); NULL = nobody */
	void *arg;
};

/** What the attributes of a start tag tell. */
struct tag_facts {
	int32_t score;       /* sum of the weights of its tokens */
	uint32_t class_hash; /* of the first word of class, digits left out; 0 = none */
	bool hidden;         /* hidden, aria-hidden=true, style display:none */
	bool href;
	uint8_t white; /* enum white_space, of the style */
};

/**
 * Asks for the weights and the remembered values before a page begins: it reads them in an order that no processor
 * foresees, and whatever came between two pages has put them out of the nearer memory.
 */
static inline __attribute__((always_inline)) void tokens_fetch(
	const struct token_sink *sink) /* gcc drops a call that only fetches */
{
	for (size_t i = 0; i < TOKEN_COUNT; i += TOKEN_FETCH)
		__builtin_prefetch(sink->weights + i, 0, 2);
	for (size_t i = 0; sink->cache && i < TOKEN_CACHE; i++)
		__builtin_prefetch(&sink->cache->entries[i], 0, 2);
}

/** Uses the reader up. Nothing is passed by value: what was just written in halves is slow to copy whole. */
void tokens_of_tag(const struct token_sink *sink, struct html_attr_reader *attrs, bool is_inline,
		   struct tag_facts *facts);

#endif
