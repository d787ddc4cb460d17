/* SPDX-License-Identifier: MIT */
/*
 * Faults of a fetch: whether the next attempt is made and when (retry.h, host_gate.h), what the gate hears of the
 * attempt, and what is reported.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "io/loop.h"
#include "io/net/fetch_private.h"

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

/* Somebody who did not ask for every retry hears of the third in a row. */
static void tell_retry(const struct fetch *f, uint64_t wait)
{
	char text[LINE_SIZE - FETCH_SHOWN - 16];

	(void)snprintf(text, sizeof(text), "byte %" PRIu64 ": %s; trying again in %.1f s", f->wish.from,
		       f->body.verdict.text, (double)wait / 1e3);
	report(f, f->retry.faults == IMPORTANT_FAULTS, text);
}

static void tell_breaker(const struct fetch *f)
{
	char text[128];

	(void)snprintf(text, sizeof(text),
		       "more than half of the last %d answers of the host were errors: one attempt in %d s",
		       HOST_ANSWERS, HOST_BREAK_MS / 1000);
	report(f, true, text);
}

/* ---- faults ---- */

static uint32_t next_random(struct fetch *f)
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return (uint32_t)(f->random >> 32);
}

static bool is_through_host(enum fault_kind kind)
{
	return kind == FAULT_BUSY || kind == FAULT_LINK || kind == FAULT_NO_HOST || kind == FAULT_DISTRUST;
}

/* A host that cannot be found or trusted is silent from the input's first attempt; another one for as long as one may
 * wait. */
static void tell_gate(struct fetch *f)
{
	const enum fault_kind kind = f->body.verdict.kind;
	const uint64_t now = session_now(), budget = f->retry.budget;
	uint64_t silence = now - f->retry.since;

	if (kind == FAULT_BUSY || kind == FAULT_LINK)
		silence = (budget > SILENCE_LEAST_MS ? budget : SILENCE_LEAST_MS) - FETCH_LEAST_MS;
	if (is_through_host(kind))
		host_give_up(f->host, silence, now);
}

/* From the loop, not from within what has asked for bytes: it may go on to the next input, and thousands may fail in a
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

	tell_gate(f);
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

void fetch_late(struct fetch *f, uint64_t wait)
{
	char why[200];

	(void)snprintf(why, sizeof(why),
		       "its host is failing and gets the next attempt in %.1f s, and --retry-time leaves %.1f s",
		       (double)wait / 1e3, (double)retry_left(&f->retry, session_now()) / 1e3);
	give_up_turn(f, FAULT_LINK, why);
}

/* The gate knows of the faults that this comes from. */
void fetch_dead(struct fetch *f)
{
	char why[200];

	(void)snprintf(why, sizeof(why), NETWORK_GIVEN_UP, host_given_up(f->host));
	give_up_turn(f, FAULT_FINAL, why);
}

bool fetch_answered(const struct fetch *f)
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

void fetch_failed(struct fetch *f, uint64_t asked)
{
	const enum fault_kind kind = f->body.verdict.kind;
	const uint64_t now = session_now(), left = retry_left(&f->retry, now), gate = host_wait(f->host, now);
	uint64_t wait;
	char why[200] = "";

	if (!retry_failed(&f->retry, kind, now, asked, next_random(f), &wait)) {
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
		fetch_late(f, wait);
		return;
	}
	tell_retry(f, wait);
	fetch_wait(f, wait);
}

void fetch_turn_missed(struct fetch *f)
{
	give_up_turn(f, FAULT_LINK, "its host is failing, and its turn has not come within --retry-time");
}
