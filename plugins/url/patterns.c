/* SPDX-License-Identifier: MIT */
/*
 * Patterns are matched by the interpreter, not by JIT code: the two count steps differently, so that the result of a
 * pattern with too many steps would depend on the machine.
 */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "plugins/url/patterns.h"

#include <pcre2.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/printable.h"
#include "plugins/url/list_file.h"

enum { SHOWN = 128, REASON = 128 };

struct pattern {
	pcre2_code *code;
	struct slice text;
};

struct matcher {
	pcre2_match_context *limits;
	pcre2_match_data *data;
};

static int cannot_compile(struct slice text, int code, size_t offset, struct error *err)
{
	char shown[SHOWN];
	uint8_t reason[REASON];
	(void)pcre2_get_error_message(code, reason, sizeof(reason));
	return error_set(err, DANA_ECONFIG, "pattern '%s': %s, at character %zu", printable(text, shown, sizeof(shown)),
			 (const char *)reason, offset + 1);
}

int patterns_add(struct patterns *p, struct slice text, struct error *err)
{
	struct pattern *at = grow_items(p->at, p->n, &p->cap, sizeof(*at));
	int code = 0;
	size_t offset = 0;
	if (!at)
		return error_no_memory(err);
	p->at = at;
	uint8_t *copy = malloc(text.len + 1);
	if (!copy)
		return error_no_memory(err);
	memcpy(copy, text.data, text.len);
	pcre2_code *compiled = pcre2_compile(
		copy, text.len, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, NULL);
	if (!compiled) {
		free(copy);
		return cannot_compile(text, code, offset, err);
	}
	p->at[p->n++] = (struct pattern){ compiled, slice_of(copy, text.len) };
	return DANA_OK;
}

static int add_line(void *arg, struct slice text, const struct list_place *place, struct error *err)
{
	struct error why = { 0 };
	int status = patterns_add(arg, text, &why);
	return status < 0 ? error_set(err, status, "%s:%lu: %s", place->file, place->line, why.text) : DANA_OK;
}

int patterns_read(struct patterns *p, const char *file, struct error *err)
{
	return list_file_read(file, add_line, p, err);
}

struct slice patterns_find(const struct patterns *p, struct matcher *m, struct slice url, uint64_t *stopped)
{
	const uint8_t *subject = url.data ? url.data : (const uint8_t *)"";
	for (size_t i = 0; i < p->n; i++) {
		int result = pcre2_match(p->at[i].code, subject, url.len, 0, 0, m->data, m->limits);
		if (result >= 0)
			return p->at[i].text;
		*stopped += result != PCRE2_ERROR_NOMATCH;
	}
	return slice_of(NULL, 0);
}

static void free_text(struct slice text)
{
	void *owned;
	memcpy(&owned, &text.data, sizeof(owned)); /* slices borrow, this one owns */
	free(owned);
}

void patterns_free(struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++) {
		pcre2_code_free(p->at[i].code);
		free_text(p->at[i].text);
	}
	free(p->at);
	*p = (struct patterns){ NULL, 0, 0 };
}

struct matcher *matcher_new(void)
{
	struct matcher *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->limits = pcre2_match_context_create(NULL);
	m->data = pcre2_match_data_create(1, NULL);
	if (m->limits && m->data) {
		(void)pcre2_set_match_limit(m->limits, PATTERN_STEPS);
		return m;
	}
	matcher_free(m);
	return NULL;
}

void matcher_free(struct matcher *m)
{
	if (!m)
		return;
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->limits);
	free(m);
}
