/* SPDX-License-Identifier: MIT */
/*
 * A good archive, and the judgement of what a pump still delivers of it after damage. Every record that comes out must
 * be one of the archive's, once, unchanged and in order; only records that the damage touches may be lost, and one
 * more for each damage; what is lost is reported.
 *
 * A member touches records where it was cut anywhere: a damaged one takes with it all records that it holds a part of.
 *
 * A bit in the header of a zstd frame says that it has a checksum. Where one damage takes that bit and another one is
 * in the content, nothing tells that the content is not that of before: then a touched record may hold anything.
 */
#ifndef DANA_TESTS_SUPPORT_DAMAGED_ARCHIVE_H
#define DANA_TESTS_SUPPORT_DAMAGED_ARCHIVE_H

#include <stdio.h>
#include <stdlib.h>

#include "archive/codec/codec.h"
#include "archive/pump.h"
#include "base/hash.h"
#include "support/split_feed.h"

struct archive_kind {
	const char *format; /* of compression: "gzip", "zstd" */
	size_t cut;         /* decoded bytes of each member; 0: a member for each record */
	bool arc;
};

struct archive_record {
	size_t begin, end; /* decoded */
	uint32_t hash;     /* of its block */
};

struct archive_member {
	size_t begin;   /* in the file */
	size_t decoded; /* the decoded bytes before it */
};

struct archive {
	struct archive_kind kind;
	struct buf text, file;
	struct archive_record *records; /* with an end mark, as the members */
	struct archive_member *members;
	size_t n_records, n_members;
};

/* Text that compresses about as pages do; records that are `odd` have archived gzip files, and version lines where it
 * `quotes`. */
static inline void archive_block(struct buf *to, size_t len, bool odd, bool quotes, uint32_t *random)
{
	static const char *const words[] = {
		"<p>", "river ", "stone ", "the ", "a href=\"", "\">", "\r\n", "http://y"
	};
	static const uint8_t gzip[] = { 0x1f, 0x8b, 8,    0,    0,    0,    0, 0, 0, 3, 0x4b,
					4,    0,    0x43, 0xbe, 0xb7, 0xe8, 1, 0, 0, 0 }; /* "a" */
	const size_t end = to->len + len;
	while (!buf_status(to) && to->len < end) {
		const uint32_t number = split_random(random);
		if (odd && number % 30 == 0)
			buf_append(to, gzip, sizeof(gzip));
		else if (odd && quotes && number % 30 == 1)
			buf_append_text(to, "\nWARC/1.0\r\n");
		else if (number % 5 == 0)
			buf_printf(to, "%u ", number);
		else
			buf_append_text(to, words[number % 8]);
	}
	must(!buf_status(to));
	to->len = end;
}

static inline void archive_add_record(struct archive *a, size_t number, uint32_t *random)
{
	const size_t len = number % 64 == 63 ? 30000 : 20 + split_random(random) % 1200;
	struct archive_record *r = &a->records[number];
	struct buf *text = &a->text;
	r->begin = text->len;
	if (a->kind.arc)
		buf_printf(text, "http://x.org/%zu 192.0.2.1 20240501100000 text/html %zu\n", number, len);
	else
		buf_printf(text,
			   "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%zu>\r\n"
			   "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: http://x.org/%zu\r\n"
			   "Content-Length: %zu\r\n\r\n",
			   number, number, len);
	const size_t block = text->len;
	archive_block(text, len, number % 16 == 15, a->kind.cut && !a->kind.arc, random);
	r->hash = hash_fnv32(slice_of(text->data + block, len), HASH_FNV32_START);
	must(buf_append_text(text, a->kind.arc ? "\n" : "\r\n\r\n") == 0);
	r->end = text->len;
}

static inline void archive_compress(struct archive *a)
{
	const struct encoder_ops *ops = encoder_find(slice_from_text(a->kind.format));
	struct encoder_codec *encoder = ops ? ops->open(ops->level_default) : NULL;
	size_t record = 0;
	must_be(encoder != NULL, "no encoder");
	for (size_t at = 0; at < a->text.len;) {
		size_t end = a->kind.cut ? at + a->kind.cut : a->records[record++].end;
		end = end < a->text.len ? end : a->text.len;
		a->members[a->n_members++] = (struct archive_member){ a->file.len, at };
		must(ops->unit(encoder, slice_of(a->text.data + at, end - at), &a->file) == 0);
		at = end;
	}
	a->members[a->n_members] = (struct archive_member){ a->file.len, a->text.len };
	ops->close(encoder);
}

/* The same on each run. An ARC's first record has the record of the file before it. */
static inline void archive_make(struct archive *a, const struct archive_kind *kind, size_t records)
{
	static const char file_record[] =
		"filedesc://a.arc 0.0.0.0 20240501100000 text/plain 20\n1 0 InternetArchive\n\n";
	uint32_t random = 12345;
	*a = (struct archive){ .kind = *kind, .n_records = records };
	a->records = calloc(records, sizeof(*a->records));
	must(a->records != NULL);
	must(!kind->arc || buf_append_text(&a->text, file_record) == 0);
	for (size_t i = 0; i < records; i++)
		archive_add_record(a, i, &random);
	a->records[0].begin = 0;
	a->members = calloc(records + 2 + (kind->cut ? a->text.len / kind->cut : 0), sizeof(*a->members));
	must(a->members != NULL);
	archive_compress(a);
}

static inline void archive_free(struct archive *a)
{
	buf_free(&a->text);
	buf_free(&a->file);
	free(a->records);
	free(a->members);
}

/* Marks the records that lie in members which have a byte in `from` .. `to` of the file. */
static inline void archive_touch(const struct archive *a, size_t from, size_t to, bool *touched)
{
	for (size_t m = 0, r = 0; m < a->n_members && a->members[m].begin < to; m++) {
		const size_t begin = a->members[m].decoded, end = a->members[m + 1].decoded;
		while (a->records[r].end <= begin)
			r++;
		if (a->members[m + 1].begin <= from)
			continue;
		for (size_t i = r; i < a->n_records && a->records[i].begin < end; i++)
			touched[i] = true;
	}
}

/* Does a member begin at this place of the file? */
static inline bool archive_is_border(const struct archive *a, size_t at)
{
	size_t m = 0;
	while (a->members[m].begin < at)
		m++;
	return a->members[m].begin == at;
}

/* Returns where the member before that of a place of the file begins; of the first one, where that begins. */
static inline size_t archive_member_before(const struct archive *a, size_t at)
{
	size_t m = 1;
	while (a->members[m].begin <= at)
		m++;
	return a->members[m < 2 ? 0 : m - 2].begin;
}

/** Places are those of the good file. */
struct damage {
	enum damage_way { FLIP, OVERWRITE, ZEROS, CUT_OUT, PUT_IN, CUT_OFF, DAMAGE_WAYS } way;
	size_t at, len;
};

static inline void damage_apply(struct buf *file, const struct damage *d, uint32_t *random)
{
	switch (d->way) {
	case FLIP:
		file->data[d->at] ^= (uint8_t)(1U << split_random(random) % 8);
		break;
	case PUT_IN:
		must(buf_reserve(file, d->len) == 0);
		memmove(file->data + d->at + d->len, file->data + d->at, file->len - d->at);
		file->len += d->len;
		__attribute__((fallthrough));
	case OVERWRITE:
		for (size_t i = d->at; i < d->at + d->len; i++)
			file->data[i] = (uint8_t)split_random(random);
		break;
	case ZEROS:
		memset(file->data + d->at, 0, d->len);
		break;
	case CUT_OUT:
		memmove(file->data + d->at, file->data + d->at + d->len, file->len - d->at - d->len);
		file->len -= d->len;
		break;
	default:
		file->len = d->at;
		break;
	}
}

static inline int damage_from_the_end(const void *left, const void *right)
{
	const struct damage *a = left, *b = right;
	return a->at < b->at ? 1 : a->at > b->at ? -1 : 0;
}

/*
 * Are the bytes that this cuts out, or the same bytes elsewhere, whole members? All members begin alike: where the cut
 * goes from the header of one to the same place in the header of another, the header that is left fits the second.
 */
static inline bool damage_cuts_members(const struct archive *a, const struct damage *d)
{
	const uint8_t *file = a->file.data;
	for (size_t m = 0; m < a->n_members; m++) {
		const size_t at = a->members[m].begin, from = at < d->at ? at : d->at, to = at < d->at ? d->at : at;
		if (at + d->len <= a->file.len && archive_is_border(a, at + d->len) &&
		    memcmp(file + from, file + from + d->len, to - from) == 0)
			return true;
	}
	return false;
}

/* Do zeros take the place of the last members of gzip? There they are padding. */
static inline bool damage_is_padding(const struct archive *a, const struct damage *d)
{
	size_t begin = d->at, end = d->at + d->len;
	while (begin < end && a->file.data[begin] == 0)
		begin++;
	while (end < a->file.len && a->file.data[end] == 0)
		end++;
	return strcmp(a->kind.format, "gzip") == 0 && archive_is_border(a, begin) && end == a->file.len;
}

/* Is what is left a good archive, of fewer records? Nobody can report what is not there. */
static inline bool damage_is_none(const struct archive *a, const struct damage *d)
{
	if (d->way == CUT_OFF)
		return archive_is_border(a, d->at);
	if (a->kind.cut)
		return false; /* parts of records are left */
	return d->way == CUT_OUT ? damage_cuts_members(a, d) : d->way == ZEROS && damage_is_padding(a, d);
}

/*
 * Damages `file`, a copy of the archive's, in up to `n` places that it sorts, and marks the records that this touches.
 * Those that overlap or adjoin are left out: two cuts are one. Returns how many damages there are.
 *
 * Where the first member is damaged, the format is not known. Then a member that does not begin with a record counts
 * only if another one follows it (archive/member.c), so a damage touches the member before it, too.
 */
static inline size_t archive_damage(const struct archive *a, struct buf *file, struct damage *all, size_t n,
				    bool *touched, uint32_t *random)
{
	size_t done = 0, free_end = file->len;
	qsort(all, n, sizeof(*all), damage_from_the_end); /* so that the places stay those of the good file */
	const bool unknown = a->kind.cut && n && all[n - 1].at < a->members[1].begin;
	for (size_t i = 0; i < n; i++) {
		const struct damage *d = &all[i];
		if (d->at + d->len > free_end || (done && d->at + d->len == free_end) || damage_is_none(a, d))
			continue;
		archive_touch(a, unknown ? archive_member_before(a, d->at) : d->at,
			      d->way == CUT_OFF ? a->file.len : d->at + d->len, touched);
		damage_apply(file, d, random);
		free_end = d->at;
		done++;
	}
	return done;
}

/* What a pump delivers. */
struct archive_reading {
	struct record_sink sink;
	const struct archive *archive;
	size_t number; /* of the record under way; SIZE_MAX: none of the archive's */
	size_t next;   /* the least number that may come */
	uint32_t hash;
	bool *good; /* came out whole */
	const bool *touched;
	size_t damages;
	size_t reports;
	const char *fault; /* the first */
};

static inline int archive_begin(struct record_sink *self, const struct record *rec)
{
	static const char uri[] = "http://x.org/";
	struct archive_reading *r = (struct archive_reading *)self;
	const size_t len = sizeof(uri) - 1;
	r->hash = HASH_FNV32_START;
	r->number = SIZE_MAX;
	if (rec->target_uri.len <= len || memcmp(rec->target_uri.data, uri, len) != 0)
		return RECORD_WANTED;
	r->number = 0;
	for (size_t i = len; i < rec->target_uri.len && r->number <= r->archive->n_records; i++)
		r->number = r->number * 10 + (size_t)(rec->target_uri.data[i] - '0');
	return RECORD_WANTED;
}

static inline int archive_body(struct record_sink *self, struct slice bytes)
{
	struct archive_reading *r = (struct archive_reading *)self;
	r->hash = hash_fnv32(bytes, r->hash);
	return RECORD_WANTED;
}

/* Has a member no right checksum, so that its records may hold anything? */
static inline bool archive_unchecked(const struct archive_reading *r, const struct record_end *end)
{
	const struct archive *a = r->archive;
	return end->unverified || (strcmp(a->kind.format, "zstd") == 0 && r->damages > 1 &&
				   (r->number >= a->n_records || r->touched[r->number]));
}

static inline int archive_end(struct record_sink *self, const struct record_end *end)
{
	struct archive_reading *r = (struct archive_reading *)self;
	const struct archive *a = r->archive;
	r->reports += end->damaged || end->wrong_length;
	if (end->damaged || r->fault || (r->number == SIZE_MAX && a->kind.arc))
		return 0;
	const bool same = r->number < a->n_records && a->records[r->number].hash == r->hash;
	if (same && r->number >= r->next) {
		r->good[r->number] = true;
		r->next = r->number + 1;
	} else if (!archive_unchecked(r, end)) {
		r->fault = same                       ? "a record twice, or out of order"
			   : r->number < a->n_records ? "a record with another block"
						      : "a record that is not in the archive";
	}
	return 0;
}

static inline int archive_region(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id,
				 struct slice uri, const struct record_end *end)
{
	(void)seq, (void)offset, (void)id, (void)uri, (void)end;
	((struct archive_reading *)self)->reports++;
	return 0;
}

/* As a pipe, or as a file that is read again where the pump asks for it. */
static inline void archive_read(struct archive_reading *r, struct slice bytes, size_t chunk, bool seekable)
{
	static const struct record_sink_ops ops = { "archive", archive_begin, archive_body, archive_end,
						    archive_region };
	static const struct limits limits = LIMITS_DEFAULT;
	const struct pump_config config = { .next = &r->sink,
					    .limits = &limits,
					    .seekable = seekable,
					    .source_size = seekable ? bytes.len : UINT64_MAX };
	struct pump *pump = pump_new(&config);
	struct slice rest = bytes;
	int answer = PUMP_HUNGRY;
	must(pump != NULL);
	r->sink.ops = &ops;
	while (answer != PUMP_DONE) {
		const struct slice piece = slice_first(rest, chunk);
		answer = piece.len ? pump_push(pump, piece) : pump_finish(pump);
		must_be(answer >= 0 && answer != PUMP_PAUSED, "the pump failed");
		rest = answer == PUMP_SEEK ? slice_skip(bytes, (size_t)pump_seek_offset(pump))
					   : slice_skip(rest, piece.len);
	}
	pump_free(pump);
}

struct archive_loss {
	size_t touched, lost, beside; /* records; lost without having been touched */
	size_t reports;
	const char *fault; /* NULL: as it should be */
};

/* Judges what is delivered of `bytes`, the archive after `damages` damages that touch the records told. */
static inline struct archive_loss archive_judge(const struct archive *a, struct slice bytes, const bool *touched,
						size_t damages, size_t chunk, bool seekable)
{
	struct archive_reading r = { .archive = a,
				     .good = calloc(a->n_records, sizeof(bool)),
				     .touched = touched,
				     .damages = damages };
	struct archive_loss loss = { 0 };
	must(r.good != NULL);
	archive_read(&r, bytes, chunk, seekable);
	for (size_t i = 0; i < a->n_records; i++) {
		loss.touched += touched[i];
		loss.lost += !r.good[i];
		loss.beside += !r.good[i] && !touched[i];
	}
	loss.reports = r.reports;
	loss.fault = r.fault;
	if (!r.fault && loss.beside > (a->kind.cut ? damages : 0))
		loss.fault = "records lost that were not touched";
	else if (!r.fault && loss.lost && !loss.reports)
		loss.fault = "records lost without a report";
	else if (!r.fault && !a->kind.cut && loss.reports > loss.touched + 2 * damages)
		loss.fault = "more reports than damage";
	free(r.good);
	return loss;
}

#endif
