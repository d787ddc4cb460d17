/* SPDX-License-Identifier: MIT */
#include "extract/learned/declared.h"

#include <string.h>

#include "base/ascii.h"

enum state {
	IGNORED,              /* until the next tag or comment */
	HEAD,                 /* in the tag of a script, or in something else that is not shown */
	SEARCH,               /* in JSON-LD: for '@' */
	KEY,                  /* after '@': `len` bytes of the rest of the name are found */
	VALUE,                /* after the name: for the first quote */
	WORD,                 /* in a type's name */
	WORD_LONG = WORD + 1, /* the same, and it is longer than any known one */
};

static const char key[] = "type\"";

/* Names of types, each with its group. Of others only their number matters. */
static unsigned type_of(const char *word, size_t len)
{
	static const struct {
		char name[24];
		uint8_t type;
	} types[] = { { "Recipe", DECLARED_RECIPE },
		      { "Product", DECLARED_PRODUCT },
		      { "ProductGroup", DECLARED_PRODUCT },
		      { "Offer", DECLARED_PRODUCT },
		      { "AggregateOffer", DECLARED_PRODUCT },
		      { "Article", DECLARED_ARTICLE },
		      { "NewsArticle", DECLARED_ARTICLE },
		      { "BlogPosting", DECLARED_ARTICLE },
		      { "ReportageNewsArticle", DECLARED_ARTICLE },
		      { "AnalysisNewsArticle", DECLARED_ARTICLE },
		      { "OpinionNewsArticle", DECLARED_ARTICLE },
		      { "LiveBlogPosting", DECLARED_ARTICLE },
		      { "ScholarlyArticle", DECLARED_ARTICLE },
		      { "QAPage", DECLARED_FORUM },
		      { "Question", DECLARED_FORUM },
		      { "Comment", DECLARED_FORUM },
		      { "DiscussionForumPosting", DECLARED_FORUM },
		      { "ItemList", DECLARED_LIST },
		      { "CollectionPage", DECLARED_LIST },
		      { "OfferCatalog", DECLARED_LIST },
		      { "SearchResultsPage", DECLARED_LIST },
		      { "Service", DECLARED_SERVICE },
		      { "FAQPage", DECLARED_SERVICE },
		      { "LocalBusiness", DECLARED_SERVICE },
		      { "ProfessionalService", DECLARED_SERVICE },
		      { "SoftwareApplication", DECLARED_SERVICE } };
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strlen(types[i].name) == len && memcmp(types[i].name, word, len) == 0)
			return types[i].type;
	}
	return 0;
}

/* Returns what a script of this type holds; `type` begins after the slash. */
static enum script_kind script_kind_of_type(struct slice type, bool of_text)
{
	static const struct {
		char name[12];
		bool of_text;
		enum script_kind kind;
	} kinds[] = { { "ld+json", false, SCRIPT_DATA },
		      { "template", true, SCRIPT_TEMPLATE },
		      { "x-template", true, SCRIPT_TEMPLATE },
		      { "html", true, SCRIPT_TEMPLATE } };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t n = strlen(kinds[i].name);
		if (of_text == kinds[i].of_text && type.len >= n && slice_is(slice_of(type.data, n), kinds[i].name))
			return kinds[i].kind;
	}
	return SCRIPT_OTHER;
}

/* Returns what the script of a tag holds: looks at each slash, as types have one. */
static enum script_kind script_kind_of(const char *head, size_t len)
{
	static const char script[] = "<script", text[] = "text";
	struct slice rest = slice_of(head, len);
	if (len < sizeof(script) || !slice_is(slice_of(head, sizeof(script) - 1), script))
		return SCRIPT_OTHER;
	rest = slice_skip(rest, sizeof(script) - 1);
	for (const uint8_t *at; (at = memchr(rest.data, '/', rest.len)) != NULL;) {
		bool of_text = slice_is(slice_of(at - sizeof(text) + 1, sizeof(text) - 1), text);
		rest = slice_skip(rest, (size_t)(at + 1 - rest.data));
		enum script_kind kind = script_kind_of_type(rest, of_text);
		if (kind != SCRIPT_OTHER)
			return kind;
	}
	return SCRIPT_OTHER;
}

/* Returns whether bytes may begin the tag of a script: most comments and end tags are told apart by two bytes. */
static bool may_be_script(struct slice bytes)
{
	static const char script[] = "<script";
	for (size_t i = 0; i < bytes.len && i < sizeof(script) - 1; i++) {
		if ((bytes.data[i] | 0x20) != script[i])
			return false;
	}
	return true;
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

static void take_key(struct declared *d, uint8_t c)
{
	if (c != (uint8_t)key[d->len])
		begin(d, SEARCH);
	else if (++d->len == sizeof(key) - 1) {
		begin(d, VALUE);
		d->list = false;
	}
}

/* After the name, and between the names of a list. */
static void take_value(struct declared *d, uint8_t c)
{
	if (c == '"')
		begin(d, WORD);
	else if (c == '[')
		d->list = true;
	else if (!ascii_is_space(c) && c != ':' && !(c == ',' && d->list))
		begin(d, SEARCH);
}

static void take_word(struct declared *d, uint8_t c)
{
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
			take_key(d, c);
			break;
		case VALUE:
			take_value(d, c);
			break;
		default:
			take_word(d, c);
			break;
		}
	}
}

struct slice declared_add(struct declared *d, struct slice bytes, bool first)
{
	if (first) {
		begin(d, may_be_script(bytes) ? HEAD : IGNORED);
		d->script = SCRIPT_OTHER;
	}
	if (d->state == HEAD)
		bytes = slice_skip(bytes, take_head(d, bytes));
	if (d->state != IGNORED && d->state != HEAD)
		take_data(d, bytes);
	return d->script == SCRIPT_OTHER ? slice_of(bytes.data, 0) : bytes;
}
