/* SPDX-License-Identifier: MIT */
/* libcrypto decodes; before, all characters are looked at, because it takes some others for the end of the data. */
#include "cli/base64.h"

#include "base/ascii.h"
#include "base/status.h"
#include "digest/crypto_library.h"

static bool is_base64(struct slice text)
{
	static const uint8_t known[256] = {
		['+'] = 1, ['/'] = 1, ['='] = 1, [' '] = 1, ['\t'] = 1, ['\n'] = 1, ['\r'] = 1,
	};
	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.data[i];
		if (!known[c] && !ascii_is_alpha(c) && !ascii_is_digit(c))
			return false;
	}
	return true;
}

int base64_decode(struct slice text, struct buf *out)
{
	enum { PIECE = 1 << 20, TAIL = 64 /* what the decoder may hold back */ };
	struct error err = { 0 };
	const struct crypto_library *crypto = crypto_library(&err);
	if (!crypto)
		return (int)err.status;
	EVP_ENCODE_CTX *decoder = crypto->EVP_ENCODE_CTX_new();
	int status = !decoder ? DANA_ENOMEM : is_base64(text) ? DANA_OK : DANA_EFORMAT;
	int got;
	if (decoder)
		crypto->EVP_DecodeInit(decoder);
	while (status == DANA_OK && text.len) {
		struct slice piece = slice_first(text, PIECE);
		status = buf_reserve(out, piece.len + TAIL);
		if (status == DANA_OK &&
		    crypto->EVP_DecodeUpdate(decoder, out->data + out->len, &got, piece.data, (int)piece.len) < 0)
			status = DANA_EFORMAT;
		if (status == DANA_OK)
			out->len += (size_t)got;
		text = slice_skip(text, piece.len);
	}
	if (status == DANA_OK)
		status = buf_reserve(out, TAIL);
	if (status == DANA_OK && crypto->EVP_DecodeFinal(decoder, out->data + out->len, &got) < 0)
		status = DANA_EFORMAT;
	else if (status == DANA_OK)
		out->len += (size_t)got;
	crypto->EVP_ENCODE_CTX_free(decoder);
	return status;
}
