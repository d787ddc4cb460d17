/*
 * Words of class, id, role and the like, hashed; each hash has a learned weight, and an element's score is their sum.
 * Every value gives its space-separated words (digit runs as one 0, with the kind of attribute), and the parts of these
 * ("comment", "footer"; without it), so that names which were never seen are judged by parts that were.
 */
#ifndef DANA_EXTRACT_LEARNED_TOKENS_H
#define DANA_EXTRACT_LEARNED_TOKENS_H

#include "extract/learned/attr_reader.h"

/** Hashes have this many bits: the size of the table of weights. */
enum { TOKEN_BITS = 16, TOKEN_COUNT = 1 << TOKEN_BITS };

/* Values that came before, with what they gave: pages say the same classes again and again. */
enum { TOKEN_CACHE = 512, TOKEN_CACHE_VALUE = 54 };
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
	const int8_t *weights;                /* TOKEN_COUNT */
	struct token_cache *cache;            /* of these weights, zeroed at first; NULL or `seen` set = every value is read anew */
	void (*seen)(void *arg, uint32_t id); /* told each token (training); NULL = nobody */
	void *arg;
};

/** What the attributes of a start tag tell. */
struct tag_facts {
	int32_t score;       /* sum of the weights of its tokens */
	uint32_t class_hash; /* of the first word of class, digits left out; 0 = none */
	bool hidden;         /* hidden, aria-hidden=true, style display:none */
	bool href;
};

/** Uses the reader up. Nothing is passed by value: what was just written in halves is slow to copy whole. */
void tokens_of_tag(const struct token_sink *sink, struct attr_reader *attrs, bool is_inline, struct tag_facts *facts);

#endif
