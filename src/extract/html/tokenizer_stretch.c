/* SPDX-License-Identifier: MIT */
/*
 * Stretches of ordinary markup: most of a page, without a call or an unpredictable branch for each tag. In chunks of up
 * to 16 blocks of 64 bytes, first the tags are found by subtracting masks (tag_bits.h) and the places of all '<' are
 * written to an array; then the names at these places are looked up one after the other.
 *
 * Example: "</p>one<b>two</b><!--x--><style>y</style>three<title>" from after "</p>":
 *
 * The first chunk has '<' at 7, 13, 17, 25, 33 and so on. <b> and </b> are ordinary; "<!--" is not, but ends where a
 * tag would, so passage_pass marks it as void. <style> is not, and its content may only look like tags, so the part
 * ends at 25. stretch_scan takes the style, and the next part begins after it. <title> is raw, so that the stretch ends
 * after the style, the last complete item; "three" comes as a run.
 */
#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/html/tag.h"
#include "extract/html/tag_bits.h"
#include "extract/html/tokenizer_state.h"

enum {
	CHUNK = 16,        /* blocks whose tags are looked at together */
	NAME_NEAR = 2 + 8, /* "</" and what html_tag_pack_near reads */
	STOPS = TAG_NAMELESS | TAG_KEEPS_SPACE |
		TAG_RAISED, /* properties of a tag that is not ordinary, or not decided here */
};
_Static_assert(WINDOW - 1 <= UINT16_MAX, "the places of tags are of 16 bits");

/* ---- names ---- */

/* Returns properties of a name that is not in eight letters or not in the table; not ordinary: with bits of STOPS. */
static __attribute__((noinline)) unsigned name_far(const uint8_t *name, const uint8_t *end, enum html_tag *tag)
{
	if (!ascii_is_alpha(name[0]) || end - name <= HTML_TAG_NAME_MOST)
		return STOPS;
	struct html_tag_name read = html_tag_read(name);
	*tag = read.tag;
	if (read.tag != HTML_TAG_OTHER)
		return html_tag_properties[read.tag];

	if (white_space_of_tag(HTML_TAG_OTHER, slice_of(name, read.len)) == WHITE_SPACE_KEPT)
		return STOPS;
	/* quotes and '=' in a name have no meaning, but tag_bits.h takes them for those of attributes */
	for (size_t i = 0; i < read.len; i++) {
		if (name[i] == '"' || name[i] == '\'' || name[i] == '=')
			return STOPS;
	}
	return read.len == HTML_TAG_NAME_MOST ? STOPS : 0;
}

/* Properties of the tag at p[0]; not ordinary: with bits of STOPS. NAME_NEAR bytes before `end` can be read. */
BITS_INLINE unsigned name_properties(const uint8_t *p, const uint8_t *end, enum html_tag *tag, bool *closing)
{
	*closing = p[1] == '/';
	const uint8_t *name = p + 1 + *closing;
	uint64_t first;
	size_t len;
	if (!html_tag_pack_near(name, &first, &len))
		return name_far(name, end, tag);
	const struct tag_slot *slot = html_tag_slot(first);
	if (slot->first != first)
		return name_far(name, end, tag);
	*tag = (enum html_tag)slot->tag;
	return slot->properties;
}

/*
 * Marks in t->breaks which of the tags at starts[0..count) are not inline, and in t->links those of links; returns the
 * first that is not ordinary, or `count`.
 */
BITS_INLINE size_t tags_ordinary(struct html_tokenizer *t, const uint16_t *starts, size_t count)
{
	const uint8_t *const p = t->p, *const end = p + t->n; /* copies: not read again after each write */
	uint64_t *const breaks = t->breaks, *const links = t->links;
	for (size_t i = 0; i < count; i++) {
		enum html_tag tag;
		bool closing;
		size_t at = starts[i];
		unsigned properties = name_properties(p + at, end, &tag, &closing);
		if (properties & (TAG_RAW | TAG_SKIP | STOPS))
			return i;
		breaks[at / 64] |= (uint64_t)(~properties & TAG_INLINE) << at % 64;
		links[at / 64] |= (uint64_t)(properties / TAG_LINKS & 1) << at % 64;
	}
	return count;
}

/* The same inside of a skipped element, where only its end matters. */
static size_t tags_ordinary_skipped(const struct html_tokenizer *t, const uint16_t *starts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enum html_tag tag;
		bool closing;
		unsigned properties = name_properties(t->p + starts[i], t->p + t->n, &tag, &closing);
		if (properties & (TAG_RAW | STOPS) || (closing && tag == t->skip) ||
		    html_breaks_out(t->skip, tag, closing))
			return i;
	}
	return count;
}

/* ---- passages ---- */

/*
 * Comments and scripts are a large part of most pages, of which only the end matters. memchr finds it, so no masks are
 * made for their content.
 *
 * Example: in "<script>if (a<b) f()</script><p>" memchr finds the '<' of "<b)", which is not followed by '/', and then
 * the one of "</script", which opening_of_raw accepts. The passage ends after its '>', and ordinary markup continues
 * with "<p>".
 */
static size_t next_byte(const struct html_tokenizer *t, size_t from, char byte)
{
	const uint8_t *found = from < t->n ? memchr(t->p + from, byte, t->n - from) : NULL;
	return found ? (size_t)(found - t->p) : t->n;
}

/* Skips the masks of everything before p[at], which is void. */
static void masks_pass(struct html_tokenizer *t, size_t at)
{
	if (t->filled < at / 64)
		t->filled = at / 64;
}

/* Returns the '>' from p[at] on that ends the declaration, or the comment from `start` of the page on; else t->n. */
static size_t declaration_end(const struct html_tokenizer *t, size_t at, uint64_t start, bool comment)
{
	size_t i = next_byte(t, at, '>');
	while (i < t->n && comment && !comment_ends(t, start, i))
		i = next_byte(t, i + 1, '>');
	return i;
}

/* Sets *end to the byte after the tag whose name ends at p[at]; false if it is cut or its first '>' is quoted. */
static bool tag_end_near(struct html_tokenizer *t, size_t at, size_t *end)
{
	size_t gt = next_byte(t, at, '>');
	if (gt == t->n)
		return false;
	*end = gt + 1;
	if (gt == at)
		return true;
	masks_need(t, gt / 64 + 1);
	return tag_scan_plain(t, at, end) && *end == gt + 1;
}

/* Returns the '<' from p[at] on of the raw element's end tag, or of what the window cuts too early (*o); else t->n. */
static size_t raw_end(const struct html_tokenizer *t, size_t at, enum html_tag raw, struct opening *o)
{
	size_t i = at;
	for (; (i = next_byte(t, i, '<')) < t->n; i++) {
		if (i + 1 < t->n && t->p[i + 1] != '/')
			continue;
		*o = opening_of_raw(opening_bytes(t, i), raw);
		if (o->kind != OPENS_NOTHING)
			break;
	}
	return i;
}

struct passage {
	size_t end;   /* the byte after its '>' in the window */
	bool is_void; /* not part of the visible page; otherwise code */
	uint8_t skip; /* the element whose content is skipped after it, or HTML_TAG_OTHER */
};

/* Returns whether the tag before p[end] begins or ends a skipped element; *skip: the one that is skipped after it. */
static bool tag_skips(const struct html_tokenizer *t, const struct opening *o, size_t end, uint8_t *skip)
{
	const enum html_tag tag = o->name.tag;
	*skip = HTML_TAG_OTHER;
	if (t->skip != HTML_TAG_OTHER)
		return o->closing && tag == t->skip;
	if (tag == HTML_TAG_MATH && t->handler.formulas)
		return false;
	if (!o->closing && t->p[end - 2] != '/')
		*skip = (uint8_t)tag;
	return html_tag_is(tag, TAG_SKIP);
}

static bool tag_passage(struct html_tokenizer *t, size_t at, const struct opening *o, struct passage *passage)
{
	enum html_tag tag = o->name.tag;
	bool script = html_is_script(tag);
	if (html_breaks_out(t->skip, tag, o->closing) || (html_tag_is(tag, TAG_RAW) && !script) ||
	    !tag_end_near(t, at + o->len, &passage->end))
		return false;
	if (!script)
		return tag_skips(t, o, passage->end, &passage->skip);
	if (o->closing)
		return true;
	const struct slice source = slice_first(slice_of(t->p + at, passage->end - at), HTML_TAG_BYTES);
	if (t->handler.formulas && t->skip == HTML_TAG_OTHER && formula_mathjax_likely(source))
		return false;
	/* to the byte after the script or style */
	struct opening end;
	size_t i = raw_end(t, passage->end, tag, &end);
	if (i == t->n || end.kind != OPENS_TAG)
		return false;
	const size_t filled = t->filled;
	masks_pass(t, i);
	if (tag_end_near(t, i + end.len, &passage->end))
		return true;
	t->filled = filled; /* the content is not void yet: what scans it now needs its masks */
	return false;
}

/* Finds the passage that begins at p[at]. Returns false if none does. */
static bool passage_find(struct html_tokenizer *t, size_t at, struct passage *passage)
{
	struct opening o = opening_of(opening_bytes(t, at));
	*passage = (struct passage){ .is_void = true, .skip = t->skip };
	if (o.kind == OPENS_UNKNOWN || o.kind == OPENS_NOTHING)
		return false;
	if (o.kind == OPENS_TAG)
		return tag_passage(t, at, &o, passage);
	size_t gt = declaration_end(t, at, t->base + at, o.kind == OPENS_COMMENT);
	passage->is_void = o.kind == OPENS_COMMENT || t->skip != HTML_TAG_OTHER;
	passage->end = gt + 1;
	if (gt == t->n)
		return false;
	if (passage->is_void)
		masks_pass(t, passage->end);
	else
		masks_need(t, gt / 64 + 1);
	return true;
}

/*
 * Marks p[from..to), which is not empty, as `code`, as `voids`, or as neither. Bits of what precedes it are kept; later
 * ones of its last block may be anything.
 */
static void mark(struct html_tokenizer *t, size_t from, size_t to, bool is_code, bool is_void)
{
	const uint64_t kept = bits_below(from % 64), code = is_code ? ~(uint64_t)0 : 0,
		       voids = is_void ? ~(uint64_t)0 : 0;
	size_t block = from / 64;
	t->code[block] = (t->code[block] & kept) | (code & ~kept);
	t->breaks[block] &= kept;
	t->links[block] &= kept;
	t->starts[block] = (t->starts[block] & kept) | (code & 1) << from % 64;
	t->voids[block] = (t->voids[block] & kept) | (voids & ~kept);
	for (size_t last = (to - 1) / 64; block++ < last;) {
		t->code[block] = code;
		t->breaks[block] = t->links[block] = t->starts[block] = 0;
		t->voids[block] = voids;
	}
}

/*
 * Returns the '<' of what seems to be a comment, script or style after p[at], with nothing but white space between;
 * t->n if something else follows. They often follow each other, and to look for tags between them would cost more than
 * to take them.
 */
static size_t passage_near(struct html_tokenizer *t, size_t at)
{
	while (at < t->n && ascii_is_space(t->p[at]))
		at++;
	if (t->n - at < OPENING_MOST || t->p[at] != '<')
		return t->n;
	const uint8_t *name = t->p + at + 1;
	const uint8_t last = ascii_lower(name[2]);
	const bool named = ascii_lower(name[0]) == 's' && (last == 'r' || last == 'y'); /* <script> or <style> */
	if (name[0] != '!' && !named)
		return t->n;
	masks_need(t, at / 64 + 1); /* of the white space, which is text */
	return at;
}

/* Marks p[from..to) as void, or as not. */
static void mark_void(struct html_tokenizer *t, size_t from, size_t to, bool is_void)
{
	for (size_t block = from / 64; block * 64 < to; block++) {
		uint64_t bits = mask_range(from > block * 64 ? from - block * 64 : 0, to - block * 64);
		t->voids[block] = is_void ? t->voids[block] | bits : t->voids[block] & ~bits;
	}
}

/*
 * Takes a comment, or a tag that begins or ends a skipped element, among tags that were found as if all were ordinary,
 * up to p[end], if they hold nevertheless; marks it in t->voids, with all that is skipped after it. `next`: the '<' of
 * the next tag, or `end`. Returns false if it is not taken.
 *
 * Example: in "<b><!-- a --></b>" the comment was taken for a tag, and </b> was found after it. That would be wrong for
 * <!-- a> -->, whose first '>' does not end it, and for <!-- a="> -->, where the '>' was taken for a quoted one.
 */
static bool passage_pass(struct html_tokenizer *t, size_t at, size_t next, size_t end)
{
	const uint8_t *found = memchr(t->p + at, '>', (next < t->n ? next : t->n) - at);
	const size_t gt = found ? (size_t)(found - t->p) : next;
	if (gt + 1 >= end || gt == next || (gt + 1 < next && t->code[(gt + 1) / 64] >> (gt + 1) % 64 & 1))
		return false;

	const struct opening o = opening_of(opening_bytes(t, at));
	uint8_t skip = t->skip;
	if (o.kind == OPENS_COMMENT) {
		if (!comment_ends(t, t->base + at, gt))
			return false;
	} else if (o.kind != OPENS_TAG || html_tag_is(o.name.tag, TAG_RAW) ||
		   html_breaks_out(t->skip, o.name.tag, o.closing) || !tag_skips(t, &o, gt + 1, &skip)) {
		return false;
	}

	if (t->skip == HTML_TAG_OTHER)
		mark_void(t, at, skip == HTML_TAG_OTHER ? gt + 1 : end, true);
	else if (skip == HTML_TAG_OTHER)
		mark_void(t, gt + 1, end, false);
	t->skip = skip;
	return true;
}

int html_step_void(struct html_tokenizer *t)
{
	const size_t from = t->at;
	if (t->state == STATE_COMMENT) {
		const size_t gt = declaration_end(t, from, t->start, true);
		t->at = gt < t->n ? gt + 1 : t->n;
		t->state = gt < t->n ? STATE_TEXT : STATE_COMMENT;
		t->source.len = 0;
	} else if (t->state == STATE_RAW && html_is_script(t->raw)) {
		/* up to and including its end tag, or up to bytes that may begin one */
		struct opening o;
		size_t end;
		t->at = raw_end(t, from, t->raw, &o);
		masks_pass(t, t->at);
		if (t->at < t->n && o.kind == OPENS_TAG && tag_end_near(t, t->at + o.len, &end)) {
			t->at = end;
			t->raw = HTML_TAG_OTHER;
			t->state = STATE_TEXT;
		}
	}
	if (t->at == from)
		return 0;
	masks_pass(t, t->at);
	return html_run_window(t, HTML_HIDDEN, from, t->at);
}

/* ---- ordinary markup ---- */

/*
 * Writes the place of each set bit to `to`, for block number `block`; returns their number. It always writes at least
 * two entries, used or not: few blocks have more tags, and a loop whose length the processor cannot predict costs more
 * than that.
 */
BITS_INLINE size_t bits_spread(uint16_t *to, size_t block, uint64_t bits)
{
	const uint64_t top = (uint64_t)1 << 63;
	size_t count = bits_count(bits), at = block * 64;
	to[0] = (uint16_t)(at + bits_lowest(bits | top));
	bits &= bits - 1;
	to[1] = (uint16_t)(at + bits_lowest(bits | top));
	bits &= bits - 1;
	for (size_t i = 2; bits; bits &= bits - 1)
		to[i++] = (uint16_t)(at + bits_lowest(bits));
	return count;
}

/*
 * Returns the first word in the blocks from..to that begins in the middle of a character; `end` if no such word
 * precedes it. The current part of the stretch begins at p[at].
 */
static size_t torn_word(const struct html_tokenizer *t, size_t at, size_t from, size_t to, size_t end)
{
	uint64_t word = from > at / 64 ? (t->code[from - 1] | t->masks[from - 1].space) >> 63 : (uint64_t)1 << at % 64;
	for (; from < to; from++) {
		uint64_t before = t->code[from] | t->masks[from].space,
			 torn = t->masks[from].cont & ~t->code[from] & (before << 1 | word);
		if (torn)
			return from * 64 + bits_lowest(torn) < end ? from * 64 + bits_lowest(torn) : end;
		word = before >> 63;
	}
	return end;
}

/* Finds the tags of a block that is irregular, or regular with '\'' for quotes. */
static __attribute__((noinline)) struct tag_bits odd_bits(const struct html_tokenizer *t, size_t block,
							  struct tag_state *s)
{
	struct tag_bits bits;
	if ((s->single || !s->quoted) && tag_bits_regular(&t->masks[block], true, s, &bits))
		s->single = s->quoted;
	else
		bits = tag_bits_walk(t->p, block * 64, &t->masks[block], s);
	return bits;
}

/*
 * Returns the '<' of the first tag before p[scanned] and p[stop] whose style keeps white space, or `stop`. `starts`:
 * the '<' of the tags in the last blocks; `last`: that of the last tag before them.
 */
static size_t styled_tag(struct html_tokenizer *t, const uint16_t *starts, size_t count, size_t last, size_t scanned,
			 size_t stop)
{
	for (size_t at = t->styled; at < scanned && at < stop; at = html_next_styled(t, at + 1)) {
		if (!(t->code[at / 64] >> at % 64 & 1))
			continue;
		while (count && starts[count - 1] > at)
			count--;
		return count ? starts[count - 1] : last;
	}
	return stop;
}

/*
 * Returns where a part must end. Where white space is kept, a tag that changes it ends the part, which is known only
 * after all of the part is scanned; so little is scanned at once.
 */
static size_t part_limit(const struct html_tokenizer *t, size_t at)
{
	size_t most = (at / 64 + CHUNK) * 64;
	return t->white.len && most < t->n ? most : t->n;
}

/*
 * Finds the tags of blocks [from, to) and fills t->code, t->starts, t->breaks, t->links and t->voids. Returns the
 * number of tags, whose '<' are in `starts`; *inner: bits of the bytes in the middle of characters, all blocks joined.
 */
BITS_INLINE size_t blocks_scan(struct html_tokenizer *t, size_t from, size_t to, uint16_t *starts, struct tag_state *s,
			       uint64_t *inner)
{
	const uint64_t voids = t->skip == HTML_TAG_OTHER ? 0 : ~(uint64_t)0;
	size_t count = 0;
	masks_need(t, to);
	for (size_t block = from; block < to; block++) {
		const struct byte_mask *m = &t->masks[block];
		struct tag_bits bits;
		if (s->single || !tag_bits_regular(m, false, s, &bits)) {
			struct tag_state copy = *s; /* so that the compiler keeps *s in registers */
			bits = odd_bits(t, block, &copy);
			*s = copy;
		}
		t->code[block] = bits.code;
		t->starts[block] = bits.starts;
		t->breaks[block] = t->links[block] = 0;
		t->voids[block] = voids;
		count += bits_spread(starts + count, block, bits.starts);
		*inner |= m->cont;
	}
	return count;
}

/*
 * Returns how many of the tags, the first ones, belong to the part; those too near to the window's end for
 * name_properties come as runs. `passes`: passages that do not disturb the tags, which end before p[end], belong to it.
 */
BITS_INLINE size_t tags_take(struct html_tokenizer *t, const uint16_t *starts, size_t count, bool passes, size_t end)
{
	while (count && starts[count - 1] + (size_t)NAME_NEAR > t->n)
		count--;
	for (size_t i = 0;; i++) {
		const uint16_t *rest = starts + i;
		i += t->skip == HTML_TAG_OTHER ? tags_ordinary(t, rest, count - i)
					       : tags_ordinary_skipped(t, rest, count - i);
		if (i == count || !passes || !passage_pass(t, starts[i], i + 1 < count ? starts[i + 1] : end, end))
			return i;
	}
}

/*
 * Scans ordinary markup from p[at] on, which follows a tag or comment, and fills t->code and the like.
 * Returns where something else begins, or t->n; *end: where the last tag before that ends. A word that begins in the
 * middle of a character (damaged UTF-8) also counts as something else: the methods decide by runs which segment such
 * bytes belong to.
 */
BITS_INLINE size_t part_scan(struct html_tokenizer *t, size_t at, size_t *end)
{
	NOT_ZEROED uint16_t starts[CHUNK * 64 + 4];
	struct tag_state s = { 0 };
	const size_t limit = part_limit(t, at), blocks = (limit + 63) / 64;
	const bool styled = t->handler.white_space && html_next_styled(t, at) < limit,
		   styles = styled && t->skip == HTML_TAG_OTHER, passes = !styled && !t->white.len;
	size_t last = limit, stop = limit;

	/* what precedes p[at] in its block must not change; its masks then have no tags before p[at] */
	const size_t first = at / 64;
	const uint64_t mask = bits_below(at % 64), code = t->code[first] & mask, breaks = t->breaks[first] & mask,
		       starts_before = t->starts[first] & mask, links = t->links[first] & mask,
		       voids = t->voids[first] & mask;
	masks_need(t, first + 1);
	t->masks[first].lt &= ~mask;
	t->masks[first].gt &= ~mask;

	/* one block at first, then twice as many each time: the part may end after a few tags */
	for (size_t from = first, step = 1, to; from < blocks; from = to, step = step < CHUNK ? 2 * step : CHUNK) {
		uint64_t inner = 0;
		to = from + step < blocks ? from + step : blocks;
		const size_t count = blocks_scan(t, from, to, starts, &s, &inner);
		if (from == first) {
			t->code[first] |= code;
			t->breaks[first] |= breaks;
			t->starts[first] |= starts_before;
			t->links[first] |= links;
			t->voids[first] = (t->voids[first] & ~mask) | voids;
		}
		const size_t torn = inner ? torn_word(t, at, from, to, limit) : limit;
		size_t before_torn = count;
		while (before_torn && starts[before_torn - 1] >= torn)
			before_torn--;
		const size_t good = tags_take(t, starts, before_torn, passes, to * 64);
		stop = good < before_torn ? starts[good] : torn;
		if (styles)
			stop = styled_tag(t, starts, count, last, to * 64, stop);
		if (stop < limit)
			break;
		last = count ? starts[count - 1] : last;
	}
	/* where the last tag that begins in the part ends; p[at] if there is none */
	const size_t before = stop < limit || !s.open ? stop : last;
	size_t block = before / 64;
	uint64_t tags = t->code[block] & bits_below(before % 64);
	while (!tags && block > first)
		tags = t->code[--block];
	*end = tags ? block * 64 + bits_highest(tags) + 1 : at;
	*end = *end > at ? *end : at;
	return stop < limit ? stop : t->n;
}

BITS_FAST static size_t part_scan_fast(struct html_tokenizer *t, size_t at, size_t *end)
{
	return part_scan(t, at, end);
}

/* Returns the end of the stretch that begins at t->at, after a tag or comment; t->at if there is no stretch. */
static size_t stretch_scan(struct html_tokenizer *t)
{
	for (size_t at = t->at;;) {
		size_t end, stop = t->fast ? part_scan_fast(t, at, &end) : part_scan(t, at, &end);
		if (t->white.len && t->skip == HTML_TAG_OTHER && end > at) {
			size_t followed = html_space_follow(t, at, end);
			if (followed < end)
				return followed;
		}
		if (stop == t->n && part_limit(t, at) < t->n && end > at) {
			at = end; /* the part ended at its limit */
			continue;
		}
		if (stop + NAME_NEAR > t->n || t->p[stop] != '<')
			return end;

		/* the comment, declaration, script or style there, or a tag that begins or ends a skipped element, if
		 * the window holds all of it and it needs no event of its own; then those that follow with nothing but
		 * white space between */
		struct passage passage;
		at = stop;
		for (size_t next = at; next < t->n && passage_find(t, next, &passage); next = passage_near(t, at)) {
			if (next > at)
				mark(t, at, next, false, t->skip != HTML_TAG_OTHER);
			mark(t, next, passage.end, true, passage.is_void);
			t->skip = passage.skip;
			at = passage.end;
		}
		if (at == stop)
			return end;
		if (at == t->n)
			return at;
	}
}

int html_step_stretch(struct html_tokenizer *t)
{
	size_t from = t->at, to = stretch_scan(t);
	if (to == from)
		return 0;

	/* bytes outside of the stretch count as code, so that they are never taken for text */
	uint64_t *const bits[] = { t->voids, t->breaks, t->starts, t->links };
	t->code[from / 64] |= bits_below(from % 64);
	t->code[to / 64] |= ~bits_below(to % 64);
	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
		bits[i][from / 64] &= ~bits_below(from % 64);
		bits[i][to / 64] &= bits_below(to % 64);
	}
	t->at = to;
	const struct html_stretch stretch = { .window = t->p,
					      .masks = t->masks,
					      .code = t->code,
					      .breaks = t->breaks,
					      .voids = t->voids,
					      .starts = t->starts,
					      .links = t->links,
					      .from = from,
					      .to = to,
					      .base = t->base,
					      .space = t->white.now,
					      .fast = t->fast };
	return t->handler.stretch(t->handler.arg, &stretch);
}
