/* SPDX-License-Identifier: MIT */
/*
 * Reads the options of a page by their names, checks them together, and writes the list of them for programs.
 *
 * Example: { "text=markdown", "exclude=nav, .ad" } of `danatext.extract(html, text="markdown", exclude="nav, .ad")`.
 */
#include "config.h"

#include "extract/page_options.h"

#include <stdint.h>
#include <stdio.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/slice.h"
#include "extract/method.h"
#include "extract/page_parts.h"
#include "extract/structure/structure.h"

enum { NAME_MOST = 32, SHOWN = 100 };

#define PAGE_ROW(name, word, type, words, ...) \
	{ #name, word, PAGE_OPTION_##type, words, offsetof(struct page_options, name) },

const struct page_option page_option_list[] = { PAGE_OPTIONS(PAGE_ROW, ){ .name = NULL } };

#define TYPE_TEXTS "texts"
#define TYPE_KEYS "keys"
#define TYPE_WORD "word"
#define TYPE_FLAG "flag"
#define TYPE_SELECTORS "selectors"
#define TYPE_LINES "lines"
#define TYPE_KEY "key"

/* What # makes of a text in quotes is one of JSON, as these have none but quotes to escape. */
#define PAGE_JSON(name, word, type, words, standard, help, ...) \
	",{\"name\":\"" #name "\",\"type\":\"" TYPE_##type "\",\"words\":" #words ",\"default\":" #standard \
							   ",\"help\":" #help "}"

const char *page_options_json(void)
{
	return "[{\"name\":\"method\",\"type\":\"methods\",\"words\":\"\",\"default\":\"" DANA_DEFAULT_METHOD
	       "\",\"help\":\"choose the extraction method; repeatable\"},{\"name\":\"plugins\",\"type\":"
	       "\"plugins\",\"words\":\"\",\"default\":\"\",\"help\":\"run a plugin on each page; "
	       "repeatable\"}" PAGE_OPTIONS(PAGE_JSON, ) "]";
}

/* Returns the row of a name; NULL: it is not known. */
static const struct page_option *find(struct slice name)
{
	char known[NAME_MOST];
	if (name.len >= sizeof(known))
		return NULL;
	for (size_t i = 0; i < name.len; i++)
		known[i] = name.data[i] == '-' ? '_' : (char)name.data[i];
	for (const struct page_option *row = page_option_list; row->name; row++) {
		if (slice_equal(slice_of(known, name.len), slice_from_text(row->name)))
			return row;
	}
	return NULL;
}

static int refuse_name(struct slice name, struct error *err)
{
	struct near_name near = near_name_of(name);
	struct buf names = { 0 };
	for (const struct page_option *row = page_option_list; row->name; row++) {
		near_name_offer(&near, row->name);
		buf_printf(&names, "%s%s", names.len ? ", " : "", row->name);
	}
	int status = buf_append_byte(&names, 0);
	if (status == DANA_OK)
		status = near_name_refuse(&near, "option of a page", (const char *)names.data, err);
	buf_free(&names);
	return status;
}

static int set_one(struct page_options *o, const char *named, struct error *err)
{
	static const char flags[] = "0|1|no|yes|false|true";
	const struct slice all = slice_from_text(named), name = slice_first(all, slice_until(all, "="));
	const struct page_option *row = find(name);
	if (!row || name.len == all.len)
		return refuse_name(name, err);
	const char *value = named + name.len + 1;
	void *member = (char *)o + row->at;
	int word;
	switch (row->type) {
	case PAGE_OPTION_TEXTS:
	case PAGE_OPTION_KEYS:
	case PAGE_OPTION_SELECTORS:
	case PAGE_OPTION_LINES:
		*(const char **)member = value;
		break;
	case PAGE_OPTION_KEY:
		*(const char **)member = named;
		break;
	case PAGE_OPTION_WORD:
		word = word_index(row->words, slice_from_text(value));
		if (word < 0)
			return word_refuse(row->words, slice_from_text(value), row->name, err);
		*(int *)member = word;
		break;
	case PAGE_OPTION_FLAG:
		word = word_index(flags, slice_from_text(value));
		if (word < 0)
			return word_refuse(flags, slice_from_text(value), row->name, err);
		*(bool *)member = word % 2;
		break;
	}
	return DANA_OK;
}

int page_options_set(struct page_options *o, const char *const *named, size_t n, struct error *err)
{
	int status = n && !named ? error_set(err, DANA_ECONFIG, "an option of a page is NULL") : DANA_OK;
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = named[i] ? set_one(o, named[i], err)
				  : error_set(err, DANA_ECONFIG, "an option of a page is NULL");
	return status;
}

/* Reads the list of texts; without one the plain text is written. */
static int read_texts(struct page_options *o, const char *dashes, struct error *err)
{
	static const char words[] = "plain|markdown|blocks";
	static const unsigned sets[] = { 0, DANA_MARKDOWN, DANA_BLOCKS };
	char where[NAME_MOST];
	bool plain = false;
	struct slice rest = slice_from_text(o->text ? o->text : "plain");
	do {
		const struct slice name = rest.len ? slice_trim(method_next_pair(&rest)) : rest;
		const int word = word_index(words, name);
		(void)snprintf(where, sizeof(where), "%stext", dashes);
		if (word < 0)
			return word_refuse(words, name, where, err);
		plain |= word == 0;
		o->structure |= sets[word];
	} while (rest.len);
	if (o->text_field == TEXT_FIELD_MARKDOWN)
		o->structure |= DANA_MARKDOWN;
	if (o->dropped)
		o->structure |= DANA_DROPPED;
	o->without_plain = !plain && o->structure & DANA_MARKDOWN;
	if (o->markdown && *o->markdown && !strchr(o->markdown, '=')) /* of other programs it is a flag */
		return error_set(err, DANA_ECONFIG,
				 "%smarkdown: '%s' is not KEY=VALUE, as links=0; %stext markdown writes Markdown",
				 dashes, o->markdown, dashes);
	if (o->markdown && !(o->structure & (DANA_MARKDOWN | DANA_BLOCKS)))
		return error_set(err, DANA_ECONFIG, "%smarkdown needs %stext markdown or %stext blocks", dashes, dashes,
				 dashes);
	if (o->dropped && !(o->structure & DANA_BLOCKS))
		return error_set(err, DANA_ECONFIG, "%sdropped needs %stext blocks", dashes, dashes);
	return DANA_OK;
}

static const char *text_at(const struct page_options *o, const struct page_option *row)
{
	return *(const char *const *)(const void *)((const char *)o + row->at);
}

/* Refuses KEY=VALUE,... of a method, in whose messages its option has two hyphens. */
static int check_keys(const struct method *m, struct slice keys, bool several, const char *dashes, struct error *err)
{
	int status = DANA_OK;
	while (keys.len && status == DANA_OK) {
		struct method_setting setting;
		struct error why = { 0 };
		status = method_setting_read(m, several ? method_next_pair(&keys) : keys, &setting, &why);
		if (status < 0)
			return error_set(err, why.status, "%s", why.text + (*dashes ? 0 : strspn(why.text, "-")));
		keys.len = several ? keys.len : 0;
	}
	return status;
}

static bool takes(const struct method *m, const char *key)
{
	const struct method_key *k = m->keys;
	while (k && k->name && strcmp(k->name, key) != 0)
		k++;
	return k && k->name;
}

/* Refuses a key, KEY=VALUE, that is an option of a page, by its value or because the method does not have it. */
static int check_key(const struct method *m, const char *name, const char *key, const char *dashes, struct error *err)
{
	const struct method *owner;
	if (takes(m, name))
		return check_keys(m, slice_from_text(key), false, dashes, err);
	for (size_t i = 0; (owner = method_at(i)) && !takes(owner, name);)
		i++;
	return error_set(err, DANA_ECONFIG, "%s is a key of the method %s, not of %s", name, owner ? owner->name : "-",
			 m->name);
}

/* Not all methods say which parts of the page they keep. */
static int refuse_structure(const char *name, const char *dashes, struct error *err)
{
	struct buf names = { 0 };
	const struct method *each;
	for (size_t i = 0; (each = method_at(i)); i++) {
		if (each->lists_spans)
			buf_printf(&names, "%s%s", names.len ? ", " : "", each->name);
	}
	int status = buf_status(&names);
	if (status == DANA_OK)
		status = error_set(err, DANA_ECONFIG, "%stext: the method %s has no markdown; expected one of %.*s",
				   dashes, name, (int)names.len, (const char *)names.data);
	buf_free(&names);
	return status;
}

int page_options_check(struct page_options *o, const char *method, const char *dashes, struct error *err)
{
	const struct slice markdown = slice_from_text(o->markdown ? o->markdown : "");
	struct style style = style_default;
	struct page_parts *parts;
	struct error why = { 0 };
	struct slice keys;
	int status = read_texts(o, dashes, err);
	if (status == DANA_OK)
		status = check_keys(&style_method, markdown, true, dashes, err);
	if (status == DANA_OK && method_configure(&style_method, &style, markdown) == DANA_OK) {
		o->elements = style.markup != NULL;
		o->front = o->structure & DANA_MARKDOWN && style.front;
	}
	if (status < 0)
		return status;
	status = page_parts_new(&parts, o, false, &why);
	page_parts_free(parts);
	if (status < 0)
		return error_set(err, why.status, "%s%s", dashes, why.text);
	const struct method *m = method_find(slice_from_text(method), &keys);
	for (const struct page_option *row = page_option_list; m && row->name && status == DANA_OK; row++) {
		const char *key = row->type == PAGE_OPTION_KEY ? text_at(o, row) : NULL;
		if (key)
			status = check_key(m, row->name, key, dashes, err);
	}
	return status == DANA_OK && m && o->structure && !m->lists_spans ? refuse_structure(m->name, dashes, err)
									 : status;
}

int page_options_configure(const struct page_options *o, const struct method *m, void *state)
{
	int status = DANA_OK;
	for (const struct page_option *row = page_option_list; row->name && status == DANA_OK; row++) {
		const char *key = row->type == PAGE_OPTION_KEY ? text_at(o, row) : NULL;
		if (key)
			status = method_configure(m, state, slice_from_text(key));
	}
	return status;
}

struct page_options page_options_of_plain(const struct page_options *o)
{
	struct page_options plain = *o;
	plain.structure = 0;
	plain.comments = o->comments ? DANA_PARTS_DROP : DANA_PARTS_KEEP;
	for (const struct page_option *row = page_option_list; row->name; row++) {
		if (row->type == PAGE_OPTION_KEY)
			*(const char **)(void *)((char *)&plain + row->at) = NULL;
	}
	return plain;
}
