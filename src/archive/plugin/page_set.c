/* SPDX-License-Identifier: MIT */
/*
 * What plugins set of a page: another text, its language, a rule that drops it, counts, failures. Each value is checked
 * and copied, as the plugin may free its own. JSON members are in members.c.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "archive/plugin/page_private.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "dana/archive.h"

enum { LINE = 1024 };

int page_fail(struct dana_page *p, const char *format, ...)
{
	char message[LINE];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(&p->error, plugin_status_of(message), "%s", message);
}

static bool is_utf8(struct slice s)
{
	return utf8_valid_prefix(s) == s.len;
}

int page_set_text(struct dana_page *p, struct dana_view value)
{
	const struct slice s = slice_of(value.data, value.len);
	if (!p->doc)
		return page_fault(p, DANA_EPLUGIN, "set_text is called before there is a text");
	if (!is_utf8(s))
		return page_fault(p, DANA_EPLUGIN, "set_text: the text is not UTF-8");
	struct buf *to = &p->text[p->text_number ^= 1];
	buf_clear(to);
	if (buf_append(to, s.data, s.len) < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	p->doc->text = buf_slice(to);
	p->doc->text_chars = utf8_count(p->doc->text);
	p->doc->blocks = NULL;
	if (p->doc->with_markdown || p->doc->with_structure) { /* it would still say what the plugin took out */
		p->doc->markdown = p->doc->structure = slice_of(NULL, 0);
		p->doc->problems |= PROBLEM_STRUCTURE_CUT;
	}
	for (size_t i = 0; i < p->doc->n_texts; i++) { /* and so would these */
		p->doc->texts[i].text = (struct dana_view){ NULL, 0 };
		p->doc->problems |= PROBLEM_TEXTS_MISSING;
	}
	p->lines->known = false;
	p->text_changed = true;
	return DANA_OK;
}

/* Returns whether the value has only letters, digits, '-' and commas: nothing that could end a field of a WARC head. */
static bool is_language(struct dana_view v)
{
	for (size_t i = 0; i < v.len; i++) {
		const uint8_t c = (uint8_t)v.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-' && c != ',')
			return false;
	}
	return true;
}

static int keep(struct buf *to, struct dana_view value, struct slice *kept)
{
	buf_clear(to);
	int status = buf_append(to, value.data, value.len);
	*kept = buf_slice(to);
	return status;
}

int page_set_language(struct dana_page *p, struct dana_view tag, struct dana_view codes, double score)
{
	if (!p->doc || !(p->now->def->flags & DANA_PLUGIN_LANGUAGE))
		return page_fault(p, DANA_EPLUGIN, "set_language needs a page and the flag DANA_PLUGIN_LANGUAGE");
	if (!is_language(tag) || !is_language(codes) || !(score <= 1))
		return page_fault(p, DANA_EPLUGIN, "set_language: the tag or the list of codes is not valid");
	if (keep(&p->tag, tag, &p->doc->language) < 0 || keep(&p->codes, codes, &p->doc->languages) < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	p->doc->language_score = score;
	return DANA_OK;
}

int page_drop(struct dana_page *p, const char *rule)
{
	/* The rule goes into JSON, which must be well-formed. */
	const size_t len = utf8_valid_prefix(slice_first(slice_from_text(rule), sizeof(p->rule) - 1));

	memcpy(p->rule, rule, len);
	p->rule[len] = '\0';
	return DANA_DROP;
}

void page_count(struct dana_page *p, size_t index, uint64_t n)
{
	const struct plugin_names *names = &p->set->names;
	const size_t at = p->now->first_counter + index;
	if (at >= names->n_counters || names->counter[at].plugin != p->now->number)
		return;
	p->counts[at] += n;
	p->counted = true;
}

int page_attach(struct dana_page *p, const void *data, size_t len)
{
	if (buf_append(&p->attached, data, len) < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	return DANA_OK;
}

void *page_memory(struct dana_page *p, size_t size)
{
	return arena_alloc(p->memory, size);
}
