/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: JSON escaping. Oracles: the output is well-formed UTF-8 without bare controls; where jansson is built
 * in, it reads the output back as the input repaired one code point at a time.
 */
#include "config.h"

#include <stdlib.h>

#include "base/json_escape.h"
#include "base/utf8.h"
#include "support/repaired.h"
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

#ifdef HAVE_JANSSON
static void reads_back(struct slice in, struct slice escaped)
{
	struct buf wanted = { 0 };
	json_t *value = json_loadb((const char *)escaped.data, escaped.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	append_repaired(&wanted, in);
	must(value && slice_equal(slice_of(json_string_value(value), json_string_length(value)), buf_slice(&wanted)));
	json_decref(value);
	buf_free(&wanted);
}
#else
static void reads_back(struct slice in, struct slice escaped)
{
	must(escaped.len >= 2 && in.len <= escaped.len);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice in = slice_of(data, size);
	struct buf out = { 0 };
	must(json_put_string(&out, in) == 0);
	must(utf8_valid_prefix(buf_slice(&out)) == out.len);
	for (size_t i = 0; i < out.len; i++)
		must(out.data[i] >= 0x20 && out.data[i] != 0x7f);
	reads_back(in, buf_slice(&out));
	buf_free(&out);
	return 0;
}
