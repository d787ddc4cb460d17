/*
 * Counting 32 bytes at once, for one width of vectors. Included by counts.c once for each, with defined: TARGET (attribute of the
 * processor it needs), NAME(x) (what its functions are called), and of NAME(vector), 32 bytes: NAME(load)(p), and one bit for
 * each byte that NAME(is)(v, byte), NAME(in)(v, low, high) (as signed bytes: those from 0x80 on are below all others), NAME(high)(v)
 * (from 0x80 on) or NAME(blank)(v) (up to 0x20); and NAME(ones)(x), the bits set in the lower and in the upper half of x. So: no
 * guard.
 */

/*
 * The bulk of text that is not ASCII, as count_common takes it: its bytes are `other` no more. `all` are the bits of bytes that
 * belong to the text.
 */
TARGET static inline void NAME(find_foreign)(struct text_bits *bits, NAME(vector) v, uint32_t all)
{
	uint32_t first_64 = NAME(is)(v, 0x80), inside = (first_64 | NAME(in)(v, 0x81, 0xBF)) & all;
	uint32_t marks = (NAME(is)(v, 0xD8) << 1 & (NAME(is)(v, 0x8C) | NAME(is)(v, 0x9B) | NAME(is)(v, 0x9F))) |
			 (NAME(is)(v, 0xDB) << 1 & NAME(is)(v, 0x94));
	uint32_t two = inside & ~marks & NAME(in)(v, 0xC3, 0xDF) << 1;
	/* other scripts stand between Han and Hangul */
	uint32_t between = NAME(is)(v, 0xEA) << 1 & (first_64 | NAME(in)(v, 0x81, 0xAF));
	uint32_t three = inside & (inside & ~between & NAME(in)(v, 0xE4, 0xEC) << 1) << 1;
	bits->wide_begins = three >> 2;
	bits->wide = three | three >> 1 | three >> 2;
	bits->inside = two;
	bits->other &= ~(two | two >> 1 | bits->wide);
}

TARGET static inline struct text_bits NAME(text_bits)(const uint8_t *p, uint32_t all)
{
	NAME(vector) v = NAME(load)(p);
	struct text_bits bits = { .upper = NAME(in)(v, 'A', 'Z'), .digit = NAME(in)(v, '0', '9'), .blank = NAME(blank)(v) };
	uint32_t high = NAME(high)(v);
	bits.special = ~(NAME(in)(v, 'a', 'z') | bits.upper | bits.digit | bits.blank | high);
	bits.other = NAME(is)(v, '&') | high;
	if (high & all)
		NAME(find_foreign)(&bits, v, all);
	return bits;
}

/*
 * Counts characters from p on up to one that has to be looked at, or to AT_ONCE bytes; at most `most`. AT_ONCE can be read.
 * Answers the bytes it took.
 */
TARGET static inline size_t NAME(count_many)(struct counts *c, const uint8_t *p, size_t most)
{
	uint32_t all = most < AT_ONCE ? ((uint32_t)1 << most) - 1 : ~(uint32_t)0;
	struct text_bits bits = NAME(text_bits)(p, all);
	uint64_t other = bits.other | (uint64_t)1 << (most < AT_ONCE ? most : AT_ONCE);
	unsigned n = (unsigned)__builtin_ctzll(other);
	if (n == 0)
		return 0;
	all = (uint32_t)((other & (0U - other)) - 1);
	uint32_t text = ~(bits.blank | bits.wide) & all, begins = text & ~(text << 1 | c->in_word);
	uint64_t units_words = NAME(ones)((text & ~bits.inside) | (uint64_t)begins << 32);
	uint64_t upper_digits = NAME(ones)((bits.upper & all) | (uint64_t)(bits.digit & all) << 32);
	c->units += (uint32_t)units_words;
	c->words += (uint32_t)(units_words >> 32);
	c->upper += (uint32_t)upper_digits;
	c->digits += (uint32_t)(upper_digits >> 32);
	c->in_word = text >> (n - 1) & 1;
	if (bits.wide & all) {
		uint32_t wide = (uint32_t)NAME(ones)(bits.wide_begins & all);
		c->units += 2 * wide;
		c->words += wide;
		c->wide += wide;
		text |= bits.wide & all;
	}
	if (bits.special & all)
		text &= ~count_specials(c, p, bits.special & all);
	if (text) {
		uint8_t last = p[31 - __builtin_clz(text)];
		c->ending = last == ':' ? ENDS_COLON : last < 0x80 && added[last] & ADDS_STOP ? ENDS_STOP : ENDS_PLAIN;
	}
	return n;
}

TARGET static void NAME(add)(struct counts *c, struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	while (p < end) {
		p += NAME(count_many)(c, p, (size_t)(end - p));
		if (p != end)
			p = count_other(c, p, end);
	}
}

#undef TARGET
#undef NAME
