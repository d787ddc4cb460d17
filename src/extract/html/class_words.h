/* SPDX-License-Identifier: MIT */
/* Words of the attribute class, and what they mean: which are known, and which name a programming language. */
#ifndef DANA_EXTRACT_HTML_CLASS_WORDS_H
#define DANA_EXTRACT_HTML_CLASS_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/** Meanings, as a set. */
enum class_word {
	CLASS_GUTTER = 1 << 0,       /* numbers of lines */
	CLASS_ANCHOR = 1 << 1,       /* the link of a heading to itself */
	CLASS_COPY = 1 << 2,         /* tools around code */
	CLASS_READER = 1 << 3,       /* for programs that read aloud */
	CLASS_FORMULA_COPY = 1 << 4, /* a formula as it is shown, beside its source */
	CLASS_FORMULA = 1 << 5,      /* an element that holds a formula */
	CLASS_KATEX_SHOWN = 1 << 6,  /* a formula shown twice too, where it is hidden from readers */
	CLASS_CODE = 1 << 7,         /* all in it is code, each block in it a line */
	CLASS_NOTES = 1 << 8,
	CLASS_NOTE_REFERENCE = 1 << 9,
	CLASS_LANGUAGE = 1 << 10,    /* the word itself is a language: "python" */
	CLASS_NO_LANGUAGE = 1 << 11, /* "text", "none" */
	CLASS_HIGHLIGHT = 1 << 12,   /* an element around code */
	CLASS_TASK = 1 << 13,
	CLASS_EDIT = 1 << 14,     /* links beside a heading to edit its part of the page */
	CLASS_TOOL = 1 << 15,     /* the same, where it is in the heading */
	CLASS_ORNAMENT = 1 << 16, /* as the first class: enough to be no part of the words of the heading around it */
	CLASS_BLOCK =
		1 << 17, /* it is shown as a block, whatever its tag is; classes of display: display_of_class decides */
	CLASS_SIDENOTE = 1 << 18, /* a note beside its reference */
	CLASS_NUMBERS = 1 << 19,  /* numbers of lines, with none of the code */
	CLASS_HIDDEN = 1 << 20,   /* it is not shown, unless display_of_class finds another class that shows it */
};

enum { CLASS_WORDS = 308, CLASS_WORD_MOST = 36 /* bytes */ };

/** In lower case. */
extern const struct class_word_entry {
	char word[CLASS_WORD_MOST + 1];
	unsigned meanings;
} class_word_table[CLASS_WORDS];

/** Returns the meanings of a word in any case; 0: it has none. */
unsigned class_word_meanings(struct slice name);
/** Returns whether the name means that the text is not in a language, such as "plaintext". */
bool class_word_is_no_language(struct slice name);

#endif
