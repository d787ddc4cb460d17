/* SPDX-License-Identifier: MIT */
/*
 * The attributes of a start tag (HTML, sections 13.2.5.32 to 13.2.5.40), one after the other from its source.
 *
 * Example: <a href="/x" title=Home hidden> gives ("href", "/x"), ("title", "Home") and ("hidden", ""). A quoted value
 * ends at the same quote, an unquoted one at white space or '>'.
 */
#ifndef DANA_EXTRACT_HTML_ATTRIBUTE_H
#define DANA_EXTRACT_HTML_ATTRIBUTE_H

#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/html/tokenizer.h"

struct html_attr {
	struct slice name;  /* as written */
	struct slice value; /* character references are not decoded; empty if the attribute has no value */
	uint64_t number;    /* the name's letters in lower case, the first one lowest; 0 if there are more than eight */
};

/** The rest of a tag's source. */
struct html_attr_reader {
	const uint8_t *at, *end;
	const uint8_t *limit;          /* bytes before it can be read */
	const uint8_t *window;         /* the bytes that the masks describe */
	const struct byte_mask *masks; /* may be NULL */
};

/** The number of a name in lower case, padded with zeros. */
#define HTML_ATTR_NUMBER(a, b, c, d, e, f, g, h) \
	((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | \
	 (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

/** Returns a reader at the first attribute of a tag event. */
struct html_attr_reader html_attr_begin(const struct html_tag_event *event);
/** Returns the value of a tag event's first attribute of this name; empty if it has none. */
struct slice html_attr_named(const struct html_tag_event *event, const char *name);

/** Returns a reader at the first attribute of a unit's tag. */
static inline struct html_attr_reader html_attr_of_unit(const struct html_unit *unit)
{
	const uint8_t *first = unit->window + unit->code;
	size_t len = unit->end - unit->code;
	if (unit->name_len == HTML_TAG_NAME_MOST || len > HTML_TAG_BYTES) {
		const struct html_tag_event event = html_unit_event(unit);
		return html_attr_begin(&event);
	}
	return (struct html_attr_reader){ first + 1 + unit->name_len, first + len, unit->window + unit->len,
					  unit->window, unit->masks };
}

/* Returns a name's number. `letters`: its first eight bytes; other bytes give a number that matches no known name. */
static inline uint64_t html_attr_number(uint64_t letters, size_t len)
{
	if (len > 8)
		return 0;
	uint64_t used = ~(uint64_t)0 >> (64 - 8 * len);
	return (letters | 0x2020202020202020U) & used;
}

#ifdef CPU_PATHS_SSE2
/* Returns the first such quotation mark from p on; NULL or a place after the tag's end if the tag has no more. */
static inline const uint8_t *html_attr_quote(const struct html_attr_reader *r, const uint8_t *p, uint8_t quote)
{
	if (r->masks) {
		const size_t at = (size_t)(p - r->window);
		const struct byte_mask *m = &r->masks[at / 64];
		const uint64_t bits = (quote == '"' ? m->quote : m->apos) >> at % 64;
		if (bits)
			return p + __builtin_ctzll(bits);
		p += 64 - at % 64;
		const uint64_t next = quote == '"' ? m[1].quote : m[1].apos;
		if (next)
			return p + __builtin_ctzll(next);
		p += 64;
	} else if (r->limit - p >= 32) {
		__m128i v, w;
		memcpy(&v, p, sizeof(v));
		memcpy(&w, p + sizeof(v), sizeof(w));
		const __m128i wanted = _mm_set1_epi8((char)quote);
		const unsigned bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, wanted)) |
				      (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(w, wanted)) << 16;
		if (bits)
			return p + __builtin_ctz(bits);
		p += 32;
	}
	return p < r->end ? memchr(p, quote, (size_t)(r->end - p)) : NULL;
}

/* Reads name="value" at p; returns false if the attribute has another form. */
static inline __attribute__((always_inline)) bool html_attr_read_quoted(struct html_attr_reader *r, const uint8_t *p,
									struct html_attr *attr)
{
	if (r->limit - p < 16)
		return false;
	__m128i v;
	memcpy(&v, p, sizeof(v));
	__m128i ends = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v); /* white space, or another control */
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('/')));
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('>')));
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('=')));
	unsigned found = (unsigned)_mm_movemask_epi8(ends);
	if (!found || found & 1) /* a name may begin with '=' */
		return false;
	const uint8_t *equals = p + __builtin_ctz(found);
	if (*equals != '=' || r->end - equals < 3 || (equals[1] != '"' && equals[1] != '\''))
		return false;
	const uint8_t *close = html_attr_quote(r, equals + 2, equals[1]);
	if (!close || close >= r->end)
		return false;
	attr->name = slice_of(p, (size_t)(equals - p));
	attr->value = slice_of(equals + 2, (size_t)(close - equals - 2));
	int64_t letters;
	_mm_storel_epi64((__m128i *)(void *)&letters, v);
	attr->number = html_attr_number((uint64_t)letters, attr->name.len);
	r->at = close + 1;
	return true;
}
#endif

/** Like html_attr_next below, byte by byte, in every form that HTML allows. */
bool html_attr_any(struct html_attr_reader *r, struct html_attr *attr);

/**
 * Reads the next attribute; returns false after the last one. Those written name="value", nearly all, are read sixteen
 * bytes at a time, with the masks of the window if there is one. Both ways give the same result.
 */
static inline __attribute__((always_inline)) bool html_attr_next(struct html_attr_reader *r, struct html_attr *attr)
{
	const uint8_t *p = r->at;
	if (p < r->end && *p == ' ') /* mostly all that is between two attributes */
		p++;
	if (p == r->end || !ascii_is_alpha(*p)) {
		while (p < r->end && (ascii_is_space(*p) || *p == '/'))
			p++;
		if (p == r->end || *p == '>')
			return false;
	}
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2 && html_attr_read_quoted(r, p, attr))
		return true;
#endif
	return html_attr_any(r, attr);
}

#endif
