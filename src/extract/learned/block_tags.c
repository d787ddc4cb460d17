/* SPDX-License-Identifier: MIT */
/*
 * The effects of tags besides breaking text: elements open and close, links begin and end, some tags are counted. An
 * element is recorded when it opens, with what it takes from its parent (the path's hash, the sum of token scores, the
 * distance from <article> and the like), so that no later step walks up the tree.
 *
 * Example: after <article><div><p> the element of <p> has depth 3 and the distance 3 from <article>: 1 is the element
 * itself, 2 its parent.
 */
#include "base/grow.h"
#include "extract/learned/block_builder.h"

static int16_t saturate16(int32_t v)
{
	return (int16_t)(v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v);
}

/* Adds one to each byte that is neither 0 nor ANC_FAR. A byte plus 127 has its top bit set if the byte is not 0. */
static inline uint32_t one_further(uint32_t bytes)
{
	const uint32_t most = 0x7F7F7F7FU, far = most / 0x7F * ANC_FAR;
	return bytes + (((bytes + most) & ((bytes ^ far) + most) & ~most) >> 7);
}

/*
 * Computes all distances from ancestors at once from those of the parent: reading bytes that were just copied in other
 * pieces is slow.
 */
static inline void go_further(uint8_t to[static ANC_COUNT], const uint8_t from[static ANC_COUNT])
{
	uint32_t all;
	_Static_assert(ANC_COUNT == sizeof(all), "all of them");
	memcpy(&all, from, sizeof(all));
	all = one_further(all);
	memcpy(to, &all, sizeof(all));
}

/* enum ancestor + 1; 0 for elements whose distance is not recorded. */
static const uint8_t ancestors[HTML_TAGS_COUNT] = {
	[HTML_TAG_ARTICLE] = ANC_ARTICLE + 1,
	[HTML_TAG_MAIN] = ANC_MAIN + 1,
	[HTML_TAG_FOOTER] = ANC_FOOTER + 1,
};

/* Records the element and sets *number to its number, or to its parent's if there is no room. */
static int open_element(struct blocks *b, enum html_tag tag, const struct tag_facts *facts, uint32_t *number)
{
	struct block_builder *t = b->builder;
	uint32_t parent = *number = open_elements_top(&t->open);
	if (b->n_elements == ELEMENTS_MOST)
		return DANA_OK;
	struct element *more = grow_items(b->element, b->n_elements, &t->cap_elements, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->element = more;
	const struct element *p = &b->element[parent];
	struct element *e = &b->element[b->n_elements];
	/* one by one: the parent may just have been written in this way, and would be slow to copy whole */
	e->parent = parent;
	e->depth = (uint16_t)(p->depth + 1);
	e->score = saturate16(facts->score);
	e->total = p->total + e->score;
	e->most = e->score > p->most || parent == 0 ? e->score : p->most;
	e->least = e->score < p->least || parent == 0 ? e->score : p->least;
	e->hidden = p->hidden || facts->hidden || (html_tag_is(tag, TAG_MUTE));
	e->path = (p->path * 31 + (uint32_t)tag * 1000003U + facts->class_hash) * 0x9E3779B1U;
	e->path ^= e->path >> 15;
	go_further(e->distance, p->distance);
	if (ancestors[tag])
		e->distance[ancestors[tag] - 1] = 1;
	if (tag == HTML_TAG_BODY)
		b->body_tokens = e->total;
	*number = b->n_elements++;
	return DANA_OK;
}

/* Counts tags that give a hint about the text near them. */
static int count_tag(struct blocks *b, struct html_attr_reader *attrs, enum html_tag tag)
{
	switch (tag) {
	case HTML_TAG_IMG:
		b->images++;
		break;
	case HTML_TAG_INPUT:
	case HTML_TAG_BUTTON:
		b->inputs++;
		b->builder->current.input_before = true;
		break;
	case HTML_TAG_ARTICLE:
		b->articles++;
		break;
	case HTML_TAG_MAIN:
		b->has_main = true;
		break;
	case HTML_TAG_META:
		return page_meta_read_meta(b->meta, attrs);
	case HTML_TAG_LINK:
		page_meta_read_link(b->meta, attrs);
		break;
	default:
		break;
	}
	return DANA_OK;
}

/* Sets the white space of the element that begins: its own style overrides its tag. */
static void start_white(struct block_builder *t, enum html_tag tag, unsigned properties, enum white_space style)
{
	bool keeps = (properties & TAG_KEEPS_SPACE) && (tag != HTML_TAG_OTHER || t->other_keeps);
	enum white_space own = style == WHITE_SPACE_INHERITED && keeps ? WHITE_SPACE_KEPT : style;
	white_space_start(&t->white, tag, own);
}

int block_start_tag(struct blocks *b, struct html_attr_reader *attrs, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	unsigned properties = html_tag_properties[tag];
	int status = properties & TAG_COUNTS ? count_tag(b, attrs, tag) : DANA_OK;
	if (status < 0)
		return status;
	if (properties & TAG_SPLITS)
		open_elements_imply(&t->open, tag, tag != HTML_TAG_BR);
	if (html_tag_is(tag, TAG_VOID))
		return DANA_OK;
	struct tag_facts facts;
	if (attrs->at != attrs->end && *attrs->at != '>') {
		tokens_of_tag(&t->sink, attrs, !(properties & TAG_NESTS), &facts);
		if (block_twin_likely(&t->formulas, facts.class_hash))
			block_twin_begin(b, tag, facts.class_hash);
	} else
		facts = (struct tag_facts){ .white = WHITE_SPACE_INHERITED };
	/* four reasons in one test: hardly any tag has one of them */
	if ((properties & TAG_KEEPS_SPACE) | (facts.white ^ WHITE_SPACE_INHERITED) | t->white.len |
	    t->formulas.twin_depth) {
		start_white(t, tag, properties, facts.white);
		if (t->formulas.twin_depth)
			block_twin_tag(b, tag, false);
	}
	if (properties & TAG_LINKS)
		t->in_link = facts.href;
	t->current.links = (uint16_t)(t->current.links + (facts.href && t->current.links != UINT16_MAX));
	if (!(properties & TAG_NESTS)) {
		t->current.inline_score += facts.score;
		return DANA_OK;
	}
	uint32_t number;
	status = open_element(b, tag, &facts, &number);
	if (status < 0)
		return status;
	(void)open_elements_push(&t->open, tag, number);
	return DANA_OK;
}

static __attribute__((noinline)) void end_in_white(struct blocks *b, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	if (t->white.len)
		white_space_end(&t->white, tag);
	if (html_tag_is(tag, TAG_NESTS))
		open_elements_close(&t->open, tag);
	if (t->formulas.twin_depth)
		block_twin_tag(b, tag, true);
}

void block_end_tag(struct blocks *b, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	if (html_tag_is(tag, TAG_LINKS))
		t->in_link = false;
	if (t->white.len | t->formulas.twin_depth)
		end_in_white(b, tag);
	else if (html_tag_is(tag, TAG_NESTS))
		open_elements_close(&t->open, tag);
}
