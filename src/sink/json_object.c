#include "sink/json_object.h"

#include "base/status.h"
#include "extract/dana.h"
#include "sink/json_escape.h"

void json_raw(struct json_object *o, const char *text)
{
	buf_append_text(o->out, text);
}

void json_key(struct json_object *o, const char *name)
{
	json_raw(o, o->first ? "\"" : ",\"");
	json_raw(o, name);
	json_raw(o, "\":");
	o->first = false;
}

void json_text(struct json_object *o, const char *name, struct slice value)
{
	json_key(o, name);
	json_put_string(o->out, value);
}

void json_text_or_null(struct json_object *o, const char *name, struct slice value)
{
	json_key(o, name);
	json_put_string_or_null(o->out, value);
}

void json_count(struct json_object *o, const char *name, uint64_t value)
{
	json_key(o, name);
	json_put_number(o->out, value);
}

void json_count_or_null(struct json_object *o, const char *name, bool known, uint64_t value)
{
	if (known) {
		json_count(o, name, value);
	} else {
		json_key(o, name);
		json_raw(o, "null");
	}
}

void json_open(struct json_object *o)
{
	json_raw(o, "{");
	o->first = true;
}

void json_close(struct json_object *o)
{
	json_raw(o, "}");
	o->first = false;
}

void json_title(struct json_object *o, const struct document *doc)
{
	if (doc->has_title)
		json_text(o, "title", doc->title);
	else
		json_text_or_null(o, "title", slice_of(NULL, 0));
}

void json_problems(struct json_object *o, unsigned set)
{
	bool any = false;
	json_key(o, "truncated");
	json_raw(o, set & PROBLEM_TRUNCATED ? "true" : "false");
	json_key(o, "problems");
	json_raw(o, "[");
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++) {
		if (!(set >> bit & 1))
			continue;
		json_raw(o, any ? ",\"" : "\"");
		json_raw(o, problem_word(bit));
		json_raw(o, "\"");
		any = true;
	}
	json_raw(o, "]");
}

void json_media(struct json_object *o, const struct document *doc)
{
	if (!doc->with_media)
		return;
	json_key(o, "media");
	json_raw(o, "[");
	for (size_t i = 0; i < doc->n_media; i++) {
		const struct dana_media *m = &doc->media[i];
		json_raw(o, i ? "," : "");
		json_open(o);
		json_text(o, "type", slice_from_text(m->type));
		json_text_or_null(o, "url", slice_of(m->url, m->url_len));
		json_count_or_null(o, "width", m->width != 0, m->width);
		json_count_or_null(o, "height", m->height != 0, m->height);
		json_text_or_null(o, "alt", slice_of(m->alt, m->alt_len));
		json_close(o);
	}
	json_raw(o, "]");
}
