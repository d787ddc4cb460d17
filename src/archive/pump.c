/* SPDX-License-Identifier: MIT */
/*
 * Moves an input through decompression and framing, and finds the way back to good members after damage.
 *
 * A state machine over the input window: each state is a function that takes some input and returns 0 to continue,
 * STEP_STARVED to ask for more, or an error. A gzip archive goes DETECTING, BORDER, MEMBER, BORDER, MEMBER and so on;
 * after a damaged member SEARCH finds the next BORDER.
 *
 * Where the input begins as nothing we know (the second half of a split file), PROBING passes it to the framer as plain
 * bytes and looks for a member in it at the same time.
 *
 * Files that are joined may differ: at a BORDER a member of another container may begin, or records that are not
 * compressed, and between these (PLAIN) the framer finds what begins like a member (JOINT).
 *
 * The search after damage begins inside the damaged member, whose bytes are held for it up to HELD_MAX: a wrong length
 * or a wrong bit in a member can hide good members after it.
 *
 * One way to begin in the middle: pump_start_at gets the place of a record or of a border between members, a few
 * numbers that stand for all that came before. A resumed run, the spans that workers read, and what passes over them
 * begin so; --range looks for such a place by itself. Example: a place at offset 4711 of a .warc.gz, record 12: the
 * source is read from 4711 on, and the first record that comes is number 12.
 */
#include "archive/pump.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/codec/codecs.h"
#include "archive/member.h"
#include "archive/record.h"
#include "archive/warc/framer.h"
#include "archive/warc/segments.h"

/*
 * Between the framer and what takes its records, where a part of an input is read: of all records that come, those pass
 * whose member (or, uncompressed, whose own first byte) lies in [begin, end) of the input. They are numbered from
 * `begin` on, so that no two parts of an input have a number in common. While a segmented record of the part waits for
 * its continuations, these are looked for after `end`, too.
 */
struct range_records {
	struct record_sink sink; /* for the framer */
	struct record_sink *next;
	struct segments *segments;        /* which `next` is */
	const struct warc_framer *framer; /* whose records come; changed with it */
	uint64_t begin, end;              /* offsets in the input */
	/* Called for each record before `begin`. NULL: nobody wants to know. */
	int (*before)(void *before_arg, const struct record *rec);
	void *before_arg;

	bool searching;       /* the framer began in the middle, and no record has come yet */
	bool too_late;        /* ... and the first one is not before `begin`: there may be earlier ones */
	bool passes;          /* the record under way is passed on */
	bool over;            /* a record or a damage at or after `end` has come */
	uint64_t seen;        /* records that have ended, of any place */
	uint64_t number;      /* of the next record that is passed on */
	struct record record; /* the one that was passed on */
	/*
	 * Decoded bytes before the first record of the range, and before the first one after it; UINT64_MAX: not known.
	 */
	uint64_t decoded_begin, decoded_end;
};

enum pump_state {
	PUMP_DETECTING,
	PUMP_PROBING,    /* neither begins here: where does the first member or record begin? */
	PUMP_PLAIN,      /* not compressed */
	PUMP_JOINT,      /* after that: does a member begin? */
	PUMP_DICTIONARY, /* in one that is needed to start in the middle */
	PUMP_BORDER,     /* a member may begin */
	PUMP_MEMBER,     /* in one */
	PUMP_SEARCH,     /* after damage: where does the next one begin? */
};

/* How far the search for the first record of a range has come. */
enum pump_range_state {
	PUMP_RANGE_WHOLE,  /* no range is set */
	PUMP_RANGE_HEAD,   /* in the first record of the input */
	PUMP_RANGE_SEARCH, /* before `begin`, where no record has come yet */
	PUMP_RANGE_FOUND,  /* what comes is as if all had been read */
};

struct pump {
	struct pump_config config;
	struct warc_framer *framer;
	struct segments *segments;
	struct codec *codec;         /* of the container; NULL while that is not known */
	bool container_sure;         /* a member of it held something: all that follow are of the same container */
	struct member_probes probes; /* open in PUMP_PROBING */
	enum pump_state state;
	struct input_window input;
	bool last; /* the input is over */
	bool done;
	unsigned more_records;       /* damaged regions that the framer does not know */
	const char *damaged;         /* what is wrong with all of the input; NULL: nothing */
	struct member_reader member; /* the one under way */
	uint64_t member_offset;
	bool member_told;         /* the framer knows of it */
	bool skipped;             /* it was a skippable frame or padding, which has ended */
	uint64_t member_decoded;  /* bytes */
	uint64_t zeros, zeros_at; /* NULs since the last member, and the offset of the first */
	uint64_t reread;          /* what searching damaged members has cost */
	bool has_dictionary;
	uint64_t dictionary; /* offset of the last one */
	uint64_t start;      /* in the middle: what is read after the dictionary */
	bool elsewhere;      /* what comes next is not in the input window: pump_pass went beyond it */
	bool in_range;
	enum pump_range_state range_state;
	struct range_records range;
	uint64_t look_back; /* bytes before `begin` to which the next jump goes */
};

/* What the functions of the states return, besides 0 (continue), FRAMER_SEEK and negative statuses. */
enum { STEP_STARVED = 2, STEP_START = 3, STEP_PAUSED = 4, STEP_ELSEWHERE = 5 };

/* Returns the sink that takes the framer's records. */
static struct record_sink *pump_records(struct pump *p)
{
	return p->in_range ? &p->range.sink : segments_records(p->segments);
}

static inline struct codec_limits pump_codec_limits(const struct pump *p)
{
	return (struct codec_limits){ .window = p->config.limits->window };
}

/* A framer in place of the last one, if there was one. Returns false if memory is exhausted. */
static bool pump_new_framer(struct pump *p)
{
	struct warc_framer *f = warc_framer_new(pump_records(p), p->config.limits, p->config.seekable);
	if (!f)
		return false;
	warc_framer_find_joints(f);
	warc_framer_free(p->framer);
	p->framer = f;
	p->range.framer = f;
	return true;
}

/* What follows is not compressed. */
static inline int pump_begin_plain(struct pump *p)
{
	return warc_framer_plain(p->framer, p->input.offset, p->config.seekable ? p->config.source_size : UINT64_MAX);
}

/* A member begins here. */
static inline void pump_begin_member(struct pump *p)
{
	member_reader_begin(&p->member, p->codec);
	p->member_offset = p->input.offset;
	p->member_told = false;
	p->member_decoded = 0;
	p->zeros = 0;
	p->skipped = false;
	p->state = PUMP_MEMBER;
}

/* What begins at `offset`: is it passed on? */
static bool is_inside(struct range_records *r, uint64_t offset)
{
	r->over |= offset >= r->end;
	segments_beyond(r->segments, r->over);
	return offset >= r->begin && (!r->over || segments_wait(r->segments));
}

static int range_begin(struct record_sink *self, const struct record *rec)
{
	struct range_records *r = (struct range_records *)self;
	r->passes = false;
	if (r->searching && rec->offset >= r->begin)
		r->too_late = true;
	if (r->too_late)
		return RECORD_UNWANTED;
	r->searching = false;
	r->passes = is_inside(r, rec->offset);
	if (r->passes || r->over) {
		const uint64_t decoded = warc_framer_record_pos(r->framer);
		if (r->decoded_begin == UINT64_MAX)
			r->decoded_begin = decoded;
		if (r->over && r->decoded_end == UINT64_MAX)
			r->decoded_end = decoded;
	}
	if (r->passes) {
		r->record = *rec;
		r->record.seq = r->number;
		r->number += !r->over;
		return r->next->ops->begin(r->next, &r->record);
	}
	const int status = r->before && !r->over ? r->before(r->before_arg, rec) : 0;
	return status < 0 ? status : RECORD_UNWANTED;
}

static int range_body(struct record_sink *self, struct slice bytes)
{
	struct range_records *r = (struct range_records *)self;
	return r->passes ? r->next->ops->body(r->next, bytes) : RECORD_UNWANTED;
}

static int range_end(struct record_sink *self, const struct record_end *end)
{
	struct range_records *r = (struct range_records *)self;
	r->seen++;
	return r->passes ? r->next->ops->end(r->next, end) : 0;
}

static int range_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	struct range_records *r = (struct range_records *)self;
	(void)seq;
	if (r->searching || !is_inside(r, offset))
		return 0;
	const uint64_t number = r->number;
	r->number += !r->over;
	return r->next->ops->damage(r->next, number, offset, id, uri, end);
}

static const struct record_sink_ops range_ops = { "range records", range_begin, range_body, range_end, range_damage };

/*
 * Beginning in the middle of an input: at the member in which a record begins, or at the record where nothing is
 * compressed. Of what comes before, a zstd dictionary is needed: the pump asks for it first (PUMP_DICTIONARY), and then
 * for the member, as for a seek.
 */

static void pump_drop_codec(struct pump *p)
{
	if (p->codec)
		p->codec->ops->close(p->codec);
	p->codec = NULL;
	p->has_dictionary = false;
	p->dictionary = 0;
}

static void pump_note_dictionary(struct pump *p)
{
	if (!p->codec->was_dictionary)
		return;
	p->has_dictionary = true;
	p->dictionary = p->member_offset;
}

/* Whether it can be used showed when it was read for the first time. */
static int pump_load_dictionary(struct pump *p)
{
	struct slice none;
	int result = member_reader_read(&p->member, &p->input, p->last, &none);
	if (result == MEMBER_STARVED && !p->last)
		return STEP_STARVED;
	return result == 0 || result == DANA_ENOMEM ? result : STEP_START;
}

/* Returns pump_place.container of p->codec. */
static unsigned pump_container(const struct pump *p)
{
	unsigned n = 0;
	while (codec_containers[n++] != p->codec->ops)
		;
	return n;
}

/* Returns all of a place but where it is. */
static struct pump_place learned(const struct pump *p)
{
	struct pump_place place = { .has_dictionary = p->has_dictionary,
				    .dictionary = p->dictionary,
				    .furthest = p->input.furthest,
				    .reread = p->reread };
	if (p->codec) {
		place.memory = p->codec->memory;
		place.container = pump_container(p);
	}
	return place;
}

bool pump_place(const struct pump *p, struct pump_place *place)
{
	struct warc_place at;
	*place = learned(p);
	if (!p->config.seekable || segments_wait(p->segments) || !warc_framer_place(p->framer, &at))
		return false;
	if (at.plain) {
		place->container = 0;
		place->memory = (struct codec_memory){ 0 };
	}
	place->warc = at;
	if (p->in_range) {
		place->warc.seq = p->range.record.seq;
		place->range_decoded = p->range.decoded_begin;
	}
	return at.plain || !p->has_dictionary || p->dictionary < at.offset;
}

/*
 * Borders between members at which nothing is open. What follows such a border depends on nothing before it but the
 * numbers of its place. So another pump can read from there, and where it has come to such a border too, this one can
 * continue as if it had read all that itself.
 */

bool pump_border(const struct pump *p, struct pump_place *place)
{
	if (p->state != PUMP_BORDER || p->skipped || p->zeros || p->in_range || segments_wait(p->segments))
		return false;
	*place = learned(p);
	return warc_framer_border(p->framer, p->input.offset, &place->warc);
}

bool pump_waits(const struct pump *p)
{
	return segments_wait(p->segments);
}

int pump_start_at(struct pump *p, const struct pump_place *place)
{
	const bool plain = place->warc.plain;
	const struct codec_limits limits = pump_codec_limits(p);

	if (!pump_new_framer(p))
		return DANA_ENOMEM;
	if (!p->config.seekable || place->warc.offset > place->furthest ||
	    !warc_framer_start_at(p->framer, &place->warc) ||
	    (!plain && place->has_dictionary && place->dictionary >= place->warc.offset))
		return DANA_EFORMAT;
	input_window_seek(&p->input, place->warc.offset);
	p->input.furthest = place->furthest;
	p->reread = place->reread;
	p->last = p->done = p->skipped = p->elsewhere = false;
	p->zeros = 0;
	if (p->in_range) {
		p->range_state = PUMP_RANGE_FOUND;
		p->range.number = place->warc.seq;
		p->range.decoded_begin = place->range_decoded;
	}
	if (plain) {
		p->state = PUMP_PLAIN;
		return pump_begin_plain(p);
	}
	p->container_sure = true;
	/* A codec that has read before can continue if it has the dictionary, where there is one. */
	const bool fits = p->codec && place->container == pump_container(p) &&
			  place->has_dictionary == p->has_dictionary && place->dictionary == p->dictionary &&
			  p->state != PUMP_DICTIONARY;
	if (fits) {
		p->codec->ops->reset(p->codec);
	} else {
		unsigned n = 0;

		while (codec_containers[n] && n + 1 != place->container)
			n++;
		const struct codec_ops *ops = codec_containers[n];
		pump_drop_codec(p);
		p->codec = ops ? ops->open(&limits) : NULL;
		if (!p->codec)
			return ops ? DANA_ENOMEM : DANA_EFORMAT;
	}
	p->codec->memory = place->memory;
	p->state = PUMP_BORDER;
	p->has_dictionary = place->has_dictionary;
	p->dictionary = place->has_dictionary ? place->dictionary : 0;
	if (fits || !place->has_dictionary)
		return DANA_OK;
	p->start = place->warc.offset;
	input_window_seek(&p->input, place->dictionary);
	pump_begin_member(p);
	p->state = PUMP_DICTIONARY;
	return DANA_OK;
}

void pump_pass(struct pump *p, const struct pump_place *from, const struct pump_place *to)
{
	const uint64_t n = to->warc.offset - from->warc.offset;
	warc_framer_pass(p->framer, &from->warc, &to->warc);
	if (!p->elsewhere && n <= input_window_bytes_from(&p->input, p->input.offset)) {
		input_window_advance(&p->input, (size_t)n);
		return;
	}
	input_window_seek(&p->input, to->warc.offset);
	if (p->input.furthest < to->warc.offset)
		p->input.furthest = to->warc.offset;
	p->elsewhere = true;
}

/*
 * Reading a part of an input. Which records begin in [begin, end) is known exactly only to who has followed the
 * records up to `begin`, so the pump follows them for a while:
 *
 *     0 ....... first record ]      jump      [ target ....... begin ....... end
 *
 *  - From the start it reads until the first record has ended. That gives the compression, a zstd dictionary, the kind
 *    and version of the archive, and the date of its warcinfo.
 *  - It jumps to `target`, LOOK_BACK bytes before `begin`, and searches for a record as it does after damage.
 *  - If the first record that it meets begins before `begin`, all after it is as if read from the start.
 *    If not, the one before may be long, and it jumps again, LOOK_FARTHER times as far back; at last to the start.
 *
 * Where nothing can be read twice, or `begin` is near, it reads from the start and jumps nowhere.
 */

enum { LOOK_BACK = 1 << 20, LOOK_FARTHER = 8, HEAD_MOST = 4 << 20 };

/* STEP_START, or DANA_ENOMEM. */
static int jump(struct pump *p)
{
	const uint64_t begin = p->range.begin;
	const uint64_t target = begin > p->look_back ? begin - p->look_back : 0;
	/* A framer that knows what the first record has taught, and begins in the middle of whatever is at `target`. */
	struct warc_framer *old = p->framer;
	p->framer = NULL;
	if (!pump_new_framer(p)) {
		p->framer = old;
		return DANA_ENOMEM;
	}
	if (target)
		warc_framer_start_inside(p->framer, old);
	warc_framer_free(old);
	p->range.searching = target > 0;
	p->range.too_late = false;
	p->start = target;
	p->zeros = 0;
	p->look_back *= LOOK_FARTHER;
	p->range_state = target ? PUMP_RANGE_SEARCH : PUMP_RANGE_FOUND;
	if (target == 0) { /* as at the start, whatever has come since */
		pump_drop_codec(p);
		p->state = PUMP_DETECTING;
	} else if (p->codec) {
		p->codec->ops->reset(p->codec);
	}
	return STEP_START;
}

/* After a step. Returns 0, STEP_START (jump to p->start) or DANA_ENOMEM. */
static int range_step(struct pump *p)
{
	if (p->range_state == PUMP_RANGE_HEAD) {
		if (p->input.offset + p->look_back >= p->range.begin)
			p->range_state = PUMP_RANGE_FOUND; /* it is near: reading on is as good as jumping */
		else if (p->range.seen || (p->input.offset >= HEAD_MOST && warc_framer_heads(p->framer)))
			return jump(p);
	} else if (p->range_state == PUMP_RANGE_SEARCH) {
		if (p->range.too_late)
			return jump(p);
		if (!p->range.searching)
			p->range_state = PUMP_RANGE_FOUND;
	}
	return DANA_OK;
}

enum {
	PEEK_BYTES = 16,        /* enough to recognise what begins at a member border */
	HELD_MAX = 4 << 20,     /* of a member under way, to search it when it proves damaged */
	REREAD_FACTOR = 4,      /* searching damaged members costs at most 4 x the input ... */
	REREAD_FREE = 64 << 20, /* ... and this; ... */
	ZEROS_MIN = 18,         /* the least that a member of gzip has */
	DECODED_PER_COST = 4,   /* ... a byte costs 1, and so do 4 bytes that were decoded from it in vain */
};

static int begin_probing(struct pump *p)
{
	const struct codec_limits limits = pump_codec_limits(p);
	p->state = PUMP_PROBING;
	member_probes_close(&p->probes, NULL); /* a jump may have left them */
	return member_probes_open(&p->probes, &limits) < 0 ? DANA_ENOMEM : pump_begin_plain(p);
}

/*
 * Records of a zip are entries of it, found by its end: nothing of it is read here. Returns 0, -1 if more bytes are
 * needed, or 1.
 */
static int is_zip(struct slice first)
{
	static const char local[] = "PK\3\4", end[] = "PK\5\6";
	const size_t n = first.len < 4 ? first.len : 4;
	if (memcmp(first.data, local, n) != 0 && memcmp(first.data, end, n) != 0)
		return 0;
	return n < 4 ? -1 : 1;
}

static int refuse_zip(struct pump *p)
{
	static const char stream[] = "zip: a stream of it is not read; a WACZ is, as a file or a URL of dana filter";
	const struct slice none = { NULL, 0 };
	struct record_end end = { .damaged = true, .reason = DAMAGE_NOT_AN_ARCHIVE };
	struct record_sink *records = pump_records(p);
	(void)snprintf(end.detail, sizeof(end.detail), "%s", p->config.zip_fault ? p->config.zip_fault : stream);
	p->done = true;
	p->more_records++;
	return records->ops->damage(records, 0, p->input.offset, none, none, &end);
}

static int detect(struct pump *p)
{
	const struct codec_limits limits = pump_codec_limits(p);
	bool need_more;
	if (input_window_join(&p->input, PEEK_BYTES) < 0)
		return DANA_ENOMEM;
	struct slice first = input_window_unread(&p->input);
	if (first.len == 0)
		return STEP_STARVED;
	const struct codec_ops *ops = codec_detect(first, &need_more);
	const int zip = p->input.offset == 0 ? is_zip(first) : 0;
	if ((need_more || zip < 0) && !p->last)
		return STEP_STARVED;
	if (zip > 0)
		return refuse_zip(p);
	if (ops) {
		p->codec = ops->open(&limits);
		p->state = PUMP_BORDER;
		return p->codec ? 0 : DANA_ENOMEM;
	}
	return begin_probing(p);
}

/*
 * Garbage before the first member, as in the end of a compressed file whose start is lost: until the framer knows a
 * head in the plain bytes, members are looked for in them.
 */
static int probe(struct pump *p)
{
	if (warc_framer_heads(p->framer)) {
		member_probes_close(&p->probes, NULL);
		p->state = PUMP_PLAIN;
		return 0;
	}
	const size_t wants = member_probes_wants(&p->probes);
	if (input_window_join(&p->input, wants) < 0)
		return DANA_ENOMEM;
	struct slice bytes = slice_first(input_window_unread(&p->input), wants);
	bool all = input_window_is_all(&p->input, bytes.len);
	struct codec *found;
	size_t before;
	int status = member_probes_look(&p->probes, bytes, p->last && all, &before, &found);
	if (status < 0)
		return status;
	if (before == 0 && !found)
		return all ? STEP_STARVED : 0;
	input_window_advance(&p->input, before);
	status = before ? warc_framer_write(p->framer, slice_of(bytes.data, before)) : 0;

	if (status == 0 && found && warc_framer_heads(p->framer) == 0) {
		p->codec = found;
		member_probes_close(&p->probes, found);
		p->state = PUMP_BORDER;
	}
	return status;
}

/* Records that are not compressed go to the framer as they are. */
static int pass_plain(struct pump *p)
{
	struct slice bytes = slice_first(input_window_unread(&p->input), STEP_BYTES);
	if (bytes.len == 0)
		return STEP_STARVED;
	input_window_advance(&p->input, bytes.len);
	return warc_framer_write(p->framer, bytes);
}

/* A member of another container than the one under way begins here, if *found. Returns 0, STEP_STARVED or a status. */
static int find_other(struct pump *p, struct codec **found)
{
	const struct codec_limits limits = pump_codec_limits(p);
	if (input_window_join(&p->input, CODEC_LOOKAHEAD) < 0)
		return DANA_ENOMEM;
	const struct slice bytes = input_window_unread(&p->input);
	const bool last = p->last && input_window_is_all(&p->input, bytes.len);
	const struct codec_ops *own = p->state == PUMP_JOINT || !p->codec ? NULL : p->codec->ops;
	const int result = member_begins(bytes, last, own, &limits, found);
	return result == MEMBER_STARVED ? STEP_STARVED : result;
}

static void take_container(struct pump *p, struct codec *codec)
{
	pump_drop_codec(p);
	p->codec = codec;
	p->container_sure = true;
	p->skipped = false;
	p->zeros = 0;
	p->state = PUMP_BORDER;
}

/* The framer has stopped before what seems to be a member: what it has not read is input again. */
static int begin_joint(struct pump *p)
{
	struct slice unread;
	const uint64_t offset = warc_framer_joint(p->framer, &unread);
	if (input_window_put_back(&p->input, offset, unread) < 0)
		return DANA_ENOMEM;
	member_probes_close(&p->probes, NULL);
	p->state = PUMP_JOINT;
	return 0;
}

static int joint(struct pump *p)
{
	struct codec *found;
	const int result = find_other(p, &found);
	if (result)
		return result;
	warc_framer_decide_joint(p->framer, found != NULL);
	if (found)
		take_container(p, found);
	else
		p->state = PUMP_PLAIN;
	return 0;
}

/*
 * Goes back to an offset in the member under way, when that is not too far. Members may lie in one another, as malice
 * makes them, and each decode the same bytes.
 */
static void go_back(struct pump *p, uint64_t offset)
{
	const uint64_t again = p->input.offset - p->member_offset;
	const uint64_t cost = again + p->member_decoded / DECODED_PER_COST;
	if (again > HELD_MAX || p->reread + cost > p->input.furthest * REREAD_FACTOR + REREAD_FREE)
		return;
	p->reread += cost;
	input_window_go_back(&p->input, offset);
}

static bool begins(struct slice bytes, const char *text)
{
	return bytes.len >= strlen(text) && memcmp(bytes.data, text, strlen(text)) == 0;
}

/*
 * What follows a member: the next one, padding, records that are not compressed, or garbage. Padding ends an input;
 * before anything else NULs stand for members that were lost.
 */
static int border(struct pump *p)
{
	const struct slice unread = input_window_unread(&p->input);
	size_t padding = 0;
	for (const uint8_t *at = unread.data;
	     padding < unread.len && (at[padding] == 0 || at[padding] == '\r' || at[padding] == '\n'); padding++)
		if (at[padding] == 0 && p->zeros++ == 0)
			p->zeros_at = p->input.offset + padding;
	if (padding) {
		input_window_advance(&p->input, padding);
		return 0;
	}
	if (input_window_join(&p->input, PEEK_BYTES) < 0)
		return DANA_ENOMEM;
	const struct slice bytes = input_window_unread(&p->input);
	if (bytes.len == 0)
		return STEP_STARVED;
	const bool is_member = p->codec->ops->bid(bytes) > 0;
	const bool is_plain = begins(bytes, "WARC/") || begins(bytes, "filedesc:");
	struct codec *other = NULL;
	if (!p->last && bytes.len < PEEK_BYTES && !is_member && !is_plain)
		return STEP_STARVED;
	const int result = is_member || is_plain ? 0 : find_other(p, &other);
	if (result)
		return result;
	if ((is_member || is_plain || other) && p->zeros >= ZEROS_MIN) {
		p->zeros = 0;
		const int status = warc_framer_garbage(p->framer, p->zeros_at, "zeros instead of compressed members");
		if (status || !other)
			return status;
	}
	if (other) {
		take_container(p, other);
		return 0;
	}
	if (is_member) {
		pump_begin_member(p);
		return 0;
	}
	if (is_plain) {
		int status = pump_begin_plain(p);
		if (status == 0)
			p->state = PUMP_PLAIN;
		return status;
	}
	if (p->container_sure || p->has_dictionary) {
		/* No member begins here. Where the last one was a skippable frame, a damaged length may have led past
		 * good ones: they are looked for in it. */
		if (p->skipped)
			go_back(p, p->member_offset);
		p->state = PUMP_SEARCH;
		return warc_framer_garbage(p->framer, p->input.offset,
					   "bytes between compressed members that belong to none of them");
	}
	/* Only skippable zstd frames came so far, which do not show what follows: that is recognised as if the input
	 * began there. */
	const struct slice first = slice_first(input_window_unread(&p->input), PEEK_BYTES);
	bool need_more;
	const bool known = codec_detect(first, &need_more) || record_start(first);
	pump_drop_codec(p);
	p->state = PUMP_DETECTING;
	if (known)
		return 0;
	go_back(p, p->member_offset);
	return begin_probing(p);
}

static int tell_member(struct pump *p)
{
	if (p->member_told)
		return 0;
	p->member_told = p->container_sure = true;
	int status = warc_framer_member_begin(p->framer, p->member_offset);
	warc_framer_member_content(p->framer, member_reader_whole(&p->member), !p->codec->unchecked);
	return status;
}

/* A piece of the member. */
static int decode(struct pump *p)
{
	struct slice bytes;
	int result = member_reader_read(&p->member, &p->input, p->last, &bytes);
	int status = 0;

	p->member_decoded += bytes.len;
	if (bytes.len) {
		status = tell_member(p);
		if (status == 0)
			status = warc_framer_write(p->framer, bytes);
		if (status)
			return status;
	}
	switch (result) {
	case 0:
		return 0;
	case MEMBER_STARVED:
		return STEP_STARVED;
	case MEMBER_NONE:
		pump_note_dictionary(p);
		p->skipped = true;
		p->state = PUMP_BORDER;
		return 0;
	case MEMBER_END:
		p->state = PUMP_BORDER;
		status = tell_member(p);
		return status ? status : warc_framer_member_end(p->framer, p->input.offset);
	default:
		break;
	}
	/*
	 * A wrong bit can make a member's data seem to continue over the members after it, to the end of the input.
	 * That is reported as truncated, and cannot be distinguished: only the members found later would show it, and
	 * the framer has to know of the fault before the search for them. It is rare, since a code or the checksum
	 * nearly always fails first.
	 */
	enum damage_reason reason = DAMAGE_BAD_MEMBER;

	if (result == DANA_ENOMEM)
		return result;
	pump_note_dictionary(p);
	status = tell_member(p);
	if (status)
		return status;
	/* Where earlier frames needed no dictionary, this frame's header is damaged rather. */
	if (result == DANA_ECONFIG && warc_framer_heads(p->framer) == 0)
		reason = DAMAGE_NO_DICTIONARY;
	else if (p->codec->cut)
		reason = DAMAGE_TRUNCATED;
	status = warc_framer_member_bad(p->framer, reason, p->codec->fault);
	if (status)
		return status;
	/* The search begins after the first byte of the member, or here when that is too far back. */
	if (p->input.offset == p->member_offset)
		input_window_advance(&p->input, 1);
	else
		go_back(p, p->member_offset + 1);
	p->state = PUMP_SEARCH;
	return 0;
}

static int search(struct pump *p)
{
	if (input_window_join(&p->input, (size_t)2 * CODEC_LOOKAHEAD) < 0)
		return DANA_ENOMEM;
	struct slice bytes = input_window_unread(&p->input);
	struct codec_in in = { bytes.data, bytes.len, 0 };
	bool all = input_window_is_all(&p->input, bytes.len);
	if (bytes.len == 0)
		return STEP_STARVED;
	enum resync_start start = warc_framer_members_hold_records(p->framer) ? RESYNC_AT_RECORD : RESYNC_ANYWHERE;
	int result = p->codec->ops->resync(p->codec, &in, start, p->last && all);
	input_window_advance(&p->input, in.pos);
	if (result == 0)
		p->state = PUMP_BORDER;
	if (result == CODEC_MORE_INPUT)
		return all ? STEP_STARVED : 0;
	return result;
}

static int (*const steps[])(struct pump *p) = {
	[PUMP_DETECTING] = detect, [PUMP_PROBING] = probe,
	[PUMP_PLAIN] = pass_plain, [PUMP_JOINT] = joint,
	[PUMP_BORDER] = border,    [PUMP_MEMBER] = decode,
	[PUMP_SEARCH] = search,    [PUMP_DICTIONARY] = pump_load_dictionary,
};

static int seek(struct pump *p, uint64_t offset)
{
	input_window_seek(&p->input, offset);
	p->last = p->elsewhere = false;
	if (p->codec && p->state != PUMP_PLAIN && p->state != PUMP_JOINT) {
		p->codec->ops->reset(p->codec);
		p->state = PUMP_BORDER;
		p->skipped = false;
	}
	return PUMP_SEEK;
}

/* Of the parts of an input the one with its last byte reports it. */
static int report_damaged(struct pump *p)
{
	const struct slice none = { NULL, 0 };
	struct record_end end = { .damaged = true, .reason = DAMAGE_BAD_MEMBER };
	struct record_sink *next = p->config.next;
	const uint64_t last = p->input.furthest ? p->input.furthest - 1 : 0;
	(void)snprintf(end.detail, sizeof(end.detail), "%s", p->damaged);
	if (p->in_range)
		return is_inside(&p->range, last) ? next->ops->damage(next, p->range.number++, 0, none, none, &end) : 0;
	p->more_records++;
	return next->ops->damage(next, warc_framer_records(p->framer), 0, none, none, &end);
}

static int step(struct pump *p)
{
	struct pump_place here;
	if (p->config.at_border && pump_border(p, &here)) {
		const int result = p->config.at_border(p->config.border_arg);
		if (result || p->input.offset != here.warc.offset) /* others have read what follows */
			return result == PUMP_PAUSED ? STEP_PAUSED : result;
	}
	int result = steps[p->state](p);
	if (result == STEP_STARVED && p->elsewhere)
		return STEP_ELSEWHERE;
	if (result == STEP_STARVED && p->last) { /* the input is over */
		result = p->range_state == PUMP_RANGE_SEARCH ? jump(p) : DANA_OK;
		if (result == 0)
			result = warc_framer_finish(p->framer);
		if (result == 0)
			result = segments_finish(p->segments);
		if (result == 0 && p->damaged)
			result = report_damaged(p);
		p->done = result == 0;
	}
	return result == FRAMER_JOINT ? begin_joint(p) : result;
}

static int run(struct pump *p)
{
	int result = 0;
	while (result == 0) {
		if (p->config.wants_input && !p->config.wants_input(p->config.arg))
			return PUMP_PAUSED;
		result = step(p);
		if (result >= 0 && p->range.over && !segments_wait(p->segments))
			p->done = true;
		else if (result == 0)
			result = range_step(p);
		if (p->done)
			return PUMP_DONE;
	}
	if (result == STEP_PAUSED)
		return PUMP_PAUSED;
	if (result == FRAMER_SEEK)
		return seek(p, warc_framer_seek_offset(p->framer));
	if (result == STEP_ELSEWHERE)
		return seek(p, p->input.offset);
	if (result == STEP_START) {
		const int answer = seek(p, p->start);
		int status = DANA_OK;
		if (p->range_state == PUMP_RANGE_SEARCH)
			p->state = p->codec ? PUMP_SEARCH : PUMP_PLAIN;
		if (p->range_state == PUMP_RANGE_SEARCH && !p->codec)
			status = pump_begin_plain(p);
		return status < 0 ? status : answer;
	}
	if (result < 0)
		return result;
	/* The chunk goes: what is unread is kept and, while that is not too much, the member that may be searched. */
	const bool searchable = p->state == PUMP_MEMBER || (p->state == PUMP_BORDER && p->skipped);
	const bool near = searchable && p->input.offset - p->member_offset <= HELD_MAX;
	return input_window_keep(&p->input, near ? p->member_offset : p->input.offset) < 0 ? DANA_ENOMEM : PUMP_HUNGRY;
}

struct pump *pump_new(const struct pump_config *config)
{
	struct pump *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->config = *config;
	p->segments = segments_new(config->next, config->limits);
	if (!p->segments) {
		free(p);
		return NULL;
	}
	input_window_seek(&p->input, config->offset);
	p->input.furthest = config->offset;
	if (config->begin || config->end) {
		p->range = (struct range_records){ .sink.ops = &range_ops,
						   .next = segments_records(p->segments),
						   .segments = p->segments,
						   .begin = config->begin,
						   .end = config->end ? config->end : UINT64_MAX,
						   .number = config->begin,
						   .decoded_begin = config->begin ? UINT64_MAX : 0,
						   .decoded_end = UINT64_MAX,
						   .before = config->before,
						   .before_arg = config->before_arg };
		p->in_range = true;
		p->look_back = config->look_back ? config->look_back : LOOK_BACK;
		p->range_state = config->seekable && config->begin > p->look_back ? PUMP_RANGE_HEAD : PUMP_RANGE_FOUND;
	}
	if (!pump_new_framer(p) || member_reader_init(&p->member) < 0) {
		pump_free(p);
		return NULL;
	}
	return p;
}

int pump_push(struct pump *p, struct slice chunk)
{
	if (p->done)
		return PUMP_DONE; /* a zip ends at its first bytes, however many more come */
	input_window_push(&p->input, chunk);
	return run(p);
}

int pump_resume(struct pump *p)
{
	return p->done ? PUMP_DONE : run(p);
}

void pump_damaged(struct pump *p, const char *why)
{
	p->damaged = why;
}

int pump_finish(struct pump *p)
{
	p->last = true;
	return pump_resume(p);
}

uint64_t pump_seek_offset(const struct pump *p)
{
	return p->input.offset;
}

struct pump_counts pump_counts(const struct pump *p)
{
	if (p->in_range) {
		/* The counts of all ranges of an undamaged input add up to the counts of the whole. */
		const struct range_records *r = &p->range;
		const uint64_t read = p->input.furthest < r->end ? p->input.furthest : r->end;
		const uint64_t decoded = r->over ? r->decoded_end : warc_framer_bytes(p->framer);
		const bool known = r->decoded_begin != UINT64_MAX && decoded != UINT64_MAX;
		return (struct pump_counts){ .bytes_in = read > r->begin ? read - r->begin : 0,
					     .bytes_decoded = known ? decoded - r->decoded_begin : 0,
					     .records = r->number - r->begin };
	}
	return (struct pump_counts){
		.bytes_in = p->input.furthest - p->config.offset,
		.bytes_decoded = warc_framer_bytes(p->framer),
		.records = warc_framer_records(p->framer) + p->more_records,
	};
}

void pump_free(struct pump *p)
{
	if (!p)
		return;
	member_probes_close(&p->probes, NULL);
	pump_drop_codec(p);
	warc_framer_free(p->framer);
	segments_free(p->segments);
	input_window_free(&p->input);
	member_reader_free(&p->member);
	free(p);
}
