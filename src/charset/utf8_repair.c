#include "charset/utf8_repair.h"

#include "base/utf8.h"
#include "charset/ascii_run.h"

static bool is_trail(uint8_t c)
{
	return (c & 0xC0) == 0x80;
}

/* E0 has a narrower second byte because of overlong forms, ED because of surrogates. */
static bool three_are_good(const uint8_t *p)
{
	if (!is_trail(p[1]) || !is_trail(p[2]))
		return false;
	return p[0] == 0xE0 ? p[1] >= 0xA0 : p[0] != 0xED || p[1] < 0xA0;
}

size_t utf8_valid_run(struct slice s)
{
	const uint8_t *p = s.data, *end = s.data + s.len;
	while (p < end) {
		if (*p < 0x80) {
			/* Words of other scripts are parted by one space: not worth the long way. */
			p++;
			if (p < end && *p < 0x80)
				p += ascii_run(p, (size_t)(end - p));
		} else if (end - p >= 2 && (uint8_t)(*p - 0xC2) < 0x1E && is_trail(p[1])) {
			p += 2;
		} else if (end - p >= 3 && (*p & 0xF0) == 0xE0 && three_are_good(p)) {
			p += 3;
		} else { /* four bytes, and faults */
			size_t n = utf8_valid_prefix(slice_of(p, end - p < 4 ? (size_t)(end - p) : 4));
			if (n == 0)
				break;
			p += n;
		}
	}
	return (size_t)(p - s.data);
}

bool utf8_is_cut(struct slice s)
{
	uint32_t c;
	return s.len && utf8_length(s.data[0]) > s.len && utf8_decode(s, &c) == s.len;
}

/* A character was cut: its missing bytes come from the front of `bytes`. */
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
		if (utf8_valid_prefix(held) != held.len) /* the new byte is none of its own */
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
		size_t n = utf8_valid_run(bytes);
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
