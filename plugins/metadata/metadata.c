/* SPDX-License-Identifier: MIT */
/*
 * metadata: what a page states about itself (dates, author, site, canonical address, language, description, keywords,
 * image, links), each fact with its source.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/url_parts.h"
#include "dana/dana_plugin.h"
#include "plugins/metadata/scan.h"
#include "plugins/metadata/sieve.h"
#include "plugins/metadata/values.h"

enum { KEPT = 1 << 20 };

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

struct metadata {
	bool with_links;
	struct facts facts;
	struct links links;
	struct buf address;
	struct sieve sieve;
	struct json_ld json;
	struct buf whole; /* the page, with links */
};

static const struct dana_option options[] = {
	{ "links", DANA_BOOLEAN, NULL, "0", "also list the links of the page: URL, text, rel", 0, 0 },
	{ 0 },
};

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	*shared = c;
	return 0;
}

static int open_worker(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	struct metadata *m = calloc(1, sizeof(*m));
	(void)shared;
	if (!m)
		return h->fail(c, "out of memory");
	m->with_links = h->option_boolean(c, "links");
	*instance = m;
	return 0;
}

/** Returns the number of digits, at most `most`, that a text begins with. */
static size_t digits_of(struct slice text, size_t most)
{
	size_t n = 0;
	while (n < most && n < text.len && ascii_is_digit(text.data[n]))
		n++;
	return n;
}

/** Returns whether this is the English name of a month, or its first three letters. */
static bool is_month(struct slice word)
{
	static const char *const months[] = { "january", "february", "march",     "april",   "may",      "june",
					      "july",    "august",   "september", "october", "november", "december" };
	for (size_t i = 0; i < sizeof(months) / sizeof(months[0]); i++) {
		const struct slice month = slice_from_text(months[i]);
		if (slice_equal_nocase(word, month) || slice_equal_nocase(word, slice_first(month, 3)))
			return true;
	}
	return false;
}

/**
 * Reads the date that a path begins with: 2024/05/31, 2024-05-31, 2024_05/31, 20240531, 2024/may/31; 2024/5/3 if it is
 * the end of a part. Returns whether there is one.
 */
static bool path_date(struct slice path, char day[DATE_BYTES])
{
	enum { YEAR = 4 };
	static const char ends[] = "/-_";
	if (date_form(path, "00000000") && digits_of(path, 9) == 8) {
		(void)snprintf(day, DATE_BYTES, "%.4s-%.2s-%.2s", (const char *)path.data, (const char *)path.data + 4,
			       (const char *)path.data + 6);
		return true;
	}
	struct slice rest = slice_skip(path, YEAR + 1);
	if (digits_of(path, YEAR + 1) != YEAR || path.len == YEAR || !strchr(ends, path.data[YEAR]))
		return false;
	const struct slice month = slice_first(rest, slice_until(rest, ends));
	rest = slice_skip(rest, month.len + 1);
	const size_t digits = digits_of(month, 3), days = digits_of(rest, 3);
	const bool last = days == rest.len || rest.data[days] == '/';
	if (month.len == 0 || days == 0 || days > 2 || ((days == 1 || digits == 1) && !last))
		return false;
	if (digits == month.len && digits <= 2)
		(void)snprintf(day, DATE_BYTES, "%.4s-%s%.*s-%s%.*s", (const char *)path.data, digits == 1 ? "0" : "",
			       (int)digits, (const char *)month.data, days == 1 ? "0" : "", (int)days,
			       (const char *)rest.data);
	else if (path.data[YEAR] == '/' && is_month(month))
		(void)snprintf(day, DATE_BYTES, "%.*s %.*s %.4s", (int)days, (const char *)rest.data, (int)month.len,
			       (const char *)month.data, (const char *)path.data);
	else
		return false;
	return true;
}

/** Offers the date in the path of an address, which is not one of the facts. */
static void offer_url_date(struct facts *f, struct slice url)
{
	char day[DATE_BYTES];
	for (size_t i = 0; i + 9 <= url.len && fact_wanted(f, FACT_PUBLISHED, FROM_URL); i++) {
		const bool begins = strchr("/-_", url.data[i]) && (url.data[i + 1] == '1' || url.data[i + 1] == '2');
		if (begins && path_date(slice_skip(url, i + 1), day))
			fact_offer(f, FACT_PUBLISHED, FROM_URL, slice_from_text(day), false);
	}
}

/** Returns the name of a host without "www.". */
static struct slice bare_host(struct slice name)
{
	const struct slice www = slice_from_text("www.");
	return slice_skip(name, slice_equal_nocase(slice_first(name, www.len), www) ? www.len : 0);
}

/** Drops the author if it is the host of the page. */
static void drop_host_as_author(struct facts *f, struct slice url)
{
	const struct slice own = bare_host(url_host(url)), author = bare_host(fact_value(f, FACT_AUTHOR));
	if (own.len && slice_equal_nocase(own, author))
		f->list[FACT_AUTHOR].from = FROM_NOWHERE;
}

static int put_fact(struct metadata *m, struct dana_page *p, enum fact fact, struct slice url)
{
	struct slice value = fact_value(&m->facts, fact);
	char from[32];
	if (m->facts.list[fact].from == FROM_NOWHERE)
		return 0;
	if (fact == FACT_CANONICAL || fact == FACT_IMAGE) {
		buf_clear(&m->address);
		address_resolve(&m->address, url, value);
		value = buf_slice(&m->address);
		if (buf_status(&m->address) < 0)
			return host->page_fail(p, "out of memory");
	}
	int status = host->put_text(p, fact_keys[fact], (struct dana_view){ (const char *)value.data, value.len });
	const size_t key = strlen(fact_keys[fact]);
	memcpy(from, fact_keys[fact], key);
	memcpy(from + key, "_from", sizeof("_from"));
	const char *origin = origin_names[m->facts.list[fact].from];
	return status ? status : host->put_text(p, from, (struct dana_view){ origin, strlen(origin) });
}

/** Links need the whole page, because they have text. Everything else is read from what the sieve keeps. */
static int html(void *instance, struct dana_page *p, struct dana_view stretch)
{
	struct metadata *m = instance;
	struct slice bytes = slice_of(stretch.data, stretch.len);
	if (!bytes.len) {
		sieve_begin(&m->sieve);
		buf_shrink(&m->whole, KEPT);
	} else {
		sieve_write(&m->sieve, bytes);
		if (m->with_links)
			buf_append(&m->whole, bytes.data, bytes.len);
	}
	if (buf_status(&m->whole) < 0 || buf_status(&m->sieve.kept) < 0 || buf_status(&m->sieve.near) < 0 ||
	    buf_status(&m->sieve.before) < 0)
		return host->page_fail(p, "out of memory");
	return 0;
}

/** Reads what is near the line that is taken as the heading. A date there counts only if the URL has no other date. */
static void read_near_line(struct metadata *m, struct slice url, struct slice before, struct slice near)
{
	enum { DAY = sizeof("2024-05-31") - 1 };
	char day[DAY] = "";
	offer_url_date(&m->facts, url);
	const bool dated = m->facts.list[FACT_PUBLISHED].from == FROM_URL;
	const struct slice in_url = slice_first(fact_value(&m->facts, FACT_PUBLISHED), DAY);
	if (dated && in_url.len)
		memcpy(day, in_url.data, in_url.len);
	near_line_read(before, near, &m->facts);
	const struct slice found = slice_first(fact_value(&m->facts, FACT_PUBLISHED), DAY);
	if (dated && !slice_equal(found, slice_of(day, found.len))) {
		m->facts.list[FACT_PUBLISHED].from = FROM_NOWHERE;
		offer_url_date(&m->facts, url);
	}
}

static int page(void *instance, struct dana_page *p)
{
	struct metadata *m = instance;
	struct dana_view date = host->text_item(p, DANA_DATE), address = host->text_item(p, DANA_URL),
			 title = host->text_item(p, DANA_TITLE);
	struct slice url = slice_of(address.data, address.len);
	int status = 0;
	buf_shrink(&m->links.json, KEPT);
	facts_begin(&m->facts);
	/* the latest possible date is the day after the page was fetched: pages are not from the future, but may be
	 * from another time zone */
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	char fetched[DATE_BYTES];
	if (date_read(slice_of(date.data, date.len), false, fetched)) {
		int year = atoi(fetched), month = atoi(fetched + 5), day = atoi(fetched + 8) + 1;
		if (day > days[month - 1] + (month == 2 && year % 4 == 0)) {
			day = 1;
			year += month == 12;
			month = month % 12 + 1;
		}
		date_write(year, month, day, m->facts.latest);
	}
	links_begin(&m->links, url);
	scan_tags(buf_slice(&m->sieve.kept), &m->json, &m->facts);
	facts_drop_site_as_author(&m->facts);
	struct slice before = buf_slice(&m->sieve.before), near = buf_slice(&m->sieve.near);
	const size_t line = m->sieve.heading ? 0 : title_line_end(near, slice_of(title.data, title.len));
	if (m->sieve.heading)
		near_heading_read(before, near, &m->facts);
	else if (line)
		read_near_line(m, url, slice_first(near, line), slice_first(slice_skip(near, line), NEAR_LINE));
	if (m->with_links)
		links_read(&m->links, buf_slice(&m->whole));
	facts_drop_site_as_author(&m->facts);
	drop_host_as_author(&m->facts, url);
	fact_offer(&m->facts, FACT_TITLE, FROM_HTML, slice_of(title.data, title.len), false);
	facts_cut_site_from_title(&m->facts);
	offer_url_date(&m->facts, url);
	static const enum fact addresses[] = { FACT_CANONICAL, FACT_IMAGE };
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		const struct slice value = slice_first(fact_value(&m->facts, addresses[i]), FACT_BYTES);
		uint8_t copy[FACT_BYTES]; /* facts move when one is added */
		if (value.len)
			memcpy(copy, value.data, value.len);
		offer_url_date(&m->facts, slice_of(copy, value.len));
	}
	struct slice links = links_end(&m->links);
	if (buf_status(&m->facts.bytes) < 0 || buf_status(&m->links.json) < 0)
		return host->page_fail(p, "out of memory");
	for (int fact = 0; fact < FACTS && !status; fact++)
		status = put_fact(m, p, (enum fact)fact, url);
	if (!status && m->with_links)
		status = host->put_json(p, "links", (struct dana_view){ (const char *)links.data, links.len });
	return status;
}

static void close_worker(void *instance)
{
	struct metadata *m = instance;
	buf_free(&m->facts.bytes);
	buf_free(&m->links.json);
	buf_free(&m->links.address);
	buf_free(&m->links.text);
	buf_free(&m->address);
	buf_free(&m->whole);
	sieve_free(&m->sieve);
	json_ld_free(&m->json);
	free(m);
}

DANA_PLUGIN(metadata) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "metadata",
	.version = "1",
	.help = "writes what a page states about itself: dates, author, site, canonical URL, keywords, links",
	.options = options,
	.load = load,
	.open = open_worker,
	.html = html,
	.page = page,
	.close = close_worker,
};
