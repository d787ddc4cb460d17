/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pages/page.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/single_page.h"
#include "archive/sink/text.h"

enum { CHUNK = 64 << 10, WAIT_MS = 100 /* between two looks at `stop` */ };

struct extract_page {
	const struct extract_page_config *config;
	struct single_page *page;
	uint8_t chunk[CHUNK];
};

int extract_page_new(struct extract_page **out, const struct extract_page_config *config, struct error *err)
{
	const struct single_page_config page = { .method = config->methods->at[0],
						 .read_file = model_reader_read,
						 .read_arg = config->models,
						 .texts = config->texts };
	struct extract_page *p = calloc(1, sizeof(*p));
	int status = p ? single_page_new(&p->page, &page) : DANA_ENOMEM;
	if (status == DANA_OK) {
		p->config = config;
		*out = p;
		return DANA_OK;
	}
	extract_page_free(p);
	return status == DANA_ECONFIG ? model_reader_refused(config->models, err) : error_no_memory(err);
}

/* Files other than regular ones are waited for with an eye on `stop`, because a signal ends no read of another thread.
 */
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

/* Fills the chunk, or less at the end of the file. Returns 0; DANA_EIO with errno; DANA_ESTATE. */
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
		if (status == DANA_OK && len)
			status = single_page_write(p->page, slice_of(p->chunk, len), err);
		if (status < 0 || len == 0)
			return status;
	}
}

static int extract(struct extract_page *p, int fd, const char *path, struct buf *out, struct error *err)
{
	const struct extract_page_config *c = p->config;
	const struct single_page_source source = { .url = slice_from_text(c->url ? c->url : ""),
						   .charset = slice_from_text(c->charset ? c->charset : ""),
						   .content_type =
							   slice_from_text(c->content_type ? c->content_type : "") };
	struct document doc;
	int status = single_page_begin(p->page, &source);
	if (status == DANA_ECONFIG)
		return model_reader_refused(c->models, err);
	if (status == DANA_OK)
		status = read_page(p, fd, err);
	if (status == DANA_OK)
		status = single_page_finish(p->page, &doc);
	if (status == DANA_OK) {
		doc.file = c->format == EXTRACT_JSONL ? path : NULL;
		status = c->format == EXTRACT_TEXT ? text_page(&doc, c->texts.without_plain, out)
						   : text_page_json(&doc, out);
	}
	return status < 0 ? single_page_fault(status, err) : DANA_OK;
}

const char *extract_page_fault(const char *path)
{
	if (errno == ENOENT && strstr(path, "://"))
		return "pages from the network are not fetched: fetch it, and give the file";
	return system_text(errno);
}

/* A folder could be opened, but not be read. A named pipe is opened at once, and waited for when it is read. */
static int open_page(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0)
		return fd;
	return error_set(err, DANA_EIO, "%s", extract_page_fault(path));
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
	single_page_free(p->page);
	free(p);
}
