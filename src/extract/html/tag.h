/* SPDX-License-Identifier: MIT */
/*
 * The element names that the program knows, each with its properties. This list is the only place where a name is
 * spelled: the numbers (HTML_TAG_DIV), the text (html_tag_name) and the properties (html_tag_is) are made from it.
 *
 * Example: the line of "wbr" defines HTML_TAG_WBR, an element that has no end tag and does not divide a word. Lists
 * from a paper, such as the blocks of one method, are in that method's file.
 */
#ifndef DANA_EXTRACT_HTML_TAG_H
#define DANA_EXTRACT_HTML_TAG_H

#include "base/ascii.h"
#include "base/slice.h"
#include "extract/html/tag_hash.h"

/* X(identifier, "name", properties), sorted by name; tools/make_tag_hash.py makes tag_hash.h from it */
/* clang-format off */
#define HTML_TAGS(X)                                                                                                \
	X(A, "a", TAG_INLINE | TAG_LINKS)                                                                           \
	X(ABBR, "abbr", TAG_INLINE)                                                                                 \
	X(ACRONYM, "acronym", TAG_INLINE)                                                                           \
	X(ADDRESS, "address", TAG_CLOSES_P | TAG_BLOCK)                                                             \
	X(AREA, "area", TAG_VOID)                                                                                   \
	X(ARTICLE, "article", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_COUNTS)                                  \
	X(ASIDE, "aside", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                   \
	X(AUDIO, "audio", TAG_SKIP | TAG_NESTS | TAG_MUTE | TAG_PARTS)                                              \
	X(B, "b", TAG_INLINE)                                                                                       \
	X(BASE, "base", TAG_VOID | TAG_HEAD_PART)                                                                   \
	X(BASEFONT, "basefont", TAG_VOID | TAG_HEAD_PART)                                                           \
	X(BDI, "bdi", TAG_INLINE)                                                                                   \
	X(BDO, "bdo", TAG_INLINE)                                                                                   \
	X(BIG, "big", TAG_INLINE)                                                                                   \
	X(BLOCKQUOTE, "blockquote", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                         \
	X(BODY, "body", TAG_SPECIAL | TAG_BLOCK | TAG_BREAKS_OUT)                                                   \
	X(BR, "br", TAG_VOID | TAG_SPLITS)                                                                          \
	X(BUTTON, "button", TAG_SPECIAL | TAG_BLOCK | TAG_COUNTS)                                                   \
	X(CANVAS, "canvas", TAG_SKIP | TAG_NESTS | TAG_MUTE | TAG_PARTS)                                            \
	X(CAPTION, "caption", TAG_BARRIER | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                                \
	X(CENTER, "center", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                 \
	X(CITE, "cite", TAG_INLINE)                                                                                 \
	X(CODE, "code", TAG_INLINE)                                                                                 \
	X(COL, "col", TAG_VOID)                                                                                     \
	X(COLGROUP, "colgroup", 0)                                                                                  \
	X(DATA, "data", TAG_INLINE)                                                                                 \
	X(DATALIST, "datalist", TAG_SKIP)                                                                           \
	X(DD, "dd", TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                                                        \
	X(DEL, "del", TAG_INLINE)                                                                                   \
	X(DETAILS, "details", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                               \
	X(DFN, "dfn", TAG_INLINE)                                                                                   \
	X(DIALOG, "dialog", TAG_CLOSES_P | TAG_BLOCK)                                                               \
	X(DIR, "dir", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                       \
	X(DIV, "div", TAG_CLOSES_P | TAG_BLOCK | TAG_BREAKS_OUT)                                                    \
	X(DL, "dl", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                         \
	X(DT, "dt", TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                                                        \
	X(EM, "em", TAG_INLINE)                                                                                     \
	X(EMBED, "embed", TAG_VOID)                                                                                 \
	X(FIELDSET, "fieldset", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                             \
	X(FIGCAPTION, "figcaption", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                         \
	X(FIGURE, "figure", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                 \
	X(FONT, "font", TAG_INLINE)                                                                                 \
	X(FOOTER, "footer", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                 \
	X(FORM, "form", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                     \
	X(FRAME, "frame", TAG_VOID)                                                                                 \
	X(FRAMESET, "frameset", 0)                                                                                  \
	X(H1, "h1", TAG_HEADING | TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_BREAKS_OUT | TAG_SENTENCES)          \
	X(H2, "h2", TAG_HEADING | TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_BREAKS_OUT | TAG_SENTENCES)          \
	X(H3, "h3", TAG_HEADING | TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_BREAKS_OUT | TAG_SENTENCES)          \
	X(H4, "h4", TAG_HEADING | TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_BREAKS_OUT | TAG_SENTENCES)          \
	X(H5, "h5", TAG_HEADING | TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                           \
	X(H6, "h6", TAG_HEADING | TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                           \
	X(HEAD, "head", TAG_SPECIAL | TAG_BLOCK)                                                                    \
	X(HEADER, "header", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                 \
	X(HGROUP, "hgroup", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                 \
	X(HR, "hr", TAG_VOID | TAG_CLOSES_P | TAG_SPLITS)                                                           \
	X(HTML, "html", TAG_BARRIER | TAG_SPECIAL | TAG_TABLE_LIKE | TAG_BLOCK)                                     \
	X(I, "i", TAG_INLINE)                                                                                       \
	X(IFRAME, "iframe", TAG_RAW | TAG_SKIP | TAG_PARTS)                                                         \
	X(IMG, "img", TAG_VOID | TAG_COUNTS)                                                                        \
	X(INPUT, "input", TAG_VOID | TAG_COUNTS)                                                                    \
	X(INS, "ins", TAG_INLINE)                                                                                   \
	X(KBD, "kbd", TAG_INLINE)                                                                                   \
	X(LABEL, "label", TAG_INLINE | TAG_BLOCK)                                                                   \
	X(LEGEND, "legend", TAG_BLOCK)                                                                              \
	X(LI, "li", TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                                                        \
	X(LINK, "link", TAG_VOID | TAG_HEAD_PART | TAG_COUNTS)                                                      \
	X(MAIN, "main", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_COUNTS)                                        \
	X(MAP, "map", 0)                                                                                            \
	X(MARK, "mark", TAG_INLINE)                                                                                 \
	X(MATH, "math", TAG_SKIP)                                                                                   \
	X(MENU, "menu", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                     \
	X(META, "meta", TAG_VOID | TAG_HEAD_PART | TAG_COUNTS)                                                      \
	X(METER, "meter", 0)                                                                                        \
	X(NAV, "nav", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                                       \
	X(NOBR, "nobr", TAG_INLINE)                                                                                 \
	X(NOFRAMES, "noframes", 0)                                                                                  \
	X(NOSCRIPT, "noscript", TAG_SKIP | TAG_HEAD_PART)                                                           \
	X(OBJECT, "object", TAG_SKIP | TAG_BARRIER | TAG_SPECIAL | TAG_PARTS)                                       \
	X(OL, "ol", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_BREAKS_OUT)                                        \
	X(OPTGROUP, "optgroup", 0)                                                                                  \
	X(OPTION, "option", TAG_BLOCK)                                                                              \
	X(OUTPUT, "output", 0)                                                                                      \
	X(P, "p", TAG_BLOCK | TAG_BREAKS_OUT | TAG_SENTENCES)                                                       \
	X(PARAM, "param", TAG_VOID)                                                                                 \
	X(PICTURE, "picture", 0)                                                                                    \
	X(PRE, "pre", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_KEEPS_SPACE)                                     \
	X(PROGRESS, "progress", 0)                                                                                  \
	X(Q, "q", TAG_INLINE)                                                                                       \
	X(RB, "rb", TAG_INLINE)                                                                                     \
	X(RP, "rp", TAG_SKIP | TAG_INLINE)                                                                          \
	X(RT, "rt", TAG_SKIP | TAG_INLINE)                                                                          \
	X(RTC, "rtc", TAG_SKIP | TAG_INLINE)                                                                        \
	X(RUBY, "ruby", TAG_INLINE)                                                                                 \
	X(S, "s", TAG_INLINE)                                                                                       \
	X(SAMP, "samp", TAG_INLINE)                                                                                 \
	X(SCRIPT, "script", TAG_RAW | TAG_HEAD_PART)                                                                \
	X(SECTION, "section", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK)                                               \
	X(SELECT, "select", TAG_SKIP | TAG_PARTS)                                                                   \
	X(SLOT, "slot", 0)                                                                                          \
	X(SMALL, "small", TAG_INLINE)                                                                               \
	X(SOURCE, "source", TAG_VOID)                                                                               \
	X(SPAN, "span", TAG_INLINE | TAG_NESTS)                                                                     \
	X(STRIKE, "strike", TAG_INLINE)                                                                             \
	X(STRONG, "strong", TAG_INLINE)                                                                             \
	X(STYLE, "style", TAG_RAW | TAG_HEAD_PART)                                                                  \
	X(SUB, "sub", TAG_INLINE | TAG_RAISED)                                                                      \
	X(SUMMARY, "summary", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                               \
	X(SUP, "sup", TAG_INLINE | TAG_RAISED)                                                                      \
	X(SVG, "svg", TAG_SKIP)                                                                                     \
	X(TABLE, "table", TAG_CLOSES_P | TAG_BARRIER | TAG_SPECIAL | TAG_TABLE_LIKE | TAG_BLOCK | TAG_BREAKS_OUT)   \
	X(TBODY, "tbody", TAG_SPECIAL | TAG_BLOCK)                                                                  \
	X(TD, "td", TAG_BARRIER | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                                          \
	X(TEMPLATE, "template", TAG_SKIP | TAG_BARRIER | TAG_SPECIAL | TAG_TABLE_LIKE | TAG_HEAD_PART)              \
	X(TEXTAREA, "textarea", TAG_RAW | TAG_SKIP | TAG_KEEPS_SPACE | TAG_PARTS)                                   \
	X(TFOOT, "tfoot", TAG_SPECIAL | TAG_BLOCK)                                                                  \
	X(TH, "th", TAG_BARRIER | TAG_SPECIAL | TAG_BLOCK | TAG_SENTENCES)                                          \
	X(THEAD, "thead", TAG_SPECIAL | TAG_BLOCK)                                                                  \
	X(TIME, "time", TAG_INLINE)                                                                                 \
	X(TITLE, "title", TAG_RAW | TAG_SKIP | TAG_HEAD_PART)                                                       \
	X(TR, "tr", TAG_SPECIAL | TAG_BLOCK)                                                                        \
	X(TRACK, "track", TAG_VOID)                                                                                 \
	X(TT, "tt", TAG_INLINE)                                                                                     \
	X(U, "u", TAG_INLINE)                                                                                       \
	X(UL, "ul", TAG_CLOSES_P | TAG_SPECIAL | TAG_BLOCK | TAG_BREAKS_OUT)                                        \
	X(VAR, "var", TAG_INLINE)                                                                                   \
	X(VIDEO, "video", TAG_SKIP | TAG_NESTS | TAG_MUTE | TAG_PARTS)                                              \
	X(WBR, "wbr", TAG_VOID | TAG_INLINE)                                                                        \
	X(XMP, "xmp", TAG_RAW | TAG_CLOSES_P | TAG_SPECIAL | TAG_SPLITS | TAG_KEEPS_SPACE)

/* clang-format on */

/* Properties of names that are not in the table: most are custom elements. */
#define HTML_TAG_OTHER_PROPERTIES (TAG_NESTS | TAG_KEEPS_SPACE)

enum html_tag_property {
	/* for the tokeniser: these are also in the hash table, in one byte */
	TAG_INLINE = 1 << 0,      /* does not divide a word or line */
	TAG_VOID = 1 << 1,        /* never has an end tag */
	TAG_RAW = 1 << 2,         /* its content is not markup, up to the end tag of the same name */
	TAG_SKIP = 1 << 3,        /* its content is not visible text of the page */
	TAG_RAISED = 1 << 4,      /* its text is written in another form (raised.h) */
	TAG_KEEPS_SPACE = 1 << 5, /* its white space does not collapse; names outside of the table: in some of them */
	TAG_LINKS = 1 << 6,       /* begins or ends a link */
	TAG_NAMELESS = 1 << 7,    /* not an element: an empty slot of the hash table */
	TAG_SLOT = 0xFF,          /* all of these */

	TAG_HEADING = 1 << 18,
	TAG_BREAKS_OUT = 1 << 17, /* its start tag ends an open <svg>, <math> or <select> */

	/* for the stack of open elements: elements.c */
	TAG_CLOSES_P = 1 << 8,    /* its start tag closes an open <p> */
	TAG_BARRIER = 1 << 9,     /* a search in scope stops here (HTML, section 13.2.4.2) */
	TAG_SPECIAL = 1 << 10,    /* the search for an open <li>, <dt> or <dd> stops here */
	TAG_TABLE_LIKE = 1 << 11, /* a search in table scope stops here */
	TAG_HEAD_PART = 1 << 12,  /* allowed in <head>; every other start tag closes it */

	/* for `learned`: text of an element without any of these belongs to the enclosing block */
	TAG_SPLITS = 1 << 13, /* its tags end a block of text */
	TAG_NESTS = 1 << 14,  /* groups what is inside */
	TAG_BLOCK = TAG_SPLITS | TAG_NESTS,
	TAG_MUTE = 1 << 15,      /* its content is not shown where scripts run */
	TAG_COUNTS = 1 << 16,    /* a start tag counts by itself */
	TAG_SENTENCES = 1 << 20, /* holds sentences: a button after words is one of their words */
	TAG_PARTS = 1 << 19,     /* what is shown in its place parts words, but ends no line */
};

enum html_tag {
	HTML_TAG_OTHER, /* a name that is not in the table; also doctype and processing instructions */
#define HTML_TAG_ENUM(id, name, properties) HTML_TAG_##id,
	HTML_TAGS(HTML_TAG_ENUM)
#undef HTML_TAG_ENUM
		HTML_TAGS_COUNT
};

/** Returns the number of a name, in upper or lower case. */
enum html_tag html_tag_find(struct slice name);

enum { HTML_TAG_NAME_MOST = 64 }; /* longest part of a name that is read */

struct html_tag_name {
	size_t len;
	enum html_tag tag;
};

/** Returns whether a byte ends a tag's name: white space, '/' or '>'. */
static inline bool html_ends_name(uint8_t c)
{
	static const bool ends[256] = {
		[' '] = 1, ['\t'] = 1, ['\n'] = 1, ['\f'] = 1, ['\r'] = 1, ['/'] = 1, ['>'] = 1
	};
	return ends[c];
}

/** Returns the lower-case name; "" for HTML_TAG_OTHER. */
const char *html_tag_name(enum html_tag tag);

/** Properties by tag: a set of enum html_tag_property. */
extern const uint32_t html_tag_properties[HTML_TAGS_COUNT];

static inline bool html_tag_is(enum html_tag tag, enum html_tag_property property)
{
	return (html_tag_properties[tag] & property) != 0;
}

/** A slot of the table of names; slots without a name have TAG_NAMELESS. */
struct tag_slot {
	uint64_t first; /* the name's first 8 bytes in lower case, the first one lowest, zero-padded */
	uint16_t rest;  /* bytes 8 and 9 */
	uint8_t tag, properties;
};
extern const struct tag_slot html_tag_slots[1 << TAG_HASH_BITS];

static inline const struct tag_slot *html_tag_slot(uint64_t first)
{
	return &html_tag_slots[first * TAG_HASH_MULTIPLIER >> (64 - TAG_HASH_BITS)];
}

#define HTML_EACH_BYTE(byte) (0x0101010101010101U * (byte))

/**
 * Reads the name at `p`, eight bytes at once, as the number under which the table holds it; nearly every name fits in
 * them. Letters have bit 6 set; white space, '/' and '>' do not, so the first byte without bit 6 ends the name. Returns
 * false if the name does not end within them, or holds a byte that is not a letter, such as the digit of "h1".
 *
 * Example: "DIV class" is read as the bytes 44 49 56 20 63 6C 61 73. The first one without bit 6 (0x40) is the space at
 * 3; the three bytes before it with bit 5 set are 64 69 76, "div".
 */
static inline bool html_tag_pack_near(const uint8_t *p, uint64_t *first, size_t *len)
{
	uint64_t word = little_endian_64(p), ends = ~word & HTML_EACH_BYTE(0x40U); /* bytes that are not letters */
	if (!ends)
		return false;
	*len = (size_t)__builtin_ctzll(ends) / 8;
	/* setting bit 5 turns upper case to lower case; the mask keeps the bytes before the first end */
	*first = (word | HTML_EACH_BYTE(0x20U)) & (ends ^ (ends - 1)) >> 7;
	return html_ends_name(p[*len]);
}

/** html_tag_read, byte by byte. */
struct html_tag_name html_tag_read_far(const uint8_t *p);

/** Reads the name at `p`, which ends before white space, '/' or '>'. HTML_TAG_NAME_MOST + 1 bytes must be readable. */
static inline struct html_tag_name html_tag_read(const uint8_t *p)
{
	struct html_tag_name name;
	uint64_t first;
	/* eight bytes at once where possible: processors predict the end of a loop over bytes badly */
	if (!html_tag_pack_near(p, &first, &name.len))
		return html_tag_read_far(p);
	const struct tag_slot *slot = html_tag_slot(first);
	name.tag = slot->first == first ? (enum html_tag)slot->tag : HTML_TAG_OTHER;
	return name;
}

#endif
