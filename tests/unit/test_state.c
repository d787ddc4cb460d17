/* SPDX-License-Identifier: MIT */
/* The form of a state: what is written is read again, and no changed, missing or added byte is taken. */
#include "run/state_file.h"
#include "support/unit.h"

static const char odd[] = "a\n0 1:\0:x";

static struct slice sample(struct buf *list)
{
	struct buf inner = { 0 };
	buf_clear(list);
	fields_put_number(&inner, "records", 12);
	fields_put_text(&inner, "last", "");
	fields_put_text(list, "name", "out.jsonl");
	fields_put(list, "odd", slice_of(odd, sizeof(odd)));
	fields_put_list(list, "stats", &inner);
	fields_put_number(list, "most", UINT64_MAX);
	fields_put_number(list, "flag", 1);
	fields_put_numbers(list, "numbers", (const uint64_t[]){ 7, 0, 19 }, 3);
	assert_int_equal(buf_status(list), 0);
	return buf_slice(list);
}

TEST(what_is_put_can_be_got)
{
	AUTO_BUF list = { 0 };
	struct fields f = { .list = sample(&list) };
	struct fields inner = fields_list(&f, "stats");
	assert_int_equal(fields_number(&f, "most"), UINT64_MAX);
	assert_true(fields_flag(&f, "flag"));
	assert_true(slice_equal(fields_get(&f, "odd"), slice_of(odd, sizeof(odd))));
	assert_int_equal(fields_number_to(&inner, "records", 12), 12);
	assert_int_equal(fields_get(&inner, "last").len, 0);
	uint64_t numbers[4];
	fields_numbers(&f, "numbers", numbers, 3);
	assert_true(numbers[0] == 7 && numbers[1] == 0 && numbers[2] == 19);
	assert_true(fields_has(&f, "name") && !fields_has(&f, "records"));
	assert_false(f.bad || inner.bad);
}

TEST(what_is_not_there_is_bad)
{
	AUTO_BUF list = { 0 };
	const struct fields good = { .list = sample(&list) };
	struct fields f = good;
	for (size_t i = 0; i < 2; i++, f = good) {
		assert_int_equal(fields_number(&f, i ? "name" : "nothing"), 0);
		assert_true(f.bad);
	}
	assert_false(fields_flag(&f, "most"));
	assert_true(f.bad);
	uint64_t numbers[4];
	for (size_t n = 0; n < 5; n++) {
		f = good;
		fields_numbers(&f, "numbers", numbers, n);
		assert_int_equal(f.bad, n != 3);
	}
	f = good;
	fields_numbers(&f, "name", numbers, 1);
	assert_true(f.bad);
	f = good;
	f.bad = true;
	assert_true(fields_list(&f, "stats").bad);
	/* A list that is cut off has its first fields only, and is bad at its end. */
	for (size_t len = 1; len < list.len; len++) {
		struct slice name, value;
		size_t used = 0;
		uint8_t *copy = malloc(len);
		assert_non_null(copy);
		memcpy(copy, list.data, len);
		f = (struct fields){ .list = slice_of(copy, len) };
		while (fields_next(&f, &name, &value))
			used += name.len + value.len;
		assert_true(f.bad || (used < len && f.list.len == 0));
		free(copy);
	}
	static const char *const none[] = { "x", "x ", "x 1", "x :\n", "x 1:\n", "x 2:a\n",
					    /* not ended, no name, too long */
					    "x 1:a", " 1:a\n", "x 99999999999999999999:a\n" };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct slice name, value;
		f = (struct fields){ .list = slice_from_text(none[i]) };
		assert_false(fields_next(&f, &name, &value));
		assert_true(f.bad);
	}
}

static int decode(struct slice state, struct slice *fields)
{
	struct error err = { 0 };
	int status = state_decode(state, fields, &err);
	assert_true(status == DANA_OK || (status == DANA_ECONFIG && err.text[0]));
	return status;
}

TEST(every_changed_byte_is_refused)
{
	AUTO_BUF list = { 0 }, saved = { 0 };
	struct slice fields;
	assert_ok(state_encode(sample(&list), &saved));
	assert_ok(decode(buf_slice(&saved), &fields));
	assert_true(slice_equal(fields, buf_slice(&list)));
	for (size_t i = 0; i < saved.len; i++) {
		uint8_t was = saved.data[i];
		for (unsigned change = 1; change < 256; change++) {
			saved.data[i] = (uint8_t)(was ^ change);
			assert_int_equal(decode(buf_slice(&saved), &fields), DANA_ECONFIG);
		}
		saved.data[i] = was;
	}
	for (size_t len = 0; len < saved.len; len++) {
		assert_int_equal(decode(slice_first(buf_slice(&saved), len), &fields), DANA_ECONFIG);
		assert_int_equal(decode(slice_skip(buf_slice(&saved), len + 1), &fields), DANA_ECONFIG);
	}
	for (unsigned byte = 0; byte < 256; byte++) {
		assert_ok(buf_append_byte(&saved, (uint8_t)byte));
		assert_int_equal(decode(buf_slice(&saved), &fields), DANA_ECONFIG);
		saved.len--;
	}
}

struct members {
	bool flag;
	unsigned small;
	uint64_t large, three[3];
};

TEST(members_are_read_as_they_were_written)
{
	static const struct field_row rows[] = { FIELD_ROW(struct members, flag), FIELD_ROW(struct members, small),
						 FIELD_ROW(struct members, large), FIELD_ROW(struct members, three) };
	const struct members all[] = { { 0 },
				       { true, UINT32_MAX, UINT64_MAX, { 1, UINT64_MAX, 3 } },
				       { true, 1, 0, { 0, 0, 7 } } };
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		AUTO_BUF list = { 0 };
		struct members again = { 0 };
		fields_put_members(&list, FIELD_ROWS(rows), &all[i]);
		struct fields f = { .list = buf_slice(&list) };
		fields_members(&f, FIELD_ROWS(rows), &again);
		assert_false(f.bad);
		assert_true(again.flag == all[i].flag && again.small == all[i].small && again.large == all[i].large);
		assert_memory_equal(again.three, all[i].three, sizeof(again.three));
	}
	static const char *const bad[] = { "", "flag 1:2\n", "flag 0:\n",
					   /* numbers */
					   "small 10:4294967296\n", "small 2:-1\n", "large 2:1\n", "large 1:1\n",
					   "three 4:1 2 \n", "three 8:1 2 3 4 \n" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		for (size_t row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
			struct fields f = { .list = slice_from_text(bad[i]) };
			struct members m = { 0 };
			fields_members(&f, &rows[row], 1, &m);
			assert_true(f.bad);
		}
	}
}

TEST(other_versions_are_told)
{
	static const struct {
		const char *text, *word;
	} others[] = { { "dana state 4\n", "a newer version of dana" },
		       { "dana state 4711\nanything", "a newer version of dana" },
		       { "dana state 0\n", "not a state file" },
		       { "dana state \n", "not a state file" },
		       { "dana state 3", "not a state file" },
		       { "dana state 2\n", "an older version of dana" },
		       { "dana state 3\n", "cut off" },
		       { "", "not a state file" } };
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct error err = { 0 };
		struct slice fields;
		assert_int_equal(state_decode(slice_from_text(others[i].text), &fields, &err), DANA_ECONFIG);
		assert_non_null(strstr(err.text, others[i].word));
	}
}

static void differ(const char *then, const char *now, const char *wanted)
{
	AUTO_BUF what = { 0 };
	bool found = lines_differ(slice_from_text(then), slice_from_text(now), &what);
	assert_string_equal(text_of(&what), wanted ? wanted : "");
	assert_int_equal(found, wanted != NULL);
}

TEST(differences_are_told)
{
	differ("", "", NULL);
	differ("a 1\nb 2\n", "b 2\na 1\n", NULL);
	differ("a 1\nb\n", "a 1\nc \n", NULL);
	differ("a 1\nb 2\n", "a 1\nb 3\n", "b was 2, and is 3 now");
	differ("a 1\n", "a 1\nb x y\n", "b was not given, and is x y now");
	differ("b x\na 1", "a 1", "b was x, and is not given now");
	differ("a \33[1m\n", "a x\n", "a was \\x1b[1m, and is x now");
}
