#include "learned/signs.h"

#include <string.h>

#include "learned/scale.h"

enum { BAD_TOKENS = 100, ALL_LINKS = 200 };

void signs_reset(struct signs *s)
{
	memset(s->count, 0, sizeof(s->count));
	memset(s->distance, SIGN_FAR, sizeof(s->distance));
}

unsigned signs_of(const struct block *block, uint8_t tokens, uint8_t links)
{
	const bool has[SIGNS] = {
		[SIGN_STOP] = block->counts.stopped,
		[SIGN_BAD] = tokens<BAD_TOKENS, [SIGN_LINK] = links> ALL_LINKS,
		[SIGN_INPUT] = block->input_before,
		[SIGN_STAMP] = block->stamp,
		[SIGN_EXCLAIM] = block->counts.exclaims != 0,
		[SIGN_PARAGRAPH] = block->tag == HTML_TAG_P,
		[SIGN_DIGIT] = scale_share(block->counts.digits, block->counts.units) != 0,
		[SIGN_LINKED] = links != 0 && links <= ALL_LINKS,
	};
	unsigned signs = 0;
	for (unsigned k = 0; k < SIGNS; k++)
		signs |= (unsigned)has[k] << k;
	return signs;
}

void signs_add(struct signs *s, unsigned signs)
{
	for (unsigned k = 0; k < SIGNS_PLACED; k++) {
		uint8_t further = (uint8_t)(s->distance[k] + (s->distance[k] < SIGN_FAR));
		s->distance[k] = signs >> k & 1 ? 0 : further;
	}
	unsigned counted = signs >> SIGN_STAMP;
	for (unsigned k = 0; counted; k++, counted >>= 1)
		s->count[k] += counted & 1;
}
