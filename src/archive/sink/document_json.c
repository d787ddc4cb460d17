/* SPDX-License-Identifier: MIT */
#include "archive/sink/document_json.h"

#include "dana/archive.h"

void document_json_title(struct json_writer *w, const struct document *doc)
{
	if (doc->has_title)
		json_text(w, "title", doc->title);
	else
		json_text_or_null(w, "title", slice_of(NULL, 0));
}

void document_json_language(struct json_writer *w, const struct document *doc)
{
	json_text_or_null(w, "language", doc->language);
	if (!doc->with_language)
		return;
	if (doc->language_score >= 0)
		json_decimal(w, "language_score", doc->language_score, 4);
	else
		json_text_or_null(w, "language_score", slice_of(NULL, 0));
}

static void texts_of_methods(struct json_writer *w, const struct document *doc)
{
	json_key(w, "texts");
	json_object_begin(w);
	for (size_t i = 0; i < doc->n_texts; i++) {
		const struct dana_method_text *text = &doc->texts[i];
		json_name(w, slice_from_text(text->method));
		if (text->text.data)
			json_element(w, slice_of(text->text.data, text->text.len));
		else
			json_no_value(w);
	}
	json_object_end(w);
}

void document_json_texts(struct json_writer *w, const struct document *doc)
{
	if (doc->with_markdown && doc->markdown.data)
		json_text(w, "markdown", doc->markdown);
	else if (doc->with_markdown)
		json_text_or_null(w, "markdown", slice_of(NULL, 0));
	if (doc->with_structure && doc->structure.data)
		json_raw(w, "blocks", doc->structure);
	else if (doc->with_structure)
		json_text_or_null(w, "blocks", slice_of(NULL, 0));
	if (doc->n_texts)
		texts_of_methods(w, doc);
}

void document_json_problems(struct json_writer *w, unsigned set)
{
	json_bool(w, "truncated", set & PROBLEM_TRUNCATED);
	json_key(w, "problems");
	json_array_begin(w);
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++) {
		if (set >> bit & 1)
			json_element(w, slice_from_text(problem_word(bit)));
	}
	json_array_end(w);
}

void document_json_media(struct json_writer *w, const struct document *doc)
{
	if (!doc->with_media)
		return;
	json_key(w, "media");
	json_array_begin(w);
	for (size_t i = 0; i < doc->n_media; i++) {
		const struct dana_media *m = &doc->media[i];
		json_object_begin(w);
		json_text(w, "type", slice_from_text(m->type));
		json_text_or_null(w, "url", slice_of(m->url, m->url_len));
		json_count_or_null(w, "width", m->width != 0, m->width);
		json_count_or_null(w, "height", m->height != 0, m->height);
		json_text_or_null(w, "alt", slice_of(m->alt, m->alt_len));
		json_object_end(w);
	}
	json_array_end(w);
}
