/* SPDX-License-Identifier: MIT */
#include "run/texts_check.h"

#include <stdio.h>

#include "base/ascii.h"
#include "base/near_name.h"
#include "dana/dana.h"
#include "extract/structure/style.h"
#include "extract/table.h"

/* Reads the list of texts; without one the plain text is written. */
static int read_list(const char *list, struct texts *texts, bool *plain, struct error *err)
{
	struct slice rest = slice_from_text(list ? list : "plain");
	*plain = false;
	while (rest.len) {
		const struct slice name = method_next_pair(&rest);
		if (slice_is(name, "plain")) {
			*plain = true;
		} else if (slice_is(name, "markdown")) {
			texts->structure |= DANA_MARKDOWN;
		} else if (slice_is(name, "blocks")) {
			texts->structure |= DANA_BLOCKS;
		} else {
			struct near_name near = near_name_of(name);
			near_name_offer_words(&near, "plain|markdown|blocks");
			return near_name_refuse(&near, "--text", "plain|markdown|blocks", err);
		}
	}
	return DANA_OK;
}

int texts_check_keys(const char *markdown, struct error *err)
{
	struct slice keys = slice_from_text(markdown ? markdown : "");
	int status = DANA_OK;
	while (keys.len && status == DANA_OK) {
		struct method_setting setting;
		status = method_setting_read(&style_method, method_next_pair(&keys), &setting, err);
	}
	return status;
}

bool texts_of_method(const char *spec)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(spec), &keys);
	return m && m->lists_spans;
}

/* Not all methods say which parts of the page they keep. */
static int check_method(const char *spec, struct error *err)
{
	struct slice keys;
	struct buf names = { 0 };
	const struct method *each, *m = method_find(slice_from_text(spec), &keys);
	if (!m || m->lists_spans)
		return DANA_OK;
	for (size_t i = 0; (each = method_at(i)); i++) {
		if (each->lists_spans)
			buf_printf(&names, "%s%s", names.len ? ", " : "", each->name);
	}
	int status = buf_status(&names);
	if (status == DANA_OK)
		status = error_set(err, DANA_ECONFIG, "--text: the method %s has no markdown; expected one of %.*s",
				   m->name, (int)names.len, (const char *)names.data);
	buf_free(&names);
	return status;
}

int texts_check(const struct text_options *options, const struct text_list *methods, struct texts *texts,
		struct error *err)
{
	bool plain;
	*texts = (struct texts){ .markdown = options->markdown,
				 .in_text = options->field == TEXT_FIELD_MARKDOWN,
				 .others = methods->at + 1,
				 .n_others = methods->n - 1 };
	int status = read_list(options->list, texts, &plain, err);
	if (texts->in_text)
		texts->structure |= DANA_MARKDOWN;
	if (options->dropped)
		texts->structure |= DANA_DROPPED;
	texts->without_plain = !plain && texts->structure & DANA_MARKDOWN;
	if (status == DANA_OK)
		status = texts_check_keys(options->markdown, err);
	if (status == DANA_OK && options->markdown && !(texts->structure & (DANA_MARKDOWN | DANA_BLOCKS)))
		return error_set(err, DANA_ECONFIG, "--markdown needs --text markdown or --text blocks");
	if (status == DANA_OK && options->dropped && !(texts->structure & DANA_BLOCKS))
		return error_set(err, DANA_ECONFIG, "--dropped needs --text blocks");
	return status == DANA_OK && texts->structure ? check_method(methods->at[0], err) : status;
}

bool texts_are_json(const struct texts *texts)
{
	return (texts->structure & DANA_BLOCKS) != 0;
}
