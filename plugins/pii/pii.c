/* SPDX-License-Identifier: MIT */
/*
 * Replaces e-mail addresses, IP addresses and telephone numbers of a text.
 *
 * The tokens are FineWeb's (datatrove's PIIFormatter): addresses that belong to nobody, used in rotation, so
 * that a text does not seem to name one person everywhere. Telephone numbers, which FineWeb leaves, become numbers that
 * are reserved for films. The rotation starts again with each page, because a page must not depend on those before it.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "dana/dana_plugin.h"

/** A place in the text. */
struct pii_place {
	size_t start, end;
};

/* Finds each '@', then the name before and the domain after it. */

static bool is_alnum(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c);
}

/*
 * Returns where the name before the '@' at `at` begins, not before `from`; `at` if there is no name. A name has no two
 * dots in a row.
 */
static size_t name_start(struct slice s, size_t from, size_t at)
{
	size_t start = at;
	for (; start > from; start--) {
		const uint8_t c = s.data[start - 1];
		if (!is_alnum(c) && (c == 0 || !strchr("!#$%&'*+/=?^_`{|}~-", c)) &&
		    (c != '.' || start == at || s.data[start] == '.'))
			break;
	}
	/* Characters around an address, such as quotes, are not taken as part of it, though they could be. */
	while (start < at && !is_alnum(s.data[start]) && s.data[start] != '_')
		start++;
	return start;
}

/* Returns the end of the label that begins at `at`; `at` if there is no label. A label does not end with a hyphen. */
static size_t label_end(struct slice s, size_t at)
{
	size_t end = at, i = at;
	if (at >= s.len || !is_alnum(s.data[at]))
		return at;
	for (; i < s.len && (is_alnum(s.data[i]) || s.data[i] == '-'); i++)
		end = s.data[i] == '-' ? end : i + 1;
	return end;
}

/* Returns the end of the domain that begins at `at`; `at` if there is no domain. */
static size_t domain_end(struct slice s, size_t at)
{
	size_t end = label_end(s, at), labels = end > at;
	while (labels && end + 1 < s.len && s.data[end] == '.') {
		const size_t next = label_end(s, end + 1);
		if (next == end + 1)
			break;
		end = next;
		labels++;
	}
	return labels >= 2 ? end : at;
}

/* Finds each dot between two digits, which is rare, and reads the row of numbers around it. */

/*
 * Ranges outside of the public network (IANA's registry of special addresses): addresses whose first `bits` bits equal
 * those of `address`.
 */
static const struct range {
	uint32_t address;
	unsigned bits;
} special[] = {
	{ 0x00000000, 8 },  /* this network */
	{ 0x0a000000, 8 },  /* private */
	{ 0x64400000, 10 }, /* shared by the customers of a provider */
	{ 0x7f000000, 8 },  /* this machine */
	{ 0xa9fe0000, 16 }, /* link */
	{ 0xac100000, 12 }, /* private */
	{ 0xc0000000, 24 }, /* protocols */
	{ 0xc0000200, 24 }, /* documentation */
	{ 0xc0a80000, 16 }, /* private */
	{ 0xc6120000, 15 }, /* measurements */
	{ 0xc6336400, 24 }, /* documentation */
	{ 0xcb007100, 24 }, /* documentation */
	{ 0xf0000000, 4 },  /* future use, and broadcast */
};

/* Returns the end of an address at `at` that no further number follows; 0 if there is no address. */
static size_t address_end(struct slice s, size_t at, bool public_only)
{
	uint32_t address = 0;
	for (int i = 0; i < 4; i++) {
		if (i && (at >= s.len || s.data[at++] != '.'))
			return 0;
		/* a number of 0 to 255 without leading zeros */
		const size_t start = at;
		uint32_t n = 0;
		while (at < s.len && at - start < 4 && ascii_is_digit(s.data[at]))
			n = n * 10 + s.data[at++] - '0';
		if (at == start || n > 255 || (s.data[start] == '0' && at != start + 1))
			return 0;
		address = address << 8 | n;
	}
	const bool more = (at < s.len && ascii_is_digit(s.data[at])) ||
			  (at + 1 < s.len && s.data[at] == '.' && ascii_is_digit(s.data[at + 1]));
	bool is_special = false;
	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		is_special |= (address ^ special[i].address) >> (32 - special[i].bits) == 0;
	return more || (public_only && is_special) ? 0 : at;
}

/**
 * The next IPv4 address of four numbers up to 255 that is not part of a longer row of numbers. `public_only`: not
 * 10.0.0.1.
 */
static bool ip_find(struct slice text, size_t from, bool public_only, struct pii_place *place)
{
	size_t search = from;
	const uint8_t *dot;
	while (search < text.len && (dot = memchr(text.data + search, '.', text.len - search))) {
		const size_t at = (size_t)(dot - text.data);
		size_t start = at;
		while (start > search && ascii_is_digit(text.data[start - 1]))
			start--;
		const bool begins = start < at && (start == from || !ascii_is_digit(text.data[start - 1]));
		const size_t end = begins ? address_end(text, start, public_only) : 0;
		if (end) {
			*place = (struct pii_place){ start, end };
			return true;
		}
		/* of a row of digits and dots, no other part is an address */
		search = at + 1;
		while (begins && search < text.len && (ascii_is_digit(text.data[search]) || text.data[search] == '.'))
			search++;
	}
	return false;
}

/*
 * A number is read as groups of digits with at most two signs between them: "+49 (30) 1234-567" has the groups 2, 2, 4,
 * 3. Then its form decides. Longer or shorter numbers, such as dates, are skipped as a whole.
 */

enum { GROUPS = 8, INTERNATIONAL_LEAST = 8, INTERNATIONAL_MOST = 15, NATIONAL_LEAST = 9, NATIONAL_MOST = 11 };

struct number {
	size_t start, end; /* end: after the last digit */
	bool plus, zero;   /* begins with '+'; begins with 0 */
	unsigned groups, digits;
	unsigned group[GROUPS]; /* digits of each group; further groups count in `digits` only */
};

/*
 * Returns the length in bytes of the digit at `at`, 0 if it is not a digit. ASCII, Arabic (U+0660 to 0669), Persian
 * (U+06F0 to 06F9).
 */
static size_t digit_at(struct slice s, size_t at, bool *zero)
{
	if (at >= s.len)
		return 0;
	const uint8_t c = s.data[at], next = at + 1 < s.len ? s.data[at + 1] : 0;
	*zero = c == '0' || next == (c == 0xd9 ? 0xa0 : 0xb0);
	if (ascii_is_digit(c))
		*zero = c == '0';
	return ascii_is_digit(c)                                                                            ? 1
	       : (c == 0xd9 && next >= 0xa0 && next <= 0xa9) || (c == 0xdb && next >= 0xb0 && next <= 0xb9) ? 2
													    : 0;
}

/* Reads all groups from `at` on, where a digit begins. */
static void read_groups(struct slice s, size_t at, struct number *n)
{
	size_t len;
	bool zero;
	n->groups = n->digits = 0;
	(void)digit_at(s, at, &n->zero);
	for (;;) {
		unsigned digits = 0;
		for (; (len = digit_at(s, at, &zero)); at += len)
			digits++;
		if (n->groups < GROUPS)
			n->group[n->groups] = digits;
		n->groups++;
		n->digits += digits;
		n->end = at;
		size_t gap = 0; /* bytes between two groups of one number */
		while (gap < 2 && at + gap < s.len && s.data[at + gap] != 0 && strchr(" -./()", s.data[at + gap]))
			gap++;
		if (!gap || !digit_at(s, at + gap, &zero))
			return;
		at += gap;
	}
}

static bool is_phone(const struct number *n)
{
	if (n->groups > GROUPS)
		return false;
	if (n->plus)
		return n->digits >= INTERNATIONAL_LEAST && n->digits <= INTERNATIONAL_MOST;
	const unsigned first = n->groups == 4 && n->group[0] == 1;
	if (n->groups == 3 + first && n->group[first] == 3 && n->group[first + 1] == 3 && n->group[first + 2] == 4)
		return true;
	return n->zero && n->groups >= 2 && n->group[0] >= 3 && n->digits >= NATIONAL_LEAST &&
	       n->digits <= NATIONAL_MOST;
}

enum { EMAILS, IPS, PHONES, KINDS, KEPT = 1 << 20 };

static const char *const names[KINDS + 1] = { "emails", "ips", "phones", NULL };

static const char *const email_tokens[] = { "email@example.com", "firstname.lastname@example.org", NULL };

static const char *const ip_tokens[] = { "22.214.171.124", "126.96.36.199", "184.108.40.206",
					 "220.127.116.11", "18.104.22.168", NULL };

static const char *const phone_tokens[] = { "+1 202-555-0100", "+1 202-555-0101", NULL };

static const char *const *const tokens[KINDS] = { email_tokens, ip_tokens, phone_tokens };

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

struct pii {
	bool wanted[KINDS];
	bool public_only;
	struct buf out;
};

static bool find(const struct pii *x, int kind, struct slice text, size_t from, struct pii_place *place)
{
	switch (x->wanted[kind] ? kind : KINDS) {
	case EMAILS: {
		size_t search = from;
		const uint8_t *sign;
		while (search < text.len && (sign = memchr(text.data + search, '@', text.len - search))) {
			const size_t at = (size_t)(sign - text.data);
			/* A name is searched only back to the previous '@', so that no byte is read many times. */
			const size_t start = name_start(text, search, at), end = domain_end(text, at + 1);
			if (start < at && end > at + 1) {
				*place = (struct pii_place){ start, end };
				return true;
			}
			search = at + 1;
		}
		return false;
	}
	case IPS:
		return ip_find(text, from, x->public_only, place);
	case PHONES: {
		/* the next number that is written like a telephone number: + and 8 to 15 digits; or groups of 3, 3 and
		 * 4 digits; or 9 to 11 digits in groups, of which the first begins with 0 and has 3 digits or more.
		 * Digits are ASCII, Arabic or Persian. */
		bool zero;
		for (size_t at = from; at < text.len;) {
			const bool plus = text.data[at] == '+', bracket = text.data[at] == '(';
			const size_t lead = plus || bracket;
			struct number n = { .start = at, .plus = plus };
			if (!digit_at(text, at + lead, &zero)) {
				at++;
				continue;
			}
			read_groups(text, at + lead, &n);
			/* "v+12345678", "#0201234567" and "1,000" are parts of something else */
			const uint8_t before = n.start ? text.data[n.start - 1] : ' ';
			const uint8_t after = n.end < text.len ? text.data[n.end] : ' ';
			const bool alone = !ascii_is_alpha(before) && !strchr("#$_=&/-.,:%+", before) &&
					   !ascii_is_alpha(after) && !strchr("_=&%/", after);
			if (alone && is_phone(&n)) {
				*place = (struct pii_place){ n.start, n.end };
				return true;
			}
			at = n.end;
		}
		return false;
	}
	default:
		return false;
	}
}

/*
 * Writes the text with tokens for this kind and the later ones. Later kinds are searched only between the places of
 * this one, so that digits in an address are not taken for a telephone number.
 */
static void replace(struct pii *x, int kind, struct slice text, uint64_t count[KINDS])
{
	struct pii_place place;
	size_t done = 0;
	if (kind == KINDS) {
		buf_append(&x->out, text.data, text.len);
		return;
	}
	while (find(x, kind, text, done, &place)) {
		replace(x, kind + 1, slice_of(text.data + done, place.start - done), count);
		size_t n = 0;
		while (tokens[kind][n])
			n++;
		buf_append_text(&x->out, tokens[kind][count[kind]++ % n]);
		done = place.end;
	}
	replace(x, kind + 1, slice_skip(text, done), count);
}

static int page(void *instance, struct dana_page *p)
{
	struct pii *x = instance;
	const struct dana_view text = host->text(p);
	uint64_t count[KINDS] = { 0 };
	int status = 0;
	buf_shrink(&x->out, KEPT);
	replace(x, EMAILS, slice_of(text.data, text.len), count);
	if (buf_status(&x->out) < 0)
		return host->page_fail(p, "%s", status_text(DANA_ENOMEM));
	if (count[EMAILS] + count[IPS] + count[PHONES] == 0)
		return DANA_KEEP;
	for (int kind = 0; kind < KINDS && status == 0; kind++) {
		host->count(p, (size_t)kind, count[kind]);
		status = host->put_integer(p, names[kind], (int64_t)count[kind]);
	}
	const struct dana_view out = { (const char *)x->out.data, x->out.len };
	return status < 0 ? status : host->set_text(p, out);
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	(void)shared;
	(void)c;
	host = h;
	return 0;
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	(void)shared;
	(void)h;
	struct pii *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	x->wanted[EMAILS] = host->option_boolean(c, "email");
	x->wanted[IPS] = host->option_boolean(c, "ip");
	x->wanted[PHONES] = host->option_boolean(c, "phone");
	x->public_only = host->option_boolean(c, "public");
	*instance = x;
	return 0;
}

static void close_instance(void *instance)
{
	struct pii *x = instance;
	buf_free(&x->out);
	free(x);
}

static const struct dana_option options[] = {
	{ "email", DANA_BOOLEAN, NULL, "1", "replace e-mail addresses", 0, 0 },
	{ "ip", DANA_BOOLEAN, NULL, "1", "replace IP addresses (version 4)", 0, 0 },
	{ "phone", DANA_BOOLEAN, NULL, "1", "replace numbers that are written like telephone numbers", 0, 0 },
	{ "public", DANA_BOOLEAN, NULL, "1", "leave IP addresses outside of the public network", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(pii) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "pii",
	.version = "1",
	.help = "replaces e-mail addresses, IP addresses and telephone numbers by tokens",
	.options = options,
	.counters = names,
	.load = load,
	.open = open_instance,
	.page = page,
	.close = close_instance,
};
