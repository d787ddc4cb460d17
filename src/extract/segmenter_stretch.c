/*
 * Stretches of markup straight into segments, 64 bytes at a time by their masks: what content_stream and segmenter, or the runs of
 * a byte scan, do together, for most of a page at a fraction of their cost. A subtraction or an addition makes what others look
 * for byte by byte: adding a bit to the run of bits that begins with it carries to the bit behind the run.
 */
#include "base/bits.h"
#include "base/status.h"
#include "extract/segmenter.h"

enum { LINES = 64 }; /* segments that are handed over together */

/* What goes from block to block, each 0 or 1. */
struct carries {
	uint64_t white, text, after_word;
};

/* Bits of `runs` from the bits of `starts` on, up to the end of their run. */
BITS_INLINE uint64_t runs_from(uint64_t runs, uint64_t starts)
{
	return runs & ~(runs + starts);
}

/*
 * What of a block counts, whose masks stand at m[0], those of the next one behind them; `code`, `next`: tags of both. Of its tags, and of its texts, white space once for each run of it. What begins a text counts before a word only; with `tags` only
 * where the last thing before it was a word, not a blank, not a tag that breaks.
 */
BITS_INLINE uint64_t block_counts(const struct byte_mask *m, uint64_t code, uint64_t next, uint64_t breaks, bool tags, struct carries *c)
{
	uint64_t white = m[0].space, word = ~(code | white), word_next = ~(next | m[1].space);
	uint64_t space = white & ~code, leading = runs_from(space, space & ((code << 1) + c->text));
	uint64_t drops = (white & ((white << 1) + c->white)) | leading;
	uint64_t before_word = leading & ((word >> 1) | (word_next << 63));
	if (tags) {
		uint64_t nothing = (drops | code) & ~breaks;
		uint64_t after_word = runs_from(nothing, nothing & ((word << 1) + c->after_word));
		before_word &= after_word;
		c->after_word = (word | after_word) >> 63;
	}
	c->text = (code | leading) >> 63;
	c->white = white >> 63;
	return ~drops | before_word;
}

/* What counts in the blocks of a stretch, one bit for each unit, and what of it is content. */
struct counts {
	uint64_t units[STRETCH_WORDS], content[STRETCH_WORDS];
};

/* `tags`: content is text (DANAg), else it is bytes above 127 (DANA). */
BITS_INLINE void count(struct stretch_text *t, bool tags, bool bytes, struct counts *n)
{
	const struct html_stretch *h = t->stretch;
	const size_t first = h->from / 64, last = (h->to - 1) / 64;
	/* what stands before the stretch: no space, or what a run says */
	struct carries c = { .text = 1, .after_word = !t->before.after_space, .white = !tags && t->before.after_space };
	const struct byte_mask *m = h->masks + first;
	for (size_t i = first; i <= last; i++, m++) {
		/* with `tags` what is void counts nothing, but parts texts as tags do */
		uint64_t code = h->code[i], voids = h->voids[i], next = h->code[i + 1];
		if (tags && voids == ~(uint64_t)0) {
			t->kept[i] = n->units[i] = n->content[i] = 0;
			c.text = 1;
			c.white = 0;
			continue;
		}
		if (tags) {
			code |= voids;
			next |= h->voids[i + 1];
		}
		uint64_t units = block_counts(m, code, next, h->breaks[i], tags, &c);
		t->kept[i] = units & ~(code | voids);
		if (tags)
			units &= ~voids;
		if (!bytes)
			units &= ~m->cont;
		n->units[i] = units;
		n->content[i] = units & (tags ? ~code : m->high);
	}
	/* what lies outside of the stretch is told as a tag's */
	n->units[first] &= ~bits_below(h->from % 64);
	n->content[first] &= ~bits_below(h->from % 64);
	n->units[last] &= ~(uint64_t)0 >> (-h->to & 63);
	n->content[last] &= ~(uint64_t)0 >> (-h->to & 63);
}

/* Where in a block a new segment may begin, from a unit on: not in the middle of a character. */
BITS_INLINE uint64_t beginnings(const struct html_stretch *h, size_t block, bool tags, uint64_t units)
{
	return units & ~(h->masks[block].cont & (tags ? ~h->code[block] : ~(uint64_t)0));
}

BITS_INLINE int cut(struct segmenter *g, bool tags, bool bytes, bool fast)
{
	const struct html_stretch *h = g->text.stretch;
	const size_t last = (h->to - 1) / 64;
	const int64_t length = (int64_t)g->length;
	int64_t used = (int64_t)g->used, content = (int64_t)g->content;
	struct chain_line lines[LINES];
	struct counts n;
	size_t ended = 0;
	count(&g->text, tags, bytes, &n);
	for (size_t block = h->from / 64; block <= last; block++) {
		uint64_t units = n.units[block];
		unsigned here = bits_count(units);
		used += here;
		content += bits_count(n.content[block]);
		while (used > length) {
			/* the first that does not fit begins a new segment */
			int64_t room = length - (used - here);
			uint64_t rest = bits_behind(units, room > 0 ? (unsigned)room : 0, fast);
			if (bytes)
				rest = beginnings(h, block, tags, rest);
			if (!rest)
				break;
			units &= -(rest & -rest);
			here = bits_count(units);
			unsigned text = bits_count(units & n.content[block]);
			used -= here;
			content -= text;
			lines[ended++] = (struct chain_line){ 2 * content - used, (uint64_t)content, block * 64 + bits_lowest(units) };
			used = here;
			content = text;
			if (ended == LINES) {
				ended = 0;
				int status = chain_selector_lines(g->chain, lines, LINES);
				if (status < 0)
					return status;
			}
		}
	}
	g->used = (uint64_t)used;
	g->content = (uint64_t)content;
	return chain_selector_lines(g->chain, lines, ended);
}

/* The usual units; all others take the common path. */
BITS_FAST static int cut_text_fast(struct segmenter *g)
{
	return cut(g, true, false, true);
}

BITS_FAST static int cut_bytes_fast(struct segmenter *g)
{
	return cut(g, false, true, true);
}

static int cut_common(struct segmenter *g, bool tags)
{
	return cut(g, tags, g->bytes, false);
}

static int stretch(struct segmenter *g, const struct html_stretch *h, const struct stretch_before *before, bool tags)
{
	const struct chain_source source = { stretch_text_write, &g->text };
	g->text.stretch = h;
	g->text.before = *before;
	g->text.after_any = !tags;
	chain_selector_source(g->chain, &source, h->from);
	bool fast = h->fast && tags != g->bytes;
	int status = !fast ? cut_common(g, tags) : tags ? cut_text_fast(g) : cut_bytes_fast(g);
	if (status < 0)
		return status;
	/* in bytes, a segment goes on to the end of its last character, and broken UTF-8 has no longest one */
	int64_t most = g->bytes ? INT64_MAX / 4 : (int64_t)g->length, more = most - (int64_t)g->used;
	return chain_selector_settle(g->chain, h->to, most, 2 * (int64_t)g->content - (int64_t)g->used + (more > 0 ? more : 0));
}

/* A blank before the very first byte belongs to the segment under way, even if that is full. */
static int first_blank(struct segmenter *g, const struct html_stretch *h, struct stretch_before *before)
{
	size_t block = h->from / 64;
	bool word = !((h->code[block] | h->voids[block] | h->masks[block].space) >> h->from % 64 & 1);
	if (!word || !before->lone_space || before->block_pending || before->after_space)
		return DANA_OK;
	before->lone_space = false;
	return buf_append_byte(chain_selector_text(g->chain), ' ');
}

int segmenter_stretch_text(struct segmenter *g, struct content_stream *s, const struct html_stretch *h)
{
	struct stretch_before before = { s->block_pending, s->after_space, s->lone_space };
	int status = first_blank(g, h, &before);
	if (status >= 0)
		status = stretch(g, h, &before, true);
	before = stretch_text_end(&g->text);
	s->block_pending = before.block_pending;
	s->after_space = before.after_space;
	s->lone_space = before.lone_space;
	return status;
}

int segmenter_stretch_bytes(struct segmenter *g, struct stretch_before *before, const struct html_stretch *h)
{
	int status = first_blank(g, h, before);
	if (status >= 0)
		status = stretch(g, h, before, false);
	*before = stretch_text_end(&g->text);
	before->after_space = false;
	return status;
}

int segmenter_code_bytes(struct segmenter *g, const struct html_run *run, bool after_space)
{
	uint64_t code[STRETCH_WORDS + 1];
	const struct html_stretch all = { .window = run->bytes.data - run->at,
					  .masks = run->masks,
					  .code = code,
					  .voids = code,
					  .breaks = code, /* not looked at: no text is kept */
					  .from = run->at,
					  .to = run->at + run->bytes.len,
					  .fast = bits_fast() };
	memset(code + all.from / 64, 0xFF, (all.to / 64 - all.from / 64 + 2) * sizeof *code);
	return stretch(g, &all, &(struct stretch_before){ .after_space = after_space }, false);
}
