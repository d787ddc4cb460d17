/* SPDX-License-Identifier: MIT */
#include "archive/document.h"

#include <stddef.h>

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
	return (struct field_value){ .is = known ? VALUE_TEXT : VALUE_NULL, .text = text };
}

static struct field_value count_value(bool known, uint64_t count)
{
	return (struct field_value){ .is = known ? VALUE_COUNT : VALUE_NULL, .count = count };
}

struct field_value document_value(const struct document *doc, const struct document_field *field)
{
	const void *at = (field->of_record ? (const char *)doc->record : (const char *)doc) + field->at;
	struct field_value none = { .is = VALUE_NONE }, other = { .is = VALUE_OTHER };
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
		none.is = !doc->with_language ? VALUE_NONE : doc->language_score >= 0 ? VALUE_REAL : VALUE_NULL;
		none.real = doc->language_score;
		return none;
	case FIELD_STATUS:
		return count_value(doc->http_status > 0, (uint64_t)doc->http_status);
	case FIELD_LENGTH:
		return count_value(doc->length_known, doc->length);
	case FIELD_MARKDOWN:
		return doc->with_markdown ? text_value(doc->markdown.data, doc->markdown) : none;
	case FIELD_BLOCKS:
		none.is = !doc->with_structure ? VALUE_NONE : doc->structure.data ? VALUE_JSON : VALUE_NULL;
		none.text = doc->structure;
		return none;
	case FIELD_TEXTS:
		return doc->n_texts ? other : none;
	case FIELD_TRUNCATED:
		other = (struct field_value){ .is = VALUE_BOOLEAN, .count = (doc->problems & PROBLEM_TRUNCATED) != 0 };
		return other;
	case FIELD_MEDIA:
		return doc->with_media ? other : none;
	case FIELD_PROBLEMS:
	default:
		return other;
	}
}
