#include "pipeline/pump.h"

#include <stdlib.h>

#include "base/buf.h"
#include "codec/codec.h"
#include "warc/framer.h"

enum {
	STEP_BYTES = 64 << 10,       /* decoded bytes in one step */
	PEEK_BYTES = 16,             /* enough to tell what begins at a member border */
	HELD_MAX = 4 << 20,          /* of a member under way, to search it when it proves damaged */
	HELD_KEPT = 1 << 20,         /* memory that stays between members */
	REREAD_FACTOR = 4,           /* searching members again reads at most 4 x the input ... */
	REREAD_FREE = 64 << 20,      /* ... and this */
	WHOLE_JOIN = 64 << 10,       /* least input that is joined to have a member whole */
	PROBES = 4,
};

enum pump_state {
	PUMP_DETECTING,
	PUMP_PROBING, /* neither begins here: where does the first member or record begin? */
	PUMP_PLAIN,  /* not compressed */
	PUMP_BORDER, /* a member may begin */
	PUMP_MEMBER, /* in one */
	PUMP_WHOLE,  /* behind one that is decoded, and passed on by steps */
	PUMP_SEARCH, /* behind damage: where does the next one begin? */
};

/*
 * Input is addressed by its offset: what lies before the chunk is in `held`, which may overlap the chunk's first bytes.
 * `held` begins with the member under way, so that a damaged member can be searched for the next one from its start.
 */
struct pump {
	struct pump_config config;
	struct warc_framer *framer;
	struct codec *codec;
	struct codec *probes[PROBES]; /* one of each container, while probing */
	enum pump_state state;
	uint64_t offset; /* of the next byte to read */
	uint64_t bytes_in;
	struct slice chunk;
	uint64_t chunk_offset;
	struct buf held;
	uint64_t held_offset;
	bool last;              /* the input is over */
	bool done;
	uint64_t member_offset;
	bool member_told;       /* the framer knows of the member */
	bool member_held;       /* all of it is still at hand */
	bool by_steps;          /* the codec cannot have it whole */
	size_t tried;           /* so much of it was not yet enough */
	struct slice whole;     /* decoded at once, and not yet passed on */
	uint64_t reread;
	uint8_t *window;
};

struct pump *pump_new(const struct pump_config *config)
{
	struct pump *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->config = *config;
	p->window = malloc(STEP_BYTES);
	p->framer = warc_framer_new(config->next, config->limits, config->seekable);
	if (!p->window || !p->framer) {
		pump_free(p);
		return NULL;
	}
	return p;
}

static uint64_t chunk_end(const struct pump *p)
{
	return p->chunk_offset + p->chunk.len;
}

/* The unread bytes in one piece, from the chunk where possible. */
static struct slice unread(const struct pump *p)
{
	if (p->offset >= p->chunk_offset)
		return slice_skip(p->chunk, (size_t)(p->offset - p->chunk_offset));
	return slice_skip(buf_slice(&p->held), (size_t)(p->offset - p->held_offset));
}

/* Makes at least `want` unread bytes lie in one piece if there are so many. 0 or DANA_ENOMEM. */
static int join(struct pump *p, size_t want)
{
	size_t have = unread(p).len;

	if (p->offset >= p->chunk_offset || have >= want)
		return DANA_OK;
	uint64_t held_end = p->held_offset + p->held.len;
	struct slice more = slice_skip(p->chunk, (size_t)(held_end - p->chunk_offset));

	return buf_append(&p->held, more.data, more.len < want - have ? more.len : want - have);
}

/* The chunk goes: keeps what is unread and, while that is not too much, the member under way. 0 or DANA_ENOMEM. */
static int hold(struct pump *p)
{
	uint64_t from = p->offset;
	uint64_t end = chunk_end(p);

	if (p->state == PUMP_MEMBER && p->member_held) {
		if (end - p->member_offset <= HELD_MAX)
			from = p->member_offset;
		else
			p->member_held = false;
	}
	if (p->held.len && p->held_offset + p->held.len > p->chunk_offset)
		p->held.len = (size_t)(p->chunk_offset - p->held_offset);
	if (from >= p->chunk_offset) {
		buf_shrink(&p->held, HELD_KEPT);
		buf_clear(&p->held);
		p->held_offset = from;
	} else if (from > p->held_offset) {
		buf_consume(&p->held, (size_t)(from - p->held_offset));
		p->held_offset = from;
	}
	uint64_t held_end = p->held_offset + p->held.len;
	struct slice rest = slice_skip(p->chunk, (size_t)(held_end - p->chunk_offset));
	int status = buf_append(&p->held, rest.data, rest.len);

	p->chunk = slice_of(NULL, 0);
	p->chunk_offset = end;
	return status;
}

static void advance(struct pump *p, size_t n)
{
	p->offset += n;
	if (p->offset > p->bytes_in)
		p->bytes_in = p->offset;
}

/* Answers of the step functions below besides 0 (go on), FRAMER_SEEK and the negative statuses. */
enum { STEP_STARVED = 2 };

static struct codec *open_codec(const struct pump *p, const struct codec_ops *ops)
{
	return ops->open(&(struct codec_limits){ .window = p->config.limits->window });
}

static int detect(struct pump *p)
{
	bool need_more;

	if (join(p, PEEK_BYTES) < 0)
		return DANA_ENOMEM;
	struct slice first = unread(p);

	if (first.len == 0)
		return STEP_STARVED;
	const struct codec_ops *ops = codec_detect(first, &need_more);

	if (need_more && !p->last)
		return STEP_STARVED;
	if (ops) {
		p->codec = open_codec(p, ops);
		p->state = PUMP_BORDER;
		return p->codec ? 0 : DANA_ENOMEM;
	}
	p->state = PUMP_PROBING;
	for (size_t i = 0; i < PROBES && codec_containers[i]; i++) {
		p->probes[i] = open_codec(p, codec_containers[i]);
		if (!p->probes[i])
			return DANA_ENOMEM;
	}
	return warc_framer_plain(p->framer, p->offset, p->config.seekable ? p->config.source_size : UINT64_MAX);
}

static void close_probes(struct pump *p)
{
	for (size_t i = 0; i < PROBES; i++) {
		if (p->probes[i] && p->probes[i] != p->codec)
			p->probes[i]->ops->close(p->probes[i]);
		p->probes[i] = NULL;
	}
}

/* How many of `bytes` surely lie before the first member, and whose it is when it begins behind them. */
static size_t probe_members(struct pump *p, struct slice bytes, bool last, struct codec **found)
{
	size_t before = bytes.len;

	*found = NULL;
	for (size_t i = 0; i < PROBES && p->probes[i]; i++) {
		struct codec_in in = { bytes.data, bytes.len, 0 };
		int answer = p->probes[i]->ops->resync(p->probes[i], &in, last);

		if (in.pos < before) {
			before = in.pos;
			*found = NULL;
		}
		if (answer == 0 && in.pos == before)
			*found = p->probes[i];
	}
	return before;
}

/*
 * Garbage before the first member, as in the end of a compressed file whose start is lost: until the framer knows a
 * head in the plain bytes, members are looked for in them.
 */
static int probe(struct pump *p)
{
	if (warc_framer_heads(p->framer)) {
		close_probes(p);
		p->state = PUMP_PLAIN;
		return 0;
	}
	if (join(p, (size_t)2 * CODEC_LOOKAHEAD) < 0)
		return DANA_ENOMEM;
	struct slice bytes = unread(p);
	bool all = p->offset + bytes.len == chunk_end(p);
	struct codec *found;

	if (bytes.len > STEP_BYTES) {
		bytes.len = STEP_BYTES;
		all = false;
	}
	size_t before = probe_members(p, bytes, p->last && all, &found);

	if (before == 0 && !found)
		return STEP_STARVED;
	advance(p, before);
	int status = before ? warc_framer_write(p->framer, slice_of(bytes.data, before)) : 0;

	if (status == 0 && found && warc_framer_heads(p->framer) == 0) {
		p->codec = found;
		close_probes(p);
		p->state = PUMP_BORDER;
	}
	return status;
}

static int pass_plain(struct pump *p)
{
	struct slice bytes = unread(p);

	if (bytes.len == 0)
		return STEP_STARVED;
	if (bytes.len > STEP_BYTES)
		bytes.len = STEP_BYTES;
	advance(p, bytes.len);
	return warc_framer_write(p->framer, bytes);
}

static bool begins_plain(struct slice bytes)
{
	static const char warc[] = "WARC/";

	return bytes.len >= sizeof warc - 1 && memcmp(bytes.data, warc, sizeof warc - 1) == 0;
}

/* What begins behind a member: the next one, padding, records that are not compressed, or garbage. */
static int border(struct pump *p)
{
	struct slice bytes = unread(p);
	size_t blank = 0;

	while (blank < bytes.len && (bytes.data[blank] == 0 || bytes.data[blank] == '\r' || bytes.data[blank] == '\n'))
		blank++;
	if (blank) {
		advance(p, blank);
		return 0;
	}
	if (join(p, PEEK_BYTES) < 0)
		return DANA_ENOMEM;
	bytes = unread(p);
	if (bytes.len == 0)
		return STEP_STARVED;
	int bits = p->codec->ops->bid(bytes);
	bool plain = begins_plain(bytes);

	if (!p->last && bytes.len < PEEK_BYTES && bits <= 0 && !plain)
		return STEP_STARVED;
	if (bits > 0) {
		p->member_offset = p->offset;
		p->member_told = false;
		p->member_held = true;
		p->by_steps = p->codec->ops->whole == NULL;
		p->tried = 0;
		p->state = PUMP_MEMBER;
		return 0;
	}
	if (plain) {
		p->state = PUMP_PLAIN;
		return warc_framer_plain(p->framer, p->offset, p->config.seekable ? p->config.source_size : UINT64_MAX);
	}
	p->state = PUMP_SEARCH;
	return warc_framer_garbage(p->framer, p->offset, "bytes between the compressed members that are none");
}

static int tell_member(struct pump *p)
{
	if (p->member_told)
		return 0;
	p->member_told = true;
	int status = warc_framer_member_begin(p->framer, p->member_offset);

	if (p->state == PUMP_WHOLE)
		warc_framer_member_content(p->framer, p->whole);
	return status;
}

/* The member is damaged. The search for the next one begins behind its first byte, or here when that is gone. */
static int member_failed(struct pump *p, int fault)
{
	enum damage_reason reason = DAMAGE_BAD_MEMBER;

	if (fault == DANA_ENOMEM)
		return fault;
	int status = tell_member(p);

	if (status)
		return status;
	/* where frames before it needed none, it is the frame's header that is wrong */
	if (fault == DANA_ECONFIG && warc_framer_heads(p->framer) == 0)
		reason = DAMAGE_NO_DICTIONARY;
	else if (p->codec->ops->cut(p->codec))
		reason = DAMAGE_TRUNCATED;
	status = warc_framer_member_bad(p->framer, reason, p->codec->ops->fault(p->codec));
	if (status)
		return status;
	p->state = PUMP_SEARCH;
	uint64_t again = p->offset - p->member_offset;

	if (again == 0) {
		advance(p, 1);
	} else if (p->member_held && p->reread + again <= p->bytes_in * REREAD_FACTOR + REREAD_FREE) {
		p->reread += again;
		p->offset = p->member_offset + 1;
	}
	return 0;
}

/* The member is decoded and verified: passes on a step of it. */
static int pass_whole(struct pump *p)
{
	struct slice bytes = p->whole;
	int status = tell_member(p);

	if (bytes.len > STEP_BYTES)
		bytes.len = STEP_BYTES;
	p->whole = slice_skip(p->whole, bytes.len);
	if (status == 0 && bytes.len)
		status = warc_framer_write(p->framer, bytes);
	if (status || p->whole.len)
		return status;
	p->state = PUMP_BORDER;
	return warc_framer_member_end(p->framer, p->offset);
}

/* The member at once, if the codec can; its input is joined from both sides of a chunk's border where that is needed. */
static int decode_whole(struct pump *p)
{
	size_t want = p->tried < WHOLE_JOIN / 2 ? WHOLE_JOIN : p->tried * 2;

	if (join(p, want) < 0)
		return DANA_ENOMEM;
	struct slice bytes = unread(p);
	struct codec_in in = { bytes.data, bytes.len, 0 };
	bool all = p->offset + bytes.len == chunk_end(p);

	if (all && !p->last && bytes.len < p->tried * 2)
		return STEP_STARVED;
	p->tried = bytes.len;
	switch (p->codec->ops->whole(p->codec, &in, p->last && all, &p->whole)) {
	case CODEC_MEMBER_END:
		advance(p, in.pos);
		p->state = PUMP_WHOLE;
		return 0;
	case CODEC_MORE_INPUT:
		return all ? STEP_STARVED : 0;
	default:
		p->by_steps = true;
		return 0;
	}
}

static int decode(struct pump *p)
{
	if (!p->by_steps)
		return decode_whole(p);
	struct slice bytes = unread(p);
	struct codec_in in = { bytes.data, bytes.len, 0 };
	struct codec_out out = { p->window, STEP_BYTES, 0 };
	bool last = p->last && p->offset + bytes.len == chunk_end(p);
	int answer = p->codec->ops->step(p->codec, &in, &out, last);
	int status = 0;

	advance(p, in.pos);
	if (out.pos) {
		status = tell_member(p);
		if (status == 0)
			status = warc_framer_write(p->framer, slice_of(p->window, out.pos));
		if (status)
			return status;
	}
	switch (answer) {
	case CODEC_MEMBER_END:
		p->state = PUMP_BORDER;
		status = tell_member(p);
		return status ? status : warc_framer_member_end(p->framer, p->offset);
	case CODEC_SKIPPED:
	case CODEC_END:
		p->state = PUMP_BORDER;
		return 0;
	case CODEC_MORE_OUTPUT:
		return 0;
	case CODEC_MORE_INPUT:
		return p->offset == chunk_end(p) && out.pos < out.len ? STEP_STARVED : 0;
	default:
		return member_failed(p, answer);
	}
}

static int search(struct pump *p)
{
	if (join(p, (size_t)2 * CODEC_LOOKAHEAD) < 0)
		return DANA_ENOMEM;
	struct slice bytes = unread(p);
	struct codec_in in = { bytes.data, bytes.len, 0 };
	bool all = p->offset + bytes.len == chunk_end(p);

	if (bytes.len == 0)
		return STEP_STARVED;
	int answer = p->codec->ops->resync(p->codec, &in, p->last && all);

	advance(p, in.pos);
	if (answer == 0)
		p->state = PUMP_BORDER;
	if (answer == CODEC_MORE_INPUT)
		return all ? STEP_STARVED : 0;
	return answer;
}

static int step(struct pump *p)
{
	switch (p->state) {
	case PUMP_DETECTING:
		return detect(p);
	case PUMP_PROBING:
		return probe(p);
	case PUMP_PLAIN:
		return pass_plain(p);
	case PUMP_BORDER:
		return border(p);
	case PUMP_MEMBER:
		return decode(p);
	case PUMP_WHOLE:
		return pass_whole(p);
	case PUMP_SEARCH:
		return search(p);
	}
	return 0;
}

/* The source is to be read from another place: nothing at hand is of use. */
static int seek(struct pump *p)
{
	p->offset = p->chunk_offset = p->held_offset = warc_framer_seek_offset(p->framer);
	p->chunk = slice_of(NULL, 0);
	buf_clear(&p->held);
	p->last = false;
	if (p->codec && p->state != PUMP_PLAIN) {
		p->codec->ops->reset(p->codec);
		p->state = PUMP_BORDER;
	}
	return PUMP_SEEK;
}

static int run(struct pump *p)
{
	int answer = 0;

	while (answer == 0) {
		if (p->config.wants_input && !p->config.wants_input(p->config.arg))
			return PUMP_PAUSED;
		answer = step(p);
		if (answer == STEP_STARVED && p->last) {
			answer = warc_framer_finish(p->framer);
			if (answer == 0) {
				p->done = true;
				return PUMP_DONE;
			}
		}
	}
	if (answer == FRAMER_SEEK)
		return seek(p);
	if (answer < 0)
		return answer;
	return hold(p) < 0 ? DANA_ENOMEM : PUMP_HUNGRY;
}

int pump_push(struct pump *p, struct slice chunk)
{
	p->chunk = chunk;
	return run(p);
}

int pump_resume(struct pump *p)
{
	return p->done ? PUMP_DONE : run(p);
}

int pump_finish(struct pump *p)
{
	p->last = true;
	return pump_resume(p);
}

uint64_t pump_seek_offset(const struct pump *p)
{
	return p->offset;
}

struct pump_counts pump_counts(const struct pump *p)
{
	return (struct pump_counts){
		.bytes_in = p->bytes_in,
		.bytes_decoded = warc_framer_bytes(p->framer),
		.records = warc_framer_records(p->framer),
	};
}

void pump_free(struct pump *p)
{
	if (!p)
		return;
	close_probes(p);
	if (p->codec)
		p->codec->ops->close(p->codec);
	warc_framer_free(p->framer);
	buf_free(&p->held);
	free(p->window);
	free(p);
}
