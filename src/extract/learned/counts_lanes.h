/* SPDX-License-Identifier: MIT */
/*
 * Counts 32 bytes at once, for one width of vectors. counts.c includes it once for each width, so it has no guard, and
 * defines before TARGET (attribute of the required processor), NAME(x) (the names of functions) and, for NAME(vector)
 * of 32 bytes:
 *
 *  - NAME(load)(p);
 *  - NAME(ascii)(v), which fills text_bits for ASCII and marks all other bytes as `other`;
 *  - NAME(is)(v, byte) and NAME(in)(v, low, high), which return one bit for each byte (compared as signed bytes: those
 *    from 0x80 on are below all others);
 *  - NAME(ones)(x), the number of bits set.
 */

/*
 * Finds most text that is not ASCII, as count_common does, and clears its bytes in `other`. `all` has the bits of the
 * bytes that belong to the text.
 */
TARGET static inline void NAME(find_foreign)(struct text_bits *bits, NAME(vector) v, uint32_t all)
{
	uint32_t first_64 = NAME(is)(v, 0x80), inside = (first_64 | NAME(in)(v, 0x81, 0xBF)) & all;
	uint32_t marks = (NAME(is)(v, 0xD8) << 1 & (NAME(is)(v, 0x8C) | NAME(is)(v, 0x9B) | NAME(is)(v, 0x9F))) |
			 (NAME(is)(v, 0xDB) << 1 & NAME(is)(v, 0x94));
	uint32_t two = inside & ~marks & NAME(in)(v, 0xC3, 0xDF) << 1;
	/* there are other scripts between Han and Hangul */
	uint32_t between = NAME(is)(v, 0xEA) << 1 & (first_64 | NAME(in)(v, 0x81, 0xAF));
	uint32_t three = inside & (inside & ~between & NAME(in)(v, 0xE4, 0xEC) << 1) << 1;
	bits->wide_begins = three >> 2;
	bits->wide = three | three >> 1 | three >> 2;
	bits->inside = two;
	bits->other &= ~(two | two >> 1 | bits->wide);
}

/*
 * Counts characters from p on, up to one that needs a closer look, and at most `most` or AT_ONCE bytes. AT_ONCE bytes
 * can be read. Returns the number of bytes counted.
 */
TARGET static inline size_t NAME(count_many)(struct counts *c, struct text_sums *sums, const uint8_t *p, size_t most)
{
	uint64_t after = (uint64_t)1 << (most < AT_ONCE ? most : AT_ONCE);
	NAME(vector) v = NAME(load)(p);
	struct text_bits bits = NAME(ascii)(v);
	uint32_t all = (uint32_t)(after - 1);
	if (bits.high & all) {
		NAME(find_foreign)(&bits, v, all);
		c->arabic |= ((NAME(is)(v, 0xD9) | NAME(is)(v, 0xDB)) & all) != 0;
	}
	uint64_t other = bits.other | after;
	unsigned n = (unsigned)__builtin_ctzll(other);
	if (n == 0)
		return 0;
	all = (uint32_t)((other & (0U - other)) - 1);
	uint32_t text = ~(bits.blank | bits.wide) & all, begins = text & ~(text << 1 | sums->in_word);
	sums->units_words += NAME(ones)(text & ~bits.inside) | NAME(ones)(begins) << 32;
	sums->digits += (uint32_t)NAME(ones)(bits.digit & all);
	sums->in_word = text >> (n - 1) & 1;
	if (bits.wide & all) {
		uint64_t wide = NAME(ones)(bits.wide_begins & all);
		sums->units_words += 2 * wide | wide << 32;
		text |= bits.wide & all;
	}
	if (bits.special & all)
		text &= ~count_specials(c, p, bits.special & all);
	if (text)
		sums->last = p + 31 - __builtin_clz(text);
	return n;
}

TARGET static void NAME(add)(struct counts *c, struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	struct text_sums sums = { .in_word = c->in_word };
	while (p < end) {
		p += NAME(count_many)(c, &sums, p, (size_t)(end - p));
		if (p == end || (*p < 0x80 && *p != '&'))
			continue;
		add_sums(c, &sums);
		p = count_other(c, p, end);
		sums = (struct text_sums){ .in_word = c->in_word };
	}
	add_sums(c, &sums);
}

#undef TARGET
#undef NAME
