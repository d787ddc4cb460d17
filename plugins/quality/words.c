/* SPDX-License-Identifier: MIT */
/*
 * The split is one pass over the characters. What stands between white space and characters that are words by themselves is
 * a stretch; of a stretch the first and the last character that is no mark are remembered, so that its words and marks are
 * known when it ends.
 */
#include "plugins/quality/words.h"

#include <stdlib.h>
#include <utf8proc.h>

#include "plugins/quality/classes.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

struct stretch {
	bool open, letter, upper;
	size_t start, word, word_end;                     /* bytes; word == word_end: all marks */
	uint32_t start_chars, word_chars, word_end_chars; /* characters of the text before these */
};

struct splitter {
	struct words *w;
	const char *text;
	struct stretch stretch;
	bool unspaced;  /* the last character was a word of its own: combining marks belong to it */
	bool exhausted; /* memory */
};

static bool reserve(struct words *w)
{
	if (w->n < w->cap)
		return true;
	size_t cap = w->cap ? 2 * w->cap : 4096;
	struct word *list = realloc(w->list, cap * sizeof(*list));
	if (list)
		w->list = list;
	uint64_t *hashes = realloc(w->hashes, cap * sizeof(*hashes));
	if (hashes)
		w->hashes = hashes;
	if (!list || !hashes)
		return false;
	w->cap = cap;
	return true;
}

static void keep(struct splitter *s, struct word word)
{
	struct words *w = s->w;

	if (w->n == WORDS_KEPT)
		return;
	if (!reserve(w)) {
		s->exhausted = true;
		return;
	}
	w->list[w->n] = word;
	w->hashes[w->n++] = XXH3_64bits(s->text + word.at, word.len);
}

/** Marks from `at` to `end`: a run of one character is one mark. */
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
		keep(s, (struct word){ (uint32_t)at, (uint32_t)(stop - at), from, chars, WORD_MARK, false });
		s->w->marks++;
		from += chars;
		at = stop;
	}
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
	uint32_t chars = t->word_end_chars - t->word_chars;
	keep(s, (struct word){ (uint32_t)t->word, (uint32_t)(t->word_end - t->word), t->word_chars, chars, WORD_SPACED,
			       t->upper });
	s->w->spaced++;
	s->w->spaced_chars += chars;
	s->w->with_letter += t->letter;
	if (t->word_end < at)
		keep_marks(s, t->word_end, at, t->word_end_chars);
}

/** Characters of a stretch of one class, from byte `at` to `end`; `chars` characters stand before them. */
static void in_stretch(struct splitter *s, enum char_class class, size_t at, size_t end, uint32_t chars, uint32_t n)
{
	struct stretch *t = &s->stretch;

	if (!t->open)
		*t = (struct stretch){ .open = true, .start = at, .start_chars = chars };
	if (class == CLASS_MARK)
		return;
	if (t->word == t->word_end) {
		t->word = at;
		t->word_chars = chars;
	}
	t->word_end = end;
	t->word_end_chars = chars + n;
	t->letter = t->letter || class == CLASS_LETTER || class == CLASS_UPPER;
	t->upper = t->upper || class == CLASS_UPPER;
}

static void unspaced(struct splitter *s, int32_t c, size_t at, size_t end, uint32_t chars)
{
	utf8proc_category_t category = utf8proc_category(c);

	end_stretch(s, at);
	keep(s, (struct word){ (uint32_t)at, (uint32_t)(end - at), chars, 1, WORD_UNSPACED, false });
	s->w->unspaced++;
	s->w->with_letter += category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
	s->w->unpunctuated += word_is_unpunctuated(s->text + at);
}

/** A combining mark after a character that is a word by itself. */
static void combine(struct splitter *s, size_t end)
{
	struct words *w = s->w;

	if (!w->n || w->n == WORDS_KEPT)
		return;
	struct word *last = &w->list[w->n - 1];
	last->len = (uint32_t)(end - last->at);
	last->chars++;
	w->hashes[w->n - 1] = XXH3_64bits(s->text + last->at, last->len);
}

static enum char_class class_at(const struct words *w, const char *at, int32_t *c, size_t *width)
{
	*width = next_char(at, c);
	return *c < CLASSES_LISTED ? (enum char_class)w->classes[*c] : class_of(*c);
}

bool words_split(struct words *w, const char *text, size_t len)
{
	struct splitter s = { .w = w, .text = text };
	uint32_t chars = 0;
	int32_t c;
	size_t width;

	w->n = 0;
	w->spaced = w->spaced_chars = w->unspaced = w->marks = w->with_letter = w->unpunctuated = 0;
	for (size_t at = 0; at < len && !s.exhausted;) {
		enum char_class class = class_at(w, text + at, &c, &width);
		size_t end = at + width;
		uint32_t n = 1;
		if (class == CLASS_LETTER)
			for (; end < len && class_at(w, text + end, &c, &width) == CLASS_LETTER; n++)
				end += width;
		if (class == CLASS_COMBINING && s.unspaced)
			combine(&s, end);
		else if (class == CLASS_SPACE)
			end_stretch(&s, at);
		else if (class == CLASS_UNSPACED)
			unspaced(&s, c, at, end, chars);
		else
			in_stretch(&s, class, at, end, chars, n);
		s.unspaced = class == CLASS_UNSPACED || (class == CLASS_COMBINING && s.unspaced);
		chars += n;
		at = end;
	}
	end_stretch(&s, len);
	return !s.exhausted;
}

void words_free(struct words *w)
{
	free(w->list);
	free(w->hashes);
	*w = (struct words){ 0 };
}
