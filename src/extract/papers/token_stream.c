/* SPDX-License-Identifier: MIT */
/*
 * Characters become words as they arrive, whatever the pieces: an open word, an open character reference and an open
 * UTF-8 character are kept until they are complete. Example: the pieces "fish &am" and "p; ch" give the word "fish" at
 * once, then "&" when the space after the reference comes; "ch" stays open.
 *
 * Stretches of ASCII without white space and '&' take a fast path (take_plain); everything else is read character by
 * character.
 */
#include "extract/papers/token_stream.h"

#include "base/ascii.h"
#include "base/utf8.h"

bool token_char_is_word(uint32_t c)
{
	if (c < 0x0E00)
		return false;
	return c <= 0x0EFF ||                  /* Thai, Lao */
	       (c >= 0x1000 && c <= 0x109F) || /* Myanmar */
	       (c >= 0x1780 && c <= 0x17FF) || /* Khmer */
	       (c >= 0x3005 && c <= 0x3007) || /* iteration and closing marks, ideographic zero */
	       (c >= 0x3040 && c <= 0x30FF) || /* Kana */
	       (c >= 0x31F0 && c <= 0x31FF) || /* Kana, small */
	       (c >= 0x3400 && c <= 0x4DBF) || /* Han */
	       (c >= 0x4E00 && c <= 0x9FFF) || /* Han */
	       (c >= 0xF900 && c <= 0xFAFF) || /* Han, compatibility */
	       (c >= 0x20000 && c <= 0x3FFFF); /* Han, supplementary planes */
}

bool token_char_is_space(uint32_t c)
{
	if (c < 0x80)
		return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
	return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
	       c == 0x202F || c == 0x205F || c == 0x3000;
}

void token_stream_reset(struct token_stream *t, const struct token_stream_ops *ops)
{
	*t = (struct token_stream){ .ops = ops, .breaks = true };
}

/* Delivers a word with what precedes it: line break, space, kept white space. */
static int deliver(struct token_stream *t, const uint8_t *data, size_t len, size_t chars, uint64_t from, uint64_t to)
{
	struct token_word word = { .text = slice_of(data, len),
				   .chars = chars,
				   .white = held_space_take(&t->held),
				   .breaks = t->breaks,
				   .space = t->space && !t->breaks,
				   .newline = t->newline,
				   .link = t->link,
				   .unit = t->unit,
				   .from = from,
				   .to = to,
				   .before = t->last_to };
	held_space_clear(&t->held);
	t->breaks = t->space = t->newline = false;
	t->last_to = to;
	return t->ops->word(t, &word);
}

static int end_word(struct token_stream *t)
{
	size_t len = t->word_len, chars = t->word_chars;
	if (len == 0)
		return 0;
	t->word_len = t->word_chars = 0;
	return deliver(t, t->word, len, chars, t->word_from, t->word_to);
}

static int take_space(struct token_stream *t, uint32_t c)
{
	int status = end_word(t);
	t->space = true;
	t->newline |= c == '\n' || c == '\r';
	held_space_add(&t->held, c < 0x80 ? (uint8_t)c : ' ', t->white);
	return status;
}

static int take_char(struct token_stream *t, uint32_t c)
{
	if (token_char_is_space(c))
		return take_space(t, c);
	if (token_char_is_word(c)) {
		uint8_t bytes[4];
		int status = end_word(t);
		return status < 0 ? status : deliver(t, bytes, utf8_put(c, bytes), 1, t->taken_from, t->taken_to);
	}
	if (t->word_len == 0)
		t->word_from = t->taken_from;
	t->word_to = t->taken_to;
	t->word_len += utf8_put(c, t->word + t->word_len);
	t->word_chars++;
	return t->word_len >= TOKEN_WORD_MAX ? end_word(t) : 0;
}

/* Takes letters and signs of ASCII, without white space and '&'; they end at t->taken_to. */
static int take_plain(struct token_stream *t, const uint8_t *data, size_t len)
{
	while (len) {
		const uint64_t from = t->taken_to - len;
		size_t room = TOKEN_WORD_MAX > t->word_len ? TOKEN_WORD_MAX - t->word_len : 1;
		size_t n = len < room ? len : room;
		if (t->word_len == 0)
			t->word_from = from;
		t->word_to = from + n;
		memcpy(t->word + t->word_len, data, n);
		t->word_len += n;
		t->word_chars += n;
		data += n;
		len -= n;
		if (t->word_len >= TOKEN_WORD_MAX) {
			int status = end_word(t);
			if (status < 0)
				return status;
		}
	}
	return 0;
}

/* Ends a reference that is complete or cannot continue: bytes that do not belong to it are literal. */
static int end_reference(struct token_stream *t)
{
	uint8_t out[8];
	size_t out_len = 0, len = t->reference_len;
	if (len == 0)
		return 0;
	t->reference_len = 0;
	size_t taken = html_entity_decode(slice_of(t->reference, len), out, &out_len);
	int status = 0;
	for (size_t i = 0; taken && i < out_len && status >= 0;) {
		uint32_t c;
		i += utf8_decode(slice_of(out + i, out_len - i), &c);
		status = take_char(t, c);
	}
	return status < 0 ? status : take_plain(t, t->reference + taken, len - taken);
}

/* Returns whether `c` belongs to the open reference; if so it is stored. */
static bool reference_takes(struct token_stream *t, uint8_t c)
{
	if (t->reference_len == sizeof(t->reference))
		return false;
	if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != ';' && !(c == '#' && t->reference_len == 1))
		return false;
	t->reference[t->reference_len++] = c;
	return true;
}

/* Takes a byte of a character that a piece cut. Returns 1 if the byte begins something new. */
static int take_part(struct token_stream *t, uint8_t byte)
{
	uint32_t c;
	size_t need = utf8_length(t->part[0]);
	t->part[t->part_len++] = byte;
	size_t len = t->part_len, good = utf8_decode(slice_of(t->part, len), &c);
	if (good == len && len < need)
		return 0;
	t->part_len = 0;
	t->taken_to = t->taken_from + good;
	int status = take_char(t, c);
	return status < 0 ? status : good < len;
}

static int take_high(struct token_stream *t, struct slice bytes, size_t *i)
{
	struct slice rest = slice_skip(bytes, *i);
	size_t need = utf8_length(rest.data[0]);
	uint32_t c;
	size_t good = utf8_decode(rest, &c);
	t->taken_to = t->taken_from + good;
	if (rest.len < need && good == rest.len) {
		memcpy(t->part, rest.data, rest.len);
		t->part_len = rest.len;
		*i = bytes.len;
		return 0;
	}
	*i += good;
	return take_char(t, c);
}

static int take_text(struct token_stream *t, struct slice bytes)
{
	const uint64_t base = t->source_end - bytes.len;
	int status = 0;
	for (size_t i = 0; i < bytes.len && status >= 0;) {
		uint8_t c = bytes.data[i];
		if (!t->reference_len && !t->part_len)
			t->taken_from = base + i;
		if (t->reference_len) {
			if (reference_takes(t, c)) {
				t->taken_to = base + ++i;
				if (c != ';')
					continue;
			}
			status = end_reference(t);
		} else if (t->part_len) {
			status = take_part(t, c);
			i += status == 0;
		} else if (c >= 0x80) {
			status = take_high(t, bytes, &i);
		} else if (c == '&') {
			t->reference[t->reference_len++] = c;
			t->taken_to = base + ++i;
		} else if (token_char_is_space(c)) {
			status = take_space(t, c);
			i++;
		} else {
			size_t from = i;
			do
				i++;
			while (i < bytes.len && bytes.data[i] > ' ' && bytes.data[i] < 0x80 && bytes.data[i] != '&');
			t->taken_to = base + i;
			status = take_plain(t, bytes.data + from, i - from);
		}
	}
	return status < 0 ? status : 0;
}

static int end_unit(struct token_stream *t)
{
	if (!t->in_unit)
		return 0;
	t->in_unit = false;
	int status = end_reference(t);
	if (status >= 0 && t->part_len) {
		t->taken_to = t->taken_from + t->part_len;
		t->part_len = 0;
		status = take_char(t, 0xFFFD);
	}
	return status < 0 ? status : end_word(t);
}

int token_stream_run(void *state, const struct html_run *run)
{
	struct token_stream *t = state;
	t->source_end = run->offset + run->bytes.len;
	if (run->kind == HTML_TEXT && !run->skipped) {
		if (!t->in_unit)
			t->unit = run->offset;
		t->in_unit = true;
		t->white = run->space;
		return take_text(t, run->bytes);
	}
	int status = end_unit(t);
	if (status < 0)
		return status;
	if (run->kind == HTML_CODE) {
		if (run->first)
			t->tag_chars = 0;
		t->tag_chars += utf8_count(run->bytes);
	}
	return t->ops->gap ? t->ops->gap(t, run) : 0;
}

int token_stream_tag(void *state, const struct html_tag_event *event)
{
	struct token_stream *t = state;
	if (event->skipped)
		return t->ops->skipped_tag ? t->ops->skipped_tag(t, event) : 0;
	if (event->tag == HTML_TAG_SCRIPT || event->tag == HTML_TAG_STYLE || event->name.len == 0)
		return 0;
	if (!html_tag_is((enum html_tag)event->tag, TAG_INLINE)) {
		t->breaks = true;
		held_space_clear(&t->held);
	}
	if (event->tag == HTML_TAG_A)
		t->link = !event->closing;
	else if (event->tag == HTML_TAG_BODY && event->closing)
		t->link = false;
	struct token_tag tag = { .event = event, .chars = t->tag_chars, .newline = t->newline };
	t->newline = false;
	return t->ops->tag(t, &tag);
}

int token_stream_finish(struct token_stream *t)
{
	return end_unit(t);
}
