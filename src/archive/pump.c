/* SPDX-License-Identifier: MIT */
/*
 * A state machine over the input window: each state is a function that takes some input and returns 0 to go on,
 * STEP_STARVED to ask for more, or an error. A gzip archive goes DETECTING, BORDER, MEMBER, BORDER, MEMBER and so on;
 * after a damaged member SEARCH finds the next BORDER. Where the input begins as nothing we know (the second half of a
 * split file), PROBING passes it to the framer as plain bytes and looks for a member in it at the same time.
 *
 * The search after damage begins inside the damaged member, whose bytes are held for it up to HELD_MAX: a wrong length
 * or a wrong bit in a member can hide good members after it.
 */
#include "archive/pump.h"

#include <stdlib.h>

#include "archive/codec/record_start.h"
#include "archive/pump_private.h"

enum {
	PEEK_BYTES = 16,        /* enough to recognise what begins at a member border */
	HELD_MAX = 4 << 20,     /* of a member under way, to search it when it proves damaged */
	REREAD_FACTOR = 4,      /* searching damaged members costs at most 4 x the input ... */
	REREAD_FREE = 64 << 20, /* ... and this; ... */
	DECODED_PER_COST = 4,   /* ... a byte costs 1, and so do 4 bytes that were decoded from it in vain */
};

static int begin_probing(struct pump *p)
{
	const struct codec_limits limits = pump_codec_limits(p);

	p->state = PUMP_PROBING;
	return member_probes_open(&p->probes, &limits) < 0 ? DANA_ENOMEM : pump_begin_plain(p);
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

	if (need_more && !p->last)
		return STEP_STARVED;
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

static bool is_record_start(struct slice bytes)
{
	static const char warc[] = "WARC/";

	return bytes.len >= sizeof(warc) - 1 && memcmp(bytes.data, warc, sizeof(warc) - 1) == 0;
}

static size_t count_padding(struct slice bytes)
{
	size_t n = 0;

	while (n < bytes.len && (bytes.data[n] == 0 || bytes.data[n] == '\r' || bytes.data[n] == '\n'))
		n++;
	return n;
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

/*
 * Only skippable zstd frames came so far, and they say nothing of what follows: that is recognised as if the input
 * began there.
 */
static int detect_again(struct pump *p, struct slice bytes)
{
	bool need_more;
	const bool known = codec_detect(bytes, &need_more) || record_start(bytes);

	p->codec->ops->close(p->codec);
	p->codec = NULL;
	p->state = PUMP_DETECTING;
	if (known)
		return 0;
	go_back(p, p->member_offset);
	return begin_probing(p);
}

/*
 * No member begins here. Where the last one was a skippable frame, a damaged length may have led past good ones: they
 * are looked for in it.
 */
static int begin_search(struct pump *p)
{
	if (p->skipped)
		go_back(p, p->member_offset);
	p->state = PUMP_SEARCH;
	return warc_framer_garbage(p->framer, p->input.offset,
				   "bytes between compressed members that belong to none of them");
}

/* What follows a member: the next one, padding, records that are not compressed, or garbage. */
static int border(struct pump *p)
{
	size_t padding = count_padding(input_window_unread(&p->input));

	if (padding) {
		input_window_advance(&p->input, padding);
		return 0;
	}
	if (input_window_join(&p->input, PEEK_BYTES) < 0)
		return DANA_ENOMEM;
	struct slice bytes = input_window_unread(&p->input);

	if (bytes.len == 0)
		return STEP_STARVED;
	bool is_member = p->codec->ops->bid(bytes) > 0;
	bool is_plain = is_record_start(bytes);

	if (!p->last && bytes.len < PEEK_BYTES && !is_member && !is_plain)
		return STEP_STARVED;
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
	return p->container_sure || p->has_dictionary ? begin_search(p)
						      : detect_again(p, slice_first(bytes, PEEK_BYTES));
}

static int tell_member(struct pump *p)
{
	if (p->member_told)
		return 0;
	p->member_told = p->container_sure = true;
	int status = warc_framer_member_begin(p->framer, p->member_offset);
	const struct codec_ops *ops = p->codec->ops;

	warc_framer_member_content(p->framer, member_reader_whole(&p->member),
				   !ops->has_checksum || ops->has_checksum(p->codec));
	return status;
}

/*
 * A wrong bit can make a member's data seem to go on over the members after it, to the end of the input. That is
 * reported as truncated, and cannot be distinguished: only the members found later would show it, and the framer has to
 * know of the fault before the search for them. It is rare, since a code or the checksum nearly always fails first.
 */
static int member_failed(struct pump *p, int fault)
{
	enum damage_reason reason = DAMAGE_BAD_MEMBER;

	if (fault == DANA_ENOMEM)
		return fault;
	pump_note_dictionary(p);
	int status = tell_member(p);

	if (status)
		return status;
	/* Where earlier frames needed no dictionary, this frame's header is damaged rather. */
	if (fault == DANA_ECONFIG && warc_framer_heads(p->framer) == 0)
		reason = DAMAGE_NO_DICTIONARY;
	else if (p->codec->ops->cut(p->codec))
		reason = DAMAGE_TRUNCATED;
	status = warc_framer_member_bad(p->framer, reason, p->codec->ops->fault(p->codec));
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
		return member_failed(p, result);
	}
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
	[PUMP_DETECTING] = detect,
	[PUMP_PROBING] = probe,
	[PUMP_PLAIN] = pass_plain,
	[PUMP_BORDER] = border,
	[PUMP_MEMBER] = decode,
	[PUMP_SEARCH] = search,
	[PUMP_DICTIONARY] = pump_load_dictionary,
};

/* The chunk goes: keeps what is unread and, while that is not too much, the member that may be searched. */
static int keep(struct pump *p)
{
	const bool searchable = p->state == PUMP_MEMBER || (p->state == PUMP_BORDER && p->skipped);
	const bool near = searchable && p->input.offset - p->member_offset <= HELD_MAX;

	return input_window_keep(&p->input, near ? p->member_offset : p->input.offset);
}

static int seek(struct pump *p, uint64_t offset)
{
	input_window_seek(&p->input, offset);
	p->last = p->elsewhere = false;
	if (p->codec && p->state != PUMP_PLAIN) {
		p->codec->ops->reset(p->codec);
		p->state = PUMP_BORDER;
		p->skipped = false;
	}
	return PUMP_SEEK;
}

/* Nothing follows. As a step; done: all is delivered. */
static int finish(struct pump *p)
{
	int result = pump_range_ends(p);

	if (result == 0)
		result = warc_framer_finish(p->framer);
	p->done = result == 0;
	return result;
}

/* Lets others look at a border. *moved: they have read what follows. 0, STEP_PAUSED or a negative status. */
static int look_at_border(struct pump *p, bool *moved)
{
	struct pump_place here;

	if (!p->config.at_border || !pump_border(p, &here))
		return 0;
	const int result = p->config.at_border(p->config.border_arg);

	*moved = p->input.offset != here.warc.offset;
	return result == PUMP_PAUSED ? STEP_PAUSED : result;
}

static int step(struct pump *p)
{
	bool moved = false;
	int result = look_at_border(p, &moved);

	if (result || moved)
		return result;
	result = steps[p->state](p);
	if (result == STEP_STARVED && p->elsewhere)
		return STEP_ELSEWHERE;
	return result == STEP_STARVED && p->last ? finish(p) : result;
}

static int run(struct pump *p)
{
	int result = 0;

	while (result == 0) {
		if (p->config.wants_input && !p->config.wants_input(p->config.arg))
			return PUMP_PAUSED;
		result = step(p);
		if (result >= 0 && p->range.over)
			p->done = true;
		else if (result == 0 && p->range_state != PUMP_RANGE_WHOLE)
			result = pump_range_step(p);
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
		const int status = pump_range_started(p);
		return status < 0 ? status : answer;
	}
	if (result < 0)
		return result;
	return keep(p) < 0 ? DANA_ENOMEM : PUMP_HUNGRY;
}

struct pump *pump_new(const struct pump_config *config)
{
	struct pump *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->config = *config;
	input_window_seek(&p->input, config->offset);
	p->input.furthest = config->offset;
	pump_range_open(p);
	p->framer = warc_framer_new(pump_records(p), config->limits, config->seekable);
	p->range.framer = p->framer;
	if (!p->framer || member_reader_init(&p->member) < 0) {
		pump_free(p);
		return NULL;
	}
	return p;
}

int pump_push(struct pump *p, struct slice chunk)
{
	input_window_push(&p->input, chunk);
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
	return p->input.offset;
}

struct pump_counts pump_counts(const struct pump *p)
{
	if (p->in_range)
		return pump_range_counts(p);
	return (struct pump_counts){
		.bytes_in = p->input.furthest - p->config.offset,
		.bytes_decoded = warc_framer_bytes(p->framer),
		.records = warc_framer_records(p->framer),
	};
}

void pump_free(struct pump *p)
{
	if (!p)
		return;
	member_probes_close(&p->probes, NULL);
	if (p->codec)
		p->codec->ops->close(p->codec);
	warc_framer_free(p->framer);
	input_window_free(&p->input);
	member_reader_free(&p->member);
	free(p);
}
