/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: replies of a server or an object store to requests for one file, each request from where the bytes
 * before it ended. First byte: what the address ends with (low two bits), and where the first request begins; second:
 * how many bytes are wanted (0: all). Then replies: lines of a head from "HTTP/" on, a blank line, and the body up to
 * the next line that begins so. Oracles: what is used is a part that was asked for, of one version of the file; a good
 * reply stays good when the identity that it gives is known; no text that is shown or sent on holds a control
 * character.
 */
#include <stdlib.h>

#include "io/reply.h"
#include "support/split_feed.h"

static void is_shown_on_one_line(const char *text)
{
	for (; *text; text++)
		must((uint8_t)*text >= 0x20 && *text != 0x7f);
}

static void is_verdict(const struct verdict *v)
{
	must(v->good || (v->text[0] && v->kind < FAULT_KINDS));
	is_shown_on_one_line(v->text);
}

/* *body: the bytes up to the next reply. */
static struct reply read_reply(struct slice *rest, struct slice *body)
{
	struct reply r = { 0 };
	struct slice line;
	do {
		line = split_line(rest);
		reply_line(&r, line);
	} while (line.len > (line.len && line.data[line.len - 1] == '\r') && rest->len);
	*body = *rest;
	while (rest->len && !(rest->len >= 5 && memcmp(rest->data, "HTTP/", 5) == 0))
		(void)split_line(rest);
	*body = slice_first(*body, body->len - rest->len);
	return r;
}

static void is_what_was_asked_for(const struct reply *r, const struct wish *wish, const struct verdict *v)
{
	must(r->status == 200 || r->status == 206 || r->status == 416);
	must(v->end == UINT64_MAX || (v->end >= wish->from && (r->status == 200 || v->end <= wish->to)));
	must(v->skip == (r->status == 200 ? wish->from : 0));
	must(wish->identity->total == UINT64_MAX || v->end <= wish->identity->total); /* told before */
	must(!v->at_end || v->end == wish->from);
	must(r->status != 206 || (r->range_from == wish->from && v->end > wish->from));
}

/* The first bytes of a body; what is said of them. */
static bool looks_good(const struct reply *r, struct slice body, const char *address)
{
	enum { LEAST = 8 };
	char code[LEAST];
	const struct slice first = slice_first(body, REPLY_FIRST);
	const struct verdict v = reply_judge_first(r, first, address);
	is_verdict(&v);
	must(!v.good || first.len == 0 || first.data[0] != '<');
	if (reply_error_code(first, code, sizeof(code)))
		is_shown_on_one_line(code);
	return v.good;
}

static void take(const struct reply *r, const struct wish *wish, struct identity *id)
{
	const uint64_t total = id->total;
	identity_take(id, r);
	must(id->known && (total == UINT64_MAX || id->total == total));
	is_shown_on_one_line(identity_condition(id));
	must(reply_judge(r, wish).good);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const addresses[] = { "http://a/b.warc.gz", "s3://a/b.warc.zst", "http://a/b.gz?c=d",
						 "http://a" };
	struct identity id = { .total = UINT64_MAX };
	if (size < 2)
		return 0;
	struct slice rest = slice_of(data + 2, size - 2), body;
	struct wish wish = { .from = data[0] / 4, .to = UINT64_MAX, .identity = &id };
	if (data[1])
		wish.to = wish.from + data[1];
	while (rest.len) {
		const struct reply r = read_reply(&rest, &body);
		const struct verdict v = reply_judge(&r, &wish);
		is_verdict(&v);
		if (!v.good)
			continue;
		is_what_was_asked_for(&r, &wish, &v);
		if (v.at_end)
			break;
		if (r.status == 200 && !looks_good(&r, body, addresses[data[0] % 4]))
			continue;
		take(&r, &wish, &id);
		body = slice_skip(body, (size_t)v.skip);
		wish.from += body.len < v.end - wish.from ? body.len : v.end - wish.from;
		if (wish.from >= wish.to)
			break;
	}
	return 0;
}
