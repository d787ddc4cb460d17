/* SPDX-License-Identifier: MIT */
/*
 * word_runs_match for one width of vectors: three words in a row that begin like words of the set are found by their
 * bits, and only they are hashed. tokens.c includes it once for each width, so it has no guard, and defines TARGET
 * (attribute of the required processor) and NAME(x) (the names of functions).
 */
TARGET static uint32_t NAME(match)(const struct word_runs *r, struct slice text)
{
	struct run_search s = { .runs = r, .first = text.data, .end = text.data + text.len };
	uint32_t before = 0, carry = 0, second_carry = 0, words = 0;
	for (const uint8_t *p = s.first; p < s.end && words < RUN_WORDS; p += TEXT_WORDS) {
		struct text_words w = NAME(text_words)(&r->begins, slice_of(p, (size_t)(s.end - p)), &before);
		if (w.wide)
			return match_plain(r, text);
		words += (uint32_t)__builtin_popcount(w.begins);
		for (; words > RUN_WORDS; words--)
			w.begins &= ~((uint32_t)1 << (31 - __builtin_clz(w.begins)));
		uint32_t second = next_words(w.likely, w.begins, &carry) & w.likely;
		uint32_t third = next_words(second, w.begins, &second_carry) & w.likely;
		for (; third; third &= third - 1)
			s.found += is_in_set(&s, p + __builtin_ctz(third));
	}
	return s.found;
}

#undef TARGET
#undef NAME
