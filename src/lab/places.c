/* SPDX-License-Identifier: MIT */
/*
 * Reads a page's elements and lines of text, and finds which block of a method each line belongs to.
 *
 * A method reports the text of its blocks, but not where that is. Lines and blocks have the same words in the same
 * order, but for text that only one of the two has, so a longest common subsequence finds them.
 */
#include "lab/places.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/elements.h"
#include "extract/html/entity.h"
#include "extract/page_parts.h"
#include "lab/report.h"

enum { ELEMENTS_MOST = 20000, ATTRIBUTES_MOST = 20, NAME_MOST = 40, VALUE_MOST = 120, CLASS_MOST = 400 };

static const uint32_t NONE = UINT32_MAX;

struct place_element {
	uint32_t parent;       /* NONE: it is the outermost */
	uint32_t number;       /* in the report; NONE: it has no text */
	struct text_span json; /* name and attributes, in page_places.json */
};

struct place_line {
	struct text_span text; /* in page_places.texts */
	size_t first, n;       /* in page_places.in */
};

struct place_reader {
	struct page_places *places;
	struct element_stack open;
	uint32_t path[STACK_DEPTH_DEFAULT + 1]; /* of the open elements; path[0] = NONE */
	struct buf source;                      /* of the line that is read */
	size_t first;                           /* of its elements */
	bool words;                             /* it has words: elements with signs alone do not count */
	struct buf decoded;
};

/* ---- reading ---- */

static bool is_blank(struct slice text)
{
	while (text.len && ascii_is_space(text.data[0]))
		text = slice_skip(text, 1);
	return text.len == 0;
}

static int end_line(struct place_reader *r)
{
	struct page_places *p = r->places;
	const struct grow_array lines = GROW_ARRAY(p->lines);
	int status = DANA_OK;
	if (p->n_in > r->first) {
		const size_t from = p->texts.len;
		status = html_entity_append(&p->texts, buf_slice(&r->source));
		if (status == DANA_OK)
			status = grow_arrays(&lines, 1, p->n_lines + 1, &p->cap_lines);
		if (status == DANA_OK)
			p->lines[p->n_lines++] =
				(struct place_line){ { from, p->texts.len }, r->first, p->n_in - r->first };
	}
	r->first = p->n_in;
	r->words = false;
	buf_clear(&r->source);
	return status;
}

/* Notes that the line has text of an element; rules that drop look at words alone (page_parts_drops). */
static int add_place(struct place_reader *r, uint32_t element, struct slice text)
{
	struct page_places *p = r->places;
	const struct grow_array in = GROW_ARRAY(p->in);
	buf_clear(&r->decoded);
	if (html_entity_append(&r->decoded, text) < 0)
		return DANA_ENOMEM;
	const bool words = page_parts_words(buf_slice(&r->decoded));
	if (r->words && !words)
		return DANA_OK;
	if (words && !r->words)
		p->n_in = r->first;
	r->words = words;
	for (size_t i = r->first; i < p->n_in; i++) {
		if (p->in[i] == element)
			return DANA_OK;
	}
	const int status = grow_arrays(&in, 1, p->n_in + 1, &p->cap_in);
	if (status == DANA_OK)
		p->in[p->n_in++] = element;
	return status;
}

static int take_run(void *arg, const struct html_run *run)
{
	struct place_reader *r = arg;
	if (run->kind != HTML_TEXT || run->skipped || run->tag == HTML_TAG_TITLE)
		return DANA_OK;
	const uint32_t element = r->path[r->open.depth];
	int status = DANA_OK;
	if (element != NONE && !is_blank(run->bytes))
		status = add_place(r, element, run->bytes);
	return status < 0 ? status : buf_append(&r->source, run->bytes.data, run->bytes.len);
}

static bool is_data(struct slice name)
{
	return name.len > 5 && name.len <= NAME_MOST &&
	       slice_equal_nocase(slice_first(name, 5), slice_from_text("data-"));
}

/* Whether selectors that the report looks for may name the attribute; `most`: bytes of its value. */
static bool is_named(struct slice name, size_t *most)
{
	static const char *const names[] = { "class", "id", "role", "itemprop", "rel", "href", "style" };
	size_t i = 0;
	while (i < sizeof(names) / sizeof(*names) && !slice_equal_nocase(name, slice_from_text(names[i])))
		i++;
	*most = i == 0 ? CLASS_MOST : VALUE_MOST;
	return i < sizeof(names) / sizeof(*names) || is_data(name);
}

/*
 * Appends the name and the attributes of an element; those whose values are longer than a selector should be, or empty,
 * are left out. Of data-* it is said that there is one, since selectors may name it without a value.
 */
static int put_element(struct buf *json, const struct html_tag_event *event)
{
	struct json_writer w = { .out = json };
	struct html_attr_reader reader = html_attr_begin(event);
	struct html_attr a;
	struct buf value = { 0 };
	uint8_t name[HTML_TAG_NAME_MOST];
	size_t most, count = 0;
	const size_t len = event->name.len < sizeof(name) ? event->name.len : sizeof(name);
	for (size_t i = 0; i < len; i++)
		name[i] = ascii_lower(event->name.data[i]);
	json_element(&w, slice_of(name, len));
	if (w.comma)
		buf_append_byte(json, ',');
	w.comma = false;
	json_object_begin(&w);
	while (count < ATTRIBUTES_MOST && html_attr_next(&reader, &a)) {
		if (!is_named(a.name, &most))
			continue;
		buf_clear(&value);
		if (html_entity_append(&value, a.value) < 0)
			break;
		const bool has_value = value.len > 0 && value.len <= most;
		if (!has_value && !is_data(a.name))
			continue;
		count++;
		for (size_t i = 0; i < a.name.len; i++)
			name[i] = ascii_lower(a.name.data[i]);
		json_name(&w, slice_of(name, a.name.len));
		if (has_value)
			json_element(&w, buf_slice(&value));
		else
			json_no_value(&w);
	}
	json_object_end(&w);
	buf_latch(json, buf_status(&value));
	buf_free(&value);
	return buf_status(json);
}

/* Takes the URL of the page from <link rel=canonical> or, before one comes, from <meta property=og:url>. */
static int read_canonical(struct page_places *p, const struct html_tag_event *event)
{
	const bool link = event->tag == HTML_TAG_LINK;
	const char *const about = link ? "rel" : "property", *const word = link ? "canonical" : "og:url";
	if (p->canonical.len || !slice_equal_nocase(html_attr_named(event, about), slice_from_text(word)))
		return DANA_OK;
	return html_entity_append(&p->canonical, html_attr_named(event, link ? "href" : "content"));
}

static int take_tag(void *arg, const struct html_tag_event *event)
{
	struct place_reader *r = arg;
	struct page_places *p = r->places;
	int status = DANA_OK;
	if (event->skipped)
		return DANA_OK;
	if (!event->closing && (event->tag == HTML_TAG_LINK || event->tag == HTML_TAG_META))
		status = read_canonical(p, event);
	if (status == DANA_OK && html_tag_is((enum html_tag)event->tag, TAG_SPLITS))
		status = end_line(r);
	const size_t before = r->open.depth;
	const struct stack_change change = element_stack_take(&r->open, event);
	if (!change.opens || status < 0)
		return status;
	const struct grow_array elements = GROW_ARRAY(p->elements);
	const uint32_t parent = r->path[before - change.closes];
	r->path[r->open.depth] = NONE;
	if (p->n_elements == ELEMENTS_MOST)
		return DANA_OK;
	status = grow_arrays(&elements, 1, p->n_elements + 1, &p->cap_elements);
	const size_t from = p->json.len;
	if (status == DANA_OK)
		status = put_element(&p->json, event);
	if (status == DANA_OK) {
		r->path[r->open.depth] = (uint32_t)p->n_elements;
		p->elements[p->n_elements++] = (struct place_element){ parent, NONE, { from, p->json.len } };
	}
	return status;
}

int page_places_read(struct page_places *p, struct slice html)
{
	struct place_reader *r = calloc(1, sizeof(*r));
	const struct html_handler handler = { .run = take_run, .tag = take_tag, .arg = r };
	struct html_tokenizer *tokens = r ? html_tokenizer_new(&handler) : NULL;
	int status = tokens ? element_stack_init(&r->open, 0) : DANA_ENOMEM;
	if (status == DANA_OK) {
		r->places = p;
		r->path[0] = NONE;
		status = html_tokenizer_feed(tokens, html);
	}
	if (status == DANA_OK)
		status = html_tokenizer_finish(tokens);
	if (status == DANA_OK)
		status = end_line(r);
	if (status == DANA_OK)
		status = buf_status(&p->canonical);
	/* those with text, and all around them, are numbered: a parent comes before what is in it */
	for (size_t i = 0; i < p->n_in; i++) {
		for (uint32_t e = p->in[i]; e != NONE && p->elements[e].number == NONE; e = p->elements[e].parent)
			p->elements[e].number = 0;
	}
	uint32_t number = 0;
	for (size_t i = 0; i < p->n_elements; i++) {
		if (p->elements[i].number != NONE)
			p->elements[i].number = number++;
	}
	if (r) {
		element_stack_free(&r->open);
		buf_free(&r->source);
		buf_free(&r->decoded);
	}
	html_tokenizer_free(tokens);
	free(r);
	return status;
}

void page_places_free(struct page_places *p)
{
	free(p->elements);
	free(p->lines);
	free(p->in);
	buf_free(&p->texts);
	buf_free(&p->json);
	buf_free(&p->canonical);
}

/* ---- blocks ---- */

int page_places_match(const struct page_places *p, const struct recording *r, size_t **blocks)
{
	struct compared_part *lines = calloc(p->n_lines + 1, sizeof(*lines));
	struct compared_part *parts = calloc(r->n_blocks + 1, sizeof(*parts));
	size_t *of = *blocks = calloc(p->n_lines + 1, sizeof(*of));
	int status = lines && parts && of ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < p->n_lines && status == DANA_OK; i++) {
		const struct text_span text = p->lines[i].text;
		lines[i].text = slice_of(p->texts.data + text.from, text.to - text.from);
	}
	for (size_t i = 0; i < r->n_blocks && status == DANA_OK; i++)
		parts[i].text = recording_span(r, r->blocks[i].text);
	if (status == DANA_OK)
		status = parts_compare(parts, r->n_blocks, lines, p->n_lines);
	for (size_t i = 0; i < p->n_lines && status == DANA_OK; i++) {
		/* a word alone may be written otherwise there, as a link and the comma after it: then its neighbours
		 * decide */
		const size_t before = i ? of[i - 1] : SIZE_MAX;
		of[i] = lines[i].other;
		if (of[i] == PART_NONE && i + 1 < p->n_lines && lines[i + 1].other == before)
			of[i] = before;
	}
	free(lines);
	free(parts);
	return status;
}

void page_places_put(const struct page_places *p, struct json_writer *w)
{
	json_array_begin(w);
	for (const struct place_element *e = p->elements; e < p->elements + p->n_elements; e++) {
		if (e->number == NONE)
			continue;
		json_array_begin(w);
		buf_printf(w->out, "%ld,", e->parent == NONE ? -1L : (long)p->elements[e->parent].number);
		buf_append(w->out, p->json.data + e->json.from, e->json.to - e->json.from);
		json_array_end(w);
	}
	json_array_end(w);
}

void page_places_put_block(const struct page_places *p, const size_t *blocks, size_t *line, size_t block,
			   struct json_writer *w)
{
	json_array_begin(w);
	while (*line < p->n_lines && (blocks[*line] == SIZE_MAX || blocks[*line] < block))
		++*line;
	const char *comma = "";
	for (; *line < p->n_lines && (blocks[*line] == block || blocks[*line] == SIZE_MAX); ++*line) {
		for (size_t k = 0; k < p->lines[*line].n && blocks[*line] == block; k++) {
			buf_printf(w->out, "%s%lu", comma,
				   (unsigned long)p->elements[p->in[p->lines[*line].first + k]].number);
			comma = ",";
		}
	}
	json_array_end(w);
}
