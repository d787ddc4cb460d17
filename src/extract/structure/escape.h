/* SPDX-License-Identifier: MIT */
/*
 * Text that Markdown would read as something else gets a backslash; nothing else does. How far text is plain, and
 * addresses, which are written in another way.
 */
#ifndef DANA_EXTRACT_STRUCTURE_ESCAPE_H
#define DANA_EXTRACT_STRUCTURE_ESCAPE_H

#include "base/buf.h"
#include "base/cpu.h"
#include "base/slice.h"

/** What CommonMark takes a character for where emphasis begins or ends. */
enum letter_kind {
	LETTER_WHITE,
	LETTER_LETTER, /* or a digit */
	LETTER_PUNCTUATION,
	LETTER_UNSURE, /* readers of Markdown differ, or their tables do */
};

enum letter_kind letter_kind_of(uint32_t c);
/** Returns the kind of the first character of well-formed UTF-8; LETTER_WHITE if it is empty. */
enum letter_kind letter_kind_first(struct slice text);
/** The same of its last character. */
enum letter_kind letter_kind_last(struct slice text);
/** Returns whether text has more than white space, punctuation and invisible characters. */
bool letter_kind_any(struct slice text);
/** Returns whether all of the text is a formula on lines of its own. */
bool formula_is_all(struct slice text, struct slice *tex);

/** Which brackets get a backslash. */
enum escape_brackets {
	BRACKETS_THAT_LINK, /* that may begin or end a link, a picture, a definition or a footnote */
	BRACKETS_ALL,
	BRACKETS_NONE, /* the text of a link, in which they match and begin nothing */
};

struct escape_rules {
	bool formulas; /* \(..\), \[..\], $$..$$ and $..$ are formulas */
	bool tildes;   /* the block has more than one */
	bool in_link;  /* where readers make no links of bare addresses */
	enum escape_brackets brackets;
	size_t *open; /* brackets of the block so far that nothing closes and that have no backslash */
};

/** Appends text without line ends, not at the start of a line; `followed`: a mark comes directly after it. Linear. */
int escape_text(struct buf *out, struct slice text, const struct escape_rules *rules, bool followed);
/**
 * Appends TeX, with its delimiters or without, so that no reader takes a part of it for a tag, a link or code: by
 * blanks and by names of characters, which mean the same in TeX.
 *
 * Example: "a<b" becomes "a< b".
 */
int escape_tex(struct buf *out, struct slice tex, const struct escape_rules *rules);
/** Appends a line of escape_text, with what begins a block escaped. `goes_on`: a line of the paragraph is before it. */
int escape_line(struct buf *out, struct slice line, bool goes_on);
/** Appends a line of TeX that escape_tex made: as escape_line, but by empty braces. */
int escape_tex_line(struct buf *out, struct slice line);
/** The last word of a text that grows. Zeroed at its beginning. */
struct last_word {
	size_t seen;
	bool is_address;
};

/**
 * Returns whether the last word of a text, up to where it has grown, is a bare address, of which a backslash after it
 * would be a part. All calls for one text take linear time.
 */
bool escape_ends_in_address(struct last_word *word, struct slice text);
/** Returns whether a character reference begins at s[0], which is '&'. */
bool escape_is_reference(struct slice s);

/*
 * How far text can be copied as it is, sixteen bytes at a time: most of a text is. Without vector instructions the
 * answer may be shorter, since each caller continues byte by byte.
 */

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"

enum { TEXT_SCAN_AT_ONCE = 16 };

static inline unsigned text_scan_bits(__m128i v)
{
	return (unsigned)_mm_movemask_epi8(v);
}

static inline __m128i text_scan_equal(__m128i v, uint8_t byte)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8((char)byte));
}
#endif

/** Returns how many first bytes are plain: not a control, '&', 0xC2, or a blank before another than a plain one. */
static inline size_t text_scan_collapsed(struct slice text)
{
	size_t n = 0;
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && text.len - n >= TEXT_SCAN_AT_ONCE;) {
		__m128i v;
		memcpy(&v, text.data + n, sizeof(v));
		const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
		const __m128i odd = _mm_or_si128(_mm_or_si128(control, text_scan_equal(v, 0x7F)),
						 _mm_or_si128(text_scan_equal(v, '&'), text_scan_equal(v, 0xC2)));
		const unsigned blanks = text_scan_bits(text_scan_equal(v, ' ')), odds = text_scan_bits(odd);
		const unsigned stops = odds | (blanks & (blanks | odds) >> 1);
		if (stops)
			return n + (unsigned)__builtin_ctz(stops);
		n += TEXT_SCAN_AT_ONCE -
		     (blanks >> (TEXT_SCAN_AT_ONCE - 1)); /* what follows a last blank is seen next */
	}
#endif
	return n;
}

/** Returns a number of bytes before the first of  $ & \ */
static inline size_t text_scan_undelimited(struct slice text)
{
	size_t n = 0;
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && text.len - n >= TEXT_SCAN_AT_ONCE;
	     n += TEXT_SCAN_AT_ONCE) {
		__m128i v;
		memcpy(&v, text.data + n, sizeof(v));
		const __m128i pair = text_scan_equal(_mm_and_si128(v, _mm_set1_epi8((char)0xFD)), '$'); /* and '&' */
		const unsigned marks = text_scan_bits(_mm_or_si128(pair, text_scan_equal(v, '\\')));
		if (marks)
			return n + (unsigned)__builtin_ctz(marks);
	}
#endif
	return n;
}

/** Returns the number of bytes before the first of  $ & * < [ \ ] ^ _ ` ~  */
static inline size_t text_scan_unmarked(struct slice text)
{
	size_t n = 0;
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && text.len - n >= TEXT_SCAN_AT_ONCE;
	     n += TEXT_SCAN_AT_ONCE) {
		__m128i v;
		memcpy(&v, text.data + n, sizeof(v));
		const __m128i from = _mm_sub_epi8(v, _mm_set1_epi8('['));
		const __m128i range = _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8('`' - '[')), from);
		const __m128i pair = text_scan_equal(_mm_and_si128(v, _mm_set1_epi8((char)0xFD)), '$'); /* and '&' */
		const __m128i others = _mm_or_si128(_mm_or_si128(text_scan_equal(v, '*'), text_scan_equal(v, '<')),
						    text_scan_equal(v, '~'));
		const unsigned marks = text_scan_bits(_mm_or_si128(_mm_or_si128(range, pair), others));
		if (marks)
			return n + (unsigned)__builtin_ctz(marks);
	}
#endif
	return n;
}

/* Relative references to addresses (RFC 3986, section 5), for the links that are written. */

/** The address that references are relative to, taken apart once. Zeroed it is empty. */
struct link_base {
	struct buf address;
	struct buf folder;         /* scheme, host and folder of the path, without dots and its last slash */
	size_t scheme, root;       /* lengths of the scheme with its ':', 0 if it is not absolute; with the host */
	size_t path_end, fragment; /* places of query and fragment */
};

/** Sets the address, which may be empty. */
int link_base_set(struct link_base *base, struct slice address);
void link_base_free(struct link_base *base);
/**
 * Appends `reference` made absolute by `base`, or as it is if `base` is empty or not absolute. Example: base
 * "https://h/a/b.html" and "../c?d" give "https://h/c?d".
 */
int url_append(struct buf *out, const struct link_base *base, struct slice reference);
/**
 * Returns whether a cleaned reference leads to a page, a file, a mailbox or a telephone, by its scheme, or by the
 * scheme of the base where it has none: not into the page itself, to a script, to data, or to what another program
 * opens.
 */
bool url_leads_elsewhere(const struct link_base *base, struct slice reference);
/** Returns whether an address may be in an element: it is absolute and whole, and no program is at it. */
bool url_is_of_web(struct slice address);
/** Returns whether a byte may stand before the '@' of a mailbox. */
bool url_is_mailbox_byte(uint8_t c);
/** Returns whether text is a mailbox as CommonMark takes it between angle brackets. */
bool url_is_mailbox(struct slice text);

#endif
