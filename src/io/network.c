/* SPDX-License-Identifier: MIT */
/*
 * libcurl's multi_socket interface on libuv: it names the sockets to watch (on_socket) and when to be called at the
 * latest (on_timer); what happens is handed to curl_multi_socket_action. Events of the owners are not called from
 * inside of libcurl, but after it has returned (transfers_settle): they may begin and end transfers.
 */
#include "config.h"

#include "io/network.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/url_parts.h"
#include "io/address.h"
#include "io/loop.h"
#include "io/transfer.h"

/* To libcurl an address that cannot be read is a proxy that is not found, for which one may wait. It may hold a
 * password. */
static int check_proxy(const struct curl_library *curl, const char *proxy, struct error *err)
{
	char *scheme = NULL;
	if (!proxy || strcmp(proxy, "env") == 0)
		return DANA_OK;
	CURLU *url = curl->curl_url();
	CURLUcode code =
		!url ? CURLUE_OUT_OF_MEMORY
		     : curl->curl_url_set(url, CURLUPART_URL, proxy, CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME);
	if (code == CURLUE_OK)
		code = curl->curl_url_get(url, CURLUPART_SCHEME, &scheme, 0);
	static const char *const schemes[] = { "http", "https", "socks4", "socks4a", "socks5", "socks5h", NULL };
	const bool good = code == CURLUE_OK && url_scheme_is(slice_from_text(scheme), schemes);
	curl->curl_free(scheme);
	curl->curl_url_cleanup(url);
	if (code == CURLUE_OUT_OF_MEMORY)
		return error_no_memory(err);
	return good ? DANA_OK
		    : error_set(err, DANA_ECONFIG,
				"--proxy: this is not the URL of a proxy; expected http://HOST:PORT or env");
}

/* Text that becomes a line of a request's head must not end that line. */
static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return *text == 0;
}

const struct curl_library *network_library(const struct network_config *config, struct error *err)
{
	const struct curl_library *curl = curl_library(err);
	if (!curl || check_proxy(curl, config->proxy, err) < 0)
		return NULL;
	if (config->user_agent && !is_printable(config->user_agent)) {
		(void)error_set(err, DANA_ECONFIG, "--user-agent: expected printable ASCII characters");
		return NULL;
	}
	/* libcurl names the file only when the first connection is made, and not what is wrong with it */
	if (config->ca_file && access(config->ca_file, R_OK) < 0) {
		(void)error_set(err, DANA_ECONFIG, "--ca-file: %s cannot be read; expected certificates in PEM form",
				config->ca_file);
		return NULL;
	}
	if (curl->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		(void)error_no_memory(err);
		return NULL;
	}
	return curl;
}

struct network *network_new(const struct network_config *config, struct error *err)
{
	const struct curl_library *curl = network_library(config, err);
	if (!curl)
		return NULL;
	struct network *n = calloc(1, sizeof(*n));
	if (n)
		n->gate = host_gate_new(config->connections);
	if (!n || !n->gate) {
		(void)error_no_memory(err);
		network_free(n);
		return NULL;
	}
	n->config = *config;
	n->curl = curl;
	return n;
}

int network_host(struct network *n, const char *address, struct buf *url, struct s3_access *s3, struct host **host,
		 struct error *err)
{
	struct buf name = { 0 };
	int status;
	*host = NULL;
	buf_clear(url);
	*s3 = (struct s3_access){ 0 };
	if (s3_is_address(address)) {
		*s3 = s3_access();
		status = s3_url(address, s3, url, err);
	} else if (address_is_ambiguous(address))
		status = error_set(err, DANA_ECONFIG,
				   "the URL has '\\' in front of its path; expected '/', or %%5C in user and password");
	else {
		buf_append_text(url, address);
		status = buf_append_byte(url, 0) < 0 ? error_no_memory(err) : DANA_OK;
	}
	if (status < 0)
		return status;
	if (address_host((const char *)url->data, &name) == DANA_OK)
		*host = host_gate_find(n->gate, buf_slice(&name));
	buf_free(&name);
	return *host ? DANA_OK : error_no_memory(err);
}

unsigned network_given_up(struct network *n, const char *address)
{
	struct buf url = { 0 };
	struct s3_access s3;
	struct host *host;
	struct error err = { 0 };
	unsigned inputs = 0;
	if (address_is_network(address) && network_host(n, address, &url, &s3, &host, &err) == DANA_OK)
		inputs = host_dead(host, session_now());
	buf_free(&url);
	return inputs;
}

void network_free(struct network *n)
{
	if (n)
		host_gate_free(n->gate);
	free(n);
}

struct watched_socket {
	uv_poll_t poll;
	curl_socket_t fd;
	struct network_session *session;
};

static const struct curl_library *curl_of(const struct network_session *s)
{
	return s->network->curl;
}

static void act(struct network_session *s, curl_socket_t fd, int what)
{
	int running;
	(void)curl_of(s)->curl_multi_socket_action(s->multi, fd, what, &running);
	transfers_settle(s);
}

/* ---- sockets ---- */

static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct watched_socket *w = poll->data;
	int what = status < 0 ? CURL_CSELECT_IN | CURL_CSELECT_ERR : 0; /* reading shows what is wrong */
	if (events & UV_READABLE)
		what |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		what |= CURL_CSELECT_OUT;
	act(w->session, w->fd, what);
}

static void on_poll_closed(uv_handle_t *handle)
{
	struct watched_socket *w = handle->data;
	w->session->closed = --w->session->handles == 0;
	free(w);
}

static struct watched_socket *watch(struct network_session *s, curl_socket_t fd)
{
	struct watched_socket *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	if (uv_poll_init_socket(loop_uv(s->loop), &w->poll, fd) != 0) {
		free(w);
		return NULL;
	}
	w->poll.data = w;
	w->fd = fd;
	w->session = s;
	s->handles++;
	(void)curl_of(s)->curl_multi_assign(s->multi, fd, w);
	return w;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *socket)
{
	struct network_session *s = arg;
	struct watched_socket *w = socket;
	int events = 0;
	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (w)
			uv_close((uv_handle_t *)&w->poll, on_poll_closed);
		(void)curl_of(s)->curl_multi_assign(s->multi, fd, NULL);
		return 0;
	}
	if (!w)
		w = watch(s, fd);
	if (what & CURL_POLL_IN)
		events |= UV_READABLE;
	if (what & CURL_POLL_OUT)
		events |= UV_WRITABLE;
	return w && uv_poll_start(&w->poll, events, on_poll) == 0 ? 0 : -1;
}

/* ---- time ---- */

static void on_timeout(uv_timer_t *timer)
{
	struct network_session *s = timer->data;
	act(s, CURL_SOCKET_TIMEOUT, 0);
	loop_look(s->loop);
}

static int on_timer(CURLM *multi, long milliseconds, void *arg)
{
	struct network_session *s = arg;
	(void)multi;
	if (milliseconds < 0)
		(void)uv_timer_stop(&s->timer);
	else
		(void)uv_timer_start(&s->timer, on_timeout, (uint64_t)milliseconds, 0);
	return 0;
}

/* ---- connections ---- */

static CURLM *multi_new(struct network_session *s)
{
	const struct curl_library *curl = curl_of(s);
	CURLM *multi = curl->curl_multi_init();
	if (!multi)
		return NULL;
	(void)curl->curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	(void)curl->curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, s);
	(void)curl->curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
	(void)curl->curl_multi_setopt(multi, CURLMOPT_TIMERDATA, s);
	(void)curl->curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 1L);
	return multi;
}

/*
 * Closes all connections and forgets the addresses of hosts. libcurl does so only with the whole handle. Where no
 * memory is left for a new one, the old one stays.
 */
static bool drop_connections(struct network_session *s)
{
	CURLM *fresh = s->transfers ? NULL : multi_new(s);
	if (!fresh)
		return false;
	(void)curl_of(s)->curl_multi_cleanup(s->multi);
	(void)uv_timer_stop(&s->timer);
	s->multi = fresh;
	return true;
}

static void give_up_idle(struct network_session *s)
{
	struct host *h = s->idle;
	s->idle = NULL;
	(void)drop_connections(s);
	host_leave(h, &s->user);
}

int64_t session_ask(struct network_session *s, struct host *h)
{
	if (s->idle && s->idle != h)
		give_up_idle(s);
	int64_t result = host_ask(h, &s->user, session_now());
	if (result == 0)
		s->idle = NULL;
	return result;
}

void session_leave(struct network_session *s, struct host *h, bool keep)
{
	if (keep) {
		s->idle = h;
		host_rest(h, &s->user);
		return;
	}
	s->idle = NULL;
	(void)drop_connections(s);
	host_leave(h, &s->user);
}

/* ---- other threads ---- */

static void call_from_gate(void *arg)
{
	struct network_session *s = arg;
	(void)uv_async_send(&s->wake);
}

static void on_wake(uv_async_t *handle)
{
	struct network_session *s = handle->data;
	if (s->idle && host_wanted(s->idle, &s->user))
		give_up_idle(s);
	for (struct session_client *c = s->clients; c; c = c->next)
		c->woken(c->arg);
}

void session_add_client(struct network_session *s, struct session_client *client)
{
	client->next = s->clients;
	s->clients = client;
}

void session_remove_client(struct network_session *s, struct session_client *client)
{
	struct session_client **at = &s->clients;
	while (*at != client)
		at = &(*at)->next;
	*at = client->next;
}

/* ---- life ---- */

static void on_closed(uv_handle_t *handle)
{
	struct network_session *s = handle->data;
	s->closed = --s->handles == 0;
}

struct network_session *network_session_new(struct network *n, struct loop *l, struct error *err)
{
	struct network_session *s = calloc(1, sizeof(*s));
	if (s) {
		s->network = n;
		s->loop = l;
		s->user = (struct host_user){ .wake = call_from_gate, .arg = s };
	}
	if (s && uv_timer_init(loop_uv(l), &s->timer) == 0) {
		s->timer.data = s;
		s->handles++;
	}
	if (s && s->timer.data && uv_async_init(loop_uv(l), &s->wake, on_wake) == 0) {
		s->wake.data = s;
		s->handles++;
		s->multi = multi_new(s);
	}
	if (s && s->multi)
		return s;
	(void)error_no_memory(err);
	network_session_free(s);
	return NULL;
}

void network_session_free(struct network_session *s)
{
	if (!s)
		return;
	if (s->multi)
		(void)curl_of(s)->curl_multi_cleanup(s->multi);
	if (s->idle)
		host_leave(s->idle, &s->user);
	s->closed = s->handles == 0;
	if (s->timer.data)
		uv_close((uv_handle_t *)&s->timer, on_closed);
	if (s->wake.data)
		uv_close((uv_handle_t *)&s->wake, on_closed);
	loop_run_until(s->loop, &s->closed);
	free(s);
}
