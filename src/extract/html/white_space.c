/* SPDX-License-Identifier: MIT */
/*
 * Example: in <pre>a<p style="white-space: pre-line">b</pre>c the text "a" is kept, "b" keeps its line ends, as </pre>
 * ends both elements, and "c" collapses.
 */
#include "extract/html/white_space.h"

#include <string.h>

#include "base/ascii.h"
#include "base/cpu.h"

enum { DASH = 5 }; /* of "white-space" */

static bool in_name(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || c == '-' || c == '_' || c >= 0x80;
}

/* Returns the value if `s` begins with a `white-space` property, otherwise WHITE_SPACE_INHERITED. */
static enum white_space property(struct slice s)
{
	static const struct {
		const char *name;
		enum white_space space;
	} values[] = { { "normal", WHITE_SPACE_COLLAPSES },  { "nowrap", WHITE_SPACE_COLLAPSES },
		       { "pre", WHITE_SPACE_KEPT },          { "pre-wrap", WHITE_SPACE_KEPT },
		       { "break-spaces", WHITE_SPACE_KEPT }, { "pre-line", WHITE_SPACE_LINES } };
	static const char name[] = "white-space";
	size_t at = sizeof(name) - 1, len = 0;
	if (s.len <= at || (s.data[0] | 0x20) != name[0] || !slice_is(slice_first(s, at), name))
		return WHITE_SPACE_INHERITED;
	while (at < s.len && ascii_is_space(s.data[at]))
		at++;
	if (at == s.len || s.data[at++] != ':')
		return WHITE_SPACE_INHERITED;
	while (at < s.len && ascii_is_space(s.data[at]))
		at++;
	s = slice_skip(s, at);
	while (len < s.len && in_name(s.data[len]))
		len++;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (slice_is(slice_first(s, len), values[i].name))
			return values[i].space;
	}
	return WHITE_SPACE_INHERITED;
}

static bool keeps(const uint8_t *p, size_t at, size_t len)
{
	enum white_space space = property(slice_of(p + at, len - at));
	return space == WHITE_SPACE_KEPT || space == WHITE_SPACE_LINES;
}

/* Looks for the dashes, of which a page has few. */
static size_t find_plain(const uint8_t *p, size_t from, size_t to, size_t len)
{
	size_t end = to + DASH < len ? to + DASH : len;
	for (size_t i = from + DASH; i < end; i++) {
		const uint8_t *dash = memchr(p + i, '-', end - i);
		if (!dash)
			break;
		i = (size_t)(dash - p);
		if (keeps(p, i - DASH, len))
			return i - DASH;
	}
	return to;
}

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

enum { LANES = 32, STEP = 8 * LANES };

/* Compares with "w....-" at each of LANES bytes from p on. */
CPU_TARGET_AVX2 static inline __m256i name_like(const uint8_t *p)
{
	__m256i first, dash;
	memcpy(&first, p, sizeof(first));
	memcpy(&dash, p + DASH, sizeof(dash));
	first = _mm256_or_si256(first, _mm256_set1_epi8(0x20)); /* upper case to lower case */
	return _mm256_and_si256(_mm256_cmpeq_epi8(first, _mm256_set1_epi8('w')),
				_mm256_cmpeq_epi8(dash, _mm256_set1_epi8('-')));
}

CPU_TARGET_AVX2 static inline __m256i name_like_4(const uint8_t *p)
{
	return _mm256_or_si256(_mm256_or_si256(name_like(p), name_like(p + LANES)),
			       _mm256_or_si256(name_like(p + 2 * LANES), name_like(p + 3 * LANES)));
}

/* Skips steps in which nothing looks like the name; what looks like it, and the rest, is searched lane by lane. */
CPU_TARGET_AVX2 static size_t find_avx2(const uint8_t *p, size_t from, size_t to, size_t len)
{
	while (from < to && len - from >= LANES + DASH) {
		const bool whole = len - from >= STEP + DASH;
		const size_t stop = from + (whole ? STEP : LANES);
		if (whole &&
		    !_mm256_movemask_epi8(_mm256_or_si256(name_like_4(p + from), name_like_4(p + from + STEP / 2))))
			from = stop;
		for (; from < stop; from += LANES) {
			uint32_t bits = (uint32_t)_mm256_movemask_epi8(name_like(p + from));
			for (; bits; bits &= bits - 1) {
				const size_t at = from + (size_t)__builtin_ctz(bits);
				if (keeps(p, at, len))
					return at < to ? at : to;
			}
		}
	}
	return from < to ? find_plain(p, from, to, len) : to;
}
#endif

size_t white_space_find(const uint8_t *p, size_t from, size_t to, size_t len)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return find_avx2(p, from, to, len);
#endif
	return find_plain(p, from, to, len);
}

/* Looks only at hyphens, of which the property's name has one: memchr skips nearly all declarations. */
enum white_space white_space_of_style(struct slice style)
{
	enum white_space space = WHITE_SPACE_INHERITED;
	const uint8_t *hyphen;
	for (size_t from = DASH; from < style.len; from = (size_t)(hyphen - style.data) + 1) {
		hyphen = memchr(style.data + from, '-', style.len - from);
		if (!hyphen)
			break;
		size_t at = (size_t)(hyphen - style.data) - DASH;
		enum white_space value = property(slice_skip(style, at));
		if (value != WHITE_SPACE_INHERITED && !(at && in_name(style.data[at - 1])))
			space = value;
	}
	return space;
}

enum white_space white_space_of_tag(enum html_tag tag, struct slice name)
{
	if (!html_tag_is(tag, TAG_KEEPS_SPACE))
		return WHITE_SPACE_INHERITED;
	bool keeps = tag != HTML_TAG_OTHER || slice_is(name, "listing") || slice_is(name, "plaintext");
	return keeps ? WHITE_SPACE_KEPT : WHITE_SPACE_INHERITED;
}

static void cut(struct white_space_state *s, unsigned len)
{
	s->len = (uint8_t)len;
	s->deeper = 0;
	s->now = len ? s->open[len - 1].space : WHITE_SPACE_COLLAPSES;
}

static bool is_block(enum html_tag tag)
{
	return tag != HTML_TAG_OTHER && !html_tag_is(tag, TAG_INLINE);
}

/* Groups of tags: a start tag of one ends open elements of its group, unless the element around it is nearer. */
static const struct {
	uint8_t tag, alike, outer;
} implied[] = {
	{ HTML_TAG_LI, HTML_TAG_LI, HTML_TAG_UL },
	{ HTML_TAG_DT, HTML_TAG_DD, HTML_TAG_DL },
	{ HTML_TAG_DD, HTML_TAG_DT, HTML_TAG_DL },
	{ HTML_TAG_TD, HTML_TAG_TH, HTML_TAG_TABLE },
	{ HTML_TAG_TH, HTML_TAG_TD, HTML_TAG_TABLE },
	{ HTML_TAG_TR, HTML_TAG_TR, HTML_TAG_TABLE },
	{ HTML_TAG_OPTION, HTML_TAG_OPTION, HTML_TAG_OPTGROUP },
};

/* Ends the elements that a start tag closes by implication. */
static void imply(struct white_space_state *s, enum html_tag tag)
{
	if (!is_block(tag))
		return;
	unsigned i = s->len;
	while (i && !is_block(s->open[i - 1].tag))
		i--;
	if (i && s->open[i - 1].tag == HTML_TAG_P && !html_tag_is(tag, TAG_VOID))
		cut(s, i - 1);
	size_t row = 0;
	while (row < sizeof(implied) / sizeof(implied[0]) && implied[row].tag != tag)
		row++;
	if (row == sizeof(implied) / sizeof(implied[0]))
		return;
	const uint8_t outer = implied[row].outer;
	for (i = s->len; i-- > 0;) {
		const uint8_t open = s->open[i].tag;
		if (open == tag || open == implied[row].alike) {
			cut(s, i);
			return;
		}
		if (open == outer || (outer == HTML_TAG_UL && (open == HTML_TAG_OL || open == HTML_TAG_MENU)))
			return;
	}
}

void white_space_start(struct white_space_state *s, enum html_tag tag, enum white_space own)
{
	if (s->len)
		imply(s, tag);
	if (html_tag_is(tag, TAG_VOID) ||
	    (s->len == 0 && (own == WHITE_SPACE_INHERITED || own == WHITE_SPACE_COLLAPSES)))
		return;
	if (s->len == WHITE_SPACE_DEPTH) {
		s->deeper++;
		return;
	}
	s->open[s->len].tag = (uint8_t)tag;
	s->open[s->len].space = own == WHITE_SPACE_INHERITED ? s->now : (uint8_t)own;
	s->now = s->open[s->len++].space;
}

void white_space_end(struct white_space_state *s, enum html_tag tag)
{
	bool blocks = false;
	if (s->deeper) {
		s->deeper--;
		return;
	}
	for (unsigned i = s->len; i-- > 0;) {
		if (s->open[i].tag == tag) {
			/* the end tag of an inline element closes no block */
			if (is_block(tag) || !blocks)
				cut(s, i);
			return;
		}
		blocks |= is_block(s->open[i].tag);
	}
	/* it ends an element that encloses all of them */
	if (is_block(tag) && tag != HTML_TAG_P && !html_tag_is(tag, TAG_VOID))
		cut(s, 0);
}
