/* SPDX-License-Identifier: MIT */
#include "archive/charset/iso_2022_jp.h"

#include "archive/charset/indexes.h"
#include "archive/charset/multi_byte_steps.h"

enum { ESC = 0x1B, ROW = 94 };

static int put(struct output *out, uint32_t c)
{
	uint8_t utf8[4];

	return output_put(out, utf8, utf8_put(c, utf8));
}

/* Shift out and shift in, which other charsets of this family know, are faults here. */
static bool is_plain(uint8_t c)
{
	return c < 0x80 && c != 0x0E && c != 0x0F;
}

static int in_ascii(struct iso_2022_jp *d, uint8_t c, struct output *out)
{
	d->idle = false;
	return is_plain(c) ? output_put(out, &c, 1) : output_replace(out);
}

static int in_roman(struct iso_2022_jp *d, uint8_t c, struct output *out)
{
	if (c != '\\' && c != '~')
		return in_ascii(d, c, out);
	d->idle = false;
	return put(out, c == '\\' ? 0xA5 : 0x203E);
}

static int in_katakana(struct iso_2022_jp *d, uint8_t c, struct output *out)
{
	d->idle = false;
	return c >= 0x21 && c <= 0x5F ? put(out, 0xFF61 - 0x21 + c) : output_replace(out);
}

static int in_lead(struct iso_2022_jp *d, uint8_t c, struct output *out)
{
	d->idle = false;
	if (c < 0x21 || c > 0x7E)
		return output_replace(out);
	d->lead = c;
	d->state = JIS_TRAIL;
	return 0;
}

static int in_trail(struct iso_2022_jp *d, uint8_t c, struct output *out)
{
	uint32_t found = c < 0x21 || c > 0x7E ? 0 : index_jis0208[(d->lead - 0x21U) * ROW + c - 0x21U];

	d->state = JIS_LEAD;
	return found ? put(out, found) : output_replace(out);
}

/* Returns whether ESC, `first` and `c` are a sequence, and its set. */
static bool find_set(uint8_t first, uint8_t c, enum jis_state *set)
{
	static const struct {
		char first, second;
		enum jis_state set;
	} sequences[] = { { '(', 'B', JIS_ASCII },
			  { '(', 'J', JIS_ROMAN },
			  { '(', 'I', JIS_KATAKANA },
			  { '$', '@', JIS_LEAD },
			  { '$', 'B', JIS_LEAD } };

	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		if (first == sequences[i].first && c == sequences[i].second) {
			*set = sequences[i].set;
			return true;
		}
	}
	return false;
}

/* A byte inside a set. ESC has been seen to. */
static int in_set(struct iso_2022_jp *d, uint8_t c, struct output *out)
{
	switch (d->state) {
	case JIS_ROMAN:
		return in_roman(d, c, out);
	case JIS_KATAKANA:
		return in_katakana(d, c, out);
	case JIS_LEAD:
		return in_lead(d, c, out);
	case JIS_TRAIL:
		return in_trail(d, c, out);
	default:
		return in_ascii(d, c, out);
	}
}

/* ESC was no sequence: it is a fault, and what stood after it is read in the set as before. */
static int leave_escape(struct iso_2022_jp *d, struct output *out)
{
	bool in_sequence = d->state == JIS_SEQUENCE;
	int status = output_replace(out);

	d->state = d->set;
	d->idle = false;
	return status == 0 && in_sequence ? in_set(d, d->lead, out) : status;
}

/* Returns true when `c` is used up: the sequence goes on or is complete. */
static bool in_escape(struct iso_2022_jp *d, uint8_t c, struct output *out, int *status)
{
	if (d->state == JIS_ESCAPE && (c == '$' || c == '(')) {
		d->lead = c;
		d->state = JIS_SEQUENCE;
		return true;
	}
	if (d->state == JIS_SEQUENCE && find_set(d->lead, c, &d->set)) {
		d->state = d->set;
		if (d->idle)
			*status = output_replace(out);
		d->idle = true;
		return true;
	}
	*status = leave_escape(d, out);
	return false;
}

static int take(struct iso_2022_jp *d, uint8_t c, struct output *out)
{
	int status = 0;

	if (d->state >= JIS_ESCAPE && in_escape(d, c, out, &status))
		return status;
	if (status)
		return status;
	if (c != ESC)
		return in_set(d, c, out);
	if (d->state == JIS_TRAIL)
		status = output_replace(out);
	d->state = JIS_ESCAPE;
	return status;
}

/* Returns how many bytes from the front of `s` stand for themselves. */
static size_t plain_run(struct slice s)
{
	size_t n = 0;

	while (n < s.len && is_plain(s.data[n]) && s.data[n] != ESC)
		n++;
	return n;
}

/* Decodes characters of two bytes from the front of `s`, as many as there is room for; returns their bytes. */
static size_t pairs_run(struct slice s, struct output *out)
{
	const uint8_t *p = s.data, *end = s.data + s.len;
	uint8_t *to = out->data + out->len, *limit = out->data + OUTPUT_ROOM - STEP_ROOM;

	while (end - p >= 2 && to <= limit && step_within(p[0], 0x21, 0x7E) && step_within(p[1], 0x21, 0x7E)) {
		uint32_t c = index_jis0208[(p[0] - 0x21U) * ROW + p[1] - 0x21U];

		if (c == 0)
			break;
		to += step_put(2, c, to).put;
		p += 2;
	}
	out->len = (size_t)(to - out->data);
	return (size_t)(p - s.data);
}

/* Decodes what is plain at the front of `s`; returns its bytes, 0 if the front is not plain. */
static size_t easy_run(const struct iso_2022_jp *d, struct slice s, struct output *out, int *status)
{
	size_t n = 0;

	if (d->state == JIS_ASCII) {
		n = plain_run(s);
		*status = output_put(out, s.data, n);
	} else if (d->state == JIS_LEAD) {
		n = pairs_run(s, out);
	}
	return n;
}

int iso_2022_jp_write(struct iso_2022_jp *d, struct slice bytes, struct output *out)
{
	int status = 0;

	while (bytes.len && status == 0) {
		size_t n = easy_run(d, bytes, out, &status);

		if (n)
			d->idle = false;
		else
			status = take(d, bytes.data[0], out);
		bytes = slice_skip(bytes, n ? n : 1);
	}
	return status;
}

int iso_2022_jp_finish(struct iso_2022_jp *d, struct output *out)
{
	int status = d->state >= JIS_ESCAPE ? leave_escape(d, out) : 0;

	return status == 0 && d->state == JIS_TRAIL ? output_replace(out) : status;
}
