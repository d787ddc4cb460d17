/* SPDX-License-Identifier: MIT */
/*
 * Links: those that lead elsewhere are marks, those to a footnote are its references, and those back from it are left
 * out. An address is stored as it stands; whether it is one is decided when it is written (url.h).
 */
#include "base/ascii.h"
#include "extract/html/entity.h"
#include "extract/structure/letter_kind.h"
#include "extract/structure/recorder_private.h"

static struct slice without_prefix(struct slice s, const char *prefix)
{
	size_t len = strlen(prefix);
	return s.len >= len && slice_is(slice_first(s, len), prefix) ? slice_skip(s, len) : s;
}

static bool begins_with(struct slice s, const char *prefix)
{
	return slice_is(slice_first(s, strlen(prefix)), prefix);
}

struct slice record_note_name(struct slice id)
{
	struct slice s = without_prefix(without_prefix(id, "#"), "user-content-");
	if (!begins_with(s, "fn"))
		return slice_of(NULL, 0);
	s = slice_skip(s, 2);
	if (s.len && (s.data[0] == '-' || s.data[0] == ':'))
		s = slice_skip(s, 1);
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '_' && c != '-')
			return slice_of(NULL, 0);
	}
	return s.len <= STRUCTURE_LANGUAGE ? s : slice_of(NULL, 0);
}

static int reference(struct recorder *r, struct slice name, uint64_t offset)
{
	struct mark mark = { .kind = MARK_NOTE };
	r->skip_depth = r->depth;
	int status = record_argument(r, name, &mark.argument, &mark.len);
	if (status < 0 || mark.len == 0)
		return status;
	r->skip_depth = 0;
	status = record_atom(r, mark, offset);
	r->skip_depth = r->depth;
	return status;
}

/* What a heading may have at most, to be looked at for each of its permalinks. */
enum { HEADING_BYTES = 1024, HEADING_TAGS = 32 };

/* Returns whether source text has a letter or a digit; long text has. */
static bool has_words(struct slice source)
{
	if (source.len > HEADING_BYTES)
		return true;
	while (source.len) {
		uint8_t text[8];
		const size_t plain = slice_until(source, "&");
		size_t len = 0;
		if (letter_kind_any(slice_first(source, plain)))
			return true;
		source = slice_skip(source, plain);
		if (source.len == 0)
			break;
		const size_t taken = html_entity_decode(source, text, &len);
		if (taken && letter_kind_any(slice_of(text, len)))
			return true;
		source = slice_skip(source, taken ? taken : 1);
	}
	return false;
}

/* Returns whether the heading that is open has words before its latest tag. */
static bool heading_has_words(const struct recorder *r)
{
	const struct structure_page *page = &r->page;
	uint32_t heading = r->top;
	while (page->container[heading].kind != CONTAINER_HEADING)
		heading = page->container[heading].parent;
	if (r->piece_open && has_words(slice_skip(buf_slice(&page->text), r->piece.text)))
		return true;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	return last && last->container >= heading && !last->wordless;
}

/* Elements of a tag, one in the other, whose words are not those of the heading; of depth 0 if none is open. */
struct left_out {
	enum html_tag tag;
	unsigned depth;
};

/* Takes a tag of a heading. */
static void pass_left_out(struct recorder *r, const struct html_tag_event *event, struct left_out *out)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (out->depth && tag == out->tag)
		out->depth = event->closing ? out->depth - 1 : tag == HTML_TAG_A ? 0 : out->depth + 1;
	if (out->depth || event->closing || html_tag_is(tag, TAG_VOID))
		return;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	if (tag_facts_hidden(facts) || (tag == HTML_TAG_SPAN && facts->words.meanings & CLASS_READER) ||
	    (tag == HTML_TAG_A && facts->words.meanings & CLASS_ANCHOR))
		*out = (struct left_out){ tag, 1 };
}

/* Looks from the entry of a permalink to the end of its heading, and reads attributes of the tags there. */
static bool has_all_words(struct recorder *r, size_t entry)
{
	const struct page_log *log = r->log;
	const size_t end = entry + HEADING_TAGS < log->n ? entry + HEADING_TAGS : log->n;
	struct left_out out = { HTML_TAG_A, 1 };
	bool inside = true, own = false;
	for (size_t i = entry + 1; i < end; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		if ((inside || !out.depth) && !(e->flags & LOG_TEXT_SKIPPED) &&
		    has_words(page_log_part(log, e[-1].end, e->start))) {
			if (!inside)
				return false;
			own = true;
		}
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		if (tag >= HTML_TAG_H1 && tag <= HTML_TAG_H6)
			return own;
		const struct html_tag_event event = page_log_event(log, e);
		pass_left_out(r, &event, &out);
		inside &= tag != HTML_TAG_A;
		if (!inside && !own)
			return false;
	}
	return own && end == log->n;
}

bool record_permalink_is_heading(struct recorder *r, const struct html_tag_event *event)
{
	if (heading_has_words(r))
		return false;
	const bool all = has_all_words(r, page_log_at(r->log, event->start));
	(void)tag_facts_of(&r->tags, event); /* which the caller reads further: its place may have been used */
	return all;
}

int record_link(struct recorder *r, struct open_element *element, const struct tag_facts *facts, uint64_t offset)
{
	struct slice href = slice_trim(tag_facts_value(facts, ATTR_HREF));
	if (href.len == 0)
		return DANA_OK;
	if (href.data[0] == '#') {
		if (begins_with(without_prefix(slice_skip(href, 1), "user-content-"), "fnref")) {
			r->skip_depth = r->depth;
			return DANA_OK;
		}
		struct slice name = record_note_name(href);
		bool marked = facts->words.meanings & CLASS_NOTE_REFERENCE || tag_facts_has(facts, ATTR_NOTE) ||
			      r->in_superscript;
		return name.len && marked ? reference(r, name, offset) : DANA_OK;
	}
	if (href.len > STRUCTURE_URL || r->code_depth) {
		r->page.cut |= href.len > STRUCTURE_URL;
		return DANA_OK;
	}
	struct mark mark = { .kind = MARK_LINK };
	int status = record_argument(r, href, &mark.argument, &mark.len);
	return status < 0 || mark.len == 0 ? status : record_mark_open(r, element, mark);
}
