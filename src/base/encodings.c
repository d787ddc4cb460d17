/* SPDX-License-Identifier: MIT */
/*
 * Four characters at a time while all of them are of the alphabet; white space and the end go character by character.
 */
#include "base/encodings.h"

#include "base/status.h"

enum { PADDING = 64, SPACE, WRONG = 0xff, NO_LETTER = 0xc0 };

struct alphabet {
	uint8_t value[256]; /* of a letter 0 to 63, else one of the above */
};

static struct alphabet alphabet(void)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct alphabet a;
	memset(a.value, WRONG, sizeof(a.value));
	for (uint8_t i = 0; i < 64; i++)
		a.value[(uint8_t)letters[i]] = i;
	a.value['='] = PADDING;
	a.value[' '] = a.value['\t'] = a.value['\n'] = a.value['\r'] = SPACE;
	return a;
}

/* Groups of four become three bytes each. Returns how many of them are all letters. */
static size_t decode_groups(const struct alphabet *a, struct slice text, uint8_t *out)
{
	size_t i = 0;
	for (const uint8_t *at = text.data; i < text.len / 4; i++, at += 4, out += 3) {
		const uint32_t v[4] = { a->value[at[0]], a->value[at[1]], a->value[at[2]], a->value[at[3]] };
		if ((v[0] | v[1] | v[2] | v[3]) & NO_LETTER)
			break;
		out[0] = (uint8_t)(v[0] << 2 | v[1] >> 4);
		out[1] = (uint8_t)(v[1] << 4 | v[2] >> 2);
		out[2] = (uint8_t)(v[2] << 6 | v[3]);
	}
	return i;
}

int base64_decode(struct slice text, struct buf *out)
{
	const struct alphabet a = alphabet();
	uint32_t bits = 0;
	unsigned n = 0, padding = 0; /* of the group under way */
	if (buf_reserve(out, text.len / 4 * 3 + 3) < 0)
		return DANA_ENOMEM;
	while (text.len) {
		const size_t groups = n ? 0 : decode_groups(&a, text, out->data + out->len);
		out->len += 3 * groups;
		text = slice_skip(text, 4 * groups);
		const uint8_t v = text.len ? a.value[text.data[0]] : SPACE;
		text = slice_skip(text, 1);
		if (v == SPACE)
			continue;
		padding += v == PADDING;
		if (v == WRONG || padding > 2 || (v != PADDING && padding))
			return DANA_EFORMAT;
		bits = bits << 6 | (v & 63);
		if (++n % 4 != 0)
			continue;
		const uint8_t bytes[3] = { (uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits };
		buf_append(out, bytes, 3 - padding);
		n = 0;
	}
	return n == 0 ? buf_status(out) : DANA_EFORMAT;
}

void digest_hex(const uint8_t *digest, size_t n, char *out)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < n; i++) {
		*out++ = digits[digest[i] >> 4];
		*out++ = digits[digest[i] & 15];
	}
	*out = 0;
}

/* As many of the first bits as a character has become the next one; the last one is filled with zero bits. */
static void put_bits(const uint8_t *digest, size_t n, unsigned each, const char *letters, char *out)
{
	const unsigned mask = (1U << each) - 1;
	unsigned bits = 0, have = 0;
	for (size_t i = 0; i < n; i++) {
		bits = bits << 8 | digest[i];
		for (have += 8; have >= each; have -= each)
			*out++ = letters[bits >> (have - each) & mask];
	}
	if (have)
		*out++ = letters[bits << (each - have) & mask];
	*out = 0;
}

void digest_base32(const uint8_t *digest, size_t n, char *out)
{
	put_bits(digest, n, 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", out);
}

void digest_base64(const uint8_t *digest, size_t n, char *out)
{
	put_bits(digest, n, 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", out);
}
