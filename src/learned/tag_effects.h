/* SPDX-License-Identifier: MIT */
/* What each tag does to the blocks of text, and to the stack of open elements. */
#ifndef DANA_LEARNED_TAG_EFFECTS_H
#define DANA_LEARNED_TAG_EFFECTS_H

#include <stdint.h>

#include "html/tag.h"

enum tag_effect {
	EFFECT_BREAK = 1,  /* ends the block of text */
	EFFECT_STACK = 2,  /* goes on the stack of open elements */
	EFFECT_MUTE = 4,   /* what is inside is not shown where the page works */
	EFFECT_COUNT = 8,  /* a start tag counts by itself: block_tags.c */
	EFFECT_LINK = 16,  /* begins or ends a link */
	EFFECT_WHITE = 32, /* may keep its white space without style */
};

/** Effects of a tag. */
extern const uint8_t tag_effects[HTML_TAGS_COUNT];
/** enum ancestor + 1; 0 = the tag is not one of these. */
extern const uint8_t tag_ancestors[HTML_TAGS_COUNT];

#endif
