/* SPDX-License-Identifier: MIT */
#include "archive/sink/sink.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"

/*
 * A UUID made of a name (version 5, RFC 4122). The name has four lines: the id of the source record, the input's base
 * name, the record's number, the method (of Markdown "METHOD+markdown", of a method after the first "METHOD+NAME"). The
 * same input therefore gets the same ids in each run, on each machine; another method gets others.
 */

struct slice base_name(const char *path)
{
	struct slice name = slice_from_text(path);
	if (strstr(path, "://")) /* an address: what is asked of the server is not part of the file's name */
		name.len = strcspn(path, "?#");
	size_t i = name.len;
	while (i > 0 && path[i - 1] != '/')
		i--;
	return i < name.len ? slice_skip(name, i) : name;
}

/* The parts of the name, each with a line feed after it, which no part can hold. */
static int id_of(struct slice source, struct slice file, struct slice number, struct slice method, char *out)
{
	const struct slice parts[] = { source.len ? source : slice_from_text("-"), file, number, method };
	struct buf name = { 0 };
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		buf_append(&name, parts[i].data, parts[i].len);
		buf_append_byte(&name, '\n');
	}
	int status = buf_status(&name);
	if (status == DANA_OK) {
		memcpy(out, "urn:uuid:", 9);
		status = uuid_of_name(buf_slice(&name), out + 9);
	}
	buf_free(&name);
	return status;
}

int conversion_id(const struct document *doc, const char *form, char out[CONVERSION_ID + 1])
{
	struct buf number = { 0 }, method = { 0 };
	int status = buf_printf(&number, "%llu", (unsigned long long)record_number(doc->record));
	if (status == DANA_OK)
		status = buf_printf(&method, "%s%s", doc->method ? doc->method : "-", form);
	if (status == DANA_OK)
		status = id_of(doc->record->record_id, base_name(doc->file), buf_slice(&number), buf_slice(&method),
			       out);
	buf_free(&number);
	buf_free(&method);
	return status;
}

int warcinfo_id(const char *input, const char *filename, const char *method, char out[CONVERSION_ID + 1])
{
	return id_of(slice_from_text("warcinfo"), base_name(input ? input : "-"),
		     slice_from_text(filename ? filename : "-"), slice_from_text(method ? method : "-"), out);
}

#define SINK_ROW(name) &sink_##name,

const struct sink_ops *const sink_table[] = { SINKS(SINK_ROW) NULL };

const struct sink_ops *sink_find(const char *name)
{
	for (const struct sink_ops *const *s = sink_table; *s; s++) {
		if (strcmp((*s)->name, name) == 0)
			return *s;
	}
	return NULL;
}

bool sink_schema_find(const char *name, enum sink_schema *schema)
{
#define SCHEMA_WORD(identifier, word) word,
	static const char *const words[] = { SINK_SCHEMAS(SCHEMA_WORD) };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], name) != 0)
			continue;
		*schema = (enum sink_schema)i;
		return true;
	}
	return false;
}

/*
 * Units are collected until a member is full, then compressed at once. Where a member ends depends on the lengths of
 * units only, never on time or threads, so equal units give equal bytes. Example: units of 700 KiB, 600 KiB and 10 KiB
 * make two members: the first two, which pass 1 MiB together, and the last.
 *
 * Output that is not compressed goes the same way in blocks of 64 KiB, so that small documents do not cost a call
 * each.
 */

struct encoder {
	struct encoder_codec *codec;
	const struct encoder_ops *format;
	struct byte_sink *out;
	bool member_per_unit;
	bool stored;     /* no compression: units go through in blocks of about 64 KiB */
	struct buf open; /* units of the open member */
	struct buf packed;
	uint64_t bytes_out, members;
};

enum {
	STORED_BYTES = 64 << 10, /* of a block that is not compressed */
	KEPT_BYTES = 4 << 20,    /* memory of a buffer that is kept after a large member */
};

struct encoder *encoder_new(const struct encoder_ops *format, int level, bool member_per_unit, struct byte_sink *out)
{
	struct encoder *e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->format = format;
	e->out = out;
	e->stored = *format->suffix == 0;
	e->member_per_unit = member_per_unit && !e->stored;
	e->codec = format->open(level);
	if (e->codec)
		return e;
	free(e);
	return NULL;
}

static int write_out(struct encoder *e, struct slice bytes)
{
	if (bytes.len == 0)
		return DANA_OK;
	e->bytes_out += bytes.len;
	return byte_sink_write(e->out, bytes);
}

static int write_member(struct encoder *e, struct slice unit)
{
	if (e->stored)
		return write_out(e, unit);
	buf_clear(&e->packed);
	int status = e->format->unit(e->codec, unit, &e->packed);
	if (status == DANA_OK)
		status = write_out(e, buf_slice(&e->packed));
	buf_shrink(&e->packed, KEPT_BYTES);
	return status;
}

static int close_member(struct encoder *e)
{
	int status = write_member(e, buf_slice(&e->open));
	buf_clear(&e->open);
	buf_shrink(&e->open, KEPT_BYTES);
	e->members++;
	return status;
}

bool encoder_at_boundary(const struct encoder *e)
{
	return e->open.len == 0;
}

int encoder_settle(struct encoder *e)
{
	return e->stored && e->open.len ? close_member(e) : DANA_OK;
}

uint64_t encoder_members(const struct encoder *e)
{
	return e->stored || e->member_per_unit ? UINT64_MAX : e->members;
}

void encoder_go_on(struct encoder *e, uint64_t bytes)
{
	e->bytes_out = bytes;
}

int encoder_unit(struct encoder *e, struct slice unit)
{
	size_t enough = e->stored ? (size_t)STORED_BYTES : (size_t)ENCODER_MEMBER_BYTES;
	if (e->member_per_unit)
		return write_member(e, unit);
	int status = buf_append(&e->open, unit.data, unit.len);
	return status == DANA_OK && e->open.len >= enough ? close_member(e) : status;
}

/* An empty compressed output gets one empty member, so that it is a valid file; an empty plain output stays empty. */
int encoder_finish(struct encoder *e)
{
	return e->open.len || (e->bytes_out == 0 && !e->stored) ? close_member(e) : DANA_OK;
}

void encoder_free(struct encoder *e)
{
	if (!e)
		return;
	e->format->close(e->codec);
	buf_free(&e->open);
	buf_free(&e->packed);
	free(e);
}
