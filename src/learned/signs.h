/*
 * Signs that a block has or has not. How far the nearest block with one is, and how many came before, tells where on its page a block
 * stands: behind the article come blocks with dates, fields to fill in, names of sections.
 */
#ifndef DANA_LEARNED_SIGNS_H
#define DANA_LEARNED_SIGNS_H

#include "learned/blocks.h"

enum sign {
	SIGN_STOP,      /* it ends with a full stop or the like */
	SIGN_BAD,       /* the tokens around it speak against it */
	SIGN_LINK,      /* hardly anything but link text */
	SIGN_INPUT,     /* a field or a button stands before it */
	SIGN_STAMP,     /* a time or a date stands in it */
	SIGN_EXCLAIM,   /* an exclamation mark does */
	SIGN_PARAGRAPH, /* it stands in a <p> */
	SIGN_DIGIT,     /* digits are a notable part of it */
	SIGN_LINKED,    /* link text is, but not nearly all */
	SIGNS,
	SIGNS_PLACED = SIGN_STAMP + 1,      /* up to here distances are told */
	SIGNS_COUNTED = SIGNS - SIGN_STAMP, /* from the stamp on numbers are */
	SIGN_FAR = 250,                     /* distances end here */
};

/** What has been seen of a page from one of its ends on. */
struct signs {
	uint32_t count[SIGNS_COUNTED];  /* from SIGN_STAMP on */
	uint8_t distance[SIGNS_PLACED]; /* blocks since the last one */
};

void signs_reset(struct signs *s);
/** Blocks so far with a sign that is counted. */
static inline uint32_t signs_counted(const struct signs *s, enum sign sign)
{
	return s->count[sign - SIGN_STAMP];
}
/** A bit for each sign. `tokens` and `links` are the block's features. */
unsigned signs_of(const struct block *block, uint8_t tokens, uint8_t links);
/** The next block, whose own signs are at distance 0. */
void signs_add(struct signs *s, unsigned signs);

#endif
