/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the state file of a run. The input is read as a state, and as the fields of one. Oracles: a refusal is
 * one printable line; fields that are written read back as the same; a state in which one byte is another (which, the
 * input's first two bytes say), or which ends there, is refused.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "run/state_file.h"
#include "support/split_feed.h"

enum { WORD_MAX = 32 };

static void must_be_refused(struct slice state)
{
	struct slice fields;
	struct error err = { 0 };
	must(state_decode(state, &fields, &err) == DANA_ECONFIG);
	must_be_refusal(&err);
}

static void as_content(struct slice input)
{
	static struct buf state;
	struct slice fields;
	struct error err = { 0 };
	must(state_encode(input, &state) == 0);
	must(state_decode(buf_slice(&state), &fields, &err) == 0 && slice_equal(fields, input));
	if (input.len < 2)
		return;
	const size_t at = (input.data[0] * 256U + input.data[1]) % state.len;
	state.data[at] ^= (uint8_t)(1 + input.data[0] % 255);
	must_be_refused(buf_slice(&state));
	state.data[at] ^= (uint8_t)(1 + input.data[0] % 255);
	/* The sum finds damage, not forgery: an input may be a state with more bytes after its sum. */
	if (!memmem(input.data, input.len, "sum ", 4))
		must_be_refused(slice_first(buf_slice(&state), at));
}

static bool is_name(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!ascii_is_alpha(s.data[i]) && !ascii_is_digit(s.data[i]) && !memchr("-_:", s.data[i], 3))
			return false;
	}
	return s.len < WORD_MAX;
}

/* All fields of a list, and of the lists in it as far as they are some; written again they are the same bytes. */
static void as_fields(struct slice input, unsigned depth)
{
	struct fields rest = { .list = input };
	struct slice name, value;
	struct buf again = { 0 };
	bool names = true;
	while (fields_next(&rest, &name, &value)) {
		char word[WORD_MAX];
		must(name.len > 0 && value.data >= input.data && value.data + value.len <= input.data + input.len);
		if (depth)
			as_fields(value, depth - 1);
		names = names && is_name(name);
		if (!names)
			continue;
		memcpy(word, name.data, name.len);
		word[name.len] = 0;
		/* What a field that is there answers. */
		struct fields all = { .list = input };
		must(fields_has(&all, word));
		(void)fields_get(&all, word);
		must(!all.bad);
		(void)fields_number_to(&all, word, 1000);
		(void)fields_flag(&all, word);
		(void)fields_list(&all, word);
		must(fields_get(&all, "no such field").len == 0 && all.bad);
		fields_put(&again, word, value);
	}
	must(buf_status(&again) == 0 && (rest.bad || rest.list.len == 0));
	if (!rest.bad && names && again.len == input.len) /* a length may have zeros before it */
		must(slice_equal(buf_slice(&again), input));
	buf_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct slice input = slice_of(data, size);
	struct slice fields;
	struct error err = { 0 };
	if (state_decode(input, &fields, &err) < 0)
		must_be_refusal(&err);
	as_content(input);
	as_fields(input, 2);
	if (input.len) {
		/* Numbers are written, and read as the same. */
		enum { NUMBERS = 4 };
		uint64_t numbers[NUMBERS] = { 0 }, again[NUMBERS] = { 0 };
		struct buf list = { 0 }, inner = { 0 };
		memcpy(numbers, input.data, input.len < sizeof(numbers) ? input.len : sizeof(numbers));
		fields_put_numbers(&inner, "numbers", numbers, NUMBERS);
		fields_put_number(&inner, "number", numbers[0]);
		fields_put_text(&list, "text", "a");
		fields_put_list(&list, "list", &inner);
		struct fields all = { .list = buf_slice(&list) };
		struct fields some = fields_list(&all, "list");
		fields_numbers(&some, "numbers", again, NUMBERS);
		must(memcmp(numbers, again, sizeof(numbers)) == 0 && fields_number(&some, "number") == numbers[0]);
		must(!some.bad && !all.bad && slice_is(fields_get(&all, "text"), "a"));
		fields_numbers(&some, "numbers", again, NUMBERS - 1);
		must(some.bad);
		buf_free(&list);
	}
	struct buf what = { 0 };
	const size_t half = input.len / 2;
	must(lines_differ(slice_first(input, half), slice_skip(input, half), &what) == (what.len > 0));
	for (size_t i = 0; i < what.len; i++)
		must(what.data[i] >= 0x20 && what.data[i] < 0x7f);
	buf_free(&what);
	return 0;
}
