/* SPDX-License-Identifier: MIT */
#include "archive/http/chunked.h"

#include "base/ascii.h"

void chunked_reset(struct chunked *c)
{
	*c = (struct chunked){ .state = CHUNKED_FIRST };
}

static void begin_size(struct chunked *c)
{
	c->state = CHUNKED_SIZE;
	c->size = 0;
	c->digits = false;
}

static void give_up(struct chunked *c)
{
	c->bad = true;
	c->state = CHUNKED_OVER;
}

static void end_size_line(struct chunked *c)
{
	if (!c->digits) { /* an empty line where a size should be */
		c->bad = true;
		begin_size(c);
		return;
	}
	c->state = c->size ? CHUNKED_DATA : CHUNKED_TRAILER;
	c->line_empty = true;
}

/* Takes one byte of a size line. A CR is ignored: the LF ends the line. */
static void size_byte(struct chunked *c, uint8_t b)
{
	int digit = ascii_hex(b);
	if (b == '\n') {
		end_size_line(c);
	} else if (c->state == CHUNKED_EXTENSION) {
		return;
	} else if (c->state == CHUNKED_SIZE && digit >= 0) {
		c->digits = true;
		if (c->size >> 59) /* larger than any body, with no room for another digit */
			give_up(c);
		else
			c->size = c->size << 4 | (uint64_t)digit;
	} else if (b == ';' && c->digits) {
		c->state = CHUNKED_EXTENSION;
	} else if (b == ' ' || b == '\t' || b == '\r') {
		c->state = c->digits ? CHUNKED_SIZE_PAD : c->state;
	} else {
		give_up(c);
	}
}

/* The body is not chunked: the held bytes are its beginning. */
static int turn_plain(struct chunked *c, struct byte_sink *next)
{
	c->state = CHUNKED_PLAIN;
	return c->n_held ? byte_sink_write(next, slice_of(c->held, c->n_held)) : 0;
}

enum first_verdict { FIRST_MORE, FIRST_CHUNKED, FIRST_PLAIN };

/* Judges the held bytes, the last of which is new. A sign or a size beyond 63 bits is chunk framing, but damaged. */
static enum first_verdict first_verdict(struct chunked *c)
{
	uint8_t b = c->held[c->n_held - 1];
	bool pad = b == ' ' || b == '\t' || b == '\r';
	size_t start = c->held[0] == '-';
	if (c->n_held == start)
		return FIRST_MORE;
	if (ascii_hex(c->held[start]) < 0)
		return FIRST_PLAIN;
	if (b == '\n' || b == ';') {
		c->bad = start || c->size >> 63;
		return c->bad ? FIRST_PLAIN : FIRST_CHUNKED;
	}
	int digit = ascii_hex(b);
	if (digit >= 0 && !c->cr) {
		c->size = c->size >> 59 ? UINT64_MAX : c->size << 4 | (uint64_t)digit;
	} else if (!pad) {
		c->bad = b == '<' && !c->cr; /* "1f<html>": a size without its line end */
		return FIRST_PLAIN;
	}
	c->cr = pad; /* digits after white space are not part of the size */
	return c->n_held < CHUNKED_HELD_MAX ? FIRST_MORE : FIRST_PLAIN;
}

static int first_byte(struct chunked *c, uint8_t b, struct byte_sink *next)
{
	c->held[c->n_held++] = b;
	switch (first_verdict(c)) {
	case FIRST_MORE:
		return 0;
	case FIRST_PLAIN:
		return turn_plain(c, next);
	case FIRST_CHUNKED:
		break;
	}
	c->cr = false;
	c->digits = true;
	if (b == ';')
		c->state = CHUNKED_EXTENSION;
	else
		end_size_line(c);
	return 0;
}

static void data_end_byte(struct chunked *c, uint8_t b)
{
	if (b == '\r' && !c->cr) {
		c->cr = true;
		return;
	}
	begin_size(c);
	if (b == '\n')
		return;
	c->bad = true; /* the line end is missing; the next size may follow at once */
	size_byte(c, b);
}

static void trailer_byte(struct chunked *c, uint8_t b)
{
	if (b == '\n' && c->line_empty)
		c->state = CHUNKED_OVER;
	else if (b == '\n')
		c->line_empty = true;
	else if (b != '\r')
		c->line_empty = false;
}

static int pass_data(struct chunked *c, struct slice *bytes, struct byte_sink *next)
{
	size_t n = bytes->len < c->size ? bytes->len : (size_t)c->size;
	struct slice data = slice_of(bytes->data, n);
	*bytes = slice_skip(*bytes, n);
	c->size -= n;
	if (c->size == 0) {
		c->state = CHUNKED_DATA_END;
		c->cr = false;
	}
	return byte_sink_write(next, data);
}

int chunked_write(struct chunked *c, struct slice bytes, struct byte_sink *next)
{
	int status = 0;
	while (bytes.len && status == 0) {
		uint8_t b = bytes.data[0];
		switch (c->state) {
		case CHUNKED_PLAIN:
			return byte_sink_write(next, bytes);
		case CHUNKED_OVER:
			return 0;
		case CHUNKED_DATA:
			status = pass_data(c, &bytes, next);
			continue;
		case CHUNKED_FIRST:
			status = first_byte(c, b, next);
			break;
		case CHUNKED_SIZE:
		case CHUNKED_SIZE_PAD:
		case CHUNKED_EXTENSION:
			size_byte(c, b);
			break;
		case CHUNKED_DATA_END:
			data_end_byte(c, b);
			break;
		case CHUNKED_TRAILER:
			trailer_byte(c, b);
			break;
		}
		bytes = slice_skip(bytes, 1);
	}
	return status;
}

int chunked_finish(struct chunked *c, struct byte_sink *next)
{
	switch (c->state) {
	case CHUNKED_FIRST:
		c->bad = c->n_held > 0;
		return turn_plain(c, next);
	case CHUNKED_SIZE:
	case CHUNKED_SIZE_PAD:
	case CHUNKED_EXTENSION:
	case CHUNKED_DATA:
	case CHUNKED_DATA_END:
		c->bad = true;
		return 0;
	case CHUNKED_TRAILER: /* the last chunk was read; nothing is lost without the line end after it */
	case CHUNKED_PLAIN:
	case CHUNKED_OVER:
		return 0;
	}
	return 0;
}
