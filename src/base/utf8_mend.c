/* SPDX-License-Identifier: MIT */
/* Text is copied only if it is malformed somewhere, which hardly any is. */
#include "base/utf8_mend.h"

#include "base/status.h"
#include "base/utf8.h"

int utf8_mend(struct buf *text, size_t from, bool *mended)
{
	struct buf faulty = { 0 };
	struct slice rest = slice_skip(buf_slice(text), from);
	size_t good = utf8_valid_prefix(rest);
	*mended = good != rest.len;
	if (!*mended)
		return DANA_OK;
	int status = buf_append(&faulty, rest.data + good, rest.len - good);
	text->len = from + good;
	rest = buf_slice(&faulty);
	while (status == DANA_OK && rest.len) {
		uint32_t c;
		rest = slice_skip(rest, utf8_decode(rest, &c));
		buf_append(text, "\xEF\xBF\xBD", 3);
		good = utf8_valid_prefix(rest);
		status = buf_append(text, rest.data, good);
		rest = slice_skip(rest, good);
	}
	buf_free(&faulty);
	return status;
}
