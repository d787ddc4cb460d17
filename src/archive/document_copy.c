/* SPDX-License-Identifier: MIT */
#include "archive/document_copy.h"

#include "base/arena.h"
#include "base/status.h"
#include "dana/archive.h"

static bool copy_slice(struct slice *s, struct arena *arena)
{
	if (!s->data)
		return true;
	*s = arena_copy(arena, *s);
	return s->data != NULL;
}

static bool copy_text(const char **text, size_t len, struct arena *arena)
{
	struct slice s = slice_of(*text, len);
	bool good = copy_slice(&s, arena);
	*text = (const char *)s.data;
	return good;
}

static bool copy_media(struct document *doc, struct arena *arena)
{
	struct dana_media *list = doc->n_media ? arena_alloc(arena, doc->n_media * sizeof(*list)) : NULL;
	bool good = list || doc->n_media == 0;
	for (size_t i = 0; i < doc->n_media && good; i++) {
		list[i] = doc->media[i];
		good = copy_text(&list[i].url, list[i].url_len, arena) &&
		       copy_text(&list[i].alt, list[i].alt_len, arena) &&
		       copy_text(&list[i].base, list[i].base_len, arena);
	}
	doc->media = list;
	return good;
}

static bool copy_blocks(struct document *doc, struct arena *arena)
{
	if (!doc->blocks)
		return true;
	const struct slice all = arena_copy(arena, slice_of(doc->blocks, doc->n_blocks * sizeof(*doc->blocks)));
	doc->blocks = (const struct dana_text_block *)(const void *)all.data;
	return doc->blocks != NULL;
}

static bool copy_texts(struct document *doc, struct arena *arena)
{
	struct dana_method_text *list = doc->n_texts ? arena_alloc(arena, doc->n_texts * sizeof(*list)) : NULL;
	bool good = list || doc->n_texts == 0;
	for (size_t i = 0; i < doc->n_texts && good; i++) {
		list[i] = doc->texts[i];
		good = copy_text(&list[i].text.data, list[i].text.len, arena);
	}
	doc->texts = list;
	return good;
}

int document_copy(struct document *to, const struct document *from, struct arena *arena)
{
	*to = *from;
	struct slice *const slices[] = { &to->content_type, &to->title,    &to->language,   &to->languages,
					 &to->text,         &to->markdown, &to->structure,  &to->warcinfo_date,
					 &to->additions,    &to->html,     &to->http_lines, &to->attached };
	bool good = copy_media(to, arena) && copy_blocks(to, arena) && copy_texts(to, arena) &&
		    (!to->charset || copy_text(&to->charset, strlen(to->charset), arena));
	for (size_t i = 0; i < sizeof(slices) / sizeof(*slices) && good; i++)
		good = copy_slice(slices[i], arena);
	return good ? DANA_OK : DANA_ENOMEM;
}

void document_forget(struct document *doc)
{
	const struct slice gone = { NULL, 0 };
	doc->text = doc->markdown = doc->structure = doc->title = doc->content_type = doc->language = doc->languages =
		gone;
	doc->additions = doc->html = doc->http_lines = doc->attached = gone;
	doc->media = NULL;
	doc->blocks = NULL;
	doc->texts = NULL;
	doc->n_texts = 0;
}
