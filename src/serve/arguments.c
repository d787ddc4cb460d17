/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/arguments.h"

#include <stdlib.h>

#include "base/ascii.h"

enum { ITEMS_MOST = 8 };

void arguments_add(struct arguments *a, const char *name, const char *value)
{
	struct buf text = { 0 };
	if (value)
		buf_printf(&text, "--%s=%s", name, value);
	else
		buf_append_text(&text, name);
	if (a->n == ARGUMENTS_MOST || buf_append_byte(&text, 0) < 0) {
		buf_free(&text);
		a->failed = true;
		return;
	}
	a->items[a->n++] = (char *)text.data;
}

/* URLs may hold anything but control characters; the others are words, numbers and lists of them. */
static bool is_harmless(const char *name, const char *value)
{
	bool url = strcmp(name, "url") == 0;
	for (; *value; value++) {
		uint8_t c = (uint8_t)*value;
		bool word = ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-_.,+", c)) ||
			    (c == '/' && strcmp(name, "mime") == 0) || (c == ':' && strcmp(name, "compress") == 0) ||
			    (c == '=' && strcmp(name, "markdown") == 0);
		if (url ? c < ' ' || c == 0x7f : !word)
			return false;
	}
	return true;
}

/* "learned,danag" becomes two arguments: keys of methods, which have commas too, are no parameters. */
static const char *add_each(struct arguments *a, const char *name, char *list)
{
	for (unsigned n = 0; list; n++) {
		char *item = list;
		list = strchr(item, ',');
		if (list)
			*list++ = 0;
		if (n == ITEMS_MOST)
			return "a parameter of the query has too many items";
		arguments_add(a, name, item);
	}
	return NULL;
}

const char *arguments_take(struct arguments *a, const struct request *r)
{
	struct buf value = { 0 };
	const char *wrong = NULL;
	for (size_t i = 0; r->route->parameters[i] && !wrong; i++) {
		const char *name = r->route->parameters[i];
		if (!request_parameter(r, name, &value))
			wrong = "a parameter of the query cannot be decoded";
		else if (!is_harmless(name, (const char *)value.data))
			wrong = "a parameter of the query has characters that it cannot have";
		else if (value.len > 1 && strcmp(name, "method") == 0)
			wrong = add_each(a, name, (char *)value.data);
		else if (value.len > 1)
			arguments_add(a, name, (const char *)value.data);
	}
	buf_free(&value);
	return wrong;
}

void arguments_free(struct arguments *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->items[i]);
}
