/* SPDX-License-Identifier: MIT */
/* The process that makes the texts of pages, one after the other. Whatever a page does to it, the service lives on. */
#include "config.h"

#include "serve/worker.h"

#include <errno.h>
#include <unistd.h>

#include "archive/limits.h"
#include "archive/plugin/plugins.h"
#include "archive/single_page.h"
#include "archive/sink/sink.h"
#include "dana/dana.h"
#include "serve/serve.h"

enum { KEEP_BUFFER = 1 << 20 };

/* Returns 0; 1 at the end of the input; DANA_EIO. */
static int read_all(void *memory, size_t len)
{
	uint8_t *at = memory;
	while (len) {
		const ssize_t n = read(STDIN_FILENO, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 ? 1 : DANA_EIO;
		at += n;
		len -= (size_t)n;
	}
	return DANA_OK;
}

static int write_all(struct slice bytes)
{
	while (bytes.len) {
		const ssize_t n = write(STDOUT_FILENO, bytes.data, bytes.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return DANA_EIO;
		bytes = slice_skip(bytes, (size_t)n);
	}
	return DANA_OK;
}

static struct slice take(struct slice *rest, uint64_t len)
{
	const struct slice part = slice_first(*rest, (size_t)len);
	*rest = slice_skip(*rest, part.len);
	return part;
}

/* Appends the text of a page, `rest`: what follows its order. */
static void make_text(struct single_page *page, const struct page_order *order, struct slice rest,
		      struct page_answer *answer, struct buf *out, struct error *err)
{
	struct document doc;
	struct single_page_source source = { .url = take(&rest, order->url), .alone = !(order->wishes & PAGE_AS_JSON) };
	source.charset = take(&rest, order->charset);
	source.content_type = take(&rest, order->content_type);
	const bool json = order->wishes & PAGE_AS_JSON;
	single_page_choose(page, order->plugins);
	int status = single_page_read(page, &source, rest, &doc, err);
	if (status == SINGLE_PAGE_DROPPED) {
		if (json && text_failure_json(NULL, err->text, out) < 0)
			status = DANA_ENOMEM;
	} else if (status == DANA_OK) {
		answer->html_bytes = doc.html_bytes;
		answer->text_chars = doc.text_chars;
		status = json ? text_page_json(&doc, slice_of(NULL, 0), out)
			      : text_page(&doc, order->wishes & PAGE_AS_MARKDOWN, out);
	}
	if (status == DANA_ECONFIG && source.charset.len)
		status = error_set(err, DANA_ECONFIG, "the charset is not known; expected a name of the web, as utf-8");
	if (status < 0)
		(void)single_page_fault(status, err);
	answer->status = status;
}

/*
 * The readers of a worker: one with the defaults of the service, and one with the options that were asked for last.
 */
struct readers {
	struct plugins *plugins;
	struct single_page *usual, *other;
	struct buf options; /* of the other */
};

/* Returns the reader for these options, as they are in an order; NULL with an error. */
static struct single_page *reader_for(struct readers *r, const struct serve_config *config, struct slice options,
				      struct error *err)
{
	struct page_wishes wishes;
	if (options.len == 0)
		return r->usual;
	if (r->other && slice_equal(buf_slice(&r->options), options))
		return r->other;
	single_page_free(r->other);
	r->other = NULL;
	buf_clear(&r->options);
	if (buf_append(&r->options, options.data, options.len) < 0)
		(void)error_no_memory(err);
	else if (page_wishes_read(&wishes, config, buf_slice(&r->options), err) == DANA_OK)
		(void)worker_page(&wishes, r->plugins, &r->other, err);
	return r->other;
}

static int work(const struct serve_config *config, struct readers *readers)
{
	/* A page that the service can end no more, since it has ended, ends here a moment later. */
	const unsigned last_seconds = config->page_seconds + 2;
	struct buf in = { 0 }, out = { 0 };
	struct page_order order;
	int status;
	while ((status = read_all(&order, sizeof(order))) == DANA_OK) {
		const size_t len =
			(size_t)(order.options + order.url + order.charset + order.content_type + order.html);
		struct page_answer answer = { 0 };
		struct error err = { 0 };
		status = buf_reserve(&in, len);
		if (status == DANA_OK)
			status = read_all(in.data, len);
		if (status != DANA_OK)
			break;
		in.len = len;
		(void)alarm(last_seconds);
		struct slice rest = buf_slice(&in);
		struct single_page *page = reader_for(readers, config, take(&rest, order.options), &err);
		if (page)
			make_text(page, &order, rest, &answer, &out, &err);
		else
			answer.status = err.status;
		(void)alarm(0);
		answer.error = strlen(err.text);
		answer.text = out.len;
		status = write_all(slice_of(&answer, sizeof(answer)));
		if (status == DANA_OK)
			status = write_all(slice_from_text(err.text));
		if (status == DANA_OK)
			status = write_all(buf_slice(&out));
		if (status < 0)
			break;
		buf_shrink(&in, KEEP_BUFFER);
		buf_shrink(&out, KEEP_BUFFER);
	}
	buf_free(&in);
	buf_free(&out);
	return status < 0 ? status : DANA_OK;
}

struct plugins *worker_plugins(const struct serve_config *config, struct error *err)
{
	const struct limits limits = LIMITS_DEFAULT;
	const struct plugins_config plugins = { .rows = config->plugins,
						.folder = DANA_PLUGIN_FOLDER,
						.max_html = limits.body,
						.quiet = true };
	return plugins_new_of_pages(&plugins, true, err);
}

int page_wishes_read(struct page_wishes *w, const struct serve_config *config, struct slice options, struct error *err)
{
	static const char method[] = "method=";
	size_t n_methods = 0, n_named = 0;
	*w = (struct page_wishes){ .config = { .method = config->method,
					       .read_file = config->read_file,
					       .read_arg = config->read_arg,
					       .texts = config->texts } };
	bool has_text = false;
	while (options.len) {
		const char *text = (const char *)options.data;
		options = slice_skip(options, strlen(text) + 1);
		has_text |= strncmp(text, "text=", 5) == 0;
		if (n_methods == WISHES_MOST || n_named == WISHES_MOST)
			return error_set(err, DANA_ECONFIG, "the query has too many options");
		if (strncmp(text, method, sizeof(method) - 1) == 0)
			w->methods[n_methods++] = text + sizeof(method) - 1;
		else
			w->named[n_named++] = text;
	}
	struct texts *texts = &w->config.texts;
	texts->page.structure = 0;
	for (size_t i = 0; i < n_methods; i++) {
		for (size_t before = 0; before < i; before++) {
			if (strcmp(w->methods[i], w->methods[before]) == 0)
				return error_set(err, DANA_ECONFIG, "the method %s is given twice", w->methods[i]);
		}
	}
	if (n_methods) {
		w->config.method = w->methods[0];
		texts->others = w->methods + 1;
		texts->n_others = n_methods - 1;
	}
	int status = page_options_set(&texts->page, w->named, n_named, err);
	if (status < 0)
		return status;
	const struct page_options given = texts->page;
	status = page_options_check(&texts->page, w->config.method, "", err);
	if (status < 0 && n_methods && !has_text) { /* a method without Markdown has the plain text */
		struct error same = { 0 };
		texts->page = given;
		texts->page.text = "plain";
		status = page_options_check(&texts->page, w->config.method, "", &same);
		if (status == DANA_OK)
			*err = (struct error){ 0 };
	}
	return status;
}

int worker_page(const struct page_wishes *wishes, struct plugins *plugins, struct single_page **page, struct error *err)
{
	struct single_page_config of_page = wishes->config;
	of_page.plugins = plugins;
	const int status = single_page_new(page, &of_page, err);
	return status < 0 && err->status == DANA_OK
		       ? error_set(err, (enum dana_status)status, "%s", status_text(status))
		       : status;
}

int serve_worker(const struct serve_config *config, struct error *err)
{
	struct readers readers = { .plugins = worker_plugins(config, err) };
	struct page_wishes usual;
	if (err->status == DANA_OK && page_wishes_read(&usual, config, slice_of(NULL, 0), err) == DANA_OK &&
	    worker_page(&usual, readers.plugins, &readers.usual, err) == DANA_OK) {
		const int status = work(config, &readers);
		if (status < 0)
			(void)error_set(err, (enum dana_status)status, "%s", status_text(status));
	}
	single_page_free(readers.usual);
	single_page_free(readers.other);
	buf_free(&readers.options);
	plugins_free(readers.plugins);
	return err->status;
}
