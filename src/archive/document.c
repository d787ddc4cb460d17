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

/* The columns of storages and kinds, as constants for the rows of the fields. */
#define OF_STORAGE(storage, column) COLUMN_OF_##storage = ARROW_##column,
#define OF_KIND(kind, storage, outputs, condition) \
	STORAGE_OF_##kind = STORED_##storage, KIND_COLUMN_##kind = COLUMN_OF_##storage, \
	OUTPUTS_OF_##kind = TO_##outputs, CONDITION_OF_##kind = WITH_##condition,
enum { FIELD_STORAGES(OF_STORAGE) };
enum { FIELD_KINDS(OF_KIND) };

#define ROW(kind, name, structure, member, place) \
	{ #name, \
	  FIELD_##kind, \
	  (enum field_storage)STORAGE_OF_##kind, \
	  (enum field_column)KIND_COLUMN_##kind, \
	  (enum field_outputs)OUTPUTS_OF_##kind, \
	  (enum field_condition)CONDITION_OF_##kind, \
	  place, \
	  sizeof(#structure) == sizeof("record"), \
	  offsetof(struct structure, member) },

const struct document_field document_fields[DOCUMENT_FIELD_COUNT] = { DOCUMENT_FIELDS(ROW) };

bool document_field_of_page(const struct document_field *field, bool finds_language)
{
	return field->place && (field->kind != FIELD_LANGUAGE || finds_language);
}

static struct field_value text_value(bool known, struct slice text)
{
	return (struct field_value){ .is = known ? DANA_VALUE_TEXT : DANA_VALUE_NULL, .text = text };
}

static struct field_value count_value(bool known, uint64_t count)
{
	return (struct field_value){ .is = known ? DANA_VALUE_COUNT : DANA_VALUE_NULL, .count = count };
}

static struct field_value list_value(const void *items, size_t count)
{
	return (struct field_value){ .is = DANA_VALUE_MEMBER, .text = slice_of(items, 0), .count = count };
}

/* Returns DANA_VALUE_NONE: it is not asked for; DANA_VALUE_NULL: a plugin has changed the text; else another kind. */
static enum dana_value_kind is_there(const struct document *doc, enum field_condition condition)
{
	const struct slice all = slice_from_text("");
	struct slice made = all;
	bool asked = true;
	switch (condition) {
	case WITH_ALL:
	case WITH_HTML:
		break;
	case WITH_LANGUAGE:
		asked = doc->with_language;
		break;
	case WITH_MARKDOWN:
		asked = doc->with_markdown;
		made = doc->markdown;
		break;
	case WITH_BLOCKS:
		asked = doc->with_structure;
		made = doc->structure;
		break;
	case WITH_COMMENTS:
		asked = doc->with_comments;
		made = doc->comments;
		break;
	case WITH_TEXTS:
		asked = doc->n_texts;
		break;
	case WITH_RESOLVED:
		asked = doc->with_resolved;
		made = doc->resolved;
		break;
	case WITH_MEDIA:
		asked = doc->with_media;
		break;
	}
	return !asked ? DANA_VALUE_NONE : !made.data ? DANA_VALUE_NULL : DANA_VALUE_MEMBER;
}

struct slice additions_member(struct slice members, struct slice name)
{
	for (size_t at = 0, end; at + 4 < members.len; at = end) {
		const size_t value = at + 2 + slice_until(slice_skip(members, at + 2), "\"") + 2;
		/* the value ends at the comma after it, outside of strings and brackets */
		bool in_string = false;
		size_t depth = 0;
		for (end = value; end < members.len; end++) {
			const uint8_t c = members.data[end];
			if (in_string && c == '\\')
				end++;
			else if (c == '"')
				in_string = !in_string;
			else if (!in_string && (c == '{' || c == '['))
				depth++;
			else if (!in_string && (c == '}' || c == ']'))
				depth--;
			else if (!in_string && c == ',' && depth == 0)
				break;
		}
		end = end < members.len ? end : members.len;
		if (value - at == name.len + 4 && memcmp(members.data + at + 2, name.data, name.len) == 0)
			return slice_of(members.data + value, end - value);
	}
	return slice_of(NULL, 0);
}

struct field_value document_value(const struct document *doc, const struct document_field *field)
{
	const void *at = (field->of_record ? (const char *)doc->record : (const char *)doc) + field->at;
	struct field_value value = { .is = is_there(doc, field->condition) };
	const char *word;
	if (value.is != DANA_VALUE_MEMBER)
		return value;
	switch (field->storage) {
	case STORED_TEXT:
		return text_value(true, *(const struct slice *)at);
	case STORED_VALUE:
		return text_value(((const struct slice *)at)->len, *(const struct slice *)at);
	case STORED_NAME:
	case STORED_WORD:
		word = *(const char *const *)at;
		return text_value(field->storage == STORED_NAME || (word && *word), slice_from_text(word ? word : ""));
	case STORED_COUNT:
		return count_value(true, *(const uint64_t *)at);
	case STORED_BLOCKS:
	case STORED_RESOLVED:
		value.is = DANA_VALUE_JSON;
		value.text = *(const struct slice *)at;
		return value;
	case STORED_TITLE:
		return text_value(doc->has_title, doc->title);
	case STORED_SCORE:
		value.is = doc->language_score >= 0 ? DANA_VALUE_REAL : DANA_VALUE_NULL;
		value.real = doc->language_score;
		return value;
	case STORED_STATUS:
		return count_value(doc->http_status > 0, (uint64_t)doc->http_status);
	case STORED_LENGTH:
		return count_value(doc->length_known, doc->length);
	case STORED_TRUNCATED:
		value.is = DANA_VALUE_BOOLEAN;
		value.count = (doc->problems & PROBLEM_TRUNCATED) != 0;
		return value;
	case STORED_PROBLEMS:
		return list_value(NULL, doc->problems);
	case STORED_TEXTS:
		return list_value(doc->texts, doc->n_texts);
	case STORED_MEDIA:
		return list_value(doc->media, doc->n_media);
	}
	return value;
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
	else if (v.is == DANA_VALUE_MEMBER)
		value.text.data = (const char *)v.text.data;
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
	const bool is_slice = f->storage == STORED_TEXT || f->storage == STORED_VALUE || f->storage == STORED_BLOCKS ||
			      f->storage == STORED_RESOLVED || f->storage == STORED_TITLE;
	return is_slice && !f->of_record ? (struct slice *)(void *)((char *)doc + f->at) : NULL;
}

int document_copy(struct document *to, const struct document *from, struct arena *arena)
{
	*to = *from;
	struct slice *const slices[] = { &to->languages, &to->warcinfo_date, &to->http_lines, &to->attached };
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
	doc->languages = doc->http_lines = doc->attached = gone;
	doc->media = NULL;
	doc->blocks = NULL;
	doc->texts = NULL;
	doc->n_texts = 0;
}

int document_keep_start(struct document *doc, const struct document *from, struct arena *arena)
{
	doc->title = slice_first(from->title, DOCUMENT_START);
	doc->text = slice_first(from->text, DOCUMENT_START);
	doc->language = from->language;
	doc->charset = from->charset;
	struct slice *const kept[] = { &doc->title, &doc->text, &doc->language };
	bool good = !doc->charset || copy_text(&doc->charset, strlen(doc->charset), arena);
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept) && good; i++)
		good = copy_slice(kept[i], arena);
	return good ? DANA_OK : DANA_ENOMEM;
}
