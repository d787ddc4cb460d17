/* SPDX-License-Identifier: MIT */
/* SHA-1 in base32, SHA-256 and name-based UUIDs, against known values (RFC 3174, FIPS 180-4, RFC 4122 as other programs compute it). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "digest/sha1.h"
#include "digest/sha256.h"
#include "digest/uuid.h"

static void known_digests(void **state)
{
	(void)state;
	uint8_t digest[SHA1_BYTES];
	char text[SHA1_BASE32 + 1];
	assert_int_equal(sha1(slice_of(NULL, 0), digest), 0);
	sha1_base32(digest, text);
	assert_string_equal(text, "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
	assert_int_equal(sha1(slice_from_text("abc"), digest), 0);
	sha1_base32(digest, text);
	assert_string_equal(text, "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
}

static void known_sha256(void **state)
{
	(void)state;
	char text[SHA256_TEXT + 1];
	assert_int_equal(sha256_text(slice_of(NULL, 0), text), 0);
	assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_int_equal(sha256_text(slice_from_text("abc"), text), 0);
	assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void known_uuids(void **state)
{
	(void)state;
	static const uint8_t dns[16] = { 0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
					 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8 };
	char text[UUID_TEXT + 1];
	assert_int_equal(uuid5(dns, slice_from_text("www.example.com"), text), 0);
	assert_string_equal(text, "2ed6657d-e927-568b-95e1-2665a8aea6a2");
	assert_int_equal(uuid_of_name(slice_from_text("name"), text), 0);
	assert_string_equal(text, "2cc9cbd6-a61d-5194-98eb-5f39a022e27d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_digests),
		cmocka_unit_test(known_sha256),
		cmocka_unit_test(known_uuids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
