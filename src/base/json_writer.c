/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON: escapes strings, 32 bytes at a time, and appends the values, names and commas of json.h to a buffer that
 * the caller owns. Example: `a"b` becomes a\"b.
 */
#include "base/cpu.h"
#include "base/json.h"
#include "base/status.h"
#include "base/utf8.h"

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"
#endif

enum { BLOCK = 32 };

/*
 * Bytes of well-formed UTF-8 that are escaped, or begin a character that may be: controls, quote, backslash, DEL, 0xC2
 * (U+0080 to U+009F), 0xE2 (U+2028 and U+2029, which some line readers take for line ends).
 */
static inline bool is_special(uint8_t c)
{
	return (c < 0x20) | (c == '"') | (c == '\\') | (c == 0x7f) | (c == 0xc2) | (c == 0xe2);
}

#ifdef CPU_PATHS_SSE2
static inline uint32_t special_half_sse2(const uint8_t *p)
{
	__m128i v;
	memcpy(&v, p, sizeof(v));
#define IS(byte) _mm_cmpeq_epi8(v, _mm_set1_epi8((char)(byte)))
	const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
	const __m128i ascii = _mm_or_si128(_mm_or_si128(IS('"'), IS('\\')), _mm_or_si128(IS(0x7f), control));
	return (uint32_t)_mm_movemask_epi8(_mm_or_si128(ascii, _mm_or_si128(IS(0xc2), IS(0xe2))));
#undef IS
}

#endif

/* Bit i of the result is set if p[i] is special. */
static inline uint32_t special_bits(const uint8_t *p)
{
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return special_half_sse2(p) | special_half_sse2(p + BLOCK / 2) << BLOCK / 2;
#endif
	uint32_t bits = 0;
	for (unsigned i = 0; i < BLOCK; i++)
		bits |= (uint32_t)is_special(p[i]) << i;
	return bits;
}

/* True for a character that begins with a special byte and is copied nevertheless. */
static bool is_copied(const uint8_t *p)
{
	return (p[0] == 0xc2 && p[1] >= 0xa0) || (p[0] == 0xe2 && !(p[1] == 0x80 && (p[2] == 0xa8 || p[2] == 0xa9)));
}

/* Returns how many bytes at the start of `s`, which is well-formed, can be copied as they are. */
static size_t plain_prefix(struct slice s)
{
	size_t n = 0;
	for (; s.len - n >= BLOCK; n += BLOCK) {
		for (uint32_t bits = special_bits(s.data + n); bits; bits &= bits - 1) {
			size_t at = n + (size_t)__builtin_ctz(bits);
			if (!is_copied(s.data + at))
				return at;
		}
	}
	while (n < s.len && (!is_special(s.data[n]) || is_copied(s.data + n)))
		n++;
	return n;
}

static void escape_point(struct buf *out, uint32_t point)
{
	static const char hex[] = "0123456789abcdef";
	char text[6] = {
		'\\', 'u', hex[point >> 12 & 15], hex[point >> 8 & 15], hex[point >> 4 & 15], hex[point & 15]
	};
	static const char letters[128] = {
		['"'] = '"', ['\\'] = '\\', ['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r', ['\b'] = 'b', ['\f'] = 'f'
	};
	if (point == 0xfffd) {
		buf_append(out, "\xef\xbf\xbd", 3);
	} else if (point < sizeof(letters) && letters[point]) {
		text[1] = letters[point];
		buf_append(out, text, 2);
	} else {
		buf_append(out, text, sizeof(text));
	}
}

/* `s` is well-formed. */
static void escape_valid(struct buf *out, struct slice s)
{
	while (s.len) {
		size_t n = plain_prefix(s);
		buf_append(out, s.data, n);
		s = slice_skip(s, n);
		if (s.len == 0)
			break;
		const uint8_t c = s.data[0];
		if ((c == '\n' || c == '\t' || c == '"' || c == '\\') &&
		    out->cap - out->len >= 2) { /* those that are escaped most */
			out->data[out->len++] = '\\';
			out->data[out->len++] = c == '\n' ? 'n' : c == '\t' ? 't' : c;
			s = slice_skip(s, 1);
			continue;
		}
		uint32_t point;
		size_t len = utf8_decode(s, &point);
		escape_point(out, point);
		s = slice_skip(s, len);
	}
}

int json_escape(struct buf *out, struct slice s)
{
	buf_reserve(out, s.len + s.len / 16);
	while (s.len) {
		size_t valid = utf8_valid_prefix(s);
		escape_valid(out, slice_of(s.data, valid));
		s = slice_skip(s, valid);
		if (s.len == 0)
			break;
		uint32_t point;
		size_t fault = utf8_decode(s, &point);
		escape_point(out, point);
		s = slice_skip(s, fault);
	}
	return buf_status(out);
}

int json_put_string(struct buf *out, struct slice s)
{
	buf_append_byte(out, '"');
	json_escape(out, s);
	return buf_append_byte(out, '"');
}

int json_put_number(struct buf *out, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return buf_append(out, digits + at, sizeof(digits) - at);
}

static void begin_value(struct json_writer *w)
{
	if (w->comma)
		buf_append_byte(w->out, ',');
	w->comma = true;
}

static void begin_group(struct json_writer *w, char bracket)
{
	begin_value(w);
	buf_append_byte(w->out, (uint8_t)bracket);
	w->comma = false;
}

static void end_group(struct json_writer *w, char bracket)
{
	buf_append_byte(w->out, (uint8_t)bracket);
	w->comma = true;
}

void json_no_value(struct json_writer *w)
{
	begin_value(w);
	buf_append_text(w->out, "null");
}

static void null_member(struct json_writer *w, const char *name)
{
	json_key(w, name);
	json_no_value(w);
}

void json_object_begin(struct json_writer *w)
{
	begin_group(w, '{');
}

void json_object_end(struct json_writer *w)
{
	end_group(w, '}');
}

void json_array_begin(struct json_writer *w)
{
	begin_group(w, '[');
}

void json_array_end(struct json_writer *w)
{
	end_group(w, ']');
}

void json_element(struct json_writer *w, struct slice value)
{
	begin_value(w);
	json_put_string(w->out, value);
}

void json_key(struct json_writer *w, const char *name)
{
	begin_value(w);
	buf_append_byte(w->out, '"');
	buf_append_text(w->out, name);
	buf_append_text(w->out, "\":");
	w->comma = false;
}

void json_name(struct json_writer *w, struct slice name)
{
	json_element(w, name);
	buf_append_byte(w->out, ':');
	w->comma = false;
}

void json_text(struct json_writer *w, const char *name, struct slice value)
{
	json_key(w, name);
	json_element(w, value);
}

void json_text_or_null(struct json_writer *w, const char *name, struct slice value)
{
	if (value.len)
		json_text(w, name, value);
	else
		null_member(w, name);
}

void json_count(struct json_writer *w, const char *name, uint64_t value)
{
	json_key(w, name);
	begin_value(w);
	json_put_number(w->out, value);
}

void json_count_or_null(struct json_writer *w, const char *name, bool known, uint64_t value)
{
	if (known)
		json_count(w, name, value);
	else
		null_member(w, name);
}

void json_decimal(struct json_writer *w, const char *name, double value, int decimals)
{
	json_key(w, name);
	begin_value(w);
	buf_printf(w->out, "%.*f", decimals, value);
}

void json_raw(struct json_writer *w, const char *name, struct slice json)
{
	json_key(w, name);
	begin_value(w);
	buf_append(w->out, json.data, json.len);
}

void json_bool(struct json_writer *w, const char *name, bool value)
{
	json_key(w, name);
	begin_value(w);
	buf_append_text(w->out, value ? "true" : "false");
}
