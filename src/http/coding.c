#include "http/coding.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "stream/document.h"

static int coding_write(struct byte_sink *self, struct slice bytes);
static int coding_finish(struct byte_sink *self);

static const struct byte_sink_ops coding_sink_ops = { "coding", coding_write, coding_finish };

struct coding *coding_new(const struct limits *limits)
{
	struct coding *c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->window = malloc(CODING_WINDOW);
	if (!c->window) {
		free(c);
		return NULL;
	}
	c->sink.ops = &coding_sink_ops;
	c->limits = limits;
	return c;
}

/* A codec that met damage takes no reset, so it goes; the others are kept for the next message. */
static void drop_codec(struct coding *c)
{
	for (size_t i = 0; i < CODING_FORMATS; i++) {
		if (c->codec && c->kept[i] == c->codec)
			c->kept[i] = NULL;
	}
	if (c->codec)
		c->ops->close(c->codec);
	c->codec = NULL;
}

static int take_codec(struct coding *c)
{
	size_t place = 0;
	for (size_t i = 0; i < CODING_FORMATS; i++) {
		if (c->kept[i] && c->kept[i]->ops == c->ops) {
			c->codec = c->kept[i];
			c->ops->reset(c->codec);
			return 0;
		}
		if (!c->kept[i])
			place = i;
	}
	if (c->kept[place])
		c->kept[place]->ops->close(c->kept[place]);
	const struct codec_limits limits = { .window = c->limits->window };
	c->codec = c->kept[place] = c->ops->open(&limits);
	return c->codec ? 0 : DANA_ENOMEM;
}

int coding_reset(struct coding *c, const struct codec_ops *ops, struct byte_sink *next, uint64_t max_output)
{
	c->ops = ops;
	c->next = next;
	c->problems = 0;
	c->state = CODING_START;
	c->max_output = max_output;
	c->output = c->input = 0;
	c->n_held = 0;
	return take_codec(c);
}

void coding_free(struct coding *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < CODING_FORMATS; i++) {
		if (c->kept[i])
			c->kept[i]->ops->close(c->kept[i]);
	}
	free(c->window);
	free(c);
}

static int damaged(struct coding *c)
{
	drop_codec(c);
	c->problems |= PROBLEM_BAD_CODING;
	c->state = CODING_OVER;
	return 0;
}

/*
 * Output that is allowed so far. The input is weighed in whole pieces, so that the place of a cut does not depend on how
 * the body came in.
 */
static uint64_t allowed_output(const struct coding *c)
{
	uint64_t pieces = c->input / CODING_PIECE + 1;
	uint64_t allowed = pieces * CODING_PIECE * c->limits->expansion;
	if (allowed < CODING_FREE_OUTPUT)
		allowed = CODING_FREE_OUTPUT;
	return allowed < c->max_output ? allowed : c->max_output;
}

static int pass_output(struct coding *c, size_t len, uint64_t allowed)
{
	uint64_t room = allowed > c->output ? allowed - c->output : 0;
	bool too_much = len > room;
	if (too_much)
		len = (size_t)room;
	c->output += len;
	int status = len ? byte_sink_write(c->next, slice_of(c->window, len)) : 0;
	if (status || !too_much)
		return status;
	c->problems |= PROBLEM_TRUNCATED_LIMIT;
	c->state = CODING_OVER;
	return 1;
}

/* Has this format units that may follow each other, with a magic number that tells them? */
static bool has_magic(const struct codec_ops *ops)
{
	return slice_is(slice_from_text(ops->name), "gzip") || slice_is(slice_from_text(ops->name), "zstd");
}

static void end_member(struct coding *c, int answer)
{
	if (answer == CODEC_END || !has_magic(c->ops))
		c->state = CODING_OVER;
	else
		c->state = CODING_BETWEEN;
	c->n_held = 0;
}

/* Decodes one piece: takes what it used off `bytes`. */
static int decode_piece(struct coding *c, struct slice *bytes, bool last)
{
	size_t room = CODING_PIECE - (size_t)(c->input % CODING_PIECE);
	uint64_t allowed = allowed_output(c);
	bool is_last = last && bytes->len <= room;
	struct codec_in in = { bytes->data, bytes->len < room ? bytes->len : room, 0 };
	int answer, status = 0;
	do {
		struct codec_out out = { c->window, CODING_WINDOW, 0 };
		size_t before = in.pos;
		answer = c->ops->step(c->codec, &in, &out, is_last);
		if (answer == DANA_ENOMEM)
			return answer;
		status = out.pos ? pass_output(c, out.pos, allowed) : 0;
		if (status == 0 && answer < 0)
			status = damaged(c);
		else if (status == 0 && answer == CODEC_MORE_INPUT && (is_last || in.pos < in.len) && out.pos == 0 &&
			 in.pos == before)
			status = damaged(c); /* it wants more than there is */
		else if (answer == CODEC_MEMBER_END || answer == CODEC_SKIPPED || answer == CODEC_END)
			end_member(c, answer);
	} while (status == 0 && c->state == CODING_MEMBER &&
		 (answer == CODEC_MORE_OUTPUT || in.pos < in.len || is_last));
	c->input += in.pos;
	*bytes = slice_skip(*bytes, in.pos);
	return status;
}

static int decode(struct coding *c, struct slice *bytes, bool last)
{
	int status = 0;
	while (status == 0 && c->state == CODING_MEMBER && (bytes->len || last))
		status = decode_piece(c, bytes, last);
	return status;
}

/* No control bytes: never true of 512 bytes of compressed data, nearly never of 100. */
static bool looks_like_text(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if ((s.data[i] < 0x20 && !ascii_is_space(s.data[i])) || s.data[i] == 0x7F)
			return false;
	}
	return true;
}

/* Does the whole body, all of it held, decode without a fault? */
static bool held_decodes(struct coding *c)
{
	struct codec_in in = { c->held, c->n_held, 0 };
	struct codec_out out = { c->window, CODING_WINDOW, 0 };
	return c->ops->step(c->codec, &in, &out, true) > 0;
}

/* Decides by the held bytes whether the body is coded. `last`: they are all there is. */
static int decide(struct coding *c, bool last)
{
	struct slice held = slice_of(c->held, c->n_held);
	bool coded;
	if (has_magic(c->ops)) {
		int bid = c->ops->bid(held);
		if (bid < 0 && !last && c->n_held < CODING_HELD_MAX)
			return 0;
		coded = bid > 0 || (bid < 0 && !last);
	} else {
		if (c->n_held < CODING_HELD_MAX && !last)
			return 0;
		coded = !looks_like_text(held);
		if (!coded && last) {
			coded = held_decodes(c);
			drop_codec(c);
			if (coded && take_codec(c) != 0)
				return DANA_ENOMEM;
		}
	}
	c->state = coded ? CODING_MEMBER : CODING_PLAIN;
	return coded ? decode(c, &held, false) : byte_sink_write(c->next, held);
}

/* Behind a member: another one, or junk that nobody wants. */
static int look_for_member(struct coding *c, bool last)
{
	struct slice held = slice_of(c->held, c->n_held);
	int bid = c->ops->bid(held);
	if (bid < 0 && !last && c->n_held < CODING_HELD_MAX)
		return 0;
	c->state = bid > 0 ? CODING_MEMBER : CODING_OVER;
	return decode(c, &held, false);
}

static int hold(struct coding *c, struct slice *bytes)
{
	c->held[c->n_held++] = bytes->data[0];
	*bytes = slice_skip(*bytes, 1);
	return c->state == CODING_START ? decide(c, false) : look_for_member(c, false);
}

static int coding_write(struct byte_sink *self, struct slice bytes)
{
	struct coding *c = (struct coding *)self;
	int status = 0;
	while (bytes.len && status == 0) {
		switch (c->state) {
		case CODING_START:
		case CODING_BETWEEN:
			status = hold(c, &bytes);
			break;
		case CODING_MEMBER:
			status = decode(c, &bytes, false);
			break;
		case CODING_PLAIN:
			return byte_sink_write(c->next, bytes);
		case CODING_OVER:
			return 0;
		}
	}
	return status;
}

static int coding_finish(struct byte_sink *self)
{
	struct coding *c = (struct coding *)self;
	struct slice none = { c->held, 0 };
	int status = 0;
	if (c->state == CODING_START && c->n_held)
		status = decide(c, true);
	if (status == 0 && c->state == CODING_MEMBER)
		status = decode(c, &none, true);
	return status ? status : byte_sink_finish(c->next);
}
