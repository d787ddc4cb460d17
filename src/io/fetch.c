/* SPDX-License-Identifier: MIT */
/*
 * The attempts of a fetch, one after the other: each waits for its time (reply.h) and for a place at the host
 * (host_ask), runs as a transfer, and ends by its reply or a fault. `wish.from` has moved on with each byte
 * that was taken, so the next request begins exactly there. One timer limits all that is waited for.
 *
 * The head of a reply is judged when the first byte comes, or at the end when none does. Where the body begins at the
 * file's first byte, up to REPLY_FIRST bytes are held until they have been looked at. Of an error's body as many are
 * kept for the message, and the rest is not waited for.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "base/buf.h"
#include "base/diagnostics.h"
#include "io/address.h"
#include "io/loop.h"
#include "io/transfer.h"

enum fetch_state {
	FETCH_IDLE,    /* nothing is asked for */
	FETCH_WAITING, /* for the time of the next attempt */
	FETCH_QUEUED,  /* for a place at the host */
	FETCH_RUNNING, /* as a transfer */
};

enum { FETCH_SHOWN = 1024 };

struct fetch {
	struct network_session *session;
	struct session_client client;
	struct fetch_events events;
	char shown[FETCH_SHOWN]; /* the address, printable */
	struct buf url;          /* with credentials, ends with a NUL */
	struct s3_access s3;
	struct host *host;
	uv_timer_t timer;
	bool timer_closed;
	enum fetch_state state;
	struct retry retry;
	uint64_t random;
	struct wish wish; /* `from` moves on with each byte taken */
	struct identity identity;
	bool opened;    /* the event has been called */
	bool no_ranges; /* the server does not know them */
	struct fetch_counts counts;
	char fault[1024]; /* why it is given up */

	/* Of the attempt that is running. */
	struct transfer *transfer;
	struct fetch_body {
		struct verdict verdict; /* of its head, or first bytes */
		bool judged;            /* the head was */
		bool looked;            /* the first bytes of the file were, if these are in it */
		bool answered;          /* the gate knows that it was good */
		bool any;               /* bytes that were wanted have come */
		size_t n_first;
		uint8_t first[REPLY_FIRST]; /* the first bytes until they are looked at, or of an error */
	} body;
};

enum { FETCH_LEAST_MS = 1000 }; /* that an attempt gets, however little of --retry-time is left */

static void begin_attempt(struct fetch *f);
static void on_watch(uv_timer_t *timer);
static void on_done(void *arg);

static void on_timer(uv_timer_t *timer)
{
	struct fetch *f = timer->data;
	begin_attempt(f);
	loop_look(f->session->loop);
}

static void wait_for_attempt(struct fetch *f, uint64_t milliseconds)
{
	f->state = FETCH_WAITING;
	uv_update_time(loop_uv(f->session->loop));
	(void)uv_timer_start(&f->timer, on_timer, milliseconds, 0);
}

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

/*
 * Bytes that are good: those that were asked for are handed on. What follows the end that was announced belongs
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
	b->verdict = reply_fault(FAULT_CHANGED, "the body continues after byte %" PRIu64 ", where it was to end", end);
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

/* Bytes of the reply's body: looks at what begins, drops what was not asked for, and hands on the rest. */
static enum body_answer take(void *fetch, struct slice bytes)
{
	struct fetch *f = fetch;
	struct fetch_body *b = &f->body;
	enum body_answer answer;
	if (!b->judged) {
		judge(f);
		if (b->looked)
			accept_reply(f);
	}
	if (!b->verdict.good) {
		size_t n = slice_first(bytes, sizeof(b->first) - b->n_first).len;
		memcpy(b->first + b->n_first, bytes.data, n);
		b->n_first += n;
		answer = b->n_first < sizeof(b->first) ? BODY_TAKEN : BODY_STOP;
	} else {
		answer = b->looked ? hand_on(f, bytes) : look_and_hand_on(f, bytes);
	}
	if (answer != BODY_NO_ROOM)
		f->counts.bytes += bytes.len;
	return answer;
}

/* ---- the end ---- */

static void fault_of_code(struct verdict *v, const struct transfer_result *result, unsigned status)
{
	enum { TOO_LARGE = 100 };
	enum fault_kind kind = FAULT_LINK;

	/* To libcurl a line that is too long is a lack of memory, from 8.6 on an error of its own. */
	if (result->in_head && (result->code == CURLE_OUT_OF_MEMORY || (int)result->code == TOO_LARGE)) {
		*v = reply_fault(FAULT_FINAL,
				 "a line of the reply's header is too long: over %d KiB, or memory is exhausted",
				 CURL_MAX_HTTP_HEADER >> 10);
		return;
	}
	switch (result->code) {
	case CURLE_TOO_MANY_REDIRECTS:
		*v = reply_fault(FAULT_ASTRAY, "redirects without an end");
		return;
	case CURLE_OPERATION_TIMEDOUT:
		*v = reply_fault(FAULT_LINK, "no answer in time: %s", result->text);
		return;
	case CURLE_UNSUPPORTED_PROTOCOL:
		/* After a redirect; without one it is a reply that is not HTTP. */
		if (status / 100 == 3) {
			*v = reply_fault(FAULT_FINAL, "a redirect to what is not allowed: %s", result->text);
			return;
		}
		kind = FAULT_WRONG;
		break;
	case CURLE_WEIRD_SERVER_REPLY:
		kind = FAULT_WRONG;
		break;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_ISSUER_ERROR:
		kind = FAULT_DISTRUST;
		break;
	case CURLE_URL_MALFORMAT:
	case CURLE_LOGIN_DENIED:
	case CURLE_OUT_OF_MEMORY:
		kind = FAULT_FINAL;
		break;
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_SSL_CONNECT_ERROR:
		kind = FAULT_NO_HOST;
		break;
	default:
		break;
	}
	*v = reply_fault(kind, "%s", result->text);
}

/** The body is over. Afterwards body.verdict is the verdict on the whole attempt, with the words for a fault. */
static void end_body(struct fetch *f)
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
	if (b->verdict.good) {
		/* all of it has come, and it was what the head promised? */
		struct verdict *v = &b->verdict;
		if (f->wish.from == f->wish.to || v->at_end || (v->end != UINT64_MAX && f->wish.from == v->end))
			return;
		if (result->code != CURLE_OK)
			fault_of_code(v, result, r->status);
		else if (v->skip > 0)
			*v = reply_fault(FAULT_CHANGED,
					 "the file on the server has changed: it ends before what was read");
		else if (v->end != UINT64_MAX)
			*v = reply_fault(FAULT_LINK, "the body ended before its length was reached");
	} else if (r->status >= 300) {
		/* Object stores say in XML why they refuse. */
		char code[REPLY_FIELD];
		size_t len = strlen(b->verdict.text);
		if (reply_error_code(slice_of(b->first, b->n_first), code, sizeof(code)))
			(void)snprintf(b->verdict.text + len, sizeof(b->verdict.text) - len, ": %s", code);
	}
}

enum { IMPORTANT_FAULTS = 3, LINE_SIZE = 2560 };

/* The least silence of a host that is given up. */
enum { SILENCE_LEAST_MS = 5000 };

/* ---- reports ---- */

static void report(const struct fetch *f, bool important, const char *text)
{
	const struct network_config *c = &f->session->network->config;
	char line[LINE_SIZE];
	if (!c->report)
		return;
	(void)snprintf(line, sizeof(line), "dana: %s: %s", f->shown, text);
	c->report(c->arg, important, line);
}

/* ---- faults ---- */

/* From the loop, not from within what has asked for bytes: it may begin the next input, and thousands may fail in a
 * row. */
static void on_given_up(uv_timer_t *timer)
{
	struct fetch *f = timer->data;
	f->state = FETCH_IDLE;
	f->events.failed(f->events.arg, f->fault);
	loop_look(f->session->loop);
}

/* `why`: what keeps the next attempt from being made; empty: the faults themselves. */
static void give_up(struct fetch *f, const char *why)
{
	int len = snprintf(f->fault, sizeof(f->fault), "%s", f->body.verdict.text);
	/* A host that cannot be found or trusted is silent from the input's first attempt; another one for as long as
	 * one may wait. */
	const enum fault_kind kind = f->body.verdict.kind;
	const uint64_t now = session_now(), budget = f->retry.budget;
	uint64_t silence = now - f->retry.since;
	if (kind == FAULT_BUSY || kind == FAULT_LINK)
		silence = (budget > SILENCE_LEAST_MS ? budget : SILENCE_LEAST_MS) - FETCH_LEAST_MS;
	if ((kind == FAULT_BUSY || kind == FAULT_LINK || kind == FAULT_NO_HOST || kind == FAULT_DISTRUST))
		host_give_up(f->host, silence, now);
	if (f->retry.faults > 1)
		len += snprintf(f->fault + len, sizeof(f->fault) - (size_t)len, "; given up after %u attempts",
				f->retry.faults);
	if (why[0])
		(void)snprintf(f->fault + len, sizeof(f->fault) - (size_t)len, "%s%s", len ? "; " : "", why);
	f->state = FETCH_WAITING;
	(void)uv_timer_start(&f->timer, on_given_up, 0, 0);
}

/* Its turn does not come. Where it had none at all, no fault of its own is reported. */
static void give_up_turn(struct fetch *f, enum fault_kind kind, const char *why)
{
	if (f->retry.faults == 0)
		f->body.verdict.text[0] = '\0';
	f->body.verdict.kind = kind;
	give_up(f, why);
}

/** These give up: the host lets nobody ask for `wait`; it is HOST_DEAD; there was no place at it in time. */
static void give_up_late(struct fetch *f, uint64_t wait)
{
	char why[200];
	(void)snprintf(why, sizeof(why),
		       "its host is failing and gets the next attempt in %.1f s, and --retry-time leaves %.1f s",
		       (double)wait / 1e3, (double)retry_left(&f->retry, session_now()) / 1e3);
	give_up_turn(f, FAULT_LINK, why);
}

/* Lets the gate know how the attempt went, where the body has not done so. Returns true if the host is well. */
static bool tell_host(const struct fetch *f)
{
	const struct fetch_body *b = &f->body;
	unsigned status = transfer_reply(f->transfer)->status;
	bool well = b->verdict.good || status == 404 || status == 410;
	if (b->answered && well)
		return true;
	if (host_answered(f->host, b->answered ? HOST_BROKE : well ? HOST_GOOD : HOST_ERROR, session_now())) {
		char text[128];
		(void)snprintf(text, sizeof(text),
			       "more than half of the last %d answers of the host were errors: one attempt in %d s",
			       HOST_ANSWERS, HOST_BREAK_MS / 1000);
		report(f, true, text);
	}
	return well;
}

/** body.verdict has the reason. Waits for the next attempt, which the server asks to be `asked` later, or gives up. */
static void failed(struct fetch *f, uint64_t asked)
{
	const enum fault_kind kind = f->body.verdict.kind;
	const uint64_t now = session_now(), left = retry_left(&f->retry, now), gate = host_wait(f->host, now);
	uint64_t wait;
	char why[200] = "";
	f->random ^= f->random << 13; /* xorshift */
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	if (!retry_failed(&f->retry, kind, now, asked, (uint32_t)(f->random >> 32), &wait)) {
		if (kind == FAULT_BUSY && asked > left)
			(void)snprintf(why, sizeof(why),
				       "the server asks for a wait of %.0f s, and --retry-time leaves %.1f s",
				       (double)asked / 1e3, (double)left / 1e3);
		give_up(f, why);
		return;
	}
	if (host_given_up(f->host)) {
		give_up(f, "not tried again, because another input of its host was given up");
		return;
	}
	if (gate > wait)
		wait = gate;
	if (wait > left && wait > HOST_FAILING_MS) {
		give_up_late(f, wait);
		return;
	}
	/* Somebody who did not ask for every retry hears of the third in a row. */
	char text[LINE_SIZE - FETCH_SHOWN - 16];

	(void)snprintf(text, sizeof(text), "byte %" PRIu64 ": %s; trying again in %.1f s", f->wish.from,
		       f->body.verdict.text, (double)wait / 1e3);
	report(f, f->retry.faults == IMPORTANT_FAULTS, text);
	wait_for_attempt(f, wait);
}

/* ---- attempts ---- */

static void watch(struct fetch *f, uint64_t milliseconds)
{
	uv_update_time(loop_uv(f->session->loop));
	(void)uv_timer_start(&f->timer, on_watch, milliseconds, 0);
}

static void on_watch(uv_timer_t *timer)
{
	struct fetch *f = timer->data;
	const uint64_t left = transfer_patience(f->transfer);
	if (left > 0) {
		watch(f, left);
		return;
	}
	transfer_give_up(f->transfer);
	on_done(f);
	loop_look(f->session->loop);
}

/* Behind others that are served one may wait as long as one likes; behind those that are not, no longer than for
 * oneself. */
static void on_turn(uv_timer_t *timer)
{
	struct fetch *f = timer->data;
	if (host_is_well(f->host)) {
		retry_waits(&f->retry, session_now());
		(void)uv_timer_start(&f->timer, on_turn, f->retry.budget, 0);
		return;
	}
	session_leave(f->session, f->host, false);
	give_up_turn(f, FAULT_LINK, "its host is failing, and its turn has not come within --retry-time");
}

static void call_opened(struct fetch *f)
{
	if (f->opened || !f->identity.known)
		return;
	f->opened = true;
	f->events.opened(f->events.arg, f->identity.total);
}

static void on_settled(void *arg)
{
	struct fetch *f = arg;
	call_opened(f);
	f->events.arrived(f->events.arg);
}

static void end_transfer(struct fetch *f, bool keep)
{
	(void)uv_timer_stop(&f->timer);
	transfer_free(f->transfer);
	f->transfer = NULL;
	session_leave(f->session, f->host, keep);
}

static void on_done(void *arg)
{
	struct fetch *f = arg;
	const struct transfer_result *result = transfer_result(f->transfer);
	uint64_t asked = result->retry_after_ms;
	bool whole = result->code == CURLE_OK;
	f->counts.requests += result->redirects;
	end_body(f);
	const bool well = tell_host(f);
	/* The server may send less of a range than was asked for, and where it gives no length one can only ask for
	 * more. */
	const uint64_t limit = f->wish.to < f->identity.total ? f->wish.to : f->identity.total;
	const bool partial = f->body.any && transfer_reply(f->transfer)->status == 206 && f->wish.from < limit;
	if (f->body.verdict.at_end && !f->events.may_be_outside)
		identity_take(&f->identity, transfer_reply(f->transfer));
	end_transfer(f, whole && well);
	call_opened(f);
	if (!f->body.verdict.good) {
		failed(f, asked);
	} else if (partial) {
		begin_attempt(f);
	} else {
		f->state = FETCH_IDLE;
		f->events.end(f->events.arg);
	}
}

static void start_transfer(struct fetch *f)
{
	/* How long one attempt may bring nothing. Without a budget for faults there is still the first attempt. */
	uint64_t patience = retry_left(&f->retry, session_now());
	if (f->retry.budget == 0 || patience > PATIENCE_MS)
		patience = PATIENCE_MS;
	else if (patience < FETCH_LEAST_MS)
		patience = FETCH_LEAST_MS;
	const struct transfer_request request = { .url = (const char *)f->url.data,
						  .wish = &f->wish,
						  .patience = patience,
						  .fresh = f->retry.faults > 0,
						  .s3 = f->s3.region ? &f->s3 : NULL };
	const struct transfer_events events = { take, on_settled, on_done, f };
	f->counts.requests++;
	f->counts.retries += f->retry.faults > 0;
	f->body = (struct fetch_body){ 0 };
	f->state = FETCH_RUNNING;
	f->transfer = transfer_new(f->session, &request, &events);
	if (f->transfer) {
		watch(f, request.patience);
		return;
	}
	session_leave(f->session, f->host, false);
	f->body.verdict = reply_fault(FAULT_FINAL, "out of memory, or libcurl is too old");
	failed(f, 0);
}

static void begin_attempt(struct fetch *f)
{
	const int64_t wait = session_ask(f->session, f->host);
	const uint64_t left = retry_left(&f->retry, session_now());
	(void)uv_timer_stop(&f->timer);
	if (wait == HOST_QUEUED) {
		f->state = FETCH_QUEUED;
		uv_update_time(loop_uv(f->session->loop));
		if (f->retry.budget > 0)
			(void)uv_timer_start(&f->timer, on_turn, retry_left(&f->retry, session_now()), 0);
	} else if (wait == HOST_DEAD) {
		/* The gate knows of the faults that this comes from. */
		char why[200];

		(void)snprintf(why, sizeof(why), NETWORK_GIVEN_UP, host_given_up(f->host));
		give_up_turn(f, FAULT_FINAL, why);
	} else if (wait > HOST_FAILING_MS && (uint64_t)wait > left) {
		give_up_late(f, (uint64_t)wait);
	} else if (wait > 0) {
		wait_for_attempt(f, (uint64_t)wait);
	} else {
		if (host_is_well(f->host))
			retry_waits(&f->retry, session_now());
		start_transfer(f);
	}
}

static void on_woken(void *arg)
{
	struct fetch *f = arg;
	if (f->state == FETCH_QUEUED)
		begin_attempt(f);
}

static void stop(struct fetch *f)
{
	(void)uv_timer_stop(&f->timer);
	if (f->state == FETCH_RUNNING)
		end_transfer(f, false);
	else if (f->state == FETCH_QUEUED)
		session_leave(f->session, f->host, false);
	f->state = FETCH_IDLE;
}

void fetch_begin(struct fetch *f, uint64_t from, uint64_t to)
{
	stop(f);
	f->wish = (struct wish){ from, to, &f->identity, f->events.may_be_outside };
	retry_waits(&f->retry, session_now());
	begin_attempt(f);
}

void fetch_go_on(struct fetch *f)
{
	if (!f->transfer)
		return;
	retry_waits(&f->retry, session_now()); /* until now the owner was what was waited for */
	transfer_go_on(f->transfer);
}

int fetch_identity(const struct fetch *f, struct buf *out)
{
	buf_printf(out, "size %" PRIu64 "\n", f->identity.total);
	return buf_printf(out, "etag %s\nmodified %s\n", f->identity.etag, f->identity.modified);
}

void fetch_expect(struct fetch *f, const struct identity *identity)
{
	f->identity = *identity;
}

const struct identity *fetch_known(const struct fetch *f)
{
	return &f->identity;
}

bool fetch_knows_ranges(const struct fetch *f)
{
	return !f->no_ranges;
}

struct fetch_counts fetch_counts(const struct fetch *f)
{
	return f->counts;
}

/* ---- life ---- */

int fetch_aim(struct fetch *f, const char *address, const char *shown, struct error *err)
{
	stop(f);
	f->retry = retry_begin(f->session->network->config.retry_seconds * 1000);
	f->identity = (struct identity){ 0 };
	f->opened = f->no_ranges = false;
	(void)printable(slice_from_text(shown), f->shown, sizeof(f->shown));
	return network_host(f->session->network, address, &f->url, &f->s3, &f->host, err);
}

struct fetch *fetch_new(struct network_session *s, const struct fetch_events *events)
{
	struct fetch *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->session = s;
	f->events = *events;
	f->client = (struct session_client){ .woken = on_woken, .arg = f };
	f->random = uv_hrtime() | 1;
	session_add_client(s, &f->client);
	(void)uv_timer_init(loop_uv(s->loop), &f->timer);
	f->timer.data = f;
	return f;
}

static void on_timer_closed(uv_handle_t *handle)
{
	struct fetch *f = handle->data;
	f->timer_closed = true;
}

void fetch_free(struct fetch *f)
{
	if (!f)
		return;
	stop(f);
	session_remove_client(f->session, &f->client);
	uv_close((uv_handle_t *)&f->timer, on_timer_closed);
	loop_run_until(f->session->loop, &f->timer_closed);
	buf_free(&f->url);
	free(f);
}
