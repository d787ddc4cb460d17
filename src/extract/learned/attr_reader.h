/*
 * Attributes of a start tag one after the other, as html_attr_next tells them. Those written name="value", nearly all, are cut
 * sixteen bytes at a time; the others are left to html_attr_next.
 */
#ifndef DANA_EXTRACT_LEARNED_ATTR_READER_H
#define DANA_EXTRACT_LEARNED_ATTR_READER_H

#include "base/ascii.h"
#include "html/tokenizer.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/** What is left of a tag's source. */
struct attr_reader {
	const uint8_t *first, *at, *end; /* first: of the tag; bytes before `at` are looked at too, and are not told */
};

static inline struct attr_reader attr_reader_begin(const struct html_tag_event *event)
{
	struct html_attr_iter iter = html_attr_begin(event);
	const uint8_t *end = event->source.data + event->source.len;
	return (struct attr_reader){ event->source.data, end - iter.rest.len, end };
}

#if defined(__SSE2__)
/* Where 16 bytes can be read that hold p[0], and the next ones as far as `end` allows. The tag must have that many. */
static inline const uint8_t *attr_window(const uint8_t *p, const uint8_t *end)
{
	return end - p >= 16 ? p : end - 16;
}

static inline __m128i attr_load(const uint8_t *p)
{
	__m128i v;
	memcpy(&v, p, sizeof v);
	return v;
}

/* First place of a quotation mark from p on; NULL when there is none. */
static inline const uint8_t *attr_quote(const uint8_t *p, const uint8_t *end, uint8_t quote)
{
	const __m128i wanted = _mm_set1_epi8((char)quote);
	for (; p < end; p += 16) {
		const uint8_t *q = attr_window(p, end);
		unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(attr_load(q), wanted)) >> (p - q);
		if (found)
			return p + __builtin_ctz(found);
	}
	return NULL;
}

/* name="value" at p; false when it is written in another way. */
static inline bool attr_read_quoted(struct attr_reader *r, const uint8_t *p, struct html_attr *attr)
{
	if (r->end - r->first < 16)
		return false;
	const uint8_t *q = attr_window(p, r->end);
	__m128i v = attr_load(q);
	__m128i ends = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v); /* white space, or another control */
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('/')));
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('>')));
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('=')));
	unsigned found = (unsigned)_mm_movemask_epi8(ends) >> (p - q);
	if (!found || found & 1) /* a name may begin with '=' */
		return false;
	const uint8_t *equals = p + __builtin_ctz(found);
	if (*equals != '=' || r->end - equals < 3 || (equals[1] != '"' && equals[1] != '\''))
		return false;
	const uint8_t *close = attr_quote(equals + 2, r->end, equals[1]);
	if (!close)
		return false;
	*attr = (struct html_attr){ slice_of(p, (size_t)(equals - p)), slice_of(equals + 2, (size_t)(close - equals - 2)) };
	r->at = close + 1;
	return true;
}
#endif

/** False when there are no more. */
static inline bool attr_reader_next(struct attr_reader *r, struct html_attr *attr)
{
	const uint8_t *p = r->at;
	while (p < r->end && (*p == ' ' || *p == '/'))
		p++;
	if (p == r->end || *p == '>')
		return false;
#if defined(__SSE2__)
	if (attr_read_quoted(r, p, attr))
		return true;
#endif
	struct html_attr_iter iter = { slice_of(p, (size_t)(r->end - p)) };
	bool any = html_attr_next(&iter, attr);
	r->at = r->end - iter.rest.len;
	return any;
}

#endif
