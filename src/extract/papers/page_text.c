/* SPDX-License-Identifier: MIT */
/*
 * The text of a page for methods that count words and tags: the open text, the best one so far, and cuts at their ends.
 *
 * Words arrive one by one, each with what precedes it (nothing, a space, a line break, or white space that the page
 * keeps), and are appended. Example: "a", " b", line break "c" give "a b" LF "c". A cut removes words from the end: the
 * next word then begins a new line.
 * When the open text of a method is better than the best one so far, both are swapped, so that no text is copied.
 */
#include "extract/papers/page_text.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "extract/method.h"
#include "extract/text_writer.h"

/*
 * Characters become words as they arrive, whatever the pieces: an open word, an open character reference and an open
 * UTF-8 character are kept until they are complete. Example: the pieces "fish &am" and "p; ch" give the word "fish" at
 * once, then "&" when the space after the reference comes; "ch" stays open.
 *
 * Stretches of ASCII without white space and '&' take a fast path (take_plain); everything else is read character by
 * character.
 */

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

/* True for white space of any kind, including no-break space. */
static bool token_char_is_space(uint32_t c)
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

int token_stream_finish(struct token_stream *t)
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
		const uint64_t base = t->source_end - run->bytes.len;
		int status = 0;
		for (size_t i = 0; i < run->bytes.len && status >= 0;) {
			uint8_t c = run->bytes.data[i];
			if (!t->reference_len && !t->part_len)
				t->taken_from = base + i;
			if (t->reference_len) {
				if (t->reference_len < sizeof(t->reference) &&
				    (ascii_is_alpha(c) || ascii_is_digit(c) || c == ';' ||
				     (c == '#' && t->reference_len == 1))) {
					t->reference[t->reference_len++] = c;
					t->taken_to = base + ++i;
					if (c != ';')
						continue;
				}
				status = end_reference(t);
			} else if (t->part_len) {
				status = take_part(t, c);
				i += status == 0;
			} else if (c >= 0x80) {
				const struct slice rest = slice_skip(run->bytes, i);
				uint32_t character;
				const size_t good = utf8_decode(rest, &character);
				t->taken_to = t->taken_from + good;
				i += good;
				if (good == rest.len && rest.len < utf8_length(c)) {
					memcpy(t->part, rest.data, rest.len);
					t->part_len = rest.len;
				} else {
					status = take_char(t, character);
				}
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
				while (i < run->bytes.len && run->bytes.data[i] > ' ' && run->bytes.data[i] < 0x80 &&
				       run->bytes.data[i] != '&');
				t->taken_to = base + i;
				status = take_plain(t, run->bytes.data + from, i - from);
			}
		}
		return status < 0 ? status : 0;
	}
	int status = token_stream_finish(t);
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
	return t->ops->tag ? t->ops->tag(t, &tag) : 0;
}

void page_text_reset(struct page_text *p)
{
	buf_shrink(&p->buf, PAGE_KEEPS);
	buf_shrink(&p->places, PAGE_KEEPS);
	p->truncated = p->breaks = p->space = false;
}

static struct page_place *places(const struct page_text *p, size_t *count)
{
	*count = p->places.len / sizeof(struct page_place);
	return (struct page_place *)(void *)p->places.data;
}

/* Notes a word at the end of the text; dropped words next to each other are one place. */
static int note(struct page_text *p, const struct token_word *word, bool dropped)
{
	size_t count;
	const struct page_place *all = places(p, &count);
	const struct page_place place = { word->before, word->from, (uint32_t)p->buf.len, dropped };
	p->last = word->to;
	if (!p->spans || (dropped && count && all[count - 1].dropped))
		return 0;
	p->end = dropped ? p->end : word->to;
	return buf_append(&p->places, &place, sizeof(place));
}

int page_text_add(struct page_text *p, const struct token_word *word)
{
	bool breaks = word->breaks || p->breaks, space = (word->space || p->space) && !word->white.len;
	const bool line = word->newline && !p->space;
	if (p->truncated || p->max - p->buf.len < word->white.len + word->text.len + 1) {
		p->truncated = true;
		return note(p, word, true);
	}
	p->breaks = p->space = false;
	int status = note(p, word, false);
	if (status >= 0 && p->buf.len && (breaks || space))
		status = buf_append_byte(&p->buf, breaks ? '\n' : line ? TEXT_LINE : ' ');
	if (status >= 0)
		status = buf_append(&p->buf, word->white.data, word->white.len);
	return status < 0 ? status : buf_append(&p->buf, word->text.data, word->text.len);
}

int page_text_pass(struct page_text *p, const struct token_word *word)
{
	p->breaks |= word->breaks || (word->white.len && word->white.data[0] == '\n');
	p->space = true;
	return note(p, word, true);
}

void page_text_cut(struct page_text *p, size_t len)
{
	size_t count;
	struct page_place *all = places(p, &count);
	if (len >= p->buf.len)
		return;
	p->buf.len = len;
	p->breaks = true;
	size_t left = count;
	while (left && all[left - 1].text >= len)
		left--;
	if (left == count)
		return;
	/* all of them are one place, at the first word that is taken off */
	all[left].dropped = true;
	p->places.len = (left + !(left && all[left - 1].dropped)) * sizeof(*all);
}

int page_text_write(const struct page_text *p, size_t from, size_t to, struct text_writer *out)
{
	int status = text_writer_plain(out, slice_of(p->buf.data + from, to - from));
	if (p->truncated)
		out->truncated = true;
	/* the words of the text: from the word before the first of them to the word after the last */
	size_t count = 0;
	const struct page_place *all = p->spans ? places(p, &count) : NULL;
	size_t i = 0; /* the first place whose text begins at `from` or after it */
	for (size_t left = count; left;) {
		const size_t half = left / 2, next = all[i + half].text < from ? half + 1 : 0;
		i += next;
		left = next ? left - next : half;
	}
	for (size_t next; i < count && all[i].text < to && status >= 0; i = next) {
		next = i + 1;
		if (all[i].dropped)
			continue;
		while (next < count && all[next].text < to && !all[next].dropped)
			next++;
		const bool last = next == count;
		status = span_list_keep(p->spans, all[i].before, last ? p->end : all[next].from);
		if (status >= 0 && !last)
			status = span_list_drop_rest(p->spans, p->last);
	}
	return status < 0 ? status : text_writer_break(out);
}

static void free_text(struct page_text *p)
{
	buf_free(&p->buf);
	buf_free(&p->places);
}

int paper_init(struct paper *p, const struct method_env *env, const struct token_stream_ops *ops)
{
	const size_t max = env ? env->max_text : 0;
	p->text.max = max == 0 ? (size_t)8 << 20 : max > UINT32_MAX - 1 ? UINT32_MAX - 1 : max;
	p->text.spans = env ? env->spans : NULL;
	p->best = p->text;
	p->trace = env ? env->trace : NULL;
	p->work = env ? env->work : NULL;
	token_stream_reset(&p->stream, ops);
	return DANA_OK;
}

void paper_reset(struct paper *p)
{
	token_stream_reset(&p->stream, p->stream.ops);
	page_text_reset(&p->text);
	page_text_reset(&p->best);
}

void paper_keep(struct paper *p, size_t len)
{
	struct page_text worse = p->best;
	page_text_cut(&p->text, len);
	p->best = p->text;
	p->text = worse;
	page_text_reset(&p->text);
}

int paper_write_best(const struct paper *p, struct text_writer *out)
{
	return page_text_write(&p->best, 0, p->best.buf.len, out);
}

void paper_number(const struct paper *p, const char *name, double value)
{
	if (p->trace && p->trace->number)
		p->trace->number(p->trace->arg, name, value);
}

void paper_tell(const struct paper *p, size_t from, size_t to, bool kept, double value, const char *reason)
{
	if (p->trace && p->trace->block)
		p->trace->block(p->trace->arg, slice_of(p->text.buf.data + from, to - from), kept, value, reason, "");
}

void paper_free(void *state)
{
	struct paper *p = state;
	free_text(&p->text);
	free_text(&p->best);
}

/*
 * The amount of text, or of link text inside of links, is the number of its characters. Tags weigh as many characters
 * as they have in the source; pictures, form fields and items of lists and tables weigh a fixed amount more. Example:
 * `<li><a href=x>News</a>` has 4 of link text, and for other things 4 + 10 + 4 for the tags and 40 for the item.
 */

void block_shape_add_word(struct block_shape *b, const struct token_word *word)
{
	if (word->link)
		b->link += word->chars;
	else
		b->text += word->chars;
}

/* The weight of a start tag besides its characters (doc/METHODS.md). */
static const uint8_t weights[HTML_TAGS_COUNT] = {
	[HTML_TAG_IMG] = 100, [HTML_TAG_INPUT] = 100, [HTML_TAG_BUTTON] = 100,
	[HTML_TAG_LI] = 40,   [HTML_TAG_TD] = 40,     [HTML_TAG_TH] = 40,
};

/* The start tag belongs to the block that it begins, the end tag to the block that it ends. */
int block_shape_add_tag(struct block_shape *b, const struct token_tag *tag, int (*end)(void *arg), void *arg)
{
	static const bool divides[HTML_TAGS_COUNT] = {
		[HTML_TAG_TABLE] = true, [HTML_TAG_TR] = true, [HTML_TAG_P] = true,   [HTML_TAG_HR] = true,
		[HTML_TAG_UL] = true,    [HTML_TAG_OL] = true, [HTML_TAG_DIV] = true, [HTML_TAG_BLOCKQUOTE] = true,
	};
	const enum html_tag of = (enum html_tag)tag->event->tag;
	bool ends = divides[of] || html_tag_is(of, TAG_HEADING), closing = tag->event->closing;
	int status = ends && !closing ? end(arg) : 0;
	b->other += tag->chars;
	if (!closing)
		b->other += weights[tag->event->tag];
	return ends && closing ? end(arg) : status;
}

/*
 * Lloyd's algorithm: each point belongs to the nearest centre, then each centre moves to the mean of its points, until
 * no centre moves or the rounds are used up. A function returns the points in each round, so that methods need no array
 * of doubles.
 */

unsigned kmeans_nearest(const struct kmeans *k, const double at[KMEANS_DIMENSIONS])
{
	unsigned nearest = 0;
	double least = 0;
	for (unsigned c = 0; c < KMEANS_CLUSTERS; c++) {
		double distance = 0;
		for (unsigned d = 0; d < k->dimensions; d++)
			distance += (at[d] - k->centre[c][d]) * (at[d] - k->centre[c][d]);
		if (c == 0 || distance < least) {
			least = distance;
			nearest = c;
		}
	}
	return nearest;
}

int kmeans_run(struct kmeans *k, size_t points, kmeans_point point, const void *arg, struct work *work)
{
	int status = DANA_OK;
	bool moved = true;
	for (unsigned round = 0; round < k->rounds && moved && status == DANA_OK; round++) {
		status = work_add(work, points, work->bytes);
		double sum[KMEANS_CLUSTERS][KMEANS_DIMENSIONS] = { { 0 } };
		size_t count[KMEANS_CLUSTERS] = { 0 };
		moved = false;
		if (status < 0)
			break;
		for (size_t i = 0; i < points; i++) {
			double at[KMEANS_DIMENSIONS] = { 0 };
			point(arg, i, at);
			unsigned c = kmeans_nearest(k, at);
			count[c]++;
			for (unsigned d = 0; d < k->dimensions; d++)
				sum[c][d] += at[d];
		}
		for (unsigned c = k->first_is_fixed ? 1 : 0; c < KMEANS_CLUSTERS; c++) {
			for (unsigned d = 0; d < k->dimensions && count[c]; d++) {
				double mean = sum[c][d] / (double)count[c];
				/* exact comparison is safe: a centre whose points did not change has the same sum and
				 * count */
				moved |= mean < k->centre[c][d] || mean > k->centre[c][d];
				k->centre[c][d] = mean;
			}
		}
	}
	return status;
}
