/* SPDX-License-Identifier: MIT */
/*
 * memchr() finds each '<', and the letter after it tells whether the tag can matter: html, meta, link, time, script, h1, a. All
 * others cost only that look. Comments, scripts and styles are passed over as a whole.
 */
#include "config.h"

#include "plugins/metadata/scan.h"

#include <string.h>

#include "base/ascii.h"
#include "html/attribute.h"
#include "plugins/metadata/dates.h"
#include "plugins/metadata/json_ld.h"
#include "plugins/metadata/links.h"

enum { LINE_MOST = 120, ATTRS_MOST = 24 };

struct scan {
	struct facts *facts;
	struct links *links;
	const uint8_t *end;
	const uint8_t *heading; /* the first h1; NULL: none yet */
};

/** A start tag: its attributes by name. */
struct tag {
	struct slice source; /* from '<' to '>' */
	struct html_attr attrs[ATTRS_MOST];
	size_t n;
};

/** The facts that meta elements tell, by name, property or itemprop. */
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
	ROW("og:site_name", FACT_SITE, FROM_OPEN_GRAPH),
	ROW("application-name", FACT_SITE, FROM_META),
	ROW("og:url", FACT_CANONICAL, FROM_META),
	ROW("og:locale", FACT_LANGUAGE, FROM_META),
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

/** The '>' that ends the tag at `at`, outside of quotes; NULL: the page ends before. */
static const uint8_t *tag_end(const uint8_t *at, const uint8_t *end)
{
	uint8_t quote = 0;

	for (; at < end; at++) {
		if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '>')
			return at;
		else if ((*at == '"' || *at == '\'') && at[-1] == '=')
			quote = *at;
	}
	return NULL;
}

static inline bool tag_is(const uint8_t *at, const uint8_t *end, const char *name)
{
	size_t n = strlen(name);

	if ((size_t)(end - at) < n + 2)
		return false;
	return slice_equal_nocase(slice_of(at + 1, n), slice_of(name, n)) && !ascii_is_alpha(at[n + 1]) &&
	       !ascii_is_digit(at[n + 1]) && at[n + 1] != '-';
}

/** Reads the attributes; returns the byte after the tag, NULL: the page ends inside. */
static const uint8_t *read_tag(const struct scan *s, const uint8_t *at, size_t name, struct tag *tag)
{
	const uint8_t *close = tag_end(at + 1 + name, s->end);

	tag->n = 0;
	if (!close)
		return NULL;
	tag->source = slice_of(at, (size_t)(close + 1 - at));
	const struct html_tag_event event = { .name = slice_of(at + 1, name),
					      .source = slice_first(tag->source, HTML_TAG_BYTES) };
	struct html_attr_reader reader = html_attr_begin(&event);
	while (tag->n < ATTRS_MOST && html_attr_next(&reader, &tag->attrs[tag->n]))
		tag->n++;
	return close + 1;
}

static struct slice attr(const struct tag *tag, const char *name)
{
	for (size_t i = 0; i < tag->n; i++)
		if (slice_is(tag->attrs[i].name, name))
			return tag->attrs[i].value;
	return slice_of(NULL, 0);
}

static void offer_meta(struct scan *s, struct slice name, struct slice content)
{
	for (size_t i = 0; name.len && i < sizeof(meta_rows) / sizeof(meta_rows[0]); i++) {
		if (name.len != meta_rows[i].len || !slice_is(name, meta_rows[i].name))
			continue;
		/* article:author is often the address of a page about the author. */
		if (meta_rows[i].fact != FACT_AUTHOR || content.len < 4 || memcmp(content.data, "http", 4) != 0)
			fact_offer(s->facts, meta_rows[i].fact, meta_rows[i].from, content, true);
		return;
	}
}

static void offer_itemprop(struct scan *s, const struct tag *tag, const uint8_t *text)
{
	struct slice name = attr(tag, "itemprop"), value = attr(tag, "content");
	const uint8_t *close = value.len ? NULL : memchr(text, '<', (size_t)(s->end - text));

	if (!name.len)
		return;
	if (!value.len)
		value = attr(tag, "datetime");
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
	struct slice content = attr(tag, "content");

	offer_meta(s, attr(tag, "property"), content);
	offer_meta(s, attr(tag, "name"), content);
	offer_meta(s, attr(tag, "http-equiv"), content);
	offer_itemprop(s, tag, after);
}

static void link_tag(struct scan *s, const struct tag *tag)
{
	if (slice_is(attr(tag, "rel"), "canonical"))
		fact_offer(s->facts, FACT_CANONICAL, FROM_JSON_LD, attr(tag, "href"), true);
}

static void time_tag(struct scan *s, const struct tag *tag, const uint8_t *after)
{
	struct slice when = attr(tag, "datetime");
	const uint8_t *close = memchr(after, '<', (size_t)(s->end - after));

	offer_itemprop(s, tag, after);
	if (!when.len && close)
		when = slice_of(after, (size_t)(close - after));
	/* Times before the heading are those of other pages, as a list of news has them, or of today. */
	if (s->heading || !fact_wanted(s->facts, FACT_PUBLISHED, FROM_URL))
		fact_offer(s->facts, FACT_PUBLISHED, FROM_TIME, when, true);
}

/** Looks for a short line with a date after the heading. */
static void read_near_heading(struct scan *s, struct slice near)
{
	const uint8_t *at = near.data, *end = near.data + near.len;

	while (at < end && fact_wanted(s->facts, FACT_PUBLISHED, FROM_TEXT)) {
		const uint8_t *open = memchr(at, '<', (size_t)(end - at));
		size_t len = (size_t)((open ? open : end) - at);
		if (len >= 8 && len <= LINE_MOST)
			fact_offer(s->facts, FACT_PUBLISHED, FROM_TEXT, slice_of(at, len), true);
		const uint8_t *close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
		if (!close)
			return;
		at = close + 1;
	}
}

/** The end of a script or style, NULL: the page ends before. */
static const uint8_t *raw_end(const uint8_t *at, const uint8_t *end, const char *name)
{
	while ((at = memchr(at, '<', (size_t)(end - at)))) {
		if (at + 1 < end && at[1] == '/' && tag_is(at + 1, end, name))
			return at;
		at++;
	}
	return NULL;
}

static const uint8_t *script_tag(struct scan *s, const uint8_t *at)
{
	struct tag tag;
	const uint8_t *after = read_tag(s, at, strlen("script"), &tag);
	const uint8_t *close = after ? raw_end(after, s->end, "script") : NULL;

	if (close && slice_is(attr(&tag, "type"), "application/ld+json"))
		json_ld_read(slice_of(after, (size_t)(close - after)), s->facts);
	return close;
}

static const uint8_t *comment(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *close = (size_t)(end - at) > 4 ? memmem(at + 4, (size_t)(end - at) - 4, "-->", 3) : NULL;

	return close ? close + 3 : NULL;
}

/** Looks at the tag at `at`; returns where to go on, NULL: at the end of the page. */
static const uint8_t *look_at(struct scan *s, const uint8_t *at)
{
	struct tag tag;
	const uint8_t *after;

	switch (at[1] | 0x20) {
	case '!' | 0x20:
		return s->end - at > 4 && at[2] == '-' && at[3] == '-' ? comment(at, s->end) : at + 1;
	case 'm':
		if (tag_is(at, s->end, "meta") && (after = read_tag(s, at, strlen("meta"), &tag)))
			meta_tag(s, &tag, after);
		break;
	case 'l':
		if (tag_is(at, s->end, "link") && read_tag(s, at, strlen("link"), &tag))
			link_tag(s, &tag);
		break;
	case 't':
		if (tag_is(at, s->end, "time") && (after = read_tag(s, at, strlen("time"), &tag)))
			time_tag(s, &tag, after);
		break;
	case 'h':
		if (tag_is(at, s->end, "html") && read_tag(s, at, strlen("html"), &tag))
			fact_offer(s->facts, FACT_LANGUAGE, FROM_OPEN_GRAPH, attr(&tag, "lang"), true);
		else if (!s->heading && tag_is(at, s->end, "h1"))
			s->heading = at;
		break;
	case 'a':
		if (s->links && tag_is(at, s->end, "a") && (after = read_tag(s, at, strlen("a"), &tag)))
			links_add(s->links, attr(&tag, "href"), attr(&tag, "rel"),
				  slice_of(after, (size_t)(s->end - after)));
		break;
	case 's':
		if (tag_is(at, s->end, "script"))
			return script_tag(s, at);
		if (tag_is(at, s->end, "style"))
			return raw_end(at + 1, s->end, "style");
		break;
	default:
		break;
	}
	return at + 1;
}

void scan_page(struct slice html, struct slice near, struct facts *facts, struct links *links)
{
	struct scan s = { .facts = facts, .links = links, .end = html.data + html.len };

	for (const uint8_t *at = html.data; at && (at = memchr(at, '<', (size_t)(s.end - at))) && at + 2 < s.end;)
		at = look_at(&s, at);
	if (s.heading && !near.len)
		near = slice_first(slice_of(s.heading, (size_t)(s.end - s.heading)), NEAR_HEADING);
	if (s.heading)
		read_near_heading(&s, near);
}
