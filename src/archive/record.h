/* SPDX-License-Identifier: MIT */
/* A WARC or ARC record: its head, and how it ended. */
#ifndef DANA_ARCHIVE_RECORD_H
#define DANA_ARCHIVE_RECORD_H

#include "base/buf.h"
#include "base/slice.h"

struct arena;

/* How names of files with records end; the suffix of a compression may follow. */
#define RECORD_WARC_SUFFIX ".warc"

#define RECORD_ARC_SUFFIX ".arc"

enum record_type {
	RECORD_WARCINFO,
	RECORD_RESPONSE,
	RECORD_RESOURCE,
	RECORD_REQUEST,
	RECORD_METADATA,
	RECORD_REVISIT,
	RECORD_CONVERSION,
	RECORD_CONTINUATION,
	RECORD_OTHER,
	RECORD_TYPES /* how many */
};

/** Returns the name of a type as the standard writes it (WARC 1.1, section 5.5); NULL for RECORD_OTHER. */
const char *record_type_name(enum record_type type);

/** One named field. Names keep the case in which they were sent. */
struct field {
	struct slice name, value;
};

/** A segment of a record (WARC 1.1, section 7). */
struct record_segment {
	uint64_t length; /* Content-Length */
	struct slice block_digest;
};

/**
 * One record head. All slices point into memory of the framer (or of the arena it was copied to). Empty slice = not
 * there.
 */
struct record {
	uint64_t seq;    /* number of the record in this input, from 0; damaged regions count too; the output order */
	uint64_t offset; /* of the member or frame in which it begins; uncompressed: of the record */
	enum record_type type;
	struct slice version;      /* "WARC/1.0", "ARC/1.0" */
	struct slice type_name;    /* as written */
	struct slice target_uri;   /* without <>; .data is NULL when the field is missing, not when it is empty */
	struct slice date;         /* verbatim */
	struct slice record_id;    /* without <> */
	struct slice content_type; /* of the block */
	struct slice payload_type; /* WARC-Identified-Payload-Type */
	struct slice truncated;    /* WARC-Truncated */
	struct slice block_digest; /* WARC-Block-Digest */
	uint64_t content_length;
	bool head_cut; /* a line of the head was longer than the limit and was cut, or it had too many fields */
	bool is_arc;
	bool verified; /* a checksum of the member in which its head ends was found right before its first byte came */
	struct slice stays; /* memory in which bytes of the block stay as they are until its end; empty: they may not */
	const struct field *fields; /* all fields in order, the ones above too */
	size_t n_fields;
	/* Of a record whose block is joined from segments (warc/segments.h); without: its block is one. */
	const struct record_segment *segments;
	size_t n_segments;
	unsigned missing_segment; /* number of the first one that does not follow; 0: all are there */
	bool joined;              /* a continuation whose block is in that of its record */
	struct slice resolved;    /* of a revisit that is resolved: a JSON object (document.resolved) */
	bool *number_asked; /* NULL, or set by record_number: `seq` is not known yet, and what depends on it is void */
};

/** Returns `seq`, for what depends on it: ids, plugins. */
static inline uint64_t record_number(const struct record *rec)
{
	if (rec->number_asked)
		*rec->number_asked = true;
	return rec->seq;
}

/** Returns the value of the first field of that name, in any case; empty if there is none. */
struct slice record_field(const struct record *rec, const char *name);
/** Copies `from` with all that it points to into `arena`. */
int record_copy(struct record *to, const struct record *from, struct arena *arena);

/** Why a record or a region is damaged (doc/FORMATS.md, "Accounting"; a closed list, in the order of the page). */
enum damage_reason {
	DAMAGE_GARBAGE,
	DAMAGE_BAD_HEAD,
	DAMAGE_HEAD_TOO_LARGE,
	DAMAGE_BAD_VERSION,
	DAMAGE_BAD_LENGTH,
	DAMAGE_BAD_MEMBER,
	DAMAGE_BAD_DIGEST,
	DAMAGE_TRUNCATED,
	DAMAGE_NO_DICTIONARY,
	DAMAGE_NOT_AN_ARCHIVE,
	DAMAGE_REASONS /* how many */
};

/** Suffixes of archives, without compression; ends with NULL. */
extern const char *const record_suffixes[];
/** Takes the suffix of an archive off the name of a file, and of its compression. False: it has no archive's. */
bool record_file_name(struct slice *name);

/** Returns the word of doc/FORMATS.md, such as "bad_length". */
const char *damage_word(enum damage_reason reason);

/** How a record ended, or why a region of input is not a record. */
struct record_end {
	bool damaged;
	enum damage_reason reason; /* only when damaged */
	bool block_cut;            /* the block was longer than the limit; the rest was skipped over */
	/*
	 * The member continues after the record, and its checksum was not known yet when the record ended, or was known
	 * to be wrong: the record may be damaged.
	 */
	bool unverified;
	/*
	 * Content-Length is wrong, and where the record ends is known otherwise: its block is what was passed on. Only
	 * when not damaged.
	 */
	bool wrong_length;
	bool length_known;
	uint64_t length;  /* `length` of doc/FORMATS.md, when length_known */
	char detail[120]; /* for people: what was found; plain ASCII without input bytes; "" when neither damaged nor of
			     wrong length */
};

/* The contract of everything that takes records. */

enum record_wish {
	RECORD_WANTED = 0,
	RECORD_UNWANTED = 1, /* no further body calls are made for this record; `end` is still called */
};

struct record_sink;

struct record_sink_ops {
	const char *name;
	/** A record begins. enum record_wish, or negative status. `rec` stays valid until `end` returns. */
	int (*begin)(struct record_sink *self, const struct record *rec);
	/** Takes bytes of the block: any split, never empty. Returns an enum record_wish, or a negative status. */
	int (*body)(struct record_sink *self, struct slice bytes);
	/**
	 * Called exactly once for each begin, wanted or not. A record with end->damaged must not be delivered, though
	 * body calls have gone before.
	 */
	int (*end)(struct record_sink *self, const struct record_end *end);
	/**
	 * Called for a region of input that is not a record (or whose head could not be read): counts as one damaged
	 * record. `seq` and `offset` as in struct record; `id` and `uri` if the broken head showed them, else empty.
	 * Never between begin and end.
	 */
	int (*damage)(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		      const struct record_end *end);
};

struct record_sink {
	const struct record_sink_ops *ops;
};

/*
 * Two dates of earlier records that later records of the same input need. Kept by the stage that gets its records in
 * order from the framer, on that stage's thread.
 */

struct archive_dates {
	struct buf first_date; /* WARC-Date of the first record read */
	bool has_first;
	struct buf warcinfo_date; /* WARC-Date of the last warcinfo */
};

/** Notes the dates of a record head. */
int archive_dates_note(struct archive_dates *o, const struct record *rec);
/** Begins the next input: forgets the date of the last warcinfo, but not the first date. */
void archive_dates_next_input(struct archive_dates *o);
/** An earlier run has read the first record, or has come to a place where the last warcinfo had `date`. */
int archive_dates_set_first(struct archive_dates *o, struct slice date);
int archive_dates_set_warcinfo(struct archive_dates *o, struct slice date);
void archive_dates_free(struct archive_dates *o);

#endif
