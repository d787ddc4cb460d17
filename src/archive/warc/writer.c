/* SPDX-License-Identifier: MIT */
/*
 * Appends a record to a buffer. A value cannot break the head: with the value "a\r\nX: b" the field is written as one
 * line, "a  X: b". The buffer latches the lack of memory, so only the last append is asked.
 */
#include "archive/warc/writer.h"

#include <inttypes.h>

#include "base/ascii.h"
#include "base/status.h"

static void append_field(struct buf *out, const struct field *field)
{
	struct slice value = slice_trim(field->value);
	if (value.len == 0)
		return;
	buf_append(out, field->name.data, field->name.len);
	buf_append(out, ": ", 2);

	size_t start = out->len;
	buf_append(out, value.data, value.len);
	for (size_t i = start; i < out->len; i++) {
		if (out->data[i] == '\r' || out->data[i] == '\n' || out->data[i] == 0)
			out->data[i] = ' ';
	}
	buf_append(out, "\r\n", 2);
}

int warc_write(struct buf *out, const struct warc_output *record)
{
	size_t before = 0; /* fields before Content-Length */
	while (before < record->n_fields && !slice_is(record->fields[before].name, "Content-Type"))
		before++;
	if (before < record->n_fields)
		before++;
	buf_printf(out, "%s\r\n", record->version);
	for (size_t i = 0; i < before; i++)
		append_field(out, &record->fields[i]);
	buf_printf(out, "Content-Length: %" PRIu64 "\r\n", (uint64_t)record->block.len);
	for (size_t i = before; i < record->n_fields; i++)
		append_field(out, &record->fields[i]);
	buf_append(out, "\r\n", 2);
	buf_append(out, record->block.data, record->block.len);
	return buf_append(out, "\r\n\r\n", 4);
}
