/* SPDX-License-Identifier: MIT */
/* memchr() finds each '<'; the letter after it excludes most tags but html, meta, link, time, script and h1. */
#include "config.h"

#include "plugins/metadata/scan.h"

#include <string.h>

#include "base/ascii.h"
#include "plugins/metadata/tags.h"

struct scan {
	struct facts *facts;
	struct json_ld *json;
	const uint8_t *end;
	bool heading; /* an h1 has been seen */
};

/** The facts in meta elements, by name, property or itemprop. */
#define ROW(name, fact, from) \
	{ \
		name, sizeof(name) - 1, fact, from \
	}
static const struct {
	const char *name;
	size_t len;
	enum fact fact;
	enum origin from;
} meta_rows[] = {
	ROW("article:published_time", FACT_PUBLISHED, FROM_OPEN_GRAPH),
	ROW("og:article:published_time", FACT_PUBLISHED, FROM_OPEN_GRAPH),
	ROW("og:published_time", FACT_PUBLISHED, FROM_OPEN_GRAPH),
	ROW("datepublished", FACT_PUBLISHED, FROM_META),
	ROW("pubdate", FACT_PUBLISHED, FROM_META),
	ROW("publishdate", FACT_PUBLISHED, FROM_META),
	ROW("publish-date", FACT_PUBLISHED, FROM_META),
	ROW("publish_date", FACT_PUBLISHED, FROM_META),
	ROW("published-date", FACT_PUBLISHED, FROM_META),
	ROW("parsely-pub-date", FACT_PUBLISHED, FROM_META),
	ROW("sailthru.date", FACT_PUBLISHED, FROM_META),
	ROW("citation_publication_date", FACT_PUBLISHED, FROM_META),
	ROW("citation_date", FACT_PUBLISHED, FROM_META),
	ROW("dc.date.issued", FACT_PUBLISHED, FROM_META),
	ROW("dc.date", FACT_PUBLISHED, FROM_META),
	ROW("dcterms.created", FACT_PUBLISHED, FROM_META),
	ROW("dcterms.issued", FACT_PUBLISHED, FROM_META),
	ROW("dcterms.date", FACT_PUBLISHED, FROM_META),
	ROW("date", FACT_PUBLISHED, FROM_META),
	ROW("article:modified_time", FACT_MODIFIED, FROM_OPEN_GRAPH),
	ROW("og:updated_time", FACT_MODIFIED, FROM_OPEN_GRAPH),
	ROW("datemodified", FACT_MODIFIED, FROM_META),
	ROW("last-modified", FACT_MODIFIED, FROM_META),
	ROW("lastmod", FACT_MODIFIED, FROM_META),
	ROW("dcterms.modified", FACT_MODIFIED, FROM_META),
	ROW("dc.date.modified", FACT_MODIFIED, FROM_META),
	ROW("article:author", FACT_AUTHOR, FROM_OPEN_GRAPH),
	ROW("author", FACT_AUTHOR, FROM_META),
	ROW("dc.creator", FACT_AUTHOR, FROM_META),
	ROW("dcterms.creator", FACT_AUTHOR, FROM_META),
	ROW("citation_author", FACT_AUTHOR, FROM_META),
	ROW("sailthru.author", FACT_AUTHOR, FROM_META),
	ROW("parsely-author", FACT_AUTHOR, FROM_META),
	ROW("cxenseparse:author", FACT_AUTHOR, FROM_META),
	ROW("og:site_name", FACT_SITE, FROM_OPEN_GRAPH),
	ROW("application-name", FACT_SITE, FROM_META),
	ROW("og:url", FACT_CANONICAL, FROM_OPEN_GRAPH),
	ROW("og:locale", FACT_LANGUAGE, FROM_OPEN_GRAPH),
	ROW("content-language", FACT_LANGUAGE, FROM_META),
	ROW("og:description", FACT_DESCRIPTION, FROM_OPEN_GRAPH),
	ROW("description", FACT_DESCRIPTION, FROM_META),
	ROW("dc.description", FACT_DESCRIPTION, FROM_META),
	ROW("keywords", FACT_KEYWORDS, FROM_META),
	ROW("news_keywords", FACT_KEYWORDS, FROM_META),
	ROW("og:image", FACT_IMAGE, FROM_OPEN_GRAPH),
	ROW("twitter:image", FACT_IMAGE, FROM_META),
};
#undef ROW

static void offer_meta(struct scan *s, struct slice name, struct slice content)
{
	for (size_t i = 0; name.len && i < sizeof(meta_rows) / sizeof(meta_rows[0]); i++) {
		if (name.len != meta_rows[i].len || !slice_is(name, meta_rows[i].name))
			continue;
		fact_offer(s->facts, meta_rows[i].fact, meta_rows[i].from, content, true);
		return;
	}
}

static void offer_itemprop(struct scan *s, const struct tag *tag, const uint8_t *text)
{
	struct slice name = tag_attr(tag, "itemprop"), value = tag_attr(tag, "content");
	const uint8_t *close = value.len ? NULL : memchr(text, '<', (size_t)(s->end - text));

	if (!name.len)
		return;
	if (!value.len)
		value = tag_attr(tag, "datetime");
	if (!value.len && close)
		value = slice_of(text, (size_t)(close - text));
	if (slice_is(name, "datepublished"))
		fact_offer(s->facts, FACT_PUBLISHED, FROM_MICRODATA, value, true);
	else if (slice_is(name, "datemodified"))
		fact_offer(s->facts, FACT_MODIFIED, FROM_MICRODATA, value, true);
	else if (slice_is(name, "author"))
		fact_offer(s->facts, FACT_AUTHOR, FROM_MICRODATA, value, true);
}

static void meta_tag(struct scan *s, const struct tag *tag, const uint8_t *after)
{
	struct slice content = tag_attr(tag, "content");

	offer_meta(s, tag_attr(tag, "property"), content);
	offer_meta(s, tag_attr(tag, "name"), content);
	offer_meta(s, tag_attr(tag, "http-equiv"), content);
	offer_itemprop(s, tag, after);
}

static void link_tag(struct scan *s, const struct tag *tag)
{
	if (slice_is(tag_attr(tag, "rel"), "canonical"))
		fact_offer(s->facts, FACT_CANONICAL, FROM_LINK, tag_attr(tag, "href"), true);
}

static void time_tag(struct scan *s, const struct tag *tag, const uint8_t *after)
{
	struct slice when = tag_attr(tag, "datetime");
	const uint8_t *close = memchr(after, '<', (size_t)(s->end - after));

	offer_itemprop(s, tag, after);
	if (!when.len && close)
		when = slice_of(after, (size_t)(close - after));
	/* Times before the heading belong to other pages, as in a list of news, or are today's. */
	if (s->heading || !fact_wanted(s->facts, FACT_PUBLISHED, FROM_URL))
		fact_offer(s->facts, FACT_PUBLISHED, FROM_TIME, when, true);
}

static const uint8_t *script_tag(struct scan *s, const uint8_t *at)
{
	struct tag tag;
	const uint8_t *after = tag_read(at, s->end, strlen("script"), &tag);
	const uint8_t *close = after ? tag_raw_end(after, s->end, "script") : NULL;

	if (close && slice_is(tag_attr(&tag, "type"), "application/ld+json"))
		json_ld_read(s->json, slice_of(after, (size_t)(close - after)), s->facts);
	return close;
}

/** Reads the tag at `at`. Returns where to continue; NULL at the end of the page. */
static const uint8_t *look_at(struct scan *s, const uint8_t *at)
{
	struct tag tag;
	const uint8_t *after = NULL;

	switch (at[1] | 0x20) {
	case 'm':
		if (tag_is(at, s->end, "meta") && (after = tag_read(at, s->end, strlen("meta"), &tag)))
			meta_tag(s, &tag, after);
		break;
	case 'l':
		if (tag_is(at, s->end, "link") && (after = tag_read(at, s->end, strlen("link"), &tag)))
			link_tag(s, &tag);
		break;
	case 't':
		if (tag_is(at, s->end, "time") && (after = tag_read(at, s->end, strlen("time"), &tag)))
			time_tag(s, &tag, after);
		break;
	case 'h':
		if (tag_is(at, s->end, "html") && (after = tag_read(at, s->end, strlen("html"), &tag)))
			fact_offer(s->facts, FACT_LANGUAGE, FROM_HTML, tag_attr(&tag, "lang"), true);
		else if (tag_is(at, s->end, "h1"))
			s->heading = true;
		break;
	case 's':
		if (tag_is(at, s->end, "script"))
			return script_tag(s, at);
		break;
	default:
		break;
	}
	return after ? after : at + 1;
}

void scan_tags(struct slice kept, struct json_ld *json, struct facts *facts)
{
	struct scan s = { .facts = facts, .json = json, .end = kept.data + kept.len };

	for (const uint8_t *at = kept.data; at && (at = memchr(at, '<', (size_t)(s.end - at))) && at + 2 < s.end;)
		at = look_at(&s, at);
}
