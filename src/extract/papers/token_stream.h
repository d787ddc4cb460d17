/* SPDX-License-Identifier: MIT */
/*
 * The page as words and tags, for the methods that count those: text decoded, runs of white space collapsed, without
 * what is not visible (comments, scripts, styles, and all that the tokeniser skips). The same for every split.
 *
 * A word is what the measures call a token: a character of a script without spaces, or a run of other characters
 * without white space in one text between two tags (doc/METHODS.md). A word of more than TOKEN_WORD_MAX bytes comes as
 * several.
 *
 * Ownership: a token_stream is the first member of a method's state and owns nothing. Slices are valid during the call.
 */
#ifndef DANA_PAPERS_TOKEN_STREAM_H
#define DANA_PAPERS_TOKEN_STREAM_H

#include "extract/html/entity.h"
#include "extract/html/tokenizer.h"
#include "extract/method/held_space.h"

enum { TOKEN_WORD_MAX = 512 };

struct token_word {
	struct slice text;  /* decoded, valid UTF-8 */
	size_t chars;       /* code points */
	struct slice white; /* white space before it that does not collapse (held_space.h) */
	bool breaks;        /* a block boundary precedes it */
	bool space;         /* white space, but no block boundary, precedes it */
	bool newline;       /* a line of the source ended before it, in text */
	bool link;          /* inside an anchor */
	uint64_t unit;      /* position of the text between two tags that contains it */
	uint64_t from, to;  /* its own position */
	uint64_t before;    /* end of the word before it; 0: it is the first */
};

struct token_tag {
	const struct html_tag_event *event;
	size_t chars; /* code points of its source */
	bool newline; /* a line of the source ended before it, in text */
};

struct token_stream;

/** A method's functions for the events; a negative status ends the page. */
struct token_stream_ops {
	int (*word)(struct token_stream *t, const struct token_word *word);
	int (*tag)(struct token_stream *t, const struct token_tag *tag);
	/** Optional: takes each piece of the page that is not visible text; the pieces depend on the split. */
	int (*gap)(struct token_stream *t, const struct html_run *run);
	/** Optional: takes the tags of skipped elements and those inside of them. */
	int (*skipped_tag)(struct token_stream *t, const struct html_tag_event *event);
};

struct token_stream {
	const struct token_stream_ops *ops;
	uint8_t reference[HTML_ENTITY_LONGEST]; /* a character reference that may continue */
	size_t reference_len;
	uint8_t part[4]; /* the beginning of a character */
	size_t part_len;
	uint8_t word[TOKEN_WORD_MAX + 4];
	size_t word_len, word_chars;
	size_t tag_chars;
	struct held_space held; /* since the last word or block boundary */
	uint8_t white;          /* enum white_space of the current text */
	uint64_t unit;
	uint64_t word_from, word_to;   /* positions: of the open word, */
	uint64_t taken_from, taken_to; /* of what is being taken, */
	uint64_t last_to;              /* and the end of the last word */
	uint64_t source_end;           /* end of the page so far */
	bool in_unit, breaks, space, newline, link;
};

void token_stream_reset(struct token_stream *t, const struct token_stream_ops *ops);
/** Functions for struct method: `state` begins with the stream. */
int token_stream_run(void *state, const struct html_run *run);
int token_stream_tag(void *state, const struct html_tag_event *event);
/** Ends the page: delivers the last word. */
int token_stream_finish(struct token_stream *t);

/** True for a character that is a word by itself. */
bool token_char_is_word(uint32_t c);
/** True for white space of any kind, including no-break space. */
bool token_char_is_space(uint32_t c);

#endif
