/* SPDX-License-Identifier: MIT */
/*
 * What a page declares about itself outside its visible text: types in JSON-LD, and what <meta> and <link> have; and
 * text that is held back until the end of the page because it may be needed: templates, and articleBody of JSON-LD.
 * Example: {"@type": "Recipe"} makes the page a recipe, as a hint for the features.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/json.h"
#include "base/status.h"
#include "extract/html/attribute.h"
#include "extract/html/entity.h"
#include "extract/learned/blocks.h"
#include "extract/learned/features.h"

enum state {
	IGNORED,              /* until the next tag or comment */
	HEAD,                 /* in the tag of a script, or in something else that is not shown */
	SEARCH,               /* in JSON-LD: for '@' */
	KEY,                  /* after '@': `len` bytes of the rest of the name are found */
	VALUE,                /* after the name: for the first quote */
	WORD,                 /* in a type's name */
	WORD_LONG = WORD + 1, /* the same, and it is longer than any known one */
};

static const char key[] = "type\"", script[] = "<script";

/* Of names of types in no group only the number matters. */
static unsigned type_of(const char *word, size_t len)
{
	static const struct {
		uint8_t type;
		const char *names;
	} groups[] = {
		{ DECLARED_RECIPE, "Recipe" },
		{ DECLARED_PRODUCT, "Product ProductGroup Offer AggregateOffer" },
		{ DECLARED_ARTICLE, "Article NewsArticle BlogPosting ReportageNewsArticle AnalysisNewsArticle "
				    "OpinionNewsArticle LiveBlogPosting ScholarlyArticle" },
		{ DECLARED_FORUM, "QAPage Question Comment DiscussionForumPosting" },
		{ DECLARED_LIST, "ItemList CollectionPage OfferCatalog SearchResultsPage" },
		{ DECLARED_SERVICE, "Service FAQPage LocalBusiness ProfessionalService SoftwareApplication" },
	};
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		size_t n;
		for (const char *name = groups[i].names; *name; name += n + (name[n] == ' ')) {
			n = strcspn(name, " ");
			if (n == len && memcmp(name, word, len) == 0)
				return groups[i].type;
		}
	}
	return 0;
}

/* Returns what the script of a tag holds: looks at each slash, as types have one. */
static enum script_kind script_kind_of(const char *head, size_t len)
{
	static const struct {
		char name[12];
		bool of_text;
		enum script_kind kind;
	} kinds[] = { { "ld+json", false, SCRIPT_DATA },
		      { "template", true, SCRIPT_TEMPLATE },
		      { "x-template", true, SCRIPT_TEMPLATE },
		      { "html", true, SCRIPT_TEMPLATE } };
	static const char text[] = "text";
	struct slice rest = slice_of(head, len);
	if (len < sizeof(script) || !slice_is(slice_of(head, sizeof(script) - 1), script))
		return SCRIPT_OTHER;
	rest = slice_skip(rest, sizeof(script) - 1);
	for (const uint8_t *at; (at = memchr(rest.data, '/', rest.len)) != NULL;) {
		bool of_text = slice_is(slice_of(at - sizeof(text) + 1, sizeof(text) - 1), text);
		rest = slice_skip(rest, (size_t)(at + 1 - rest.data));
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			size_t n = strlen(kinds[i].name);
			if (of_text == kinds[i].of_text && slice_is(slice_first(rest, n), kinds[i].name))
				return kinds[i].kind;
		}
	}
	return SCRIPT_OTHER;
}

/* Takes the bytes of a tag up to its end, or all of them; returns how many. */
static size_t take_head(struct declared *d, struct slice bytes)
{
	const uint8_t *end = memchr(bytes.data, '>', bytes.len);
	size_t n = end ? (size_t)(end - bytes.data) : bytes.len;
	if (d->len + n > DECLARED_HEAD) {
		d->state = IGNORED;
		return n;
	}
	memcpy(d->bytes + d->len, bytes.data, n);
	d->len = (uint8_t)(d->len + n);
	if (!end)
		return n;
	d->script = (uint8_t)script_kind_of(d->bytes, d->len);
	d->state = d->script == SCRIPT_DATA ? SEARCH : IGNORED;
	d->types |= d->script == SCRIPT_DATA ? DECLARED_ANY : 0;
	d->len = 0;
	return n + 1;
}

static void begin(struct declared *d, enum state state)
{
	d->state = (uint8_t)state;
	d->len = 0;
}

void declared_reset(struct declared *d)
{
	d->types = 0;
	d->state = IGNORED;
	d->script = SCRIPT_OTHER;
}

/* Takes content of JSON-LD. */
static void take_data(struct declared *d, struct slice bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		uint8_t c = bytes.data[i];
		switch (d->state) {
		case SEARCH: {
			const uint8_t *at = memchr(bytes.data + i, '@', bytes.len - i);
			if (!at)
				return;
			i = (size_t)(at - bytes.data);
			begin(d, KEY);
			break;
		}
		case KEY:
			if (c != (uint8_t)key[d->len])
				begin(d, SEARCH);
			else if (++d->len == sizeof(key) - 1) {
				begin(d, VALUE);
				d->list = false;
			}
			break;
		case VALUE:
			/* after the name, and between the names of a list */
			if (c == '"')
				begin(d, WORD);
			else if (c == '[')
				d->list = true;
			else if (!ascii_is_space(c) && c != ':' && !(c == ',' && d->list))
				begin(d, SEARCH);
			break;
		default:
			if (c == '"') {
				if (d->state == WORD)
					d->types |= (uint8_t)type_of(d->bytes, d->len);
				begin(d, d->list ? VALUE : SEARCH);
			} else if (c == '/') {
				begin(d, WORD); /* http://schema.org/Recipe */
			} else if (d->len < DECLARED_WORD) {
				d->bytes[d->len++] = (char)c;
			} else {
				d->state = WORD_LONG;
			}
			break;
		}
	}
}

struct slice declared_add(struct declared *d, struct slice bytes, bool first)
{
	if (first) {
		bool likely = true; /* most comments and end tags are told apart by two bytes */
		for (size_t i = 0; i < bytes.len && i < sizeof(script) - 1 && likely; i++)
			likely = (bytes.data[i] | 0x20) == script[i];
		begin(d, likely ? HEAD : IGNORED);
		d->script = SCRIPT_OTHER;
	}
	if (d->state == HEAD)
		bytes = slice_skip(bytes, take_head(d, bytes));
	if (d->state != IGNORED && d->state != HEAD)
		take_data(d, bytes);
	return d->script == SCRIPT_OTHER ? slice_of(bytes.data, 0) : bytes;
}

/*
 * Reads <meta> and <link>. Only the length of the address's last part and its number of digits are kept.
 *
 * Example: the path /2012/07/24/a-lamp.html has 8 digits and a last part of 11 characters, the shape of an article's
 * address; /shop/lamps/ has no digits.
 */

void page_meta_reset(struct page_meta *m)
{
	m->described = (struct word_runs){ 0 };
	declared_reset(&m->declared);
	m->og_type = OG_NONE;
	m->url_last = m->url_digits = 0;
}

/* Records the form of the address: /, /shop/lamps/, /2012/07/24/a-lamp-that-shone.html. */
static void take_address(struct page_meta *m, struct slice address)
{
	size_t i = 0;
	uint32_t last = 0, digits = 0;
	if (address.len > 8 && (address.data[4] == ':' || address.data[5] == ':'))
		for (i = 8; i < address.len && address.data[i] != '/'; i++)
			;
	for (; i < address.len && address.data[i] != '?' && address.data[i] != '#'; i++) {
		uint8_t c = address.data[i];
		if (c == '/') {
			if (i + 1 == address.len)
				break;
			last = 0;
			continue;
		}
		last++;
		digits += ascii_is_digit(c);
	}
	m->url_last = scale_log(last);
	m->url_digits = scale_cap(digits, 255);
}

void page_meta_read_link(struct page_meta *m, struct html_attr_reader *attrs)
{
	struct html_attr attr;
	struct slice href = slice_of("", 0);
	bool canonical = false;
	while (html_attr_next(attrs, &attr)) {
		if (attr.number == HTML_ATTR_NUMBER('r', 'e', 'l', 0, 0, 0, 0, 0))
			canonical = slice_is(attr.value, "canonical");
		else if (attr.number == HTML_ATTR_NUMBER('h', 'r', 'e', 'f', 0, 0, 0, 0))
			href = attr.value;
	}
	if (canonical)
		take_address(m, href);
}

int page_meta_read_meta(struct page_meta *m, struct html_attr_reader *attrs)
{
	struct html_attr attr;
	struct slice name = slice_of("", 0), content = slice_of("", 0);
	while (html_attr_next(attrs, &attr)) {
		if (attr.number == HTML_ATTR_NUMBER('n', 'a', 'm', 'e', 0, 0, 0, 0) ||
		    attr.number == HTML_ATTR_NUMBER('p', 'r', 'o', 'p', 'e', 'r', 't', 'y'))
			name = attr.value;
		else if (attr.number == HTML_ATTR_NUMBER('c', 'o', 'n', 't', 'e', 'n', 't', 0))
			content = attr.value;
	}
	if (slice_is(name, "og:type")) {
		const bool product = content.len >= 7 && slice_is(slice_of(content.data, 7), "product");
		m->og_type = slice_is(content, "article")   ? OG_ARTICLE
			     : slice_is(content, "website") ? OG_WEBSITE
			     : product                      ? OG_PRODUCT
							    : OG_OTHER;
	} else if (slice_is(name, "og:url")) {
		take_address(m, content);
	} else if (slice_is(name, "description") || slice_is(name, "og:description")) {
		buf_clear(&m->scratch);
		int status = html_entity_append(&m->scratch, content);
		if (status < 0)
			return status;
		word_runs_add(&m->described, buf_slice(&m->scratch));
	}
	return DANA_OK;
}

void held_text_reset(struct held_text *h)
{
	buf_shrink(&h->templates, HELD_ROOM);
	buf_shrink(&h->data, HELD_ROOM);
	h->last = 0;
}

void held_text_free(struct held_text *h)
{
	buf_free(&h->templates);
	buf_free(&h->data);
}

/* Returns the first place of two bytes, or NULL. */
static const uint8_t *find_two(struct slice s, const char two[static 2])
{
	for (const uint8_t *p = s.data, *end = s.data + s.len; p < end; p++) {
		p = memchr(p, two[0], (size_t)(end - p));
		if (!p || end - p < 2)
			return NULL;
		if (p[1] == (uint8_t)two[1])
			return p;
	}
	return NULL;
}

/* Drops the last template if it waits for values. */
static void check_last(struct held_text *h)
{
	struct slice last = slice_skip(buf_slice(&h->templates), h->last);
	if (last.len && (find_two(last, "{{") || find_two(last, "<%") || find_two(last, "${")))
		h->templates.len = h->last;
	h->last = h->templates.len;
}

int held_text_add(struct held_text *h, enum script_kind kind, struct slice bytes, bool first)
{
	struct buf *to = kind == SCRIPT_TEMPLATE ? &h->templates : &h->data;
	if (kind == SCRIPT_TEMPLATE && first)
		check_last(h);
	size_t room = HELD_MOST - to->len;
	return buf_append(to, bytes.data, bytes.len < room ? bytes.len : room);
}

struct slice held_text_templates(struct held_text *h)
{
	check_last(h);
	return buf_slice(&h->templates);
}

/* Returns the string that a JSON text begins with, in its quotes; empty if it begins with something else. */
static struct slice string_at(struct slice s)
{
	if (s.len == 0 || s.data[0] != '"')
		return slice_of(s.data, 0);
	for (size_t i = 1; i < s.len; i++) {
		if (s.data[i] == '\\')
			i++;
		else if (s.data[i] == '"')
			return slice_of(s.data, i + 1);
	}
	return slice_of(s.data, 0);
}

static struct slice skip_space(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_skip(s, 1);
	return s;
}

/* Appends the characters of a string as paragraphs. A string that is not valid JSON is passed over. */
static int add_body(struct json_reader *reader, struct slice string, struct buf *html)
{
	struct json_value value;
	struct error err = { 0 };
	struct buf space = { 0 };
	struct slice text;
	bool repaired = false;
	int status = json_read(reader, string, &value, &err);
	if (status == DANA_EFORMAT)
		return DANA_OK;
	if (status == DANA_OK)
		status = json_characters(value, &space, &text, &repaired);
	while (status == DANA_OK && text.len) {
		const uint8_t *end = memchr(text.data, '\n', text.len);
		size_t len = end ? (size_t)(end - text.data) : text.len;
		status = buf_append_text(html, "<p>");
		if (status == DANA_OK)
			status = buf_append(html, text.data, len);
		text = slice_skip(text, len + (end != NULL));
	}
	buf_free(&space);
	return status;
}

int held_text_bodies(const struct held_text *h, struct buf *html)
{
	static const char name[] = "\"articleBody\"";
	static const struct json_rules rules = { .depth_most = 1 };
	struct slice rest = buf_slice(&h->data);
	struct json_reader *reader = json_reader_new(&rules);
	int status = reader ? DANA_OK : DANA_ENOMEM;
	while (status == DANA_OK) {
		const uint8_t *at = memchr(rest.data, '"', rest.len);
		if (!at)
			break;
		rest = slice_skip(rest, (size_t)(at - rest.data));
		struct slice string = string_at(rest);
		if (string.len == 0)
			break;
		rest = slice_skip(rest, string.len);
		struct slice value = skip_space(rest);
		if (!slice_is(string, name) || value.len == 0 || value.data[0] != ':')
			continue;
		string = string_at(skip_space(slice_skip(value, 1)));
		if (string.len) {
			rest = slice_skip(rest, (size_t)(string.data + string.len - rest.data));
			status = add_body(reader, string, html);
		}
	}
	json_reader_free(reader);
	return status;
}
