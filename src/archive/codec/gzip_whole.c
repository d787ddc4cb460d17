/* SPDX-License-Identifier: MIT */
/*
 * libdeflate needs a whole member, and the length of a member is not known before it is decoded. So the available input
 * is tried, and if that fails for lack of input, the caller tries again with twice as much.
 *
 * Example: a member of 100 KiB, and the caller has 64 KiB. If they contain another member's magic number, this one may
 * be short, and is tried; else its end is probably not there, and it is not tried. 128 KiB contain the start of the
 * next member, so this one is tried and decoded.
 *
 * An attempt on a member that does not fit is wasted, and such members come in runs. So after the second one in a row
 * the next member is decoded by steps without an attempt, after the third the next 3, then 7, and at most 15. Where the
 * member's header notes its length, none is wasted.
 */
#include "config.h"

#include "archive/codec/gzip_whole.h"

#ifdef HAVE_LIBDEFLATE

#include <libdeflate.h>
#include <stdlib.h>

#include "archive/codec/gzip_header.h"
#include "archive/codec/inflate.h"
#include "base/little_endian.h"

enum {
	TRAILER_BYTES = 8,
	/*
	 * More room than a member may fill. libdeflate reads zeros for some bytes after an input that is cut, and these
	 * may decode to some output. If even this room is not enough, the complete member is too large, too.
	 */
	ROOM_MOST = WHOLE_OUTPUT + (64 << 10),
	ROOM_FIRST = 64 << 10, /* four times as much when a member needs more; few do */
	PASSES_MAX = 15,
	LIKELY_WHOLE =
		256 << 10, /* few members are longer: with this much input a search for the next one does not pay */
};

struct gzip_whole {
	struct libdeflate_decompressor *decompressor;
	unsigned passes; /* members to decode by steps after the next one that does not fit: 0, 1, 3, 7, 15 */
	unsigned left;   /* of those, how many are left */
	uint8_t *window;
	size_t room; /* bytes of `window` */
};

struct gzip_whole *gzip_whole_new(void)
{
	struct gzip_whole *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->decompressor = libdeflate_alloc_decompressor();
	w->window = malloc(ROOM_FIRST);
	w->room = ROOM_FIRST;
	if (!w->decompressor || !w->window) {
		gzip_whole_free(w);
		return NULL;
	}
	return w;
}

/* Returns false if there cannot be more room. A last step that adds little would only repeat all the work. */
static bool grow(struct gzip_whole *w)
{
	const size_t room = w->room < ROOM_MOST / 8 ? w->room * 4 : ROOM_MOST;
	uint8_t *window = w->room < ROOM_MOST ? malloc(room) : NULL;

	if (!window)
		return false;
	free(w->window);
	w->window = window;
	w->room = room;
	return true;
}

/* ISA-L uses wider vectors than libdeflate where the processor has them: four times as fast when measured. */
static uint32_t checksum(const uint8_t *data, size_t len)
{
#ifdef HAVE_ISAL
	return inflate_isal.crc(0, data, len);
#else
	return libdeflate_crc32(0, data, len);
#endif
}

/* The room of a member that did not fit is not kept: few are larger than ROOM_FIRST, and each worker has a decoder. */
static void release(struct gzip_whole *w)
{
	uint8_t *window = w->room > ROOM_FIRST ? realloc(w->window, ROOM_FIRST) : NULL;

	if (!window)
		return;
	w->window = window;
	w->room = ROOM_FIRST;
}

static int does_not_fit(struct gzip_whole *w)
{
	release(w);
	w->left = w->passes;
	w->passes = w->passes < PASSES_MAX ? w->passes * 2 + 1 : PASSES_MAX;
	return CODEC_MORE_OUTPUT;
}

/* Decodes header, data and trailer of the member that `in` begins with. Returns as gzip_whole_decode. */
static int decode(struct gzip_whole *w, struct codec_in *in, size_t *made)
{
	struct gzip_header header;
	size_t used;

	gzip_header_begin(&header);
	int status = gzip_header_parse(&header, in);

	if (status)
		return status < 0 ? CODEC_MORE_OUTPUT : status;
	const uint32_t noted = gzip_header_noted(slice_of(in->data, in->pos));
	enum libdeflate_result result;

	if (noted > WHOLE_OUTPUT)
		return CODEC_MORE_OUTPUT;
	while (w->room < noted && grow(w)) {
	}

	do {
		result = libdeflate_deflate_decompress_ex(w->decompressor, in->data + in->pos, in->len - in->pos,
							  w->window, w->room, &used, made);
	} while (result == LIBDEFLATE_INSUFFICIENT_SPACE && grow(w));
	if (result == LIBDEFLATE_INSUFFICIENT_SPACE || (result == LIBDEFLATE_SUCCESS && *made > WHOLE_OUTPUT))
		return does_not_fit(w);
	in->pos += result == LIBDEFLATE_SUCCESS ? used : 0;
	if (result != LIBDEFLATE_SUCCESS || in->len - in->pos < TRAILER_BYTES)
		return CODEC_MORE_INPUT;
	const uint8_t *trailer = in->data + in->pos;

	in->pos += TRAILER_BYTES;
	if (little_endian_32(trailer) != checksum(w->window, *made) || little_endian_32(trailer + 4) != (uint32_t)*made)
		return CODEC_MORE_OUTPUT;
	return CODEC_MEMBER_END;
}

/*
 * Returns whether another member seems to begin after this one's first bytes. If not, the end of this one is probably
 * not in the input, and an attempt would be wasted. Without this check, files with one member per record would waste
 * one attempt for each piece of input.
 */
static bool another_begins(struct slice bytes)
{
	enum { MEMBER_MIN = 20 };
	static const uint8_t magic[] = { 0x1f, 0x8b, 8 };

	for (bytes = slice_skip(bytes, MEMBER_MIN); bytes.len >= sizeof(magic); bytes = slice_skip(bytes, 1)) {
		const uint8_t *first = memchr(bytes.data, magic[0], bytes.len - 2);

		if (!first)
			return false;
		if (first[1] == magic[1] && first[2] == magic[2])
			return true;
		bytes = slice_skip(bytes, (size_t)(first - bytes.data));
	}
	return false;
}

int gzip_whole_decode(struct gzip_whole *w, struct codec_in *in, bool last, struct slice *decoded)
{
	struct codec_in member = { in->data + in->pos, in->len - in->pos, 0 };
	size_t made = 0;

	if (w->left) {
		w->left--;
		return CODEC_MORE_OUTPUT;
	}
	const bool all = last || member.len >= WHOLE_INPUT;

	if (!all && member.len < LIKELY_WHOLE && !another_begins(slice_of(member.data, member.len)))
		return CODEC_MORE_INPUT;
	if (member.len > WHOLE_INPUT)
		member.len = WHOLE_INPUT;
	int result = decode(w, &member, &made);

	if (result == CODEC_MEMBER_END) {
		w->passes = 0;
		in->pos += member.pos;
		*decoded = slice_of(w->window, made);
	}
	if (result == CODEC_MORE_INPUT && all)
		return does_not_fit(w);
	return result;
}

void gzip_whole_free(struct gzip_whole *w)
{
	if (!w)
		return;
	if (w->decompressor)
		libdeflate_free_decompressor(w->decompressor);
	free(w->window);
	free(w);
}

#else

struct gzip_whole *gzip_whole_new(void)
{
	return NULL;
}

int gzip_whole_decode(struct gzip_whole *w, struct codec_in *in, bool last, struct slice *decoded)
{
	(void)w, (void)in, (void)last, (void)decoded;
	return CODEC_MORE_OUTPUT;
}

void gzip_whole_free(struct gzip_whole *w)
{
	(void)w;
}

#endif
