/* SPDX-License-Identifier: MIT */
/* The members of a document's JSON object that are not a plain text or number (doc/FORMATS.md). */
#ifndef DANA_SINK_DOCUMENT_JSON_H
#define DANA_SINK_DOCUMENT_JSON_H

#include "archive/stream/document.h"
#include "base/json_writer.h"

/** "title": null when the page has none. */
void document_json_title(struct json_writer *w, const struct document *doc);
/** "language", and "language_score" when a plugin finds languages. */
void document_json_language(struct json_writer *w, const struct document *doc);
/** "markdown" and "blocks" where they are asked for; null if a plugin has changed the text. */
void document_json_texts(struct json_writer *w, const struct document *doc);
/** "truncated" and "problems", the words in the order of enum document_problem. */
void document_json_problems(struct json_writer *w, unsigned set);
/** "media" when the method lists any; nothing else. */
void document_json_media(struct json_writer *w, const struct document *doc);

#endif
