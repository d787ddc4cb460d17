/*
 * The one incremental tokeniser that all methods share. UTF-8 bytes in, any split; runs of bytes and
 * tags out. It keeps no page: state and the source of one tag. Events borrow memory, valid during the call.
 */
#ifndef DANA_HTML_TOKENIZER_H
#define DANA_HTML_TOKENIZER_H

#include "html/byte_masks.h"
#include "html/tag.h"

enum html_run_kind {
	HTML_TEXT, /* outside of all tags; character references are not decoded */
	HTML_CODE, /* bytes of tags (including < and >), doctype, processing instructions, bogus comments */
	HTML_VOID, /* comments, and <script>, <style> with their tags and content */
};

/**
 * A piece of the page. Pieces follow each other without gap or overlap; together they are the page, byte for byte.
 * A unit (one text between two tags, one tag, one comment) may come in several pieces: the split of the input shows here
 * and only here, so a consumer must not care where a piece ends.
 */
struct html_run {
	enum html_run_kind kind;
	bool skipped;       /* inside noscript, template, svg, ...: their tags too */
	uint8_t tag;        /* CODE: enum html_tag of this tag. TEXT in title, textarea, iframe: that element */
	bool closing;       /* CODE: an end tag */
	bool first;         /* CODE, VOID: the first piece of its tag or comment */
	struct slice bytes; /* never empty */
	const struct byte_mask *masks; /* classes of the bytes; byte i has bit (at + i) % 64 of masks[(at + i) / 64] */
	size_t at;
	uint64_t offset; /* position of bytes.data[0] in the page */
};

/** Longest tag source that attributes are read from; what lies behind is not seen. The same for every split. */
enum { HTML_TAG_BYTES = 16 << 10 };

/** A tag, after its last CODE (or VOID: script, style) piece. */
struct html_tag_event {
	uint8_t tag;
	bool closing, self_closing;
	bool skipped;        /* inside a skipped element, or the tag of one */
	struct slice name;   /* as written; at most 64 bytes */
	struct slice source; /* from '<' to '>', at most HTML_TAG_BYTES bytes: for html_attr_next */
	uint64_t start, end; /* position of '<', and behind '>' */
};

/**
 * The commonest case at once: a text (perhaps empty) and the whole plain tag behind it, both in one window, neither of them in
 * or of a skipped or raw element. The same as a TEXT run, a CODE run with `first`, and the tag's event.
 */
struct html_unit {
	const uint8_t *window; /* bytes of the text: window[text..code) */
	const struct byte_mask
		*masks; /* bit i % 64 of masks[i / 64] belongs to window[i]; readable for 64 bytes behind `end` */
	size_t text, code, end; /* of the tag: window[code..end) */
	size_t len;             /* of the window: so much can be read */
	uint64_t base;          /* position of window[0] in the page */
	size_t name_len;
	uint8_t tag;
	bool closing, self_closing;
};

/**
 * A stretch of markup, from behind one tag or comment to behind another, all in one window: texts, whole tags, comments, scripts
 * and styles; but nothing of other raw elements. The same as so many runs and tag events.
 */
struct html_stretch {
	const uint8_t *window; /* the stretch is window[from..to) */
	/** Bit i % 64 of masks[i / 64] belongs to window[i], as in the next three; one more is readable. `lt` and `gt` are not for it. */
	const struct byte_mask *masks;
	const uint64_t *code; /* bytes of tags, comments, scripts and styles; and all others outside of from..to */
	const uint64_t *
		voids; /* bytes of comments, scripts, styles and skipped elements, with their tags: not of the visible page */
	const uint64_t *breaks; /* '<' of each tag that is not inline; none in voids */
	size_t from, to;
	uint64_t base; /* position of window[0] in the page */
	bool fast;     /* bits_fast */
};

/** Bytes that are classified at once, the longest stretch. */
enum { HTML_WINDOW = 16 << 10 };

/** What a consumer does with the events; status 0, or negative, which html_tokenizer_feed passes on at once. */
struct html_handler {
	int (*run)(void *arg, const struct html_run *run);
	int (*tag)(void *arg, const struct html_tag_event *event);
	void *arg;
	/** NULL: units come as runs and tags. The split of the input decides which units come so and which as runs. */
	int (*unit)(void *arg, const struct html_unit *unit);
	/** Instead of `unit`; NULL: no stretches. The split decides here too. */
	int (*stretch)(void *arg, const struct html_stretch *stretch);
	/** With `stretch`: nothing of VOID is looked at, so that its masks may be anything, and scripts and styles come without events. */
	bool voids_unread;
};

/** Tells a unit as runs and a tag. */
int html_unit_replay(const struct html_unit *unit, const struct html_handler *handler);

struct html_tokenizer;

/** It uses the vector paths of the level that is in use now (base/cpu.h). NULL when memory is exhausted. */
struct html_tokenizer *html_tokenizer_new(const struct html_handler *handler);
int html_tokenizer_feed(struct html_tokenizer *t, struct slice bytes);
/** End of the page: an unfinished tag or comment ends here (its pieces are delivered; no tag event). */
int html_tokenizer_finish(struct html_tokenizer *t);
void html_tokenizer_reset(struct html_tokenizer *t);
/** Source text of the first <title> outside svg and the like (at most 16 KiB), line breaks as they were; *seen tells whether there is one. */
struct slice html_tokenizer_title(const struct html_tokenizer *t, bool *seen);
void html_tokenizer_free(struct html_tokenizer *t);

/* Attributes of a start tag, read on demand from its source. */
struct html_attr {
	struct slice name;  /* as written */
	struct slice value; /* character references not decoded; empty when there is none */
};
struct html_attr_iter {
	struct slice rest;
};
/** Begins at the source of a tag event. */
struct html_attr_iter html_attr_begin(const struct html_tag_event *event);
/** False when there are no more. */
bool html_attr_next(struct html_attr_iter *iter, struct html_attr *attr);

/** Sums over a run's masks, for methods that count. */
struct html_run_count {
	size_t chars; /* code points */
	size_t spaces; /* white space characters that follow another one directly (they count nothing when runs collapse) */
	size_t high; /* bytes of 0x80 and above */
};
/** `after_space`: the byte before the run was white space. */
struct html_run_count html_run_sum(const struct html_run *run, bool after_space);
/** Adds the characters of a run that are no white space to *chars, those above 127 to *high. */
void html_run_content(const struct html_run *run, uint64_t *chars, uint64_t *high);

#endif
