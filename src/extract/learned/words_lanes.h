/*
 * title_words_match for one width of vectors: words are found by masks, and hashed only where they begin as one of the title does.
 * Included by words.c once for each, with TARGET (attribute of the processor it needs) and NAME(x) (what its functions are called)
 * defined, and NAME(words)(title, p, all). So: no guard.
 */
TARGET static uint32_t NAME(match)(const struct title_words *t, struct slice text, uint32_t *words)
{
	const uint8_t *end = text.data + text.len;
	uint32_t matched = 0, before = 0, hash;
	*words = 0;
	for (size_t at = 0; at < text.len; at += 32) {
		const uint8_t *p = text.data + at;
		uint32_t all = text.len - at < 32 ? ((uint32_t)1 << (text.len - at)) - 1 : ~(uint32_t)0;
		struct text_words w = NAME(words)(t, p, all);
		if (w.wide & all)
			return match_any(t, text, words);
		w.bits &= all;
		uint32_t begins = w.bits & ~(w.bits << 1 | before);
		before = w.bits >> 31;
		*words += (uint32_t)__builtin_popcount(begins);
		for (begins &= w.likely; begins; begins &= begins - 1) {
			const uint8_t *word = p + __builtin_ctz(begins);
			if (!(t->begins >> begin_of(word, end) & 1))
				continue;
			struct slice rest = slice_of(word, (size_t)(end - word));
			matched += words_next(&rest, &hash) && is_in_title(t, hash);
		}
	}
	return matched;
}

#undef TARGET
#undef NAME
