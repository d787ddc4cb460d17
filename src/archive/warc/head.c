/* SPDX-License-Identifier: MIT */
/*
 * Collects a head line by line and notices when it is cut off by another one.
 *
 * Where a writer died in the middle of a head, the next record's version line is glued to what was written. Example:
 *
 *     WARC/1.0
 *     WARC-Type: respWARC/1.0
 *     WARC-Type: request
 *     ...
 *
 * The second line ends with a version, so a second head may begin there (`inner`). Whether it does is known at the
 * blank line: only if the bytes from there on are a plausible head by themselves. A whole line that is a version
 * decides at once.
 */
#include "archive/warc/head.h"

#include "archive/warc/field.h"
#include "archive/warc/spotter.h"
#include "base/ascii.h"

/* The first bytes of a head, compared up to as many as there are: "wa" is part of "WARC/" when any case is allowed. */

const char framer_magic[FRAMER_MAGIC_LEN + 1] = "WARC/";

enum match head_match_magic(struct slice bytes, bool any_case)
{
	size_t len = bytes.len < FRAMER_MAGIC_LEN ? bytes.len : FRAMER_MAGIC_LEN;
	if (any_case ? !slice_equal_nocase(slice_of(bytes.data, len), slice_of(framer_magic, len))
		     : len && memcmp(bytes.data, framer_magic, len) != 0)
		return MATCH_NO;
	return len == FRAMER_MAGIC_LEN ? MATCH_YES : MATCH_PART;
}

enum match head_match_arc(struct slice bytes)
{
	bool need_more;
	if (arc_head_begins(bytes, &need_more))
		return MATCH_YES;
	return need_more ? MATCH_PART : MATCH_NO;
}

enum { TEXT_KEPT = 256 << 10 }; /* memory that a head may hold until the next one */

void head_start(struct head *h, bool arc, bool expected)
{
	buf_shrink(&h->text, TEXT_KEPT);
	buf_clear(&h->text);
	field_list_clear(&h->fields);
	h->arc = arc;
	h->expected = expected;
	h->cut = false;
	h->raw = h->line_raw = h->inner_raw = 0;
	h->line = h->inner = 0;
}

/* Looks at the line that just ended: is the head complete, and may another one begin in this line? */
static enum head_result end_of_line(struct head *h)
{
	struct slice line = slice_of(h->text.data + h->line, h->text.len - h->line);
	uint64_t raw = h->line_raw;
	size_t start = h->line;
	h->line = h->text.len;
	h->line_raw = 0;
	if (h->arc)
		return HEAD_DONE;
	if (raw == 1 || (raw == 2 && line.data[0] == '\r'))
		return HEAD_DONE;
	if (start == 0 || raw != line.len)
		return HEAD_MORE;
	size_t version = warc_version_at_end(line);

	/* A path may end like a version: "http://example.org/WARC/1.0". */
	if (version == 0 || (version < line.len && line.data[line.len - version - 1] == '/'))
		return HEAD_MORE;
	h->inner = h->text.len - version;
	h->inner_raw = h->raw - version;
	return version == line.len ? HEAD_RESTART : HEAD_MORE;
}

ptrdiff_t head_take(struct head *h, struct slice bytes, const struct limits *limits, enum head_result *result)
{
	size_t taken = 0;
	*result = HEAD_MORE;
	h->most_fields = limits->head_fields;
	while (taken < bytes.len && *result == HEAD_MORE) {
		struct slice rest = slice_skip(bytes, taken);
		const uint8_t *lf = memchr(rest.data, '\n', rest.len);
		size_t part = lf ? (size_t)(lf - rest.data) + 1 : rest.len;
		size_t kept = h->text.len - h->line;
		size_t room = kept < limits->head_line ? limits->head_line - kept : 0;
		if (h->raw + part > limits->head) {
			*result = HEAD_TOO_LARGE;
			part = (size_t)(limits->head - h->raw);
			lf = NULL;
		}
		size_t body = lf ? part - 1 : part;
		if (body > room)
			h->cut = true;
		if (buf_append(&h->text, rest.data, body < room ? body : room) < 0 ||
		    (lf && buf_append_byte(&h->text, '\n') < 0))
			return -1;
		h->raw += part;
		h->line_raw += part;
		taken += part;
		if (lf)
			*result = end_of_line(h);
	}
	return (ptrdiff_t)taken;
}

bool head_has_inner(const struct head *h)
{
	if (h->inner == 0)
		return false;
	struct spotter spotter = { 0 };
	spotter_start(&spotter, SPOTTER_WARC, true, SIZE_MAX);
	spotter_feed(&spotter, slice_of(h->text.data + h->inner, h->text.len - h->inner), 0);
	return spotter.state == SPOTTER_FOUND;
}

/* Reads Content-Length. Returns NULL, or what is wrong with it. */
static const char *read_length(const struct field_list *fields, uint64_t *length)
{
	bool seen = false;
	for (size_t i = 0; i < fields->len; i++) {
		uint64_t n;
		if (!slice_is(fields->items[i].name, "Content-Length"))
			continue;
		if (!field_number(fields->items[i].value, &n))
			return "Content-Length is not a number of bytes";
		if (seen && n != *length)
			return "two Content-Length fields contradict each other";
		seen = true;
		*length = n;
	}
	return seen ? NULL : "no Content-Length";
}

static void decide(const struct head *h, struct record *rec, struct head_verdict *verdict)
{
	const char *length_fault = read_length(&h->fields, &rec->content_length);
	verdict->length_usable = !length_fault;
	if (!warc_version_known(rec->version)) {
		verdict->reason = DAMAGE_BAD_VERSION;
		verdict->detail = "the version line is not WARC/0.17, 0.18, 1.0 or 1.1";
	} else if (length_fault) {
		verdict->reason = DAMAGE_BAD_HEAD;
		verdict->detail = length_fault;
	} else if (rec->type_name.len == 0) {
		verdict->reason = DAMAGE_BAD_HEAD;
		verdict->detail = "no WARC-Type";
	} else {
		return;
	}
	verdict->damaged = true;
}

int head_read(struct head *h, struct record *rec, struct head_verdict *verdict)
{
	size_t len = h->inner ? h->inner : h->text.len;

	*rec = (struct record){ .head_cut = h->cut, .is_arc = h->arc };
	*verdict = (struct head_verdict){ 0 };
	field_list_clear(&h->fields);
	if (h->arc)
		return arc_head_read(slice_of(h->text.data, len), h->expected, &h->fields, rec, verdict);
	const uint8_t *lf = len ? memchr(h->text.data, '\n', len) : NULL;
	size_t line = lf ? (size_t)(lf - h->text.data) + 1 : len;
	int status = field_list_parse(&h->fields, h->text.data + line, len - line, h->most_fields);

	if (status < 0)
		return status;
	rec->head_cut = h->cut || h->fields.cut;
	for (size_t i = 0; i < h->fields.len; i++) {
		/* of several fields with one name, the first counts */
		const struct field *field = &h->fields.items[i];
		struct slice value = field->value;

		if (rec->type_name.len == 0 && slice_is(field->name, "WARC-Type"))
			rec->type_name = value;
		else if (rec->target_uri.len == 0 && slice_is(field->name, "WARC-Target-URI"))
			rec->target_uri = field_without_brackets(value);
		else if (rec->date.len == 0 && slice_is(field->name, "WARC-Date"))
			rec->date = value;
		else if (rec->record_id.len == 0 && slice_is(field->name, "WARC-Record-ID"))
			rec->record_id = field_without_brackets(value);
		else if (rec->content_type.len == 0 && slice_is(field->name, "Content-Type"))
			rec->content_type = value;
		else if (rec->payload_type.len == 0 && slice_is(field->name, "WARC-Identified-Payload-Type"))
			rec->payload_type = value;
		else if (rec->truncated.len == 0 && slice_is(field->name, "WARC-Truncated"))
			rec->truncated = value;
		else if (rec->block_digest.len == 0 && slice_is(field->name, "WARC-Block-Digest"))
			rec->block_digest = value;
	}
	rec->version = slice_trim(slice_of(h->text.data, line));
	rec->type = warc_type_of(rec->type_name);
	rec->fields = h->fields.items;
	rec->n_fields = h->fields.len;
	decide(h, rec, verdict);
	return DANA_OK;
}

uint64_t head_restart(struct head *h)
{
	uint64_t before = h->inner_raw;
	buf_consume(&h->text, h->inner);
	h->line -= h->inner;
	h->raw -= before;
	h->inner = 0;
	h->inner_raw = 0;
	field_list_clear(&h->fields);
	return before;
}

void head_free(struct head *h)
{
	buf_free(&h->text);
	field_list_free(&h->fields);
}

/*
 * Reads an ARC head line by its words, from right to left.
 *
 * Version 1: URL IP-address Archive-date Content-type Archive-length
 * Version 2: URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length
 *
 * Writers let blanks into URLs and media types, so words cannot be counted from the left. The last word is the length;
 * from there leftwards, the two words that look most like an address and a date are these. Example:
 *
 *     http://example.org/a b 192.0.2.1 20120101000000 text/html; charset=x 512
 *
 * 512 is the length, "charset=x" and "text/html;" are no dates, 20120101000000 is one and follows 192.0.2.1. What is
 * left of the address is the URL ("http://example.org/a b"), what is between date and length the media type.
 *
 * Writers also have dates that are none, and addresses that are none ("None", a host's name, nothing at all). Where a
 * media type follows, one of the two is enough to know the other by. Where both are odd, only their places are left:
 * these count for a line that stands where a head is expected.
 */

struct arc_line {
	struct slice url, address, date, type, length;
};

/* How sure it is that two words are the address and the date of a head. */
enum arc_pair {
	ARC_PAIR_NONE,
	ARC_PAIR_PLACES,  /* they stand where these stand */
	ARC_PAIR_ADDRESS, /* the first is an address, or both are "-" in their places */
	ARC_PAIR_DATE,    /* the second is a date */
	ARC_PAIR_DIGITS,  /* the first is an address, and the second could be a date by its length */
	ARC_PAIR_BOTH,
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

static size_t count_byte(struct slice word, uint8_t byte)
{
	size_t n = 0;
	for (size_t i = 0; i < word.len; i++)
		n += word.data[i] == byte;
	return n;
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

/* 192.0.2.1, 192.0.2.1:80, 2001:db8::1 */
static bool is_whole_address(struct slice word)
{
	return is_address(word) &&
	       (count_byte(word, ':') >= 2 || (count_byte(word, '.') == 3 && ascii_is_digit(word.data[0])));
}

/* Some writers append digits to the 14 of a date. */
static bool is_date(struct slice word)
{
	enum { DAY = 8, SECOND = 14 };
	char date[WARC_DATE_MAX];
	uint64_t n;
	const bool longer = word.len > SECOND && field_number(slice_skip(word, SECOND), &n);
	return word.len >= DAY && warc_date_normalise(longer ? slice_first(word, SECOND) : word, false, date);
}

static bool is_media_type(struct slice type)
{
	return type.len && (memchr(type.data, '/', type.len) || slice_is(type, "no-type"));
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

/* `arc` has all but what these two words are, and gets it; `in_place`: a media type of one word follows them. */
static enum arc_pair judge_pair(struct arc_line *arc, struct slice before_date, bool in_place)
{
	const size_t len = before_date.len;
	const bool gap = len > 1 && ascii_is_space(before_date.data[len - 2]); /* an empty address is between them */
	struct slice url = before_date, address = last_word(&url);
	uint64_t n;
	const bool digits = arc->date.len >= 8 && arc->date.len <= 17 && field_number(arc->date, &n);
	url = slice_trim(url);
	arc->url = url;
	arc->address = address;
	if (url.len && digits && is_address(address))
		return is_date(arc->date)          ? ARC_PAIR_BOTH
		       : is_whole_address(address) ? ARC_PAIR_DIGITS
						   : ARC_PAIR_ADDRESS;
	if (url.len && in_place && slice_is(arc->date, "-") && slice_is(address, "-"))
		return ARC_PAIR_ADDRESS;
	if (!is_media_type(arc->type))
		return ARC_PAIR_NONE;
	if (is_date(arc->date)) {
		if (gap || url.len == 0) {
			arc->url = slice_trim(before_date);
			arc->address = slice_of(NULL, 0);
		}
		return arc->url.len ? ARC_PAIR_DATE : ARC_PAIR_NONE;
	}
	if (url.len && is_whole_address(address))
		return ARC_PAIR_ADDRESS;
	return url.len && in_place && !memchr(url.data, ' ', url.len) ? ARC_PAIR_PLACES : ARC_PAIR_NONE;
}

/* Finds the words of a head, which are at least as sure as `least`. */
static bool split_line(struct slice line, enum arc_pair least, struct arc_line *arc)
{
	enum {
		WORDS_AFTER_DATE = 12,
		AFTER_TYPE = 5
	}; /* between date and length; version 2: between type and length */
	struct slice rest = slice_trim(line);
	enum arc_pair best = ARC_PAIR_NONE;
	if (!has_scheme(rest))
		return false;
	const struct slice length = last_word(&rest), between = rest; /* up to the length */
	for (int words = 0; words < WORDS_AFTER_DATE && best < ARC_PAIR_BOTH; words++) {
		const bool in_place = words == 1 || words == AFTER_TYPE + 1;
		struct arc_line one = { .length = length, .date = last_word(&rest) };
		if (one.date.len == 0)
			break;
		one.type = slice_trim(slice_skip(between, (size_t)(one.date.data + one.date.len - between.data)));
		for (int i = 0; i < AFTER_TYPE && words > AFTER_TYPE; i++) /* version 2 */
			(void)last_word(&one.type);
		one.type = slice_trim(one.type);
		const enum arc_pair pair = judge_pair(&one, rest, in_place);
		if (pair > best) {
			best = pair;
			*arc = one;
		}
	}
	return best != ARC_PAIR_NONE && best >= least;
}

bool arc_head_plausible(struct slice line, uint64_t *length)
{
	struct arc_line arc;
	return split_line(line, ARC_PAIR_ADDRESS, &arc) && field_number(arc.length, length);
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

int arc_head_read(struct slice line, bool expected, struct field_list *fields, struct record *rec,
		  struct head_verdict *verdict)
{
	static const char filedesc[] = "filedesc:";
	struct arc_line arc;
	if (!split_line(line, expected ? ARC_PAIR_PLACES : ARC_PAIR_ADDRESS, &arc)) {
		verdict->damaged = true;
		verdict->reason = DAMAGE_GARBAGE;
		verdict->detail = "not an ARC header line";
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
