/* SPDX-License-Identifier: MIT */
/*
 * The amount of text, or of link text inside of links, is the number of its characters. Tags weigh as many characters
 * as they have in the source; pictures, form fields and items of lists and tables weigh a fixed amount more. Example:
 * `<li><a href=x>News</a>` has 4 of link text, and for other things 4 + 10 + 4 for the tags and 40 for the item.
 */
#include "extract/papers/block_shape.h"

/* True for tags at which a block ends and the next one begins. */
static bool divides(enum html_tag tag)
{
	switch (tag) {
	case HTML_TAG_TABLE:
	case HTML_TAG_TR:
	case HTML_TAG_P:
	case HTML_TAG_HR:
	case HTML_TAG_UL:
	case HTML_TAG_OL:
	case HTML_TAG_DIV:
	case HTML_TAG_BLOCKQUOTE:
		return true;
	default:
		return html_tag_is(tag, TAG_HEADING);
	}
}

void block_shape_add_word(struct block_shape *b, const struct token_word *word)
{
	if (word->link)
		b->link += word->chars;
	else
		b->text += word->chars;
}

/* Returns the weight of a start tag besides its characters (doc/METHODS.md). */
static uint64_t weight(enum html_tag tag)
{
	switch (tag) {
	case HTML_TAG_IMG:
	case HTML_TAG_INPUT:
	case HTML_TAG_BUTTON:
		return 100;
	case HTML_TAG_LI:
	case HTML_TAG_TD:
	case HTML_TAG_TH:
		return 40;
	default:
		return 0;
	}
}

/* The start tag belongs to the block that it begins, the end tag to the block that it ends. */
int block_shape_add_tag(struct block_shape *b, const struct token_tag *tag, int (*end)(void *arg), void *arg)
{
	bool ends = divides((enum html_tag)tag->event->tag), closing = tag->event->closing;
	int status = ends && !closing ? end(arg) : 0;
	b->other += tag->chars;
	if (!closing)
		b->other += weight((enum html_tag)tag->event->tag);
	return ends && closing ? end(arg) : status;
}
