/* SPDX-License-Identifier: MIT */
/* Lines of pages, the sites they are counted by, and the sets and counts that take less memory than they need. */
#include "base/status.h"
#include "dedup/counts.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"
#include "support/unit.h"

TEST(a_site_is_a_registrable_domain)
{
	static const char *const sites[][2] = {
		{ "http://www.example.com/a/b", "example.com" },
		{ "HTTPS://WWW.Sub.Example.CO.UK:8080/x?y#z", "example.co.uk" },
		{ "http://user:pass@www.example.org", "example.org" },
		{ "http://www.example.org?q=http://other.net/", "example.org" },
		{ "http://example.com.", "example.com" },
		{ "http://someone.github.io/", "someone.github.io" },
		{ "http://192.168.10.1:80/x", "192.168.10.1" },
		{ "http://[2001:db8::1]:8080/x", "[2001:db8::1]" },
		{ "http://localhost/", "localhost" },
		{ "http://co.uk/", "co.uk" },
		{ "http://a.b.c.unheard-of-suffix/", "c.unheard-of-suffix" },
		{ "urn:uuid:1", "" },
		{ "http://", "" },
		{ "", "" },
	};
	for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++) {
		AUTO_BUF site = { 0 };
		assert_ok(buf_append_text(&site, "before ")); /* stays */
		assert_ok(site_of_url(slice_from_text(sites[i][0]), &site));
		assert_string_equal(text_of(&site) + strlen("before "), sites[i][1]);
	}
	/* the same scopes, also of hosts that are known, of more than have room, and of long ones */
	struct site_scopes scopes = { 0 };
	for (unsigned round = 0; round < 600; round++) {
		AUTO_BUF url = { 0 };
		uint64_t scope;
		const size_t i = round % (sizeof(sites) / sizeof(*sites));
		assert_ok(site_scope(&scopes, slice_from_text(sites[i][0]), &scope));
		assert_true(scope == (sites[i][1][0] ? line_scope(slice_from_text(sites[i][1])) : 0));
		buf_printf(&url, "http://%0*u.example.net/", round % 60 + 1, round / 2);
		assert_ok(site_scope(&scopes, buf_slice(&url), &scope));
		assert_true(scope == line_scope(slice_from_text("example.net")));
	}
}

TEST(lines_have_keys_by_their_form_and_scope)
{
	static const char text[] = "One line\n\n  ONE  line\ntwo";
	struct text_hasher *h = text_hasher_new(NORMAL_SMALL);
	struct page_lines lines = { 0 }, other = { 0 };
	AUTO_BUF out = { 0 };
	assert_ok(page_lines_add(&lines, h, slice_from_text(text), 7));
	assert_ok(page_lines_add(&other, h, slice_from_text(text), 8));
	assert_int_equal(lines.n, 4);
	assert_int_equal(lines.chars, 8 + 8 + 3);
	assert_int_equal(lines.items[1].key, 0);
	assert_true(lines.items[0].key == lines.items[2].key);
	assert_true(lines.items[0].key != lines.items[3].key);
	assert_true(lines.items[0].key != other.items[0].key);
	assert_int_equal(lines.items[2].start, 10);
	assert_int_equal(lines.items[2].len, 11);
	lines.items[0].mark = lines.items[1].mark = 1;
	assert_int_equal(page_lines_left(&lines, slice_from_text(text), &out), 0);
	assert_string_equal(text_of(&out), "  ONE  line\ntwo");
	/* each key once, in order, after what was there; of lines that are long enough */
	AUTO_BUF keys = { 0 };
	uint64_t number[3] = { 1 };
	assert_ok(buf_append(&keys, number, sizeof(*number)));
	assert_ok(page_lines_keys(&lines, 1, &keys));
	assert_int_equal(keys.len, sizeof(number));
	memcpy(number, keys.data, sizeof(number));
	assert_true(number[0] == 1 && number[1] < number[2]);
	assert_true(number[1] == lines.items[0].key || number[2] == lines.items[0].key);
	assert_true(number[1] == lines.items[3].key || number[2] == lines.items[3].key);
	assert_ok(page_lines_keys(&lines, 4, &keys));
	assert_int_equal(keys.len, 4 * sizeof(uint64_t));
	assert_ok(page_lines_keys(&lines, 9, &keys));
	assert_int_equal(keys.len, 4 * sizeof(uint64_t));
	page_lines_clear(&lines);
	assert_ok(page_lines_add(&lines, h, slice_from_text(""), 7));
	assert_int_equal(lines.n, 0);
	page_lines_free(&lines);
	page_lines_free(&other);
	text_hasher_free(h);
}

/* ---- a Bloom filter, a sketch ---- */

static uint64_t hash_of(uint64_t i)
{
	return hash64(slice_of(&i, sizeof(i)));
}

TEST(a_bloom_filter_errs_as_often_as_it_says)
{
	enum { MEMBERS = 100000, OTHERS = 100000 };
	struct bloom b;
	uint64_t wrong = 0;
	/* as small as it can be for 1 in 100, with ten hashes */
	assert_int_equal(bloom_make(&b, (size_t)bloom_bytes(MEMBERS, 0.01)), 0);
	for (uint64_t i = 0; i < MEMBERS; i++)
		(void)bloom_put(&b, hash_of(i));
	for (uint64_t i = 0; i < MEMBERS; i++)
		assert_true(bloom_put(&b, hash_of(i)));
	assert_true(bloom_rate(&b) > 0.0095 && bloom_rate(&b) < 0.0105);
	struct bloom copy = b;
	for (uint64_t i = MEMBERS; i < MEMBERS + OTHERS / 100; i++)
		wrong += bloom_put(&copy, hash_of(i));
	/* 10 are expected of 1000; they make hardly any bits more */
	assert_in_range(wrong, 1, 30);
	bloom_free(&b);
	assert_true(bloom_rate(&b) == 0);
}

TEST(a_sketch_never_counts_too_few)
{
	enum { KEYS = 20000 };
	struct sketch s;
	uint64_t too_high = 0;
	assert_int_equal(sketch_make(&s, 1 << 17), 0);
	for (uint64_t i = 0; i < KEYS; i++) {
		uint32_t before = 0;
		/* key i comes 1 + i % 5 times */
		for (uint64_t k = 0; k <= i % 5; k++) {
			uint32_t count = sketch_add(&s, hash_of(i));
			assert_true(count > before);
			before = count;
		}
		assert_true(before >= 1 + i % 5);
		too_high += (double)before > (double)(1 + i % 5) + sketch_error(&s);
	}
	assert_int_equal(s.sum, 3 * KEYS);
	assert_true(sketch_error(&s) > 19 && sketch_error(&s) < 21);
	assert_true(too_high <= KEYS * 2 / 100);
	sketch_free(&s);
}

TEST(a_large_sketch_is_exact)
{
	struct sketch s;
	assert_int_equal(sketch_make(&s, 1 << 22), 0);
	for (uint64_t k = 0; k < 5; k++) {
		for (uint64_t i = 0; i < 1000; i++)
			assert_int_equal(sketch_add(&s, hash_of(i)), k + 1);
	}
	sketch_free(&s);
}
