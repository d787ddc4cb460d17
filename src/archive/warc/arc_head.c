/* SPDX-License-Identifier: MIT */
/*
 * Reads an ARC head line by its words, from right to left.
 *
 * Version 1: URL IP-address Archive-date Content-type Archive-length
 * Version 2: URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length
 *
 * Writers let blanks into URLs and media types, so words cannot be counted from the left. The last word is the length;
 * from there leftwards, the first word that is a date and has an address before it is the date. Example:
 *
 *     http://example.org/a b 192.0.2.1 20120101000000 text/html; charset=x 512
 *
 * 512 is the length, "charset=x" and "text/html;" are no dates, 20120101000000 is one and follows 192.0.2.1. What is
 * left of the address is the URL ("http://example.org/a b"), what is between date and length the media type.
 */
#include "archive/warc/arc_head.h"

#include "archive/warc/head.h"
#include "base/ascii.h"

struct arc_line {
	struct slice url, address, date, type, length;
};

static struct slice last_word(struct slice *rest)
{
	while (rest->len && ascii_is_space(rest->data[rest->len - 1]))
		rest->len--;
	size_t end = rest->len;

	while (rest->len && !ascii_is_space(rest->data[rest->len - 1]))
		rest->len--;
	return slice_of(rest->data + rest->len, end - rest->len);
}

static bool is_date(struct slice word)
{
	uint64_t n;

	return word.len >= 8 && word.len <= 17 && field_number(word, &n);
}

static bool is_address(struct slice word)
{
	if (slice_is(word, "-"))
		return true;
	for (size_t i = 0; i < word.len; i++) {
		uint8_t c = ascii_lower(word.data[i]);

		if (!ascii_is_digit(c) && c != '.' && c != ':' && !(c >= 'a' && c <= 'f'))
			return false;
	}
	return word.len > 0 && (memchr(word.data, '.', word.len) || memchr(word.data, ':', word.len));
}

static bool has_scheme(struct slice url)
{
	for (size_t i = 0; i < url.len && i < 16; i++) {
		uint8_t c = url.data[i];

		if (c == ':')
			return i > 1;
		if (!ascii_is_alpha(c) && !(i && (ascii_is_digit(c) || c == '+' || c == '-' || c == '.')))
			return false;
	}
	return false;
}

static bool split_line(struct slice line, struct arc_line *arc)
{
	enum {
		WORDS_AFTER_DATE = 12,
		AFTER_TYPE = 5
	}; /* between date and length; version 2: between type and length */
	struct slice rest = slice_trim(line);

	if (!has_scheme(rest))
		return false;
	arc->length = last_word(&rest);
	struct slice between = rest; /* up to the length */

	for (int words = 0; words < WORDS_AFTER_DATE; words++) {
		struct slice word = last_word(&rest);

		if (word.len == 0)
			return false;
		struct slice left_of_date = rest;
		struct slice address = last_word(&left_of_date);

		/* Address and date that are both missing count where a line with one word of media type has them. */
		bool dashes = (words == 1 || words == AFTER_TYPE + 1) && slice_is(word, "-") && slice_is(address, "-");

		if (!dashes && (!is_date(word) || !is_address(address)))
			continue;
		size_t type_at = (size_t)(word.data + word.len - between.data);

		arc->date = word;
		arc->address = address;
		arc->url = slice_trim(left_of_date);
		arc->type = slice_trim(slice_skip(between, type_at));
		for (int i = 0; i < AFTER_TYPE && words > AFTER_TYPE; i++) /* version 2 */
			(void)last_word(&arc->type);
		arc->type = slice_trim(arc->type);
		return arc->url.len > 0;
	}
	return false;
}

bool arc_head_plausible(struct slice line, uint64_t *length)
{
	struct arc_line arc;

	return split_line(line, &arc) && field_number(arc.length, length);
}

bool arc_head_begins(struct slice first, bool *need_more)
{
	static const char *const schemes[] = { "filedesc:", "http://", "https://", "dns:" };

	*need_more = false;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		size_t len = strlen(schemes[i]);
		size_t have = first.len < len ? first.len : len;

		if (have && memcmp(first.data, schemes[i], have) != 0)
			continue;
		if (have == len)
			return true;
		*need_more = true;
	}
	return false;
}

int arc_head_read(struct slice line, struct field_list *fields, struct record *rec, struct head_verdict *verdict)
{
	static const char filedesc[] = "filedesc:";
	struct arc_line arc;

	if (!split_line(line, &arc)) {
		verdict->damaged = true;
		verdict->reason = DAMAGE_GARBAGE;
		verdict->detail = "not an ARC head line";
		return DANA_OK;
	}
	const size_t n = sizeof(filedesc) - 1;
	bool is_filedesc = arc.url.len >= n && memcmp(arc.url.data, filedesc, n) == 0;

	rec->type = is_filedesc ? RECORD_WARCINFO : RECORD_RESPONSE;
	rec->type_name = slice_from_text(is_filedesc ? "warcinfo" : "response");
	rec->target_uri = arc.url;
	rec->date = arc.date;
	rec->content_type = arc.type;
	const struct field all[] = {
		{ slice_from_text("URL"), arc.url },
		{ slice_from_text("IP-address"), arc.address },
		{ slice_from_text("Archive-date"), arc.date },
		{ slice_from_text("Content-type"), arc.type },
		{ slice_from_text("Archive-length"), arc.length },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		int status = field_list_add(fields, all[i].name, all[i].value);

		if (status < 0)
			return status;
	}
	rec->fields = fields->items;
	rec->n_fields = fields->len;
	verdict->length_usable = field_number(arc.length, &rec->content_length);
	if (!verdict->length_usable) {
		verdict->damaged = true;
		verdict->reason = DAMAGE_BAD_HEAD;
		verdict->detail = "Archive-length is not a number of bytes";
	}
	return DANA_OK;
}
