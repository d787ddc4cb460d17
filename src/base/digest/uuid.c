/* SPDX-License-Identifier: MIT */
#include "base/digest/uuid.h"

#include "base/buf.h"
#include "base/digest/sha1.h"
#include "base/status.h"

int uuid5(const uint8_t space[16], struct slice name, char out[UUID_TEXT + 1])
{
	static const char hex[] = "0123456789abcdef";
	struct buf all = { 0 };
	uint8_t digest[SHA1_BYTES];
	buf_append(&all, space, 16);
	int status = buf_append(&all, name.data, name.len);
	if (status == DANA_OK)
		status = sha1(buf_slice(&all), digest);
	buf_free(&all);
	if (status < 0)
		return status;
	digest[6] = (uint8_t)((digest[6] & 0x0f) | 0x50); /* version 5 */
	digest[8] = (uint8_t)((digest[8] & 0x3f) | 0x80); /* variant of RFC 4122 */
	size_t n = 0;
	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			out[n++] = '-';
		out[n++] = hex[digest[i] >> 4];
		out[n++] = hex[digest[i] & 15];
	}
	out[n] = 0;
	return DANA_OK;
}

int uuid_of_name(struct slice name, char out[UUID_TEXT + 1])
{
	/*
	 * The version 5 UUID of the name "dana" in the DNS namespace. It must never change: the ids of all outputs
	 * depend on it.
	 */
	static const uint8_t space[16] = { 0x7d, 0x4f, 0x88, 0x14, 0xe3, 0xf2, 0x59, 0x32,
					   0xb6, 0x9b, 0x70, 0x9b, 0xf2, 0x47, 0x81, 0x46 };
	return uuid5(space, name, out);
}
