/* SPDX-License-Identifier: MIT */
/*
 * What begins as no container is text. The first bytes are kept until that is known; the first part of a line that goes
 * over the end of a piece is kept until its end comes.
 */
#include "io/line_reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/codec/codec.h"
#include "base/buf.h"
#include "io/address.h"
#include "io/loop.h"
#include "io/network.h"
#include "io/source.h"

enum { OUT_SIZE = 64 << 10, WINDOW_MOST = 128 << 20 };

struct line_source {
	const struct line_input *input;
	const struct line_taker *taker;
	struct error *err;
	struct loop *loop;
	struct network_session *session;
	struct source *source;
	struct buf first, line; /* bytes whose kind is not known yet; the beginning of a line */
	bool too_long;          /* that line is */
	bool known;
	struct codec *codec; /* NULL: plain text */
	uint8_t *out;
	int status;
	bool done;
};

/* ---- lines ---- */

static void report_bad(struct line_source *r, const char *why)
{
	r->taker->bad(r->taker->arg, why);
	r->too_long = false;
	buf_clear(&r->line);
}

static struct slice without(struct slice line, char end)
{
	line.len -= line.len && line.data[line.len - 1] == end;
	return line;
}

static int take_line(struct line_source *r, struct slice rest)
{
	char why[64];
	struct slice line = rest;
	if (r->too_long || r->line.len + without(rest, '\n').len > r->input->line_most) {
		(void)snprintf(why, sizeof(why), "it has more than %zuK", r->input->line_most >> 10);
		report_bad(r, why);
		return DANA_OK;
	}
	if (r->line.len) {
		if (buf_append(&r->line, rest.data, rest.len) < 0)
			return error_no_memory(r->err);
		line = buf_slice(&r->line);
	}
	int status =
		r->taker->take(r->taker->arg, r->input->with_ends ? line : without(without(line, '\n'), '\r'), r->err);
	buf_clear(&r->line);
	return status;
}

static int take_text(struct line_source *r, struct slice bytes)
{
	const uint8_t *end;
	int status = DANA_OK;
	while (status == DANA_OK && bytes.len && (end = memchr(bytes.data, '\n', bytes.len))) {
		struct slice rest = slice_first(bytes, (size_t)(end - bytes.data) + 1);
		bytes = slice_skip(bytes, rest.len);
		status = take_line(r, rest);
	}
	if (!(status == DANA_OK && bytes.len))
		return status;
	r->too_long |= r->line.len + bytes.len > r->input->line_most;
	if (r->too_long)
		return DANA_OK;
	return buf_append(&r->line, bytes.data, bytes.len) < 0 ? error_no_memory(r->err) : DANA_OK;
}

/* ---- compression ---- */

static int take_bytes(struct line_source *r, struct slice bytes, bool last)
{
	if (!r->codec)
		return take_text(r, bytes);
	struct codec_in in = { bytes.data, bytes.len, 0 };
	for (;;) {
		struct codec_out out = { r->out, OUT_SIZE, 0 };
		int result = r->codec->ops->step(r->codec, &in, &out, last);
		int status = take_text(r, slice_of(r->out, out.pos));
		if (status != DANA_OK)
			return status;
		if (result == DANA_ENOMEM)
			return error_no_memory(r->err);
		if (result < 0) {
			report_bad(r, "compressed data that is damaged or cut off; nothing is read from there on");
			return LINES_ENOUGH;
		}
		if (result == CODEC_END || (result == CODEC_MORE_INPUT && in.pos == in.len))
			return DANA_OK;
	}
}

/* Finds out what begins; then takes what was kept. */
static int take_first(struct line_source *r, struct slice bytes, bool last)
{
	bool need_more = false;
	if (buf_append(&r->first, bytes.data, bytes.len) < 0)
		return error_no_memory(r->err);
	const struct codec_ops *ops = codec_detect(buf_slice(&r->first), &need_more);
	if (need_more && !last)
		return DANA_OK;
	r->known = true;
	if (ops) {
		r->codec = ops->open(&(struct codec_limits){ .window = WINDOW_MOST });
		r->out = malloc(OUT_SIZE);
		if (!r->codec || !r->out)
			return error_no_memory(r->err);
	}
	int status = take_bytes(r, buf_slice(&r->first), last);
	buf_free(&r->first);
	return status;
}

/* ---- events ---- */

static void on_chunk(void *arg, struct slice bytes)
{
	struct line_source *r = arg;
	r->status = r->known ? take_bytes(r, bytes, false) : take_first(r, bytes, false);
	r->done = r->status != DANA_OK;
	if (!r->done)
		source_next(r->source);
}

static void on_end(void *arg)
{
	struct line_source *r = arg;
	const struct slice none = slice_of(NULL, 0);
	r->status = r->known ? take_bytes(r, none, true) : take_first(r, none, true);
	if (r->status == DANA_OK && (r->line.len || r->too_long))
		r->status = take_line(r, none);
	r->done = true;
}

static void on_failed(void *arg, const char *why)
{
	struct line_source *r = arg;
	r->status = error_set(r->err, DANA_EIO, "%s", why);
	r->done = true;
}

int line_reader_run(const struct line_input *input, const struct line_taker *taker, struct error *err)
{
	struct line_source r = { .input = input, .taker = taker, .err = err };
	const struct source_events events = { .chunk = on_chunk, .end = on_end, .failed = on_failed, .arg = &r };
	const char *name = input->name;
	/* The command may yet enter a sandbox, which holds for threads that are started later only. */
	r.loop = loop_new_alone(err);
	if (!r.loop)
		r.status = (int)err->status;
	else if (!input->network || !address_is_network(name))
		r.status = source_open(&r.source, r.loop, name, NULL, 0, &events, err);
	else if ((r.session = network_session_new(input->network, r.loop, err)))
		r.status = http_source_open(&r.source, r.session, name, input->shown, NULL, 0, &events, err);
	else
		r.status = (int)err->status;
	if (r.status == DANA_OK) {
		source_start(r.source);
		loop_run_until(r.loop, &r.done);
	}
	source_free(r.source);
	network_session_free(r.session);
	loop_free(r.loop);
	if (r.codec)
		r.codec->ops->close(r.codec);
	free(r.out);
	buf_free(&r.first);
	buf_free(&r.line);
	return r.status == LINES_ENOUGH ? DANA_OK : r.status;
}
