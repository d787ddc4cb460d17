/* SPDX-License-Identifier: MIT */
#include "archive/sink/sink.h"

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
