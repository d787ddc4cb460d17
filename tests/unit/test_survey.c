/* SPDX-License-Identifier: MIT */
/* The survey of a run: parts add up to the whole, counts stay within their bounds, and its page holds no markup. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "archive/report_page.h"
#include "archive/stats.h"
#include "archive/survey.h"
#include "support/unit.h"

static const struct plugin_names plugins = { .n_plugins = 2, .plugin = { "quality", "language" } };

/* One record that is made of its number. Its texts live as long as it. */
struct made {
	struct outcome outcome;
	struct document document;
	struct record_end damage;
	char uri[64], id[32], text[64];
};

static void make(struct made *m, uint32_t n)
{
	static const char *const kinds[] = { "article", "list", "forum", NULL };
	const uint32_t h = n * 2654435761U;
	*m = (struct made){ .outcome = { .seq = n, .offset = h % 100000, .type = RECORD_RESPONSE } };
	(void)snprintf(m->id, sizeof(m->id), "urn:x:%" PRIu32, n);
	(void)snprintf(m->uri, sizeof(m->uri), "http://S%" PRIu32 ".example/%" PRIu32, (h >> 8) % 97, n);
	(void)snprintf(m->text, sizeof(m->text), "Text %" PRIu32 " \xE2\x82\xAC <b>", n);
	m->outcome.id = slice_from_text(m->id);
	m->outcome.uri = slice_from_text(m->uri);
	if (h % 7 == 0) {
		m->outcome.kind = OUTCOME_SKIPPED;
		m->outcome.skipped = (enum skip_reason)(1 + (h >> 4) % (SKIP_REASONS - 1));
		m->outcome.marks.plugin = (h >> 9) % 2;
		m->outcome.detail = slice_from_text((h >> 10) % 2 ? "short lines" : "symbols");
	} else if (h % 11 == 0) {
		m->damage = (struct record_end){ .damaged = true,
						 .reason = (enum damage_reason)((h >> 5) % DAMAGE_REASONS) };
		m->outcome.kind = OUTCOME_DAMAGED;
		m->outcome.damage = &m->damage;
	} else {
		m->document = (struct document){ .text = slice_from_text(m->text),
						 .title = slice_from_text(m->id),
						 .text_chars = h % 5000,
						 .charset = h % 3 ? "utf-8" : "shift_jis",
						 .page_kind = kinds[(h >> 3) % 4],
						 .problems = h % 13 == 0 ? 1U << (h >> 7) % PROBLEM_WORDS : 0,
						 .with_language = true,
						 .language = slice_from_text(h % 5 ? "fa" : ""),
						 .words = h % 300,
						 .words_kept = h % 300 / 2,
						 .margin = (h >> 11) % 65536 };
		m->outcome.kind = OUTCOME_DOCUMENT;
		m->outcome.document = &m->document;
	}
}

static void take(struct survey *s, uint32_t n)
{
	struct made m;
	make(&m, n);
	assert_int_equal(survey_outcome(s, &m.outcome, n % 2 ? "a.warc.gz" : "b'c.warc", &plugins), 0);
}

static void read_into(struct survey *s, const struct buf *json, int wanted)
{
	static const struct json_rules rules = { .depth_most = 8, .unique_names = true };
	struct json_reader *reader = json_reader_new(&rules);
	struct json_value root;
	struct error err = { 0 };
	assert_non_null(reader);
	assert_int_equal(json_read(reader, buf_slice(json), &root, &err), 0);
	assert_int_equal(survey_read(s, root), wanted);
	json_reader_free(reader);
}

TEST(parts_add_up_to_the_whole_in_any_order)
{
	enum { RECORDS = 6000, PARTS = 9 };
	struct survey *whole = survey_new(), *sum = survey_new(), *read = survey_new(), *parts[PARTS];
	AUTO_BUF wanted = { 0 };
	assert_int_equal(survey_settings(whole, slice_from_text("method learned\n")), 0);
	assert_int_equal(survey_settings(whole, slice_from_text("method danag\n")), 0);
	for (unsigned i = 0; i < PARTS; i++) {
		parts[i] = survey_new();
		assert_int_equal(
			survey_settings(parts[i], slice_from_text(i % 2 ? "method danag\n" : "method learned\n")), 0);
	}
	for (uint32_t n = 0; n < RECORDS; n++)
		take(whole, n);
	for (uint32_t n = RECORDS; n-- > 0;) /* the other way round */
		take(parts[(n ^ n >> 5) * 40503U % PARTS], n);
	assert_int_equal(survey_json(whole, &wanted), 0);
	for (unsigned i = 0; i < PARTS; i++) {
		struct survey *part = parts[i * 4 % PARTS];
		AUTO_BUF json = { 0 };
		assert_int_equal(survey_add(sum, part), 0);
		assert_int_equal(survey_json(part, &json), 0);
		read_into(read, &json, 0);
	}
	AUTO_BUF added = { 0 }, joined = { 0 };
	assert_int_equal(survey_json(sum, &added), 0);
	assert_int_equal(survey_json(read, &joined), 0);
	assert_true(slice_equal(buf_slice(&added), buf_slice(&wanted)));
	assert_true(slice_equal(buf_slice(&joined), buf_slice(&wanted)));
	for (unsigned i = 0; i < PARTS; i++)
		survey_free(parts[i]);
	survey_free(whole);
	survey_free(sum);
	survey_free(read);
}

/* Returns the number in a row of "sites", after the name and the documents. */
static uint64_t chars_of(const struct buf *json, const char *site, uint64_t *low)
{
	char row[64];
	const char *text = (const char *)json->data, *at = strstr(text, "\"sites\":{\"low\":");
	assert_non_null(at);
	*low = strtoull(at + strlen("\"sites\":{\"low\":"), NULL, 10);
	(void)snprintf(row, sizeof(row), "[\"%s\",", site);
	at = strstr(at, row);
	if (!at)
		return 0;
	at = strchr(at + strlen(row), ',');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

TEST(more_sites_than_are_counted_keep_their_bound)
{
	enum { SITES = 3 * SURVEY_SITES, LARGE = 50 };
	struct survey *parts[2] = { survey_new(), survey_new() }, *sum = survey_new();
	uint64_t all = 0, low;
	for (uint32_t i = 0; i < SITES; i++) {
		char uri[64];
		for (unsigned k = 0; k < 2; k++) {
			/* a small site, and one of fifty large ones */
			(void)snprintf(uri, sizeof(uri), "http://%s%" PRIu32 ".example/", k ? "large" : "s",
				       k ? i % LARGE : i);
			struct document doc = { .text_chars = k ? 40 : 1 + i % 5 };
			const struct outcome outcome = { .document = &doc, .uri = slice_from_text(uri), .offset = i };
			assert_int_equal(survey_outcome(parts[i % 2], &outcome, "x", NULL), 0);
			all += doc.text_chars;
		}
	}
	assert_int_equal(survey_add(sum, parts[0]), 0);
	assert_int_equal(survey_add(sum, parts[1]), 0);
	AUTO_BUF json = { 0 };
	assert_int_equal(survey_json(sum, &json), 0);
	assert_int_equal(buf_append_byte(&json, 0), 0);
	for (unsigned i = 0; i < LARGE; i++) {
		char site[32];
		(void)snprintf(site, sizeof(site), "large%u.example", i);
		const uint64_t is = SITES / LARGE * 40, shown = chars_of(&json, site, &low);
		assert_true(low > 0 && low <= all / (SURVEY_SITES / 2));
		assert_true(shown <= is && shown + low >= is);
	}
	survey_free(parts[0]);
	survey_free(parts[1]);
	survey_free(sum);
}

TEST(what_is_not_a_survey_is_refused)
{
	static const char *const bad[] = {
		"[]",
		"{}",
		"{\"settings\":[1]}",
		"{\"settings\":[],\"length\":[1,2]}",
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct survey *s = survey_new();
		AUTO_BUF json = { 0 };
		buf_append_text(&json, bad[i]);
		read_into(s, &json, DANA_EFORMAT);
		survey_free(s);
	}
	/* each number of a good one made one that is none, and each name another one */
	struct survey *good = survey_new();
	for (uint32_t n = 0; n < 40; n++)
		take(good, n);
	AUTO_BUF json = { 0 };
	assert_int_equal(survey_json(good, &json), 0);
	for (size_t i = 0; i < json.len; i++) {
		const uint8_t was = json.data[i];
		const bool number = was >= '0' && was <= '9' && (json.data[i - 1] == ',' || json.data[i - 1] == '[') &&
				    (json.data[i + 1] == ',' || json.data[i + 1] == ']');
		if (!number)
			continue;
		json.data[i] = '-';
		struct survey *s = survey_new();
		static const struct json_rules rules = { .depth_most = 8, .unique_names = true };
		struct json_reader *reader = json_reader_new(&rules);
		struct json_value root;
		struct error err = { 0 };
		int status = json_read(reader, buf_slice(&json), &root, &err);
		if (status == DANA_OK)
			status = survey_read(s, root);
		assert_int_equal(status, DANA_EFORMAT);
		json_reader_free(reader);
		survey_free(s);
		json.data[i] = was;
	}
	survey_free(good);
}

TEST(a_page_has_no_markup_of_the_archive)
{
	static const char *const hostile[] = {
		"</script><script>alert(1)</script>",
		"\"><img src=x onerror=alert(1)>",
		"<!--",
		"]]><svg onload=alert(1)>",
		"javascript:alert(1)",
		"'\" onmouseover=alert(1) x='",
		"&lt;script&gt;",
		"\xFF\xC0\x80<b>",
		"{{body}}{{style}}",
		"\xEF\xB7\x90<a href=x>",
	};
	enum { STRINGS = 10000, KINDS = sizeof(hostile) / sizeof(*hostile) };
	struct survey *s = survey_new();
	struct stats stats = { .plugins = &plugins };
	for (uint32_t i = 0; i < STRINGS; i++) {
		char uri[200], text[200];
		struct made m;
		make(&m, i);
		(void)snprintf(uri, sizeof(uri), "http://h%" PRIu32 "%s/%s", i % 500, hostile[i % KINDS],
			       hostile[(i + 1) % KINDS]);
		(void)snprintf(text, sizeof(text), "%" PRIu32 " %s", i, hostile[(i + 2) % KINDS]);
		m.outcome.uri = slice_from_text(uri);
		m.outcome.detail = m.document.title = m.document.text = m.document.language = slice_from_text(text);
		stats_outcome(&stats, &m.outcome);
		assert_int_equal(survey_outcome(s, &m.outcome, hostile[(i + 3) % KINDS], &plugins), 0);
	}
	assert_int_equal(survey_settings(s, slice_from_text(hostile[0])), 0);
	AUTO_BUF json = { 0 }, line = { 0 }, page = { 0 };
	struct error err = { 0 };
	assert_int_equal(survey_json(s, &json), 0);
	assert_int_equal(stats_json(&stats, slice_of(NULL, 0), buf_slice(&json), &line), 0);
	assert_int_equal(report_page(buf_slice(&line), slice_of(NULL, 0), &page, &err), 0);
	assert_true(page.len < 2000000);
	assert_int_equal(buf_append_byte(&page, 0), 0);
	const char *text = (const char *)page.data;
	static const char *const never[] = {
		"<script", "<img", "<b>", "<!--", "onload=alert(1)>", "\xFF", "<a href=x"
	};
	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		assert_null(strstr(text, never[i]));
	assert_non_null(strstr(text, "&#60;/script&#62;&#60;script&#62;alert(1)"));
	survey_free(s);
}

TEST(a_line_without_a_survey_has_no_page)
{
	struct stats stats = { .records = 0 };
	AUTO_BUF line = { 0 }, page = { 0 };
	struct error err = { 0 };
	assert_int_equal(stats_json(&stats, slice_of(NULL, 0), slice_of(NULL, 0), &line), 0);
	assert_int_equal(report_page(buf_slice(&line), slice_of(NULL, 0), &page, &err), DANA_EFORMAT);
	assert_non_null(strstr(err.text, "--report"));
}
