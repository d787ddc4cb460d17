/* SPDX-License-Identifier: MIT */
/*
 * title_words_match for one width of vectors: only words that begin like one of the title are hashed. title_words.c
 * includes it once for each width, so it has no guard, and defines TARGET (attribute of the required processor) and
 * NAME(x) (the names of functions).
 */
TARGET static uint32_t NAME(match)(const struct title_words *t, struct slice text, uint32_t *words)
{
	const uint8_t *end = text.data + text.len;
	uint32_t matched = 0, before = 0;
	*words = 0;
	for (const uint8_t *p = text.data; p < end; p += TEXT_WORDS) {
		struct text_words w = NAME(text_words)(&t->begins, slice_of(p, (size_t)(end - p)), &before);
		if (w.wide)
			return match_plain(t, text, words);
		*words += (uint32_t)__builtin_popcount(w.begins);
		for (; w.likely; w.likely &= w.likely - 1)
			matched += is_in_title(t, words_hash(p + __builtin_ctz(w.likely), end));
	}
	return matched;
}

#undef TARGET
#undef NAME
