/* SPDX-License-Identifier: MIT */
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
#include "archive/pump_private.h"

enum { LOOK_BACK = 1 << 20, LOOK_FARTHER = 8, HEAD_MOST = 4 << 20 };

void pump_range_open(struct pump *p)
{
	const struct pump_config *config = &p->config;
	if (config->begin == 0 && config->end == 0)
		return;
	range_records_init(&p->range, config->next, config->begin, config->end ? config->end : UINT64_MAX);
	p->range.before = config->before;
	p->range.before_arg = config->before_arg;
	p->in_range = true;
	p->look_back = config->look_back ? config->look_back : LOOK_BACK;
	p->range_state = config->seekable && config->begin > p->look_back ? PUMP_RANGE_HEAD : PUMP_RANGE_FOUND;
}

struct record_sink *pump_records(struct pump *p)
{
	return p->in_range ? &p->range.sink : p->config.next;
}

/* A framer that knows what the first record has taught, and begins in the middle of whatever is at `target`. */
static int renew_framer(struct pump *p, uint64_t target)
{
	const struct warc_framer *old = p->framer;
	struct warc_framer *f = warc_framer_new(pump_records(p), p->config.limits, p->config.seekable);
	if (!f)
		return DANA_ENOMEM;
	warc_framer_start_inside(f, old);
	warc_framer_free(p->framer);
	p->framer = f;
	p->range.framer = f;
	p->range.searching = target > 0;
	p->range.too_late = false;
	return DANA_OK;
}

/* STEP_START, or DANA_ENOMEM. */
static int jump(struct pump *p)
{
	const uint64_t begin = p->range.begin;
	const uint64_t target = begin > p->look_back ? begin - p->look_back : 0;
	int status = renew_framer(p, target);
	if (status < 0)
		return status;
	p->start = target;
	p->look_back *= LOOK_FARTHER;
	p->range_state = target ? PUMP_RANGE_SEARCH : PUMP_RANGE_FOUND;
	if (!p->codec)
		p->state = PUMP_PLAIN;
	if (p->state != PUMP_PLAIN)
		p->codec->ops->reset(p->codec);
	return STEP_START;
}

int pump_range_started(struct pump *p)
{
	if (p->range_state == PUMP_RANGE_WHOLE)
		return DANA_OK;
	if (p->state == PUMP_PLAIN)
		return pump_begin_plain(p);
	p->state = p->range_state == PUMP_RANGE_SEARCH ? PUMP_SEARCH : PUMP_BORDER;
	return DANA_OK;
}

int pump_range_step(struct pump *p)
{
	switch (p->range_state) {
	case PUMP_RANGE_HEAD:
		if (p->input.offset + p->look_back >= p->range.begin)
			p->range_state = PUMP_RANGE_FOUND; /* it is near: going on is as good as jumping */
		else if (p->range.seen || (p->input.offset >= HEAD_MOST && warc_framer_heads(p->framer)))
			return jump(p);
		return DANA_OK;
	case PUMP_RANGE_SEARCH:
		if (p->range.too_late)
			return jump(p);
		if (!p->range.searching)
			p->range_state = PUMP_RANGE_FOUND;
		return DANA_OK;
	case PUMP_RANGE_FOUND:
	case PUMP_RANGE_WHOLE:
		break;
	}
	return DANA_OK;
}

int pump_range_ends(struct pump *p)
{
	return p->range_state == PUMP_RANGE_SEARCH ? jump(p) : DANA_OK;
}

struct pump_counts pump_range_counts(const struct pump *p)
{
	const struct range_records *r = &p->range;
	const uint64_t read = p->input.furthest < r->end ? p->input.furthest : r->end;
	const uint64_t decoded = r->over ? r->decoded_end : warc_framer_bytes(p->framer);
	const bool known = r->decoded_begin != UINT64_MAX && decoded != UINT64_MAX;
	return (struct pump_counts){ .bytes_in = read > r->begin ? read - r->begin : 0,
				     .bytes_decoded = known ? decoded - r->decoded_begin : 0,
				     .records = r->number - r->begin };
}
