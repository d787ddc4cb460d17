/* SPDX-License-Identifier: MIT */
/* What stands in a text as a whole: pictures, formulas, references of notes, inline code, and addresses. */
#include "base/ascii.h"
#include "extract/structure/inline_private.h"

/* What bytes of an address ask for. */
enum address_byte {
	ADDRESS_ODD = 1,       /* is written in another way, or may be */
	ADDRESS_REFERENCE = 2, /* may begin a character reference */
	ADDRESS_LINE_END = 4,  /* or a tab: is dropped */
};

static unsigned address_byte(uint8_t c)
{
	static const uint8_t others[256] = { ['&'] = ADDRESS_REFERENCE,
					     ['\t'] = ADDRESS_LINE_END | ADDRESS_ODD,
					     ['\n'] = ADDRESS_LINE_END | ADDRESS_ODD,
					     ['\r'] = ADDRESS_LINE_END | ADDRESS_ODD,
					     ['('] = ADDRESS_ODD,
					     [')'] = ADDRESS_ODD,
					     ['<'] = ADDRESS_ODD,
					     ['>'] = ADDRESS_ODD,
					     ['\\'] = ADDRESS_ODD,
					     [0x7F] = ADDRESS_ODD };
	return others[c] | (c <= ' ');
}

static unsigned address_bytes(struct slice address)
{
	unsigned all = 0;
	for (size_t i = 0; i < address.len; i++)
		all |= address_byte(address.data[i]);
	return all;
}

bool inline_url_is_odd(struct slice url)
{
	return address_bytes(url) & ADDRESS_ODD;
}

/* Returns whether each parenthesis has its other one, as CommonMark wants it in an address. */
static bool parentheses_match(struct slice url)
{
	int depth = 0;
	if (slice_until(url, "(") == url.len && slice_until(url, ")") == url.len)
		return true;
	for (size_t i = 0; i < url.len && depth >= 0; i++)
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
		while (len < url.len && !(address_byte(url.data[len]) & ADDRESS_ODD))
			len++;
		buf_append(to, url.data, len);
		if (len == url.len)
			break;
		const uint8_t c = url.data[len];
		if (c != '(' && c != ')')
			buf_printf(to, "%%%02X", c);
		else
			buf_printf(to, matched ? "%c" : "\\%c", c);
		url = slice_skip(url, len + 1);
	}
	return buf_status(to);
}

/* Drops line ends and tabs of the scratch, as browsers do. */
static void drop_line_ends(struct buf *s)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->len; i++) {
		if (!(address_byte(s->data[i]) & ADDRESS_LINE_END))
			s->data[kept++] = s->data[i];
	}
	s->len = kept;
}

/* Makes w->url the absolute address of a reference as it stands in the source. */
static int absolute(struct inline_writer *w, struct slice value)
{
	unsigned bytes = address_bytes(value);
	if (bytes & (ADDRESS_REFERENCE | ADDRESS_LINE_END)) {
		buf_clear(&w->scratch);
		if (inline_decode(&w->scratch, value) < 0)
			return DANA_ENOMEM;
		drop_line_ends(&w->scratch);
		value = buf_slice(&w->scratch);
		bytes = address_bytes(value);
	}
	w->url_is_odd = w->base_is_odd || bytes & ADDRESS_ODD;
	buf_clear(&w->url);
	return url_append(&w->url, &w->base, slice_trim(value));
}

int inline_link_leads(struct inline_writer *w, const struct mark *mark, bool *leads)
{
	struct slice value = page_argument(w->page, mark->argument, mark->len);
	int status = DANA_OK;
	if (slice_until(value, "&") < value.len) {
		buf_clear(&w->scratch);
		status = inline_decode(&w->scratch, value);
		value = buf_slice(&w->scratch);
	}
	*leads = url_leads_elsewhere(slice_trim(value));
	return status;
}

int inline_link_url(struct inline_writer *w, const struct mark *mark)
{
	return absolute(w, page_argument(w->page, mark->argument, mark->len));
}

int inline_picture(struct inline_writer *w, const struct mark *mark)
{
	struct slice both = page_argument(w->page, mark->argument, mark->len);
	size_t len = 0;
	bool pending = false, lead;
	while (len < both.len && both.data[len])
		len++;
	buf_clear(&w->plain);
	if (absolute(w, slice_first(both, len)) < 0)
		return DANA_ENOMEM;
	return inline_collapse(&w->plain, 0, slice_skip(both, len + 1), true, &pending, &lead);
}

static int picture(struct inline_writer *w, const struct mark *mark, struct buf *to)
{
	const struct buf *alt = &w->plain;
	int status = inline_picture(w, mark);
	buf_append_text(to, "![");
	for (size_t i = 0; status == DANA_OK && i < alt->len; i++) {
		if (strchr("[]\\`*_<", alt->data[i]))
			buf_append_byte(to, '\\');
		buf_append_byte(to, alt->data[i]);
	}
	buf_append_text(to, "](");
	if (status == DANA_OK)
		status = inline_url(w, to);
	return status < 0 ? status : buf_append_byte(to, ')');
}

static int formula(struct inline_writer *w, const struct mark *mark, struct buf *to)
{
	const char *delimiter = w->style->plain ? "" : mark->display ? "$$" : "$";
	bool pending = false, lead;
	buf_append_text(to, delimiter);
	size_t from = to->len;
	inline_collapse(to, from, page_argument(w->page, mark->argument, mark->len), true, &pending, &lead);
	return buf_append_text(to, delimiter);
}

int inline_atom(struct inline_writer *w, const struct mark *mark, struct buf *to)
{
	struct slice argument = page_argument(w->page, mark->argument, mark->len);
	if (mark->kind == MARK_IMAGE)
		return w->style->images && !w->style->plain ? picture(w, mark, to) : DANA_OK;
	if (mark->kind == MARK_FORMULA)
		return w->style->formulas ? formula(w, mark, to) : DANA_OK;
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
