/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: JSON. The input is a text to escape, and a JSON text to read. Oracles: what is escaped is well-formed
 * UTF-8 without bare controls, and reads back, by jansson too where it is built in, as the input repaired one code
 * point at a time; a text reads with simdjson as without it; what jansson takes is taken; what is appended part by part
 * reads as the same.
 */
#include "config.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/simdjson_call.h"
#include "base/utf8.h"
#include "support/repaired.h"
#include "support/split_feed.h"
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

static struct json_reader *reader(bool fast)
{
	static const struct json_rules rules[2] = {
		{ .depth_most = JSON_DEPTH_MOST, .unique_names = true },
		{ .depth_most = JSON_DEPTH_MOST, .unique_names = true, JSON_BY_SIMDJSON },
	};
	static struct json_reader *readers[2];
	if (!readers[fast])
		readers[fast] = json_reader_new(&rules[fast]);
	must(readers[fast]);
	return readers[fast];
}

/* JSON has no byte 0, neither in a string nor around it; jansson 2.14 takes one after a value for the end of the text.
 */
static void jansson_agrees(struct slice json, bool good)
{
#ifdef HAVE_JANSSON
	if (json.len && memchr(json.data, 0, json.len)) {
		must(!good);
		return;
	}
	const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
	json_t *value = json_loadb((const char *)json.data, json.len, flags, NULL);
	must(good || !value);
	json_decref(value);
#endif
	(void)json;
	(void)good;
}

static void reads_back(struct slice in, struct slice escaped)
{
	struct buf wanted = { 0 };
	append_repaired(&wanted, in);
	const struct slice repaired = buf_slice(&wanted);
	for (int fast = 0; fast < 2; fast++) {
		struct buf space = { 0 };
		struct json_value value;
		struct slice text;
		bool any;
		must(json_read(reader(fast), escaped, &value, NULL) == 0);
		must(json_characters(value, &space, &text, &any) == 0 && slice_equal(text, repaired));
		buf_free(&space);
	}
#ifdef HAVE_JANSSON
	json_t *value = json_loadb((const char *)escaped.data, escaped.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	must(value && slice_equal(slice_of(json_string_value(value), json_string_length(value)), repaired));
	json_decref(value);
#endif
	buf_free(&wanted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice in = slice_of(data, size);
	struct buf out = { 0 };
	must(json_put_string(&out, in) == 0);
	must(utf8_valid_prefix(buf_slice(&out)) == out.len);
	for (size_t i = 0; i < out.len; i++)
		must(out.data[i] >= 0x20 && out.data[i] != 0x7f);
	reads_back(in, buf_slice(&out));
	struct error err[2] = { { .status = DANA_OK }, { .status = DANA_OK } };
	struct buf parts[2] = { { 0 }, { 0 } };
	int status[2];
	for (int fast = 0; fast < 2; fast++) {
		struct json_value value, again;
		status[fast] = json_read(reader(fast), in, &value, &err[fast]);
		must(json_append(value, &parts[fast]) == 0);
		must(status[fast] < 0 || json_read(reader(fast), buf_slice(&parts[fast]), &again, NULL) == 0);
	}
	must(status[0] == status[1] && strcmp(err[0].text, err[1].text) == 0);
	must(slice_equal(buf_slice(&parts[0]), buf_slice(&parts[1])));
	jansson_agrees(in, status[0] == 0);
	buf_free(&parts[0]);
	buf_free(&parts[1]);
	buf_free(&out);
	return 0;
}
