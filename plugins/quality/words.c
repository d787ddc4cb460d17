/* SPDX-License-Identifier: MIT */
/*
 * Splits a text into words, as the quality filters count them.
 *
 * The split is one pass over the characters. A stretch is the text between white space or characters that are words by
 * themselves. ascii_words() reads words in ASCII, 64 bytes at a time.
 *
 * Most others are one word, or a word with one mark after it, which plain_words() reads with one look into a table for
 * each byte. The rest is read character by character: the first and the last character that is not a mark are
 * remembered, so that the stretch's words and marks are known when it ends.
 */
#include "plugins/quality/words.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/cpu.h"
#include "plugins/quality/stop_word_list.h"

/* Categories of characters are utf8proc's (Unicode 15). */

/* Returns the class of any character; slower than the tables. */
static enum char_class class_of(int32_t c)
{
	if ((c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	    (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000)
		return CLASS_SPACE;
	utf8proc_category_t category = utf8proc_category(c);
	if (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_SO)
		return CLASS_MARK;
	if (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME)
		return CLASS_COMBINING;
	bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
	/* written without spaces */
	static const struct {
		int32_t first, last;
	} ranges[] = {
		{ 0x0e00, 0x0eff }, { 0x1000, 0x109f }, { 0x1780, 0x17ff }, { 0x3005, 0x3007 }, { 0x3040, 0x30ff },
		{ 0x31f0, 0x31ff }, { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff }, { 0xf900, 0xfaff }, { 0x20000, 0x3ffff },
	};
	bool unspaced = false;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		unspaced |= c >= ranges[i].first && c <= ranges[i].last;
	if (unspaced)
		return letter ? CLASS_UNSPACED : CLASS_UNSPACED_2;
	if (!letter)
		return CLASS_OTHER;
	return utf8proc_tolower(c) == c ? CLASS_LETTER : CLASS_UPPER;
}

void classes_init(struct classes *t)
{
	for (int32_t c = 0; c < CLASSES_LISTED; c++)
		t->of_char[c] = (uint8_t)class_of(c);
	for (int c = 0; c < 256; c++)
		t->of_byte[c] = c < 0x80 ? t->of_char[c] : CLASS_LONG;
}

/*
 * Masks have a bit for each of 64 bytes: white space, marks, letters. A stretch ends at the next white space. Its word
 * reaches from the first to the last byte that is not a mark; the bytes before and after the word are marks:
 *
 * 	text    ("Don't stop," he
 * 	spaces  .......x......x..
 * 	marks   xx...x......xx...
 *
 * has the marks `(` and `"`, the word Don't, the word stop, the marks `,` and `"`. "he" may go on in the next 64 bytes,
 * which begin with it.
 */

#if defined(CPU_PATHS_AVX)
#include <immintrin.h>
#elif defined(CPU_PATHS_SSE2)
#include "base/sse2.h"
#endif

#ifdef CPU_PATHS_SSE2

enum { BLOCK = 64, AFTER = 16 };

/** A bit for each byte of a block, the first byte's lowest. */
struct masks {
	uint64_t spaces, marks, letters, capitals;
	uint64_t others; /* beyond ASCII */
};

/** Returns 0xff for each byte that is `first` or one of the `more` values after it, else 0. */
static inline __m128i within(__m128i bytes, char first, char more)
{
	const __m128i from_first = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
	return _mm_cmpeq_epi8(_mm_min_epu8(from_first, _mm_set1_epi8(more)), from_first);
}

static inline uint64_t bits_of(__m128i bytes, int place)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(bytes) << place;
}

static inline struct masks masks_sse2(const char *text)
{
	struct masks m = { 0 };
	for (int i = 0; i < BLOCK; i += 16) {
		const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
		const __m128i letters = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z' - 'a');
		const __m128i digits = within(bytes, '0', '9' - '0'), visible = within(bytes, '!', '~' - '!');
		const __m128i spaces = _mm_or_si128(within(bytes, '\t', '\r' - '\t'), within(bytes, 0x1c, ' ' - 0x1c));
		m.spaces |= bits_of(spaces, i);
		m.marks |= bits_of(_mm_andnot_si128(_mm_or_si128(letters, digits), visible), i);
		m.letters |= bits_of(letters, i);
		m.capitals |= bits_of(_mm_andnot_si128(_mm_slli_epi16(bytes, 2), letters), i); /* bit 5 is not set */
		m.others |= bits_of(bytes, i);
	}
	return m;
}

#ifdef CPU_PATHS_AVX
CPU_TARGET_AVX2 static inline __m256i within_32(__m256i bytes, char first, char more)
{
	const __m256i from_first = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
	return _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, _mm256_set1_epi8(more)), from_first);
}

CPU_TARGET_AVX2 static inline uint64_t bits_of_32(__m256i bytes, int place)
{
	return (uint64_t)(uint32_t)_mm256_movemask_epi8(bytes) << place;
}

CPU_TARGET_AVX2 static inline struct masks masks_avx2(const char *text)
{
	struct masks m = { 0 };
	for (int i = 0; i < BLOCK; i += 32) {
		const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(text + i));
		const __m256i letters = within_32(_mm256_or_si256(bytes, _mm256_set1_epi8(0x20)), 'a', 'z' - 'a');
		const __m256i digits = within_32(bytes, '0', '9' - '0');
		const __m256i visible = within_32(bytes, '!', '~' - '!');
		const __m256i spaces =
			_mm256_or_si256(within_32(bytes, '\t', '\r' - '\t'), within_32(bytes, 0x1c, ' ' - 0x1c));
		m.spaces |= bits_of_32(spaces, i);
		m.marks |= bits_of_32(_mm256_andnot_si256(_mm256_or_si256(letters, digits), visible), i);
		m.letters |= bits_of_32(letters, i);
		m.capitals |= bits_of_32(_mm256_andnot_si256(_mm256_slli_epi16(bytes, 2), letters), i);
		m.others |= bits_of_32(bytes, i);
	}
	return m;
}
#endif

typedef struct masks masks_path(const char *text);

/** The words that are kept, as in struct words. */
struct kept {
	struct word *list;
	uint64_t *hashes;
	size_t n;
	uint64_t spaced, spaced_chars, with_letter, marks;
};

/** Place of a block: bytes of the text before it, and by how many these exceed its characters. */
struct text_block {
	const char *text;
	size_t at;
	uint32_t ahead;
};

BITS_INLINE void keep_run(struct kept *k, const struct text_block *b, size_t from, size_t to, enum word_kind kind,
			  bool upper)
{
	const uint32_t at = (uint32_t)(b->at + from), len = (uint32_t)(to - from);
	const char *word = b->text + from;
	k->hashes[k->n] = len > 16 ? word_hash(word, len) : word_hash_of_16(word, len);
	k->list[k->n++] = (struct word){ at, len, at - b->ahead, len, (uint8_t)kind, upper };
}

/** Keeps the marks of a stretch. A run of one character is one mark. */
BITS_INLINE void keep_run_marks(struct kept *k, const struct text_block *b, size_t from, size_t to)
{
	while (from < to) {
		size_t end = from + 1;
		while (end < to && b->text[end] == b->text[from])
			end++;
		keep_run(k, b, from, end, WORD_MARK, false);
		k->marks++;
		from = end;
	}
}

/** Keeps the words and marks between two white spaces. */
BITS_INLINE void keep_stretch(struct kept *k, const struct text_block *b, const struct masks *m, size_t from, size_t to)
{
	const uint64_t bits = ((uint64_t)1 << to) - ((uint64_t)1 << from), in_word = bits & ~m->marks;
	size_t word = to, end = to;
	if (in_word) {
		word = (size_t)__builtin_ctzll(in_word);
		end = BLOCK - (size_t)__builtin_clzll(in_word);
	}
	keep_run_marks(k, b, from, word);
	if (!in_word)
		return;
	keep_run(k, b, word, end, WORD_SPACED, (bits & m->capitals) != 0);
	k->spaced++;
	k->spaced_chars += end - word;
	k->with_letter += (bits & m->letters) != 0;
	keep_run_marks(k, b, end, to);
}

/**
 * Keeps the stretches that end in the block; returns the start of the first one that does not. *goes_on: that one may
 * consist of ASCII only.
 */
BITS_INLINE size_t keep_block(struct kept *k, const struct text_block *b, masks_path *masks_of, bool *goes_on)
{
	const struct masks m = masks_of(b->text);
	size_t from = 0;

	/* Only white space before the first byte beyond ASCII. */
	for (uint64_t ends = m.spaces & ((m.others & -m.others) - 1); ends; ends &= ends - 1) {
		const size_t to = (size_t)__builtin_ctzll(ends);
		if (to > from)
			keep_stretch(k, b, &m, from, to);
		from = to + 1;
	}
	*goes_on = from && !m.others;
	return from;
}

BITS_INLINE struct ascii_place keep_blocks(struct words *w, const char *text, size_t len, struct ascii_place place,
					   masks_path *masks_of)
{
	const uint32_t ahead = (uint32_t)place.at - place.chars;
	struct kept k = { .list = w->list, .hashes = w->hashes, .n = w->n };
	bool goes_on = (uint8_t)text[place.at] < 0x80;
	size_t at = place.at;
	while (goes_on && len - at >= BLOCK + AFTER && k.n + BLOCK <= WORDS_KEPT) {
		const struct text_block block = { text + at, at, ahead };
		at += keep_block(&k, &block, masks_of, &goes_on);
	}
	w->n = k.n;
	w->spaced += k.spaced;
	w->spaced_chars += k.spaced_chars;
	w->with_letter += k.with_letter;
	w->marks += k.marks;
	return (struct ascii_place){ at, (uint32_t)at - ahead };
}

#endif

#ifdef CPU_PATHS_AVX
CPU_TARGET_AVX2 static struct ascii_place words_avx2(struct words *w, const char *text, size_t len,
						     struct ascii_place place)
{
	return keep_blocks(w, text, len, place, masks_avx2);
}
#endif

/*
 * Keeps the words and marks of stretches of ASCII, each with the white space after it, from the start of a stretch on.
 * Returns where the next stretch starts: one that has other bytes, is long, or is near the end of the text. Without
 * vector instructions it keeps nothing, and words_split() reads everything itself.
 */
static struct ascii_place ascii_words(struct words *w, const char *text, size_t len, struct ascii_place place)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return words_avx2(w, text, len, place);
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return keep_blocks(w, text, len, place, masks_sse2);

#else
	(void)w;
	(void)text;
	(void)len;
#endif
	return place;
}

/*
 * One table for all languages: a word that is a stop word of several has a bit for each of them, so that each word of a
 * page costs one look-up, whatever the language.
 */

enum { STOP_WORDS = sizeof(stop_word_list) / sizeof(stop_word_list[0]) };

static_assert(sizeof(stop_languages) / sizeof(stop_languages[0]) <= STOP_LANGUAGES_MOST, "a bit for each language");

static_assert((int)STOP_WORDS < (int)STOP_SLOTS / 2, "at least half of the table stays free");

static size_t slot_of(const struct stop_words *t, uint64_t hash)
{
	size_t at = hash % STOP_SLOTS;
	while (t->slots[at].languages && t->slots[at].hash != hash)
		at = (at + 1) % STOP_SLOTS;
	return at;
}

void stop_words_init(struct stop_words *t)
{
	memset(t, 0, sizeof(*t));
	for (int i = 0; i < STOP_WORDS; i++) {
		uint64_t hash = word_hash(stop_word_list[i].word, strlen(stop_word_list[i].word));
		struct stop_slot *slot = &t->slots[slot_of(t, hash)];
		slot->hash = hash;
		slot->languages |= UINT64_C(1) << stop_word_list[i].language;
	}
}

int stop_language(const char *tag, size_t len)
{
	const char *hyphen = memchr(tag, '-', len);
	size_t primary = hyphen ? (size_t)(hyphen - tag) : len;
	for (size_t i = 0; i < sizeof(stop_languages) / sizeof(stop_languages[0]); i++)
		if (strlen(stop_languages[i]) == primary && !memcmp(stop_languages[i], tag, primary))
			return (int)i;
	return STOP_NONE;
}

void stop_count_begin(struct stop_count *c, const struct stop_words *table, int language)
{
	c->table = table;
	c->language = language;
	c->most = 0;
	if (!++c->page) { /* after 2^32 pages */
		memset(c->met, 0, sizeof(c->met));
		c->page = 1;
	}
	memset(c->by_language, 0, sizeof(c->by_language));
}

/** Returns the hash of the word in lower case. */
static uint64_t lower_hash(const char *word, size_t len)
{
	uint8_t out[STOP_WORD_MOST + 4];
	size_t n = 0;
	int32_t c;
	for (size_t at = 0; at < len && n <= STOP_WORD_MOST;) {
		at += next_char(word + at, &c);
		n += (size_t)utf8proc_encode_char(utf8proc_tolower(c), out + n);
	}
	return word_hash((const char *)out, n);
}

void stop_count_word(struct stop_count *c, const char *word, size_t len, uint64_t hash, bool upper)
{
	if (len > STOP_WORD_MOST)
		return;
	size_t at = slot_of(c->table, upper ? lower_hash(word, len) : hash);
	uint64_t languages = c->table->slots[at].languages;
	if (!languages || c->met[at] == c->page)
		return;
	c->met[at] = c->page;
	for (int i = 0; languages; i++, languages >>= 1) {
		c->by_language[i] += languages & 1;
		if ((c->language == STOP_ANY || c->language == i) && c->by_language[i] > c->most)
			c->most = c->by_language[i];
	}
}

struct stretch {
	bool open, letter, upper;
	size_t start, word, word_end;                     /* in bytes; word == word_end: only marks so far */
	uint32_t start_chars, word_chars, word_end_chars; /* characters of the text before these */
};

struct splitter;
static void unspaced(struct splitter *s, enum char_class class, size_t at, size_t end);

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
struct char_run {
	size_t end;
	uint32_t chars;
	unsigned classes; /* a bit for each */
	enum char_class next;
};

static inline struct char_run read_run(const struct splitter *s, size_t at)
{
	const struct classes *t = s->w->classes;
	struct char_run r = { at, 0, 0, CLASS_SPACE };
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
		struct char_run r = read_run(s, at);
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

/** Reads one character of any class. */
static size_t one_character(struct splitter *s, size_t at)
{
	size_t width;
	enum char_class class = class_at(s->w->classes, s->text + at, &width);
	size_t end = at + width;
	bool alone = class == CLASS_UNSPACED || class == CLASS_UNSPACED_2;
	bool combines = class == CLASS_COMBINING && s->unspaced;
	s->unspaced = alone || combines;
	if (class < CLASS_MARK && !combines) {
		/* add word characters to the open stretch, or begin a stretch with them */
		const struct char_run r = read_run(s, at);
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

/*
 * A table has three overlapping rows of four letters from each phrase, which start at adjacent letters. Only every
 * third place of the text is looked up: one of the three rows always starts at such a place.
 *
 * With AVX2, 32 places are looked up together instead, for the three letters of each phrase that are rarest: of each
 * letter, one table has the phrases with its low four bits, another those with its high ones (as the search "Teddy" of
 * Hyperscan does it).
 */

#ifdef CPU_PATHS_AVX
#include <immintrin.h>
#endif

enum { GRAM = 4, STRIDE = 3, SLOT_BITS = 12, SLOTS = 1 << SLOT_BITS, PHRASE_MOST = 14 /* bytes */ };

/** `row`: where the first of its three rows begins; `part`: where its PHRASE_PART bytes are. Both are rare in texts. */
static const struct {
	const char *text;
	size_t row, part;
} phrase_rows[PHRASES] = {
	[PHRASE_LOREM] = { "lorem ipsum", 5, 7 },  [PHRASE_JAVASCRIPT] = { "javascript", 1, 2 },
	[PHRASE_TERMS] = { "terms of use", 0, 7 }, [PHRASE_PRIVACY] = { "privacy policy", 3, 3 },
	[PHRASE_COOKIE] = { "cookie", 0, 3 },
};

static uint32_t gram_at(const char *at)
{
	uint32_t gram;
	memcpy(&gram, at, GRAM);
	return gram | 0x20202020; /* lower case for ASCII letters; other bytes that this changes are compared later */
}

static size_t phrases_slot_of(uint32_t gram)
{
	return gram * UINT32_C(0x9e3779b1) >> (32 - SLOT_BITS);
}

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

void phrases_init(struct phrases *t)
{
	*t = (struct phrases){ 0 };
	for (size_t i = 0; i < PHRASES; i++)
		for (size_t k = 0; k < PHRASE_PART; k++) {
			const char c = phrase_rows[i].text[phrase_rows[i].part + k];
			const uint8_t bit = (uint8_t)(1U << i);
			t->low[k][c & 15] |= bit;
			t->high[k][c >> 4] |= bit;
			if (is_letter(c))
				t->high[k][(c ^ 0x20) >> 4] |= bit;
		}
	for (uint8_t i = 0; i < PHRASES; i++)
		for (size_t k = 0; k < STRIDE; k++) {
			size_t slot = phrases_slot_of(gram_at(phrase_rows[i].text + phrase_rows[i].row + k));
			while (t->slots[slot])
				slot = (slot + 1) % SLOTS;
			t->slots[slot] = (uint8_t)(1U + STRIDE * i + k);
		}
}

/** Returns whether the phrase, in any case, begins `before` bytes before `at`. */
static bool stands_at(const char *text, size_t len, size_t at, size_t before, const char *phrase)
{
	size_t n = strlen(phrase);
	if (before > at || at - before + n > len)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = text[at - before + i];
		if (c != phrase[i] && !(is_letter(phrase[i]) && (c | 0x20) == phrase[i] && c >= 'A'))
			return false;
	}
	return true;
}

/** Looks at the places from `at` on that a phrase which ends after them may have. */
static void find_plain(const struct phrases *t, const char *text, size_t len, size_t at, bool found[PHRASES])
{
	for (; at + GRAM <= len; at += STRIDE) {
		for (size_t slot = phrases_slot_of(gram_at(text + at)); t->slots[slot]; slot = (slot + 1) % SLOTS) {
			size_t phrase = (size_t)(t->slots[slot] - 1) / STRIDE,
			       k = (size_t)(t->slots[slot] - 1) % STRIDE;
			if (!found[phrase] &&
			    stands_at(text, len, at, phrase_rows[phrase].row + k, phrase_rows[phrase].text))
				found[phrase] = true;
		}
	}
}

#ifdef CPU_PATHS_AVX
enum { PHRASES_BLOCK = 32 };

/** Returns for each of 32 bytes the phrases that have it at place `k` of their part. */
CPU_TARGET_AVX2 static inline __m256i having_32(const struct phrases *t, size_t k, const char *at)
{
	const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
	const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)t->low[k]));
	const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)t->high[k]));
	const __m256i high_bits = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));

	/* A shuffle by a byte beyond ASCII gives 0. */
	return _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, high_bits));
}

CPU_TARGET_AVX2 static void find_avx2(const struct phrases *t, const char *text, size_t len, bool found[PHRASES])
{
	uint8_t phrases[PHRASES_BLOCK];
	size_t at = 0;
	for (; len - at >= PHRASES_BLOCK + PHRASE_PART; at += PHRASES_BLOCK) {
		const __m256i two = _mm256_and_si256(having_32(t, 0, text + at), having_32(t, 1, text + at + 1));
		const __m256i all = _mm256_and_si256(two, having_32(t, 2, text + at + 2));
		if (_mm256_testz_si256(all, all))
			continue;
		_mm256_storeu_si256((__m256i *)(void *)phrases, all);
		for (size_t i = 0; i < PHRASES_BLOCK; i++)
			for (size_t k = 0; k < PHRASES && phrases[i]; k++)
				found[k] |= phrases[i] >> k & 1 &&
					    stands_at(text, len, at + i, phrase_rows[k].part, phrase_rows[k].text);
	}
	find_plain(t, text, len, at < PHRASE_MOST ? 0 : at - PHRASE_MOST, found);
}
#endif

bool phrases_find(const struct phrases *t, const char *text, size_t len, bool found[PHRASES])
{
	bool any = false;
	memset(found, 0, PHRASES * sizeof(*found));
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		find_avx2(t, text, len, found);
	else
#endif
		find_plain(t, text, len, 0, found);
	for (size_t i = 0; i < PHRASES; i++)
		any |= found[i];
	return any;
}

const char *phrase_text(enum phrase phrase)
{
	return phrase_rows[phrase].text;
}
