/* SPDX-License-Identifier: MIT */
/* What words of a class attribute say: which are known, and which name a programming language. */
#ifndef DANA_STRUCTURE_CLASS_WORDS_H
#define DANA_STRUCTURE_CLASS_WORDS_H

#include "extract/html/tokenizer.h"

/** Meanings, as a set. */
enum class_word {
	CLASS_GUTTER = 1 << 0,       /* numbers of lines */
	CLASS_ANCHOR = 1 << 1,       /* the link of a heading to itself */
	CLASS_COPY = 1 << 2,         /* tools around code */
	CLASS_READER = 1 << 3,       /* for programs that read aloud */
	CLASS_FORMULA_TWIN = 1 << 4, /* a formula as it is shown, beside its source */
	CLASS_FORMULA = 1 << 5,      /* an element that holds a formula */
	CLASS_KATEX_SHOWN = 1 << 6,  /* a twin too, where it is hidden from readers */
	CLASS_FORMULA_IMAGE = 1 << 7,
	CLASS_NOTES = 1 << 8,
	CLASS_NOTE_REFERENCE = 1 << 9,
	CLASS_LANGUAGE = 1 << 10,    /* the word itself is a language: "python" */
	CLASS_NO_LANGUAGE = 1 << 11, /* "text", "none" */
	CLASS_HIGHLIGHT = 1 << 12,   /* an element around code */
	CLASS_TASK = 1 << 13,
};

/** What all words of one attribute say. The slices are parts of its value, empty if it has no such word. */
struct class_words {
	unsigned meanings;
	struct slice language;      /* X of "language-X" and the like */
	struct slice bare_language; /* the first word that is a language by itself */
	unsigned others;            /* words that are not in the table, such as "hljs" */
};

/** Tells most words that say nothing from the others. */
struct class_reader {
	uint32_t lengths[256]; /* of words that may say something, by their first letters: bit k: one has k bytes */
	uint8_t value[HTML_TAG_BYTES + 8]; /* the value that is read, before blanks */
};

/** Of a zeroed reader. */
void class_reader_init(struct class_reader *reader);
/** Returns what the words of a class attribute say. Linear in its length, which is below HTML_TAG_BYTES. */
struct class_words class_words_read(struct class_reader *reader, struct slice value);
/** Returns whether the name says that the text is not in a language, such as "plaintext". */
bool class_word_is_no_language(struct slice name);

#endif
