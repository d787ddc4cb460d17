/* SPDX-License-Identifier: MIT */
/*
 * GET /extract?url=URL, for a service with --fetch: the page is fetched by a process of its own, which can be ended,
 * and then is a page as any other (pages.c).
 *
 * Whoever may ask the service may so make it send requests. They go to public addresses only: each address is looked at
 * when the socket to it is opened, so also after a redirect, and whatever a name server has said before.
 */
#include "config.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/ascii.h"
#include "io/loop.h"
#include "io/page_fetch.h"
#include "serve/parameters.h"
#include "serve/process.h"
#include "serve/public_address.h"
#include "serve/request.h"

enum {
	FETCHES_MOST = 32, /* at once */
	URL_MOST = 8 << 10,
};

/* ---- addresses ---- */

struct address_range {
	uint8_t bytes[16];
	unsigned bits;
};

static bool is_in(const uint8_t *address, const struct address_range *list)
{
	for (; list->bits; list++) {
		const unsigned whole = list->bits / 8, rest = list->bits % 8;
		if (memcmp(address, list->bytes, whole) == 0 &&
		    (rest == 0 || (address[whole] ^ list->bytes[whole]) >> (8 - rest) == 0))
			return true;
	}
	return false;
}

static bool is_public4(const uint8_t *address)
{
	/* clang-format off */
	static const struct address_range others[] = {
		{ { 0 }, 8 },            /* this network */
		{ { 10 }, 8 },           /* private */
		{ { 100, 64 }, 10 },     /* shared by the customers of a provider */
		{ { 127 }, 8 },          /* this machine */
		{ { 169, 254 }, 16 },    /* link-local, with what clouds tell their machines */
		{ { 172, 16 }, 12 },     /* private */
		{ { 192, 0, 0 }, 24 },   /* protocols */
		{ { 192, 0, 2 }, 24 },   /* documents */
		{ { 192, 88, 99 }, 24 }, /* 6to4 */
		{ { 192, 168 }, 16 },    /* private */
		{ { 198, 18 }, 15 },     /* tests of speed */
		{ { 198, 51, 100 }, 24 },/* documents */
		{ { 203, 0, 113 }, 24 }, /* documents */
		{ { 224 }, 3 },          /* multicast, reserved, broadcast */
		{ .bits = 0 },
	};
	/* clang-format on */
	return !is_in(address, others);
}

static bool is_public6(const uint8_t *address)
{
	/* clang-format off */
	static const struct address_range mapped[] = { /* their last 32 bits are an address of IPv4 */
		{ { [10] = 0xff, [11] = 0xff }, 96 },
		{ { 0, 0x64, 0xff, 0x9b }, 96 }, /* by a translator (NAT64) */
		{ .bits = 0 },
	}, unicast[] = { { { 0x20 }, 3 }, { .bits = 0 } }, others[] = {
		{ { 0x20, 0x01, 0x00 }, 23 },       /* protocols, Teredo */
		{ { 0x20, 0x01, 0x0d, 0xb8 }, 32 }, /* documents */
		{ { 0x20, 0x02 }, 16 },             /* 6to4 */
		{ { 0x3f, 0xff }, 20 },             /* documents */
		{ .bits = 0 },
	};
	/* clang-format on */
	return is_in(address, mapped) ? is_public4(address + 12) : is_in(address, unicast) && !is_in(address, others);
}

bool address_is_public(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return is_public4((const uint8_t *)&((const struct sockaddr_in *)(const void *)address)->sin_addr);
	return address->sa_family == AF_INET6 &&
	       is_public6(((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr);
}

/* ---- the process that fetches ---- */

/* `arg`: whether an address was refused. */
static bool allows(void *arg, const struct sockaddr *address)
{
	bool *refused = arg;
	const bool good = address_is_public(address);
	*refused |= !good;
	return good;
}

static int write_all(const void *data, size_t len)
{
	return fwrite(data, 1, len, stdout) == len ? DANA_OK : DANA_EIO;
}

int serve_fetcher(const struct serve_config *config, struct error *err)
{
	bool refused = false;
	const struct page_fetch_config fetch = { .bytes_most = config->body_most,
						 .seconds = config->page_seconds,
						 .allows = allows,
						 .arg = &refused };
	char url[URL_MOST + 1];
	struct page_fetched page = { .cut = false };
	struct fetch_answer answer = { .status = 200 };
	struct error fault = { 0 };
	const size_t len = fread(url, 1, URL_MOST, stdin);
	const time_t began = time(NULL);
	url[len] = 0;
	/* a fetch that the service can end no more, since it has ended, ends here a moment later */
	(void)alarm(config->page_seconds + 2);
	struct page_fetcher *f = page_fetcher_new(&fetch, err);
	if (!f)
		return (int)err->status;
	const int status = page_fetch(f, url, &page, &fault);
	if (status < 0) {
		answer.status = status == DANA_ECONFIG                               ? 400
				: status == DANA_ENOMEM                              ? 503
				: refused                                            ? 403
				: time(NULL) - began >= (time_t)config->page_seconds ? 504
										     : 502;
		buf_clear(&page.body);
	} else if (page.cut) {
		answer.status = 413;
		(void)error_set(&fault, DANA_ELIMIT, "the page is larger than --max-body allows");
		buf_clear(&page.body);
	}
	answer.error = strlen(fault.text);
	answer.url = page.url.len ? page.url.len - 1 : 0; /* without its NUL */
	answer.content_type = page.content_type.len;
	answer.body = page.body.len;
	if (write_all(&answer, sizeof(answer)) < 0 || write_all(fault.text, (size_t)answer.error) < 0 ||
	    write_all(page.url.data, (size_t)answer.url) < 0 ||
	    write_all(page.content_type.data, (size_t)answer.content_type) < 0 ||
	    write_all(page.body.data, (size_t)answer.body) < 0 || fflush(stdout) != 0)
		(void)error_set(err, DANA_EIO, "standard output cannot be written");
	page_fetched_free(&page);
	page_fetcher_free(f);
	return (int)err->status;
}

/* ---- GET /extract ---- */

struct page_on_its_way {
	struct request *request;
	struct process *process;
	struct buf answer; /* so far */
};

static void end_process(struct page_on_its_way *f)
{
	if (!f->process)
		return;
	process_drop(f->process);
	f->process = NULL;
	f->request->server->fetches--;
}

static void on_output(void *arg, struct slice bytes)
{
	struct page_on_its_way *f = arg;
	struct request *r = f->request;
	if (!server_has_room(r->server, bytes.len) || buf_append(&f->answer, bytes.data, bytes.len) < 0) {
		request_reply_reason(r, 503, "too much is held at once; try again");
		return;
	}
	r->server->memory += bytes.len;
	r->charged += bytes.len;
}

/* The page is there. */
static void give_page(struct request *r, const struct fetch_answer *answer, struct buf *rest)
{
	struct page_job *j = page_job_new(r, BODY_PAGE, page_reply);
	struct buf names = { 0 };
	const size_t n = (size_t)(answer->url + answer->content_type);
	if (!j || buf_append(&names, rest->data, n) < 0) {
		page_job_drop(j);
		request_reply_reason(r, 503, status_text(DANA_ENOMEM));
		return;
	}
	buf_consume(rest, n);
	page_job_take(j, r, rest);
	page_job_give(j, slice_skip(buf_slice(&names), (size_t)answer->url),
		      slice_first(buf_slice(&names), (size_t)answer->url));
	buf_free(&names);
}

static void on_ended(void *arg, int status, const char *error)
{
	struct page_on_its_way *f = arg;
	struct request *r = f->request;
	struct fetch_answer answer = { .status = 502 };
	char reason[sizeof(((struct error *)NULL)->text)];
	const bool good = status == 0 && f->answer.len >= sizeof(answer);
	end_process(f);
	if (good) {
		memcpy(&answer, f->answer.data, sizeof(answer));
		(void)snprintf(reason, sizeof(reason), "%.*s", (int)answer.error,
			       (const char *)f->answer.data + sizeof(answer));
		buf_consume(&f->answer, sizeof(answer) + (size_t)answer.error);
	}
	if (!good)
		request_reply_reason(r, 502, *error ? error : "the process that fetched the page has ended");
	else if (answer.status != 200)
		request_reply_reason(r, (int)answer.status, reason);
	else
		give_page(r, &answer, &f->answer);
}

static void on_late(void *arg)
{
	struct page_on_its_way *f = arg;
	request_reply_reason(f->request, 504, "the page does not come within --page-time");
}

static const struct process_calls fetch_calls = { .output = on_output, .ended = on_ended, .late = on_late };

static void fetch(struct request *r)
{
	const struct serve_config *config = r->server->config;
	struct buf url = { 0 };
	struct page_on_its_way *f = NULL;
	if (!request_parameter(r, "url", &url) || url.len == 0) {
		request_reply_reason(r, 400, "the parameter url is needed: https://HOST/PATH or http://HOST/PATH");
	} else if (url.len > URL_MOST || !page_fetch_takes((const char *)url.data)) {
		request_reply_reason(r, 400,
				     "the parameter url is no URL of a page: https://HOST/PATH or http://HOST/PATH");
	} else if (r->server->fetches >= FETCHES_MOST) {
		request_reply_reason(r, 503, "too many pages are fetched at once; try again");
	} else {
		f = calloc(1, sizeof(*f));
		if (f) {
			f->request = r;
			f->process =
				process_start(r->server->loop, config->fetcher, slice_of(NULL, 0), &fetch_calls, f);
		}
		r->state = f;
		if (f && f->process) {
			r->server->fetches++;
			/* the process gives up first, and says why */
			process_time(f->process, (config->page_seconds + 1) * UINT64_C(1000));
			(void)process_feed(f->process, slice_of(NULL, 0), &url);
			process_feed_end(f->process);
		} else {
			request_reply_reason(r, 503, "no process can be started; try again");
		}
	}
	buf_free(&url);
}

static void over(struct request *r)
{
	struct page_on_its_way *f = r->state;
	if (!f)
		return;
	end_process(f);
	buf_free(&f->answer);
	free(f);
}

static bool is_get(const struct request_head *head)
{
	return !slice_is(head->method, "POST");
}

const struct route fetch_route = { .path = "/extract",
				   .takes = is_get,
				   .get_if_fetch = true,
				   .post = true,
				   .parameters = page_parameters,
				   .end = fetch,
				   .over = over };
