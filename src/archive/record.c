/* SPDX-License-Identifier: MIT */
#include "archive/record.h"

#include "archive/codec/codec.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/status.h"

const char *record_type_name(enum record_type type)
{
	static const char *const names[RECORD_OTHER + 1] = {
		[RECORD_WARCINFO] = "warcinfo",     [RECORD_RESPONSE] = "response",
		[RECORD_RESOURCE] = "resource",     [RECORD_REQUEST] = "request",
		[RECORD_METADATA] = "metadata",     [RECORD_REVISIT] = "revisit",
		[RECORD_CONVERSION] = "conversion", [RECORD_CONTINUATION] = "continuation",
	};
	return names[type];
}

struct slice record_field(const struct record *rec, const char *name)
{
	for (size_t i = 0; i < rec->n_fields; i++) {
		if (slice_is(rec->fields[i].name, name))
			return rec->fields[i].value;
	}
	return slice_of(NULL, 0);
}

static bool copy_slice(struct slice *s, struct arena *arena)
{
	if (s->len == 0) {
		*s = slice_of(s->data ? "" : NULL, 0);
		return true;
	}
	*s = arena_copy(arena, *s);
	return s->data != NULL;
}

int record_copy(struct record *to, const struct record *from, struct arena *arena)
{
	*to = *from;
	struct slice *heads[] = { &to->version,      &to->type_name, &to->target_uri,
				  &to->date,         &to->record_id, &to->content_type,
				  &to->payload_type, &to->truncated, &to->block_digest };
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		if (!copy_slice(heads[i], arena))
			return DANA_ENOMEM;
	}
	to->stays = slice_of(NULL, 0);
	struct record_segment *segments =
		from->n_segments ? arena_alloc(arena, from->n_segments * sizeof(*segments)) : NULL;
	if (from->n_segments && !segments)
		return DANA_ENOMEM;
	for (size_t i = 0; i < from->n_segments; i++) {
		segments[i] = from->segments[i];
		if (!copy_slice(&segments[i].block_digest, arena))
			return DANA_ENOMEM;
	}
	to->segments = segments;
	to->fields = NULL;
	if (from->n_fields == 0)
		return DANA_OK;
	struct field *fields = arena_alloc(arena, from->n_fields * sizeof(*fields));
	if (!fields)
		return DANA_ENOMEM;
	for (size_t i = 0; i < from->n_fields; i++) {
		fields[i] = from->fields[i];
		if (!copy_slice(&fields[i].name, arena) || !copy_slice(&fields[i].value, arena))
			return DANA_ENOMEM;
	}
	to->fields = fields;
	return DANA_OK;
}

const char *const record_suffixes[] = { RECORD_WARC_SUFFIX, RECORD_ARC_SUFFIX, NULL };

static bool cut_suffix(struct slice *name, const char *suffix)
{
	const size_t n = strlen(suffix);
	if (name->len < n || memcmp(name->data + name->len - n, suffix, n) != 0)
		return false;
	name->len -= n;
	return true;
}

bool record_file_name(struct slice *name)
{
	for (size_t i = 0; codec_containers[i] && !cut_suffix(name, codec_containers[i]->suffix);)
		i++;
	for (size_t i = 0; record_suffixes[i]; i++) {
		if (cut_suffix(name, record_suffixes[i]))
			return true;
	}
	return false;
}

const char *damage_word(enum damage_reason reason)
{
	static const char *const words[DAMAGE_REASONS] = {
		[DAMAGE_GARBAGE] = "garbage",
		[DAMAGE_BAD_HEAD] = "bad_head",
		[DAMAGE_HEAD_TOO_LARGE] = "head_too_large",
		[DAMAGE_BAD_VERSION] = "bad_version",
		[DAMAGE_BAD_LENGTH] = "bad_length",
		[DAMAGE_BAD_MEMBER] = "bad_member",
		[DAMAGE_BAD_DIGEST] = "bad_digest",
		[DAMAGE_TRUNCATED] = "truncated",
		[DAMAGE_NO_DICTIONARY] = "no_dictionary",
		[DAMAGE_NOT_AN_ARCHIVE] = "not_an_archive",
	};
	return reason < DAMAGE_REASONS ? words[reason] : "unknown";
}

/* The dates are copied, because their record is no longer valid when a document needs them. */

static int keep(struct buf *b, struct slice date)
{
	buf_clear(b);
	return buf_append(b, date.data, date.len);
}

int archive_dates_note(struct archive_dates *o, const struct record *rec)
{
	int status = DANA_OK;
	if (!o->has_first) {
		o->has_first = true;
		status = keep(&o->first_date, rec->date);
	}
	if (status == DANA_OK && rec->type == RECORD_WARCINFO)
		status = keep(&o->warcinfo_date, rec->date);
	return status;
}

void archive_dates_next_input(struct archive_dates *o)
{
	buf_clear(&o->warcinfo_date);
}

int archive_dates_set_first(struct archive_dates *o, struct slice date)
{
	o->has_first = true;
	return keep(&o->first_date, date);
}

int archive_dates_set_warcinfo(struct archive_dates *o, struct slice date)
{
	return keep(&o->warcinfo_date, date);
}

void archive_dates_free(struct archive_dates *o)
{
	buf_free(&o->first_date);
	buf_free(&o->warcinfo_date);
}
