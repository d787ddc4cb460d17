/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/store/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/grow.h"

int parts_add(struct parts *p, struct slice name, uint32_t count)
{
	struct part *items = grow_items(p->items, p->n, &p->cap, sizeof(*items));

	if (!items)
		return DANA_ENOMEM;
	p->items = items;
	char *copy = malloc(name.len + 1);
	if (!copy)
		return DANA_ENOMEM;
	if (name.len)
		memcpy(copy, name.data, name.len);
	copy[name.len] = 0;
	items[p->n++] = (struct part){ copy, count };
	return DANA_OK;
}

void parts_write(const struct parts *p, struct index_writer *w)
{
	for (size_t i = 0; i < p->n; i++) {
		char count[16];
		int len = snprintf(count, sizeof(count), "%u ", p->items[i].count);
		index_writer_put(w, count, (size_t)len);
		for (const char *c = p->items[i].name; *c; c++) {
			if (*c == '\n' || *c == '\\')
				index_writer_put(w, *c == '\n' ? "\\n" : "\\\\", 2);
			else
				index_writer_put(w, c, 1);
		}
		index_writer_put(w, "\n", 1);
	}
}

static int take_name(struct parts *p, struct slice written, uint32_t count)
{
	struct buf name = { 0 };

	for (size_t i = 0; i < written.len; i++) {
		bool escaped = written.data[i] == '\\' && i + 1 < written.len;
		i += escaped;
		buf_append_byte(&name, escaped && written.data[i] == 'n' ? '\n' : written.data[i]);
	}
	int status = buf_status(&name);
	if (status == DANA_OK)
		status = parts_add(p, buf_slice(&name), count);
	buf_free(&name);
	return status;
}

static int take_line(struct parts *p, const struct index_file *f, struct slice line, struct error *err)
{
	uint64_t count;
	size_t digits = decimal_prefix(line, &count);

	if (digits == 0 || count > UINT32_MAX || digits >= line.len || line.data[digits] != ' ')
		return index_file_refuse(f, "is damaged: its list of inputs cannot be read", err);
	if (take_name(p, slice_skip(line, digits + 1), (uint32_t)count) < 0)
		return error_no_memory(err);
	return DANA_OK;
}

int parts_load(struct parts *p, const struct index_file *f, unsigned section, struct error *err)
{
	uint8_t *text;
	int status = index_file_load(f, section, &text, err);

	if (status < 0)
		return status;
	struct slice rest = slice_of(text, (size_t)f->sections[section].bytes);
	while (status == DANA_OK && rest.len) {
		const uint8_t *end = memchr(rest.data, '\n', rest.len);
		size_t len = end ? (size_t)(end - rest.data) : rest.len;
		status = take_line(p, f, slice_first(rest, len), err);
		rest = slice_skip(rest, len + 1);
	}
	free(text);
	return status;
}

size_t parts_find(const struct parts *p, struct slice name)
{
	for (size_t i = 0; i < p->n; i++) {
		if (slice_equal(slice_from_text(p->items[i].name), name))
			return i;
	}
	return SIZE_MAX;
}

void parts_free(struct parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->items[i].name);
	free(p->items);
	*p = (struct parts){ 0 };
}
