/* SPDX-License-Identifier: MIT */
#include "archive/charset/utf8_repair.h"

#include "base/utf8.h"

bool utf8_is_cut(struct slice s)
{
	uint32_t c;
	return s.len && utf8_length(s.data[0]) > s.len && utf8_decode(s, &c) == s.len;
}

/* Completes a character that was cut with bytes from the front of `bytes`. */
static int complete(struct utf8_repair *r, struct slice *bytes, struct output *out)
{
	while (bytes->len) {
		r->held[r->n_held] = bytes->data[0];
		struct slice held = slice_of(r->held, r->n_held + 1);
		if (utf8_is_cut(held)) {
			r->n_held++;
			*bytes = slice_skip(*bytes, 1);
			continue;
		}
		size_t n = r->n_held;
		r->n_held = 0;
		if (utf8_valid_prefix(held) != held.len) /* the new byte does not continue the character */
			return output_replace(out);
		*bytes = slice_skip(*bytes, 1);
		return output_put(out, r->held, n + 1);
	}
	return 0;
}

int utf8_repair_write(struct utf8_repair *r, struct slice bytes, struct output *out)
{
	int status = r->n_held ? complete(r, &bytes, out) : 0;
	while (bytes.len && status == 0) {
		size_t n = utf8_valid_prefix(bytes);
		status = output_put(out, bytes.data, n);
		bytes = slice_skip(bytes, n);
		if (bytes.len == 0 || status)
			break;
		if (utf8_is_cut(bytes)) {
			memcpy(r->held, bytes.data, bytes.len);
			r->n_held = bytes.len;
			break;
		}
		uint32_t c;
		bytes = slice_skip(bytes, utf8_decode(bytes, &c));
		status = output_replace(out);
	}
	return status;
}

int utf8_repair_finish(struct utf8_repair *r, struct output *out)
{
	if (r->n_held == 0)
		return 0;
	r->n_held = 0;
	return output_replace(out);
}
