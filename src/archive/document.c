/* SPDX-License-Identifier: MIT */
#include "archive/document.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/utf8.h"
#include "dana/archive.h"

const char *problem_word(unsigned bit)
{
#define PROBLEM_WORD(identifier, word) word,
	static const char *const words[PROBLEM_WORDS] = { PROBLEM_LIST(PROBLEM_WORD) };
	return bit < PROBLEM_WORDS ? words[bit] : "unknown";
}

const char *skip_word(enum skip_reason reason)
{
#define SKIP_WORD(identifier, word, remedy) word,
	static const char *const words[SKIP_REASONS] = { "none", SKIP_LIST(SKIP_WORD) };
	return reason < SKIP_REASONS ? words[reason] : "unknown";
}

const char *skip_remedy(enum skip_reason reason)
{
#define SKIP_REMEDY(identifier, word, remedy) remedy,
	static const char *const remedies[SKIP_REASONS] = { "", SKIP_LIST(SKIP_REMEDY) };
	return reason < SKIP_REASONS ? remedies[reason] : "";
}

#define ROW(kind, name, structure, member, of_page) \
	{ #name, FIELD_##kind, of_page, sizeof(#structure) == sizeof("record"), offsetof(struct structure, member) },

const struct document_field document_fields[DOCUMENT_FIELD_COUNT] = { DOCUMENT_FIELDS(ROW) };

static struct field_value text_value(bool known, struct slice text)
{
	return (struct field_value){ .is = known ? DANA_VALUE_TEXT : DANA_VALUE_NULL, .text = text };
}

static struct field_value count_value(bool known, uint64_t count)
{
	return (struct field_value){ .is = known ? DANA_VALUE_COUNT : DANA_VALUE_NULL, .count = count };
}

struct field_value document_value(const struct document *doc, const struct document_field *field)
{
	const void *at = (field->of_record ? (const char *)doc->record : (const char *)doc) + field->at;
	struct field_value none = { .is = DANA_VALUE_NONE }, other = { .is = DANA_VALUE_MEMBER };
	switch (field->kind) {
	case FIELD_TEXT:
		return text_value(true, *(const struct slice *)at);
	case FIELD_VALUE:
	case FIELD_HTML:
		return text_value(((const struct slice *)at)->len, *(const struct slice *)at);
	case FIELD_NAME:
	case FIELD_WORD: {
		const char *word = *(const char *const *)at;
		return text_value(field->kind == FIELD_NAME || (word && *word), slice_from_text(word ? word : ""));
	}
	case FIELD_COUNT:
		return count_value(true, *(const uint64_t *)at);
	case FIELD_TITLE:
		return text_value(doc->has_title, doc->title);
	case FIELD_SCORE:
		none.is = !doc->with_language        ? DANA_VALUE_NONE
			  : doc->language_score >= 0 ? DANA_VALUE_REAL
						     : DANA_VALUE_NULL;
		none.real = doc->language_score;
		return none;
	case FIELD_STATUS:
		return count_value(doc->http_status > 0, (uint64_t)doc->http_status);
	case FIELD_LENGTH:
		return count_value(doc->length_known, doc->length);
	case FIELD_MARKDOWN:
		return doc->with_markdown ? text_value(doc->markdown.data, doc->markdown) : none;
	case FIELD_COMMENTS:
		return doc->with_comments ? text_value(doc->comments.data, doc->comments) : none;
	case FIELD_RESOLVED:
		none.is = !doc->with_resolved  ? DANA_VALUE_NONE
			  : doc->resolved.data ? DANA_VALUE_JSON
					       : DANA_VALUE_NULL;
		none.text = doc->resolved;
		return none;
	case FIELD_BLOCKS:
		none.is = !doc->with_structure  ? DANA_VALUE_NONE
			  : doc->structure.data ? DANA_VALUE_JSON
						: DANA_VALUE_NULL;
		none.text = doc->structure;
		return none;
	case FIELD_TEXTS:
		return doc->n_texts ? other : none;
	case FIELD_TRUNCATED:
		other = (struct field_value){ .is = DANA_VALUE_BOOLEAN,
					      .count = (doc->problems & PROBLEM_TRUNCATED) != 0 };
		return other;
	case FIELD_MEDIA:
		return doc->with_media ? other : none;
	case FIELD_PROBLEMS:
	default:
		return other;
	}
}

struct dana_value document_public_value(const struct document *doc, size_t field)
{
	static const struct record no_record = { 0 };
	static const struct document unknown = { .record = &no_record };
	if (field >= DOCUMENT_FIELD_COUNT)
		return (struct dana_value){ .is = DANA_VALUE_NONE };
	const struct field_value v = document_value(doc ? doc : &unknown, &document_fields[field]);
	struct dana_value value = { v.is, { NULL, 0 }, v.count, v.real };
	if (v.is == DANA_VALUE_TEXT || v.is == DANA_VALUE_JSON)
		value.text = (struct dana_view){ v.text.len ? (const char *)v.text.data : "", v.text.len };
	return value;
}

void document_set_text(struct document *doc, struct slice text)
{
	doc->text = text;
	doc->text_chars = utf8_count(text);
}

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

/* Returns the slice that field `i` is kept in, if the document itself has one. */
static struct slice *slice_field(struct document *doc, size_t i)
{
	const struct document_field *f = &document_fields[i];
	const bool is_slice = f->kind == FIELD_TEXT || f->kind == FIELD_VALUE || f->kind == FIELD_TITLE ||
			      f->kind == FIELD_MARKDOWN || f->kind == FIELD_COMMENTS || f->kind == FIELD_BLOCKS ||
			      f->kind == FIELD_RESOLVED || f->kind == FIELD_HTML;
	return is_slice && !f->of_record ? (struct slice *)(void *)((char *)doc + f->at) : NULL;
}

int document_copy(struct document *to, const struct document *from, struct arena *arena)
{
	*to = *from;
	struct slice *const slices[] = { &to->languages, &to->warcinfo_date, &to->additions, &to->http_lines,
					 &to->attached };
	struct dana_media *media = to->n_media ? arena_alloc(arena, to->n_media * sizeof(*media)) : NULL;
	struct dana_method_text *texts = to->n_texts ? arena_alloc(arena, to->n_texts * sizeof(*texts)) : NULL;
	bool good = (media || to->n_media == 0) && (texts || to->n_texts == 0) &&
		    (!to->charset || copy_text(&to->charset, strlen(to->charset), arena));
	for (size_t i = 0; i < to->n_media && good; i++) {
		media[i] = from->media[i];
		good = copy_text(&media[i].url, media[i].url_len, arena) &&
		       copy_text(&media[i].alt, media[i].alt_len, arena) &&
		       copy_text(&media[i].base, media[i].base_len, arena);
	}
	for (size_t i = 0; i < to->n_texts && good; i++) {
		texts[i] = from->texts[i];
		good = copy_text(&texts[i].text.data, texts[i].text.len, arena);
	}
	to->media = media;
	to->texts = texts;
	if (to->blocks && good) {
		const struct slice all = arena_copy(arena, slice_of(to->blocks, to->n_blocks * sizeof(*to->blocks)));
		to->blocks = (const struct dana_text_block *)(const void *)all.data;
		good = to->blocks != NULL;
	}
	for (size_t i = 0; i < sizeof(slices) / sizeof(*slices) && good; i++)
		good = copy_slice(slices[i], arena);
	for (size_t i = 0; i < DOCUMENT_FIELD_COUNT && good; i++)
		good = !slice_field(to, i) || copy_slice(slice_field(to, i), arena);
	return good ? DANA_OK : DANA_ENOMEM;
}

void document_forget(struct document *doc)
{
	const struct slice gone = { NULL, 0 };
	for (size_t i = 0; i < DOCUMENT_FIELD_COUNT; i++) {
		if (slice_field(doc, i))
			*slice_field(doc, i) = gone;
	}
	doc->languages = doc->additions = doc->http_lines = doc->attached = gone;
	doc->media = NULL;
	doc->blocks = NULL;
	doc->texts = NULL;
	doc->n_texts = 0;
}
