/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/extract_page.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "charset/convert.h"
#include "extract/dana.h"
#include "pipeline/media_urls.h"
#include "pipeline/not_a_page.h"
#include "sink/text.h"

enum { CHUNK = 64 << 10, WAIT_MS = 100 /* between two looks at `stop` */ };

struct extract_page {
	struct byte_sink utf8; /* after the charset converter: feeds the extractor */
	const struct extract_page_config *config;
	struct dana_extractor *extractor;
	struct charset_convert *convert;
	struct media_urls media;
	uint64_t html_bytes;
	uint8_t chunk[CHUNK];
};

static int feed(struct byte_sink *self, struct slice bytes)
{
	return dana_feed(((struct extract_page *)self)->extractor, bytes.data, bytes.len);
}

static int feed_nothing(struct byte_sink *self)
{
	(void)self;
	return DANA_OK;
}

static const struct byte_sink_ops utf8_ops = { "extractor", feed, feed_nothing };

int extract_page_new(struct extract_page **out, const struct extract_page_config *config, struct error *err)
{
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = config->method,
					      .read_file = model_reader_read,
					      .read_arg = config->models };
	struct extract_page *p = calloc(1, sizeof(*p));
	int status = p ? dana_new(&p->extractor, &options) : DANA_ENOMEM;
	if (status == DANA_OK) {
		p->utf8.ops = &utf8_ops;
		p->config = config;
		p->convert = charset_convert_new(&p->utf8);
		status = p->convert ? DANA_OK : DANA_ENOMEM;
	}
	if (status == DANA_OK) {
		*out = p;
		return DANA_OK;
	}
	extract_page_free(p);
	return status == DANA_ECONFIG ? model_reader_refused(config->models, err)
				      : error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
}

/* Files other than regular ones are waited for with an eye on `stop`, because a signal ends no read of another thread. */
static int wait_readable(const struct extract_page *p, int fd)
{
	struct pollfd wanted = { .fd = fd, .events = POLLIN };
	for (;;) {
		if (atomic_load(p->config->stop))
			return DANA_ESTATE;
		int n = poll(&wanted, 1, WAIT_MS);
		if (n > 0)
			return DANA_OK;
		if (n < 0 && errno != EINTR)
			return DANA_EIO;
	}
}

/* Fills the chunk, or less at the end of the file. 0; DANA_EIO with errno; DANA_ESTATE. */
static int read_chunk(struct extract_page *p, int fd, bool regular, size_t *len)
{
	*len = 0;
	while (*len < CHUNK) {
		int status = regular ? DANA_OK : wait_readable(p, fd);
		if (status < 0)
			return status;
		ssize_t n = read(fd, p->chunk + *len, CHUNK - *len);
		if (n == 0)
			break;
		if (n > 0)
			*len += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			return DANA_EIO;
	}
	return DANA_OK;
}

/* The whole file goes through converter and extractor. */
static int read_page(struct extract_page *p, int fd, struct error *err)
{
	struct stat st;
	bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	for (;;) {
		size_t len;
		int status = read_chunk(p, fd, regular, &len);
		if (status == DANA_EIO)
			return error_set(err, DANA_EIO, "%s", system_text(errno));
		if (status < 0 || len == 0)
			return status;
		const char *other = p->html_bytes == 0 ? not_a_page(slice_of(p->chunk, len)) : NULL;
		if (other)
			return error_set(err, DANA_EFORMAT, "%s", other);
		p->html_bytes += len;
		status = charset_convert_write(p->convert, slice_of(p->chunk, len));
		if (status < 0)
			return status;
	}
}

static int write_page(struct extract_page *p, const char *path, const struct dana_text *text, struct buf *out)
{
	const char *url = p->config->url ? p->config->url : "";
	struct slice body = slice_of(text->data, text->len);
	int status = media_urls_resolve(&p->media, slice_from_text(url), text->media, text->n_media);
	if (status < 0)
		return status;
	struct document doc = {
		.file = p->config->format == EXTRACT_JSONL ? path : NULL,
		.charset = charset_convert_name(p->convert),
		.title = slice_of(text->title, text->title_len),
		.has_title = text->flags & DANA_HAS_TITLE,
		.text = body,
		.method = text->method,
		.html_bytes = p->html_bytes,
		.text_chars = utf8_count(body),
		.problems = charset_convert_problems(p->convert) |
			    (text->flags & DANA_TEXT_TRUNCATED ? PROBLEM_TRUNCATED_TEXT : 0),
		.with_media = (text->flags & DANA_LISTS_MEDIA) != 0,
		.media = media_urls_list(&p->media),
		.n_media = text->n_media,
	};
	return p->config->format == EXTRACT_TEXT ? text_page(&doc, out) : text_page_json(&doc, out);
}

static int extract(struct extract_page *p, int fd, const char *path, struct buf *out, struct error *err)
{
	const struct extract_page_config *c = p->config;
	struct dana_text text;
	p->html_bytes = 0;
	dana_reset(p->extractor);
	int status = charset_convert_reset_named(p->convert, slice_from_text(c->charset ? c->charset : ""));
	if (status == DANA_OK && c->url)
		status = dana_page_url(p->extractor, c->url, strlen(c->url));
	if (status == DANA_ECONFIG)
		return model_reader_refused(c->models, err);
	if (status >= 0)
		status = read_page(p, fd, err);
	if (status >= 0)
		status = charset_convert_finish(p->convert);
	if (status >= 0)
		status = dana_finish(p->extractor, &text);
	if (status >= 0)
		status = write_page(p, path, &text, out);
	if (status >= 0)
		return DANA_OK;
	if (status == DANA_ECHARSET)
		return error_set(err, DANA_ECHARSET, CHARSET_MISSING, charset_convert_name(p->convert));
	return error_set(err, (enum dana_status)status, "%s",
			 status == DANA_ELIMIT ? "the page asks for more work than its size allows"
					       : status_text(status));
}

/* A folder could be opened, but not be read. A named pipe is opened at once, and waited for when it is read. */
static int open_page(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT && strstr(path, "://"))
		return error_set(err, DANA_EIO, "pages from the network are not fetched: fetch it, and give the file");
	return error_set(err, DANA_EIO, "%s", system_text(errno));
}

int extract_page_file(struct extract_page *p, const char *path, struct buf *out, struct error *err)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open_page(path, err);
	if (fd < 0)
		return fd;
	int status = extract(p, fd, path, out, err);
	if (!standard)
		(void)close(fd);
	return status;
}

void extract_page_free(struct extract_page *p)
{
	if (!p)
		return;
	charset_convert_free(p->convert);
	dana_free(p->extractor);
	media_urls_free(&p->media);
	free(p);
}
