/* SPDX-License-Identifier: MIT */
/* What stands in a text as a whole: pictures, formulas, references of notes, inline code, and addresses. */
#include "base/ascii.h"
#include "extract/structure/escape.h"
#include "extract/structure/inline_private.h"

/* What bytes of an address ask for. */
enum address_byte {
	ADDRESS_ODD = 1,       /* is written in another way, or may be */
	ADDRESS_REFERENCE = 2, /* may begin a character reference */
	ADDRESS_BLANK = 4,     /* or a control: is dropped at an end, and some everywhere */
	ADDRESS_SEMICOLON = 8, /* ends a reference */
};

static unsigned address_byte(uint8_t c)
{
	static const uint8_t others[256] = {
		['&'] = ADDRESS_REFERENCE, [';'] = ADDRESS_SEMICOLON, ['`'] = ADDRESS_ODD,
		['('] = ADDRESS_ODD,       [')'] = ADDRESS_ODD,       ['<'] = ADDRESS_ODD,
		['>'] = ADDRESS_ODD,       ['\\'] = ADDRESS_ODD,      [0x7F] = ADDRESS_ODD
	};
	return c <= ' ' ? ADDRESS_BLANK | ADDRESS_ODD : others[c];
}

static unsigned address_bytes(struct slice address)
{
	unsigned all = 0;
	for (size_t i = 0; i < address.len; i++)
		all |= address_byte(address.data[i]);
	return all;
}

static bool are_odd(unsigned bytes)
{
	enum { REFERENCE = ADDRESS_REFERENCE | ADDRESS_SEMICOLON };
	return bytes & ADDRESS_ODD || (bytes & REFERENCE) == REFERENCE;
}

bool inline_url_is_odd(struct slice url)
{
	return are_odd(address_bytes(url));
}

/* Returns whether each parenthesis has its other one, as CommonMark wants it in an address, and few are in others. */
static bool parentheses_match(struct slice url)
{
	enum { DEPTH_MOST = 30 };
	int depth = 0;
	if (slice_until(url, "(") == url.len && slice_until(url, ")") == url.len)
		return true;
	for (size_t i = 0; i < url.len && depth >= 0 && depth <= DEPTH_MOST; i++)
		depth += (url.data[i] == '(') - (url.data[i] == ')');
	return depth == 0;
}

int inline_url(const struct inline_writer *w, struct buf *to)
{
	struct slice url = buf_slice(&w->url);
	if (!w->url_is_odd)
		return buf_append(to, url.data, url.len);
	const bool matched = parentheses_match(url);
	while (url.len) {
		size_t len = 0;
		while (len < url.len && !(address_byte(url.data[len]) & (ADDRESS_ODD | ADDRESS_REFERENCE)))
			len++;
		buf_append(to, url.data, len);
		if (len == url.len)
			break;
		const uint8_t c = url.data[len];
		if (c == '&')
			buf_append_text(to, escape_is_reference(slice_skip(url, len)) ? "&amp;" : "&");
		else if (c != '(' && c != ')')
			buf_printf(to, "%%%02X", c);
		else
			buf_printf(to, matched ? "%c" : "\\%c", c);
		url = slice_skip(url, len + 1);
	}
	return buf_status(to);
}

/* Cleans a reference as it stands in the source, in w->scratch if it has to be changed; *bytes: what is in it then. */
static int clean(struct inline_writer *w, struct slice *value, unsigned *bytes)
{
	*bytes = address_bytes(*value);
	if (!(*bytes & (ADDRESS_REFERENCE | ADDRESS_BLANK)))
		return DANA_OK;
	buf_clear(&w->scratch);
	int status = inline_decode(&w->scratch, *value);
	*value = url_clean(&w->scratch);
	*bytes = address_bytes(*value);
	return status;
}

/* Makes w->url the absolute address of a cleaned reference. */
static int absolute(struct inline_writer *w, struct slice value, unsigned bytes)
{
	w->url_is_odd = w->base_is_odd || are_odd(bytes);
	buf_clear(&w->url);
	return url_append(&w->url, &w->base, value);
}

int inline_link_leads(struct inline_writer *w, const struct mark *mark, bool *leads)
{
	struct slice value = page_argument(w->page, mark->argument, mark->len);
	unsigned bytes;
	/* what begins so begins so when it is clean, too */
	const bool sure = slice_is(slice_first(value, 5), "http:") || slice_is(slice_first(value, 6), "https:") ||
			  (value.len && value.data[0] == '/');
	int status = sure ? DANA_OK : clean(w, &value, &bytes);
	*leads = url_leads_elsewhere(&w->base, value);
	return status;
}

int inline_link_url(struct inline_writer *w, const struct mark *mark)
{
	struct slice value = page_argument(w->page, mark->argument, mark->len);
	unsigned bytes;
	int status = clean(w, &value, &bytes);
	return status < 0 ? status : absolute(w, value, bytes);
}

int inline_picture(struct inline_writer *w, const struct mark *mark)
{
	struct slice both = page_argument(w->page, mark->argument, mark->len);
	size_t len = 0;
	bool pending = false, lead;
	while (len < both.len && both.data[len])
		len++;
	struct slice value = slice_first(both, len);
	unsigned bytes;
	buf_clear(&w->plain);
	buf_clear(&w->url);
	if (clean(w, &value, &bytes) < 0 || (url_leads_elsewhere(&w->base, value) && absolute(w, value, bytes) < 0))
		return DANA_ENOMEM;
	return inline_collapse(&w->plain, 0, slice_skip(both, len + 1), true, &pending, &lead);
}

/* A picture without an address is the text for it. */
static int picture(struct inline_writer *w, const struct mark *mark, struct buf *to, enum segment_kind *kind)
{
	size_t open = 0;
	const struct escape_rules rules = { .tildes = true, .in_link = true, .brackets = BRACKETS_ALL, .open = &open };
	int status = inline_picture(w, mark);
	if (status == DANA_OK && w->url.len == 0) {
		*kind = SEGMENT_TEXT;
		return buf_append(to, w->plain.data, w->plain.len);
	}
	buf_append_text(to, "![");
	buf_append(to, "\\", w->plain.len && w->plain.data[0] == '^');
	if (status == DANA_OK)
		status = escape_text(to, buf_slice(&w->plain), &rules, false);
	buf_append_text(to, "](");
	if (status == DANA_OK)
		status = inline_url(w, to);
	return status < 0 ? status : buf_append_byte(to, ')');
}

static int formula(struct inline_writer *w, const struct mark *mark, struct buf *to, enum segment_kind *kind)
{
	*kind = SEGMENT_FORMULA;
	const char *delimiter = w->style->plain ? "" : mark->display ? "$$" : "$";
	bool pending = false, lead;
	buf_append_text(to, delimiter);
	size_t from = to->len;
	inline_collapse(to, from, page_argument(w->page, mark->argument, mark->len), true, &pending, &lead);
	return buf_append_text(to, delimiter);
}

int inline_atom(struct inline_writer *w, const struct mark *mark, struct buf *to, enum segment_kind *kind)
{
	*kind = SEGMENT_RAW;
	struct slice argument = page_argument(w->page, mark->argument, mark->len);
	if (mark->kind == MARK_IMAGE)
		return w->style->images && !w->style->plain ? picture(w, mark, to, kind) : DANA_OK;
	if (mark->kind == MARK_FORMULA)
		return w->style->formulas ? formula(w, mark, to, kind) : DANA_OK;
	return w->style->plain ? DANA_OK : buf_printf(to, "[^%.*s]", (int)argument.len, (const char *)argument.data);
}

/* The fence is longer than each run of backticks inside; a blank parts it from one at an end. */
int inline_code(const struct style *style, struct slice code, struct buf *to)
{
	size_t longest = 0, run = 0;
	if (style->plain || code.len == 0)
		return buf_append(to, code.data, code.len);
	for (size_t i = 0; i < code.len; i++) {
		run = code.data[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	bool blank = code.data[0] == '`' || code.data[code.len - 1] == '`';
	for (size_t i = 0; i <= longest; i++)
		buf_append_byte(to, '`');
	buf_append(to, " ", blank);
	buf_append(to, code.data, code.len);
	buf_append(to, " ", blank);
	for (size_t i = 0; i <= longest; i++)
		buf_append_byte(to, '`');
	return buf_status(to);
}
