/* A JSON object under way. Failures latch in the buffer: members are written one after the other, then buf_status tells. */
#ifndef DANA_SINK_JSON_OBJECT_H
#define DANA_SINK_JSON_OBJECT_H

#include "base/buf.h"
#include "stream/document.h"

/** Begin with { .out = buffer }. */
struct json_object {
	struct buf *out;
	bool first; /* no member yet */
};

void json_open(struct json_object *o);
void json_close(struct json_object *o);
/** Bytes as they are. */
void json_raw(struct json_object *o, const char *text);
/** A member's name; its value must follow. */
void json_key(struct json_object *o, const char *name);
void json_text(struct json_object *o, const char *name, struct slice value);
/** null when `value` is empty. */
void json_text_or_null(struct json_object *o, const char *name, struct slice value);
void json_count(struct json_object *o, const char *name, uint64_t value);
void json_count_or_null(struct json_object *o, const char *name, bool known, uint64_t value);
/** "title": null when the page has none. */
void json_title(struct json_object *o, const struct document *doc);
/** "truncated" and "problems", the words in the order of enum document_problem. */
void json_problems(struct json_object *o, unsigned set);
/** "media" when the method lists any; nothing else. */
void json_media(struct json_object *o, const struct document *doc);

#endif
