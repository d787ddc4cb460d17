/* SPDX-License-Identifier: MIT */
#include "serve/chunk_frames.h"

#include "base/ascii.h"

enum { DIGITS_MOST = 15 };

static bool size_ends(struct chunk_frames *f)
{
	f->state = f->size ? CHUNK_DATA : CHUNK_TRAILER;
	f->digits = 0;
	return true;
}

static bool size_byte(struct chunk_frames *f, uint8_t c)
{
	int value = ascii_hex(c);
	if (value >= 0) {
		f->size = f->size * 16 + (uint64_t)value;
		return ++f->digits <= DIGITS_MOST;
	}
	if (f->digits == 0)
		return false;
	f->state = c == '\r' ? CHUNK_SIZE_END : CHUNK_EXTENSION;
	return c == '\r' || c == ';';
}

static bool is_text(uint8_t c)
{
	return c == '\t' || (c >= ' ' && c != 0x7f);
}

/* Inside of an extension or a line of the trailer, up to its CR. */
static bool overhead_byte(struct chunk_frames *f, uint8_t c, enum chunk_state after_cr)
{
	if (c == '\r') {
		f->state = after_cr;
		return true;
	}
	return is_text(c) && ++f->overhead <= CHUNK_OVERHEAD_MOST;
}

static bool line_feed(struct chunk_frames *f, uint8_t c, enum chunk_state next)
{
	f->state = next;
	return c == '\n';
}

static bool trailer_begins(struct chunk_frames *f, uint8_t c)
{
	if (c == '\r') {
		f->state = CHUNK_LAST_LF;
		return true;
	}
	f->state = CHUNK_TRAILER_IN;
	return c != ' ' && c != '\t' && overhead_byte(f, c, CHUNK_TRAILER_LF);
}

/* One byte that is not data. */
static bool frame_byte(struct chunk_frames *f, uint8_t c)
{
	switch (f->state) {
	case CHUNK_SIZE:
		return size_byte(f, c);
	case CHUNK_EXTENSION:
		return overhead_byte(f, c, CHUNK_SIZE_END);
	case CHUNK_SIZE_END:
		return c == '\n' && size_ends(f);
	case CHUNK_DATA_CR:
		f->state = CHUNK_DATA_LF;
		return c == '\r';
	case CHUNK_DATA_LF:
		return line_feed(f, c, CHUNK_SIZE);
	case CHUNK_TRAILER:
		return trailer_begins(f, c);
	case CHUNK_TRAILER_IN:
		return overhead_byte(f, c, CHUNK_TRAILER_LF);
	case CHUNK_TRAILER_LF:
		return line_feed(f, c, CHUNK_TRAILER);
	case CHUNK_LAST_LF:
		return line_feed(f, c, CHUNK_END);
	default:
		return false;
	}
}

bool chunk_frames_take(struct chunk_frames *f, struct slice bytes, size_t *taken)
{
	size_t at = 0;
	while (at < bytes.len && f->state != CHUNK_END) {
		if (f->state != CHUNK_DATA) {
			if (!frame_byte(f, bytes.data[at++]))
				return false;
			continue;
		}
		size_t n = bytes.len - at < f->size ? bytes.len - at : (size_t)f->size;
		at += n;
		f->size -= n;
		f->bytes += n;
		if (f->size == 0)
			f->state = CHUNK_DATA_CR;
	}
	*taken = at;
	return true;
}
