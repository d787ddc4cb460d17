/* SPDX-License-Identifier: MIT */
/*
 * Footnotes. A reference is a link to a place of the page after words of its block, whose text is a number or raised.
 * Its note is the block at that place, or all of a small element there: where the block of the reference is kept, its
 * note is kept too, whatever its own chance is. A note after a reference that is not raised begins with its number.
 *
 * Example: <p>It was lit.<sup><a href="#n1">1</a></sup></p> ... <ol><li id=n1>Minutes, page 12.</ol>
 */
#include "base/ascii.h"
#include "extract/html/attribute.h"
#include "extract/learned/block_builder.h"

enum {
	MARK_MOST = 12, /* bytes of what a reference shows */
	NUMBER_MOST = 999,
	NOTE_BLOCKS = 12, /* of a note, an element with more is none; and between two notes of one element */
	LABEL_UNITS = 6,  /* of a block that is only a label */
};

#define HREF HTML_ATTR_NUMBER('h', 'r', 'e', 'f', 0, 0, 0, 0)
#define ROLE HTML_ATTR_NUMBER('r', 'o', 'l', 'e', 0, 0, 0, 0)
#define ID HTML_ATTR_NUMBER('i', 'd', 0, 0, 0, 0, 0, 0)

void block_notes_reset(struct block_notes *n)
{
	if (n->count)
		memset(n->slot, 0, sizeof(n->slot));
	n->count = n->awaited = 0;
	n->open = false;
}

/* Hashes the name of a place; without its first "ref" if `of_link` is set: it is the id of the link. */
static uint64_t name_hash(struct slice name, bool of_link)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < name.len; i++) {
		if (of_link && slice_is(slice_first(slice_skip(name, i), 3), "ref")) {
			of_link = false;
			i += 2;
			continue;
		}
		h = (h ^ name.data[i]) * UINT64_C(0x100000001b3);
	}
	return of_link ? 0 : h ^ h >> 29;
}

/* Returns the slot of a name, free or not. */
static uint16_t *slot_of(struct block_notes *n, uint64_t name)
{
	size_t at = name % NOTE_SLOTS;
	while (n->slot[at] && n->note[n->slot[at] - 1].name != name)
		at = (at + 1) % NOTE_SLOTS;
	return &n->slot[at];
}

void block_notes_link(struct blocks *b, const struct attribute_facts *facts)
{
	struct block_notes *n = &b->builder->notes;
	struct html_attr_reader attrs;
	struct html_attr attr;
	struct slice href = { 0 }, id = { 0 };
	if (b->text.len == b->builder->begin || n->count == NOTES_MOST || !facts->first)
		return;
	attrs = *facts->attrs;
	attrs.at = facts->first;
	while (html_attr_next(&attrs, &attr)) {
		if (attr.number == HREF)
			href = attr.value;
		else if (attr.number == ID)
			id = attr.value;
	}
	const bool place = href.len && href.data[0] == '#';
	if (!place && !slice_is(slice_first(href, sizeof("javascript:") - 1), "javascript:"))
		return;
	n->name = place ? name_hash(slice_skip(href, 1), false) : name_hash(id, true);
	n->open = b->builder->parts.busy = true;
	n->from = (uint32_t)b->text.len;
	n->begun = b->begun;
	n->raised = b->builder->parts.raised_tag == HTML_TAG_SUP;
}

bool block_notes_leads_back(const struct attribute_facts *facts)
{
	struct html_attr_reader attrs = *facts->attrs;
	struct html_attr attr;
	bool back = false;
	attrs.at = facts->first;
	while (html_attr_next(&attrs, &attr) && !back) {
		const bool named = slice_has(attr.value, "nref") || slice_has(attr.value, "cite_ref") ||
				   slice_has(attr.value, "footnote-ref");
		back = (attr.number == HREF && named) || (attr.number == ROLE && slice_is(attr.value, "doc-backlink"));
	}
	return back;
}

/* Returns the number that begins a text, or 0; *shown: the bytes of it with what is around it. */
static uint32_t number_of(struct slice text, size_t *shown)
{
	uint32_t number = 0;
	size_t i = 0;
	while (i < text.len && (ascii_is_space(text.data[i]) || strchr("[(", text.data[i])))
		i++;
	for (; i < text.len && ascii_is_digit(text.data[i]) && number <= NUMBER_MOST; i++)
		number = number * 10 + text.data[i] - '0';
	*shown = i;
	while (i < text.len && (ascii_is_space(text.data[i]) || strchr("])", text.data[i])))
		i++;
	*shown = i;
	return number > NUMBER_MOST ? 0 : number;
}

bool block_notes_is_number(struct slice text)
{
	size_t shown;
	return number_of(text, &shown) && shown == text.len;
}

void block_notes_link_end(struct blocks *b)
{
	struct block_notes *n = &b->builder->notes;
	n->open = false;
	if (n->begun != b->begun || b->text.len <= n->from || b->text.len - n->from > MARK_MOST || !n->name)
		return;
	size_t shown;
	const struct slice text = slice_of(b->text.data + n->from, b->text.len - n->from);
	const uint32_t number = number_of(text, &shown);
	uint16_t *slot = slot_of(n, n->name);
	if (*slot || (!n->raised && !(number && shown == text.len)))
		return;
	n->note[n->count] = (struct block_note){ .name = n->name,
						 .from = b->n_blocks,
						 .number = (uint16_t)(shown == text.len ? number : 0),
						 .raised = n->raised };
	*slot = (uint16_t)++n->count;
	n->awaited++;
}

void block_notes_place(struct blocks *b, enum html_tag tag, const struct attribute_facts *facts)
{
	struct block_notes *n = &b->builder->notes;
	struct html_attr_reader attrs;
	struct html_attr attr = { 0 };
	bool has_id = false;
	if (!facts->first)
		return;
	attrs = *facts->attrs;
	attrs.at = facts->first;
	while (!has_id && html_attr_next(&attrs, &attr))
		has_id = attr.number == ID;
	const uint16_t at = has_id ? *slot_of(n, name_hash(attr.value, false)) : 0;
	struct block_note *note = at ? &n->note[at - 1] : NULL;
	if (!note || note->found || b->n_blocks <= note->from)
		return;
	n->awaited--;
	note->found = true;
	note->serial = b->n_blocks;
	note->element = html_tag_is(tag, TAG_SPLITS) ? b->n_elements : 0;
	note->tag = (uint8_t)tag;
}

/* Returns the block with a number, or the first after it: blocks of the reserve may have been dropped. */
static uint32_t block_at(const struct blocks *b, uint32_t serial)
{
	uint32_t low = 0, count = b->n_blocks;
	while (count) {
		const uint32_t half = count / 2;
		const bool before = b->block[low + half].serial < serial;
		low += before ? half + 1 : 0;
		count = before ? count - half - 1 : half;
	}
	return low;
}

/* Returns whether a block is in an element: elements have larger numbers than those around them. */
static bool is_in(const struct blocks *b, uint32_t i, uint32_t element)
{
	uint32_t at = b->block[i].element;
	while (at > element)
		at = b->element[at].parent;
	return at == element;
}

/* Returns the number of the blocks from `first` on that are a note; 0: it is none. */
static uint32_t note_blocks(const struct blocks *b, const struct block_note *note, uint32_t first)
{
	size_t shown;
	uint32_t count = 0;
	const bool item = note->tag != HTML_TAG_DIV && note->tag != HTML_TAG_SECTION && note->tag != HTML_TAG_UL &&
			  !html_tag_is((enum html_tag)note->tag, TAG_HEADING);
	while (note->element && count <= NOTE_BLOCKS && first + count < b->n_blocks &&
	       is_in(b, first + count, note->element))
		count++;
	if (!note->element && first < b->n_blocks)
		count = 1;
	if (count == 0 || count > NOTE_BLOCKS || b->block[first].hidden)
		return 0;
	const struct slice text = block_text(b, &b->block[first]);
	const bool numbered = note->number && number_of(text, &shown) == note->number &&
			      (shown == text.len || !ascii_is_digit(text.data[shown]));
	if (!numbered && !(note->raised && item))
		return 0;
	/* what follows a label */
	count += count == 1 && b->block[first].counts.units <= LABEL_UNITS && first + 1 < b->n_blocks;
	return count;
}

bool block_notes_find(const struct blocks *b, uint32_t *of)
{
	const struct block_notes *n = &b->builder->notes;
	uint32_t end = 0, around = 0; /* of the note before, and the element that it is in */
	if (n->count == 0)
		return false;
	memset(of, 0, b->n_blocks * sizeof(*of));
	for (uint32_t i = 0; i < n->count; i++) {
		const struct block_note *note = &n->note[i];
		const uint32_t from = block_at(b, note->from), first = block_at(b, note->serial);
		const uint32_t count =
			note->found && from < b->n_blocks && b->block[from].serial == note->from && from < first
				? note_blocks(b, note, first)
				: 0;
		if (!count)
			continue;
		/* paragraphs between two notes are of the first */
		const uint32_t parent = note->element < b->n_elements ? b->element[note->element].parent : 0;
		uint32_t begin = first;
		if (note->element && parent == around && end && end < first && first - end <= NOTE_BLOCKS)
			begin = end;
		for (uint32_t k = begin; k < first + count; k++)
			of[k] = of[k] ? of[k] : from + 1;
		end = first + count;
		around = note->element ? parent : 0;
	}
	return end != 0;
}
