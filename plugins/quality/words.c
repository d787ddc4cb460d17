/* SPDX-License-Identifier: MIT */
/*
 * The split is one pass over the characters. A stretch is the text between white space or characters that are words by
 * themselves. ascii_words() reads those of ASCII, 64 bytes at a time. Most others are one word, or a word with one mark
 * after it, which plain_words() reads with one look into a table for each byte. The rest is read character by
 * character: the first and the last character that is not a mark are remembered, so that the stretch's words and marks
 * are known when it ends.
 */
#include "plugins/quality/words.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/quality/ascii_words.h"
#include "plugins/quality/classes.h"
#include "plugins/quality/word_hash.h"

struct stretch {
	bool open, letter, upper;
	size_t start, word, word_end;                     /* in bytes; word == word_end: only marks so far */
	uint32_t start_chars, word_chars, word_end_chars; /* characters of the text before these */
};

struct splitter {
	struct words *w;
	const char *text;
	size_t len;
	uint32_t chars; /* characters before the current place */
	struct stretch stretch;
	bool unspaced; /* the last character was a word by itself, so combining marks belong to it */
};

/** Makes room for all words of a text of `len` bytes that can be kept. */
static bool reserve(struct words *w, size_t len)
{
	size_t cap = len < WORDS_KEPT ? len : WORDS_KEPT;

	if (cap <= w->cap)
		return true;
	cap = cap < 2 * w->cap && 2 * w->cap <= WORDS_KEPT ? 2 * w->cap : cap;
	free(w->list);
	free(w->hashes);
	w->cap = 0;
	w->list = malloc(cap * sizeof(*w->list));
	w->hashes = malloc(cap * sizeof(*w->hashes));
	if (!w->list || !w->hashes)
		return false;
	w->cap = cap;
	return true;
}

static inline void keep(struct splitter *s, enum word_kind kind, size_t at, size_t len, uint32_t from, uint32_t chars,
			bool upper)
{
	struct words *w = s->w;

	if (w->n == WORDS_KEPT)
		return;
	w->hashes[w->n] = word_hash(s->text + at, len);
	w->list[w->n++] = (struct word){ (uint32_t)at, (uint32_t)len, from, chars, (uint8_t)kind, upper };
}

/** Keeps the marks from `at` to `end`: a run of one character is one mark. */
static void keep_marks(struct splitter *s, size_t at, size_t end, uint32_t from)
{
	int32_t c, next;

	while (at < end) {
		size_t stop = at + next_char(s->text + at, &c);
		uint32_t chars = 1;
		while (stop < end) {
			size_t width = next_char(s->text + stop, &next);
			if (next != c)
				break;
			stop += width;
			chars++;
		}
		keep(s, WORD_MARK, at, stop - at, from, chars, false);
		s->w->marks++;
		from += chars;
		at = stop;
	}
}

static inline void keep_word(struct splitter *s, size_t at, size_t end, uint32_t from, uint32_t chars, bool letter,
			     bool upper)
{
	keep(s, WORD_SPACED, at, end - at, from, chars, upper);
	s->w->spaced++;
	s->w->spaced_chars += chars;
	s->w->with_letter += letter;
}

static void end_stretch(struct splitter *s, size_t at)
{
	struct stretch *t = &s->stretch;

	if (!t->open)
		return;
	t->open = false;
	if (t->word == t->word_end) {
		keep_marks(s, t->start, at, t->start_chars);
		return;
	}
	if (t->start < t->word)
		keep_marks(s, t->start, t->word, t->start_chars);
	keep_word(s, t->word, t->word_end, t->word_chars, t->word_end_chars - t->word_chars, t->letter, t->upper);
	if (t->word_end < at)
		keep_marks(s, t->word_end, at, t->word_end_chars);
}

static void unspaced(struct splitter *s, enum char_class class, size_t at, size_t end)
{
	end_stretch(s, at);
	keep(s, WORD_UNSPACED, at, end - at, s->chars, 1, false);
	s->w->unspaced++;
	s->w->with_letter += class == CLASS_UNSPACED;
	s->w->unpunctuated += word_is_unpunctuated(s->text + at);
}

/** Adds a combining mark to the character before it, which is a word by itself. */
static void combine(struct splitter *s, size_t end)
{
	struct words *w = s->w;

	if (!w->n || w->n == WORDS_KEPT)
		return;
	struct word *last = &w->list[w->n - 1];
	last->len = (uint32_t)(end - last->at);
	last->chars++;
	w->hashes[w->n - 1] = word_hash(s->text + last->at, last->len);
}

static inline enum char_class class_at(const struct classes *t, const char *at, size_t *width)
{
	uint8_t class = t->of_byte[(uint8_t)*at];
	int32_t c;

	*width = 1;
	if (class != CLASS_LONG)
		return class;
	*width = next_char(at, &c);
	return c < CLASSES_LISTED ? t->of_char[c] : class_of(c);
}

/**
 * A row of word characters: where it ends, and the class of the character there (CLASS_SPACE at the end of the text).
 */
struct run {
	size_t end;
	uint32_t chars;
	unsigned classes; /* a bit for each */
	enum char_class next;
};

static inline struct run read_run(const struct splitter *s, size_t at)
{
	const struct classes *t = s->w->classes;
	struct run r = { at, 0, 0, CLASS_SPACE };
	size_t width;

	while (at < s->len) {
		size_t start = at;
		while (at < s->len && t->of_byte[(uint8_t)s->text[at]] == CLASS_LETTER)
			at++;
		r.classes |= (unsigned)(at > start) << CLASS_LETTER;
		r.chars += (uint32_t)(at - start);
		r.end = at;
		if (at == s->len)
			break;
		enum char_class class = class_at(t, s->text + at, &width);
		if (class > CLASS_COMBINING) {
			r.next = class;
			break;
		}
		r.classes |= 1U << class;
		r.chars++;
		r.end = at += width;
	}
	return r;
}

/**
 * Keeps words, with or without a one-byte mark after them, as long as one-byte white space follows. Returns where it
 * stops.
 */
static size_t plain_words(struct splitter *s, size_t at)
{
	while (at < s->len) {
		const struct ascii_place place =
			ascii_words(s->w, s->text, s->len, (struct ascii_place){ at, s->chars });
		at = place.at;
		s->chars = place.chars;
		struct run r = read_run(s, at);
		bool mark = r.next == CLASS_MARK && (uint8_t)s->text[r.end] < 0x80;
		size_t end = r.end + mark;
		if (r.end == at || (end < s->len && s->w->classes->of_byte[(uint8_t)s->text[end]] != CLASS_SPACE))
			return at;
		keep_word(s, at, r.end, s->chars, r.chars, r.classes & (1U << CLASS_LETTER | 1U << CLASS_UPPER),
			  r.classes & 1U << CLASS_UPPER);
		s->chars += r.chars;
		if (mark) {
			keep(s, WORD_MARK, r.end, 1, s->chars, 1, false);
			s->w->marks++;
			s->chars++;
		}
		if (end == s->len)
			return end;
		s->chars++;
		at = end + 1;
	}
	return at;
}

static void open_stretch(struct splitter *s, size_t at)
{
	if (!s->stretch.open)
		s->stretch = (struct stretch){ .open = true, .start = at, .start_chars = s->chars };
}

/** Adds word characters to the open stretch, or begins a stretch with them. */
static size_t in_stretch(struct splitter *s, size_t at, struct run r)
{
	struct stretch *t = &s->stretch;

	open_stretch(s, at);
	if (t->word == t->word_end) {
		t->word = at;
		t->word_chars = s->chars;
	}
	s->chars += r.chars;
	t->word_end = r.end;
	t->word_end_chars = s->chars;
	t->letter |= (r.classes & (1U << CLASS_LETTER | 1U << CLASS_UPPER)) != 0;
	t->upper |= (r.classes & 1U << CLASS_UPPER) != 0;
	return r.end;
}

/** Reads one character of any class. */
static size_t one_character(struct splitter *s, size_t at)
{
	size_t width;
	enum char_class class = class_at(s->w->classes, s->text + at, &width);
	size_t end = at + width;
	bool alone = class == CLASS_UNSPACED || class == CLASS_UNSPACED_2;
	bool combines = class == CLASS_COMBINING && s->unspaced;

	s->unspaced = alone || combines;
	if (class < CLASS_MARK && !combines)
		return in_stretch(s, at, read_run(s, at));
	if (combines)
		combine(s, end);
	else if (class == CLASS_SPACE)
		end_stretch(s, at);
	else if (alone)
		unspaced(s, class, at, end);
	else
		open_stretch(s, at);
	s->chars++;
	return end;
}

bool words_split(struct words *w, const char *text, size_t len)
{
	struct splitter s = { .w = w, .text = text, .len = len };

	w->n = 0;
	w->chars = w->spaced = w->spaced_chars = w->unspaced = w->marks = w->with_letter = w->unpunctuated = 0;
	if (!reserve(w, len))
		return false;
	for (size_t at = 0; at < len;) {
		if (!s.stretch.open && !s.unspaced)
			at = plain_words(&s, at);
		if (at < len)
			at = one_character(&s, at);
	}
	end_stretch(&s, len);
	w->chars = s.chars;
	return true;
}

void words_free(struct words *w)
{
	free(w->list);
	free(w->hashes);
	*w = (struct words){ 0 };
}
