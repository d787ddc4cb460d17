/* SPDX-License-Identifier: MIT */
/*
 * What a page declares about itself outside its visible text: types in JSON-LD, and what <meta> and <link> have; and
 * text that is held back until the end of the page because it may be needed: templates, and articleBody of JSON-LD.
 * Example: {"@type": "Recipe"} makes the page a recipe, as a hint for the features.
 */
#include <stdlib.h>
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

/*
 * Returns whether a <meta> has the page's description: by its name, or, until a description is found, by what few
 * pages have alone; `other`: itemprop or http-equiv.
 */
static bool is_description(const struct page_meta *m, struct slice name, struct slice other)
{
	return slice_is(name, "description") || slice_is(name, "og:description") ||
	       (m->described.n == 0 && slice_is(other, "description"));
}

int page_meta_read_meta(struct page_meta *m, struct html_attr_reader *attrs)
{
	struct html_attr attr;
	struct slice name = slice_of("", 0), other = name, content = name;
	while (html_attr_next(attrs, &attr)) {
		if (attr.number == HTML_ATTR_NUMBER('n', 'a', 'm', 'e', 0, 0, 0, 0) ||
		    attr.number == HTML_ATTR_NUMBER('p', 'r', 'o', 'p', 'e', 'r', 't', 'y'))
			name = attr.value;
		else if (attr.number == HTML_ATTR_NUMBER('i', 't', 'e', 'm', 'p', 'r', 'o', 'p') ||
			 slice_is(attr.name, "http-equiv"))
			other = attr.value;
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
	} else if (is_description(m, name, other)) {
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

/*
 * What the page has of a body already, shown or in templates, is left out of it, so that no text is there twice. The
 * page's words and their runs of three are in a set of bits. A sentence of a body is on the page if two thirds of its
 * runs are; a shorter one if its words are and the sentence before it is. Of a body hardly anything of which is new
 * nothing is left.
 *
 * Example: the page has "The old lamp" and "It was lit at dusk." as two links. Of the body "At dusk it was lit. Nobody
 * knew why." the first sentence has the runs "at dusk it", "dusk it was", "it was lit", one of which is on the page.
 */

/* TAG_MOST: a longer tag is text, so that tags that do not end cost no more than their length. */
enum { SET_LEAST = 1 << 10, WORDS_RUN = 3, TAG_MOST = 1 << 10 };

struct page_words {
	uint64_t *bits;
	unsigned shift; /* of a hash to its bit */
	uint32_t before[WORDS_RUN - 1];
	struct buf text; /* decoded */
};

static uint64_t *bit_of(const struct page_words *w, uint64_t hash, uint64_t *bit)
{
	const uint64_t at = (hash ^ hash >> 29) * 0xD6E8FEB86659FD93U >> w->shift;
	*bit = (uint64_t)1 << at % 64;
	return &w->bits[at / 64];
}

/* Of the next word, and of the run that ends with it. */
struct known_word {
	bool word, run;
};

/* Takes the next word of the text; `add`: it becomes known. Returns false at the end. */
static bool known_next(struct page_words *w, struct slice *rest, bool add, struct known_word *known)
{
	const uint64_t factor = 0x9E3779B97F4A7C15U;
	uint32_t hash;
	uint64_t bit;
	if (!words_next(rest, &hash))
		return false;
	uint64_t *word = bit_of(w, (hash + 1) * factor, &bit);
	known->word = *word & bit;
	*word |= add ? bit : 0;
	uint64_t *run = bit_of(w, ((w->before[0] * factor ^ w->before[1]) * factor ^ hash) * factor, &bit);
	known->run = *run & bit;
	*run |= add ? bit : 0;
	w->before[0] = w->before[1];
	w->before[1] = hash;
	return true;
}

static void words_add(struct page_words *w, struct slice text)
{
	struct known_word known;
	while (known_next(w, &text, true, &known))
		;
}

/* `more`: bytes of text that will be added; `reserve`: the reserve counts as well. */
static int page_words_init(struct page_words *w, const struct blocks *b, size_t more, bool reserve)
{
	uint64_t size = SET_LEAST;
	int status = DANA_OK;
	*w = (struct page_words){ .shift = 64 - 10 };
	for (; size < ((uint64_t)b->text.len + more) * 8; size *= 2)
		w->shift--;
	w->bits = calloc(size / 64, sizeof(*w->bits));
	if (!w->bits)
		return DANA_ENOMEM;
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		if (b->block[i].reserve && !reserve)
			continue;
		buf_clear(&w->text);
		status = html_entity_append(&w->text, block_text(b, &b->block[i]));
		words_add(w, buf_slice(&w->text));
	}
	return status;
}

static void page_words_free(struct page_words *w)
{
	free(w->bits);
	buf_free(&w->text);
}

/* Returns the length of the tag that a text begins with, or 0. *splits: it divides text. */
static size_t tag_at(struct slice text, bool *splits)
{
	text = slice_first(text, TAG_MOST);
	const uint8_t *end = text.data[0] == '<' && text.len > 1 ? memchr(text.data, '>', text.len) : NULL;
	const size_t slash = end && text.data[1] == '/';
	size_t len = 0;
	if (!end || !ascii_is_alpha(text.data[1 + slash]))
		return 0;
	const struct slice name = slice_skip(text, 1 + slash);
	while (len < name.len && !html_ends_name(name.data[len]))
		len++;
	*splits = html_tag_is(html_tag_find(slice_first(name, len)), TAG_SPLITS);
	return (size_t)(end + 1 - text.data);
}

/* Returns the length of the first sentence of a text, up to a stop, a line's end, or a tag that divides text. */
static size_t sentence_length(struct slice text)
{
	static const char *const stops[] = { "\u3002", "\uFF01", "\uFF1F" };
	bool splits = false;
	for (size_t i = 0, len; i < text.len; i += len) {
		const struct slice rest = slice_skip(text, i);
		const uint8_t c = rest.data[0];
		const bool last = rest.len == 1 || ascii_is_space(rest.data[1]);
		len = c == '<' ? tag_at(rest, &splits) : 0;
		if (len && splits)
			return i + len;
		len += len == 0;
		if (c == '\n' || ((c == '.' || c == '!' || c == '?') && last))
			return i + 1;
		for (size_t k = 0; c >= 0x80 && k < sizeof(stops) / sizeof(stops[0]); k++) {
			if (slice_is(slice_first(rest, 3), stops[k]))
				return i + 3;
		}
	}
	return text.len;
}

/* Words of a body: all, those that the page has, and those in sentences that it has. */
struct body_words {
	uint32_t all, known, shown;
};

/* Returns whether a sentence is on the page; `before`: the one before it is. Its tags are no words. */
static bool is_shown(struct page_words *w, struct slice sentence, bool before, struct body_words *sum)
{
	uint32_t words = 0, known = 0, runs = 0;
	bool splits;
	while (sentence.len) {
		const size_t tag = tag_at(sentence, &splits);
		const uint8_t *next = tag ? NULL : memchr(sentence.data + 1, '<', sentence.len - 1);
		const size_t len = tag ? tag : next ? (size_t)(next - sentence.data) : sentence.len;
		struct slice text = slice_first(sentence, tag ? 0 : len);
		struct known_word is;
		sentence = slice_skip(sentence, len);
		while (known_next(w, &text, false, &is)) {
			known += is.word;
			runs += ++words >= WORDS_RUN && is.run;
		}
	}
	const uint32_t all = words < WORDS_RUN ? 0 : words - WORDS_RUN + 1;
	const bool shown = all ? 3 * (uint64_t)runs >= 2 * (uint64_t)all : before && known == words;
	sum->all += words;
	sum->known += known;
	sum->shown += shown ? words : 0;
	return shown;
}

/* Appends what is new of a text as paragraphs. */
static int add_new(struct page_words *w, struct slice text, struct buf *html, size_t *shown)
{
	const size_t start = html->len;
	struct body_words words = { 0 };
	bool left_out = false, splits;
	int status = buf_append_text(html, "<p>");
	for (struct slice rest = text; rest.len && status == DANA_OK;) {
		struct slice sentence = slice_first(rest, sentence_length(rest));
		const bool line_ends = sentence.data[sentence.len - 1] == '\n';
		rest = slice_skip(rest, sentence.len);
		left_out = is_shown(w, sentence, left_out, &words);
		*shown += left_out ? sentence.len : 0;
		while (sentence.len && status == DANA_OK) {
			const size_t tag = tag_at(sentence, &splits), len = tag ? tag : 1;
			if (tag || !left_out)
				status = buf_append(html, sentence.data, len);
			sentence = slice_skip(sentence, len);
		}
		status = line_ends && status == DANA_OK ? buf_append_text(html, "<p>") : status;
	}
	if (20 * (uint64_t)words.known >= 19 * (uint64_t)words.all ||
	    10 * (uint64_t)words.shown >= 9 * (uint64_t)words.all)
		html->len = start;
	words_add(w, text);
	return status;
}

/* Appends what is new of the characters of a string. A string that is not valid JSON is passed over. */
static int add_body(struct json_reader *reader, struct page_words *w, struct slice string, struct buf *html,
		    size_t *shown)
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
	buf_clear(&w->text);
	if (status == DANA_OK)
		status = html_entity_append(&w->text, text);
	if (status == DANA_OK)
		status = add_new(w, buf_slice(&w->text), html, shown);
	buf_free(&space);
	return status;
}

int held_text_bodies(const struct held_text *h, const struct blocks *b, struct buf *html, size_t *shown)
{
	static const char name[] = "\"articleBody\"";
	static const struct json_rules rules = { .depth_most = 1 };
	struct page_words words = { 0 };
	struct slice rest = buf_slice(&h->data);
	struct json_reader *reader = json_reader_new(&rules);
	int status = reader ? page_words_init(&words, b, rest.len, true) : DANA_ENOMEM;
	*shown = 0;
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
			status = add_body(reader, &words, string, html, shown);
		}
	}
	json_reader_free(reader);
	page_words_free(&words);
	return status;
}

int blocks_drop_shown(struct blocks *b)
{
	struct page_words words;
	struct body_words sum = { 0 };
	uint32_t kept = 0;
	bool left_out = false;
	int status = page_words_init(&words, b, 0, false);
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		const struct block *block = &b->block[i];
		buf_clear(&words.text);
		if (block->reserve)
			status = html_entity_append(&words.text, block_text(b, block));
		left_out = block->reserve && is_shown(&words, buf_slice(&words.text), left_out, &sum);
		if (!left_out)
			b->block[kept++] = *block;
	}
	if (status == DANA_OK)
		b->n_blocks = kept;
	page_words_free(&words);
	return status;
}
