/* SPDX-License-Identifier: MIT */
/* Text is copied only if it is malformed somewhere, which hardly any is. */
#include "base/utf8_mend.h"

#include "base/status.h"
#include "base/utf8.h"

int utf8_mend(struct buf *text, bool *mended)
{
	struct buf fixed = { 0 };
	struct slice rest = buf_slice(text);
	size_t good = utf8_valid_prefix(rest);
	*mended = good != text->len;
	if (!*mended)
		return DANA_OK;
	int status = buf_reserve(&fixed, text->len + 64);
	while (status == DANA_OK) {
		status = buf_append(&fixed, rest.data, good);
		rest = slice_skip(rest, good);
		if (status < 0 || rest.len == 0)
			break;
		uint32_t c;
		rest = slice_skip(rest, utf8_decode(rest, &c));
		status = buf_append(&fixed, "\xEF\xBF\xBD", 3);
		good = utf8_valid_prefix(rest);
	}
	buf_free(text);
	*text = fixed;
	return status;
}
