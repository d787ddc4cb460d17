/* SPDX-License-Identifier: MIT */
/* Coherence of what is kept: what each block depends on is found once, without regard to what is kept. */
#include "config.h"

#include "extract/learned/coherence.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"

/* 1 to 6, or 0 for a block that is no heading. */
static unsigned heading_level(const struct block *block)
{
	return html_tag_is((enum html_tag)block->tag, TAG_HEADING) ? block->tag - (unsigned)HTML_TAG_H1 + 1 : 0;
}

/* Numbers of lines are no code of their own. */
static bool is_code(const struct block *block)
{
	return (block->tag == HTML_TAG_PRE || block->tag == HTML_TAG_CODE) &&
	       block->counts.digits < block->counts.units;
}

/* Finds the first block of each element. */
static int find_first(struct coherence *c, const struct blocks *b)
{
	const struct grow_array array = GROW_ARRAY(c->first);
	const int status = renew_arrays(&array, 1, b->n_elements, &c->cap_elements);
	if (status < 0)
		return status;
	memset(c->first, 0xFF, b->n_elements * sizeof(*c->first));
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		for (uint32_t e = b->block[i].element; e && c->first[e] == UINT32_MAX; e = b->element[e].parent)
			c->first[e] = i;
	}
	return DANA_OK;
}

/*
 * Returns the container of block i, which is in the code from..to-1: the second ancestor that has other blocks, as the
 * first is often only a frame with the name of the language.
 */
static struct coherence_place container_of(const struct coherence *c, const struct blocks *b,
					   const struct aggregates *a, uint32_t i, uint32_t from, uint32_t to)
{
	enum { FRAMES = 2, CLIMB = 16 };
	struct coherence_place place = { 0, b->n_blocks, ROLE_CODE };
	uint32_t e = b->block[i].element;
	for (unsigned frames = 0, k = 0; frames < FRAMES && k < CLIMB; k++) {
		e = a->sum[e].wider;
		if (e == 0 || e >= b->n_elements)
			return (struct coherence_place){ 0, b->n_blocks, ROLE_CODE };
		place.from = c->first[e];
		place.to = place.from + a->sum[e].blocks;
		frames += place.from < from || place.to > to;
	}
	return place;
}

static int find_code(struct coherence *c, const struct blocks *b, const struct aggregates *a, bool text)
{
	int status = DANA_OK;
	bool any = false;
	for (uint32_t i = 0, to; i < b->n_blocks && status == DANA_OK; i = to) {
		to = i + 1;
		if (!is_code(&b->block[i]))
			continue;
		while (to < b->n_blocks && is_code(&b->block[to]))
			to++;
		status = any ? DANA_OK : find_first(c, b);
		any = c->adds = true;
		for (uint32_t k = i; k < to && status == DANA_OK; k++) {
			struct coherence_place *place = &c->place[k];
			*place = container_of(c, b, a, k, i, to);
			/* in text, what is directly before and after it counts wherever it is */
			if (text && i && i - 1 < place->from)
				place->from = i - 1;
			if (text && to < b->n_blocks && to + 1 > place->to)
				place->to = to + 1;
		}
	}
	return status;
}

/* Returns whether a table of data, the blocks from..to-1, has short cells and few links. */
static bool has_facts(const struct blocks *b, uint32_t from, uint32_t to)
{
	enum { CELLS_LEAST = 6, CELLS_MOST = 1000, TEXT_MOST = 300, LINKED_LEAST = 4 };
	uint64_t units = 0, linked = 0;
	if (to - from < CELLS_LEAST || to - from > CELLS_MOST)
		return false;
	for (uint32_t i = from; i < to; i++) {
		const struct block *block = &b->block[i];
		if (block->text_len > TEXT_MOST)
			return false;
		units += block->counts.units;
		linked += block->linked;
	}
	return LINKED_LEAST * linked <= units;
}

/* Finds the tables of facts. */
static void find_tables(struct coherence *c, const struct blocks *b)
{
	const uint32_t n = block_tables_any(b) ? b->n_blocks : 0;
	for (uint32_t i = 1, to; i < n; i = to) {
		to = i + 1;
		/* most blocks are in no cell */
		const uint32_t table = b->element[b->block[i].element].cell ? block_tables_data(b, &b->block[i]) : 0;
		if (!table)
			continue;
		while (to < b->n_blocks && block_tables_data(b, &b->block[to]) == table)
			to++;
		if (to == b->n_blocks || !has_facts(b, i, to))
			continue;
		for (uint32_t k = i; k < to; k++)
			c->place[k] = (struct coherence_place){ i, to, ROLE_TABLE };
		c->adds = true;
	}
}

/* Finds the sections of headings, from the last to the first. Those of main headings are empty: these never go. */
static void find_sections(struct coherence *c, const struct blocks *b)
{
	enum { LEVELS = 6 };
	uint32_t next[LEVELS + 1]; /* of each level, the next heading */
	for (unsigned k = 0; k <= LEVELS; k++)
		next[k] = b->n_blocks;
	for (uint32_t i = b->n_blocks; i-- > 0;) {
		const unsigned level = heading_level(&b->block[i]);
		if (!level)
			continue;
		c->drops = true;
		uint32_t to = b->n_blocks;
		for (unsigned k = 1; k <= level; k++)
			to = next[k] < to ? next[k] : to;
		const bool line = i + 1 < b->n_blocks && b->block[i + 1].element == b->block[i].element;
		if (level == 1)
			c->place[i] = (struct coherence_place){ 0, 0, ROLE_HEADING };
		else
			c->place[i] = line ? c->place[i + 1] : (struct coherence_place){ i + 1, to, ROLE_HEADING };
		next[level] = i;
	}
}

/* Returns whether a heading has the title again, or nearly: three quarters of its runs of three words. */
static bool has_title(const struct blocks *b, const struct block *heading, const struct block *title)
{
	struct word_runs runs = { 0 };
	if (slice_equal(block_text(b, heading), block_text(b, title)))
		return true;
	word_runs_add(&runs, block_text(b, title));
	return runs.n && 4 * word_runs_match(&runs, block_text(b, heading)) >= 3 * runs.n;
}

/* The lead is the first prose after the first main heading and before another heading, if it is the description. */
static void find_lead(struct coherence *c, const struct blocks *b, uint32_t title, uint32_t described)
{
	enum { NEAR = 8, WORDS = 8 };
	if (described >= b->n_blocks || title >= described || described - title > NEAR || !b->block[described].prose ||
	    heading_level(&b->block[described]))
		return;
	for (uint32_t i = title + 1; i < described; i++) {
		const struct block *block = &b->block[i];
		const bool title_again = heading_level(block) && has_title(b, block, &b->block[title]);
		if ((heading_level(block) > 1 && !title_again) ||
		    (block->prose && block->counts.words >= WORDS && !heading_level(block)))
			return;
	}
	c->place[described] = (struct coherence_place){ title, b->n_blocks, ROLE_LEAD };
	c->adds = true;
}

/* Returns whether a block announces what follows it: its text ends with a colon, or as such lines do in Arabic. */
static bool announces(const struct blocks *b, const struct block *block)
{
	static const char *const marks[] = { ":", "：", "؛" };
	const struct slice text = slice_trim(block_text(b, block));
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		const size_t len = strlen(marks[i]);
		if (text.len > len && memcmp(text.data + text.len - len, marks[i], len) == 0)
			return !heading_level(block) && block->tag != HTML_TAG_LI;
	}
	return false;
}

/* Finds the items directly after a paragraph that announces them; few of their letters are in links. */
static void find_lists(struct coherence *c, const struct blocks *b)
{
	enum { ITEMS_MOST = 40, LINKED_LEAST = 4 };
	for (uint32_t i = 0, to; i + 1 < b->n_blocks; i = to) {
		uint64_t units = 0, linked = 0;
		to = i + 1;
		if (b->block[to].tag != HTML_TAG_LI)
			continue;
		const uint32_t list = b->element[b->block[i + 1].element].parent;
		for (; to < b->n_blocks && b->block[to].tag == HTML_TAG_LI &&
		       b->element[b->block[to].element].parent == list;
		     to++) {
			units += b->block[to].counts.units;
			linked += b->block[to].linked;
		}
		if (to - i > ITEMS_MOST || LINKED_LEAST * linked > units || !announces(b, &b->block[i]))
			continue;
		for (uint32_t k = i + 1; k < to; k++)
			c->place[k] = (struct coherence_place){ i, to, ROLE_LIST };
		c->adds = true;
	}
}

/* Returns whether a block is one of many by its element. */
static bool is_item(const struct block *block)
{
	return block->tag == HTML_TAG_LI || block->tag == HTML_TAG_TD || block->tag == HTML_TAG_TH ||
	       block->tag == HTML_TAG_DD || block->tag == HTML_TAG_DT;
}

/*
 * Tables of contents: blocks in a row whose texts are headings after them, whatever number is before, and the short
 * block before them, which is their title. Their element says what they are.
 */

enum { HEADINGS_SLOTS = 512, HEADINGS_MOST = HEADINGS_SLOTS / 2, CONTENTS_LEAST = 3, CONTENTS_BYTES = 160 };

/* Returns the bytes of a sign or of a character of no width that is not in ASCII; 0: the text begins with none. */
static size_t sign_bytes(struct slice text)
{
	if (text.len >= 2 && text.data[0] == 0xC2) /* U+0080 to U+00BF: "¶" */
		return 2;
	return text.len >= 3 && text.data[0] == 0xE2 && text.data[1] == 0x80 ? 3 : 0; /* U+2000 to U+203F */
}

/* Hashes the letters of a text, from the first one on; 0: it has none, or more than a line. */
static uint64_t letters_hash(struct slice text)
{
	uint64_t h = 0;
	if (text.len > CONTENTS_BYTES)
		return 0;
	for (size_t i = 0; i < text.len; i++) {
		const uint8_t c = ascii_lower(text.data[i]);
		const size_t sign = c >= 0x80 ? sign_bytes(slice_skip(text, i)) : 0;
		if (sign)
			i += sign - 1;
		else if (c >= 0x80 || ascii_is_alpha(c) || (h && ascii_is_digit(c)))
			h = (h ^ c ^ 0x100) * UINT64_C(0x100000001b3);
	}
	return h;
}

static size_t slot_of(const uint64_t *slots, uint64_t hash)
{
	size_t at = (hash ^ hash >> 32) % HEADINGS_SLOTS;
	while (slots[at] && slots[at] != hash)
		at = (at + 1) % HEADINGS_SLOTS;
	return at;
}

/* Sets the roles of a run of blocks that are headings later. */
static void take_contents(struct coherence *c, const struct blocks *b, uint32_t from, uint32_t to)
{
	enum { TITLE_UNITS = 32 };
	if (to - from < CONTENTS_LEAST)
		return;
	const bool title = from && b->block[from - 1].counts.units <= TITLE_UNITS &&
			   !b->block[from - 1].counts.stopped && b->block[from - 1].tag != HTML_TAG_H1;
	for (uint32_t i = from - title; i < to; i++)
		c->place[i] = (struct coherence_place){ from, to, ROLE_CONTENTS };
	c->apart = true;
}

static void find_contents(struct coherence *c, const struct blocks *b)
{
	uint64_t slots[HEADINGS_SLOTS] = { 0 };
	uint32_t headings = 0, last = 0, run = 0, begin = 0;
	while (begin < b->n_blocks && !(b->block[begin].left & LEFT_LINKS))
		begin++;
	for (uint32_t i = begin; i < b->n_blocks && headings < HEADINGS_MOST; i++) {
		const uint64_t hash = heading_level(&b->block[i]) > 1 ? letters_hash(block_text(b, &b->block[i])) : 0;
		if (!hash)
			continue;
		slots[slot_of(slots, hash)] = hash;
		headings++;
		last = i;
	}
	run = begin;
	for (uint32_t i = begin; headings >= CONTENTS_LEAST && i <= last; i++) {
		const struct block *block = &b->block[i];
		/* articles have such lists of their own */
		const bool says = block->left & LEFT_LINKS && !heading_level(block);
		const uint64_t hash = says ? letters_hash(block_text(b, block)) : 0;
		if (hash && slots[slot_of(slots, hash)] == hash)
			continue;
		take_contents(c, b, run, i);
		run = i + 1;
	}
}

/* Returns the host of most links of the page that have one, which is its own site's; 0: too few links have
 * one. */
static uint32_t own_host(const struct blocks *b)
{
	enum { LEAST = 3 };
	uint32_t host = 0, votes = 0, n = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		if (!b->block[i].links || !b->block[i].host)
			continue;
		host = votes ? host : b->block[i].host;
		votes += host == b->block[i].host ? 1U : -1U;
	}
	for (uint32_t i = 0; i < b->n_blocks && votes < LEAST; i++) /* so many votes are of as many links */
		n += b->block[i].links && b->block[i].host == host;
	return n < LEAST && votes < LEAST ? 0 : host;
}

/*
 * Lines that lead to another article of the site: a label of a few words with a colon, and one link to the end of the
 * line, in which the label may be, too. What leads to other sites may be a source.
 *
 * Example: <p><b>Read also:</b> <a href=/x>Ten boats that never came home</a></p>
 */
static bool is_also(const struct blocks *b, const struct block *block, uint32_t own)
{
	enum { LABEL_BYTES = 48, LABEL_WORDS = 4, DENSE_WORDS = 8, LINK_UNITS = 16, LINK_WORDS = 4, EAST_ASIA = 0xE3 };
	if (block->links != 1 || block->linked < LINK_UNITS || block->counts.words <= LINK_WORDS || is_item(block) ||
	    heading_level(block) || (block->host && block->host != own))
		return false;
	const struct slice text = slice_trim(block_text(b, block)), start = slice_first(text, LABEL_BYTES);
	size_t end = slice_until(start, ":") + 1;
	/* of East Asia: a wide colon, or brackets around the label */
	static const char *const wide[] = { "：", "】" };
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide) && text.data[0] >= EAST_ASIA; i++) {
		const uint8_t *const found = memmem(start.data, start.len, wide[i], strlen(wide[i]));
		const size_t after = found ? (size_t)(found - start.data) + strlen(wide[i]) : end;
		end = after < end ? after : end;
	}
	if (end > start.len || end >= text.len)
		return false;
	struct counts label = { 0 };
	counts_add(&label, slice_first(text, end));
	const uint32_t most = text.data[0] >= EAST_ASIA ? DENSE_WORDS : LABEL_WORDS;
	return label.words && label.words <= most && block->counts.words >= label.words + LINK_WORDS &&
	       (block->linked == block->counts.units || block->linked + label.units == block->counts.units);
}

static void find_also(struct coherence *c, const struct blocks *b)
{
	enum { LINES_MOST = 2 }; /* more in a row are a list */
	const uint32_t own = own_host(b);
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		if (b->element[b->block[i].element].cell && block_tables_beside(b, &b->block[i])) {
			c->place[i] = (struct coherence_place){ i, i + 1, ROLE_ALSO };
			c->apart = true;
		}
	}
	for (uint32_t i = 0, run; i < b->n_blocks; i += run + 1) {
		run = 0;
		if (b->block[i].links != 1)
			continue;
		while (i + run < b->n_blocks && is_also(b, &b->block[i + run], own))
			run++;
		/* of a heading it is the text */
		const bool headed =
			run && i && heading_level(&b->block[i - 1]) && b->block[i].linked == b->block[i].counts.units;
		for (uint32_t k = i; k < i + run && run <= LINES_MOST && !headed; k++) {
			c->place[k] = (struct coherence_place){ k, k + 1, ROLE_ALSO };
			c->apart = true;
		}
	}
}

/*
 * Finds labels of links: a few words with a colon, and after them a block of links, or a list that begins with one.
 * Where that is dropped, they label nothing.
 */
static void find_labels(struct coherence *c, const struct blocks *b)
{
	enum { WORDS_MOST = 6 };
	for (uint32_t i = 0; i + 1 < b->n_blocks; i++) {
		const struct block *block = &b->block[i], *next = &b->block[i + 1];
		if (!next->links || 10 * (uint64_t)next->linked < 9 * (uint64_t)next->counts.units || block->links ||
		    block->counts.words > WORDS_MOST || is_item(block) || !announces(b, block))
			continue;
		const uint32_t list = b->element[next->element].parent;
		uint32_t to = i + 2;
		while (next->tag == HTML_TAG_LI && to < b->n_blocks && b->block[to].tag == HTML_TAG_LI &&
		       b->element[b->block[to].element].parent == list)
			to++;
		c->place[i] = (struct coherence_place){ i + 1, to, ROLE_LABEL };
		c->labels = true;
	}
}

int coherence_find(struct coherence *c, const struct blocks *b, const struct aggregates *a, enum page_kind kind,
		   uint32_t described)
{
	const bool text = kind != KIND_LIST && kind != KIND_PRODUCT && kind != KIND_SERVICE;
	const struct grow_array arrays[] = { GROW_ARRAY(c->place), GROW_ARRAY(c->kept) };
	const int status = renew_arrays(arrays, 2, (size_t)b->n_blocks + 1, &c->cap_blocks);
	if (status < 0)
		return status;
	memset(c->place, 0, b->n_blocks * sizeof(*c->place));
	c->adds = c->drops = c->apart = c->labels = false;
	if (text)
		find_sections(c, b);
	if (text && kind != KIND_FORUM)
		find_tables(c, b);
	find_lists(c, b);
	find_lead(c, b, a->h1_block, described);
	find_contents(c, b);
	if (kind == KIND_ARTICLE)
		find_also(c, b);
	find_labels(c, b);
	return find_code(c, b, a, text);
}

/* `headings`: they count. */
static void count_kept(const struct coherence *c, const struct blocks *b, const uint8_t *verdict, bool headings)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		c->kept[i] = n;
		n += verdict_keeps((enum verdict)verdict[i]) &&
		     (headings || !html_tag_is((enum html_tag)b->block[i].tag, TAG_HEADING));
	}
	c->kept[b->n_blocks] = n;
}

static bool any_kept(const struct coherence *c, uint32_t from, uint32_t to)
{
	return from < to && c->kept[to] > c->kept[from];
}

/* Returns whether a table is between kept text, or half of its cells are kept. */
static bool table_stays(const struct coherence *c, const struct coherence_place *place)
{
	return (any_kept(c, place->from - 1, place->from) && any_kept(c, place->to, place->to + 1)) ||
	       2 * (c->kept[place->to] - c->kept[place->from]) >= place->to - place->from;
}

void coherence_leave_out(struct coherence *c, uint32_t i)
{
	c->place[i].role = ROLE_NONE;
}

void coherence_apply(const struct coherence *c, const struct blocks *b, uint8_t *verdict)
{
	for (uint32_t i = 0; c->apart && i < b->n_blocks; i++) {
		if (verdict[i] == VERDICT_KEPT && c->place[i].role == ROLE_CONTENTS)
			verdict[i] = VERDICT_CONTENTS;
		else if (verdict[i] == VERDICT_KEPT && c->place[i].role == ROLE_ALSO)
			verdict[i] = VERDICT_ALSO;
	}
	if (c->adds)
		count_kept(c, b, verdict, true);
	for (uint32_t i = 0; c->adds && i < b->n_blocks; i++) {
		const struct coherence_place *place = &c->place[i];
		if (verdict[i] != VERDICT_UNLIKELY || place->role == ROLE_NONE)
			continue;
		if (place->role == ROLE_LIST && any_kept(c, place->from, place->from + 1) &&
		    any_kept(c, place->to, b->n_blocks))
			verdict[i] = VERDICT_LIST;
		if (place->role == ROLE_TABLE && table_stays(c, place))
			verdict[i] = VERDICT_TABLE;
		if (!any_kept(c, i + 1, place->to))
			continue;
		if (place->role == ROLE_CODE && any_kept(c, place->from, i))
			verdict[i] = VERDICT_CODE;
		else if (place->role == ROLE_LEAD)
			verdict[i] = VERDICT_LEAD;
	}
	/* the first text that is kept is the title, whatever its level is */
	if (c->drops)
		count_kept(c, b, verdict, false);
	for (uint32_t i = 0; c->drops && i < b->n_blocks; i++) {
		const struct coherence_place *place = &c->place[i];
		if (place->role == ROLE_HEADING && verdict_keeps((enum verdict)verdict[i]) && any_kept(c, 0, i) &&
		    place->from < place->to && !any_kept(c, place->from, place->to))
			verdict[i] = VERDICT_BARE;
	}
	for (uint32_t i = 0; c->labels && i < b->n_blocks; i++) {
		const struct coherence_place *place = &c->place[i];
		bool any = place->role != ROLE_LABEL || verdict[i] != VERDICT_KEPT;
		for (uint32_t k = place->from; k < place->to && !any; k++)
			any = verdict_keeps((enum verdict)verdict[k]);
		if (!any)
			verdict[i] = VERDICT_ALSO;
	}
}

void coherence_free(struct coherence *c)
{
	free(c->place);
	free(c->kept);
	free(c->first);
	*c = (struct coherence){ 0 };
}
