/* SPDX-License-Identifier: MIT */
/*
 * The attributes of a start tag that mean something for the structure, read in one go, and the meanings of the words of
 * its class (html/class_words.h).
 */
#ifndef DANA_EXTRACT_STRUCTURE_TAG_FACTS_H
#define DANA_EXTRACT_STRUCTURE_TAG_FACTS_H

#include "extract/html/attribute.h"
#include "extract/html/class_words.h"
#include "extract/html/display.h"
#include "extract/html/tokenizer.h"

/** What all words of one attribute say. The slices are parts of its value, empty if it has no such word. */
struct class_words {
	unsigned meanings;
	struct slice language;      /* X of "language-X" and the like */
	struct slice bare_language; /* the first word that is a language by itself */
	unsigned others;            /* words that are not in the table, such as "hljs" */
};

/** Tells most words that say nothing from the others. */
struct class_reader {
	uint32_t lengths[256]; /* of words that may say something, by their first letters: bit k: one has k bytes, 31:
				  or more */
	uint8_t value[HTML_TAG_BYTES + 8]; /* the value that is read, before blanks */
};

enum attr_kind {
	ATTR_CLASS,
	ATTR_STYLE,
	ATTR_HIDDEN,
	ATTR_HREF,
	ATTR_ID,
	ATTR_SRC,
	ATTR_ALT,
	ATTR_TITLE,
	ATTR_WIDTH,
	ATTR_HEIGHT,
	ATTR_TYPE,
	ATTR_CHECKED,
	ATTR_DISABLED,
	ATTR_START,
	ATTR_VALUE,
	ATTR_ROLE,
	ATTR_COLSPAN,
	ATTR_ROWSPAN,
	ATTR_LANG,
	ATTR_CODE_LANG, /* data-lang and the like */
	ATTR_DISPLAY,
	ATTR_ALTTEXT,
	ATTR_ENCODING,
	ATTR_NOTE, /* data-footnote-ref */
	ATTR_LINE, /* data-line-number */
	ATTR_NAME,
	ATTR_TEX, /* data-tex and the like */
	ATTR_KINDS,
};

/** What any element may say of itself: that it is hidden, the meanings of its class, the language of code in it. */
enum { ATTRS_OF_ALL = 1 << ATTR_CLASS | 1 << ATTR_STYLE | 1 << ATTR_HIDDEN | 1 << ATTR_CODE_LANG };
/** What a link may lead to. */
enum { ATTRS_OF_PLACES = 1 << ATTR_ID | 1 << ATTR_NAME };

struct tag_facts {
	uint32_t has;                   /* bit k: attribute k is there; a class only if a word of it is known */
	struct slice value[ATTR_KINDS]; /* set where its bit is; the first of a name counts */
	struct class_words words;
};

enum { TAGS_SEEN = 64, TAG_SEEN_BYTES = 128 };

/** Reads the attributes of tags, and remembers the tags that it has read: most come again and again. */
struct tag_reader {
	const uint8_t *limit; /* the end of the memory that the sources are in: vectors may read up to it */
	struct class_reader classes;
	struct seen_tag {
		struct slice source; /* empty: of no tag */
		struct tag_facts facts;
	} seen[TAGS_SEEN + 1]; /* the last: of the latest long tag */
};

extern const struct tag_facts tag_facts_none;
/** Of a zeroed reader. */
void tag_reader_init(struct tag_reader *reader);
/** Prepares for a page; the sources of its tags stay as they are until the next one, and end before `limit`. */
void tag_reader_reset(struct tag_reader *reader, const uint8_t *limit);
/** tag_facts_of where the tag has attributes. */
const struct tag_facts *tag_reader_read(struct tag_reader *reader, const struct html_tag_event *event);
/** Returns those attributes of a start tag that mean something there; valid until the next call. */
static inline const struct tag_facts *tag_facts_of(struct tag_reader *reader, const struct html_tag_event *event)
{
	const uint8_t *after = event->name.data + event->name.len;
	if (after == event->source.data + event->source.len || *after == '>')
		return &tag_facts_none;
	return tag_reader_read(reader, event);
}

static inline bool tag_facts_has(const struct tag_facts *facts, enum attr_kind kind)
{
	return facts->has >> kind & 1;
}

/** Returns the value as written; empty if the tag has no such attribute. */
static inline struct slice tag_facts_value(const struct tag_facts *facts, enum attr_kind kind)
{
	return tag_facts_has(facts, kind) ? facts->value[kind] : slice_of(NULL, 0);
}

/** Returns the value if it is a number of 1 to 8 digits, perhaps with a sign, within the range; otherwise `other`. */
int tag_facts_number(const struct tag_facts *facts, enum attr_kind kind, int least, int most, int other);
/**
 * Returns how the page shows an element, and whether it hides it, by the rule of html/display.h. The class of a block
 * is not asked: whether hidden blocks are kept is a method's decision.
 */
struct style_display tag_facts_display(const struct tag_facts *facts, enum html_tag tag);

#endif
