/* SPDX-License-Identifier: MIT */
/*
 * Borders between members at which nothing is open. What follows such a border depends on nothing before it but the
 * numbers of its place. So another pump can read from there, and where it has come to such a border too, this one can
 * go on as if it had read all that itself.
 */
#include "archive/pump_private.h"

bool pump_border(const struct pump *p, struct pump_place *place)
{
	if (p->state != PUMP_BORDER || p->skipped || p->in_range)
		return false;
	*place = (struct pump_place){ .container = pump_container(p),
				      .has_dictionary = p->has_dictionary,
				      .dictionary = p->dictionary,
				      .furthest = p->input.furthest,
				      .reread = p->reread };
	if (p->codec->ops->memory)
		place->memory = p->codec->ops->memory(p->codec);
	return warc_framer_border(p->framer, p->input.offset, &place->warc);
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

/* The codec as it is can go on at the place: it has the dictionary, if there is one. */
static bool codec_fits(const struct pump *p, const struct pump_place *place)
{
	return p->codec && place->container == pump_container(p) && place->has_dictionary == p->has_dictionary &&
	       place->dictionary == p->dictionary && p->state != PUMP_DICTIONARY;
}

static void go_on_at(struct pump *p, const struct pump_place *place)
{
	p->codec->ops->reset(p->codec);
	if (p->codec->ops->remember)
		p->codec->ops->remember(p->codec, place->memory);
	p->state = PUMP_BORDER;
}

int pump_go_to(struct pump *p, const struct pump_place *border)
{
	struct warc_framer *f = warc_framer_new(pump_records(p), p->config.limits, p->config.seekable);

	if (!f)
		return DANA_ENOMEM;
	warc_framer_free(p->framer);
	p->framer = f;
	if (!warc_framer_start_at(f, &border->warc))
		return DANA_EFORMAT;
	input_window_seek(&p->input, border->warc.offset);
	p->input.furthest = border->furthest;
	p->reread = border->reread;
	p->last = p->done = p->skipped = p->elsewhere = false;
	p->container_sure = true;
	if (codec_fits(p, border)) {
		go_on_at(p, border);
		return DANA_OK;
	}
	if (p->codec)
		p->codec->ops->close(p->codec);
	p->codec = NULL;
	p->has_dictionary = false;
	p->dictionary = 0;
	return pump_start_members(p, border);
}
