/* SPDX-License-Identifier: MIT */
/*
 * The framer: its calls of the sink, the search for heads, blocks and their ends, heads, places to resume at, and at
 * the end of the file the flow, which feeds bytes to these states, keeps those that may be read again, and goes back to
 * them.
 *
 * A Content-Length cannot be trusted until the bytes after the block are seen. So the framer passes the block on at
 * once, but holds back the record's `end`, and lets a spotter (spotter.h) look for record heads inside the block. From
 * the first plausible head on, the bytes are kept in the replay buffer (replay.h), with the member boundaries between
 * them.
 *
 * Example: record A claims 500 bytes of block and has 100; record B, 180 bytes with its line breaks, follows it, then
 * C.
 *
 *  - After A's first 100 bytes the spotter meets B's head inside "A's block", and the framer keeps the bytes from B on.
 *  - After 500 bytes no boundary comes, but the middle of record C. A ends as damaged (bad_length).
 *  - The framer goes back: it reads the kept bytes again, as records B and C, then continues with new input.
 *
 * Had A's length been right, and B only quoted in its text, a boundary would have followed and the kept bytes been
 * dropped.
 *
 * When more bytes have to be kept than the buffer may hold, they are read again from the source (FRAMER_SEEK). Where
 * the source cannot go back, those that did not fit are reported as one region ("hole").
 *
 * Two kinds of place: an `offset` counts bytes of the input as it is stored, a `pos` counts decoded bytes. In an input
 * that is not compressed they differ by a constant only.
 */
#include "archive/warc/framer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/codec/codec.h"
#include "archive/warc/head.h"
#include "archive/warc/replay.h"
#include "archive/warc/spotter.h"
#include "base/ascii.h"

enum framer_state {
	FRAMER_BETWEEN, /* blank lines, then the first bytes of a head */
	FRAMER_HEAD,    /* in a head */
	FRAMER_BLOCK,   /* in a block */
	FRAMER_CLOSING, /* directly after a block: is this a record boundary? */
	FRAMER_SEARCH,  /* in bytes that belong to no record, looking for a plausible head */
};

/* A member or frame; of an input that is not compressed, all of it. */
struct framer_member {
	bool plain;
	bool verified;        /* it was decoded to its end before its first byte came, and found good */
	bool checksum;        /* also by a checksum */
	uint64_t offset;      /* in the input */
	uint64_t pos;         /* position of its first decoded byte */
	bool clean;           /* nothing but blank lines seen in it */
	uint64_t closed;      /* pos of the CRLF CRLF at the end of its content; 0: not there, or not known */
	struct slice content; /* if that is known: all of it, until the member ends */
};

/*
 * How far a block matches the fault of Common Crawl 2018-34: its HTTP head is followed by one CRLF too many, which
 * Content-Length does not count.
 */
enum quirk_state {
	QUIRK_START, /* before "HTTP/" */
	QUIRK_HEAD,  /* in the HTTP head */
	QUIRK_AFTER, /* after its blank line */
	QUIRK_YES,   /* one CRLF too many follows the blank line */
	QUIRK_NO,
};

/* The current record. */
struct framer_record {
	struct record rec;
	bool open;       /* the sink's `begin` was called, and its `end` not yet */
	bool silent;     /* its head was damaged and is reported already: its block is skipped without a word */
	bool wanted;     /* by the sink */
	bool doomed;     /* it claims more than the input holds */
	bool unsure;     /* ARC: no line break followed the block, or a head was seen inside: the next line decides */
	unsigned closed; /* ARC: bytes of the line break that followed the block */
	bool proven;     /* the block ends where its member does, apart from the line breaks after it */
	/*
	 * Its length leads to no boundary: what to report, unless its member turns out damaged, which is the cause
	 * then.
	 */
	const char *wrong;
	bool alone; /* nothing came before it in its member */
	uint64_t member_pos;
	uint64_t pos, head_len;
	uint64_t left;   /* bytes of the block still to come */
	uint64_t passed; /* bytes of the block taken */
	bool block_cut;
	/* Of a WARC block that is not proven, what may lie behind the record's end is withheld (withholds()). */
	uint64_t out;        /* position of the first byte that was not passed on */
	uint32_t last;       /* the last four bytes of the block so far */
	uint64_t border;     /* position after CRLF CRLF at which the spotter met a magic; 0: it did not */
	uint64_t payload;    /* position after an HTTP head at the block's start, or of the block */
	unsigned claims;     /* bit n: a head inside has a length that leads to n bytes before the block's end */
	uint64_t member_end; /* position at which the member in which the record begins ended, inside the block */
	uint64_t member_len; /* length of that member in the input */
	bool rest_lost;      /* what follows the block under a wrong length was too much to be kept */
	enum quirk_state quirk;
	unsigned quirk_bytes; /* matched of "HTTP/" or of the CRLF; in a line: 0 nothing, 1 only a CR, 2 more */
};

struct warc_framer {
	struct record_sink *next;
	const struct limits *limits;
	bool seekable;
	bool joins;
	bool inside; /* the first byte may be in the middle of a line */
	enum framer_state state;
	int status; /* 0, or what ended the work */

	/* Places. */
	uint64_t pos;      /* decoded bytes before the next one */
	uint64_t furthest; /* the largest pos so far */
	uint64_t end;      /* pos at the end of the input; UINT64_MAX: not known */
	uint64_t skip_to;  /* after a seek: bytes before this position were delivered already */
	uint64_t seek_offset;
	struct framer_member member;
	bool member_starts; /* the next byte is the first of a member that begins inside a head, a block or a search */
	bool at_joint;      /* at pos, after uncompressed records, a member seems to begin ... */
	uint64_t no_joint;  /* ... but not there */
	const char *again;  /* what is decoded begins as a file of this compression */

	/* What is being read. */
	struct head head;      /* the one being read */
	struct head open_head; /* the one that the slices of now.rec point to */
	uint64_t head_pos, head_offset;
	uint64_t head_member_pos; /* of the member in which it begins */
	bool head_first;          /* nothing came before the head in that member */
	bool head_moved;          /* it was cut off by another one, which is read now: head_member_pos is not its */
	struct framer_record now;
	struct buf rest;         /* bytes of its block, and behind it under a wrong length, that are withheld */
	const char *arc_version; /* NULL: what is read is not ARC */
	bool arc_sure;           /* a head of that ARC was read */
	bool both;               /* WARC and ARC follow one another in the input */
	uint8_t arc_start[4];    /* first bytes of the filedesc block: the version */

	/* Going back. */
	struct spotter spotter;
	struct spotter inner;         /* of the heads that follow the spotter's one in the block */
	struct framer_member spotted; /* the member in which the spotter's head begins, which is at spotted_pos */
	uint64_t spotted_pos;
	struct framer_member line_member; /* in which the last line of that head begins */
	struct replay replay;
	struct framer_member hole_member; /* in which a hole of the replay ends */
	bool go_back;                     /* now, to spotter.start */
	uint64_t reread;                  /* bytes of blocks read again so far */

	/* Accounts. */
	uint64_t seq;
	uint64_t heads; /* recognised */
	bool in_fault;  /* a damage was reported and no head recognised since */
	bool region;    /* a region without a head is under way and not yet reported */
	bool padding;   /* FRAMER_SEARCH: nothing but NULs so far */
	uint64_t region_pos, region_offset;
	bool broken_off;                          /* a member was damaged, and nothing but its report came since */
	uint64_t members_between, members_inside; /* that ended between records, and inside one */
	uint64_t members_counted;                 /* up to this pos: what is read again does not count again */
};

enum { STEP_NEEDS_MORE = -1, LOOKAHEAD = 16, BLOCK_CLOSING_LEN = 4 };

/** What is wrong with a record that its member ends before its length is reached. */
extern const char framer_short_member[];

/* The position after the block, as Content-Length has it. */
static inline uint64_t block_end(const struct framer_record *now)
{
	return now->pos + now->head_len + now->rec.content_length;
}

/*
 * The framer's calls of its sink: a record is begin, body..., end; bytes that belong to no record are one damage.
 *
 * Each damage is reported once. Example: a head without a length is reported (in_fault is set), and the bytes after
 * it, up to the next head, are not reported again as garbage. Garbage after a good record is: open_region notes
 * where it begins, and close_region reports it when the next head or the end of the input comes.
 */

static uint64_t framer_offset(const struct warc_framer *f, uint64_t pos)
{
	return f->member.plain ? f->member.offset + (pos - f->member.pos) : f->member.offset;
}

const char framer_short_member[] = "its member ends before Content-Length is reached";

/** Returns the message for a record whose length leads to no boundary. Static. */
static const char *no_boundary(const struct warc_framer *f)
{
	return f->arc_version ? "Archive-length leads to no record boundary"
			      : "Content-Length leads to no record boundary";
}

/** Returns the message for a record whose length leads past the end of the input. Static. */
static const char *beyond_end(const struct warc_framer *f)
{
	return f->arc_version ? "Archive-length leads beyond the input's end"
			      : "Content-Length leads beyond the input's end";
}

static void set_detail(struct record_end *end, const char *detail)
{
	snprintf(end->detail, sizeof(end->detail), "%s", detail);
}

static void framer_body(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;
	uint64_t room = now->passed < f->limits->block ? f->limits->block - now->passed : 0;
	now->passed += bytes.len;
	if (bytes.len > room) {
		now->block_cut = true;
		bytes.len = (size_t)room;
	}
	if (!now->open || !now->wanted || bytes.len == 0)
		return;
	int wish = f->next->ops->body(f->next, bytes);
	if (wish < 0)
		f->status = wish;
	now->wanted = wish == RECORD_WANTED;
}

static void end_record(struct warc_framer *f, const struct record_end *end)
{
	f->now.open = f->now.silent = f->now.unsure = false;
	int status = f->next->ops->end(f->next, end);
	if (status < 0)
		f->status = status;
}

/* What is known at the end of a good record. As end_good. */
static struct record_end good_end(const struct warc_framer *f, bool in_member, uint64_t offset)
{
	const struct framer_record *now = &f->now;
	struct record_end end = { .block_cut = now->block_cut };
	end.unverified = !f->member.plain && !f->member.verified && !in_member &&
			 now->pos + now->head_len + now->passed > f->member.pos;
	if (f->member.plain) {
		end.length_known = true;
		end.length = now->head_len + now->passed;
	} else if (in_member && now->alone && now->member_pos == f->member.pos && !f->region) {
		end.length_known = true;
		end.length = offset - f->member.offset;
	}
	return end;
}

static void release(struct warc_framer *f);

/** Ends the current record as good. `in_member`: its member ended with it, at `offset`. */
static void end_good(struct warc_framer *f, bool in_member, uint64_t offset)
{
	f->now.silent = false;
	if (!f->now.open)
		return;
	release(f);
	const struct record_end end = good_end(f, in_member, offset);
	end_record(f, &end);
}

/** Ends the current record as damaged. Not reported again if its head was (`silent`). */
static void end_bad(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	struct record_end end = { .damaged = true, .reason = reason, .block_cut = f->now.block_cut };
	f->now.silent = false;
	f->in_fault = true;
	if (!f->now.open)
		return;
	set_detail(&end, detail);
	end_record(f, &end);
}

static bool end_at_head(struct warc_framer *f, const char *detail);

/**
 * If the length of the record under way was wrong, ends it now, for no other cause can turn up any more: at the head
 * that the spotter has found, or as damaged.
 */
static void end_wrong(struct warc_framer *f)
{
	if (f->now.wrong && !end_at_head(f, f->now.wrong))
		end_bad(f, DAMAGE_BAD_LENGTH, f->now.wrong);
	f->now.wrong = NULL;
}

/** Reports a damaged head or region; `rec` may be NULL. */
static void framer_damage(struct warc_framer *f, enum damage_reason reason, uint64_t offset, const struct record *rec,
			  const char *detail)
{
	struct record_end end = { .damaged = true, .reason = reason };
	struct slice none = slice_of(NULL, 0);
	set_detail(&end, detail);
	f->in_fault = true;
	int status = f->next->ops->damage(f->next, f->seq++, offset, rec ? rec->record_id : none,
					  rec ? rec->target_uri : none, &end);
	if (status < 0)
		f->status = status;
}

/** Reports a head that never ended, with the fields that were read. */
static void damage_head(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	struct record rec;
	struct head_verdict verdict;
	if (head_read(&f->head, &rec, &verdict) < 0) {
		f->status = DANA_ENOMEM;
		return;
	}
	f->heads++;
	framer_damage(f, reason, f->head_offset, &rec, detail);
}

/**
 * A region without a head begins here, unless it follows a damage that was reported and is part of it. After a damaged
 * member it is a region of its own.
 */
static void open_region(struct warc_framer *f, uint64_t pos, uint64_t offset)
{
	if (f->broken_off && f->heads) { /* the rest of a record that a damaged member broke off: its length is known */
		f->broken_off = false;
		f->in_fault = false;
	}
	if (f->in_fault || f->region)
		return;
	f->region = true;
	f->region_pos = pos;
	f->region_offset = offset;
}

static void close_region(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	if (!f->region)
		return;
	f->region = false;
	framer_damage(f, reason, f->region_offset, NULL, detail);
}

/** Ends the region, if one is open, at `pos`, as garbage. */
static void close_garbage(struct warc_framer *f, uint64_t pos)
{
	char detail[64];
	snprintf(detail, sizeof(detail), "%" PRIu64 " bytes that are no record", pos - f->region_pos);
	close_region(f, DAMAGE_GARBAGE, detail);
}

/*
 * The search for the next head: in a block, as long as its length is not known to be right, and in bytes that belong to
 * no record. When the spotter has read a plausible head to its end, f->go_back makes the flow read that head again, now
 * as a head.
 */

static void start_spotter(struct warc_framer *f, bool line_start_only)
{
	const enum spotter_kind unknown = f->heads ? SPOTTER_WARC : SPOTTER_ANY;
	const bool either = f->both && f->state == FRAMER_SEARCH;
	const enum spotter_kind kind = either ? SPOTTER_ANY : f->arc_version ? SPOTTER_ARC : unknown;
	spotter_start(&f->spotter, kind, line_start_only, f->replay.max / 2);
}

/** Enters FRAMER_SEARCH. `anywhere`: a head may begin in the middle of a line, too. */
static void framer_search(struct warc_framer *f, bool anywhere)
{
	f->state = FRAMER_SEARCH;
	f->padding = false;
	if (spotter_holds(&f->spotter)) /* a head that began in the block continues */
		f->spotter.line_start_only = !anywhere;
	else
		start_spotter(f, !anywhere);
}

/** The record's length leads to no boundary: goes back to the head seen inside the block, or searches on from here. */
static void leave_wrong_block(struct warc_framer *f, const char *detail)
{
	f->now.wrong = detail;
	f->in_fault = true;
	if (f->spotter.state == SPOTTER_FOUND)
		f->go_back = true;
	else
		framer_search(f, true);
	if (f->go_back || (f->member.plain && (f->arc_version || !f->now.open)))
		end_wrong(f);
}

bool warc_framer_members_hold_records(const struct warc_framer *f)
{
	return f->members_between > f->members_inside;
}

/*
 * Blocks, and the decision whether a record boundary follows one.
 *
 * A WARC block is followed by CRLF CRLF, an ARC block by LF. Many writers leave line breaks out, so "WARC/" alone is
 * enough. Example: a block of 5 bytes, "hello".
 *  - "hello\r\n\r\nWARC/1.0" and "hello\nWARC/1.0" end well.
 *  - "hello world" does not: the length is wrong, and the search for the next head begins with " world".
 *  - "hello\r" and nothing more yet: the step asks for more bytes (STEP_NEEDS_MORE).
 *
 * Where the length is wrong the record may end elsewhere: where CRLF CRLF and then a plausible head come, or with its
 * member.
 *
 * So of a block whose length is not proven, the bytes from such a CRLF CRLF on are withheld until the head proves to be
 * content, and under a length that was too small the bytes after the block until the border is met. Beyond the size of
 * the replay buffer a length that is too large costs the record, and one that is too small the rest of it.
 */

/* BLOCK */

/* Follows the lines of an HTTP head at the block's start: is its blank line doubled? */
static void watch_quirk(struct framer_record *now, struct slice bytes, uint64_t pos)
{
	static const char http[] = "HTTP/";
	for (size_t at = 0; at < bytes.len && now->quirk < QUIRK_YES;) {
		if (now->quirk == QUIRK_START) {
			if (bytes.data[at++] != (uint8_t)http[now->quirk_bytes])
				now->quirk = QUIRK_NO;
			else if (++now->quirk_bytes == sizeof(http) - 1)
				now->quirk = QUIRK_HEAD;
		} else if (now->quirk == QUIRK_HEAD) {
			const uint8_t *lf = memchr(bytes.data + at, '\n', bytes.len - at);
			size_t end = lf ? (size_t)(lf - bytes.data) : bytes.len;
			bool only_cr = now->quirk_bytes == 0 && end == at + 1 && bytes.data[at] == '\r';
			if (lf) {
				bool blank = only_cr || (now->quirk_bytes == 1 && end == at);
				now->quirk = blank ? QUIRK_AFTER : QUIRK_HEAD;
				now->quirk_bytes = 0;
			} else {
				now->quirk_bytes = only_cr ? 1 : 2;
			}
			at = end + 1;
			if (now->quirk == QUIRK_AFTER)
				now->payload = pos + at;
		} else { /* QUIRK_AFTER */
			if (bytes.data[at] != (uint8_t) "\r\n"[now->quirk_bytes])
				now->quirk = QUIRK_NO;
			else if (++now->quirk_bytes == 2)
				now->quirk = QUIRK_YES;
			at++;
		}
	}
}

enum { BLOCK_CLOSING = 0x0d0a0d0a }; /* CRLF CRLF */

static const char closing[] = "\r\n\r\n";

/* The last four bytes of what ended with `last`, after `bytes`. */
static uint32_t last_four(uint32_t last, struct slice bytes)
{
	for (size_t i = bytes.len < sizeof(last) ? 0 : bytes.len - sizeof(last); i < bytes.len; i++)
		last = last << 8 | bytes.data[i];
	return last;
}

/* The bytes at f->pos, which the spotter has seen: does a head begin in them, after CRLF CRLF? */
static void note_border(struct warc_framer *f, struct slice bytes)
{
	const uint64_t start = f->spotter.start;
	if (spotter_holds(&f->spotter) && start >= f->pos &&
	    last_four(f->now.last, slice_first(bytes, (size_t)(start - f->pos))) == BLOCK_CLOSING)
		f->now.border = start;
	f->now.last = last_four(f->now.last, bytes);
}

static bool border_is_open(const struct warc_framer *f)
{
	return spotter_holds(&f->spotter) && f->now.border == f->spotter.start;
}

/* Passes on the bytes up to position `until`: those that were withheld, then `fresh` ones. */
static void pass_on(struct warc_framer *f, uint64_t until, struct slice *fresh)
{
	const uint64_t n = until - f->now.out;
	const struct slice held = slice_first(buf_slice(&f->rest), n < f->rest.len ? (size_t)n : f->rest.len);
	const struct slice more = slice_first(*fresh, (size_t)n - held.len);
	if (held.len) {
		framer_body(f, held);
		buf_consume(&f->rest, held.len);
	}
	if (more.len)
		framer_body(f, more);
	*fresh = slice_skip(*fresh, more.len);
	f->now.out = until;
}

static bool withholds(const struct warc_framer *f)
{
	return f->now.open && !f->now.proven && !f->arc_version;
}

static void withhold(struct warc_framer *f, struct slice bytes)
{
	if (buf_append(&f->rest, bytes.data, bytes.len) < 0)
		f->status = DANA_ENOMEM;
}

/* Takes bytes of a block, at f->pos. */
static void take_block(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;
	const uint64_t end = f->pos + bytes.len;
	note_border(f, bytes);
	if (border_is_open(f) && end - now->border > f->replay.max)
		now->border = 0;
	if (border_is_open(f)) {
		pass_on(f, now->border - BLOCK_CLOSING_LEN, &bytes);
	} else {
		/* how many of the last bytes may be a part of the CRLF CRLF before a head? */
		unsigned begun = bytes.len == now->left ? 0 : BLOCK_CLOSING_LEN;
		for (; begun; begun--) {
			const unsigned others = 32 - 8 * begun;
			if (now->last << others >> others == (uint32_t)BLOCK_CLOSING >> others)
				break;
		}
		pass_on(f, end - begun, &bytes);
	}
	withhold(f, bytes);
}

/** A boundary follows the block: what was withheld of it is passed on. */
static void release(struct warc_framer *f)
{
	struct slice none = slice_of(NULL, 0);
	pass_on(f, f->now.out + f->rest.len, &none);
}

/*
 * Ends the record under way, whose length is wrong, at `border`, or where that is lost at the end of its block.
 * `whole`: that is all of it. Otherwise as end_good.
 */
static void end_at(struct warc_framer *f, uint64_t border, bool whole, bool in_member, uint64_t offset,
		   const char *detail)
{
	struct framer_record *now = &f->now;
	struct slice none = slice_of(NULL, 0);
	if (now->rest_lost && border > block_end(now)) {
		border = block_end(now);
		whole = false;
	}
	pass_on(f, border > now->out ? border : now->out, &none);

	struct record_end end = good_end(f, in_member, offset);
	end.wrong_length = true;
	end.length_known &= whole;
	if (now->alone && now->out <= now->member_end && now->member_end - now->out <= BLOCK_CLOSING_LEN) {
		end.length_known = true;
		end.length = now->member_len;
	}
	set_detail(&end, detail);
	f->in_fault = true;
	now->wrong = NULL;
	end_record(f, &end);
}

/** Ends the record under way where the spotter has found a head, if that is a certain border. Returns whether it is. */
static bool end_at_head(struct warc_framer *f, const char *detail)
{
	if (f->spotter.state != SPOTTER_FOUND || !border_is_open(f) || !withholds(f))
		return false;
	end_at(f, f->now.border - BLOCK_CLOSING_LEN, true, false, 0, detail);
	return true;
}

/**
 * A member ends during a search under a wrong length, or the input does: ends the record there, if that is its end. As
 * end_good.
 */
static void end_searched(struct warc_framer *f, bool in_member, uint64_t offset)
{
	const struct framer_record *now = &f->now;
	const bool closed = now->last == BLOCK_CLOSING, alone = now->alone && now->member_pos == f->member.pos;
	const bool cut_at_records = f->members_between >= f->members_inside;
	if (!now->wrong || !withholds(f) || spotter_holds(&f->spotter))
		return;
	if (closed && (alone || cut_at_records))
		end_at(f, f->pos - BLOCK_CLOSING_LEN, true, in_member, offset, now->wrong);
	else if (in_member && alone && cut_at_records)
		end_at(f, block_end(now), false, true, offset, now->wrong);
}

/**
 * What follows begins a record, or is nothing (`over`): ends the record under way if the member in which it begins has
 * ended here, before its length was reached. Returns whether it is so.
 */
static bool end_with_member(struct warc_framer *f, bool over)
{
	const struct framer_record *now = &f->now;
	const bool closed = now->last == BLOCK_CLOSING;
	if (f->state != FRAMER_BLOCK || !withholds(f) || now->member_end != f->pos || f->pos == 0 ||
	    (over && !(closed && f->members_between + 1 >= f->members_inside)))
		return false;
	if (f->spotter.state == SPOTTER_FOUND)
		return end_at_head(f, framer_short_member);
	end_at(f, closed ? f->pos - BLOCK_CLOSING_LEN : f->pos, true, true, 0, framer_short_member);
	return true;
}

/* Bytes of the line breaks between a block and the next head. */
static unsigned closing_len(const struct warc_framer *f)
{
	return f->arc_version ? 1 : BLOCK_CLOSING_LEN;
}

/* A head inside the block ends at `pos`: notes whether its record ends about where the block does. */
static void note_claim(struct warc_framer *f, const struct spotter *s, uint64_t pos)
{
	const uint64_t left = block_end(&f->now) - pos;
	if (s->length <= left && left - s->length <= 2 * closing_len(f))
		f->now.claims |= 1u << (left - s->length);
}

/* Lets the spotter see the bytes at f->pos. Returns how many it took, at most up to the end of the first head. */
static size_t spot(struct warc_framer *f, struct slice bytes)
{
	struct spotter *inner = &f->inner;
	size_t at = 0;
	if (f->spotter.state != SPOTTER_FOUND) {
		at = spotter_feed(&f->spotter, bytes, f->pos);
		if (f->spotter.state != SPOTTER_FOUND)
			return at;
		note_claim(f, &f->spotter, f->pos + at);
		spotter_start(inner, f->spotter.kind, true, f->spotter.limit);
		return at;
	}
	while (at < bytes.len) {
		at += spotter_feed(inner, slice_skip(bytes, at), f->pos + at);
		if (inner->state == SPOTTER_FOUND) {
			note_claim(f, inner, f->pos + at);
			spotter_start(inner, inner->kind, true, inner->limit);
		}
	}
	return at;
}

/* FRAMER_BLOCK; returns as framer_step */
static ptrdiff_t step_block(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;
	if (bytes.len > now->left)
		bytes.len = (size_t)now->left;
	if (!now->proven) {
		size_t fed = spot(f, bytes);
		if (now->doomed && f->spotter.state == SPOTTER_FOUND) {
			if (withholds(f))
				take_block(f, slice_first(bytes, fed));
			leave_wrong_block(f, beyond_end(f));
			return (ptrdiff_t)fed;
		}
		bytes = slice_first(bytes, fed);
	}
	if (now->quirk < QUIRK_YES)
		watch_quirk(now, bytes, f->pos);
	if (now->rec.is_arc && now->rec.type == RECORD_WARCINFO && now->passed < sizeof(f->arc_start)) {
		/* the version numbers of an ARC are at the start of its filedesc block: "1 1 InternetArchive" */
		size_t at = (size_t)f->now.passed;
		for (size_t i = 0; i < bytes.len && at < sizeof(f->arc_start); i++)
			f->arc_start[at++] = bytes.data[i];

		if (at >= 3 && memcmp(f->arc_start, "1 1", 3) == 0)
			f->arc_version = "ARC/1.1";
		else if (at >= 3 && memcmp(f->arc_start, "2 ", 2) == 0)
			f->arc_version = "ARC/2.0";
	}
	if (withholds(f))
		take_block(f, bytes);
	else
		framer_body(f, bytes);
	now->left -= bytes.len;
	if (now->left == 0)
		f->state = FRAMER_CLOSING;
	return (ptrdiff_t)bytes.len;
}

/* CLOSING */

static ptrdiff_t boundary(struct warc_framer *f, size_t taken)
{
	release(f);
	start_spotter(f, true);
	if (f->now.silent)
		f->in_fault = false;
	f->state = FRAMER_BETWEEN;
	return (ptrdiff_t)taken;
}

static bool swallows(struct warc_framer *f, size_t len, bool ends, bool exact);

/*
 * A record that the block has swallowed under a wrong length ends with it: of the line breaks between its end and the
 * next head some may belong to the block. One that lies in the block by right has line breaks of its own. Example: the
 * length of a head inside leads to 4 bytes before the block's end, and CRLF CRLF and "WARC/" follow that: an archived
 * WARC file.
 */
static bool swallows(struct warc_framer *f, size_t len, bool ends, bool exact)
{
	const unsigned one_closing = (2u << closing_len(f)) - 1; /* no more line breaks than one record has, as bits */
	const unsigned claims = f->now.claims;
	if (f->spotter.state != SPOTTER_FOUND)
		return !ends || (len && spotter_lacks_line_break(&f->spotter));
	if (len && spotter_lacks_line_break(&f->inner))
		return true;
	if (claims << len & one_closing)
		return !exact || f->spotter.start != f->now.payload;
	return !exact && !(len && claims >> closing_len(f));
}

static ptrdiff_t step_closing(struct warc_framer *f, struct slice bytes, bool last)
{
	enum { CLOSING_MAX = 8 };
	/* Two line breaks are enough, but for a head inside, and for the blank line of an HTTP head. */
	const bool doubtful = spotter_holds(&f->spotter) || f->now.quirk == QUIRK_HEAD;
	size_t at = 0;
	int breaks = 0;

	if (f->arc_version) {
		/* One line break ends the block. Without it, or after a head inside, the next line decides. Common
		 * Crawl of 2012 has records that are two bytes longer than their Archive-length: two bytes and a line
		 * break up to the end of the member prove this. */
		enum { SHORT_BY = 2 };

		if (bytes.len <= SHORT_BY + 1 && !last && bytes.data[0] != '\n')
			return STEP_NEEDS_MORE;
		if (bytes.data[0] == '\n' || (bytes.data[0] == '\r' && (bytes.len < 2 || bytes.data[1] == '\n'))) {
			f->now.closed = bytes.data[0] == '\n' || bytes.len < 2 ? 1 : 2;
			if (f->spotter.state == SPOTTER_FOUND) {
				f->now.unsure = true;
				f->state = FRAMER_BETWEEN;
				return f->now.closed;
			}
			if (!swallows(f, 1, true, true))
				return boundary(f, f->now.closed);
			leave_wrong_block(f, no_boundary(f));
			return 0;
		}
		if (bytes.len == SHORT_BY + 1 && last && f->spotter.state != SPOTTER_FOUND && !f->member.plain &&
		    bytes.data[SHORT_BY] == '\n') {
			framer_body(f, slice_of(bytes.data, SHORT_BY));
			return boundary(f, SHORT_BY + 1);
		}
		if (!ascii_is_alpha(bytes.data[0])) {
			leave_wrong_block(f, no_boundary(f));
			return 0;
		}
		f->now.unsure = true;
		f->state = FRAMER_BETWEEN;
		return 0;
	}
	while (at < bytes.len && at < CLOSING_MAX && (bytes.data[at] == '\r' || bytes.data[at] == '\n')) {
		if (bytes.data[at++] == '\n' && ++breaks == 2 && !doubtful)
			return boundary(f, at);
	}
	enum match match = last ? MATCH_YES : MATCH_PART;

	if (at < bytes.len)
		match = head_match_magic(slice_skip(bytes, at), true);
	if (match == MATCH_PART && last)
		match = MATCH_YES;
	if (match == MATCH_YES || (match == MATCH_NO && breaks >= 2)) {
		const bool ends = match == MATCH_YES, all = at == BLOCK_CLOSING_LEN || at == bytes.len;
		const bool exact = ends && all && at <= BLOCK_CLOSING_LEN && memcmp(bytes.data, closing, at) == 0;

		if (!doubtful || !swallows(f, at, ends, exact))
			return boundary(f, at);
	} else if (match == MATCH_NO && f->now.quirk == QUIRK_YES) {
		/* The block is two bytes longer than its Content-Length, as in Common Crawl 2018-34 (enum quirk_state):
		 * a boundary after them proves it. */
		static const char end[] = "\r\n\r\nWARC/";
		const struct slice after = slice_first(slice_skip(bytes, 2), sizeof(end) - 1);
		const bool whole = after.len == sizeof(end) - 1;
		if (after.len >= BLOCK_CLOSING_LEN && memcmp(after.data, end, after.len) == 0)
			match = whole || last ? MATCH_YES : MATCH_PART;
		else if (after.len < BLOCK_CLOSING_LEN && !last)
			match = MATCH_PART;
		if (match == MATCH_YES) {
			release(f);
			framer_body(f, slice_of(bytes.data, 2));
			f->now.quirk = QUIRK_NO;
			return 2;
		}
	}
	if (match == MATCH_PART)
		return STEP_NEEDS_MORE;
	/* The bytes looked at are searched, too: the first bytes of a head may be at their end. */
	leave_wrong_block(f, no_boundary(f));
	return 0;
}

/*
 * The states outside blocks: between records, and in a head.
 *
 * A head ends the record before it, so its first bytes decide much. WARC has a magic, "WARC/", in any case of letters.
 * ARC has none: a line that begins with a letter is read to its end, and is a head if it has a head's fields. Example:
 * after an ARC block, "http://example.org/ 192.0.2.1 20120101000000 text/html 512" ends the record before as good;
 * "more text" says that the length was wrong or that garbage follows.
 */

static void no_arc_line(struct warc_framer *f)
{
	if (!f->arc_sure)
		f->arc_version = NULL;
	f->state = FRAMER_SEARCH;
}

/**
 * A head, or the end (`ends`), or something else lies at `pos` and decides whether the length of an ARC record was
 * wrong. Leaves its block if it was, and returns true.
 */
static bool leave_wrong_arc(struct warc_framer *f, bool ends, uint64_t pos)
{
	struct framer_record *now = &f->now;
	const bool exact = ends && now->closed && pos == block_end(now) + now->closed;
	bool need_more;
	if (!now->unsure)
		return false;
	if (!now->closed && f->spotter.state == SPOTTER_ARC_LINE && !f->head.cut) { /* the line began in the block */
		const bool continues = pos == f->head_pos;                          /* in the head that is read */
		if (continues)
			spotter_feed(&f->spotter, buf_slice(&f->head.text), f->head_pos);
		if (ends && !(continues && arc_head_begins(buf_slice(&f->spotter.arc_line), &need_more)))
			start_spotter(f, true);
	}
	if ((now->closed || ends) && !swallows(f, now->closed > 0, ends, exact)) {
		now->unsure = false;
		if (!ends)
			start_spotter(f, true);
		return false;
	}
	f->state = FRAMER_CLOSING;
	leave_wrong_block(f, no_boundary(f));
	return true;
}

/* A line of an ARC that is not a head. */
static void no_arc_head(struct warc_framer *f)
{
	no_arc_line(f);
	if (leave_wrong_arc(f, false, f->head_pos))
		return;
	open_region(f, f->head_pos, f->head_offset);
	framer_search(f, f->arc_version == NULL);
}

/** The input or the member ends inside an ARC head line: decides by the part that is there. May set f->go_back. */
static void end_arc_line(struct warc_framer *f)
{
	uint64_t length;
	if (!arc_head_plausible(buf_slice(&f->head.text), &length)) {
		no_arc_head(f);
		return;
	}
	if (leave_wrong_arc(f, true, f->head_pos))
		return;
	end_good(f, false, 0);
	close_garbage(f, f->head_pos);
	damage_head(f, DAMAGE_TRUNCATED, "the input ends after the header");
	f->state = FRAMER_BETWEEN;
}

/* BETWEEN */

static void start_head(struct warc_framer *f)
{
	if (!f->arc_version) {
		end_good(f, false, 0);
		close_garbage(f, f->pos);
	}
	head_start(&f->head, f->arc_version != NULL, f->heads > 0);
	f->head_pos = f->pos;
	f->head_offset = framer_offset(f, f->pos);
	f->head_member_pos = f->member.pos;
	f->head_first = f->member.clean;
	f->head_moved = false;
	f->member.clean = false;
	f->state = FRAMER_HEAD;
}

static ptrdiff_t start_garbage(struct warc_framer *f, bool padding)
{
	open_region(f, f->pos, framer_offset(f, f->pos));
	f->state = FRAMER_SEARCH;
	start_spotter(f, f->arc_version != NULL);
	f->padding = padding;
	return 0;
}

/* Does an archive of the other kind begin here, as in files that are joined? Once one has, ARC may do without its
 * start. */
static enum match match_other_kind(const struct warc_framer *f, struct slice bytes)
{
	static const char filedesc[] = "filedesc:";
	if (f->arc_version)
		return head_match_magic(bytes, false);
	if (f->heads == 0 || f->both)
		return head_match_arc(bytes);
	const struct slice first = slice_first(bytes, sizeof(filedesc) - 1);
	if (memcmp(first.data, filedesc, first.len) != 0)
		return MATCH_NO;
	return first.len == sizeof(filedesc) - 1 ? MATCH_YES : MATCH_PART;
}

/* Do the bytes begin like a compressed file, after uncompressed records or as what a whole input is decoded to? */
static enum match match_member(struct warc_framer *f, struct slice bytes)
{
	const bool all = f->pos == 0 && f->heads == 0 && !f->member.plain;
	const bool joint = f->joins && f->heads && f->member.plain && f->pos != f->no_joint &&
			   f->replay.next_event == f->replay.n_events;
	bool need_more;
	if (!all && !joint)
		return MATCH_NO;
	const struct codec_ops *ops = codec_detect(bytes, &need_more);
	if (all && ops)
		f->again = ops->name;
	if (joint && ops)
		return MATCH_YES;
	return need_more && !ops ? MATCH_PART : MATCH_NO;
}

static ptrdiff_t step_between(struct warc_framer *f, struct slice bytes, bool last)
{
	static const uint8_t bom[] = { 0xef, 0xbb, 0xbf };
	size_t blank = 0;
	while (blank < bytes.len && ascii_is_space(bytes.data[blank]))
		blank++;
	if (blank)
		return (ptrdiff_t)blank;
	if (f->pos < sizeof(bom)) { /* a byte order mark, whose three bytes may lie in several members */
		size_t left = sizeof(bom) - (size_t)f->pos;
		size_t part = bytes.len < left ? bytes.len : left;
		if (memcmp(bytes.data, bom + f->pos, part) == 0)
			return part < left && !last ? STEP_NEEDS_MORE : (ptrdiff_t)part;
	}
	const bool arc = f->arc_version != NULL;
	const enum match other = match_other_kind(f, bytes), joint = match_member(f, bytes);
	const enum match own = arc ? MATCH_NO : head_match_magic(bytes, true);
	if (!last && (own == MATCH_PART || other == MATCH_PART || joint == MATCH_PART))
		return STEP_NEEDS_MORE;
	const bool ends = other == MATCH_YES || joint == MATCH_YES;
	if (arc && (ends || !ascii_is_alpha(bytes.data[0])) && leave_wrong_arc(f, ends, f->pos))
		return 0;
	if (joint == MATCH_YES) {
		f->at_joint = true;
		return 0;
	}
	if (other == MATCH_YES) {
		if (f->heads) {
			end_good(f, false, 0);
			close_garbage(f, f->pos);
			f->both = true;
		}
		f->arc_version = arc ? NULL : "ARC/1.0";
		f->arc_sure = false;
	} else if (arc ? !ascii_is_alpha(bytes.data[0]) : own == MATCH_NO) {
		return start_garbage(f, bytes.data[0] == 0);
	}
	start_head(f);
	return 0;
}

/* HEAD */

static bool one_record_a_member(const struct warc_framer *f)
{
	return f->members_between && (f->members_between + 1) * 4 >= f->heads * 3;
}

enum { REST_KEPT = 256 << 10 };

static void end_head(struct warc_framer *f)
{
	struct framer_record *now = &f->now;
	struct record rec;
	struct head_verdict verdict;

	if (head_has_inner(&f->head)) {
		damage_head(f, DAMAGE_BAD_HEAD, "the header is cut off by another record");
		f->head_pos += head_restart(&f->head);
		f->head_offset = framer_offset(f, f->head_pos);
		f->head_first = false;
		f->head_moved = true;
	} else {
		f->head.inner = 0;
	}
	if (head_read(&f->head, &rec, &verdict) < 0) {
		f->status = DANA_ENOMEM;
		return;
	}
	if (f->arc_version) {
		if (verdict.damaged && verdict.reason == DAMAGE_GARBAGE) {
			no_arc_head(f);
			return;
		}
		if (leave_wrong_arc(f, true, f->head_pos))
			return;
		end_good(f, false, 0);
		close_garbage(f, f->head_pos);
		rec.version = slice_from_text(f->arc_version);
		f->arc_sure = true;
	}
	/* what is not compressed is one member, and where one begins to read it must not matter */
	*now = (struct framer_record){ .rec = rec,
				       .alone = f->head_first && !f->member.plain,
				       .member_pos = f->head_member_pos };
	f->heads++;
	now->proven =
		verdict.length_usable && !f->arc_version && f->member.closed && now->alone && one_record_a_member(f) &&
		f->head_pos + f->head.raw + rec.content_length == f->member.closed; /* no other record can end there */
	f->in_fault = f->broken_off = false;
	if (verdict.damaged) {
		framer_damage(f, verdict.reason, f->head_offset, &rec, verdict.detail);
		now->silent = true;
	} else {
		now->open = true;
		now->rec.seq = f->seq++;
		now->rec.offset = f->head_offset;
		now->rec.verified = f->member.checksum;
		now->rec.stays =
			now->proven ? f->member.content : slice_of(NULL, 0); /* then it ends before its member does */
		int wish = f->next->ops->begin(f->next, &now->rec);

		if (wish < 0)
			f->status = wish;
		now->wanted = wish == RECORD_WANTED;
	}
	if (verdict.length_usable) {
		now->left = now->rec.content_length;
		now->passed = 0;
		now->block_cut = false;
		now->unsure = false;
		now->quirk = QUIRK_START;
		now->quirk_bytes = 0;
		now->pos = f->head_pos;
		now->head_len = f->head.raw;
		uint64_t begin = f->head_pos + f->head.raw;

		now->out = now->payload = begin;
		buf_shrink(&f->rest, REST_KEPT);

		now->doomed = f->end != UINT64_MAX && (begin > f->end || now->left > f->end - begin);
		start_spotter(f, true);
		f->state = now->left ? FRAMER_BLOCK : FRAMER_CLOSING;
	} else {
		framer_search(f, true);
	}
	/* The next head is read while this record may still be open, so its slices stay in the other buffer. */
	struct head read = f->head;

	f->head = f->open_head;
	f->open_head = read;
}

static ptrdiff_t step_head(struct warc_framer *f, struct slice bytes)
{
	enum head_result result;

	if (!f->arc_version && f->head.raw < FRAMER_MAGIC_LEN) {
		/* only part of the magic was there at the end of a member: does the rest follow? */
		size_t got = 0;

		while (got < bytes.len && f->head.raw < FRAMER_MAGIC_LEN) {
			if (ascii_lower(bytes.data[got]) != ascii_lower((uint8_t)framer_magic[f->head.raw])) {
				open_region(f, f->head_pos, f->head_offset);
				framer_search(f, true);
				break;
			}
			if (head_take(&f->head, slice_of(bytes.data + got, 1), f->limits, &result) < 0) {
				f->status = DANA_ENOMEM;
				break;
			}
			got++;
		}
		return (ptrdiff_t)got;
	}
	ptrdiff_t taken = head_take(&f->head, bytes, f->limits, &result);

	if (taken < 0) {
		f->status = DANA_ENOMEM;
		return 0;
	}
	switch (result) {
	case HEAD_MORE:
		break;
	case HEAD_DONE:
		end_head(f);
		break;
	case HEAD_RESTART:
		damage_head(f, DAMAGE_BAD_HEAD, "the header is cut off by another record");
		f->head_pos += head_restart(&f->head);
		f->head_offset = framer_offset(f, f->head_pos);
		f->head_first = false;
		f->head_moved = true;
		f->in_fault = false;
		break;
	case HEAD_TOO_LARGE:
		if (f->arc_version) {
			no_arc_head(f);
		} else {
			damage_head(f, DAMAGE_HEAD_TOO_LARGE, "the header is longer than the limit");
			start_spotter(f, false);
			framer_search(f, true);
		}
		break;
	}
	return taken;
}

/**
 * One step of the state machine on the bytes at f->pos. Returns how many bytes it took (0: only the state changed), or
 * STEP_NEEDS_MORE when the few bytes there are (fewer than LOOKAHEAD) do not decide. With `last`, nothing follows them
 * in this member or in the input, and STEP_NEEDS_MORE is not returned.
 */
static ptrdiff_t framer_step(struct warc_framer *f, struct slice bytes, bool last)
{
	if (f->member_starts) {
		enum match match = f->arc_version ? head_match_arc(bytes) : head_match_magic(bytes, false);

		if (match == MATCH_NO && f->heads)
			match = match_other_kind(f, bytes);
		if (match == MATCH_PART && !last)
			return STEP_NEEDS_MORE;
		f->member_starts = false;
		/* Is what looks like a record head one, while another record is unfinished, or during a search? Only in
		 * files whose members start at records. Elsewhere it is content or garbage unless the spotter confirms
		 * a head. */
		const bool at_records = f->state == FRAMER_BLOCK    ? warc_framer_members_hold_records(f)
					: f->state == FRAMER_SEARCH ? f->members_between >= f->members_inside
								    : true;
		if (match == MATCH_YES && at_records) {
			if (f->state == FRAMER_BLOCK) {
				if (!end_with_member(f, false))
					end_bad(f, DAMAGE_BAD_LENGTH, framer_short_member);
				if (f->spotter.state == SPOTTER_FOUND) {
					f->go_back = true;
					return 0;
				}
			} else if (f->state == FRAMER_HEAD && f->arc_version) {
				end_arc_line(f);
				if (f->go_back)
					return 0;
				/* the member of that record ended without damage, so its length is the cause */
				end_wrong(f);
			} else if (f->state == FRAMER_HEAD) {
				damage_head(f, DAMAGE_BAD_HEAD, "its member ends inside the header");
			}
			start_spotter(f, true);
			f->member.clean = true;
			f->state = FRAMER_BETWEEN;
			return 0;
		}
	}
	switch (f->state) {
	case FRAMER_BETWEEN:
		return step_between(f, bytes, last);
	case FRAMER_HEAD:
		return step_head(f, bytes);
	case FRAMER_BLOCK:
		return step_block(f, bytes);
	case FRAMER_CLOSING:
		return step_closing(f, bytes, last);
	case FRAMER_SEARCH:
		break;
	}
	size_t taken = 0;

	if (f->padding) {
		while (taken < bytes.len && (bytes.data[taken] == 0 || ascii_is_space(bytes.data[taken])))
			taken++;
		if (taken < bytes.len) {
			f->padding = false;
			f->state = FRAMER_BETWEEN; /* where a head begins, or garbage continues */
		}
		return (ptrdiff_t)taken;
	}
	taken = spotter_feed(&f->spotter, bytes, f->pos);
	if (f->now.wrong && withholds(f)) { /* they may be the rest of the block */
		const struct slice rest = slice_first(bytes, taken);
		note_border(f, rest);
		if (!f->now.rest_lost) {
			withhold(f, rest);
			f->now.rest_lost = f->rest.len > f->replay.max;
			if (f->now.rest_lost)
				f->rest.len = (size_t)(block_end(&f->now) - f->now.out);
		}
	}
	f->go_back = f->spotter.state == SPOTTER_FOUND;
	if (f->go_back)
		end_wrong(f);
	return (ptrdiff_t)taken;
}

/*
 * Going on from a record in the middle of an input, or from a border between two members. When a good head has been
 * read to its end, everything before it is over: the record before has ended, no region is open, no spotter has seen a
 * head.
 *
 * What still counts are a few numbers and the bytes from the head on. So a framer that gets those numbers, and the
 * member in which the head begins from its start, is in the same state after it has skipped what came before the head
 * in that member. The same holds at a border where nothing is open.
 *
 * Excepted are the first head of an input, whose place is the input's start, and what is being read again after a wrong
 * length: the framer has read farther by then, and knows more.
 */

static const char *const arc_versions[] = { NULL, "ARC/1.0", "ARC/1.1", "ARC/2.0" };

enum { ARC_VERSIONS = sizeof(arc_versions) / sizeof(*arc_versions) };

/* The version of an ARC, 0 for WARC; and more by ARC_VERSIONS where both have come. */
static unsigned kind_number(const struct warc_framer *f)
{
	unsigned n = 0;
	while (f->arc_version && n + 1 < ARC_VERSIONS &&
	       (!arc_versions[n] || strcmp(arc_versions[n], f->arc_version) != 0))
		n++;
	return n + (f->both ? ARC_VERSIONS : 0);
}

static void set_kind(struct warc_framer *f, unsigned number)
{
	f->arc_version = arc_versions[number % ARC_VERSIONS];
	f->arc_sure = f->arc_version != NULL;
	f->both = number >= ARC_VERSIONS;
}

bool warc_framer_place(const struct warc_framer *f, struct warc_place *place)
{
	const bool plain = f->member.plain;
	if (f->heads < 2 || f->pos != f->furthest || (f->head_moved && !plain))
		return false;
	*place = (struct warc_place){
		.plain = plain,
		.offset = f->head_offset,
		.member_pos = plain ? f->head_pos : f->head_member_pos,
		.skip_to = plain || !f->head_first ? f->head_pos : f->head_member_pos,
		.seq = f->now.rec.seq,
		.heads = f->heads - 1,
		.furthest = f->furthest > f->head_pos ? f->furthest : f->head_pos,
		.reread = f->reread,
		.members_between = f->members_between,
		.members_inside = f->members_inside,
		.members_counted = f->members_counted,
		.arc = kind_number(f),
	};
	return true;
}

bool warc_framer_border(const struct warc_framer *f, uint64_t offset, struct warc_place *place)
{
	const bool record = f->now.open || f->now.silent || f->now.wrong;
	const bool again = spotter_holds(&f->spotter) || replay_unread(&f->replay) || f->replay.overflow || f->go_back;
	const bool fault = f->in_fault || f->region || f->broken_off;
	const bool over = f->state == FRAMER_BETWEEN && !record && !again && !fault && f->status == 0;
	if (f->heads == 0 || f->pos != f->furthest || f->pos < f->skip_to || f->member.plain ||
	    !warc_framer_members_hold_records(f) || !over)
		return false;
	*place = (struct warc_place){
		.offset = offset,
		.member_pos = f->pos,
		.skip_to = f->pos,
		.seq = f->seq,
		.heads = f->heads,
		.furthest = f->pos,
		.reread = f->reread,
		.members_between = f->members_between,
		.members_inside = f->members_inside,
		.members_counted = f->members_counted,
		.arc = kind_number(f),
	};
	return true;
}

void warc_framer_pass(struct warc_framer *f, const struct warc_place *from, const struct warc_place *to)
{
	f->pos += to->member_pos - from->member_pos;
	f->furthest = f->members_counted = f->pos;
	f->seq += to->seq - from->seq;
	f->heads += to->heads - from->heads;
	f->members_between += to->members_between - from->members_between;
}

bool warc_framer_start_at(struct warc_framer *f, const struct warc_place *place)
{
	if (place->arc >= 2 * ARC_VERSIONS || place->member_pos > place->skip_to || place->skip_to > place->furthest ||
	    place->heads == 0)
		return false;
	f->pos = place->member_pos;
	f->skip_to = place->skip_to;
	f->furthest = place->furthest;
	f->seq = place->seq;
	f->heads = place->heads;
	f->reread = place->reread;
	f->members_between = place->members_between;
	f->members_inside = place->members_inside;
	f->members_counted = place->members_counted;
	set_kind(f, place->arc);
	spotter_start(&f->spotter, f->arc_version ? SPOTTER_ARC : SPOTTER_WARC, true, f->replay.max / 2);
	return true;
}

void warc_framer_start_inside(struct warc_framer *f, const struct warc_framer *like)
{
	f->pos = f->furthest = f->members_counted = LOOKAHEAD; /* no byte order mark is looked for */
	f->heads = like->heads ? like->heads : 1;
	f->members_between = warc_framer_members_hold_records(like);
	set_kind(f, kind_number(like));
	framer_search(f, false);
	f->inside = true;
}

uint64_t warc_framer_record_pos(const struct warc_framer *f)
{
	return f->member.plain ? f->head_pos : f->head_member_pos;
}

/*
 * How many bytes going back may read again: FREE, and FACTOR times what was read. Without a bound, an input of N heads
 * whose lengths are all wrong would be read N times.
 */
enum { REREAD_FACTOR = 4, REREAD_FREE = 64 << 20 };

struct warc_framer *warc_framer_new(struct record_sink *next, const struct limits *limits, bool seekable)
{
	struct warc_framer *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->next = next;
	f->limits = limits;
	f->seekable = seekable;
	f->end = f->no_joint = UINT64_MAX;
	f->replay.max = REPLAY_MAX;
	f->member = (struct framer_member){ .plain = true, .clean = true };
	spotter_start(&f->spotter, SPOTTER_WARC, true, REPLAY_MAX / 2);
	return f;
}

void warc_framer_keep_most(struct warc_framer *f, size_t most)
{
	f->replay.max = most;
}

/* After a step that took `taken`: advances, and keeps the bytes from the spotter's head on. */
static void keep(struct warc_framer *f, struct slice taken, bool from_replay)
{
	struct replay *r = &f->replay;
	uint64_t pos = f->pos;
	f->pos += taken.len;
	if (f->pos > f->furthest)
		f->furthest = f->pos;
	if (from_replay)
		r->next += taken.len;
	if (!spotter_holds(&f->spotter)) {
		if (r->overflow)
			replay_close_hole(r, f->pos);
		if (!replay_unread(r))
			replay_clear(r);
		return;
	}
	/* In which member does the spotter's head begin? When it is cut off by another one, the spotter learns this at
	 * the end of the other's first line and moves `start` back to that line's begin. */
	const struct spotter *s = &f->spotter;
	if (s->start >= pos)
		f->spotted = f->member;
	else if (s->kind != SPOTTER_ARC && s->start != f->spotted_pos)
		f->spotted = f->line_member;
	f->spotted_pos = s->start;
	if (s->line_start >= pos)
		f->line_member = f->member;
	if (from_replay) {
		replay_pass(r, taken.len, f->spotter.start);
	} else {
		if (f->spotter.start >= pos) {
			replay_clear(r);
			r->base = f->spotter.start;
			taken = slice_skip(taken, (size_t)(f->spotter.start - pos));
		}
		if (replay_keep(r, taken, f->spotter.start) < 0)
			f->status = DANA_ENOMEM;
	}
	if (r->overflow)
		replay_trim(r, f->seekable);
}

static uint64_t spotted_offset(const struct warc_framer *f)
{
	const struct framer_member *m = &f->spotted;
	return m->offset + (m->plain ? f->spotter.start - m->pos : 0);
}

/* Goes back to the head that the spotter found: in the replay buffer, or (returns FRAMER_SEEK) in the source. */
static int go_back(struct warc_framer *f)
{
	static const char too_much[] = "too many wrong lengths to read again what they hide";
	struct replay *r = &f->replay;
	uint64_t start = f->spotter.start;
	bool seek = r->overflow && f->seekable;
	uint64_t cost = f->pos - (seek && !f->spotted.plain ? f->spotted.pos : start);
	f->go_back = false;
	if (f->spotter.kind == SPOTTER_ARC && !f->arc_version)
		f->arc_version = "ARC/1.0"; /* its first line is lost */
	else if (f->spotter.kind == SPOTTER_WARC)
		f->arc_version = NULL;
	if (f->state != FRAMER_SEARCH) {
		if (f->reread + cost > f->furthest * REREAD_FACTOR + REREAD_FREE) {
			framer_damage(f, DAMAGE_GARBAGE, spotted_offset(f), NULL, too_much);
			spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
			if (r->overflow)
				replay_close_hole(r, f->pos);
			framer_search(f, true);
			return 0;
		}
		f->reread += cost;
	}
	spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	f->state = FRAMER_BETWEEN;
	f->member_starts = false;
	if (seek) {
		f->seek_offset = spotted_offset(f);
		f->pos = f->spotted.plain ? start : f->spotted.pos;
		f->skip_to = start;
		replay_clear(r);
	} else {
		f->hole_member = f->member;
		if (replay_rewind(r, start, f->pos) < 0)
			f->status = DANA_ENOMEM;
		f->pos = start;
	}
	f->member = f->spotted;
	f->member.clean = start == f->spotted.pos;
	return seek ? FRAMER_SEEK : 0;
}

/*
 * The bytes from here to `pos` were too many to keep: the record under way ends here, and they are one damaged region.
 */
static void enter_hole(struct warc_framer *f, uint64_t pos)
{
	static const char detail[] = "read too far under a wrong Content-Length, and the input cannot be read again";
	end_wrong(f);
	if (f->now.open || f->now.silent)
		end_bad(f, DAMAGE_TRUNCATED, detail);
	else if (f->state == FRAMER_HEAD)
		damage_head(f, DAMAGE_TRUNCATED, detail);
	framer_damage(f, DAMAGE_GARBAGE, framer_offset(f, f->pos), NULL, detail);
	f->pos = pos;
	f->member = f->hole_member;
	f->member.clean = false;
	replay_close_hole(&f->replay, pos);
	spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	framer_search(f, true);
}

static void begin_member(struct warc_framer *f, uint64_t offset, bool verified, bool checksum)
{
	if (f->member.plain)
		f->end = UINT64_MAX; /* the end was the end of the uncompressed bytes; decoded ones follow */
	if (f->spotter.state == SPOTTER_IDLE)
		f->spotter.at_line_start = true; /* a head may begin, whatever came before */
	f->member_starts = f->state == FRAMER_HEAD || f->state == FRAMER_BLOCK || f->state == FRAMER_SEARCH;
	f->member = (struct framer_member){ .verified = verified,
					    .checksum = checksum,
					    .offset = offset,
					    .pos = f->pos,
					    .clean = !f->member_starts };
}

static void end_member(struct warc_framer *f, uint64_t offset)
{
	const bool own = f->now.alone && f->now.member_pos == f->member.pos && one_record_a_member(f);

	/* does the member end between two records? In garbage it does not count */
	if (f->pos > f->members_counted) {
		f->members_counted = f->pos;
		if (f->state == FRAMER_BETWEEN || f->state == FRAMER_CLOSING)
			f->members_between++;
		else if (f->state != FRAMER_SEARCH)
			f->members_inside++;
	}
	end_searched(f, true, offset);
	end_wrong(f);
	if (f->state == FRAMER_BLOCK && f->now.member_pos == f->member.pos) {
		f->now.member_end = f->pos;
		f->now.member_len = offset - f->member.offset;
	}
	f->member_starts = false;
	if (f->state == FRAMER_CLOSING) {
		if (!own && swallows(f, 0, true, true))
			return; /* unless the next member begins with the line breaks */
		f->state = FRAMER_BETWEEN;
	}
	if (f->now.unsure && !own && f->state == FRAMER_BETWEEN)
		return;
	if (f->state == FRAMER_BETWEEN || (f->state == FRAMER_SEARCH && f->now.open)) {
		end_good(f, true, offset);
		if (!spotter_holds(&f->spotter))
			return;
		if (f->state == FRAMER_BETWEEN)
			spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	}
}

/* Works on the unread bytes of the replay buffer, then on `in`. `last`: a member or the input ends after it. */
static int run(struct warc_framer *f, struct slice in, bool last)
{
	struct replay *r = &f->replay;

	while (f->status == 0) {
		bool events = r->next_event < r->n_events;
		size_t event_at = events ? r->events[r->next_event].at : r->bytes.len;
		bool from_replay = r->next < r->bytes.len;

		if (events && event_at == r->next) {
			const struct replay_event event = r->events[r->next_event++];

			switch (event.kind) {
			case REPLAY_MEMBER_BEGIN:
				begin_member(f, event.value, event.verified, event.checksum);
				break;
			case REPLAY_MEMBER_END:
				end_member(f, event.value);
				break;
			case REPLAY_HOLE:
				enter_hole(f, event.value);
				break;
			}
			if (!replay_unread(r) && !spotter_holds(&f->spotter))
				replay_clear(r);
			continue;
		}
		struct slice bytes = from_replay ? slice_of(r->bytes.data + r->next, event_at - r->next) : in;

		if (bytes.len == 0)
			break;
		ptrdiff_t taken = framer_step(f, bytes, from_replay ? events || (last && in.len == 0) : last);

		if (taken == STEP_NEEDS_MORE) {
			/* the decision needs more bytes than lie together in one piece: it waits for the next chunk, or
			 * some of `in` goes to the end of the replay buffer */
			const size_t part = from_replay && in.len > LOOKAHEAD ? LOOKAHEAD : in.len;
			if (part == 0)
				break;
			if (replay_carry(&f->replay, slice_of(in.data, part), f->pos) < 0)
				f->status = DANA_ENOMEM;
			in = slice_skip(in, part);
			if (!from_replay)
				break;
			continue;
		}
		keep(f, slice_of(bytes.data, (size_t)taken), from_replay);
		if (!from_replay)
			in = slice_skip(in, (size_t)taken);
		if (f->go_back && f->status == 0) {
			int result = go_back(f);

			if (result)
				return result;
		}
		if (f->at_joint && f->status == 0)
			return FRAMER_JOINT;
	}
	return f->status;
}

static int note_event(struct warc_framer *f, enum replay_event_kind kind, uint64_t value)
{
	if (!spotter_holds(&f->spotter) || f->replay.overflow)
		return 0;
	if (replay_note(&f->replay, kind, value) < 0)
		f->status = DANA_ENOMEM;
	return f->status;
}

int warc_framer_write(struct warc_framer *f, struct slice bytes)
{
	if (f->pos < f->skip_to) {
		uint64_t skip = f->skip_to - f->pos;
		size_t part = bytes.len < skip ? bytes.len : (size_t)skip;
		f->pos += part;
		bytes = slice_skip(bytes, part);
		f->member.clean = false;
	}
	if (bytes.len == 0)
		return f->status;
	return run(f, bytes, false);
}

int warc_framer_member_begin(struct warc_framer *f, uint64_t offset)
{
	int result = run(f, slice_of(NULL, 0), true);
	if (result)
		return result;
	begin_member(f, offset, false, false);
	return note_event(f, REPLAY_MEMBER_BEGIN, offset);
}

void warc_framer_member_content(struct warc_framer *f, struct slice content, bool checksum)
{
	struct replay *r = &f->replay;
	if (content.len == 0)
		return;
	f->member.verified = true;
	f->member.checksum = checksum;
	struct replay_event *last = r->n_events ? &r->events[r->n_events - 1] : NULL;
	if (last && last->kind == REPLAY_MEMBER_BEGIN && last->value == f->member.offset) {
		last->verified = true;
		last->checksum = checksum;
	}
	const size_t len = BLOCK_CLOSING_LEN;
	if (content.len > len && memcmp(content.data + content.len - len, closing, len) == 0) {
		f->member.closed = f->member.pos + content.len - len;
		f->member.content = content;
	}
}

int warc_framer_member_end(struct warc_framer *f, uint64_t offset)
{
	int result = run(f, slice_of(NULL, 0), true);
	if (result)
		return result;
	if (note_event(f, REPLAY_MEMBER_END, offset) < 0)
		return f->status;
	end_member(f, offset);
	return f->status;
}

/*
 * The compressed input is damaged here, so the bytes that follow do not continue those before: ends what is under way
 * as damaged and starts afresh. A record ends for `record_reason`, bytes without a record for `reason`.
 */
static void break_off(struct warc_framer *f, enum damage_reason reason, enum damage_reason record_reason,
		      uint64_t offset, const char *detail)
{
	uint64_t length;
	if (f->state == FRAMER_HEAD && f->arc_version && !arc_head_plausible(buf_slice(&f->head.text), &length))
		no_arc_line(f);
	f->now.wrong = NULL;
	if (f->now.open)
		end_bad(f, record_reason, detail);
	else if (f->state == FRAMER_HEAD)
		damage_head(f, record_reason, detail);
	else if (f->region)
		close_region(f, reason, detail);
	else if (!f->in_fault)
		framer_damage(f, reason, offset, NULL, detail);
	f->pos += f->replay.bytes.len - f->replay.next; /* bytes that were taken and are not looked at any more */
	if (f->pos > f->furthest)
		f->furthest = f->pos;
	f->in_fault = true;
	f->region = false;
	f->now.silent = false;
	f->member_starts = false;
	f->state = FRAMER_BETWEEN;
	spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	replay_clear(&f->replay);
}

int warc_framer_member_bad(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	break_off(f, reason, reason, f->member.offset, detail);
	f->broken_off = true;
	return f->status;
}

int warc_framer_garbage(struct warc_framer *f, uint64_t offset, const char *detail)
{
	break_off(f, DAMAGE_GARBAGE, DAMAGE_BAD_MEMBER, offset, detail);
	return f->status;
}

int warc_framer_plain(struct warc_framer *f, uint64_t offset, uint64_t size)
{
	int result = run(f, slice_of(NULL, 0), true);
	if (result)
		return result;
	if (end_with_member(f, false))
		f->state = FRAMER_BETWEEN;
	else if (f->now.open || f->state == FRAMER_HEAD)
		break_off(f, DAMAGE_BAD_LENGTH, DAMAGE_BAD_LENGTH, offset, "uncompressed data begins inside a record");
	/* What began like a head in a member has no more to come. */
	spotter_start(&f->spotter, f->spotter.kind, f->spotter.line_start_only, f->spotter.limit);
	f->spotter.at_line_start = !f->inside;
	f->inside = false;
	replay_clear(&f->replay);
	f->member = (struct framer_member){ .plain = true, .offset = offset, .pos = f->pos, .clean = true };
	if (size != UINT64_MAX && size >= offset)
		f->end = f->pos + (size - offset);
	return f->status;
}

int warc_framer_finish(struct warc_framer *f)
{
	do {
		int result = run(f, slice_of(NULL, 0), true);
		if (result)
			return result;
		if (f->end > f->pos)
			f->end = f->pos;
		if (f->state == FRAMER_BLOCK && f->spotter.state == SPOTTER_FOUND) {
			f->now.wrong = beyond_end(f);
			end_wrong(f);
			f->go_back = true;
		} else if (f->state == FRAMER_HEAD && f->arc_version) {
			end_arc_line(f);
		} else if (f->state == FRAMER_BETWEEN) {
			(void)leave_wrong_arc(f, true, f->pos);
		} else if (f->state == FRAMER_CLOSING && swallows(f, 0, true, true)) {
			leave_wrong_block(f, no_boundary(f));
		}
		if (f->go_back && f->status == 0) {
			result = go_back(f);
			if (result)
				return result;
		}
	} while (replay_unread(&f->replay) && f->status == 0);

	end_searched(f, false, 0);
	end_wrong(f);
	if (f->state == FRAMER_BLOCK && !end_with_member(f, true))
		end_bad(f, DAMAGE_TRUNCATED, "the input ends inside the block");
	else if (f->state == FRAMER_HEAD)
		damage_head(f, DAMAGE_TRUNCATED, "the input ends inside the header");
	else
		end_good(f, false, 0);

	if (f->heads == 0 && f->seq == 0 && f->pos > 0) {
		static const char none[] = "no WARC or ARC record in the whole input";
		char twice[sizeof(((struct record_end *)NULL)->detail)];
		snprintf(twice, sizeof(twice),
			 "it is compressed twice, inside by %s: undo it once (gunzip or unzstd), and read what comes "
			 "out",
			 f->again ? f->again : "");
		framer_damage(f, DAMAGE_NOT_AN_ARCHIVE, 0, NULL, f->again ? twice : none);
	} else if (!f->padding) {
		close_garbage(f, f->pos);
	}
	f->region = false;
	return f->status;
}

/*
 * Files of other kinds may follow uncompressed records. Whether a member begins is not for the framer to decide: it
 * stops before what seems to be one, and what it holds unread of the input is the pump's to read.
 */

void warc_framer_find_joints(struct warc_framer *f)
{
	f->joins = true;
}

uint64_t warc_framer_joint(const struct warc_framer *f, struct slice *unread)
{
	*unread = slice_skip(buf_slice(&f->replay.bytes), f->replay.next);
	return framer_offset(f, f->pos);
}

void warc_framer_decide_joint(struct warc_framer *f, bool is_one)
{
	f->at_joint = false;
	f->no_joint = f->pos;
	replay_clear(&f->replay);
	if (!is_one)
		return;
	end_good(f, false, 0);
	close_garbage(f, f->pos);
	start_spotter(f, true);
	f->furthest = f->pos;
}

uint64_t warc_framer_seek_offset(const struct warc_framer *f)
{
	return f->seek_offset;
}

uint64_t warc_framer_records(const struct warc_framer *f)
{
	return f->seq;
}

uint64_t warc_framer_heads(const struct warc_framer *f)
{
	return f->heads;
}

uint64_t warc_framer_bytes(const struct warc_framer *f)
{
	return f->furthest;
}

void warc_framer_free(struct warc_framer *f)
{
	if (!f)
		return;
	head_free(&f->head);
	head_free(&f->open_head);
	spotter_free(&f->spotter);
	spotter_free(&f->inner);
	replay_free(&f->replay);
	buf_free(&f->rest);
	free(f);
}
