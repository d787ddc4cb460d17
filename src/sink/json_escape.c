#include "sink/json_escape.h"

#include "base/status.h"
#include "base/utf8.h"

/* Eight bytes of which none is a control, quote, backslash, DEL or beyond ASCII. */
static bool is_clean(const uint8_t *p)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const uint64_t tops = UINT64_C(0x8080808080808080);
	uint64_t w;
	memcpy(&w, p, sizeof w);
	uint64_t quote = w ^ ones * '"';
	uint64_t slash = w ^ ones * '\\';
	/* A byte below n sets its top bit in w - n * ones; exact as long as no byte has its own top bit, which `w` tells. */
	uint64_t bad = (w - ones * 0x20) | (quote - ones) | (slash - ones) | (w + ones) | w;
	return (bad & tops) == 0;
}

/* Length of the stretch at the start of `s` that can be copied as it is. */
static size_t clean_prefix(struct slice s)
{
	size_t n = 0;
	while (n < s.len) {
		uint8_t c = s.data[n];
		if (s.len - n >= 8 && is_clean(s.data + n)) {
			n += 8;
		} else if (c < 0x80) {
			if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
				return n;
			n++;
		} else {
			uint32_t point;
			size_t len = utf8_decode(slice_of(s.data + n, s.len - n), &point);
			bool line_end = point == 0x2028 || point == 0x2029; /* a line feed to JavaScript */
			if (point < 0xa0 || line_end || (point == 0xfffd && s.data[n] != 0xef))
				return n;
			if (point == 0xfffd && (len != 3 || s.data[n + 1] != 0xbf || s.data[n + 2] != 0xbd))
				return n;
			n += len;
		}
	}
	return n;
}

static int escape_point(struct buf *out, uint32_t point)
{
	static const char hex[] = "0123456789abcdef";
	char text[6] = { '\\', 'u', hex[point >> 12 & 15], hex[point >> 8 & 15], hex[point >> 4 & 15], hex[point & 15] };
	const char *shorter = NULL;
	switch (point) {
	case '"': shorter = "\\\""; break;
	case '\\': shorter = "\\\\"; break;
	case '\n': shorter = "\\n"; break;
	case '\t': shorter = "\\t"; break;
	case '\r': shorter = "\\r"; break;
	case '\b': shorter = "\\b"; break;
	case '\f': shorter = "\\f"; break;
	case 0xfffd: shorter = "\xef\xbf\xbd"; break;
	default: break;
	}
	return shorter ? buf_append_text(out, shorter) : buf_append(out, text, sizeof text);
}

int json_escape(struct buf *out, struct slice s)
{
	int status = buf_reserve(out, s.len + s.len / 16);
	while (s.len && status == DANA_OK) {
		size_t n = clean_prefix(s);
		status = buf_append(out, s.data, n);
		s = slice_skip(s, n);
		if (s.len == 0 || status < 0)
			break;
		uint32_t point;
		size_t len = utf8_decode(s, &point);
		status = escape_point(out, point);
		s = slice_skip(s, len);
	}
	return status;
}

int json_put_string(struct buf *out, struct slice s)
{
	int status = buf_append_byte(out, '"');
	if (status == DANA_OK)
		status = json_escape(out, s);
	return status < 0 ? status : buf_append_byte(out, '"');
}

int json_put_string_or_null(struct buf *out, struct slice s)
{
	return s.len ? json_put_string(out, s) : buf_append_text(out, "null");
}

int json_put_number(struct buf *out, uint64_t number)
{
	char digits[20];
	size_t at = sizeof digits;
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return buf_append(out, digits + at, sizeof digits - at);
}
