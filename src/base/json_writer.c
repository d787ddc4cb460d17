/* SPDX-License-Identifier: MIT */
#include "base/json_writer.h"

#include "base/json_escape.h"

static void begin_value(struct json_writer *w)
{
	if (w->comma)
		buf_append_byte(w->out, ',');
	w->comma = true;
}

static void begin_group(struct json_writer *w, char bracket)
{
	begin_value(w);
	buf_append_byte(w->out, (uint8_t)bracket);
	w->comma = false;
}

static void end_group(struct json_writer *w, char bracket)
{
	buf_append_byte(w->out, (uint8_t)bracket);
	w->comma = true;
}

void json_no_value(struct json_writer *w)
{
	begin_value(w);
	buf_append_text(w->out, "null");
}

static void null_member(struct json_writer *w, const char *name)
{
	json_key(w, name);
	json_no_value(w);
}

void json_object_begin(struct json_writer *w)
{
	begin_group(w, '{');
}

void json_object_end(struct json_writer *w)
{
	end_group(w, '}');
}

void json_array_begin(struct json_writer *w)
{
	begin_group(w, '[');
}

void json_array_end(struct json_writer *w)
{
	end_group(w, ']');
}

void json_element(struct json_writer *w, struct slice value)
{
	begin_value(w);
	json_put_string(w->out, value);
}

void json_key(struct json_writer *w, const char *name)
{
	begin_value(w);
	buf_append_byte(w->out, '"');
	buf_append_text(w->out, name);
	buf_append_text(w->out, "\":");
	w->comma = false;
}

void json_name(struct json_writer *w, struct slice name)
{
	json_element(w, name);
	buf_append_byte(w->out, ':');
	w->comma = false;
}

void json_text(struct json_writer *w, const char *name, struct slice value)
{
	json_key(w, name);
	json_element(w, value);
}

void json_text_or_null(struct json_writer *w, const char *name, struct slice value)
{
	if (value.len)
		json_text(w, name, value);
	else
		null_member(w, name);
}

void json_count(struct json_writer *w, const char *name, uint64_t value)
{
	json_key(w, name);
	begin_value(w);
	json_put_number(w->out, value);
}

void json_count_or_null(struct json_writer *w, const char *name, bool known, uint64_t value)
{
	if (known)
		json_count(w, name, value);
	else
		null_member(w, name);
}

void json_decimal(struct json_writer *w, const char *name, double value, int decimals)
{
	json_key(w, name);
	begin_value(w);
	buf_printf(w->out, "%.*f", decimals, value);
}

void json_raw(struct json_writer *w, const char *name, struct slice json)
{
	json_key(w, name);
	begin_value(w);
	buf_append(w->out, json.data, json.len);
}

void json_bool(struct json_writer *w, const char *name, bool value)
{
	json_key(w, name);
	begin_value(w);
	buf_append_text(w->out, value ? "true" : "false");
}
