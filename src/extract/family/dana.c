/* SPDX-License-Identifier: MIT */
/*
 * The byte scans: DANA (Mohammadzadeh et al., DEXA/TIR 2011), the variant of its slides, and R2L (ICSOFT 2011). Every
 * byte of the page counts, also in <script>; bytes above 127 (R2L: bytes of right-to-left scripts) against the others
 * (doc/METHODS.md).
 *
 * DANA relies on code being ASCII, which it no longer is, and on ASCII being code, which it is not in a listing: unless
 * the count is literal, each byte of code counts as ASCII, whatever its value, and in a listing only bytes above 127 of
 * its text count. R2L keeps only its characters, with one blank for everything between. Example: "<p>ab \u05D0\u05D1"
 * is 6 bytes of code and, in UTF-8, 4 of content.
 */
#include "base/status.h"
#include "base/utf8.h"
#include "extract/family/methods.h"
#include "extract/family/segmenter.h"
#include "extract/html/tokenizer_state.h"
#include "extract/text_writer.h"

struct dana {
	struct segmenter segments;
	bool only_r2l;        /* R2L: count and keep right-to-left characters only */
	bool block_pending;   /* a block tag was seen since the last text */
	bool kept;            /* the current text belongs to the output */
	bool listing;         /* it is in a listing, in which only content counts */
	uint8_t character[4]; /* R2L: the incomplete character */
	uint8_t held;
	struct held_space white; /* before the next word; not for R2L */
	bool in_text;            /* the current unit is text */
	bool unit_seen;          /* it has had something other than white space */
	bool unit_space;         /* it began with white space */
	bool after_space;        /* its last byte was white space */
	bool lone_space;         /* texts of only white space came since the last text */
	uint8_t last;            /* byte of this text */
	struct tag_progress tag;
	struct references references;
};

/* Drops an incomplete character: an ASCII byte came instead of the rest of it. */
static inline void character_drop(struct dana *d)
{
	d->held = sizeof(d->character);
}

/* Appends bytes, after a pending block break. */
static int append(struct dana *d, const uint8_t *bytes, size_t len)
{
	int status = d->block_pending ? buf_append_byte(chain_selector_text(d->segments.chain), '\n') : DANA_OK;
	d->block_pending = false;
	return status < 0 ? status : segmenter_write(&d->segments, slice_of(bytes, len));
}

/* Keeps bytes, if they are visible text. */
static int keep(struct dana *d, const uint8_t *bytes, size_t len)
{
	return d->kept ? append(d, bytes, len) : DANA_OK;
}

/* Writes the held white space, without counting it. */
static int write_white(struct dana *d)
{
	struct slice white = held_space_take(&d->white);
	return append(d, white.data, white.len);
}

/* R2L keeps one blank for everything between two right-to-left characters. */
static int keep_blank(struct dana *d)
{
	struct buf *text = chain_selector_text(d->segments.chain);
	bool needed = d->kept && (text->len == 0 || text->data[text->len - 1] != ' ');
	return needed ? buf_append_byte(text, ' ') : DANA_OK;
}

/* Counts ASCII bytes whose white space is already collapsed. */
static int count_ascii(struct dana *d, const uint8_t *bytes, size_t len)
{
	struct segmenter *s = &d->segments;
	if (d->listing)
		return keep(d, bytes, len);
	character_drop(d);
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

/* Counts one byte of a character above 127; characters may be cut anywhere. */
static int count_r2l_byte(struct dana *d, uint8_t byte)
{
	struct segmenter *s = &d->segments;
	bool lead = (byte & 0xC0) != 0x80;
	int status = lead ? segmenter_make_room(s) : DANA_OK;
	if (status < 0)
		return status;
	s->used += lead || d->segments.bytes;
	if (lead)
		d->held = 0;
	if (d->held == sizeof(d->character))
		return DANA_OK;
	d->character[d->held++] = byte;
	if (d->held != utf8_length(d->character[0]))
		return DANA_OK;
	uint32_t c;
	utf8_decode(slice_of(d->character, d->held), &c);
	/* Hebrew to NKo, Arabic Extended-A, presentation forms */
	if (!((c >= 0x590 && c <= 0x77F) || (c >= 0x8A0 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
	      (c >= 0xFE70 && c <= 0xFEFE)))
		return keep_blank(d);
	s->content += d->segments.bytes ? d->held : 1;
	return keep(d, d->character, d->held);
}

/* Counts bytes i..to of a run whose white space is already collapsed. */
static int count_bytes(struct dana *d, const struct html_run *run, size_t i, size_t to)
{
	struct segmenter *s = &d->segments;
	const uint8_t *p = run->bytes.data;
	if (run_find(run, i, to, RUN_HIGH) == to)
		return count_ascii(d, p + i, to - i);
	while (i < to) {
		int status;
		if (d->only_r2l || d->listing || !s->bytes) {
			size_t high = run_find(run, i, to, RUN_HIGH);
			status = high > i ? count_ascii(d, p + i, high - i) : DANA_OK;
			for (i = high; i < to && p[i] >= 0x80 && status >= 0; i++) {
				if (d->only_r2l) {
					status = count_r2l_byte(d, p[i]);
					continue;
				}
				bool lead = (p[i] & 0xC0) != 0x80;
				status = lead ? segmenter_make_room(s) : DANA_OK;
				s->used += lead || s->bytes;
				s->content += lead || s->bytes;
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

/* Counts one blank, ' ' or TEXT_LINE, or the first character of the held white space. */
static int count_blank(struct dana *d, uint8_t blank)
{
	struct slice white = d->kept ? held_space_take(&d->white) : slice_of(NULL, 0);
	int status = count_ascii(d, white.len ? white.data : &blank, 1);
	return status < 0 || white.len < 2 ? status : append(d, white.data + 1, white.len - 1);
}

/* The same for text: line breaks must not look like the end of a block. */
static int count_text(struct dana *d, const struct html_run *run, size_t i, size_t to)
{
	int status = DANA_OK;
	while (i < to && status >= 0) {
		size_t stop = d->kept ? run_find_control(run, i, to) : to;
		if (stop > i)
			status = count_bytes(d, run, i, stop);
		if (stop < to && status >= 0)
			status = count_blank(
				d, text_collapsed(run->bytes.data[stop], stop ? run->bytes.data[stop - 1] : 0));
		i = stop + 1;
	}
	return status;
}

static int init(struct dana *d, const struct method_env *env, enum chain_hit hit, enum chain_rank rank)
{
	struct segmenter_keys keys =
		segmenter_keys(true, (struct segmenter_count){ segmenter_bytes_limits, 20, true, CHAIN_RANK_SURPLUS });
	keys.literal = hit == CHAIN_HIT_WEIGHT;
	d->block_pending = true;
	d->tag.limits = &d->segments.limits;
	return segmenter_init(&d->segments, env, keys, hit, rank);
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

static int dana_set(void *state, const struct method_setting *setting)
{
	struct dana *d = state;
	segmenter_set(&d->segments.keys, setting);
	segmenter_apply(&d->segments);
	return DANA_OK;
}

/* Ends the current text. */
static void text_end(struct dana *d)
{
	if (d->in_text && d->kept && d->unit_space && !d->unit_seen)
		d->lone_space = true;
	d->in_text = d->kept = d->after_space = false;
}

/* Takes white space from..to that does not collapse. R2L keeps only line ends. */
static int kept_white(struct dana *d, const struct html_run *run, size_t from, size_t to)
{
	int status = DANA_OK;
	bool after_word = d->unit_seen && !d->after_space;
	for (size_t i = from; i < to && status >= 0; i++) {
		uint8_t c = run->bytes.data[i];
		if (d->only_r2l)
			d->block_pending |= c == '\n' || c == '\r';
		else
			held_space_add(&d->white, c, run->space);
		if (i == from && after_word)
			status = count_blank(d, ' ');
	}
	d->unit_space |= !d->unit_seen;
	d->after_space = true;
	return status;
}

/* A run of a text begins, perhaps with its text. */
static void text_begin(struct dana *d, const struct html_run *run)
{
	if (!d->in_text)
		d->unit_seen = d->unit_space = d->after_space = false;
	d->last = d->in_text ? d->last : 0;
	d->in_text = true;
	d->kept = !run->skipped;
	d->listing = segmenter_in_listing(&d->segments, run->space);
}

/* A byte of a text comes that is not white space. */
static int word_begin(struct dana *d, bool collapses)
{
	int status = DANA_OK;
	if (!d->unit_seen && d->unit_space)
		status = count_blank(d, ' ');
	else if (d->white.len && d->kept)
		status = write_white(d);
	else if (!d->unit_seen && d->lone_space && d->kept && !d->block_pending)
		/* white space alone between inline tags separates a text from the one before, and does not count */
		status = buf_append_byte(chain_selector_text(d->segments.chain), ' ');
	d->unit_seen = true;
	d->lone_space &= !d->kept;
	if (!collapses)
		held_space_clear(&d->white);
	return status;
}

static int text_run(struct dana *d, const struct html_run *run)
{
	text_begin(d, run);
	size_t i = 0, len = run->bytes.len;
	int status = DANA_OK;
	bool collapses = run->space == WHITE_SPACE_COLLAPSES || run->skipped;
	while (i < len && status >= 0) {
		if (run_space_at(run, i)) {
			size_t from = i;
			i = run_find(run, i, len, RUN_OTHER);
			if (!collapses) {
				status = kept_white(d, run, from, i);
				continue;
			}
			if (!d->unit_seen)
				d->unit_space = true;
			else if (!d->after_space)
				status = count_blank(d, text_collapsed(run->bytes.data[from],
								       from ? run->bytes.data[from - 1] : d->last));
			d->after_space = true;
			continue;
		}
		status = word_begin(d, collapses);
		size_t to = collapses ? run_find_double_space(run, i) : run_find(run, i, len, RUN_SPACE);
		if (status >= 0)
			status = count_text(d, run, i, to);
		d->after_space = run_space_at(run, to - 1);
		i = to;
	}
	d->last = len ? run->bytes.data[len - 1] : d->last;
	return status;
}

/* Counts code, or a void run, all of which is below the axis. */
static int count_ascii_run(struct dana *d, const struct html_run *run)
{
	if (d->in_text || run->first)
		text_end(d);
	if (segmenter_in_listing(&d->segments, run->space))
		return DANA_OK;
	if (run->kind == HTML_HIDDEN || run->skipped) { /* there may be no masks */
		d->after_space = false;
		return segmenter_code(&d->segments, run->bytes.len);
	}
	const struct html_run counted = tag_counted(&d->tag, run);
	const struct html_run_count sum = html_run_sum(&counted, d->after_space);
	d->after_space = run_space_at(run, run->bytes.len - 1);
	return segmenter_code(&d->segments, (d->segments.bytes ? counted.bytes.len : sum.chars) - sum.spaces);
}

static int code_run(struct dana *d, const struct html_run *run)
{
	if (d->in_text || run->first)
		text_end(d);
	size_t len = run->bytes.len;
	struct html_run_count sum = html_run_sum(run, d->after_space);
	int status = DANA_OK;
	if (sum.high == 0) {
		character_drop(d);
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
			status = count_bytes(d, run, i, to);
			d->after_space = run_space_at(run, to - 1);
			i = to;
		}
	}
	d->after_space = run_space_at(run, len - 1);
	return status;
}

/* Takes a part of a text, for struct references. */
static int take_part(void *arg, const struct html_run *run, const struct reference *reference)
{
	struct dana *d = arg;
	d->segments.read = (struct segmenter_place){ run->bytes, run->offset };
	if (!reference)
		return text_run(d, run);
	text_begin(d, run);
	int status = word_begin(d, run->space == WHITE_SPACE_COLLAPSES);
	d->after_space = false;
	d->last = 0;
	const bool content = reference_is_foreign(reference), counts = content || !d->listing;
	if (status >= 0 && counts) {
		const struct reference counted = reference_scanned(reference);
		status = segmenter_make_room(&d->segments);
		segmenter_reference(&d->segments, &counted, content);
	}
	return status < 0 ? status : keep(d, run->bytes.data, run->bytes.len);
}

static int dana_run(void *state, const struct html_run *run)
{
	struct dana *d = state;
	if (!d->segments.literal && run->kind == HTML_TEXT && !run->skipped)
		return references_run(&d->references, run, take_part, d);
	int status = references_end(&d->references, take_part, d);
	if (status < 0)
		return status;
	d->segments.read = (struct segmenter_place){ run->bytes, run->offset };
	if (!d->segments.literal)
		return count_ascii_run(d, run);
	return run->kind == HTML_TEXT ? text_run(state, run) : code_run(state, run);
}

static int dana_stretch(void *state, const struct html_stretch *stretch)
{
	struct dana *d = state;
	struct stretch_before before = { .block_pending = d->block_pending, .lone_space = d->lone_space };
	d->in_text = d->kept = d->after_space = false;
	int status = segmenter_stretch_bytes(&d->segments, &before, &d->white, stretch);
	d->block_pending = before.block_pending;
	d->lone_space = before.lone_space;
	return status;
}

/* True for short ASCII without adjacent white space, as most tags are. */
static bool code_is_plain(const struct html_run *run)
{
	if (run->bytes.len > 64)
		return false;
	uint64_t space = MASK_BITS_AT(run->masks, space, run->at), high = MASK_BITS_AT(run->masks, high, run->at);
	return !(((space & space << 1) | high) & mask_range(0, run->bytes.len));
}

/* Each tag begins with '<', so white space collapses across tags as within them: adjacent tags are one run. */
static int r2l_stretch(void *state, const struct html_stretch *stretch)
{
	struct dana *d = state;
	int status = DANA_OK;
	for (size_t at = stretch->from; at < stretch->to && status >= 0;) {
		struct html_run run = stretch_run(stretch, at);
		if (run.kind == HTML_CODE && code_is_plain(&run)) {
			text_end(d);
			character_drop(d);
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
	if (!event->skipped && !script && !html_tag_is(event->tag, TAG_INLINE)) {
		d->block_pending = true;
		held_space_clear(&d->white);
	}
	if (event->space != WHITE_SPACE_COLLAPSES)
		return DANA_OK;
	/* a stretch may follow, so held white space does not wait for a word */
	d->lone_space &= !d->white.len;
	int status = d->white.len ? write_white(d) : DANA_OK;
	held_space_clear(&d->white);
	return status;
}

static int dana_method_finish(void *state, struct text_writer *out)
{
	struct dana *d = state;
	int status = references_end(&d->references, take_part, d);
	return status < 0 ? status : segmenter_finish(&d->segments, out);
}

static void dana_method_reset(void *state)
{
	struct dana *d = state;
	segmenter_reset(&d->segments);
	d->in_text = d->unit_seen = d->unit_space = d->after_space = d->lone_space = d->kept = false;
	d->block_pending = true;
	d->held = 0;
	d->references.len = 0;
	held_space_clear(&d->white);
}

static void dana_destroy(void *state)
{
	chain_selector_free(((struct dana *)state)->segments.chain);
}

/* Scripts and comments are only measured. */
static bool reads_voids(const void *state)
{
	return ((const struct dana *)state)->segments.literal;
}

static const struct method_key keys[] = { SEGMENTER_KEYS("bytes", "20", "1"),
					  SEGMENTER_KEYS_MENDED("16", "0"),
					  { .name = NULL } };

static const struct method_key literal_keys[] = { SEGMENTER_KEYS("bytes", "20", "0"), { .name = NULL } };

/* clang-format off */
#define WORDS_OF_BYTES \
	METHOD_WORDS_OF_CHAINS, .above = "non-ASCII part", .above_name = "non-ascii", .below_name = "ascii", \
	.smoothed = "smoothed difference of non-ASCII and ASCII", \
	.none = "no region: the smoothed value is not positive"
/* clang-format on */

static const struct method_words dana_words = { WORDS_OF_BYTES, .below = "ASCII part and, unless literal, all code" };

static const struct method_words slides_words = { WORDS_OF_BYTES, .below = "ASCII part" };

static const struct method_words r2l_words = {
	METHOD_WORDS_OF_CHAINS,
	.above = "right-to-left part",
	.below = "other part",
	.above_name = "right-to-left",
	.below_name = "other",
	.smoothed = "smoothed difference of right-to-left and other",
	.none = "no region: nothing right-to-left",
};

#define BYTE_SCAN_METHOD \
	.memory = "two buffers", .state_size = sizeof(struct dana), .set = dana_set, .run = dana_run, .tag = dana_tag, \
	.finish = dana_method_finish, .reset = dana_method_reset, .destroy = dana_destroy

const struct method method_r2l = {
	.name = "r2l",
	.source = "ICSOFT 2011",
	.summary = "right-to-left text where there is most of it",
	.init = r2l_init,
	.stretch = r2l_stretch,
	.words = &r2l_words,
	.keys = literal_keys,
	BYTE_SCAN_METHOD,
};

const struct method method_dana = {
	.name = "dana",
	.source = "DEXA/TIR 2011",
	.summary = "regions with more bytes above 127 than below",
	.init = dana_init,
	.stretch = dana_stretch,
	.lists_spans = true,
	.words = &dana_words,
	.keys = keys,
	.voids_unread = true,
	.reads_voids = reads_voids,
	BYTE_SCAN_METHOD,
};

const struct method method_dana_slides = {
	.name = "dana-slides",
	.source = "DEXA/TIR 2011, slides",
	.summary = "bytes above 127 around their largest surplus",
	.init = slides_init,
	.stretch = dana_stretch,
	.lists_spans = true,
	.words = &slides_words,
	.keys = literal_keys,
	BYTE_SCAN_METHOD,
};
