/* SPDX-License-Identifier: MIT */
/*
 * Each host that pages were fetched from has a handle of libcurl, which keeps the connection for the next page of it.
 * A thread takes the handle, fetches, and gives it back; others wait meanwhile. Only a few handles are kept when nobody
 * uses them, so a long list of hosts holds few connections open.
 *
 * libcurl decodes content encodings; what is limited are the decoded bytes.
 */
#include "config.h"

#include "io/page_fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <uv.h>

#include "base/ascii.h"
#include "base/diagnostics.h"
#include "io/address.h"
#include "io/transfer.h"

enum {
	REDIRECTS_MOST = 10, /* as many as pages need that send one from http to https, to a language and to consent */
	CONNECT_SECONDS = 20,
	HANDLES_KEPT = 8,
	KEEP = 1 << 20, /* bytes of a body's memory for the next one */
	SHOWN = 200,
};

struct page_host {
	struct page_host *next;
	struct buf name;
	CURL *easy;
	unsigned users; /* threads that fetch from it, or wait for that */
	bool busy;
};

struct page_fetcher {
	struct page_fetch_config config;
	const struct curl_library *curl;
	struct curl_slist *fields;
	uv_mutex_t lock; /* of what follows */
	uv_cond_t left;  /* a thread has left its host */
	struct page_host *hosts;
	unsigned n_hosts;
};

/* One request, as libcurl's functions see it. */
struct page_reply {
	const struct page_fetcher *fetcher;
	struct page_fetched *page;
	bool refused; /* an address was */
	bool no_memory;
	char text[CURL_ERROR_SIZE];
};

/* ---- what libcurl calls ---- */

static size_t on_body(char *data, size_t size, size_t n, void *arg)
{
	struct page_reply *r = arg;
	const uint64_t room = r->fetcher->config.bytes_most - r->page->body.len;
	const size_t len = size * n < room ? size * n : (size_t)room;
	r->page->cut = len < size * n;
	r->no_memory = buf_append(&r->page->body, data, len) < 0;
	return r->page->cut || r->no_memory ? 0 : len;
}

static int on_progress(void *arg, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up)
{
	const struct page_reply *r = arg;
	(void)total, (void)now, (void)up_total, (void)up;
	return r->fetcher->config.stop && atomic_load(r->fetcher->config.stop);
}

static curl_socket_t on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct page_reply *r = arg;
	const struct page_fetch_config *c = &r->fetcher->config;
	(void)purpose;
	if (!c->allows(c->arg, &address->addr)) {
		r->refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(address->family, address->socktype, address->protocol);
}

/* ---- hosts ---- */

static void page_host_free(struct page_fetcher *f, struct page_host *h)
{
	if (h->easy)
		f->curl->curl_easy_cleanup(h->easy);
	buf_free(&h->name);
	free(h);
}

/* Waits until nobody else fetches from the host. Returns NULL if memory is exhausted. */
static struct page_host *page_host_enter(struct page_fetcher *f, const char *url)
{
	struct buf name = { 0 };
	struct page_host *h = NULL;
	if (address_host(url, &name) < 0)
		return NULL;
	uv_mutex_lock(&f->lock);
	for (h = f->hosts; h && !slice_equal(buf_slice(&h->name), buf_slice(&name));)
		h = h->next;
	if (!h && (h = calloc(1, sizeof(*h)))) {
		h->easy = f->curl->curl_easy_init();
		h->name = name;
		name = (struct buf){ 0 };
		h->next = f->hosts;
		f->hosts = h;
		f->n_hosts++;
	}
	if (h) {
		h->users++;
		while (h->busy)
			uv_cond_wait(&f->left, &f->lock);
		h->busy = true;
	}
	uv_mutex_unlock(&f->lock);
	buf_free(&name);
	return h;
}

static void page_host_leave(struct page_fetcher *f, struct page_host *h)
{
	struct page_host **at = &f->hosts;
	uv_mutex_lock(&f->lock);
	h->busy = false;
	h->users--;
	if (h->users == 0 && f->n_hosts > HANDLES_KEPT) {
		while (*at != h)
			at = &(*at)->next;
		*at = h->next;
		f->n_hosts--;
		page_host_free(f, h);
	}
	uv_cond_broadcast(&f->left);
	uv_mutex_unlock(&f->lock);
}

/* ---- a request ---- */

/* The URL as it is sent: other letters than ASCII and blanks percent-encoded, without the fragment. */
static int clean_url(const struct page_fetcher *f, const char *url, struct buf *out, struct error *err)
{
	const struct slice given = slice_trim(slice_from_text(url));
	char *text = NULL;
	buf_clear(out);
	for (size_t i = 0; i < given.len; i++) { /* libcurl makes '+' of a blank in the query; browsers do not */
		if (given.data[i] == ' ')
			buf_append_text(out, "%20");
		else
			buf_append_byte(out, given.data[i]);
	}
	CURLU *parts = buf_append_byte(out, 0) < 0 ? NULL : f->curl->curl_url();
	CURLUcode code = parts ? f->curl->curl_url_set(parts, CURLUPART_URL, (const char *)out->data, CURLU_URLENCODE)
			       : CURLUE_OUT_OF_MEMORY;
	if (code == CURLUE_OK)
		code = f->curl->curl_url_set(parts, CURLUPART_FRAGMENT, NULL, 0);
	if (code == CURLUE_OK)
		code = f->curl->curl_url_get(parts, CURLUPART_URL, &text, 0);
	buf_clear(out);
	if (code == CURLUE_OK)
		code = buf_append(out, text, strlen(text) + 1) < 0 ? CURLUE_OUT_OF_MEMORY : CURLUE_OK;
	f->curl->curl_free(text);
	f->curl->curl_url_cleanup(parts);
	if (code == CURLUE_OUT_OF_MEMORY)
		return error_no_memory(err);
	return code == CURLUE_OK
		       ? DANA_OK
		       : error_set(err, DANA_ECONFIG,
				   "this is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH");
}

/* Of the URL that was reached, what the page's is: no user, no password, no place in the page. */
static int public_url(const struct page_fetcher *f, const char *url, struct buf *out)
{
	char *text = NULL;
	CURLU *parts = f->curl->curl_url();
	buf_clear(out);
	if (parts && f->curl->curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    f->curl->curl_url_set(parts, CURLUPART_USER, NULL, 0) == CURLUE_OK &&
	    f->curl->curl_url_set(parts, CURLUPART_PASSWORD, NULL, 0) == CURLUE_OK &&
	    f->curl->curl_url_set(parts, CURLUPART_FRAGMENT, NULL, 0) == CURLUE_OK &&
	    f->curl->curl_url_get(parts, CURLUPART_URL, &text, 0) == CURLUE_OK)
		buf_append_text(out, text);
	f->curl->curl_free(text);
	f->curl->curl_url_cleanup(parts);
	return buf_append_byte(out, 0);
}

static CURLcode set_options(CURL *easy, const char *url, struct page_reply *r)
{
	const struct page_fetcher *f = r->fetcher;
	const struct curl_library *curl = f->curl;
	const uint64_t seconds = f->config.seconds;
	CURLcode bad = transfer_set_safe(curl, easy, &f->config.network, url);
#define SET(option, value) (bad = bad ? bad : curl->curl_easy_setopt(easy, option, value))
	SET(CURLOPT_URL, url);
	SET(CURLOPT_HTTPHEADER, f->fields);
	SET(CURLOPT_ACCEPT_ENCODING, ""); /* all that libcurl decodes */
	SET(CURLOPT_FOLLOWLOCATION, 1L);
	SET(CURLOPT_MAXREDIRS, (long)REDIRECTS_MOST);
	/* Pages that send everybody without a cookie to themselves are read; no cookie outlives the page. */
	SET(CURLOPT_COOKIEFILE, "");
	SET(CURLOPT_COOKIELIST, "ALL");
	SET(CURLOPT_TIMEOUT_MS, (long)(seconds * 1000));
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)(seconds < CONNECT_SECONDS ? seconds : CONNECT_SECONDS) * 1000);
	SET(CURLOPT_ERRORBUFFER, r->text);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, r);
	SET(CURLOPT_FAILONERROR, 1L); /* the page of a fault is not wanted */
	SET(CURLOPT_NOPROGRESS, 0L);
	SET(CURLOPT_XFERINFOFUNCTION, on_progress);
	SET(CURLOPT_XFERINFODATA, r);
	if (f->config.allows) {
		SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
		SET(CURLOPT_OPENSOCKETDATA, r);
	}
#undef SET
	return bad;
}

static const char *status_words(long status)
{
	static const struct {
		long status;
		const char *words;
	} table[] = { { 401, " (a password is needed)" },
		      { 402, " (payment is needed)" },
		      { 403, " (forbidden)" },
		      { 404, " (not found)" },
		      { 407, " (the proxy needs a password)" },
		      { 410, " (gone)" },
		      { 429, " (too many requests)" },
		      { 451, " (not available for legal reasons)" },
		      { 500, " (a fault of the server)" },
		      { 502, " (a fault of a gateway)" },
		      { 503, " (not available now)" },
		      { 504, " (no answer to a gateway)" } };
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (table[i].status == status)
			return table[i].words;
	}
	return "";
}

/* What is wrong with the reply, if anything is. */
static int judge(const struct page_reply *r, CURLcode code, long status, bool moved, struct error *err)
{
	const struct page_fetch_config *c = &r->fetcher->config;
	char shown[SHOWN];
	if (r->no_memory || code == CURLE_OUT_OF_MEMORY)
		return error_no_memory(err);
	if (c->stop && atomic_load(c->stop))
		return DANA_ESTATE;
	if (r->refused && code != CURLE_OK)
		return error_set(err, DANA_EIO, "the host has an address that is not allowed");
	if (code == CURLE_TOO_MANY_REDIRECTS)
		return error_set(err, DANA_EIO, "more than %d redirects", REDIRECTS_MOST);
	if (code == CURLE_UNSUPPORTED_PROTOCOL && status / 100 == 3)
		return error_set(err, DANA_EIO, "a redirect to what is not fetched: %s", r->text);
	if (code == CURLE_OPERATION_TIMEDOUT)
		return error_set(err, DANA_EIO, "no page within %llu seconds: %s", (unsigned long long)c->seconds,
				 r->text);
	if (code != CURLE_OK && code != CURLE_HTTP_RETURNED_ERROR && !r->page->cut)
		return error_set(err, DANA_EIO, "%s",
				 r->text[0] ? r->text : r->fetcher->curl->curl_easy_strerror(code));
	if (status / 100 == 2)
		return DANA_OK;
	const struct slice at = slice_from_text((const char *)r->page->url.data);
	return error_set(err, DANA_EIO, "the server answers with status %ld%s%s%s", status, status_words(status),
			 moved ? " at " : "", moved ? printable(at, shown, sizeof(shown)) : "");
}

static int ask(struct page_fetcher *f, CURL *easy, const char *url, struct page_fetched *page, struct error *err)
{
	const struct curl_library *curl = f->curl;
	struct page_reply r = { .fetcher = f, .page = page };
	char *reached = NULL, *type = NULL;
	long status = 0, redirects = 0;
	const CURLcode unknown = set_options(easy, url, &r);
	if (unknown)
		return unknown == CURLE_OUT_OF_MEMORY
			       ? error_no_memory(err)
			       : error_set(err, DANA_ELIBRARY, "libcurl: %s", curl->curl_easy_strerror(unknown));
	const CURLcode code = curl->curl_easy_perform(easy);
	(void)curl->curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	(void)curl->curl_easy_getinfo(easy, CURLINFO_REDIRECT_COUNT, &redirects);
	(void)curl->curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &reached);
	(void)curl->curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
	buf_clear(&page->content_type);
	if (public_url(f, reached ? reached : url, &page->url) < 0 ||
	    buf_append_text(&page->content_type, type ? type : "") < 0)
		return error_no_memory(err);
	return judge(&r, code, status, redirects > 0, err);
}

bool page_fetch_takes(const char *name)
{
	return address_is_network(name) && !s3_is_address(name);
}

int page_fetch(struct page_fetcher *f, const char *url, struct page_fetched *page, struct error *err)
{
	struct buf clean = { 0 };
	page->cut = false;
	buf_shrink(&page->body, KEEP);
	if (!page_fetch_takes(url) || address_is_ambiguous(url))
		return error_set(err, DANA_ECONFIG,
				 "this is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH");
	int status = clean_url(f, url, &clean, err);
	if (status == DANA_OK) {
		struct page_host *h = page_host_enter(f, (const char *)clean.data);
		if (!h || !h->easy)
			status = error_no_memory(err);
		else if (f->config.stop && atomic_load(f->config.stop))
			status = DANA_ESTATE;
		else
			status = ask(f, h->easy, (const char *)clean.data, page, err);
		if (h)
			page_host_leave(f, h);
	}
	buf_free(&clean);
	return status;
}

void page_fetched_free(struct page_fetched *page)
{
	buf_free(&page->body);
	buf_free(&page->url);
	buf_free(&page->content_type);
}

/* ---- life ---- */

static bool add_field(struct page_fetcher *f, const char *line)
{
	struct curl_slist *more = f->curl->curl_slist_append(f->fields, line);
	if (more)
		f->fields = more;
	return more;
}

/* Servers that choose by it send a page, not data; a field of the user's own counts alone. */
static int add_fields(struct page_fetcher *f, struct error *err)
{
	static const char accept[] = "Accept: text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.5";
	const size_t name = strlen("Accept:");
	bool own = false;
	for (size_t i = 0; i < f->config.headers.n; i++) {
		const char *line = f->config.headers.at[i];
		char shown[SHOWN];
		size_t at = 0;
		while (line[at] > ' ' && line[at] < 0x7f && line[at] != ':')
			at++;
		bool good = at > 0 && line[at] == ':';
		for (; line[at] && good; at++)
			good = line[at] == '\t' || (uint8_t)line[at] >= ' ';
		if (!good)
			return error_set(err, DANA_ECONFIG, "--header: '%s' is no header; expected 'NAME: VALUE'",
					 printable(slice_from_text(line), shown, sizeof(shown)));
		own |= slice_equal_nocase(slice_first(slice_from_text(line), name), slice_of(accept, name));
		if (!add_field(f, line))
			return error_no_memory(err);
	}
	return own || add_field(f, accept) ? DANA_OK : error_no_memory(err);
}

struct page_fetcher *page_fetcher_new(const struct page_fetch_config *config, struct error *err)
{
	const struct curl_library *curl = network_library(&config->network, err);
	struct page_fetcher *f = curl ? calloc(1, sizeof(*f)) : NULL;
	if (!f) {
		if (curl)
			(void)error_no_memory(err);
		return NULL;
	}
	f->config = *config;
	f->curl = curl;
	if (uv_mutex_init(&f->lock) != 0) {
		free(f);
		return error_no_memory(err), NULL;
	}
	if (uv_cond_init(&f->left) != 0) {
		uv_mutex_destroy(&f->lock);
		free(f);
		return error_no_memory(err), NULL;
	}
	if (add_fields(f, err) < 0) {
		page_fetcher_free(f);
		return NULL;
	}
	return f;
}

void page_fetcher_free(struct page_fetcher *f)
{
	if (!f)
		return;
	while (f->hosts) {
		struct page_host *h = f->hosts;
		f->hosts = h->next;
		page_host_free(f, h);
	}
	f->curl->curl_slist_free_all(f->fields);
	uv_cond_destroy(&f->left);
	uv_mutex_destroy(&f->lock);
	free(f);
}
