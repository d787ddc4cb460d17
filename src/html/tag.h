/* SPDX-License-Identifier: MIT */
/*
 * The element names that the program knows, each with its properties. This list is the only place where a name is
 * spelled: the numbers (HTML_TAG_DIV), the text (html_tag_name) and the properties (html_tag_is) are made from it.
 *
 * Example: the line of "wbr" defines HTML_TAG_WBR, an element that has no end tag and does not divide a word.
 */
#ifndef DANA_HTML_TAG_H
#define DANA_HTML_TAG_H

#include "base/slice.h"

/* X(identifier, "name", properties), sorted by name; tools/make_tag_hash.py makes tag_hash.h from it */
/* clang-format off */
#define HTML_TAGS(X)                                        \
	X(A, "a", TAG_INLINE)                               \
	X(ABBR, "abbr", TAG_INLINE)                         \
	X(ACRONYM, "acronym", TAG_INLINE)                   \
	X(ADDRESS, "address", 0)                            \
	X(AREA, "area", TAG_VOID)                           \
	X(ARTICLE, "article", 0)                            \
	X(ASIDE, "aside", 0)                                \
	X(AUDIO, "audio", 0)                                \
	X(B, "b", TAG_INLINE)                               \
	X(BASE, "base", TAG_VOID)                           \
	X(BASEFONT, "basefont", TAG_VOID)                   \
	X(BDI, "bdi", TAG_INLINE)                           \
	X(BDO, "bdo", TAG_INLINE)                           \
	X(BIG, "big", TAG_INLINE)                           \
	X(BLOCKQUOTE, "blockquote", 0)                      \
	X(BODY, "body", 0)                                  \
	X(BR, "br", TAG_VOID)                               \
	X(BUTTON, "button", 0)                              \
	X(CANVAS, "canvas", 0)                              \
	X(CAPTION, "caption", 0)                            \
	X(CENTER, "center", 0)                              \
	X(CITE, "cite", TAG_INLINE)                         \
	X(CODE, "code", TAG_INLINE)                         \
	X(COL, "col", TAG_VOID)                             \
	X(COLGROUP, "colgroup", 0)                          \
	X(DATA, "data", TAG_INLINE)                         \
	X(DATALIST, "datalist", 0)                          \
	X(DD, "dd", 0)                                      \
	X(DEL, "del", TAG_INLINE)                           \
	X(DETAILS, "details", 0)                            \
	X(DFN, "dfn", TAG_INLINE)                           \
	X(DIALOG, "dialog", 0)                              \
	X(DIR, "dir", 0)                                    \
	X(DIV, "div", 0)                                    \
	X(DL, "dl", 0)                                      \
	X(DT, "dt", 0)                                      \
	X(EM, "em", TAG_INLINE)                             \
	X(EMBED, "embed", TAG_VOID)                         \
	X(FIELDSET, "fieldset", 0)                          \
	X(FIGCAPTION, "figcaption", 0)                      \
	X(FIGURE, "figure", 0)                              \
	X(FONT, "font", TAG_INLINE)                         \
	X(FOOTER, "footer", 0)                              \
	X(FORM, "form", 0)                                  \
	X(FRAME, "frame", TAG_VOID)                         \
	X(FRAMESET, "frameset", 0)                          \
	X(H1, "h1", TAG_HEADING)                            \
	X(H2, "h2", TAG_HEADING)                            \
	X(H3, "h3", TAG_HEADING)                            \
	X(H4, "h4", TAG_HEADING)                            \
	X(H5, "h5", TAG_HEADING)                            \
	X(H6, "h6", TAG_HEADING)                            \
	X(HEAD, "head", 0)                                  \
	X(HEADER, "header", 0)                              \
	X(HGROUP, "hgroup", 0)                              \
	X(HR, "hr", TAG_VOID)                               \
	X(HTML, "html", 0)                                  \
	X(I, "i", TAG_INLINE)                               \
	X(IFRAME, "iframe", TAG_RAW | TAG_SKIP)             \
	X(IMG, "img", TAG_VOID)                             \
	X(INPUT, "input", TAG_VOID)                         \
	X(INS, "ins", TAG_INLINE)                           \
	X(KBD, "kbd", TAG_INLINE)                           \
	X(LABEL, "label", TAG_INLINE)                       \
	X(LEGEND, "legend", 0)                              \
	X(LI, "li", 0)                                      \
	X(LINK, "link", TAG_VOID)                           \
	X(MAIN, "main", 0)                                  \
	X(MAP, "map", 0)                                    \
	X(MARK, "mark", TAG_INLINE)                         \
	X(MATH, "math", TAG_SKIP)                           \
	X(MENU, "menu", 0)                                  \
	X(META, "meta", TAG_VOID)                           \
	X(METER, "meter", 0)                                \
	X(NAV, "nav", 0)                                    \
	X(NOBR, "nobr", TAG_INLINE)                         \
	X(NOFRAMES, "noframes", 0)                          \
	X(NOSCRIPT, "noscript", TAG_SKIP)                   \
	X(OBJECT, "object", TAG_SKIP)                       \
	X(OL, "ol", 0)                                      \
	X(OPTGROUP, "optgroup", 0)                          \
	X(OPTION, "option", 0)                              \
	X(OUTPUT, "output", 0)                              \
	X(P, "p", 0)                                        \
	X(PARAM, "param", TAG_VOID)                         \
	X(PICTURE, "picture", 0)                            \
	X(PRE, "pre", TAG_KEEPS_SPACE)                      \
	X(PROGRESS, "progress", 0)                          \
	X(Q, "q", TAG_INLINE)                               \
	X(RB, "rb", 0)                                      \
	X(RP, "rp", TAG_INLINE)                             \
	X(RT, "rt", TAG_INLINE)                             \
	X(RUBY, "ruby", TAG_INLINE)                         \
	X(S, "s", TAG_INLINE)                               \
	X(SAMP, "samp", TAG_INLINE)                         \
	X(SCRIPT, "script", TAG_RAW)                        \
	X(SECTION, "section", 0)                            \
	X(SELECT, "select", TAG_SKIP)                       \
	X(SLOT, "slot", 0)                                  \
	X(SMALL, "small", TAG_INLINE)                       \
	X(SOURCE, "source", TAG_VOID)                       \
	X(SPAN, "span", TAG_INLINE)                         \
	X(STRIKE, "strike", TAG_INLINE)                     \
	X(STRONG, "strong", TAG_INLINE)                     \
	X(STYLE, "style", TAG_RAW)                          \
	X(SUB, "sub", TAG_INLINE)                           \
	X(SUMMARY, "summary", 0)                            \
	X(SUP, "sup", TAG_INLINE)                           \
	X(SVG, "svg", TAG_SKIP)                             \
	X(TABLE, "table", 0)                                \
	X(TBODY, "tbody", 0)                                \
	X(TD, "td", 0)                                      \
	X(TEMPLATE, "template", TAG_SKIP)                   \
	X(TEXTAREA, "textarea", TAG_RAW | TAG_SKIP | TAG_KEEPS_SPACE) \
	X(TFOOT, "tfoot", 0)                                \
	X(TH, "th", 0)                                      \
	X(THEAD, "thead", 0)                                \
	X(TIME, "time", TAG_INLINE)                         \
	X(TITLE, "title", TAG_RAW | TAG_SKIP)               \
	X(TR, "tr", 0)                                      \
	X(TRACK, "track", TAG_VOID)                         \
	X(TT, "tt", TAG_INLINE)                             \
	X(U, "u", TAG_INLINE)                               \
	X(UL, "ul", 0)                                      \
	X(VAR, "var", TAG_INLINE)                           \
	X(VIDEO, "video", 0)                                \
	X(WBR, "wbr", TAG_VOID | TAG_INLINE)                \
	X(XMP, "xmp", TAG_RAW | TAG_KEEPS_SPACE)
/* clang-format on */

enum html_tag_property {
	TAG_INLINE = 1, /* does not divide a word or line */
	TAG_VOID = 2,   /* never has an end tag */
	TAG_RAW = 4,    /* its content is not markup, up to the end tag of the same name */
	TAG_SKIP = 8,   /* its content is not visible text of the page */
	TAG_HEADING = 16,
	TAG_KEEPS_SPACE = 32, /* white space in it does not collapse */
	TAG_NAMELESS = 128,   /* not an element: an empty slot of the hash table */
};

enum html_tag {
	HTML_TAG_OTHER, /* a name that is not in the table; also doctype and processing instructions */
#define HTML_TAG_ENUM(id, name, properties) HTML_TAG_##id,
	HTML_TAGS(HTML_TAG_ENUM)
#undef HTML_TAG_ENUM
		HTML_TAGS_COUNT
};

/** The number of a name, in upper or lower case. */
enum html_tag html_tag_find(struct slice name);

enum { HTML_TAG_NAME_MOST = 64 }; /* bytes of a name that are read */

struct html_tag_name {
	size_t len;
	enum html_tag tag;
};
/** The name at `p`, which ends before white space, '/' or '>'. HTML_TAG_NAME_MOST + 1 bytes must be readable. */
struct html_tag_name html_tag_read(const uint8_t *p);

/** Whether a byte ends a tag's name: white space, '/' or '>'. */
static inline bool html_ends_name(uint8_t c)
{
	static const bool ends[256] = {
		[' '] = 1, ['\t'] = 1, ['\n'] = 1, ['\f'] = 1, ['\r'] = 1, ['/'] = 1, ['>'] = 1
	};
	return ends[c];
}

/** Lower-case name; "" for HTML_TAG_OTHER. */
const char *html_tag_name(enum html_tag tag);
/** Properties by tag: a set of enum html_tag_property. */
extern const uint8_t html_tag_properties[HTML_TAGS_COUNT];

static inline bool html_tag_is(enum html_tag tag, enum html_tag_property property)
{
	return (html_tag_properties[tag] & property) != 0;
}

#endif
