/* SPDX-License-Identifier: MIT */
/* A transfer: one HTTP request by libcurl, from its options to its last byte. */
#include "config.h"

#include "io/transfer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "io/address.h"
#include "io/network.h"

enum { REDIRECTS_MOST = 5, RETRY_AFTER_MOST = 1 << 30 /* seconds; nobody waits for so long */ };

struct transfer {
	struct network_session *session;
	struct transfer *next; /* of the session */
	struct transfer_events events;
	CURL *easy;
	struct curl_slist *fields;
	struct reply reply;
	struct transfer_result result;
	struct patience patience;
	bool touched; /* body was called, settled not yet */
	bool over;    /* libcurl is done with it, and `done` was not called yet */
	bool paused, no_memory;
};

static const struct curl_library *curl_of(const struct transfer *t)
{
	return t->session->network->curl;
}

/* ---- what libcurl calls ---- */

static size_t on_header(char *data, size_t size, size_t n, void *arg)
{
	static const char location[] = "location:";
	struct transfer *t = arg;
	struct slice line = slice_of(data, size * n);
	patience_bytes(&t->patience, line.len, session_now());
	reply_line(&t->reply, line);
	/* Is this a redirect from https to http? libcurl follows it where the first address was http, too. */
	if (t->reply.status / 100 == 3 &&
	    slice_equal_nocase(slice_first(line, strlen(location)), slice_from_text(location))) {
		char *scheme = NULL;
		(void)curl_of(t)->curl_easy_getinfo(t->easy, CURLINFO_SCHEME, &scheme);
		struct slice to = slice_first(slice_trim(slice_skip(line, strlen(location))), 5);
		t->result.downgrade |= scheme && slice_is(slice_from_text(scheme), "https") && slice_is(to, "http:");
	}
	return t->result.downgrade ? 0 : size * n;
}

static size_t on_body(char *data, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	t->touched = true;
	patience_bytes(&t->patience, size * n, session_now());
	switch (t->events.body(t->events.arg, slice_of(data, size * n))) {
	case BODY_TAKEN:
		return size * n;
	case BODY_TAKEN_LAST:
		/* Not by the answer: libcurl would copy what it still has, and hand it over later. */
		t->paused = true;
		(void)curl_of(t)->curl_easy_pause(t->easy, CURLPAUSE_RECV);
		return size * n;
	case BODY_NO_ROOM:
		t->paused = true;
		return CURL_WRITEFUNC_PAUSE;
	default:
		return 0;
	}
}

/* ---- options ---- */

static bool is_signed(const struct transfer_request *request)
{
	return request->s3 && request->s3->key;
}

/*
 * A TLS library that is linked looks in /etc/ssl, and where the environment points; of other places in which systems
 * keep the certificates that they trust this is the first that exists. NULL: nowhere else.
 */
static const char *certificates(void)
{
#ifdef LIBRARIES_LINKED
	static const char *const bundles[] = { "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
					       "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem" };
	for (size_t i = 0;
	     !getenv("SSL_CERT_FILE") && !getenv("SSL_CERT_DIR") && i < sizeof(bundles) / sizeof(*bundles); i++) {
		if (access(bundles[i], R_OK) == 0)
			return bundles[i];
	}
#endif
	return NULL;
}

CURLcode transfer_set_safe(const struct curl_library *curl, CURL *easy, const struct network_config *c, const char *url)
{
	const bool is_https = slice_equal_nocase(slice_first(slice_from_text(url), 8), slice_from_text("https://"));
	CURLcode bad = CURLE_OK;
#define SET(option, value) (bad = bad ? bad : curl->curl_easy_setopt(easy, option, value))
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_REDIR_PROTOCOLS_STR, is_https ? "https" : "http,https");
	SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	SET(CURLOPT_SSL_VERIFYPEER, c->insecure ? 0L : 1L);
	SET(CURLOPT_SSL_VERIFYHOST, c->insecure ? 0L : 2L);
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_UNRESTRICTED_AUTH, 0L);
	if (c->ca_file || certificates())
		SET(CURLOPT_CAINFO, c->ca_file ? c->ca_file : certificates());
	if (!c->proxy || strcmp(c->proxy, "env") != 0)
		SET(CURLOPT_PROXY, c->proxy ? c->proxy : "");
	if (c->proxy && strcmp(c->proxy, "env") != 0)
		SET(CURLOPT_NOPROXY, "");
	SET(CURLOPT_USERAGENT, c->user_agent ? c->user_agent : PACKAGE_NAME "/" PACKAGE_VERSION);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_QUICK_EXIT, 1L); /* a name server that does not answer is not waited for when we give up */
	SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
#undef SET
	return bad;
}

static CURLcode set_options(struct transfer *t, const struct transfer_request *request)
{
	const struct curl_library *curl = curl_of(t);
	CURLcode bad = transfer_set_safe(curl, t->easy, &t->session->network->config, request->url);
#define SET(option, value) (bad = bad ? bad : curl->curl_easy_setopt(t->easy, option, value))
	SET(CURLOPT_MAXREDIRS, (long)REDIRECTS_MOST);

	SET(CURLOPT_URL, request->url);
	SET(CURLOPT_BUFFERSIZE, (long)TRANSFER_PIECES);
	/* So that an address that does not answer leaves time for the host's next one. */
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)request->patience);
	SET(CURLOPT_ERRORBUFFER, t->result.text);
	SET(CURLOPT_PRIVATE, t);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, t);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, t);
	/* A signature is for one host, and its token must not go to another. */
	SET(CURLOPT_FOLLOWLOCATION, is_signed(request) ? 0L : 1L);
	/* A key is not a path: "a/../b" is another object than "b". */
	SET(CURLOPT_PATH_AS_IS, request->s3 ? 1L : 0L);
	if (request->fresh) {
		SET(CURLOPT_FRESH_CONNECT, 1L);
		SET(CURLOPT_DNS_CACHE_TIMEOUT, 0L);
	}
	return bad;
}

static void add_field(struct transfer *t, const char *name, const char *value)
{
	struct buf line = { 0 };
	struct curl_slist *more = NULL;
	buf_printf(&line, "%s: %s", name, value);
	if (buf_append_byte(&line, 0) == DANA_OK)
		more = curl_of(t)->curl_slist_append(t->fields, (const char *)line.data);
	buf_free(&line);
	if (more)
		t->fields = more;
	else
		t->no_memory = true;
}

/* libcurl signs all fields that we add, and the host. What is sent with a GET has no body to sign. */
static CURLcode set_signature(struct transfer *t, const struct s3_access *s3)
{
	const struct curl_library *curl = curl_of(t);
	struct buf provider = { 0 };
	CURLcode bad = CURLE_OK;
	add_field(t, "x-amz-content-sha256", "UNSIGNED-PAYLOAD");
	if (s3->token)
		add_field(t, "x-amz-security-token", s3->token);
	buf_printf(&provider, "aws:amz:%s:s3", s3->region);
	if (buf_append_byte(&provider, 0) < 0)
		return CURLE_OUT_OF_MEMORY;
	SET(CURLOPT_AWS_SIGV4, (const char *)provider.data);
	SET(CURLOPT_USERNAME, s3->key);
	SET(CURLOPT_PASSWORD, s3->secret);
	buf_free(&provider);
	return bad;
}

static bool set_all(struct transfer *t, const struct transfer_request *request)
{
	const char *condition = request->wish->from > 0 ? identity_condition(request->wish->identity) : "";
	CURLcode bad = set_options(t, request);
	const struct wish *wish = request->wish;
	if (!bad && (wish->from > 0 || wish->to != UINT64_MAX)) {
		char range[64];
		if (wish->to == UINT64_MAX)
			(void)snprintf(range, sizeof(range), "%" PRIu64 "-", wish->from);
		else
			(void)snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64, wish->from, wish->to - 1);
		bad = curl_of(t)->curl_easy_setopt(t->easy, CURLOPT_RANGE, range);
	}
	if (condition[0])
		add_field(t, "If-Range", condition);
	if (is_signed(request))
		bad = bad ? bad : set_signature(t, request->s3);
	else
		add_field(t, "Accept-Encoding", "identity");
	if (!bad)
		bad = curl_of(t)->curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->fields);
	return !bad && !t->no_memory;
}

/* ---- life ---- */

struct transfer *transfer_new(struct network_session *s, const struct transfer_request *request,
			      const struct transfer_events *events)
{
	struct transfer *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->session = s;
	t->events = *events;
	t->patience = patience_begin(request->patience, session_now());
	t->next = s->transfers;
	s->transfers = t;
	t->easy = curl_of(t)->curl_easy_init();
	if (t->easy && set_all(t, request) && curl_of(t)->curl_multi_add_handle(s->multi, t->easy) == CURLM_OK)
		return t;
	transfer_free(t);
	return NULL;
}

const struct reply *transfer_reply(const struct transfer *t)
{
	return &t->reply;
}

const struct transfer_result *transfer_result(const struct transfer *t)
{
	return &t->result;
}

uint64_t transfer_patience(const struct transfer *t)
{
	return t->paused ? t->patience.most : patience_left(&t->patience, session_now());
}

void transfer_give_up(struct transfer *t)
{
	t->result.code = CURLE_OPERATION_TIMEDOUT;
	(void)snprintf(t->result.text, sizeof(t->result.text), "less than %d bytes a second in %.0f s",
		       1000 / PATIENCE_BYTE_MS, (double)t->patience.most / 1e3);
}

void transfer_go_on(struct transfer *t)
{
	if (!t->paused)
		return;
	t->paused = false;
	t->patience = patience_begin(t->patience.most, session_now());
	(void)curl_of(t)->curl_easy_pause(t->easy, CURLPAUSE_CONT);
}

void transfer_free(struct transfer *t)
{
	const struct curl_library *curl;
	if (!t)
		return;
	curl = curl_of(t);
	struct transfer **at = &t->session->transfers;
	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	if (t->easy) {
		(void)curl->curl_multi_remove_handle(t->session->multi, t->easy);
		curl->curl_easy_cleanup(t->easy);
	}
	curl->curl_slist_free_all(t->fields);
	free(t);
}

/* ---- after libcurl has done something ---- */

/* An event may free any transfer and begin others: so the list is looked at anew after each. */
static bool settle_one(struct network_session *s)
{
	for (struct transfer *t = s->transfers; t; t = t->next) {
		if (t->touched) {
			t->touched = false;
			t->events.settled(t->events.arg);
			return true;
		}
		if (t->over) {
			t->over = false;
			t->events.done(t->events.arg);
			return true;
		}
	}
	return false;
}

void transfers_settle(struct network_session *s)
{
	if (s->settling)
		return;
	s->settling = true;
	const struct curl_library *curl = s->network->curl;
	const CURLMsg *message;
	int left;
	while ((message = curl->curl_multi_info_read(s->multi, &left))) {
		char *private = NULL;
		if (message->msg != CURLMSG_DONE)
			continue;
		const CURLcode code = message->data.result; /* `message` does not outlive the next call */
		curl_off_t seconds = 0;
		long redirects = 0, sent = 0;
		(void)curl->curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
		struct transfer *t = (struct transfer *)(void *)private;
		(void)curl->curl_easy_getinfo(t->easy, CURLINFO_REQUEST_SIZE, &sent);
		(void)curl->curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &seconds);
		(void)curl->curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_COUNT, &redirects);
		t->result.code = code;
		t->result.in_head = sent > 0 && !t->reply.over;
		if (seconds > 0)
			t->result.retry_after_ms =
				(uint64_t)(seconds < RETRY_AFTER_MOST ? seconds : RETRY_AFTER_MOST) * 1000;
		t->result.redirects = redirects > 0 ? (unsigned)redirects : 0;
		if (code != CURLE_OK && t->result.text[0] == '\0')
			(void)snprintf(t->result.text, sizeof(t->result.text), "%s", curl->curl_easy_strerror(code));
		t->over = true;
	}
	while (settle_one(s))
		;
	s->settling = false;
}
