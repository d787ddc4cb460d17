/* SPDX-License-Identifier: MIT */
/*
 * Packs where a document came from into ORIGIN_BYTES, and unpacks it again. Example: "urn:uuid:" and 36 characters
 * become 16 bytes.
 */
#include "config.h"

#include "dedup/origin.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "dedup/hash.h"

enum { AT_ID = 8, AT_FILE = 24, AT_FORM = 28, UUID_BYTES = 16, UUID_LEN = 45 };

enum { FORM_NONE, FORM_UUID, FORM_STRING };

static const char uuid_prefix[] = "urn:uuid:";

/* ---- UUIDs: urn:uuid:01234567-89ab-cdef-0123-456789abcdef ---- */

/* Refuses capitals: unpacking writes small letters, so the identifier would not come back as it was. */
static int hex_value(uint8_t c)
{
	return c == ascii_lower(c) ? ascii_hex(c) : -1;
}

static bool is_dash_after(unsigned byte)
{
	return byte == 3 || byte == 5 || byte == 7 || byte == 9;
}

static bool read_uuid(struct slice id, uint8_t uuid[UUID_BYTES])
{
	const uint8_t *p = id.data + sizeof(uuid_prefix) - 1;
	if (id.len != UUID_LEN || memcmp(id.data, uuid_prefix, sizeof(uuid_prefix) - 1) != 0)
		return false;
	for (unsigned i = 0; i < UUID_BYTES; i++, p += 2) {
		int high = hex_value(p[0]), low = hex_value(p[1]);
		if (high < 0 || low < 0 || (is_dash_after(i) && p[2] != '-'))
			return false;
		uuid[i] = (uint8_t)(high << 4 | low);
		p += is_dash_after(i);
	}
	return true;
}

/* ---- writing ---- */

static int name_number(struct origin_store *store, struct slice name, uint32_t *number)
{
	uint64_t *value;
	uint8_t len[4];
	store->seen.most_bytes = SIZE_MAX;
	int status = hash_map_put(&store->seen, hash64(name), &value);
	if (status == 0) {
		*value = ++store->n_names;
		little_endian_put_32(len, (uint32_t)name.len);
		buf_append(&store->names, len, sizeof(len));
		buf_append(&store->names, name.data, name.len);
		status = buf_status(&store->names);
	}
	if (status < 0)
		return status;
	*number = (uint32_t)*value - 1;
	return DANA_OK;
}

int origin_pack(struct origin_store *store, const struct origin *o, uint8_t record[ORIGIN_BYTES])
{
	uint32_t file, form = FORM_NONE;
	int status = name_number(store, o->file, &file);
	if (status < 0)
		return status;
	memset(record, 0, ORIGIN_BYTES);
	if (o->id.len && read_uuid(o->id, record + AT_ID)) {
		form = FORM_UUID;
	} else if (o->id.len) {
		form = FORM_STRING;
		little_endian_put_64(record + AT_ID, store->strings.len);
		little_endian_put_64(record + AT_ID + 8, o->id.len);
		status = buf_append(&store->strings, o->id.data, o->id.len);
	}
	little_endian_put_64(record, o->offset);
	little_endian_put_32(record + AT_FILE, file);
	little_endian_put_32(record + AT_FORM, form);
	return status;
}

void origin_store_write(const struct origin_store *store, struct index_writer *w)
{
	index_writer_next_section(w);
	index_writer_put(w, store->names.data, store->names.len);
	index_writer_next_section(w);
	index_writer_put(w, store->strings.data, store->strings.len);
}

void origin_store_free(struct origin_store *store)
{
	buf_free(&store->names);
	buf_free(&store->strings);
	hash_map_free(&store->seen);
	*store = (struct origin_store){ 0 };
}

/* ---- entries of journals ---- */

enum { ENTRY_HEAD = 16 };

int origin_entry_put(struct buf *out, const struct origin *o, const void *rest, size_t len)
{
	uint8_t head[ENTRY_HEAD];
	little_endian_put_64(head, o->offset);
	little_endian_put_32(head + 8, (uint32_t)o->id.len);
	little_endian_put_32(head + 12, (uint32_t)o->file.len);
	buf_append(out, head, sizeof(head));
	buf_append(out, o->id.data, o->id.len);
	buf_append(out, o->file.data, o->file.len);
	return buf_append(out, rest, len);
}

bool origin_entry_get(struct slice entry, struct origin *o, struct slice *rest)
{
	if (entry.len < ENTRY_HEAD)
		return false;
	const size_t id = little_endian_32(entry.data + 8), file = little_endian_32(entry.data + 12);
	*rest = slice_skip(entry, ENTRY_HEAD);
	if (id > rest->len || file > rest->len - id)
		return false;
	*o = (struct origin){ slice_first(*rest, id), slice_of(rest->data + id, file), little_endian_64(entry.data) };
	*rest = slice_skip(*rest, id + file);
	return true;
}

/* ---- reading ---- */

static int list_files(struct origin_names *n, const struct index_file *f, struct error *err)
{
	const struct slice all = slice_of(n->names, n->names_len);

	/* once to count, once to list */
	for (int round = 0; round < 2; round++) {
		n->n_files = 0;
		for (struct slice s = all; s.len; n->n_files++) {
			if (s.len < 4 || little_endian_32(s.data) > s.len - 4)
				return index_file_refuse(f, "is damaged: its list of files does not fit", err);
			const size_t len = little_endian_32(s.data);
			if (n->files)
				n->files[n->n_files] = slice_of(s.data + 4, len);
			s = slice_skip(s, 4 + len);
		}
		if (round == 0)
			n->files = calloc((size_t)n->n_files + 1, sizeof(*n->files));
		if (!n->files)
			return error_no_memory(err);
	}
	return DANA_OK;
}

int origin_names_load(struct origin_names *n, const struct index_file *f, unsigned names, unsigned strings,
		      struct error *err)
{
	*n = (struct origin_names){ 0 };
	int status = index_file_load(f, names, &n->names, err);
	if (status == DANA_OK)
		status = index_file_load(f, strings, &n->strings, err);
	if (status == DANA_OK) {
		n->names_len = (size_t)f->sections[names].bytes;
		n->strings_len = (size_t)f->sections[strings].bytes;
		status = list_files(n, f, err);
	}
	if (status < 0)
		origin_names_free(n);
	return status;
}

int origin_names_take(struct origin_names *n, struct origin_store *store, struct error *err)
{
	*n = (struct origin_names){
		store->names.data, store->strings.data, store->names.len, store->strings.len, NULL, 0
	};
	store->names = store->strings = (struct buf){ 0 };
	return list_files(n, NULL, err);
}

bool origin_unpack(const struct origin_names *n, const uint8_t record[ORIGIN_BYTES], struct buf *id, struct origin *o)
{
	uint32_t file = little_endian_32(record + AT_FILE), form = little_endian_32(record + AT_FORM);
	uint64_t at = little_endian_64(record + AT_ID), len = little_endian_64(record + AT_ID + 8);
	if (file >= n->n_files || form > FORM_STRING)
		return false;
	*o = (struct origin){ .file = n->files[file], .offset = little_endian_64(record) };
	buf_clear(id);
	if (form == FORM_UUID) {
		buf_append_text(id, uuid_prefix);
		for (unsigned i = 0; i < UUID_BYTES; i++)
			buf_printf(id, is_dash_after(i) ? "%02x-" : "%02x", record[AT_ID + i]);
		if (buf_status(id) < 0)
			return false;
		o->id = buf_slice(id);
	}
	if (form != FORM_STRING)
		return true;
	if (at > n->strings_len || len > n->strings_len - at)
		return false;
	o->id = slice_of(n->strings + at, (size_t)len);
	return true;
}

void origin_names_free(struct origin_names *n)
{
	free(n->names);
	free(n->strings);
	free(n->files);
	*n = (struct origin_names){ 0 };
}

int parts_add(struct parts *p, struct slice name, uint32_t count)
{
	struct origin_part *items = grow_items(p->items, p->n, &p->cap, sizeof(*items));
	if (!items)
		return DANA_ENOMEM;
	p->items = items;
	char *copy = malloc(name.len + 1);
	if (!copy)
		return DANA_ENOMEM;
	if (name.len)
		memcpy(copy, name.data, name.len);
	copy[name.len] = 0;
	items[p->n++] = (struct origin_part){ copy, count };
	return DANA_OK;
}

void inputs_write(const struct parts *p, const struct origin_store *store, struct index_writer *w)
{
	index_writer_next_section(w);
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
	origin_store_write(store, w);
}

static int take_line(struct parts *p, const struct index_file *f, struct slice line, struct error *err)
{
	uint64_t count;
	const size_t digits = decimal_prefix(line, &count);
	struct buf name = { 0 };
	if (digits == 0 || count > UINT32_MAX || digits >= line.len || line.data[digits] != ' ')
		return index_file_refuse(f, "is damaged: its list of inputs cannot be read", err);
	for (size_t i = digits + 1; i < line.len; i++) {
		const bool escaped = line.data[i] == '\\' && i + 1 < line.len;
		i += escaped;
		buf_append_byte(&name, escaped && line.data[i] == 'n' ? '\n' : line.data[i]);
	}
	int status = buf_status(&name);
	if (status == DANA_OK)
		status = parts_add(p, buf_slice(&name), (uint32_t)count);
	buf_free(&name);
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

int parts_load(struct parts *p, const struct index_file *f, unsigned section, struct error *err)
{
	uint8_t *text;
	int status = index_file_load(f, section, &text, err);
	if (status < 0)
		return status;
	for (struct slice rest = slice_of(text, (size_t)f->sections[section].bytes); status == DANA_OK && rest.len;) {
		const uint8_t *end = memchr(rest.data, '\n', rest.len);
		const size_t len = end ? (size_t)(end - rest.data) : rest.len;
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
