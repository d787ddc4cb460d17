/* SPDX-License-Identifier: MIT */
/*
 * The attempts of a fetch, one after the other: each waits for its time (retry.h) and for a place at the host
 * (host_gate.h), runs as a transfer, and ends by what fetch_body.c says of it. `wish.from` has moved on with each byte
 * that was taken, so the next request begins exactly there. One timer limits all that is waited for.
 */
#include "config.h"

#include "io/net/fetch.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/printable.h"
#include "io/loop.h"
#include "io/net/fetch_private.h"
#include "io/net/patience.h"

static void begin_attempt(struct fetch *f);
static void on_done(void *arg);

static void on_timer(uv_timer_t *timer)
{
	struct fetch *f = timer->data;

	begin_attempt(f);
	loop_look(f->session->loop);
}

/* ---- attempts ---- */

/* How long one attempt may bring nothing. Without a budget for faults there is still the first attempt. */
static uint64_t patience_of(const struct fetch *f)
{
	uint64_t left = retry_left(&f->retry, session_now());

	if (f->retry.budget == 0 || left > PATIENCE_MS)
		return PATIENCE_MS;
	return left > FETCH_LEAST_MS ? left : FETCH_LEAST_MS;
}

static void on_watch(uv_timer_t *timer);

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
	fetch_turn_missed(f);
}

static void queue(struct fetch *f)
{
	f->state = FETCH_QUEUED;
	uv_update_time(loop_uv(f->session->loop));
	if (f->retry.budget > 0)
		(void)uv_timer_start(&f->timer, on_turn, retry_left(&f->retry, session_now()), 0);
}

/* The server may send less of a range than was asked for, and where it gives no length one can only ask for more. */
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
	fetch_body_end(f);
	bool well = fetch_answered(f), partial = is_partial(f);
	if (f->body.verdict.at_end && !f->events.may_be_outside)
		identity_take(&f->identity, transfer_reply(f->transfer));
	end_transfer(f, whole && well);
	call_opened(f);
	if (!f->body.verdict.good) {
		fetch_failed(f, asked);
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
						  .patience = patience_of(f),
						  .fresh = f->retry.faults > 0,
						  .s3 = f->s3.region ? &f->s3 : NULL };
	const struct transfer_events events = { fetch_body_take, on_settled, on_done, f };

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
	fetch_failed(f, 0);
}

static void begin_attempt(struct fetch *f)
{
	const int64_t wait = session_ask(f->session, f->host);
	const uint64_t left = retry_left(&f->retry, session_now());

	(void)uv_timer_stop(&f->timer);
	if (wait == HOST_QUEUED) {
		queue(f);
	} else if (wait == HOST_DEAD) {
		fetch_dead(f);
	} else if (wait > HOST_FAILING_MS && (uint64_t)wait > left) {
		fetch_late(f, (uint64_t)wait);
	} else if (wait > 0) {
		fetch_wait(f, (uint64_t)wait);
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
	f->on_timer = on_timer;
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
