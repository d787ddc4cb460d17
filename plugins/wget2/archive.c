/* SPDX-License-Identifier: MIT */
/*
 * Writes what wget2 downloads as WARC records, a request and a response for each file, and reads the debug log of
 * libwget for the HTTP heads, which wget2 does not pass on.
 */
#include "config.h"

#include "plugins/wget2/archive.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "archive/codec/codec.h"
#include "archive/warc/writer.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/status.h"
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

bool heads_take(struct slice target, struct heads *heads)
{
	struct exchange *e = logger ? pthread_getspecific(key) : NULL;
	if (!e || !e->response.len)
		return false;
	/* the second word of the request line is the target; to a proxy a whole URL, which ends with the target */
	const struct slice request = buf_slice(&e->request);
	const uint8_t *begin = memchr(request.data, ' ', request.len);
	if (!begin)
		return false;
	struct slice rest = slice_skip(request, (size_t)(begin + 1 - request.data));
	const uint8_t *end = memchr(rest.data, ' ', rest.len);
	size_t len = end ? (size_t)(end - rest.data) : 0;
	if (len < target.len || memcmp(end - target.len, target.data, target.len) != 0)
		return false;
	*heads = (struct heads){ buf_slice(&e->request), buf_slice(&e->response) };
	e->request.len = e->response.len = 0; /* the bytes stay valid */
	return true;
}

/*
 * wget_downloaded_file_get_contents returns the length that the server sent, even if that is the length of a coded body
 * and the bytes come from the file on disk. So it is called only for bodies that wget2 has in memory, where the length
 * is right: such a file opens as a stream without a descriptor.
 */

static bool read_file(FILE *stream, size_t most, struct buf *copy, bool *cut)
{
	enum { PIECE = 64 << 10 };
	size_t n = 1;
	while (n > 0 && copy->len <= most) {
		if (buf_reserve(copy, PIECE) < 0)
			return false;
		n = fread(copy->data + copy->len, 1, PIECE, stream);
		copy->len += n;
	}
	*cut = copy->len > most;
	if (*cut)
		copy->len = most;
	return !ferror(stream);
}

bool body_read(host_file *file, size_t most, struct buf *copy, struct slice *body, bool *cut)
{
	FILE *stream = wget_downloaded_file_open_stream(file);
	bool good;
	if (!stream)
		return false;
	if (fileno(stream) < 0) {
		const void *data;
		size_t size;
		good = wget_downloaded_file_get_contents(file, &data, &size) == 0 && (data || !size);
		if (good) {
			*body = slice_of(data, size < most ? size : most);
			*cut = size > most;
		}
	} else {
		good = read_file(stream, most, copy, cut);
		*body = buf_slice(copy);
	}
	(void)fclose(stream);
	return good;
}

enum { FIELDS_MOST = 12, DIGEST_TEXT = sizeof("sha1:") + SHA1_BASE32 };

#define WARC_VERSION "WARC/1.1"

#define MOVED "X-Crawler-"

struct head_fields {
	struct field items[FIELDS_MOST];
	size_t n;
};

static void add(struct head_fields *f, const char *name, struct slice value)
{
	f->items[f->n++] = (struct field){ slice_from_text(name), value };
}

static void add_text(struct head_fields *f, const char *name, const char *value)
{
	add(f, name, slice_from_text(value));
}

/* Writes a random UUID (RFC 4122, section 4.4). */
static int make_id(char id[RECORDS_ID])
{
	static const char digits[] = "0123456789abcdef";
	static const char form[] = "<urn:uuid:xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx>";
	uint8_t random[RECORDS_ID];
	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return DANA_EIO;
	memcpy(id, form, sizeof(form));
	for (size_t i = sizeof("<urn:uuid:") - 1; id[i]; i++) {
		if (id[i] == 'x')
			id[i] = digits[random[i] & 15];
		else if (id[i] == 'y')
			id[i] = digits[8 + (random[i] & 3)];
	}
	return DANA_OK;
}

int records_begin(struct records_origin *origin, const char *warcinfo_id)
{
	time_t now = time(NULL);
	struct tm utc;
	origin->warcinfo_id = warcinfo_id;
	(void)gmtime_r(&now, &utc);
	(void)strftime(origin->date, sizeof(origin->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return make_id(origin->id);
}

static int make_digest(struct slice bytes, char text[DIGEST_TEXT])
{
	uint8_t digest[SHA1_BYTES];
	int status = sha1(bytes, digest);
	memcpy(text, "sha1:", sizeof("sha1:"));
	if (status == DANA_OK)
		sha1_base32(digest, text + sizeof("sha1:") - 1);
	return status;
}

/* ---- the head of a response ---- */

static bool take_line(struct slice *rest, struct slice *line)
{
	const uint8_t *end = rest->len ? memchr(rest->data, '\n', rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->data) : rest->len;
	*line = slice_first(*rest, len);
	*rest = slice_skip(*rest, end ? len + 1 : len);
	if (line->len && line->data[line->len - 1] == '\r')
		line->len--;
	return line->len > 0;
}

static bool is_named(struct slice line, const char *name)
{
	size_t len = strlen(name);
	return line.len > len && line.data[len] == ':' && slice_is(slice_first(line, len), name);
}

static bool says_length(struct slice line, size_t len)
{
	uint64_t said = 0;
	struct slice value = slice_trim(slice_skip(line, sizeof("Content-Length:") - 1));
	for (size_t i = 0; i < value.len && ascii_is_digit(value.data[i]) && said <= SIZE_MAX / 10; i++)
		said = said * 10 + (uint64_t)(value.data[i] - '0');
	return said == len;
}

/* ---- records ---- */

static int write_record(const struct head_fields *f, struct slice block, struct buf *out)
{
	const struct warc_output record = { WARC_VERSION, f->items, f->n, block };
	return warc_write(out, &record);
}

int records_response(const struct records_origin *origin, const struct download *d, struct buf *out)
{
	struct head_fields f = { .n = 0 };
	struct buf block = { 0 };
	char digests[2][DIGEST_TEXT];
	int status = DANA_OK;
	if (d->has_heads) {
		struct slice head = d->heads.response;
		const struct slice body = d->body;
		struct slice line;
		bool has_length = false;
		while (take_line(&head, &line)) {
			bool is_length = is_named(line, "Content-Length");
			bool right = is_length && says_length(line, body.len);
			bool coding = is_named(line, "Content-Encoding") &&
				      !(body.len > 2 && body.data[0] == 0x1f && body.data[1] == 0x8b);
			if ((is_length && !right) || coding || is_named(line, "Transfer-Encoding"))
				buf_append_text(&block, MOVED);
			buf_append(&block, line.data, line.len);
			buf_append_text(&block, "\r\n");
			has_length |= right;
		}
		if (!has_length)
			buf_printf(&block, "Content-Length: %zu\r\n", body.len);
		buf_append_text(&block, "\r\n");
	}
	buf_append(&block, d->body.data, d->body.len);
	add_text(&f, "WARC-Type", d->has_heads ? "response" : "resource");
	add(&f, "WARC-Target-URI", d->url);
	add_text(&f, "WARC-Date", origin->date);
	add_text(&f, "WARC-Record-ID", origin->id);
	if (origin->warcinfo_id) {
		add_text(&f, "WARC-Warcinfo-ID", origin->warcinfo_id);
		status = make_digest(buf_slice(&block), digests[0]);
		if (status == DANA_OK)
			status = make_digest(d->body, digests[1]);
		add_text(&f, "WARC-Block-Digest", digests[0]);
		add_text(&f, "WARC-Payload-Digest", digests[1]);
	}
	if (d->body_cut)
		add_text(&f, "WARC-Truncated", "length");
	add_text(&f, "Content-Type", d->has_heads ? "application/http; msgtype=response" : "application/octet-stream");
	if (status == DANA_OK)
		status = buf_status(&block);
	if (status == DANA_OK)
		status = write_record(&f, buf_slice(&block), out);
	buf_free(&block);
	return status;
}

int records_request(const struct records_origin *origin, const struct download *d, struct buf *out)
{
	struct head_fields f = { .n = 0 };
	char id[RECORDS_ID];
	int status = make_id(id);
	add_text(&f, "WARC-Type", "request");
	add(&f, "WARC-Target-URI", d->url);
	add_text(&f, "WARC-Date", origin->date);
	add_text(&f, "WARC-Record-ID", id);
	add_text(&f, "WARC-Concurrent-To", origin->id);
	add_text(&f, "WARC-Warcinfo-ID", origin->warcinfo_id);
	add_text(&f, "Content-Type", "application/http; msgtype=request");
	return status < 0 ? status : write_record(&f, d->heads.request, out);
}

int records_warcinfo(const struct records_origin *origin, const char *file, struct buf *out)
{
	static const char block[] =
		"software: " PACKAGE_NAME "/" PACKAGE_VERSION " (plugin of wget2)\r\n"
		"format: WARC File Format 1.1\r\n"
		"conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
		"description: bodies without Transfer-Encoding and Content-Encoding; IP addresses are not known\r\n";
	struct head_fields f = { .n = 0 };
	const char *slash = strrchr(file, '/');
	add_text(&f, "WARC-Type", "warcinfo");
	add_text(&f, "WARC-Date", origin->date);
	add_text(&f, "WARC-Record-ID", origin->id);
	add_text(&f, "WARC-Filename", slash ? slash + 1 : file);
	add_text(&f, "Content-Type", "application/warc-fields");
	return write_record(&f, slice_from_text(block), out);
}

/* Compresses the records of one call; there are as many as concurrent calls. */
struct packer {
	struct packer *next;
	struct encoder_codec *codec;
	struct buf packed;
};

struct kept_archive {
	const char *path;
	char *part;
	int fd;
	const struct encoder_ops *encoder;
	struct records_origin warcinfo;
	pthread_mutex_t lock; /* guards the members below, and the order of writes */
	struct packer *packers;
	int error; /* errno of the first failure, after which nothing is written */
};

/* ---- packers ---- */

/* ---- writing ---- */

int archive_write(struct kept_archive *a, const struct buf *records, size_t n, struct error *err)
{
	pthread_mutex_lock(&a->lock);
	struct packer *p = a->packers;
	if (p)
		a->packers = p->next;
	pthread_mutex_unlock(&a->lock);
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (p)
			p->codec = a->encoder->open(a->encoder->level_default);
		if (p && !p->codec) {
			free(p);
			p = NULL;
		}
	}
	int status = p ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = a->encoder->unit(p->codec, buf_slice(&records[i]), &p->packed);
	pthread_mutex_lock(&a->lock);
	bool told = a->error != 0;
	if (status == DANA_OK && !told)
		a->error = durable_write(a->fd, buf_slice(&p->packed));
	int error = told ? 0 : a->error;
	pthread_mutex_unlock(&a->lock);
	if (p) {
		enum { KEEP = 4 << 20 };
		buf_shrink(&p->packed, KEEP);
		pthread_mutex_lock(&a->lock);
		p->next = a->packers;
		a->packers = p;
		pthread_mutex_unlock(&a->lock);
	}
	if (status < 0)
		return error_no_memory(err);
	return error ? part_file_fault(err, a->part, error) : DANA_OK;
}

static int write_warcinfo(struct kept_archive *a, struct error *err)
{
	struct buf record = { 0 };
	int status = records_begin(&a->warcinfo, NULL);
	if (status == DANA_OK)
		status = records_warcinfo(&a->warcinfo, a->path, &record);
	if (status == DANA_OK)
		status = archive_write(a, &record, 1, err);
	buf_free(&record);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

static void archive_free(struct kept_archive *a)
{
	while (a->packers) {
		struct packer *p = a->packers;
		a->packers = p->next;
		a->encoder->close(p->codec);
		buf_free(&p->packed);
		free(p);
	}
	if (a->fd >= 0)
		(void)close(a->fd);
	pthread_mutex_destroy(&a->lock);
	free(a->part);
	free(a);
}

int archive_open(struct kept_archive **out, const char *path, bool force, struct error *err)
{
	struct kept_archive *a = calloc(1, sizeof(*a));
	bool kept;
	if (!a)
		return error_no_memory(err);
	pthread_mutex_init(&a->lock, NULL);
	a->path = path;
	a->encoder = encoder_find(slice_from_text("none"));
	const struct slice name = slice_from_text(path);
	for (size_t i = 0; encoder_table[i]; i++) {
		const struct slice suffix = slice_from_text(encoder_table[i]->suffix);
		if (suffix.len && name.len > suffix.len &&
		    slice_equal(slice_skip(name, name.len - suffix.len), suffix)) {
			a->encoder = encoder_table[i];
			break;
		}
	}
	a->part = path_with(path, OUTPUT_PART_SUFFIX);
	a->fd = a->part ? part_file_open(path, a->part, force ? OUTPUT_FORCE : OUTPUT_NEW, &kept, err)
			: error_no_memory(err);
	if (a->fd >= 0 && write_warcinfo(a, err) == DANA_OK) {
		*out = a;
		return DANA_OK;
	}
	archive_free(a);
	return err->status;
}

const char *archive_id(const struct kept_archive *a)
{
	return a->warcinfo.id;
}

int archive_close(struct kept_archive *a, struct error *err)
{
	if (!a)
		return DANA_OK;
	int status = a->error ? DANA_EIO : DANA_OK; /* already reported; FILE.part stays */
	int error = a->error ? 0 : durable_sync(a->fd);
	if (status == DANA_OK && !error)
		error = durable_rename(a->part, a->path);
	if (error)
		status = part_file_fault(err, a->part, error);
	archive_free(a);
	return status;
}
