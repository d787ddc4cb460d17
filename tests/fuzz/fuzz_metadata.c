/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: what the plugin metadata reads in pages. First byte: the rest is a script of JSON-LD, a page, or a date;
 * and the order of day and month. Oracles: a fact of well-formed text is well-formed, is short and has no needless
 * white space; a date is one, and reads as itself; a script tells the same by itself and in a page; the sieve keeps the
 * same of a page however it is cut.
 */
#include "config.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/json.h"
#include "base/utf8.h"
#include "plugins/metadata/scan.h"
#include "plugins/metadata/sieve.h"
#include "plugins/metadata/values.h"
#include "support/split_feed.h"

enum { KIND_SCRIPT, KIND_PAGE, KIND_DATE, KINDS, MONTH_FIRST = 128 };

static unsigned number(const char *at, unsigned digits)
{
	unsigned n = 0;
	for (; digits; digits--, at++) {
		must(ascii_is_digit((uint8_t)*at));
		n = n * 10 + (unsigned)(*at - '0');
	}
	return n;
}

static void check_date(struct slice date)
{
	char text[DATE_BYTES] = "", again[DATE_BYTES] = "";
	must(date.len >= 10 && date.len < DATE_BYTES);
	memcpy(text, date.data, date.len);
	for (size_t i = 0; i < date.len; i++)
		must(ascii_is_digit(date.data[i]) || strchr("-+:.TZ", date.data[i]));
	must(text[4] == '-' && text[7] == '-');
	const unsigned year = number(text, 4), month = number(text + 5, 2), day = number(text + 8, 2);
	must(year >= 1990 && year <= 2099 && month >= 1 && month <= 12 && day >= 1 && day <= 31);
	for (unsigned first = 0; first < 2; first++) {
		must(date_read(date, first, again) == date.len);
		must(strcmp(text, again) == 0);
	}
}

static void check_facts(const struct facts *f, bool good)
{
	for (unsigned i = 0; i < FACTS; i++) {
		if (f->list[i].from == FROM_NOWHERE)
			continue;
		const struct slice value = fact_value(f, (enum fact)i);
		must(f->list[i].from < ORIGINS && value.len > 0 && value.len <= FACT_BYTES);
		must(f->list[i].at + f->list[i].len <= f->bytes.len);
		must(!good || utf8_valid_prefix(value) == value.len);
		must(!ascii_is_space(value.data[0]) && !ascii_is_space(value.data[value.len - 1]));
		for (size_t at = 0; at < value.len; at++)
			must(!ascii_is_space(value.data[at]) || (value.data[at] == ' ' && value.data[at + 1] != ' '));
		if (i == FACT_PUBLISHED || i == FACT_MODIFIED)
			check_date(value);
	}
}

static void sift(struct sieve *s, struct slice page, size_t piece)
{
	sieve_begin(s);
	for (; page.len; page = slice_skip(page, piece))
		sieve_write(s, slice_first(page, piece));
	must(buf_status(&s->kept) == 0 && buf_status(&s->near) == 0);
}

static struct json_ld json;

static void as_script(struct slice script)
{
	static struct facts alone, in_page;
	static struct buf page;
	static struct sieve sieve;
	facts_begin(&alone);
	json_ld_read(&json, script, &alone);
	check_facts(&alone, true);
	if (script.len && memchr(script.data, '<', script.len))
		return; /* could end it in a page */
	buf_clear(&page);
	must(buf_append_text(&page, "<p><script type=\"application/ld+json\">") == 0);
	must(buf_append(&page, script.data, script.len) == 0);
	must(buf_append_text(&page, "</script>") == 0);
	facts_begin(&in_page);
	sift(&sieve, buf_slice(&page), page.len);
	scan_tags(buf_slice(&sieve.kept), &json, &in_page);
	for (unsigned i = 0; i < FACTS; i++) {
		must(alone.list[i].from == in_page.list[i].from);
		must(slice_equal(fact_value(&alone, (enum fact)i), fact_value(&in_page, (enum fact)i)));
	}
}

static void check_links(struct slice list)
{
	static const struct json_rules rules = { .depth_most = 2, .unique_names = true };
	struct json_reader *reader = json_reader_new(&rules);
	struct json_value links = { 0 };
	int n = 0;
	must(reader && json_read(reader, list, &links, NULL) == 0 && json_kind(links) == JSON_IS_ARRAY);
	for (struct json_walk w = json_walk(links); json_walk_next(&w); n++)
		must(json_kind(w.value) == JSON_IS_OBJECT);
	must(n <= LINKS_MOST);
	json_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	const struct slice text = slice_of(data + 1, size - 1);
	const unsigned kind = data[0] % MONTH_FIRST % KINDS;
	char date[DATE_BYTES];
	size_t n;
	if (kind == KIND_SCRIPT) {
		as_script(text);
	} else if (kind == KIND_PAGE) {
		static struct facts facts;
		static struct links links;
		static struct sieve sieve, cut;
		facts_begin(&facts);
		sift(&sieve, text, text.len);
		scan_tags(buf_slice(&sieve.kept), &json, &facts);
		near_heading_read(buf_slice(&sieve.before), buf_slice(&sieve.near), &facts);
		check_facts(&facts, utf8_valid_prefix(text) == text.len);
		links_begin(&links, slice_from_text("http://x.org/a/b?c"));
		links_read(&links, text);
		check_links(links_end(&links));
		sift(&cut, text, 1 + text.len % 7); /* however it is cut, the same is kept */
		must(slice_equal(buf_slice(&sieve.kept), buf_slice(&cut.kept)));
		must(slice_equal(buf_slice(&sieve.near), buf_slice(&cut.near)));
	} else if ((n = date_read(text, data[0] & MONTH_FIRST, date))) {
		check_date(slice_of(date, n));
	}
	return 0;
}
