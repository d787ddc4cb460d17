/* SPDX-License-Identifier: MIT */
/*
 * The attempts of a fetch, one after the other: each waits for its time (retry.h) and for a place at the host
 * (host_gate.h), runs as a transfer, and ends by what fetch_body.c says of it. `wish.from` has moved on with each byte
 * that was taken, so the next request begins exactly there.
 */
#include "config.h"

#include "io/net/fetch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/printable.h"
#include "io/loop.h"
#include "io/net/address.h"
#include "io/net/fetch_private.h"

enum { IMPORTANT_FAULTS = 3, LINE_SIZE = 2560 };

static void begin_attempt(struct fetch *f);

/* ---- what people are told ---- */

static void tell(const struct fetch *f, bool important, const char *text)
{
	const struct network_config *c = &f->session->network->config;
	char line[LINE_SIZE];

	if (!c->tell)
		return;
	(void)snprintf(line, sizeof(line), "dana: %s: %s", f->shown, text);
	c->tell(c->arg, important, line);
}

/* Somebody who did not ask for every retry hears of the third in a row. */
static void tell_retry(const struct fetch *f, uint64_t wait)
{
	char text[LINE_SIZE - FETCH_SHOWN - 16];

	(void)snprintf(text, sizeof(text), "byte %" PRIu64 ": %s; trying again in %.1f s", f->wish.from,
		       f->body.verdict.text, (double)wait / 1e3);
	tell(f, f->retry.faults == IMPORTANT_FAULTS, text);
}

static void tell_breaker(const struct fetch *f)
{
	char text[128];

	(void)snprintf(text, sizeof(text),
		       "more than half of the last %d answers of the host were errors: one attempt in %d s",
		       HOST_ANSWERS, HOST_BREAK_MS / 1000);
	tell(f, true, text);
}

/* ---- faults ---- */

static uint32_t next_random(struct fetch *f)
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return (uint32_t)(f->random >> 32);
}

static void on_timer(uv_timer_t *timer)
{
	struct fetch *f = timer->data;

	begin_attempt(f);
	loop_look(f->session->loop);
}

static void wait_for(struct fetch *f, uint64_t milliseconds)
{
	f->state = FETCH_WAITING;
	uv_update_time(loop_uv(f->session->loop));
	(void)uv_timer_start(&f->timer, on_timer, milliseconds, 0);
}

static void give_up(struct fetch *f)
{
	char text[sizeof(f->body.verdict.text) + 64];
	int len = snprintf(text, sizeof(text), "%s", f->body.verdict.text);

	f->state = FETCH_IDLE;
	if (f->retry.faults > 1)
		(void)snprintf(text + len, sizeof(text) - (size_t)len, "; given up after %u attempts", f->retry.faults);
	f->events.failed(f->events.arg, text);
}

/* Tells the gate how the attempt went, where fetch_body.c has not done so. True: the host is well. */
static bool answer(const struct fetch *f)
{
	const struct fetch_body *b = &f->body;
	unsigned status = transfer_reply(f->transfer)->status;
	bool well = b->verdict.good || status == 404 || status == 410;

	if (b->answered && well)
		return true;
	if (host_answered(f->host, b->answered ? HOST_BROKE : well ? HOST_GOOD : HOST_ERROR, session_now()))
		tell_breaker(f);
	return well;
}

static void attempt_failed(struct fetch *f, uint64_t asked)
{
	uint64_t wait;

	if (!retry_failed(&f->retry, f->body.verdict.kind, session_now(), asked, next_random(f), &wait)) {
		give_up(f);
		return;
	}
	tell_retry(f, wait);
	wait_for(f, wait);
}

/* ---- attempts ---- */

/* The server may send less of a range than was asked for, and where it tells no length one can only ask for more. */
static bool is_partial(const struct fetch *f)
{
	uint64_t limit = f->wish.to < f->identity.total ? f->wish.to : f->identity.total;

	return f->body.any && transfer_reply(f->transfer)->status == 206 && f->wish.from < limit;
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
	fetch_body_end(f);
	bool well = answer(f), partial = is_partial(f);
	if (f->body.verdict.at_end && !f->events.may_be_outside)
		identity_take(&f->identity, transfer_reply(f->transfer));
	end_transfer(f, whole && well);
	call_opened(f);
	if (!f->body.verdict.good) {
		attempt_failed(f, asked);
	} else if (partial) {
		begin_attempt(f);
	} else {
		f->state = FETCH_IDLE;
		f->events.end(f->events.arg);
	}
}

static void start_transfer(struct fetch *f)
{
	const struct transfer_request request = { .url = (const char *)f->url.data,
						  .wish = &f->wish,
						  .fresh = f->retry.faults > 0,
						  .s3 = f->s3.region ? &f->s3 : NULL };
	const struct transfer_events events = { fetch_body_take, on_settled, on_done, f };

	f->counts.requests++;
	f->counts.retries += f->retry.faults > 0;
	f->body = (struct fetch_body){ 0 };
	f->state = FETCH_RUNNING;
	f->transfer = transfer_new(f->session, &request, &events);
	if (f->transfer)
		return;
	session_leave(f->session, f->host, false);
	f->body.verdict = reply_fault(FAULT_FINAL, "out of memory, or libcurl is too old");
	attempt_failed(f, 0);
}

static void begin_attempt(struct fetch *f)
{
	int64_t wait = session_ask(f->session, f->host);

	if (wait == HOST_QUEUED)
		f->state = FETCH_QUEUED;
	else if (wait > 0)
		wait_for(f, (uint64_t)wait);
	else
		start_transfer(f);
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
	begin_attempt(f);
}

void fetch_go_on(struct fetch *f)
{
	if (f->transfer)
		transfer_go_on(f->transfer);
}

int fetch_identity(const struct fetch *f, struct buf *out)
{
	buf_printf(out, "size %" PRIu64 "\n", f->identity.total);
	return buf_printf(out, "etag %s\nmodified %s\n", f->identity.etag, f->identity.modified);
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

static int find_url(struct fetch *f, const char *address, struct error *err)
{
	buf_clear(&f->url);
	f->s3 = (struct s3_access){ 0 };
	if (s3_is_address(address)) {
		f->s3 = s3_access();
		return s3_url(address, &f->s3, &f->url, err);
	}
	buf_append_text(&f->url, address);
	return buf_append_byte(&f->url, 0) < 0 ? error_no_memory(err) : DANA_OK;
}

static int find_host(struct fetch *f, struct error *err)
{
	struct buf name = { 0 };

	f->host = NULL;
	if (address_host((const char *)f->url.data, &name) == DANA_OK)
		f->host = host_gate_find(f->session->network->gate, buf_slice(&name));
	buf_free(&name);
	return f->host ? DANA_OK : error_no_memory(err);
}

int fetch_aim(struct fetch *f, const char *address, const char *shown, struct error *err)
{
	stop(f);
	f->retry = retry_begin(f->session->network->config.retry_seconds * 1000);
	f->identity = (struct identity){ 0 };
	f->opened = f->no_ranges = false;
	(void)printable(slice_from_text(shown), f->shown, sizeof(f->shown));
	int status = find_url(f, address, err);
	return status < 0 ? status : find_host(f, err);
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
