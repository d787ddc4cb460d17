/* SPDX-License-Identifier: MIT */
/*
 * Beginning in the middle of an input: at the member in which a record begins, or at the record where nothing is
 * compressed. Of what comes before, a zstd dictionary is needed: the pump asks for it first (PUMP_DICTIONARY), and then
 * for the member, as for a seek.
 */
#include "archive/pump_private.h"

void pump_note_dictionary(struct pump *p)
{
	if (!p->codec->ops->was_dictionary || !p->codec->ops->was_dictionary(p->codec))
		return;
	p->has_dictionary = true;
	p->dictionary = p->member_offset;
}

/* Whether it can be used showed when it was read for the first time. */
int pump_load_dictionary(struct pump *p)
{
	struct slice none;
	int result = member_reader_read(&p->member, &p->input, p->last, &none);

	if (result == MEMBER_STARVED && !p->last)
		return STEP_STARVED;
	return result == 0 || result == DANA_ENOMEM ? result : STEP_START;
}

unsigned pump_container(const struct pump *p)
{
	unsigned n = 0;

	while (codec_containers[n++] != p->codec->ops)
		;
	return n;
}

bool pump_place(const struct pump *p, struct pump_place *place)
{
	*place = (struct pump_place){ .has_dictionary = p->has_dictionary,
				      .dictionary = p->dictionary,
				      .furthest = p->input.furthest,
				      .reread = p->reread };
	if (!warc_framer_place(p->framer, &place->warc))
		return false;
	if (p->in_range) {
		place->warc.seq = p->range.record.seq;
		place->range_decoded = p->range.decoded_begin;
	}
	if (place->warc.plain)
		return true;
	if (p->codec->ops->memory)
		place->memory = p->codec->ops->memory(p->codec);
	place->container = pump_container(p);
	return !p->has_dictionary || p->dictionary < place->warc.offset;
}

static const struct codec_ops *container_at(unsigned number)
{
	unsigned n = 0;

	while (codec_containers[n] && n + 1 != number)
		n++;
	return codec_containers[n];
}

int pump_start_members(struct pump *p, const struct pump_place *place)
{
	const struct codec_ops *ops = container_at(place->container);
	const struct codec_limits limits = pump_codec_limits(p);

	if (!ops || (place->has_dictionary && place->dictionary >= place->warc.offset))
		return DANA_EFORMAT;
	p->codec = ops->open(&limits);
	if (!p->codec)
		return DANA_ENOMEM;
	if (ops->remember)
		ops->remember(p->codec, place->memory);
	p->state = PUMP_BORDER;
	if (!place->has_dictionary)
		return DANA_OK;
	p->has_dictionary = true;
	p->dictionary = place->dictionary;
	p->start = place->warc.offset;
	input_window_seek(&p->input, place->dictionary);
	pump_begin_member(p);
	p->state = PUMP_DICTIONARY;
	return DANA_OK;
}

int pump_start_at(struct pump *p, const struct pump_place *place)
{
	if (!p->config.seekable || place->warc.offset > place->furthest ||
	    !warc_framer_start_at(p->framer, &place->warc))
		return DANA_EFORMAT;
	input_window_seek(&p->input, place->warc.offset);
	p->input.furthest = place->furthest;
	p->reread = place->reread;
	if (p->in_range) {
		p->range_state = PUMP_RANGE_FOUND;
		p->range.number = place->warc.seq;
		p->range.decoded_begin = place->range_decoded;
	}
	if (!place->warc.plain)
		return pump_start_members(p, place);
	p->state = PUMP_PLAIN;
	return pump_begin_plain(p);
}
