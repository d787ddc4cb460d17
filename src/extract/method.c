/* SPDX-License-Identifier: MIT */
/*
 * Keys of a method, "danag:gap=40,rank=value": each pair is looked up in the method's table of keys, its value is read
 * as the key requires (a number in a range, one of some words, or any text) and passed to the method.
 */
#include "extract/method.h"

#include <stdio.h>

#include "base/ascii.h"
#include "base/diagnostics.h"
#include "extract/family/methods.h"
#include "extract/learned/classifier.h"
#include "extract/papers/methods.h"

enum { SHOWN = 200 };

const struct method_words method_words_default = {
	METHOD_WORDS_OF_CHAINS,
	.above = "content",
	.below = "code",
	.above_name = "content",
	.below_name = "code",
	.smoothed = "smoothed difference of content and code",
	.none = "no region: the smoothed value is not positive",
};

static const char *option_of(const struct method *m)
{
	return m->option ? m->option : "--method";
}

int method_setting_read(const struct method *m, struct slice pair, struct method_setting *setting, struct error *err)
{
	const uint8_t *equals = pair.len ? memchr(pair.data, '=', pair.len) : NULL;
	struct slice name = slice_of(pair.data, equals ? (size_t)(equals - pair.data) : pair.len);
	char shown[SHOWN];
	if (!m->keys)
		return error_set(err, DANA_ECONFIG, "--method: '%s': %s has no keys; expected %s",
				 printable(pair, shown, sizeof(shown)), m->name, m->name);
	*setting = (struct method_setting){ .key = m->keys };
	while (setting->key->name && !slice_equal(name, slice_from_text(setting->key->name)))
		setting->key++;
	if (!setting->key->name) {
		struct buf names = { 0 };
		char where[SHOWN];
		for (const struct method_key *k = m->keys; k->name; k++)
			buf_printf(&names, "%s%s", k == m->keys ? "" : "|", k->name);
		int status = buf_append_byte(&names, 0);
		(void)snprintf(where, sizeof(where), "%s: key of %s", option_of(m), m->name);
		if (status == DANA_OK)
			status = word_refuse((const char *)names.data, name, where, err);
		buf_free(&names);
		return status;
	}
	setting->value = equals ? slice_skip(pair, name.len + 1) : slice_of(NULL, 0);
	const struct method_key *k = setting->key;
	uint64_t n = 0;
	const int word = k->words ? word_index(k->words, setting->value) : -1;
	bool fits = k->words ? word >= 0 : setting->value.len > 0;
	if (!k->words && k->most)
		fits = decimal_number(setting->value, k->most, &n) && n >= k->least;
	setting->number = (unsigned long)(k->words ? (uint64_t)word : n);
	if (fits)
		return DANA_OK;
	struct buf values = { 0 };
	int status = method_key_values(setting->key, &values);
	if (status == DANA_OK)
		status = error_set(err, DANA_ECONFIG, "%s: %s of %s: '%s' is not allowed; expected %.*s", option_of(m),
				   setting->key->name, m->name, printable(setting->value, shown, sizeof(shown)),
				   (int)values.len, (const char *)values.data);
	buf_free(&values);
	return status;
}

int method_key_values(const struct method_key *key, struct buf *out)
{
	if (key->most)
		return buf_printf(out, "%lu to %lu", key->least, key->most);
	return buf_append_text(out, key->words ? key->words : key->argument);
}

bool method_setting_is(const struct method_setting *setting, const char *key)
{
	return strcmp(setting->key->name, key) == 0;
}

struct slice method_next_pair(struct slice *keys)
{
	const uint8_t *comma = memchr(keys->data, ',', keys->len);
	struct slice pair = slice_of(keys->data, comma ? (size_t)(comma - keys->data) : keys->len);
	*keys = slice_skip(*keys, pair.len + (comma != NULL));
	return pair;
}

int method_configure(const struct method *m, void *state, struct slice keys)
{
	while (keys.len) {
		struct method_setting setting;
		int status = method_setting_read(m, method_next_pair(&keys), &setting, NULL);
		if (status < 0)
			return status;
		status = m->set(state, &setting);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

#define METHOD_ROW(name) &method_##name,

/* In the order of `dana methods`. */
static const struct method *const methods[] = { FAMILY_METHODS(METHOD_ROW) PAPERS_METHODS(METHOD_ROW) &
						method_learned };

const struct method *method_at(size_t index)
{
	return index < sizeof(methods) / sizeof(*methods) ? methods[index] : NULL;
}

const struct method *method_find(struct slice spec, struct slice *keys)
{
	const uint8_t *colon = spec.len ? memchr(spec.data, ':', spec.len) : NULL;
	size_t len = colon ? (size_t)(colon - spec.data) : spec.len;
	*keys = colon ? slice_skip(spec, len + 1) : slice_of(NULL, 0);
	const struct method *m;
	for (size_t i = 0; (m = method_at(i)); i++) {
		if (slice_equal(slice_of(spec.data, len), slice_from_text(m->name)))
			return m;
	}
	return NULL;
}

/* ---- lists of parts: 3..5 and 9..12 of a page become 0..3 dropped, 3..5 kept, 5..9 dropped, 9..12 kept ---- */

static int add(struct buf *spans, uint64_t from, uint64_t to, enum span_fate fate)
{
	const struct method_span span = { .from = from, .to = to, .fate = (uint8_t)fate };
	return from < to ? buf_append(spans, &span, sizeof(span)) : DANA_OK;
}

/* Returns where the list ends; the rest of the page, if it is listed as dropped, is taken off. */
static uint64_t list_end(struct buf *spans)
{
	struct method_span last;
	if (spans->len < sizeof(last))
		return 0;
	memcpy(&last, spans->data + spans->len - sizeof(last), sizeof(last));
	if (last.fate != SPAN_DROPPED)
		return last.to;
	spans->len -= sizeof(last);
	return last.from;
}

int span_list_keep(struct buf *spans, uint64_t from, uint64_t to)
{
	const uint64_t end = list_end(spans);
	from = from > end ? from : end;
	int status = add(spans, end, from, SPAN_DROPPED);
	return status < 0 ? status : add(spans, from, to, SPAN_SHOWN);
}

int span_list_drop_rest(struct buf *spans, uint64_t to)
{
	return add(spans, list_end(spans), to, SPAN_DROPPED);
}
