/* SPDX-License-Identifier: MIT */
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
#include "plugins/quality/ascii_words.h"

#include "base/bits.h"
#include "base/cpu.h"
#include "plugins/quality/word_hash.h"

#ifdef CPU_PATHS_SSE2
#include <immintrin.h>

enum { BLOCK = 64, AFTER = 16 };

/** A bit for each byte of a block, that of the first byte lowest. */
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
struct block {
	const char *text;
	size_t at;
	uint32_t ahead;
};

BITS_INLINE void keep(struct kept *k, const struct block *b, size_t from, size_t to, enum word_kind kind, bool upper)
{
	const uint32_t at = (uint32_t)(b->at + from), len = (uint32_t)(to - from);
	const char *word = b->text + from;

	k->hashes[k->n] = len > 16 ? word_hash(word, len) : word_hash_of_16(word, len);
	k->list[k->n++] = (struct word){ at, len, at - b->ahead, len, (uint8_t)kind, upper };
}

/** Keeps the marks of a stretch. A run of one character is one mark. */
BITS_INLINE void keep_marks(struct kept *k, const struct block *b, size_t from, size_t to)
{
	while (from < to) {
		size_t end = from + 1;
		while (end < to && b->text[end] == b->text[from])
			end++;
		keep(k, b, from, end, WORD_MARK, false);
		k->marks++;
		from = end;
	}
}

/** Keeps the words and marks between two white spaces. */
BITS_INLINE void keep_stretch(struct kept *k, const struct block *b, const struct masks *m, size_t from, size_t to)
{
	const uint64_t bits = ((uint64_t)1 << to) - ((uint64_t)1 << from), in_word = bits & ~m->marks;
	size_t word = to, end = to;

	if (in_word) {
		word = (size_t)__builtin_ctzll(in_word);
		end = BLOCK - (size_t)__builtin_clzll(in_word);
	}
	keep_marks(k, b, from, word);
	if (!in_word)
		return;
	keep(k, b, word, end, WORD_SPACED, (bits & m->capitals) != 0);
	k->spaced++;
	k->spaced_chars += end - word;
	k->with_letter += (bits & m->letters) != 0;
	keep_marks(k, b, end, to);
}

/**
 * Keeps the stretches that end in the block; returns the start of the first one that does not. *goes_on: that one may
 * consist of ASCII only.
 */
BITS_INLINE size_t keep_block(struct kept *k, const struct block *b, masks_path *masks_of, bool *goes_on)
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
		const struct block block = { text + at, at, ahead };
		at += keep_block(&k, &block, masks_of, &goes_on);
	}
	w->n = k.n;
	w->spaced += k.spaced;
	w->spaced_chars += k.spaced_chars;
	w->with_letter += k.with_letter;
	w->marks += k.marks;
	return (struct ascii_place){ at, (uint32_t)at - ahead };
}

static struct ascii_place words_sse2(struct words *w, const char *text, size_t len, struct ascii_place place)
{
	return keep_blocks(w, text, len, place, masks_sse2);
}
#endif

#ifdef CPU_PATHS_AVX
CPU_TARGET_AVX2 static struct ascii_place words_avx2(struct words *w, const char *text, size_t len,
						     struct ascii_place place)
{
	return keep_blocks(w, text, len, place, masks_avx2);
}
#endif

struct ascii_place ascii_words(struct words *w, const char *text, size_t len, struct ascii_place place)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return words_avx2(w, text, len, place);
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return words_sse2(w, text, len, place);
#else
	(void)w;
	(void)text;
	(void)len;
#endif
	return place;
}
