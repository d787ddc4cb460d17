/*
 * The byte scans: DANA (Mohammadzadeh et al., DEXA/TIR 2011), the variant of its slides, and R2L (ICSOFT 2011). Every byte of the
 * page counts, those of scripts too; bytes above 127 (R2L: those of right-to-left scripts) against the others (algorithms.md
 * 1, 2, 9b).
 */
#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/methods.h"
#include "extract/segmenter.h"
#include "extract/text_writer.h"
#include "html/run_scan.h"

struct dana {
	struct segmenter segments;
	struct segmenter_keys keys;
	struct chain_config chain;
	bool only_r2l;        /* R2L: count and keep right-to-left characters only */
	bool in_text;         /* the unit under way is text */
	bool unit_seen;       /* it has shown something else than white space */
	bool unit_space;      /* it began with white space */
	bool after_space;     /* its last byte was white space */
	bool block_pending;   /* a block tag was seen since the last text */
	bool lone_space;      /* texts of white space alone stood since the last text */
	bool kept;            /* its text belongs to the output */
	uint8_t character[4]; /* R2L: the character under way */
	uint8_t held;
};

static void apply_keys(struct dana *d)
{
	d->segments.length = d->keys.segment;
	d->segments.bytes = d->keys.bytes;
	d->chain.gap = d->keys.gap;
	d->chain.gap_fill = d->keys.gap_fill;
	chain_selector_configure(d->segments.chain, &d->chain);
}

static int init(struct dana *d, const struct method_env *env, enum chain_hit hit, enum chain_rank rank)
{
	d->keys = (struct segmenter_keys){ .segment = 65, .gap = 20, .bytes = true };
	d->chain = (struct chain_config){ .hit = hit, .rank = rank, .max_text = env->max_text, .trace = env->trace };
	d->segments.chain = chain_selector_new(&d->chain);
	d->block_pending = true;
	if (!d->segments.chain)
		return DANA_ENOMEM;
	apply_keys(d);
	return DANA_OK;
}

static int dana_init(void *state, const struct method_env *env)
{
	return init(state, env, CHAIN_HIT_SMOOTHED, CHAIN_RANK_REGION);
}

static int slides_init(void *state, const struct method_env *env)
{
	return init(state, env, CHAIN_HIT_WEIGHT, CHAIN_RANK_VALUE);
}

static int r2l_init(void *state, const struct method_env *env)
{
	((struct dana *)state)->only_r2l = true;
	return init(state, env, CHAIN_HIT_WEIGHT, CHAIN_RANK_LINE);
}

static int dana_set(void *state, struct slice key, struct slice value)
{
	struct dana *d = state;
	int status = segmenter_key(&d->keys, key, value);
	apply_keys(d);
	return status;
}

static int keep(struct dana *d, const uint8_t *bytes, size_t len)
{
	if (!d->kept)
		return DANA_OK;
	struct buf *text = chain_selector_text(d->segments.chain);
	if (d->block_pending) {
		d->block_pending = false;
		int status = buf_append_byte(text, '\n');
		if (status < 0)
			return status;
	}
	return buf_append(text, bytes, len);
}

/* R2L keeps one blank for everything between two right-to-left characters. */
static int keep_blank(struct dana *d)
{
	struct buf *text = chain_selector_text(d->segments.chain);
	bool needed = d->kept && (text->len == 0 || text->data[text->len - 1] != ' ');
	return needed ? buf_append_byte(text, ' ') : DANA_OK;
}

/* ASCII bytes of i..to, white space collapsed already. */
static int count_ascii(struct dana *d, const uint8_t *bytes, size_t len)
{
	struct segmenter *s = &d->segments;
	d->held = sizeof d->character; /* a character under way is broken */
	if (!d->kept)
		return segmenter_code(s, len);
	while (len) {
		int status = segmenter_make_room(s);
		if (status < 0)
			return status;
		uint64_t room = s->length - s->used;
		size_t part = len < room ? len : (size_t)room;
		status = d->only_r2l ? keep_blank(d) : keep(d, bytes, part);
		if (status < 0)
			return status;
		s->used += part;
		bytes += part;
		len -= part;
	}
	return DANA_OK;
}

/* R2L scripts: Hebrew to NKo, Arabic Extended-A, presentation forms (algorithms.md 1). */
static bool is_r2l(uint32_t c)
{
	return (c >= 0x590 && c <= 0x77F) || (c >= 0x8A0 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
	       (c >= 0xFE70 && c <= 0xFEFE);
}

/* One byte of a character above 127; characters may be cut anywhere. */
static int count_r2l_byte(struct dana *d, uint8_t byte)
{
	struct segmenter *s = &d->segments;
	bool lead = (byte & 0xC0) != 0x80;
	int status = lead ? segmenter_make_room(s) : DANA_OK;
	if (status < 0)
		return status;
	s->used += lead || d->keys.bytes;
	if (lead)
		d->held = 0;
	if (d->held == sizeof d->character)
		return DANA_OK;
	d->character[d->held++] = byte;
	if (d->held != utf8_length(d->character[0]))
		return DANA_OK;
	uint32_t c;
	utf8_decode(slice_of(d->character, d->held), &c);
	if (!is_r2l(c))
		return keep_blank(d);
	s->content += d->keys.bytes ? d->held : 1;
	return keep(d, d->character, d->held);
}

/* Bytes i..to of a run that hold some above 127; white space collapsed already. */
static int count_mixed(struct dana *d, const struct html_run *run, size_t i, size_t to)
{
	struct segmenter *s = &d->segments;
	const uint8_t *p = run->bytes.data;
	while (i < to) {
		int status;
		if (d->only_r2l || !d->keys.bytes) {
			size_t high = run_find(run, i, to, RUN_HIGH);
			status = high > i ? count_ascii(d, p + i, high - i) : DANA_OK;
			for (i = high; i < to && p[i] >= 0x80 && status >= 0; i++) {
				if (d->only_r2l) {
					status = count_r2l_byte(d, p[i]);
					continue;
				}
				bool lead = (p[i] & 0xC0) != 0x80;
				status = lead ? segmenter_make_room(s) : DANA_OK;
				s->used += lead;
				s->content += lead;
				if (status >= 0)
					status = keep(d, p + i, 1);
			}
		} else {
			status = (p[i] & 0xC0) != 0x80 ? segmenter_make_room(s) : DANA_OK;
			uint64_t room = s->used < s->length ? s->length - s->used : 0;
			size_t end = to - i < room ? to : i + (size_t)room;
			while (end < to && (p[end] & 0xC0) == 0x80)
				end++;
			s->used += end - i;
			s->content += run_count_high(run, i, end);
			if (status >= 0)
				status = keep(d, p + i, end - i);
			i = end;
		}
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

/* Bytes i..to without two white space bytes in a row. */
static int count_stretch(struct dana *d, const struct html_run *run, size_t i, size_t to)
{
	if (run_find(run, i, to, RUN_HIGH) == to)
		return count_ascii(d, run->bytes.data + i, to - i);
	return count_mixed(d, run, i, to);
}

static int count_blank(struct dana *d)
{
	return count_ascii(d, (const uint8_t *)" ", 1);
}

/* Text: line breaks must not look like the end of a block. */
static int count_text(struct dana *d, const struct html_run *run, size_t i, size_t to)
{
	int status = DANA_OK;
	while (i < to && status >= 0) {
		size_t stop = d->kept ? run_find_control(run, i, to) : to;
		if (stop > i)
			status = count_stretch(d, run, i, stop);
		if (stop < to && status >= 0)
			status = count_blank(d);
		i = stop + 1;
	}
	return status;
}

/* A text begins: white space that stood alone between inline tags parts it from the one before, and counts nothing. */
static int lone_blank(struct dana *d)
{
	bool needed = d->lone_space && d->kept && !d->block_pending;
	return needed ? buf_append_byte(chain_selector_text(d->segments.chain), ' ') : DANA_OK;
}

/* The text under way is over. */
static void text_end(struct dana *d)
{
	if (d->in_text && d->kept && d->unit_space && !d->unit_seen)
		d->lone_space = true;
	d->in_text = d->kept = d->after_space = false;
}

static int text_run(struct dana *d, const struct html_run *run)
{
	if (!d->in_text)
		d->unit_seen = d->unit_space = d->after_space = false;
	d->in_text = true;
	d->kept = !run->skipped;
	size_t i = 0, len = run->bytes.len;
	int status = DANA_OK;
	while (i < len && status >= 0) {
		if (run_space_at(run, i)) {
			i = run_find(run, i, len, RUN_OTHER);
			if (!d->unit_seen)
				d->unit_space = true;
			else if (!d->after_space)
				status = count_blank(d);
			d->after_space = true;
			continue;
		}
		if (!d->unit_seen && d->unit_space)
			status = count_blank(d);
		else if (!d->unit_seen)
			status = lone_blank(d);
		d->unit_seen = true;
		d->lone_space &= !d->kept;
		size_t to = run_find_double_space(run, i);
		if (status >= 0)
			status = count_text(d, run, i, to);
		d->after_space = run_space_at(run, to - 1);
		i = to;
	}
	return status;
}

static int code_run(struct dana *d, const struct html_run *run)
{
	if (d->in_text || run->first)
		text_end(d);
	size_t len = run->bytes.len;
	struct html_run_count sum = html_run_sum(run, d->after_space);
	int status = DANA_OK;
	if (sum.high == 0) {
		d->held = sizeof d->character;
		status = segmenter_code(&d->segments, len - sum.spaces);
	} else if (!d->only_r2l) {
		status = segmenter_code_bytes(&d->segments, run, d->after_space);
	} else {
		for (size_t i = 0; i < len && status >= 0;) {
			if (d->after_space && run_space_at(run, i)) {
				i = run_find(run, i, len, RUN_OTHER);
				d->after_space = false;
				continue;
			}
			size_t to = run_find_double_space(run, i);
			status = count_stretch(d, run, i, to);
			d->after_space = run_space_at(run, to - 1);
			i = to;
		}
	}
	d->after_space = run_space_at(run, len - 1);
	return status;
}

static int dana_run(void *state, const struct html_run *run)
{
	return run->kind == HTML_TEXT ? text_run(state, run) : code_run(state, run);
}

static int dana_stretch(void *state, const struct html_stretch *stretch)
{
	struct dana *d = state;
	struct stretch_before before = { .block_pending = d->block_pending, .lone_space = d->lone_space };
	d->in_text = d->kept = d->after_space = false;
	int status = segmenter_stretch_bytes(&d->segments, &before, stretch);
	d->block_pending = before.block_pending;
	d->lone_space = before.lone_space;
	return status;
}

/* Short and ASCII, without white space in a row: as most tags are. */
static bool code_is_plain(const struct html_run *run)
{
	if (run->bytes.len > 64)
		return false;
	uint64_t space = MASK_BITS_AT(run->masks, space, run->at), high = MASK_BITS_AT(run->masks, high, run->at);
	return !(((space & space << 1) | high) & mask_range(0, run->bytes.len));
}

/* White space collapses between tags as it does in them, for each begins with '<': those that follow each other are one run. */
static int r2l_stretch(void *state, const struct html_stretch *stretch)
{
	struct dana *d = state;
	int status = DANA_OK;
	for (size_t at = stretch->from; at < stretch->to && status >= 0;) {
		struct html_run run = stretch_run(stretch, at);
		if (run.kind == HTML_CODE && code_is_plain(&run)) {
			text_end(d);
			d->held = sizeof d->character;
			status = segmenter_code(&d->segments, run.bytes.len);
		} else {
			status = dana_run(d, &run);
		}
		if (run.kind == HTML_CODE)
			d->block_pending |= stretch_breaks(stretch, &run);
		at += run.bytes.len;
	}
	return status;
}

static int dana_tag(void *state, const struct html_tag_event *event)
{
	struct dana *d = state;
	bool script = event->tag == HTML_TAG_SCRIPT || event->tag == HTML_TAG_STYLE;
	if (!event->skipped && !script && !html_tag_is(event->tag, TAG_INLINE))
		d->block_pending = true;
	return DANA_OK;
}

static int dana_method_finish(void *state, struct text_writer *out)
{
	struct dana *d = state;
	int status = segmenter_finish(&d->segments);
	if (status < 0)
		return status;
	out->truncated |= chain_selector_cut(d->segments.chain);
	int written = text_writer_source(out, chain_selector_result(d->segments.chain));
	return written < 0 ? written : status;
}

static void dana_method_reset(void *state)
{
	struct dana *d = state;
	segmenter_reset(&d->segments);
	d->in_text = d->unit_seen = d->unit_space = d->after_space = d->kept = false;
	d->block_pending = true;
	d->held = 0;
}

static void dana_destroy(void *state)
{
	chain_selector_free(((struct dana *)state)->segments.chain);
}

#define BYTE_SCAN_METHOD                                                                                             \
	.memory = "two buffers", .state_size = sizeof(struct dana), .set = dana_set, .run = dana_run, .tag = dana_tag, \
	.finish = dana_method_finish, .reset = dana_method_reset, .destroy = dana_destroy

const struct method method_r2l = {
	.name = "r2l",
	.source = "ICSOFT 2011",
	.summary = "right-to-left characters around the segment with most of them",
	.init = r2l_init,
	.stretch = r2l_stretch,
	BYTE_SCAN_METHOD,
};

const struct method method_dana = {
	.name = "dana",
	.source = "DEXA/TIR 2011",
	.summary = "segments with more bytes above 127 than below; the chain of regions around the largest",
	.init = dana_init,
	.stretch = dana_stretch,
	BYTE_SCAN_METHOD,
};

const struct method method_dana_slides = {
	.name = "dana-slides",
	.source = "DEXA/TIR 2011, slides",
	.summary = "segments with bytes above 127 around the one where they outnumber the others most",
	.init = slides_init,
	.stretch = dana_stretch,
	BYTE_SCAN_METHOD,
};
