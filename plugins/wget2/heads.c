/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plugins/wget2/heads.h"

#include <pthread.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "plugins/wget2/host_api.h"

/* Of each thread. */
struct exchange {
	struct buf request, response;
};

static pthread_key_t key;
static host_logger *logger;
static host_logger_function before; /* the function that the log called before */

static void forget(void *of_thread)
{
	struct exchange *e = of_thread;
	buf_free(&e->request);
	buf_free(&e->response);
	free(e);
}

static struct exchange *mine(void)
{
	struct exchange *e = pthread_getspecific(key);
	if (e)
		return e;
	e = calloc(1, sizeof(*e));
	if (e && pthread_setspecific(key, e) != 0) {
		free(e);
		return NULL;
	}
	return e;
}

/*
 * Finds the bytes of a message such as "# sent 211 bytes:\nGET ...": as many after the first line as that says. Returns
 * false for any other message.
 */
static bool read_message(struct slice message, const char *begin, struct slice *bytes)
{
	size_t len = strlen(begin), n = 0;
	if (message.len < len || memcmp(message.data, begin, len) != 0)
		return false;
	const uint8_t *end = memchr(message.data, '\n', message.len);
	if (!end)
		return false;
	for (const uint8_t *p = message.data + len; p < end && ascii_is_digit(*p) && n < message.len; p++)
		n = n * 10 + (size_t)(*p - '0');
	*bytes = slice_first(slice_skip(message, (size_t)(end + 1 - message.data)), n);
	return true;
}

static void keep(struct buf *to, struct slice bytes)
{
	buf_clear(to);
	if (buf_append(to, bytes.data, bytes.len) < 0)
		buf_free(to);
}

static void on_log(const char *text, size_t len)
{
	struct slice message = slice_of(text, len), bytes;
	struct exchange *e;
	if (len > 2 && text[0] == '#' && (e = mine())) {
		if (read_message(message, "# sent ", &bytes)) {
			keep(&e->request, bytes);
			buf_clear(&e->response);
		} else if (read_message(message, "# got header ", &bytes)) {
			keep(&e->response, bytes);
		}
	}
	if (before)
		before(text, len);
}

void heads_start(void)
{
	if (pthread_key_create(&key, forget) != 0)
		return;
	logger = wget_get_logger(WGET_LOGGER_DEBUG);
	before = wget_logger_get_func(logger);
	wget_logger_set_func(logger, on_log);
}

/*
 * Returns whether the second word of the request line is the target; to a proxy it is a whole URL, which ends with the
 * target.
 */
static bool asks_for(struct slice request, struct slice target)
{
	const uint8_t *begin = memchr(request.data, ' ', request.len);
	if (!begin)
		return false;
	struct slice rest = slice_skip(request, (size_t)(begin + 1 - request.data));
	const uint8_t *end = memchr(rest.data, ' ', rest.len);
	size_t len = end ? (size_t)(end - rest.data) : 0;
	return len >= target.len && memcmp(end - target.len, target.data, target.len) == 0;
}

bool heads_take(struct slice target, struct heads *heads)
{
	struct exchange *e = logger ? pthread_getspecific(key) : NULL;
	if (!e || !e->response.len || !asks_for(buf_slice(&e->request), target))
		return false;
	*heads = (struct heads){ buf_slice(&e->request), buf_slice(&e->response) };
	e->request.len = e->response.len = 0; /* the bytes stay valid */
	return true;
}
