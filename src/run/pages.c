/* SPDX-License-Identifier: MIT */
/*
 * What every run over pages has: a loop on this thread, one output for all pages (or none), workers whose results come
 * in order, and a signal that stops it. Threads: that of the loop, but for page_run_wake. Ownership: borrows the
 * config's texts.
 *
 * Workers make the text of pages (run/ordered.h); this thread runs the loop and writes it, page after page. It stops
 * taking pages while too much waits to be written, and goes on when the output has moved.
 *
 * What is handed through is copied from the line's own bytes.
 *
 * This thread runs the loop: it cuts the input into lines, gives them to workers (lines_run/ordered.h) as soon as they
 * are whole, and writes what they become. Lines wait in a ring: line i in place i modulo its size. No more is read
 * while the ring is full, too many bytes are under way or the output does not move.
 */
#include "config.h"

#include "run/pages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/charset/iconv_name.h"
#include "archive/single_page.h"
#include "archive/sink/text.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/buf.h"
#include "base/json_reader.h"
#include "base/near_name.h"
#include "base/ondemand/simdjson_call.h"
#include "base/printable.h"
#include "io/loop.h"
#include "io/output.h"
#include "io/source.h"
#include "run/names.h"
#include "run/ordered.h"
#include "run/signals.h"

struct page_run {
	struct extract_page_config page;
	struct model_reader models;
	struct loop *loop;
	struct output *output; /* NULL: each page has its own */
	struct ordered *ordered;
	atomic_bool stop; /* by a signal */
	bool over;        /* nothing more is taken */
	bool moved;       /* a result waits, or the output has written something */
	bool stopped;     /* before the last page */
	bool failed;      /* a page, the input or the output */
	struct error fatal;
};

enum { SHOWN = 200 };

static int refuse_charset(const char *where, const char *name, struct error *err)
{
	struct near_name near = near_name_of(slice_from_text(name));
	const char *label;

	for (size_t i = 0; (label = charset_label_at(i)); i++)
		near_name_offer(&near, label);
	return near_name_refuse(&near, where, "a charset of the web or of iconv, as windows-1256 or cp437", err);
}

int charset_check(const char *where, const char *name, struct error *err)
{
	struct iconv_name memory;
	const struct charset *found;
	int status = name ? iconv_name_find(&memory, slice_from_text(name), &found) : DANA_OK;

	if (status == DANA_ECONFIG)
		return refuse_charset(where, name, err);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", where, status_text(status)) : DANA_OK;
}

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

static const char *const suffixes[] = { ".html", ".htm", ".xhtml" };

static bool is_page(const char *name)
{
	struct slice s = slice_from_text(name);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t len = strlen(suffixes[i]);
		if (s.len > len && slice_equal_nocase(slice_skip(s, s.len - len), slice_from_text(suffixes[i])))
			return true;
	}
	return false;
}

static void report_skipped(const struct notices *to, const char *path, const char *what)
{
	char shown[SHOWN];
	notice(to, "%s: %s", printable(slice_from_text(path), shown, sizeof(shown)), what);
}

/* `path` is that of an entry of a folder: a page goes to the pages, a folder to the folders. */
static int sort_entry(struct extract_inputs *in, struct name_list *folders, struct slice path, struct error *err)
{
	const char *name = (const char *)path.data;
	struct stat st;
	if (lstat(name, &st) < 0)
		return is_page(name) ? name_list_add(&in->names, path, err)
				     : DANA_OK; /* what is wrong with it is reported when it is read */
	if (S_ISDIR(st.st_mode))
		return name_list_add(folders, path, err);
	return is_page(name) && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) ? name_list_add(&in->names, path, err)
									     : DANA_OK;
}

static int search_one(struct extract_inputs *in, struct name_list *folders, const char *folder, struct error *err)
{
	struct buf path = { 0 };
	int status = DANA_OK;
	size_t len = strlen(folder);
	DIR *dir = opendir(folder);
	if (!dir) {
		report_skipped(&in->notices, folder, system_text(errno));
		in->failed = true;
		return DANA_OK;
	}
	for (struct dirent *e = readdir(dir); e && status == DANA_OK; e = readdir(dir)) {
		if (e->d_name[0] == '.')
			continue;
		buf_clear(&path);
		buf_printf(&path, "%s%s%s", folder, len && folder[len - 1] == '/' ? "" : "/", e->d_name);
		size_t end = path.len;
		status = buf_append_byte(&path, 0) < 0 ? error_no_memory(err)
						       : sort_entry(in, folders, slice_of(path.data, end), err);
	}
	(void)closedir(dir);
	buf_free(&path);
	return status;
}

/* Folder after folder from a list, so that no depth of folders needs a deep stack. */
static int search(struct extract_inputs *in, const char *folder, struct error *err)
{
	struct name_list folders = { .memory = in->names.memory };
	size_t first = in->names.n;
	int status = name_list_add(&folders, slice_from_text(folder), err);
	while (status == DANA_OK && folders.n > 0)
		status = search_one(in, &folders, folders.items[--folders.n], err);
	name_list_free(&folders);
	if (status < 0)
		return status;
	if (in->names.n == first && !in->failed)
		report_skipped(&in->notices, folder, "no file in it ends in .html, .htm or .xhtml");
	else if (in->names.n > first)
		qsort(in->names.items + first, in->names.n - first, sizeof(*in->names.items), output_names_compare);
	return DANA_OK;
}

static bool is_folder(const char *given)
{
	struct stat st;
	return strcmp(given, "-") != 0 && stat(given, &st) == 0 && S_ISDIR(st.st_mode);
}

bool extract_inputs_several(const char *const *given, size_t n)
{
	return n > 1 || (n == 1 && is_folder(given[0]));
}

int extract_inputs_gather(struct extract_inputs *in, const char *const *given, size_t n, struct error *err)
{
	size_t standard = n == 0;
	in->names.memory = arena_new();
	int status = in->names.memory ? DANA_OK : error_no_memory(err);
	if (n == 0 && status == DANA_OK)
		status = name_list_add(&in->names, slice_from_text("-"), err);
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		standard += strcmp(given[i], "-") == 0;
		if (is_folder(given[i]))
			status = search(in, given[i], err);
		else
			status = name_list_add(&in->names, slice_from_text(given[i]), err);
	}
	if (status == DANA_OK && standard > 1)
		return error_set(err, DANA_ECONFIG, "standard input (-) is asked for %zu times; it can be read once",
				 standard);
	return status;
}

static const char *output_name(struct extract_inputs *in, const char *folder, const char *input, const char *suffix,
			       struct error *err)
{
	struct slice base, copy = { NULL, 0 };
	struct buf name = { 0 };
	if (output_names_base(input, &base, err) < 0)
		return NULL;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes) && !output_names_cut(&base, suffixes[i]);)
		i++;
	if (buf_printf(&name, "%s/%.*s%s", folder, (int)base.len, (const char *)base.data, suffix) == DANA_OK)
		copy = arena_copy(in->names.memory, buf_slice(&name));
	buf_free(&name);
	if (!copy.data)
		(void)error_no_memory(err);
	return (const char *)copy.data;
}

int extract_inputs_outputs(struct extract_inputs *in, const char *folder, const char *suffix, struct error *err)
{
	const char **sorted = NULL;
	in->outputs = calloc(in->names.n ? in->names.n : 1, sizeof(*in->outputs));
	if (!in->outputs)
		return error_no_memory(err);
	for (size_t i = 0; i < in->names.n; i++) {
		in->outputs[i] = output_name(in, folder, in->names.items[i], suffix, err);
		if (!in->outputs[i])
			return err->status;
	}
	int status = output_names_sort(in->outputs, in->names.items, in->names.n, &sorted, err);
	free(sorted);
	return status;
}

void extract_inputs_free(struct extract_inputs *in)
{
	name_list_free(&in->names);
	free(in->outputs);
	arena_free(in->names.memory);
}

/** Zeroed before. `page` without `models` and `stop`, which are the run's own. page_run_free in every case. */
static void page_run_init(struct page_run *r, const struct extract_page_config *page)
{
	r->page = *page;
	model_reader_init(&r->models, page->methods->at, page->methods->n);
	r->page.models = &r->models;
	r->page.stop = &r->stop;
}

/** Makes the loop. Returns false with a text in `err` on failure. */
static bool page_run_open_loop(struct page_run *r, struct error *err)
{
	r->loop = loop_new(err);
	return r->loop != NULL;
}

/** Opens FILE, or standard output if `file` is NULL. Returns false with a text in `err` on failure. */
static bool page_run_open_output(struct page_run *r, const char *file, enum output_way way, struct error *err)
{
	int status = file ? output_open_file(&r->output, r->loop, file, way, &r->over, err)
			  : output_open_stdout(&r->output, r->loop, err);
	return status == DANA_OK;
}

/** ordered_config.wake, with the run. */
static void page_run_wake(void *run)
{
	loop_wake(((struct page_run *)run)->loop);
}

static void on_moved(void *run)
{
	((struct page_run *)run)->moved = true;
}

static void stop(void *run)
{
	struct page_run *r = run;
	atomic_store(&r->stop, true);
	loop_wake(r->loop);
}

/** Begins, and ends, to listen to workers, the output and signals. */
static void page_run_watch(struct page_run *r)
{
	loop_on_wake(r->loop, on_moved, r);
	if (r->output)
		output_on_progress(r->output, on_moved, r);
	signals_watch(stop, r);
}

static void page_run_unwatch(struct page_run *r)
{
	signals_unwatch(r);
}

/** Nothing more can be done. */
static void page_run_end(struct page_run *r, int status, const char *text)
{
	(void)error_set(&r->fatal, (enum dana_status)status, "%s", text);
	r->over = true;
}

/** A worker's result becomes the text of `err`, terminated. Returns `status`, or DANA_ENOMEM. */
static int page_run_fault(struct buf *out, int status, const struct error *err)
{
	buf_clear(out);
	int kept = buf_append_text(out, err->text);
	return kept < 0 || buf_append_byte(out, 0) < 0 ? DANA_ENOMEM : status;
}

/** Ends the output and reports faults. Returns 0, DANA_ESTATE (stopped), the fatal fault, or DANA_EIO (`failed`). */
static int page_run_finish(struct page_run *r, enum output_end end)
{
	struct error err = { 0 };
	if (r->output && output_finish(r->output, end, &err) < 0) {
		notice(&r->page.notices, "%s", err.text);
		r->failed = true;
	}
	if (r->fatal.status < 0)
		notice(&r->page.notices, "%s", r->fatal.text);
	if (r->stopped)
		return DANA_ESTATE;
	if (r->fatal.status < 0)
		return (int)r->fatal.status;
	return r->failed ? DANA_EIO : DANA_OK;
}

/** Nothing was begun: reports `err` and takes the output back. Returns its status. */
static int page_run_refuse(struct page_run *r, const struct error *err)
{
	notice(&r->page.notices, "%s", err->text);
	if (r->output)
		(void)output_finish(r->output, OUTPUT_DISCARD, NULL);
	return (int)err->status;
}

static void page_run_free(struct page_run *r)
{
	output_free(r->output);
	loop_free(r->loop);
	model_reader_free(&r->models);
}

enum { WAITING_MOST = 64 << 20 };

struct run {
	struct page_run base;
	const struct extract_run_config *config;
	struct extract_page **pages; /* of each worker */
	unsigned n_pages;
	size_t written; /* pages */
};

/* ---- workers ---- */

/* The result of a page without text is the reason alone; `status` says which it is. */
static int work(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct run *r = arg;
	struct error err = { 0 };
	int status = atomic_load(&r->base.stop)
			     ? DANA_ESTATE
			     : extract_page_file(r->pages[worker], r->config->inputs->names.items[index], out, &err);
	return status == DANA_OK ? status : page_run_fault(out, status, &err);
}

/* ---- this thread ---- */

/* A file of its own for a page. */
static void write_file(struct run *r, const char *path, struct slice text)
{
	struct output *o = NULL;
	struct error err = { 0 };
	int status = output_open_file(&o, r->base.loop, path, r->config->way, &r->base.over, &err);
	if (status == DANA_OK && text.len)
		status = byte_sink_write(output_sink(o), text);
	if (status == DANA_OK)
		status = output_finish(o, OUTPUT_FINAL, &err);
	output_free(o);
	if (status < 0)
		page_run_end(&r->base, status, err.text[0] ? err.text : status_text(status));
}

static void write_text(struct run *r, size_t index, struct slice text)
{
	const char *const *outputs = r->config->inputs->outputs;
	if (outputs)
		write_file(r, outputs[index], text);
	else if (text.len && byte_sink_write(output_sink(r->base.output), text) == DANA_ENOMEM)
		page_run_end(&r->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	r->written++;
}

static void tell_failure(struct run *r, size_t index, int status, const char *reason)
{
	const char *name = r->config->inputs->names.items[index];
	char shown[SHOWN];
	struct buf line = { 0 };
	if (status == DANA_ECONFIG || status == DANA_ENOMEM) {
		page_run_end(&r->base, status, status == DANA_ENOMEM ? status_text(status) : reason);
		return;
	}
	notice(&r->base.page.notices, "%s: %s",
	       strcmp(name, "-") == 0 ? "standard input" : printable(slice_from_text(name), shown, sizeof(shown)),
	       reason);
	r->base.failed = true;
	if (r->base.page.format != EXTRACT_JSONL)
		return;
	if (text_failure_json(name, reason, &line) == DANA_OK)
		write_text(r, index, buf_slice(&line));
	else
		page_run_end(&r->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	buf_free(&line);
}

static bool output_broken(const struct run *r)
{
	return r->base.output && (output_failed(r->base.output, NULL) < 0 || output_reader_gone(r->base.output));
}

/* What is finished, as far as the output takes it. */
static void take_pages(struct run *r)
{
	struct slice result;
	int status;
	while (!r->base.over) {
		size_t index = ordered_given(r->base.ordered);
		r->base.over = output_broken(r) || atomic_load(&r->base.stop) || index == r->config->inputs->names.n;
		if (r->base.over || (r->base.output && output_queued(r->base.output) >= OUTPUT_SOFT_LIMIT) ||
		    !ordered_next(r->base.ordered, &result, &status))
			break;
		if (status == DANA_OK)
			write_text(r, index, result);
		else if (status != DANA_ESTATE)
			tell_failure(r, index, status, (const char *)result.data);
	}
}

static bool open_pages(struct run *r, struct error *err)
{
	unsigned n = r->config->jobs ? r->config->jobs : 1;
	r->pages = calloc(n, sizeof(struct extract_page *));
	if (!r->pages)
		return error_no_memory(err), false;
	while (r->n_pages < n && extract_page_new(&r->pages[r->n_pages], &r->base.page, err) == DANA_OK)
		r->n_pages++;
	return r->n_pages == n;
}

/* Everything that is written to is opened before the first page is. */
static bool open_output(struct run *r, struct error *err)
{
	const struct extract_run_config *c = r->config;
	return page_run_open_loop(&r->base, err) &&
	       (c->inputs->outputs || page_run_open_output(&r->base, c->output, c->way, err));
}

static void run_loop(struct run *r, struct error *err)
{
	const struct ordered_config config = { .jobs = r->config->jobs,
					       .n = r->config->inputs->names.n,
					       .bytes_most = WAITING_MOST,
					       .work = work,
					       .wake = page_run_wake,
					       .arg = r };
	r->base.ordered = ordered_new(&config, err);
	if (!r->base.ordered)
		return;
	page_run_watch(&r->base);
	while (!r->base.over) {
		r->base.moved = false;
		take_pages(r);
		if (!r->base.over)
			loop_run_until(r->base.loop, &r->base.moved);
	}
	page_run_unwatch(&r->base);
	r->base.stopped = atomic_load(&r->base.stop) && ordered_given(r->base.ordered) < r->config->inputs->names.n;
	atomic_store(&r->base.stop, true); /* what workers wait for is wanted no more */
	ordered_free(r->base.ordered);
}

/* What there is after a signal. */
static void tell_stopped(const struct run *r)
{
	const struct extract_run_config *c = r->config;
	if (c->output || c->inputs->outputs)
		notice(&r->base.page.notices, "stopped: %zu of %zu pages are in %s%s", r->written, c->inputs->names.n,
		       c->output ? c->output : "the folder", c->output ? ".part" : "");
}

/* FILE is complete also where pages failed, if there is any; FILE.part stays after a signal and after a fault. */
static enum output_end output_ends(const struct run *r)
{
	if (r->base.stopped || r->base.fatal.status < 0)
		return OUTPUT_PART;
	return r->written == 0 && r->base.failed ? OUTPUT_DISCARD : OUTPUT_FINAL;
}

static int finish(struct run *r)
{
	r->base.failed |= r->config->inputs->failed;
	if (r->base.output && r->base.stopped)
		output_hurry(r->base.output);
	int status = page_run_finish(&r->base, output_ends(r));
	if (r->base.stopped)
		tell_stopped(r);
	return status;
}

static int run(struct run *r)
{
	struct error err = { 0 };
	if (open_pages(r, &err) && open_output(r, &err))
		run_loop(r, &err);
	return err.status == DANA_OK ? finish(r) : page_run_refuse(&r->base, &err);
}

int extract_run_pages(const struct extract_run_config *config)
{
	struct run r = { .config = config };
	int status = DANA_ENOMEM;
	page_run_init(&r.base, &config->page);
	if (config->jobs == 0)
		thread_pool_of_one();
	if (signals_start() < 0)
		notice(&r.base.page.notices, "cannot start the thread for signals");
	else
		status = run(&r);
	for (unsigned i = 0; i < r.n_pages; i++)
		extract_page_free(r.pages[i]);
	free(r.pages);
	page_run_free(&r.base);
	return status;
}

/* The members that are read, in the order in which faults are looked for. */
enum { KEEP = 4 << 20 };

enum { URL, CHARSET, HTML, HTML_BASE64, MEMBERS };

static const char *const names[MEMBERS] = { "url", "charset", "html", "html_base64" };

struct extract_line {
	const struct extract_page_config *config;
	struct single_page *page;
	struct json_reader *reader;
	struct buf strings[MEMBERS], decoded, metadata;
	struct error reason; /* why the line under way became no text */
};

/* What a line asks for. */
struct request {
	struct json_value members[MEMBERS];
	struct slice html;
	bool html_repaired; /* U+FFFD was put in */
	struct single_page_source source;
	struct text_line handed_through;
};

int extract_line_new(struct extract_line **out, const struct extract_page_config *config, struct error *err)
{
	const struct single_page_config page = { .method = config->methods->at[0],
						 .read_file = model_reader_read,
						 .read_arg = config->models,
						 .texts = config->texts };
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST,
						 .unique_names = true,
						 JSON_BY_SIMDJSON };
	struct extract_line *l = calloc(1, sizeof(*l));
	int status = l && (l->reader = json_reader_new(&rules)) ? single_page_new(&l->page, &page) : DANA_ENOMEM;
	if (status == DANA_OK) {
		l->config = config;
		*out = l;
		return DANA_OK;
	}
	extract_line_free(l);
	return status == DANA_ECONFIG ? model_reader_refused(config->models, err) : error_no_memory(err);
}

/* null stands for a member that is not there. */
static int read_string(struct extract_line *l, const struct request *r, int member, struct slice *value, bool *repaired)
{
	const enum json_kind kind = json_kind(r->members[member]);
	*value = (struct slice){ NULL, 0 };
	if (kind == JSON_IS_NOTHING || kind == JSON_IS_NULL)
		return DANA_OK;
	if (kind != JSON_IS_STRING)
		return error_set(&l->reason, DANA_EFORMAT, "%s is not a string", names[member]);
	buf_shrink(&l->strings[member], KEEP);
	return json_characters(r->members[member], &l->strings[member], value, repaired);
}

/* Which of the members that are read it is; MEMBERS: none. */
static int member_of(struct slice name)
{
	int member = 0;
	while (member < MEMBERS && !json_name_is(name, names[member]))
		member++;
	return member;
}

static int read_members(struct extract_line *l, struct json_value root, struct request *r)
{
	struct json_walk w = json_walk(root);
	buf_clear(&l->metadata);
	buf_append_byte(&l->metadata, '{');
	while (json_walk_next(&w)) {
		const int member = member_of(w.name);
		if (member < MEMBERS) {
			r->members[member] = w.value;
			continue;
		}
		if (l->metadata.len > 1)
			buf_append_byte(&l->metadata, ',');
		buf_append(&l->metadata, w.name.data, w.name.len);
		buf_append_byte(&l->metadata, ':');
		json_append(w.value, &l->metadata);
	}
	buf_append_byte(&l->metadata, '}');
	r->handed_through.metadata = buf_slice(&l->metadata);
	return buf_status(&l->metadata);
}

/* The bytes of the page. What comes as a string is characters already, whatever the page says of itself. */
static int read_html(struct extract_line *l, struct request *r)
{
	struct slice base64;
	bool any;
	int status = read_string(l, r, HTML, &r->html, &r->html_repaired);
	if (status == DANA_OK)
		status = read_string(l, r, HTML_BASE64, &base64, &any);
	if (status < 0)
		return status;
	if (r->html.data && base64.data)
		return error_set(&l->reason, DANA_EFORMAT, "html and html_base64 exclude each other");
	if (r->html.data) {
		r->source.charset = slice_from_text("utf-8");
		return DANA_OK;
	}
	if (!base64.data)
		return error_set(&l->reason, DANA_EFORMAT, "no page: expected html or html_base64");
	buf_shrink(&l->decoded, KEEP);
	status = base64_decode(base64, &l->decoded);
	r->html = buf_slice(&l->decoded);
	return status == DANA_EFORMAT ? error_set(&l->reason, DANA_EFORMAT, "html_base64 is not base64") : status;
}

static int read_request(struct extract_line *l, struct json_value root, struct request *r)
{
	const struct extract_page_config *c = l->config;
	bool any;
	int status = read_members(l, root, r);
	if (status == DANA_OK)
		status = read_string(l, r, URL, &r->handed_through.url, &any);
	if (status == DANA_OK)
		status = read_string(l, r, CHARSET, &r->source.charset, &any);
	r->source.charset_is_foreign = r->source.charset.len > 0;
	if (status == DANA_OK && !r->source.charset.len && c->charset)
		r->source.charset = slice_from_text(c->charset);
	r->source.url = r->handed_through.url;
	if (!r->source.url.len && c->url)
		r->source.url = slice_from_text(c->url);
	return status == DANA_OK ? read_html(l, r) : status;
}

static int parse(struct extract_line *l, struct slice line, struct json_value *root)
{
	struct error fault = { 0 };
	int status = json_read(l->reader, line, root, &fault);
	if (status == DANA_EFORMAT)
		return error_set(&l->reason, DANA_EFORMAT, "not JSON: %s", fault.text);
	if (status == DANA_OK && json_kind(*root) != JSON_IS_OBJECT)
		return error_set(&l->reason, DANA_EFORMAT, "not a JSON object");
	return status;
}

static bool is_blank(struct slice line)
{
	size_t i = 0;
	while (i < line.len && (line.data[i] == ' ' || line.data[i] == '\t' || line.data[i] == '\r'))
		i++;
	return i == line.len;
}

/* Reads the page, and appends its line where that went well. */
static int line_page(struct extract_line *l, const struct request *r, struct buf *out)
{
	struct document doc;
	int status = single_page_read(l->page, &r->source, r->html, &doc, &l->reason);
	if (r->html_repaired)
		doc.problems |= PROBLEM_BAD_CHARSET;
	if (status == DANA_OK)
		return text_line_json(&doc, NULL, &r->handed_through, out);
	if (status == DANA_ECONFIG || status == DANA_ENOMEM)
		return status;
	(void)single_page_fault(status, &l->reason);
	return DANA_EFORMAT;
}

int extract_line_read(struct extract_line *l, struct slice line, struct buf *out, struct error *err)
{
	struct request r = { .html = { NULL, 0 } };
	struct json_value root;
	l->reason = (struct error){ 0 };
	int status = is_blank(line) ? error_set(&l->reason, DANA_EFORMAT, "the line is empty") : DANA_OK;
	if (status == DANA_OK)
		status = parse(l, line, &root);
	if (status == DANA_OK)
		status = read_request(l, root, &r);
	if (status == DANA_OK)
		status = line_page(l, &r, out);
	if (status == DANA_EFORMAT && text_line_json(NULL, l->reason.text, &r.handed_through, out) < 0)
		status = DANA_ENOMEM;
	if (status == DANA_ECONFIG)
		return model_reader_refused(l->config->models, err);
	return status == DANA_ENOMEM ? error_no_memory(err) : status;
}

void extract_line_free(struct extract_line *l)
{
	if (!l)
		return;
	single_page_free(l->page);
	json_reader_free(l->reader);
	for (int i = 0; i < MEMBERS; i++)
		buf_free(&l->strings[i]);
	buf_free(&l->decoded);
	buf_free(&l->metadata);
	free(l);
}

enum { LINES_PER_WORKER = 16, BYTES_MOST = 64 << 20, KEEP_ALL = 16 << 20, REASON_MOST = 120 };

struct place {
	struct buf line;
	bool too_long; /* the rest of it was passed over */
};

struct lines {
	struct page_run base;
	const struct extract_lines_config *config;
	struct extract_line **workers; /* each made at its first line, so that the start is quick */
	struct source *source;
	struct place *ring;
	size_t n_ring;
	size_t begun, taken; /* lines whose first byte was read; lines that were given to the workers */
	size_t bytes;        /* of lines that were taken, and whose output is not written */
	struct slice chunk;  /* of the source: what is not looked at yet */
	bool chunk_held, at_end;
	uint64_t without_text;
};

static struct place *place_of(struct lines *l, size_t index)
{
	return &l->ring[index % l->n_ring];
}

/* ---- workers ---- */

static int work_line(struct lines *l, unsigned worker, size_t index, struct buf *out, struct error *err)
{
	const struct place *p = place_of(l, index);
	char reason[REASON_MOST];
	if (p->too_long) {
		const struct text_line nothing = { .url = { NULL, 0 } };
		(void)snprintf(reason, sizeof(reason), "the line is longer than %zu bytes; --max-line allows more",
			       l->config->line_most);
		int status = text_line_json(NULL, reason, &nothing, out);
		return status < 0 ? error_no_memory(err) : DANA_EFORMAT;
	}
	if (!l->workers[worker]) {
		int status = extract_line_new(&l->workers[worker], &l->base.page, err);
		if (status < 0)
			return status;
	}
	return extract_line_read(l->workers[worker], buf_slice(&p->line), out, err);
}

/* After a fatal error the output is its text. */
static int work_lines(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct error err = { 0 };
	int status = work_line(arg, worker, index, out, &err);
	return status == DANA_OK || status == DANA_EFORMAT ? status : page_run_fault(out, status, &err);
}

/* ---- lines out ---- */

static void write_line(struct lines *l, size_t index, int status, struct slice line)
{
	if (status == DANA_ECONFIG || status == DANA_ENOMEM) {
		page_run_end(&l->base, status, status == DANA_ENOMEM ? status_text(status) : (const char *)line.data);
		return;
	}
	l->without_text += status < 0;
	if (byte_sink_write(output_sink(l->base.output), line) == DANA_ENOMEM)
		page_run_end(&l->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	struct buf *given = &place_of(l, index)->line;
	l->bytes -= given->len;
	buf_shrink(given, KEEP_ALL / l->n_ring);
}

static void write_lines(struct lines *l)
{
	struct slice line;
	int status;
	while (!l->base.over && output_queued(l->base.output) < OUTPUT_SOFT_LIMIT) {
		size_t index = ordered_given(l->base.ordered);
		if (!ordered_next(l->base.ordered, &line, &status))
			break;
		write_line(l, index, status, line);
	}
}

/* ---- lines in ---- */

static bool may_read(const struct lines *l)
{
	return l->begun - ordered_given(l->base.ordered) < l->n_ring && l->bytes < BYTES_MOST &&
	       output_queued(l->base.output) < OUTPUT_SOFT_LIMIT;
}

static int append(struct lines *l, struct place *p, struct slice part)
{
	if (p->too_long)
		return DANA_OK;
	if (part.len <= l->config->line_most - p->line.len)
		return buf_append(&p->line, part.data, part.len);
	p->too_long = true;
	buf_shrink(&p->line, KEEP_ALL / l->n_ring);
	return DANA_OK;
}

static void take(struct lines *l)
{
	l->bytes += place_of(l, l->taken)->line.len;
	l->taken++;
	ordered_add(l->base.ordered);
}

/* Up to the end of the chunk, or of the line. */
static void read_part(struct lines *l)
{
	const uint8_t *end = memchr(l->chunk.data, '\n', l->chunk.len);
	size_t n = end ? (size_t)(end - l->chunk.data) : l->chunk.len;
	struct place *p = place_of(l, l->taken);
	if (l->begun == l->taken) {
		l->begun++;
		p->too_long = false;
		buf_clear(&p->line);
	}
	if (append(l, p, slice_first(l->chunk, n)) < 0)
		page_run_end(&l->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	else if (end)
		take(l);
	l->chunk = slice_skip(l->chunk, end ? n + 1 : n);
}

/* As far as there is room; without workers the lines are worked on as they come. */
static void read_lines(struct lines *l)
{
	while (l->chunk.len && !l->base.over && (l->begun > l->taken || may_read(l))) {
		read_part(l);
		if (l->config->jobs == 0)
			write_lines(l);
	}
	if (l->chunk_held && l->chunk.len == 0 && !l->base.over && !l->base.stopped && may_read(l)) {
		l->chunk_held = false;
		source_next(l->source);
	}
}

static void on_chunk(void *arg, struct slice bytes)
{
	struct lines *l = arg;
	l->chunk = bytes;
	l->chunk_held = l->base.moved = true;
}

/* The last line may lack its line feed. */
static void on_end(void *arg)
{
	struct lines *l = arg;
	if (l->begun > l->taken)
		take(l);
	l->at_end = l->base.moved = true;
}

static void on_failed(void *arg, const char *why)
{
	struct lines *l = arg;
	char shown[SHOWN];
	notice(&l->base.page.notices, "%s: %s", printable(slice_from_text(l->config->input), shown, sizeof(shown)),
	       why);
	l->base.failed = l->at_end = l->base.moved = true;
}

/* ---- the lines_run ---- */

/* After a signal, what was taken is still written; half a line is dropped. */
static void look_for_the_end(struct lines *l)
{
	if (atomic_load(&l->base.stop) && !l->base.stopped && !l->at_end) {
		l->base.stopped = true;
		l->chunk.len = 0;
		output_hurry(l->base.output);
	}
	if (output_failed(l->base.output, NULL) < 0 || output_reader_gone(l->base.output))
		l->base.over = true;
	if ((l->at_end || l->base.stopped) && ordered_given(l->base.ordered) == l->taken)
		l->base.over = true;
}

static void lines_loop(struct lines *l)
{
	source_start(l->source);
	while (!l->base.over) {
		l->base.moved = false;
		write_lines(l);
		read_lines(l);
		write_lines(l);
		look_for_the_end(l);
		if (!l->base.over)
			loop_run_until(l->base.loop, &l->base.moved);
	}
}

static bool open_workers(struct lines *l, struct error *err)
{
	unsigned n = l->config->jobs ? l->config->jobs : 1;
	const struct ordered_config config = { .jobs = l->config->jobs,
					       .grows = true,
					       .bytes_most = BYTES_MOST,
					       .work = work_lines,
					       .wake = page_run_wake,
					       .arg = l };
	l->n_ring = l->config->jobs ? (size_t)n * LINES_PER_WORKER : 2; /* one is read, one worked on */
	l->ring = calloc(l->n_ring, sizeof(*l->ring));
	l->workers = calloc(n, sizeof(*l->workers));
	if (!l->ring || !l->workers)
		return (void)error_no_memory(err), false;
	l->base.ordered = ordered_new(&config, err);
	return l->base.ordered != NULL;
}

static bool open_ends(struct lines *l, struct error *err)
{
	const struct extract_lines_config *c = l->config;
	const struct source_events events = { NULL, on_chunk, on_end, on_failed, l };
	struct error fault = { 0 };
	char shown[SHOWN];
	if (!page_run_open_loop(&l->base, err))
		return false;
	if (source_open(&l->source, l->base.loop, c->input, 0, &events, &fault) < 0) {
		(void)error_set(err, fault.status, "%s: %s", printable(slice_from_text(c->input), shown, sizeof(shown)),
				fault.text);
		return false;
	}
	return page_run_open_output(&l->base, c->output, c->way, err);
}

static int lines_finish(struct lines *l)
{
	bool whole = !l->base.stopped && !l->base.failed && l->base.fatal.status == DANA_OK;
	int status = page_run_finish(&l->base, whole ? OUTPUT_FINAL : OUTPUT_PART);
	if (l->without_text)
		notice(&l->base.page.notices, "%llu of %zu lines gave no text; see \"reason\" in the output",
		       (unsigned long long)l->without_text, ordered_given(l->base.ordered));
	return status;
}

static int lines_run(struct lines *l)
{
	struct error err = { 0 };
	if (!open_ends(l, &err) || !open_workers(l, &err))
		return page_run_refuse(&l->base, &err);
	page_run_watch(&l->base);
	lines_loop(l);
	page_run_unwatch(&l->base);
	return lines_finish(l);
}

static void close_all(struct lines *l)
{
	ordered_free(l->base.ordered);
	source_free(l->source);
	for (unsigned i = 0; l->workers && i < (l->config->jobs ? l->config->jobs : 1); i++)
		extract_line_free(l->workers[i]);
	for (size_t i = 0; l->ring && i < l->n_ring; i++)
		buf_free(&l->ring[i].line);
	free(l->workers);
	free(l->ring);
	page_run_free(&l->base);
}

int extract_lines(const struct extract_lines_config *config)
{
	struct lines l = { .config = config };
	int status = DANA_ENOMEM;
	page_run_init(&l.base, &config->page);
	if (signals_start() < 0)
		notice(&l.base.page.notices, "cannot start the thread for signals");
	else
		status = lines_run(&l);
	close_all(&l);
	return status;
}
