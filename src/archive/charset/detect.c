/* SPDX-License-Identifier: MIT */
/*
 * Decides the charset of a page by its first bytes: byte order mark, label of the server, label of <meta>, the bytes
 * themselves, statistics (uchardet). Example: a page that is labelled ISO-8859-1 and whose bytes above 127 are valid
 * UTF-8 is read as UTF-8.
 */
#include "config.h"

#include "archive/charset/detect.h"

#include "archive/charset/decode.h"
#include "archive/charset/uchardet_call.h"
#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"

/* What ends a part of a tag, as a set of bits. Nearly all of a page's first bytes are looked up here. */
enum end {
	END_VALUE = 1,     /* of an attribute without quotes, or the name of a tag */
	END_NAME = 2,      /* of an attribute's name */
	END_PARAMETER = 4, /* of a parameter of a media type, without quotes */
	END_ALL = END_VALUE | END_NAME | END_PARAMETER,
};

static const uint8_t ends[256] = {
	[' '] = END_ALL,  ['\t'] = END_ALL, ['\n'] = END_ALL,      ['\f'] = END_ALL,      ['\r'] = END_ALL,
	['/'] = END_NAME, ['='] = END_NAME, [';'] = END_PARAMETER, [','] = END_PARAMETER, ['>'] = END_VALUE | END_NAME,
};

static struct slice skip_spaces(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_skip(s, 1);
	return s;
}

/* Returns the part of `s` before the first byte that is such an end. */
static struct slice until(struct slice s, enum end end)
{
	size_t n = 0;
	while (n < s.len && !(ends[s.data[n]] & end))
		n++;
	return slice_of(s.data, n);
}

static struct slice until_byte(struct slice s, uint8_t byte)
{
	const uint8_t *found = s.len ? memchr(s.data, byte, s.len) : NULL;
	return found ? slice_of(s.data, (size_t)(found - s.data)) : s;
}

static bool begins(struct slice s, const char *text)
{
	size_t n = strlen(text);
	return s.len >= n && slice_is(slice_of(s.data, n), text);
}

/* Returns a value in quotes, or up to a space or semicolon; empty if a quote is not closed. */
static struct slice parameter_value(struct slice s)
{
	if (s.len == 0 || (s.data[0] != '"' && s.data[0] != '\''))
		return until(s, END_PARAMETER);
	struct slice value = until_byte(slice_skip(s, 1), s.data[0]);
	return value.len + 1 < s.len ? value : slice_of(NULL, 0);
}

struct slice prescan_charset_parameter(struct slice text)
{
	while (text.len) {
		if ((text.data[0] | 0x20) != 'c' || !begins(text, "charset")) {
			text = slice_skip(text, 1);
			continue;
		}
		text = skip_spaces(slice_skip(text, 7));
		if (text.len && text.data[0] == '=')
			return parameter_value(skip_spaces(slice_skip(text, 1)));
	}
	return slice_of(NULL, 0);
}

struct attribute {
	struct slice name, value;
};

/* Takes an attribute off the front ("get an attribute"). Returns false at the tag's end, before the '>'. */
static bool next_attribute(struct slice *s, struct attribute *a)
{
	while (s->len && (ascii_is_space(s->data[0]) || s->data[0] == '/'))
		*s = slice_skip(*s, 1);
	if (s->len == 0 || s->data[0] == '>')
		return false;
	/* A leading '=' is part of the name. */
	size_t first = s->data[0] == '=';
	a->name = until(slice_skip(*s, first), END_NAME);
	a->name = slice_of(s->data, a->name.len + first);
	*s = slice_skip(*s, a->name.len);
	a->value = slice_of(NULL, 0);
	struct slice rest = skip_spaces(*s);
	if (rest.len == 0 || rest.data[0] != '=')
		return true;
	*s = skip_spaces(slice_skip(rest, 1));
	if (s->len && (s->data[0] == '"' || s->data[0] == '\'')) {
		a->value = until_byte(slice_skip(*s, 1), s->data[0]);
		*s = slice_skip(*s, a->value.len + 2);
	} else {
		a->value = until(*s, END_VALUE);
		*s = slice_skip(*s, a->value.len);
	}
	return true;
}

enum need { NEED_UNKNOWN, NEED_PRAGMA, NEED_NOTHING };

/* Takes a meta element's attributes off the front. Returns the charset it names, or NULL. */
static const struct charset *read_meta(struct slice *s)
{
	bool pragma = false, seen_content = false, seen_charset = false;
	enum need need = NEED_UNKNOWN;
	const struct charset *found = NULL;
	struct attribute a;
	while (next_attribute(s, &a)) {
		if (slice_is(a.name, "http-equiv")) {
			pragma = pragma || slice_is(slice_trim(a.value), "content-type");
		} else if (slice_is(a.name, "content") && !seen_content) {
			seen_content = true;
			const struct charset *named = charset_find(prescan_charset_parameter(a.value));
			if (named && need == NEED_UNKNOWN) {
				found = named;
				need = NEED_PRAGMA;
			}
		} else if (slice_is(a.name, "charset") && !seen_charset) {
			seen_charset = true;
			found = charset_find(a.value);
			need = NEED_NOTHING;
		}
	}
	if (need == NEED_PRAGMA && !pragma)
		return NULL;
	return found;
}

/* Corrects a claim of UTF-16, which is wrong for bytes that can be read as ASCII. */
static const struct charset *plausible(const struct charset *found)
{
	if (found && found->kind == CHARSET_UTF16)
		return charset_utf8();
	if (found && strcmp(found->name, "x-user-defined") == 0)
		return charset_windows_1252();
	return found;
}

static struct slice skip_to(struct slice s, const char *end)
{
	const size_t n = strlen(end);
	for (;;) {
		s = slice_skip(s, until_byte(s, (uint8_t)end[0]).len);
		if (s.len < n)
			return slice_of(NULL, 0);
		if (memcmp(s.data, end, n) == 0)
			return slice_skip(s, n);
		s = slice_skip(s, 1);
	}
}

static const struct charset *xml_declaration(struct slice page)
{
	if (!begins(page, "<?xml"))
		return NULL;
	struct slice s = until_byte(page, '>');
	while (s.len && !begins(s, "encoding"))
		s = slice_skip(s, 1);
	s = skip_spaces(slice_skip(s, 8));
	if (s.len == 0 || s.data[0] != '=')
		return NULL;
	s = skip_spaces(slice_skip(s, 1));
	return s.len && (s.data[0] == '"' || s.data[0] == '\'') ? charset_find(parameter_value(s)) : NULL;
}

/* Skips a tag other than meta, with its attributes, whose values may contain anything. */
static struct slice skip_tag(struct slice s)
{
	struct attribute a;
	struct slice name = until(s, END_VALUE);
	s = slice_skip(s, name.len);
	while (next_attribute(&s, &a))
		continue;
	return s;
}

const struct charset *prescan_page(struct slice page)
{
	struct slice s = page;
	while (s.len) {
		const uint8_t *open = memchr(s.data, '<', s.len);
		if (!open)
			break;
		s = slice_skip(s, (size_t)(open - s.data));
		if (begins(s, "<!--")) {
			s = skip_to(slice_skip(s, 2), "-->"); /* "<!-->" is a comment */
		} else if ((begins(s, "<meta") && s.len > 5 && (ascii_is_space(s.data[5]) || s.data[5] == '/'))) {
			s = slice_skip(s, 6);
			const struct charset *found = plausible(read_meta(&s));
			if (found)
				return found;
		} else if (s.len > 1 && ascii_is_alpha(s.data[1])) {
			s = skip_tag(slice_skip(s, 1));
		} else if (s.len > 2 && s.data[1] == '/' && ascii_is_alpha(s.data[2])) {
			s = skip_tag(slice_skip(s, 2));
		} else if (s.len > 1 && strchr("!/?", s.data[1]) && s.data[1]) {
			s = skip_to(s, ">");
		} else {
			s = slice_skip(s, 1);
		}
	}
	return plausible(xml_declaration(page));
}

enum {
	SURE_WEIGHT = 2, /* this weight of UTF-8 outweighs a charset that is named otherwise ... */
	PAIRS_WEIGHT =
		6, /* ... and this one a server that names one of pairs of bytes, some of which are valid by chance */
	FAULT_WEIGHT = 20, /* one fault cancels this weight: pages cut their own quotations inside a character */
	FEW = 3, /* faults of a page in UTF-8 where <meta> names another charset; control characters of a text */
	FEW_TO_GUESS = 8, /* faults where none is named: from fewer bytes nothing can be guessed */
	CLEANER = 16,     /* a charset of pairs of bytes must have this part of the faults of another to win */
	SCATTERED = 8,    /* and one of single bytes, which has none, a fault of the other in so many characters */
};

const struct charset *detect_mark(struct slice first, size_t *len, bool *cut)
{
	static const struct {
		const char *bytes, *label;
	} marks[] = { { "\xEF\xBB\xBF", "utf-8" }, { "\xFE\xFF", "utf-16be" }, { "\xFF\xFE", "utf-16le" } };
	*cut = false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t n = strlen(marks[i].bytes), seen = first.len < n ? first.len : n;
		if (seen && memcmp(first.data, marks[i].bytes, seen) != 0)
			continue;
		if (seen == n) {
			*len = n;
			return charset_find(slice_from_text(marks[i].label));
		}
		*cut = true;
	}
	return NULL;
}

/*
 * Evidence for UTF-8: 2 for each character of three or four bytes, 1 for one of two bytes, which occur by chance in
 * other charsets. But 2 for one with lead C2 or C3 if the page claims windows-1252: there it would be a capital A with
 * an accent before a sign.
 */
struct evidence {
	size_t weight, faults;
};

static bool is_faultless(struct slice s, bool whole)
{
	s = slice_skip(s, utf8_valid_prefix(s));
	return s.len == 0 || (!whole && utf8_is_cut(s));
}

/* Where there is no fault, no more than the weight `enough` is counted. */
static struct evidence weigh(struct slice s, bool whole, const struct charset *said, size_t enough)
{
	struct evidence e = { 0, 0 };
	if (!is_faultless(s, whole))
		enough = SIZE_MAX;
	while (s.len && e.weight < enough) {
		size_t n = ascii_run(s.data, s.len);
		s = slice_skip(s, n);
		if (s.len == 0 || (!whole && utf8_is_cut(s)))
			break;
		uint32_t c;
		n = utf8_decode(s, &c);
		if (c == 0xFFFD && !(n == 3 && s.data[0] == 0xEF))
			e.faults++;
		else if (n > 2 || (s.data[0] <= 0xC3 && said == charset_windows_1252()))
			e.weight += 2;
		else
			e.weight++;
		s = slice_skip(s, n);
	}
	return e;
}

/* Can the bytes only be UTF-8, whatever is said? */
static bool is_utf8(const struct detector *d, struct slice s, bool whole)
{
	const size_t need = d->said ? (d->label && d->said->kind == CHARSET_DOUBLE ? PAIRS_WEIGHT : SURE_WEIGHT) : 0;
	const struct evidence e = weigh(s, whole, d->said, need ? need : 1);
	return e.weight > 0 && e.weight >= need + e.faults * FAULT_WEIGHT;
}

static bool is_binary(struct slice s)
{
	size_t controls = 0;
	for (size_t i = 0; i < s.len; i++)
		controls += s.data[i] < 0x20 && !ascii_is_space(s.data[i]) && s.data[i] != 0x1B;
	return controls > FEW;
}

/* Sets *guess to what uchardet finds in bytes that are not UTF-8, or to NULL. */
static int guess_charset(struct detector *d, struct slice s, const struct charset **guess)
{
	/* Names that are not labels of the standard. */
	static const struct {
		const char *name, *label;
	} others[] = { { "UHC", "euc-kr" }, { "MAC-CYRILLIC", "x-mac-cyrillic" }, { "JOHAB", "euc-kr" } };
	const char *name = "";
	int status = DANA_OK;
#ifdef HAVE_UCHARDET
	status = uchardet_call(&d->uchardet, (const char *)s.data, s.len, &name);
#else
	(void)d;
#endif
	*guess = NULL;
	if (status < 0)
		return status;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcmp(name, others[i].name) == 0)
			name = others[i].label;
	}
	const struct charset *found = charset_find(slice_from_text(name));
	/* uchardet finds Latin letters of other languages where there are only quotation marks and dashes */
	bool has_letters = false;
	for (size_t i = 0; i < s.len && !has_letters; i++)
		has_letters = s.data[i] >= 0xC0;
	if (found && found->kind == CHARSET_SINGLE && !has_letters)
		*guess = charset_windows_1252();
	else if (found && found->kind != CHARSET_REPLACEMENT)
		*guess = found;
	return DANA_OK;
}

void detector_free(struct detector *d)
{
#ifdef HAVE_UCHARDET
	uchardet_call_end(&d->uchardet);
#endif
	buf_free(&d->pairs.text);
}

static const struct charset *contradict(struct detector *d, const struct charset *charset)
{
	d->contradicted = true;
	return charset;
}

/*
 * The page is said to be UTF-8. Where `s` of it is not, sets *out to what <meta> says, if it was the server who said
 * so, or to what uchardet finds. Random bytes stay what they are said to be.
 */
static int judge_utf8(struct detector *d, struct slice first, struct slice s, bool whole, const struct charset **out)
{
	*out = d->said;
	d->valid = utf8_valid_prefix(s);
	const struct slice rest = slice_skip(s, d->valid);
	if (rest.len == 0 || (!whole && utf8_is_cut(rest)))
		return DANA_OK;
	const struct charset *meta = d->label && !d->text ? prescan_page(first) : NULL, *other = NULL;
	const bool named = meta && (meta->kind == CHARSET_SINGLE || meta->kind == CHARSET_DOUBLE);
	/* a text of which more is not UTF-8 than is, in more than a few places */
	const struct evidence e = weigh(s, whole, NULL, SIZE_MAX);
	if (e.faults <= (named ? FEW : FEW_TO_GUESS) || e.faults <= e.weight || is_binary(s))
		return DANA_OK;
	int status = named ? DANA_OK : guess_charset(d, s, &other);
	if (named)
		other = meta;
	if (other && (other->kind == CHARSET_SINGLE || other->kind == CHARSET_DOUBLE))
		*out = contradict(d, other);
	return status;
}

static int keep_text(struct byte_sink *self, struct slice bytes)
{
	struct pairs_text *t = (struct pairs_text *)self;
	return t->charset ? buf_append(&t->text, bytes.data, bytes.len) : 0;
}

/* Decodes `s` by a charset of pairs of bytes. Keeps the text if `keep`. */
static int decode_pairs(struct pairs_text *t, const struct charset *charset, struct slice s, bool keep)
{
	static const struct byte_sink_ops ops = { "pairs", keep_text, NULL };
	struct decoder d;
	t->sink.ops = &ops;
	t->charset = keep ? charset : NULL;
	buf_clear(&t->text);
	d.next = &t->sink;
	d.bad = d.len = d.n_held = 0;
	int status = charset->write(&d, s);
	if (status == 0)
		status = decoder_flush(&d);
	t->faults = d.bad;
	t->n_held = d.n_held;
	memcpy(t->held, d.held, d.n_held);
	return status;
}

/* Does another charset, which may be NULL, read `s` much better than the one of d->pairs? */
static bool reads_better(const struct detector *d, const struct charset *other, struct slice s)
{
	struct pairs_text trial = { .faults = 0 };
	if (!other || (other->kind != CHARSET_DOUBLE && other->kind != CHARSET_SINGLE))
		return false;
	if (other->kind == CHARSET_SINGLE) {
		/* does a fault come in so few characters beyond ASCII that the text is none of pairs? */
		const struct slice text = buf_slice(&d->pairs.text);
		size_t n = 0;
		for (size_t i = 0; i < text.len; i++)
			n += text.data[i] >= 0xC0;
		return d->pairs.faults * SCATTERED > n - d->pairs.faults;
	}
	(void)decode_pairs(&trial, other, s, false); /* keeps nothing */
	return trial.faults * CLEANER <= d->pairs.faults;
}

/* The page is said to be in a charset of pairs. The same where that fails and another one does not. */
static int judge_pairs(struct detector *d, struct slice first, struct slice s, const struct charset **out)
{
	int status = decode_pairs(&d->pairs, d->said, s, true);
	const size_t faults = d->pairs.faults;
	*out = d->said;
	if (status < 0 || faults <= FEW || is_binary(s))
		return status;
	const struct charset *other = d->label && !d->text ? prescan_page(first) : NULL;
	bool better = reads_better(d, other, s);
	if (!better && faults > FEW_TO_GUESS) {
		status = guess_charset(d, s, &other);
		better = reads_better(d, other, s);
	}
	if (better)
		*out = contradict(d, other);
	return status;
}

int detect_page(struct detector *d, const struct charset *label, struct slice first, bool whole,
		const struct charset **out)
{
	/* UTF-16 without a mark is recognised by the first two characters: '<' and another ASCII character */
	const uint8_t *p = first.data;
	const bool little = first.len >= 4 && p[0] == '<' && p[1] == 0 && p[2] != 0 && p[3] == 0;
	const bool big = first.len >= 4 && p[0] == 0 && p[1] == '<' && p[2] == 0 && p[3] != 0;
	const struct charset *utf16 =
		little || big ? charset_find(slice_from_text(little ? "utf-16le" : "utf-16be")) : NULL;

	d->valid = 0;
	d->pairs.charset = NULL;
	if (label && label->kind == CHARSET_UTF16 && !utf16 && first.len && !memchr(first.data, 0, first.len) &&
	    is_faultless(first, whole))
		label = contradict(d, NULL); /* a page in UTF-16 has zeros in its tags */
	d->label = label;
	d->said = label ? label : d->text ? NULL : prescan_page(first);
	*out = utf16;
	if (utf16) {
		d->contradicted |= label && label != utf16;
		return DANA_OK;
	}
	if (d->said) {
		/* what the bytes make of the charset that is said; *out is NULL if that does not matter yet */
		const bool ascii = ascii_run(first.data, first.len) == first.len;

		*out = d->said;
		switch (d->said->kind) {
		case CHARSET_UTF8:
			if (!ascii)
				return judge_utf8(d, first, first, whole, out);
			*out = NULL;
			break;
		case CHARSET_SINGLE:
		case CHARSET_DOUBLE:
			if (ascii)
				*out = NULL;
			break;
		default: /* others differ in ASCII, too */
			break;
		}
		if (d->said->kind == CHARSET_UTF8 || ascii)
			return DANA_OK;
		if (is_utf8(d, first, whole))
			*out = contradict(d, charset_utf8());
		else if (d->said->kind == CHARSET_DOUBLE)
			return judge_pairs(d, first, first, out);
		return DANA_OK;
	}
	bool ascii = ascii_run(first.data, first.len) == first.len;
	if (ascii && (first.len == 0 || !memchr(first.data, 0x1B, first.len)))
		return DANA_OK;
	if (ascii || !is_utf8(d, first, whole)) {
		/* guesses the charset of bytes that are not UTF-8, if nothing else names it */
		int status = guess_charset(d, first, out);

		if (status < 0)
			return status;
		if (ascii && *out && (*out)->kind != CHARSET_STATEFUL)
			*out = NULL; /* escape sequences switch between sets of characters, or are noise */
		else if (!ascii && !*out)
			*out = charset_windows_1252();
		return DANA_OK;
	}
	*out = charset_utf8();
	return DANA_OK;
}

int detect_late(struct detector *d, struct slice first, struct slice late, bool whole, const struct charset **out)
{
	const struct charset *said = d->said;
	*out = said;
	d->valid = 0;
	d->pairs.charset = NULL;
	if (said && said->kind == CHARSET_UTF8)
		return judge_utf8(d, first, late, whole, out);
	if (late.len && is_utf8(d, late, whole))
		*out = said ? contradict(d, charset_utf8()) : charset_utf8();
	else if (said && said->kind == CHARSET_DOUBLE)
		return judge_pairs(d, first, late, out);
	else if (!said)
		*out = late.len ? charset_windows_1252() : charset_utf8();
	return DANA_OK;
}
