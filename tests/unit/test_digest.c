/* SPDX-License-Identifier: MIT */
/* SHA-1 in base32, SHA-256, digests of blocks and name-based UUIDs, against known values (RFC 3174, FIPS 180-4, RFC
 * 4122 as other programs compute it). */
#include "base/digest.h"
#include "base/status.h"
#include "support/unit.h"

TEST(known_digests)
{
	static const char *const known[][3] = {
		{ "", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
		  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
		  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	};
	uint8_t digest[SHA1_BYTES];
	char text[SHA256_TEXT + 1];
	for (size_t i = 0; i < 2; i++) {
		assert_ok(sha1(slice_from_text(known[i][0]), digest));
		sha1_base32(digest, text);
		assert_string_equal(text, known[i][1]);
		sha256_text(slice_from_text(known[i][0]), text);
		assert_string_equal(text, known[i][2]);
	}
}

/* Every length of the last block and of the one before it, against libcrypto. */
TEST(sha256_of_every_length)
{
	enum { LONGEST = 300 };
	struct error err = { 0 };
	uint8_t bytes[LONGEST];
	char text[SHA256_TEXT + 1], field[sizeof("sha256:") + SHA256_TEXT];
	struct block_digest *d = block_digest_new(&err);
	assert_non_null(d);
	for (size_t i = 0; i < LONGEST; i++)
		bytes[i] = (uint8_t)(i * 167 >> 3);
	for (size_t n = 0; n <= LONGEST; n++) {
		sha256_text(slice_of(bytes, n), text);
		(void)snprintf(field, sizeof(field), "sha256:%s", text);
		assert_int_equal(block_digest_begin(d, slice_from_text(field), n), DANA_OK);
		assert_int_equal(block_digest_write(d, slice_of(bytes, n)), DANA_OK);
		assert_int_equal(block_digest_end(d, true), BLOCK_DIGEST_GOOD);
	}
	block_digest_free(d);
}

/* What the block "abc" is to a head that says `field`; it comes in one piece, or byte by byte. */
static void expect_digest(const char *field, enum block_digest_result expected)
{
	struct block_digest *d = block_digest_new(NULL);
	assert_non_null(d);
	for (int pass = 0; pass < 2; pass++) {
		assert_ok(block_digest_begin(d, slice_from_text(field), 3));
		for (int at = 0; at < 3; at += pass ? 1 : 3)
			assert_ok(block_digest_write(d, slice_of(&"abc"[at], pass ? 1 : 3)));
		assert_int_equal(block_digest_end(d, false), expected);
	}
	block_digest_free(d);
}

/* What other programs make of "abc", in the forms that they write; with another first character it is wrong. */
TEST(block_digests)
{
	static const char *const good[] = {
#ifndef DIGEST_PLAIN
		"sha384:"
		"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
		"sha384:ZMAHKP2FUNPIXNNAHVUZVRSQA4TSYMVLB3PNCYY2RNQFUQ77LPWYBBQHFOQ6PTBDLC5OZIJUZAS2O===",
		"sha384:ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn",
		"sha384:ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP_W-2AhgcroefMI1i67KE0yCWn",
		"SHA-512:"
		"3WXTLIMTMF5LVTCBONE24ICBGEJON6SORGUX5IQKT3XOMS2V2ONCDEUZFITU7QNIG25DYI5D73V32RKNIQRWIPHIBYVJVSKPUVGKJH"
		"Y=",
		"sha512:3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==",
		"sha512-256:53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
		"sha3-256:HKMF3J2P4IS3EBC4C4WWXU4QXWCV6CDOH2OVEW2GX7REKEKDCUZA====",
		"SHA3-512:t1GFCxpXFopWk82SS2sJbgj2IYJ0RPcNiE9dAkDScS4Q4RbpGSrzyRp+xXZH45NAVzQLTPQI1aVlkvgnTuxT8A==",
		"blake2b512:"
		"ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38a"
		"a8dbf1925ab92386edd4009923",
		"blake2s256:KCGF5DBSPQKOFYNHFORU522FF43ULCZAT3LDUKKNTGNUZBTHLGBA====",
		"sha224:Iwl9IjQF2CKGQqR3vaJVsyqtvOS9oLP342ydpw==",
		"sha-384:"
		"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
#endif
		"sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
		"Sha1:A9993E364706816ABA3E25717850C26C9CD0D89D",
		"sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
		" SHA-1 :vgmt4nsha2awvor6evyxqugcnsonbwe5 ",
		"sha1:qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
		"sha1:qZk-NkcGgWq6PiVxeFDCbJzQ2J0",
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====",
		"sha256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
		"sha256:ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0",
		"md5:900150983cd24fb0d6963f7d28e17f72",
		"MD5:SAAVBGB42JH3BVUWH56SRYL7OI",
#ifndef DIGEST_PLAIN
		"sm3:M3D7B5DC53W5TUPS2RV5YEHE4JAWPREHLTZPPIRJPWQCXD2LVDQA====",
#endif
	};
	static const char *const unknown[] = {
		"VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "sha1:", "sha1:abc",
		/* lengths and names */
		"sha384:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", ":VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
		"blake3:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "sha0:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
		"sha1 VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "crc32:352441c2",
		"an algorithm whose name is longer than that of any:abc", "xxh64:44bc2cf5ad770999"
	};
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		char wrong[200];
		expect_digest(good[i], BLOCK_DIGEST_GOOD);
		(void)snprintf(wrong, sizeof(wrong), "%s", good[i]);
		char *first = strchr(wrong, ':') + 1;
		*first = *first == 'a' || *first == 'A' ? 'b' : 'a';
		expect_digest(wrong, BLOCK_DIGEST_BAD);
	}
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		expect_digest(unknown[i], BLOCK_DIGEST_UNKNOWN);
	expect_digest("sha1: VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", BLOCK_DIGEST_GOOD);
	expect_digest("sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE4", BLOCK_DIGEST_BAD);
	expect_digest("md5:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", BLOCK_DIGEST_BAD); /* hexadecimal by its length */
	expect_digest("", BLOCK_DIGEST_NONE);                                    /* nothing to compare with */
}

/*
 * "abc" and a line end come as the block, `step` bytes at a time; the head says that it has `length` bytes. `whole`: it
 * is known to be all of it.
 */
static void expect_block(const char *field, uint64_t length, size_t step, bool whole, enum block_digest_result expected)
{
	struct block_digest *d = block_digest_new(NULL);
	struct slice rest = slice_from_text("abc\r\n");
	assert_non_null(d);
	assert_ok(block_digest_begin(d, slice_from_text(field), length));
	for (; rest.len; rest = slice_skip(rest, slice_first(rest, step).len))
		assert_ok(block_digest_write(d, slice_first(rest, step)));
	assert_int_equal(block_digest_end(d, whole), expected);
	block_digest_free(d);
}

TEST(block_longer_than_said)
{
	static const char of_three[] = "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";
	static const char of_five[] = "md5:c13b6afecf97ea6b38d21a8f5167fa1e";
	static const char of_four[] = "md5:07473e01e0fe1a09a5a1ee5e1e1a3a53";
	for (size_t step = 1; step <= 5; step++) {
		expect_block(of_three, 3, step, false, BLOCK_DIGEST_GOOD);
		expect_block(of_five, 3, step, false, BLOCK_DIGEST_GOOD);
		expect_block(of_four, 3, step, false, BLOCK_DIGEST_BAD);
		expect_block(of_five, 5, step, false, BLOCK_DIGEST_GOOD);
		expect_block(of_three, 5, step, false, BLOCK_DIGEST_BAD);
		/* A block that was cut cannot be checked, but one whose length was wrong. */
		expect_block(of_five, 6, step, false, BLOCK_DIGEST_NONE);
		expect_block(of_five, 900, step, true, BLOCK_DIGEST_GOOD);
		expect_block(of_three, 900, step, true, BLOCK_DIGEST_BAD);
	}
	struct block_digest *d = block_digest_new(NULL);
	assert_non_null(d);
	assert_ok(block_digest_begin(d, slice_from_text("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"), 0));
	assert_int_equal(block_digest_end(d, false), BLOCK_DIGEST_GOOD);
	block_digest_free(d);
}

TEST(known_uuids)
{
	static const uint8_t dns[16] = { 0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
					 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8 };
	char text[UUID_TEXT + 1];
	assert_int_equal(uuid5(dns, slice_from_text("www.example.com"), text), 0);
	assert_string_equal(text, "2ed6657d-e927-568b-95e1-2665a8aea6a2");
	assert_int_equal(uuid_of_name(slice_from_text("name"), text), 0);
	assert_string_equal(text, "2cc9cbd6-a61d-5194-98eb-5f39a022e27d");
}
