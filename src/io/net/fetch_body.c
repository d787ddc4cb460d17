/* SPDX-License-Identifier: MIT */
/*
 * The body of one reply. Its head is judged when the first byte comes, or at the end when none does. Where the body
 * begins at the file's first byte, up to REPLY_FIRST bytes are held until they have been looked at. Of an error's body
 * as many are kept for the message, and the rest is not waited for.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "io/net/fetch_private.h"

/* ---- bytes ---- */

static void judge(struct fetch *f)
{
	struct fetch_body *b = &f->body;

	b->verdict = reply_judge(transfer_reply(f->transfer), &f->wish);
	b->judged = true;
	f->no_ranges |= b->verdict.good && b->verdict.skip > 0;
	/* A body of the file that begins after its first byte has nothing to look at. */
	b->looked = b->verdict.good && b->verdict.skip == 0 && f->wish.from > 0;
}

static enum body_answer keep_error(struct fetch_body *b, struct slice bytes)
{
	size_t n = slice_first(bytes, sizeof(b->first) - b->n_first).len;

	memcpy(b->first + b->n_first, bytes.data, n);
	b->n_first += n;
	return b->n_first < sizeof(b->first) ? BODY_TAKEN : BODY_STOP;
}

/*
 * Bytes that are good: those that were asked for are handed on. What goes on after the end that was announced belongs
 * to another file, or is not a file.
 */
static enum body_answer hand_on(struct fetch *f, struct slice bytes)
{
	struct fetch_body *b = &f->body;
	struct slice wanted = bytes;

	if (b->verdict.skip >= bytes.len) {
		b->verdict.skip -= bytes.len;
		return BODY_TAKEN;
	}
	wanted = slice_skip(wanted, (size_t)b->verdict.skip);
	const uint64_t end = f->wish.to < b->verdict.end ? f->wish.to : b->verdict.end;
	const bool beyond = end - f->wish.from < wanted.len;
	if (beyond)
		wanted.len = (size_t)(end - f->wish.from);
	enum body_answer answer = wanted.len ? f->events.take(f->events.arg, wanted) : BODY_TAKEN;
	if (answer == BODY_NO_ROOM)
		return answer;
	b->verdict.skip = 0;
	b->any |= wanted.len > 0;
	if (wanted.len > 0)
		retry_progress(&f->retry, session_now());
	f->wish.from += wanted.len;
	if (f->wish.from == f->wish.to)
		return BODY_STOP;
	if (!beyond)
		return answer;
	b->verdict = reply_fault(FAULT_CHANGED, "the body goes on after byte %" PRIu64 ", where it was to end", end);
	return BODY_STOP;
}

static void accept_reply(struct fetch *f)
{
	f->body.looked = f->body.answered = true;
	identity_take(&f->identity, transfer_reply(f->transfer));
	(void)host_answered(f->host, HOST_GOOD, session_now());
}

/* Looks at the first `n` bytes that are held. Returns false if they are an error's, and stay for the message. */
static bool look(struct fetch *f, size_t n)
{
	struct fetch_body *b = &f->body;
	struct verdict v = reply_judge_first(transfer_reply(f->transfer), slice_of(b->first, n), f->shown);

	if (v.good) {
		accept_reply(f);
		return true;
	}
	b->verdict = v;
	b->n_first = n;
	return false;
}

/*
 * Only what came before these bytes is handed on from where it was held: these come again when there is no room for
 * them.
 */
static enum body_answer look_and_hand_on(struct fetch *f, struct slice bytes)
{
	struct fetch_body *b = &f->body;
	size_t held = b->n_first;
	size_t more = slice_first(bytes, sizeof(b->first) - held).len;

	memcpy(b->first + held, bytes.data, more);
	if (held + more < sizeof(b->first)) {
		b->n_first += more;
		return BODY_TAKEN;
	}
	if (!look(f, held + more))
		return BODY_STOP;
	enum body_answer answer = held ? hand_on(f, slice_of(b->first, held)) : BODY_TAKEN;
	if (answer == BODY_NO_ROOM || answer == BODY_STOP)
		return answer;
	b->n_first = 0;
	return hand_on(f, bytes);
}

static enum body_answer take(struct fetch *f, struct slice bytes)
{
	struct fetch_body *b = &f->body;

	if (!b->judged) {
		judge(f);
		if (b->looked)
			accept_reply(f);
	}
	if (!b->verdict.good)
		return keep_error(b, bytes);
	return b->looked ? hand_on(f, bytes) : look_and_hand_on(f, bytes);
}

enum body_answer fetch_body_take(void *fetch, struct slice bytes)
{
	struct fetch *f = fetch;
	enum body_answer answer = take(f, bytes);

	if (answer != BODY_NO_ROOM)
		f->counts.bytes += bytes.len;
	return answer;
}

/* ---- the end ---- */

/* To libcurl a line that is too long is a lack of memory, from 8.6 on an error of its own. */
static bool is_long_line(const struct transfer_result *result)
{
	enum { TOO_LARGE = 100 };

	return result->in_head && (result->code == CURLE_OUT_OF_MEMORY || (int)result->code == TOO_LARGE);
}

/* What libcurl says went wrong. */
static void fault_of_code(struct verdict *v, const struct transfer_result *result, unsigned status)
{
	if (is_long_line(result)) {
		*v = reply_fault(FAULT_FINAL,
				 "a line of the reply's head is too long: over %d KiB, or memory is exhausted",
				 CURL_MAX_HTTP_HEADER >> 10);
		return;
	}
	switch (result->code) {
	case CURLE_TOO_MANY_REDIRECTS:
		*v = reply_fault(FAULT_ASTRAY, "redirects without an end");
		return;
	case CURLE_UNSUPPORTED_PROTOCOL:
		/* After a redirect; without one it is a reply that is not HTTP. */
		if (status / 100 == 3) {
			*v = reply_fault(FAULT_FINAL, "a redirect to what is not allowed: %s", result->text);
			return;
		}
		*v = reply_fault(FAULT_WRONG, "%s", result->text);
		return;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_ISSUER_ERROR:
		*v = reply_fault(FAULT_DISTRUST, "%s", result->text);
		return;
	case CURLE_URL_MALFORMAT:
	case CURLE_LOGIN_DENIED:
	case CURLE_OUT_OF_MEMORY:
		*v = reply_fault(FAULT_FINAL, "%s", result->text);
		return;
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_SSL_CONNECT_ERROR:
		*v = reply_fault(FAULT_NO_HOST, "%s", result->text);
		return;
	case CURLE_WEIRD_SERVER_REPLY:
		*v = reply_fault(FAULT_WRONG, "%s", result->text);
		return;
	case CURLE_OPERATION_TIMEDOUT:
		*v = reply_fault(FAULT_LINK, "no answer in time: %s", result->text);
		return;
	default:
		*v = reply_fault(FAULT_LINK, "%s", result->text);
	}
}

/* Object stores say in XML why they refuse. */
static void add_error_code(struct fetch_body *b)
{
	char code[REPLY_FIELD];
	size_t len = strlen(b->verdict.text);

	if (reply_error_code(slice_of(b->first, b->n_first), code, sizeof(code)))
		(void)snprintf(b->verdict.text + len, sizeof(b->verdict.text) - len, ": %s", code);
}

/* All of it has come, and it was what the head promised? */
static void judge_end(struct fetch *f, const struct transfer_result *result)
{
	struct verdict *v = &f->body.verdict;

	if (f->wish.from == f->wish.to || v->at_end || (v->end != UINT64_MAX && f->wish.from == v->end))
		return;
	if (result->code != CURLE_OK)
		fault_of_code(v, result, transfer_reply(f->transfer)->status);
	else if (v->skip > 0)
		*v = reply_fault(FAULT_CHANGED, "the file on the server has changed: it ends before what was read");
	else if (v->end != UINT64_MAX)
		*v = reply_fault(FAULT_LINK, "the body ended before its length was reached");
}

void fetch_body_end(struct fetch *f)
{
	const struct transfer_result *result = transfer_result(f->transfer);
	const struct reply *r = transfer_reply(f->transfer);
	struct fetch_body *b = &f->body;

	if (result->downgrade) {
		b->verdict = reply_fault(FAULT_FINAL, "a redirect from https to http is not followed");
		return;
	}
	if (!b->judged && result->code != CURLE_OK && r->status < 400) {
		fault_of_code(&b->verdict, result, r->status);
		return;
	}
	if (!b->judged)
		judge(f);
	if (b->verdict.good && !b->looked && !b->verdict.at_end && look(f, b->n_first))
		(void)hand_on(f, slice_of(b->first, b->n_first));
	if (b->verdict.good)
		judge_end(f, result);
	else if (r->status >= 300)
		add_error_code(b);
}
