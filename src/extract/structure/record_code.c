/* SPDX-License-Identifier: MIT */
/*
 * Blocks of code: all text of a <pre> or <xmp> as it stands, <br> and tags that divide text as ends of lines. The
 * language is named by an attribute or a class of the <pre>, of the <code> in it, or of an element around it.
 *
 * Example: <div class="language-c++"><div class="highlight"><pre>int i;</pre></div></div> is code in "c++".
 */
#include "base/ascii.h"
#include "extract/structure/recorder_private.h"

/* Elements around a block of code in which a language is looked for, and in which tools for it are recognised. */
enum { AROUND_LANGUAGE = 8, AROUND_TOOLS = 4 };

static bool is_language(struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && !strchr("_+#.-", c))
			return false;
	}
	return name.len && name.len <= STRUCTURE_LANGUAGE;
}

/* A `lang` of code is often that of people: "en", "pt-br". Returns whether it is a programming language's. */
static bool is_language_of_code(struct slice name)
{
	static const char *const short_names[] = { "js", "ts", "sh", "py", "rb", "go", "cs" };
	if (name.len != 2 && !(name.len > 2 && (name.data[2] == '-' || name.data[2] == '_')))
		return true;
	for (size_t i = 0; i < sizeof(short_names) / sizeof(*short_names); i++) {
		if (slice_is(name, short_names[i]))
			return true;
	}
	return false;
}

/* Returns the language that a tag names, else empty. *said: the tag says that the text is not in a language. */
static struct slice language_of(const struct tag_facts *facts, enum html_tag tag, bool *said)
{
	struct slice name = slice_trim(tag_facts_value(facts, ATTR_CODE_LANG));
	if (!is_language(name) && (tag == HTML_TAG_PRE || tag == HTML_TAG_CODE)) {
		name = slice_trim(tag_facts_value(facts, ATTR_LANG));
		if (!is_language_of_code(name))
			name.len = 0;
	}
	if (!is_language(name))
		name = facts->words.language;
	*said = class_word_is_no_language(name);
	return is_language(name) && !*said ? name : slice_of(NULL, 0);
}

static int set_language(struct recorder *r, struct slice name, uint32_t *at, uint8_t *len)
{
	uint8_t lower[STRUCTURE_LANGUAGE];
	uint32_t taken;
	for (size_t i = 0; i < name.len; i++)
		lower[i] = ascii_lower(name.data[i]);
	int status = record_argument(r, slice_of(lower, name.len), at, &taken);
	*len = (uint8_t)taken;
	return status;
}

bool record_in_code_wrapper(const struct recorder *r)
{
	for (size_t i = r->depth; i > 0 && r->depth - i < AROUND_TOOLS; i--) {
		if (r->open[i - 1].flags & ELEMENT_WRAPS_CODE)
			return true;
	}
	return r->code_block != 0;
}

int record_code_wrapper(struct recorder *r, struct open_element *element, enum html_tag tag,
			const struct tag_facts *facts)
{
	bool said;
	struct slice name = language_of(facts, tag, &said);
	if (!name.len && !(facts->words.meanings & CLASS_HIGHLIGHT))
		return DANA_OK;
	element->flags |= ELEMENT_WRAPS_CODE;
	if (!name.len)
		name = facts->words.bare_language;
	return name.len ? set_language(r, name, &element->language, &element->language_len) : DANA_OK;
}

int record_code_begin(struct recorder *r, enum html_tag tag, const struct tag_facts *facts, uint64_t offset)
{
	bool said;
	struct slice name = language_of(facts, tag, &said);
	if (r->piece_open) /* the last one, which takes the rest of the text */
		return DANA_OK;
	if (!name.len && !said)
		name = facts->words.bare_language;
	r->code_block = r->depth;
	int status = record_piece_begin(r, offset);
	r->piece.kind = PIECE_CODE;
	r->piece.raw = tag == HTML_TAG_XMP;
	if (status == DANA_OK && name.len)
		return set_language(r, name, &r->piece.language, &r->piece.language_len);
	/* the innermost of the elements around it that names one; the last is the <pre> itself */
	for (size_t i = r->depth - 1; i > 0 && r->depth - i <= AROUND_LANGUAGE; i--) {
		const struct open_element *e = &r->open[i - 1];
		if (!e->language_len)
			continue;
		r->piece.language = e->language;
		r->piece.language_len = e->language_len;
		break;
	}
	return status;
}

int record_code_inner(struct recorder *r, const struct tag_facts *facts)
{
	bool said;
	if (r->piece.language_len)
		return DANA_OK;
	struct slice name = language_of(facts, HTML_TAG_CODE, &said);
	if (!name.len && facts->words.others == 0)
		name = facts->words.bare_language;
	return name.len ? set_language(r, name, &r->piece.language, &r->piece.language_len) : DANA_OK;
}

int record_code_line(struct recorder *r, bool always)
{
	struct buf *text = &r->page.text;
	bool empty = text->len == r->piece.text;
	if (r->skip_depth || text->len == r->max_text)
		return DANA_OK;
	if (!always && (empty || text->data[text->len - 1] == '\n'))
		return DANA_OK;
	return buf_append_byte(text, '\n');
}

int record_code_end(struct recorder *r, uint64_t end)
{
	r->code_block = 0;
	return record_piece_end(r, end, false);
}
