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

struct attr {
	struct slice name, value; /* as html_attr has them */
	uint64_t number;          /* the name's letters, the first lowest, as small ones; 0 = of more than eight bytes */
};

static inline struct attr_reader attr_reader_begin(const struct html_tag_event *event)
{
	struct html_attr_iter iter = html_attr_begin(event);
	const uint8_t *end = event->source.data + event->source.len;
	return (struct attr_reader){ event->source.data, end - iter.rest.len, end };
}

/* `letters`: the first eight bytes from the name on. Other bytes than letters give no letter. */
static inline uint64_t attr_number(uint64_t letters, size_t len)
{
	if (len > 8)
		return 0;
	uint64_t used = ~(uint64_t)0 >> (64 - 8 * len);
	return (letters | 0x2020202020202020U) & used;
}

static inline uint64_t attr_letters(struct slice name)
{
	uint64_t letters = 0;
	for (size_t i = 0; i < name.len && i < 8; i++)
		letters |= (uint64_t)name.data[i] << (8 * i);
	return letters;
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
static inline __attribute__((always_inline)) bool attr_read_quoted(struct attr_reader *r, const uint8_t *p, struct attr *attr)
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
	attr->name = slice_of(p, (size_t)(equals - p));
	attr->value = slice_of(equals + 2, (size_t)(close - equals - 2));
	int64_t letters;
	_mm_storel_epi64((__m128i *)(void *)&letters, v);
	attr->number = attr_number(p == q ? (uint64_t)letters : attr_letters(attr->name), attr->name.len);
	r->at = close + 1;
	return true;
}
#endif

/** The next attribute, however it is written. False when there are no more. */
static __attribute__((noinline)) bool attr_reader_any(struct attr_reader *r, struct attr *attr)
{
	struct html_attr_iter iter = { slice_of(r->at, (size_t)(r->end - r->at)) };
	struct html_attr any;
	if (!html_attr_next(&iter, &any))
		return false;
	r->at = r->end - iter.rest.len;
	*attr = (struct attr){ any.name, any.value, attr_number(attr_letters(any.name), any.name.len) };
	return true;
}

/** The same, quickly where it is written as most are. */
static inline __attribute__((always_inline)) bool attr_reader_next(struct attr_reader *r, struct attr *attr)
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
	return attr_reader_any(r, attr);
}

#endif
