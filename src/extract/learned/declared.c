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

/* True for the tag of a script with JSON-LD. */
static bool holds_data(const char *head, size_t len)
{
	static const char script[] = "<script", data[] = "ld+json";
	struct slice rest = slice_of(head, len);
	if (len < sizeof(script) || !slice_is(slice_of(head, sizeof(script) - 1), script))
		return false;
	for (; rest.len >= sizeof(data) - 1; rest = slice_skip(rest, 1)) {
		if (slice_is(slice_of(rest.data, sizeof(data) - 1), data))
			return true;
	}
	return false;
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
	bool data = holds_data(d->bytes, d->len);
	d->state = data ? SEARCH : IGNORED;
	d->types |= data ? DECLARED_ANY : 0;
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
}

void declared_add(struct declared *d, struct slice bytes, bool first)
{
	if (first)
		begin(d, HEAD);
	if (d->state == HEAD)
		bytes = slice_skip(bytes, take_head(d, bytes));
	for (size_t i = 0; i < bytes.len && d->state != IGNORED; i++) {
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
