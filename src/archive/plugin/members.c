/* SPDX-License-Identifier: MIT */
/*
 * JSON members that plugins add to a page. They are written as JSON at once, `,"key":value`, because nothing reads them
 * before the document is written; the place of each is kept, so that no key occurs twice.
 */
#include <math.h>

#include "archive/plugin/page_private.h"
#include "base/ascii.h"
#include "base/json_escape.h"

/* Beyond this a double has about no decimals, and six of them would be noise. */
static const double plain_most = 1e15;

static bool is_key(struct slice key)
{
	for (size_t i = 0; i < key.len; i++) {
		if (!ascii_is_alpha(key.data[i]) && !ascii_is_digit(key.data[i]) && key.data[i] != '_' &&
		    key.data[i] != '-')
			return false;
	}
	return key.len > 0;
}

static struct slice key_of(const struct dana_page *p, const struct page_member *m)
{
	return slice_of(p->members.data + m->start + 2, m->key_len); /* after the comma and the quote */
}

/* Writes the key; its value must follow, then member_end. */
static int member_begin(struct dana_page *p, const char *name)
{
	const struct slice key = slice_from_text(name);
	if (!is_key(key))
		return page_fault(p, DANA_EPLUGIN, "invalid key; expected letters, digits, '_' and '-'");
	for (size_t i = 0; i < p->n_members; i++) {
		if (slice_equal(key_of(p, &p->member[i]), key))
			return page_fault(p, DANA_EPLUGIN, "the key '%s' is put twice", name);
	}
	if (p->n_members == PAGE_KEYS)
		return page_fault(p, DANA_EPLUGIN, "more than %d keys for a page", PAGE_KEYS);
	p->member[p->n_members] = (struct page_member){ .start = p->members.len, .key_len = key.len };
	buf_append_text(&p->members, ",\"");
	buf_append(&p->members, key.data, key.len);
	if (buf_append_text(&p->members, "\":") < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	return DANA_OK;
}

static int member_end(struct dana_page *p)
{
	if (buf_status(&p->members) < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	p->member[p->n_members++].end = p->members.len;
	return DANA_OK;
}

static void string(struct dana_page *p, struct dana_view value)
{
	if (value.data)
		json_put_string(&p->members, slice_of(value.data, value.len));
	else
		buf_append_text(&p->members, "null");
}

int page_put_text(struct dana_page *p, const char *key, struct dana_view value)
{
	int status = member_begin(p, key);
	if (status < 0)
		return status;
	string(p, value);
	return member_end(p);
}

int page_put_integer(struct dana_page *p, const char *key, int64_t value)
{
	int status = member_begin(p, key);
	if (status < 0)
		return status;
	buf_printf(&p->members, "%lld", (long long)value);
	return member_end(p);
}

/* Up to six decimals, without zeros at the end: 0.5, 3, -0.000001. */
static void decimal(struct buf *out, double value)
{
	if (value > plain_most || value < -plain_most) {
		buf_printf(out, "%.16g", value);
		return;
	}
	buf_printf(out, "%.6f", value);
	while (out->len && out->data[out->len - 1] == '0')
		out->len--;
	if (out->len && out->data[out->len - 1] == '.')
		out->len--;
	if (out->len >= 2 && memcmp(out->data + out->len - 2, "-0", 2) == 0 && value > -0.000001) {
		out->data[out->len - 2] = '0';
		out->len--;
	}
}

int page_put_number(struct dana_page *p, const char *key, double value)
{
	int status = member_begin(p, key);
	if (status < 0)
		return status;
	if (isfinite(value))
		decimal(&p->members, value);
	else
		buf_append_text(&p->members, "null");
	return member_end(p);
}

int page_put_boolean(struct dana_page *p, const char *key, int value)
{
	int status = member_begin(p, key);
	if (status < 0)
		return status;
	buf_append_text(&p->members, value ? "true" : "false");
	return member_end(p);
}

int page_put_list(struct dana_page *p, const char *key, const struct dana_view *values, size_t n)
{
	int status = member_begin(p, key);
	if (status < 0)
		return status;
	for (size_t i = 0; i < n; i++) {
		buf_append_byte(&p->members, i ? ',' : '[');
		string(p, values[i]);
	}
	buf_append_text(&p->members, n ? "]" : "[]");
	return member_end(p);
}

/* Checks a JSON value. A line break in it would break the line of the document. */
static int check_json(struct dana_page *p, const char *key, struct slice json)
{
	struct error fault = { 0 };
	struct json_value root;
	const int status = json_read(p->json, json, &root, &fault);
	if (status == DANA_ENOMEM)
		return page_fault(p, DANA_ENOMEM, "%s", fault.text);
	if (status < 0 || memchr(json.data, '\n', json.len) || memchr(json.data, '\r', json.len))
		return page_fault(p, DANA_EPLUGIN, "the value of '%s' is not JSON: %s", key,
				  status < 0 ? fault.text : "it has a line break");
	return DANA_OK;
}

int page_put_json(struct dana_page *p, const char *key, struct dana_view value)
{
	const struct slice json = slice_of(value.data, value.len);
	int status = check_json(p, key, json);
	if (status == DANA_OK)
		status = member_begin(p, key);
	if (status < 0)
		return status;
	buf_append(&p->members, json.data, json.len);
	return member_end(p);
}

int page_members_end(struct dana_page *p)
{
	if (p->n_members == 0)
		return DANA_OK;
	buf_append_text(&p->additions, ",\"");
	buf_append_text(&p->additions, loader_object(p->now->def));
	buf_append_text(&p->additions, "\":{");
	buf_append(&p->additions, p->members.data + 1, p->members.len - 1);
	buf_append_byte(&p->additions, '}');
	buf_clear(&p->members);
	p->n_members = 0;
	return buf_status(&p->additions);
}

void page_members_of_drop(struct dana_page *p)
{
	static const char *const taken[] = { "id", "url", "file", "offset", "reason", "detail" };
	for (size_t i = p->n_members; i-- > 0;) {
		const struct page_member m = p->member[i];
		const struct slice key = key_of(p, &m);
		bool is_taken = false;
		for (size_t k = 0; k < sizeof(taken) / sizeof(*taken); k++)
			is_taken |= slice_is(key, taken[k]);
		if (!is_taken)
			continue;
		memmove(p->members.data + m.start, p->members.data + m.end, p->members.len - m.end);
		p->members.len -=
			m.end - m.start; /* members before it stay in place, those after it are already handled */
	}
	p->dropped_members = buf_slice(&p->members);
	p->n_members = 0;
}
