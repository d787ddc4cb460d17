/* SPDX-License-Identifier: MIT */
/* What stands in a text as a whole: pictures, formulas, references of notes, inline code, and addresses. */
#include "base/ascii.h"
#include "extract/structure/inline_private.h"
#include "extract/structure/url.h"

/* Bytes of an address that are written in another way, or may be. */
static bool is_odd(uint8_t c)
{
	static const bool odd[256] = {
		['('] = true, [')'] = true, ['<'] = true, ['>'] = true, ['\\'] = true, [0x7F] = true
	};
	return c <= ' ' || odd[c];
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

int inline_url(struct slice url, struct buf *to)
{
	const bool matched = parentheses_match(url);
	while (url.len) {
		size_t len = 0;
		while (len < url.len && !is_odd(url.data[len]))
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

/* Appends a decoded reference made absolute. Line ends in it are dropped, as browsers do. */
static int absolute(struct inline_writer *w, struct buf *to)
{
	struct buf *s = &w->scratch;
	size_t kept = s->len;
	for (const char *c = "\n\r\t"; *c; c++) {
		size_t at = slice_until(buf_slice(s), (const char[]){ *c, '\0' });
		kept = at < kept ? at : kept;
	}
	for (size_t i = kept; i < s->len; i++) {
		if (s->data[i] != '\n' && s->data[i] != '\r' && s->data[i] != '\t')
			s->data[kept++] = s->data[i];
	}
	s->len = kept;
	return url_append(to, buf_slice(&w->base), slice_trim(buf_slice(s)));
}

int inline_link_leads(struct inline_writer *w, const struct mark *mark, bool *leads)
{
	buf_clear(&w->scratch);
	int status = inline_decode(&w->scratch, page_argument(w->page, mark->argument, mark->len));
	*leads = url_leads_elsewhere(slice_trim(buf_slice(&w->scratch)));
	return status;
}

int inline_link_url(struct inline_writer *w, const struct mark *mark)
{
	buf_clear(&w->scratch);
	buf_clear(&w->url);
	int status = inline_decode(&w->scratch, page_argument(w->page, mark->argument, mark->len));
	return status < 0 ? status : absolute(w, &w->url);
}

int inline_picture(struct inline_writer *w, const struct mark *mark)
{
	struct slice both = page_argument(w->page, mark->argument, mark->len);
	size_t len = 0;
	bool pending = false, lead;
	while (len < both.len && both.data[len])
		len++;
	buf_clear(&w->scratch);
	buf_clear(&w->url);
	buf_clear(&w->plain);
	if (inline_decode(&w->scratch, slice_first(both, len)) < 0 || absolute(w, &w->url) < 0)
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
		status = inline_url(buf_slice(&w->url), to);
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
