/* SPDX-License-Identifier: MIT */
/*
 * Workers make the text of pages (ordered.c), which are files or lines of JSON; this thread runs the loop and
 * writes what they have made, page after page. It stops taking pages while too much waits to be written, and continues
 * when the output has moved.
 *
 * Of lines it also cuts the input, and gives them to workers as soon as they are whole. Lines wait in a ring: line i in
 * place i modulo its size. No more is read while the ring is full, too many bytes are under way or the output does not
 * move.
 *
 * Example with 32 places: lines 40 to 70 are with workers or wait for their turn, so line 71 is read into place 7, and
 * line 72 when line 40 has been written.
 */
#include "config.h"

#include "run/pages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/charset/labels.h"
#include "archive/limits.h"
#include "archive/page_line.h"
#include "archive/single_page.h"
#include "archive/sink/sink.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/json.h"
#include "base/simdjson_call.h"
#include "io/address.h"
#include "io/loop.h"
#include "io/output.h"
#include "io/source.h"
#include "run/methods.h"
#include "run/signals.h"

enum {
	SHOWN = 200,
	CHUNK = 64 << 10,
	WAIT_MS = 100, /* between two looks at `stop` */
	BYTES_MOST = 64 << 20,
	LINES_PER_WORKER = 16,
	KEEP_LINES = 16 << 20, /* of memory for lines, in all */
	REASON_MOST = 120,
};

struct page_worker {
	struct page_run *run;
	struct single_page *page;
	uint8_t *chunk;                /* of a file */
	struct page_fetched reply;     /* of a server */
	struct page_line_reader *line; /* for lines */
};

struct line_place {
	struct buf line;
	bool too_long; /* the rest of it was passed over */
};

struct page_run {
	const struct extract_run_config *config;
	struct model_reader models;
	struct plugins *plugins;      /* NULL: none */
	struct chosen_fields fields;  /* none: all */
	struct page_fetcher *fetcher; /* NULL: no page is on a server */
	struct loop *loop;
	struct output *output; /* NULL: each page has its own */
	struct ordered *ordered;
	struct page_worker *workers;
	unsigned n_workers;
	atomic_bool stop; /* by a signal */
	bool over;        /* nothing more is taken */
	bool moved;       /* a result waits, or the output has written something */
	bool stopped;     /* before the last page, or in it */
	bool cut;         /* a page, by a signal */
	bool failed;      /* a page, the input or the output */
	struct error fatal;
	size_t written; /* pages */

	/* For lines: */
	struct source *source;
	struct line_place *ring;
	size_t n_ring;
	size_t begun, taken; /* lines whose first byte was read; lines that were given to the workers */
	size_t bytes;        /* of lines that were taken, and whose output is not written */
	struct slice chunk;  /* of the source: what is not looked at yet */
	bool chunk_held, at_end;
	uint64_t without_text;
};

static void report(const struct notices *to, const char *path, const char *what)
{
	char shown[SHOWN];
	struct buf name = { 0 };
	if (address_of_page(path, &name) == DANA_OK)
		notice(to, "%s: %s", printable(buf_slice(&name), shown, sizeof(shown)), what);
	buf_free(&name);
}

int charset_check(const char *where, const char *name, struct error *err)
{
	struct iconv_name memory;
	const struct charset *found;
	int status = name ? iconv_name_find(&memory, slice_from_text(name), &found) : DANA_OK;
	if (status == DANA_ECONFIG) {
		struct near_name near = near_name_of(slice_from_text(name));
		for (const char *label = charset_next_label(""); label; label = charset_next_label(label))
			near_name_offer(&near, label);
		return near_name_refuse(&near, where, "a charset of the web or of iconv, as windows-1256 or cp437",
					err);
	}
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", where, status_text(status)) : DANA_OK;
}

/* ---- which pages ---- */

static const char *const suffixes[] = { ".html", ".htm", ".xhtml", ".mhtml", ".mht" };
static const char *const packed[] = { ".gz", ".zst" }; /* after one of them */

static bool ends(struct slice *name, const char *suffix)
{
	const size_t len = strlen(suffix);
	if (name->len <= len || !slice_equal_nocase(slice_skip(*name, name->len - len), slice_from_text(suffix)))
		return false;
	name->len -= len;
	return true;
}

bool extract_input_named_as_page(const char *name)
{
	struct slice s = slice_from_text(path_name(name));
	if (!ends(&s, packed[0]))
		(void)ends(&s, packed[1]);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (ends(&s, suffixes[i]))
			return true;
	}
	return false;
}

/* A server's pages have many other names: p.php, or none that says anything. */
static bool begins_as_page(const char *path)
{
	static const char *const others[] = { ".txt", ".md", ".css", ".js", ".json", ".jsonl", ".xml", ".svg", ".csv" };
	struct slice name = slice_from_text(path_name(path));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (ends(&name, others[i]))
			return false;
	}
	uint8_t first[PAGE_FIRST_BYTES];
	size_t len = 0;
	ssize_t n = 1;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	while (fd >= 0 && len < sizeof(first) && (n > 0 || (n < 0 && errno == EINTR))) {
		n = read(fd, first + len, sizeof(first) - len);
		len += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		(void)close(fd);
	return page_begins(slice_of(first, len));
}

static int add_page(struct extract_inputs *in, struct slice path, size_t below, struct error *err)
{
	size_t *all = grow_items(in->below, in->names.n, &in->below_cap, sizeof(*all));
	if (!all)
		return error_no_memory(err);
	in->below = all;
	all[in->names.n] = below;
	return name_list_add(&in->names, path, err);
}

/* `path` is an entry of a folder: a page goes to the pages, a folder to the folders. */
static int sort_entry(struct extract_inputs *in, struct name_list *folders, struct slice path, size_t below,
		      struct error *err)
{
	const char *name = (const char *)path.data;
	struct stat st;
	if (lstat(name, &st) < 0) /* what is wrong with a page is reported when it is read */
		return extract_input_named_as_page(name) ? add_page(in, path, below, err) : DANA_OK;
	if (S_ISDIR(st.st_mode))
		return name_list_add(folders, path, err);
	const bool link = S_ISLNK(st.st_mode);
	if (extract_input_named_as_page(name) && (link || S_ISREG(st.st_mode)))
		return add_page(in, path, below, err);
	if ((link && stat(name, &st) < 0) || !S_ISREG(st.st_mode))
		return DANA_OK;
	if (begins_as_page(name))
		return add_page(in, path, below, err);
	in->passed_over++;
	return DANA_OK;
}

/* Folder after folder from a list, so that no depth of folders needs a deep stack. */
static int search(struct extract_inputs *in, const char *folder, struct error *err)
{
	struct name_list folders = { .memory = in->names.memory };
	const size_t first = in->names.n, top = strlen(folder), below = top + (folder[top - 1] != '/');
	int status = name_list_add(&folders, slice_from_text(folder), err);
	in->passed_over = 0;
	while (status == DANA_OK && folders.n > 0) {
		const char *here = folders.items[--folders.n];
		struct buf path = { 0 };
		size_t len = strlen(here);
		DIR *dir = opendir(here);
		if (!dir) {
			report(&in->notices, here, system_text(errno));
			in->failed = true;
			continue;
		}
		for (struct dirent *e = readdir(dir); e && status == DANA_OK; e = readdir(dir)) {
			if (e->d_name[0] == '.')
				continue;
			buf_clear(&path);
			buf_printf(&path, "%s%s%s", here, len && here[len - 1] == '/' ? "" : "/", e->d_name);
			size_t end = path.len;
			status = buf_append_byte(&path, 0) < 0
					 ? error_no_memory(err)
					 : sort_entry(in, &folders, slice_of(path.data, end), below, err);
		}
		(void)closedir(dir);
		buf_free(&path);
	}
	free(folders.items);
	if (status < 0)
		return status;
	char shown[SHOWN];
	if (in->names.n == first && !in->failed)
		report(&in->notices, folder, "no file in it is an HTML page, by its name or its first bytes");
	else if (in->passed_over)
		notice(&in->notices, "%s: passed over %zu file%s, not HTML by name or first bytes",
		       printable(slice_from_text(folder), shown, sizeof(shown)), in->passed_over,
		       in->passed_over == 1 ? "" : "s");
	if (in->names.n > first)
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
		status = add_page(in, slice_from_text("-"), 0, err);
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		standard += strcmp(given[i], "-") == 0;
		if (is_folder(given[i]))
			status = search(in, given[i], err);
		else
			status = add_page(in, slice_from_text(given[i]), 0, err);
	}
	if (status == DANA_OK && standard > 1)
		return error_set(err, DANA_ECONFIG, "standard input (-) is given %zu times; it can be read once",
				 standard);
	return status;
}

/* Appends the name of a page's output, with a NUL. `whole`: with the ending of the page's name, as "a.htm.txt". */
static int put_output(struct buf *name, const struct extract_inputs *in, size_t i, bool whole, const char *suffix,
		      struct error *err)
{
	const struct slice folders = output_names_below(in->names.items[i], in->below[i]);
	struct slice base = output_names_base(in->names.items[i]), bare = base;
	const bool unpacked = output_names_cut(&bare, packed[0]) || output_names_cut(&bare, packed[1]);
	size_t k = 0;
	while (k < sizeof(suffixes) / sizeof(*suffixes) && !output_names_cut(&bare, suffixes[k]))
		k++;
	if (!whole && (!unpacked || k < sizeof(suffixes) / sizeof(*suffixes)))
		base = bare;
	buf_append(name, folders.data, folders.len);
	return output_names_put(name, base, suffix, err);
}

int extract_inputs_outputs(struct extract_inputs *in, const char *folder, const char *suffix, struct error *err)
{
	const size_t n = in->names.n ? in->names.n : 1;
	const char **sorted = NULL;
	bool *met = calloc(n, sizeof(*met)), *whole = calloc(n, sizeof(*whole)), again = true;
	int status = met && whole ? DANA_OK : error_no_memory(err);
	in->outputs = calloc(n, sizeof(*in->outputs));
	if (!in->outputs)
		status = error_no_memory(err);
	/* names that meet are made whole, which may meet others: each round makes one more whole, or is the last */
	while (status == DANA_OK && again) {
		again = false;
		for (size_t i = 0; i < in->names.n && status == DANA_OK; i++) {
			struct buf name = { 0 };
			struct slice copy = { NULL, 0 };
			if (in->outputs[i] && (whole[i] || !met[i]))
				continue;
			whole[i] = met[i];
			again = true;
			buf_printf(&name, "%s/", folder);
			if (put_output(&name, in, i, whole[i], suffix, err) == DANA_OK)
				copy = arena_copy(in->names.memory, buf_slice(&name));
			buf_free(&name);
			in->outputs[i] = (const char *)copy.data;
			status = copy.data ? DANA_OK : error_no_memory(err);
		}
		if (status == DANA_OK && again)
			status = output_names_meet(in->outputs, in->names.n, met, err);
	}
	if (status == DANA_OK)
		status = output_names_sort(in->outputs, in->names.items, in->names.n, strlen(folder), &sorted, err);
	free(sorted);
	free(met);
	free(whole);
	return status;
}

void extract_inputs_free(struct extract_inputs *in)
{
	free(in->names.items);
	free(in->below);
	free(in->outputs);
	arena_free(in->names.memory);
}

/* ---- a page that is a file ---- */

/*
 * Returns the scheme that a URL lacks, NULL for the name of a file. A URL has a name of labels whose last one is
 * letters
 * ("example.org/x"), an address ("127.0.0.1/x") or a port ("localhost:8000").
 */
static const char *lacking_scheme(const char *path)
{
	/* that a name without a path may end in, so that it is a file's: what commands of this program are given */
	static const char *const files[] = { "html", "htm",  "xhtml", "mhtml", "mht", "php", "asp", "aspx",
					     "jsp",  "txt",  "md",    "xml",   "gz",  "zst", "zip", "warc",
					     "arc",  "wacz", "json",  "jsonl", "csv", "tsv", "pdf", "docx" };
	size_t label = 0, letters = 0, digits = 0, dots = 0, i = 0;
	for (; path[i] && path[i] != '/' && path[i] != ':'; i++) {
		const uint8_t c = (uint8_t)path[i];
		if (c == '.' ? label == 0 : !ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-')
			return NULL;
		dots += c == '.';
		digits += ascii_is_digit(c) != 0;
		letters = c == '.' ? 0 : letters + ascii_is_alpha(c);
		label = c == '.' ? 0 : label + 1;
	}
	const struct slice last = slice_of(path + i - label, label);
	const bool named = dots && letters == label && label > 1, numbers = dots == 3 && label && digits + dots == i;
	size_t port = 0;
	while (path[i] == ':' && ascii_is_digit((uint8_t)path[i + 1 + port]))
		port++;
	if (path[i] == ':' ? port == 0 || label == 0 || (path[i + 1 + port] && path[i + 1 + port] != '/')
			   : !named && !numbers)
		return NULL;
	for (size_t k = 0; named && !path[i] && k < sizeof(files) / sizeof(*files); k++) {
		if (slice_is(last, files[k]))
			return NULL;
	}
	return named ? "https" : "http"; /* hardly a certificate is for an address or a name in the own network */
}

const char *extract_page_fault(const char *path, char out[PAGE_FAULT_MOST])
{
	const int fault = errno;
	char shown[PAGE_FAULT_MOST / 2];
	if (fault == ENOENT && strstr(path, "://"))
		return "this is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH";
	const char *scheme = fault == ENOENT ? lacking_scheme(path) : NULL;
	if (!scheme)
		return system_text(fault);
	(void)snprintf(out, PAGE_FAULT_MOST, "no such file; the URL of a page begins with a scheme: %s://%s", scheme,
		       printable(slice_from_text(path), shown, sizeof(shown)));
	return out;
}

struct page_fetcher *extract_page_fetcher(const struct page_fetch_config *config, const atomic_bool *stop,
					  const struct notices *notices, struct error *err)
{
	const struct limits limits = LIMITS_DEFAULT;
	struct page_fetch_config c = *config;
	c.bytes_most = limits.body;
	c.stop = stop;
	if (c.network.insecure)
		notice(notices, NETWORK_INSECURE);
	return page_fetcher_new(&c, err);
}

/*
 * Fills the chunk, or less at the end of the file. Files other than regular ones are waited for with an eye on `stop`,
 * because a signal ends no read of another thread. Returns 0; DANA_EIO with errno; DANA_ESTATE.
 */
static int read_chunk(struct page_worker *w, int fd, bool regular, size_t *len)
{
	struct pollfd wanted = { .fd = fd, .events = POLLIN };
	*len = 0;
	while (*len < CHUNK) {
		for (int ready = regular; ready <= 0;) {
			if (atomic_load(&w->run->stop))
				return DANA_ESTATE;
			ready = poll(&wanted, 1, WAIT_MS);
			if (ready < 0 && errno != EINTR)
				return DANA_EIO;
		}
		ssize_t n = read(fd, w->chunk + *len, CHUNK - *len);
		if (n == 0)
			break;
		if (n > 0)
			*len += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			return DANA_EIO;
	}
	return DANA_OK;
}

/* What the options say of a page. */
static struct single_page_source given_source(const struct extract_page_config *c)
{
	return (struct single_page_source){ .url = slice_from_text(c->url ? c->url : ""),
					    .charset = slice_from_text(c->charset ? c->charset : ""),
					    .alone = c->format == EXTRACT_TEXT,
					    .content_type = slice_from_text(c->content_type ? c->content_type : "") };
}

/* Reads all of an open file, which goes through converter and extractor. */
static int read_file(struct page_worker *w, int fd, struct document *doc, struct error *err)
{
	const struct single_page_source source = given_source(&w->run->config->page);
	struct stat st;
	const bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	int status = single_page_begin(w->page, &source, err);
	for (size_t len = 1; status == DANA_OK && len;) {
		status = read_chunk(w, fd, regular, &len);
		if (status == DANA_EIO)
			(void)error_set(err, DANA_EIO, "%s", system_text(errno));
		if (status == DANA_OK && len)
			status = single_page_write(w->page, slice_of(w->chunk, len), err);
	}
	return status == DANA_OK ? single_page_finish(w->page, doc, err) : status;
}

/* What the server says of the page counts where the options say nothing. */
static int read_url(struct page_worker *w, const char *url, struct document *doc, struct error *err)
{
	struct single_page_source source = given_source(&w->run->config->page);
	int status = page_fetch(w->run->fetcher, url, &w->reply, err);
	if (status == DANA_ECONFIG) /* of this page alone */
		return err->status = DANA_EIO;
	if (status < 0)
		return status;
	if (!source.url.len)
		source.url = slice_from_text((const char *)w->reply.url.data);
	if (!source.content_type.len)
		source.content_type = buf_slice(&w->reply.content_type);
	status = single_page_read(w->page, &source, buf_slice(&w->reply.body), doc, err);
	if (status == DANA_OK && w->reply.cut)
		doc->problems |= PROBLEM_TRUNCATED_LIMIT;
	return status;
}

static bool is_table(enum extract_format format)
{
	return format == EXTRACT_CSV || format == EXTRACT_TSV;
}

static uint8_t separator_of(enum extract_format format)
{
	return format == EXTRACT_CSV ? ',' : '\t';
}

/* Replaces `out` by the name of an input as outputs may have it, with a NUL. */
static int written_name(const char *input, struct buf *out)
{
	buf_clear(out);
	(void)address_of_page(input, out);
	return buf_append_byte(out, 0);
}

/* Appends a page as JSON or as a row of a table. `reason`: why it gave no text, and no `doc`. */
static int put_object(const struct page_run *r, const char *path, struct document *doc, const char *reason,
		      struct buf *out)
{
	static const struct record unknown;
	const enum extract_format format = r->config->page.format;
	struct document none = { .record = &unknown };
	struct buf file = { 0 };
	int status = written_name(path, &file);
	const char *name = r->fields.n || format == EXTRACT_JSONL ? (const char *)file.data : NULL;
	const bool knows_url = page_fetch_takes(path) || !r->config->page.url; /* a server or a message names it */
	if (!doc)
		doc = &none;
	doc->file = name;
	if (status < 0)
		;
	else if (is_table(format))
		status = chosen_row(&r->fields, doc, reason, separator_of(format), out);
	else if (r->fields.n)
		status = chosen_json(&r->fields, doc, reason, out);
	else if (reason)
		status = text_failure_json(name, reason, out);
	else
		status = text_page_json(doc, knows_url ? doc->record->target_uri : slice_of(NULL, 0), out);
	buf_free(&file);
	return status;
}

static int file_work(struct page_worker *w, size_t index, struct buf *out, struct error *err)
{
	const struct extract_page_config *c = &w->run->config->page;
	const char *path = w->run->config->inputs->names.items[index];
	char why[PAGE_FAULT_MOST];
	const bool standard = strcmp(path, "-") == 0, fetched = page_fetch_takes(path);
	struct document doc;
	int status, fd = -1;
	if (atomic_load(&w->run->stop))
		return DANA_ESTATE;
	if (fetched) {
		status = read_url(w, path, &doc, err);
	} else {
		/* A named pipe is opened at once, and waited for when it is read. */
		fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0)
			return error_set(err, DANA_EIO, "%s", extract_page_fault(path, why));
		status = read_file(w, fd, &doc, err);
		if (!standard)
			(void)close(fd);
	}
	if (status == DANA_ECONFIG)
		return model_reader_refused(&w->run->models, err);
	if (status == DANA_OK && c->format == EXTRACT_TEXT)
		status = text_page(&doc, c->texts.page.without_plain, out);
	else if (status == DANA_OK)
		status = put_object(w->run, path, &doc, NULL, out);
	return status < 0 ? single_page_fault(status, err) : status;
}

/* ---- a page that is a line ---- */

/* As page_line_text, with a text in `err` where nothing more can be done. */
static int line_text(struct page_worker *w, struct slice line, struct buf *out, struct error *err)
{
	const struct extract_page_config *c = &w->run->config->page;
	const struct single_page_source usual = { .url = slice_from_text(c->url ? c->url : ""),
						  .charset = slice_from_text(c->charset ? c->charset : "") };
	const int status = page_line_text(w->line, w->page, &usual, line, out);
	if (status == DANA_ECONFIG)
		return model_reader_refused(&w->run->models, err);
	return status == DANA_ENOMEM ? error_no_memory(err) : status;
}

static struct line_place *place_of(struct page_run *r, size_t index)
{
	return &r->ring[index % r->n_ring];
}

static int open_worker(struct page_worker *w, struct page_run *r, struct error *err)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST,
						 .unique_names = true,
						 JSON_BY_SIMDJSON };
	const struct extract_page_config *c = &r->config->page;
	const struct single_page_config page = { .method = c->methods->at[0],
						 .read_file = model_reader_read,
						 .read_arg = &r->models,
						 .texts = c->texts,
						 .plugins = r->plugins };
	int status = DANA_OK;
	w->run = r;
	if (!w->chunk && !r->config->lines)
		status = (w->chunk = malloc(CHUNK)) ? DANA_OK : DANA_ENOMEM;
	if (!w->line && r->config->lines)
		status = (w->line = page_line_new(&rules)) ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK)
		status = single_page_new(&w->page, &page, err);
	if (status == DANA_ECONFIG)
		return model_reader_refused(&r->models, err);
	return status < 0 && status != DANA_EPLUGIN ? error_no_memory(err) : status;
}

static int line_work(struct page_worker *w, struct page_run *r, size_t index, struct buf *out, struct error *err)
{
	const struct line_place *p = place_of(r, index);
	char reason[REASON_MOST];
	if (p->too_long) {
		(void)snprintf(reason, sizeof(reason), "the line is longer than %zu bytes; --max-line allows more",
			       r->config->line_most);
		int status = page_line_failure(reason, out);
		return status < 0 ? error_no_memory(err) : DANA_EFORMAT;
	}
	/* Each is made at its first line, so that the start is quick. */
	int status = w->page ? DANA_OK : open_worker(w, r, err);
	return status < 0 ? status : line_text(w, buf_slice(&p->line), out, err);
}

/* The result of a page without text is the reason, and of a fatal error too, as text; of other lines it is JSON. */
static int work(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct page_run *r = arg;
	struct page_worker *w = &r->workers[worker];
	struct error err = { 0 };
	int status = r->config->lines ? line_work(w, r, index, out, &err) : file_work(w, index, out, &err);
	if (status == DANA_OK || (r->config->lines && status == DANA_EFORMAT))
		return status;
	buf_clear(out);
	int kept = buf_append_text(out, err.text);
	return kept < 0 || buf_append_byte(out, 0) < 0 ? DANA_ENOMEM : status;
}

/* ---- this thread: pages out ---- */

static void end_run(struct page_run *r, int status, const char *text)
{
	(void)error_set(&r->fatal, (enum dana_status)status, "%s", text);
	r->over = true;
}

static void write_text(struct page_run *r, size_t index, struct slice text)
{
	const char *const *outputs = r->config->inputs->outputs;
	struct output *o = NULL;
	struct error err = { 0 };
	int status = DANA_OK;
	if (outputs) { /* a file of its own */
		status = output_open_file(&o, r->loop, outputs[index], r->config->way, &r->over, &err);
		if (status == DANA_OK && text.len)
			status = byte_sink_write(output_sink(o), text);
		if (status == DANA_OK)
			status = output_finish(o, OUTPUT_FINAL, &err);
		output_free(o);
	} else if (text.len && byte_sink_write(output_sink(r->output), text) == DANA_ENOMEM) {
		status = DANA_ENOMEM; /* other faults are the output's */
	}
	if (status < 0)
		end_run(r, status, err.text[0] ? err.text : status_text(status));
	r->written++;
}

/* Reports why a page gives no text. */
static void notice_page(const struct page_run *r, size_t index, const char *reason)
{
	const char *name = r->config->inputs->names.items[index];
	if (strcmp(name, "-") == 0)
		notice(&r->config->page.notices, "standard input: %s", reason);
	else
		report(&r->config->page.notices, name, reason);
}

/* What is finished, as far as the output takes it. */
static void take_pages(struct page_run *r)
{
	struct slice result;
	int status;
	while (!r->over) {
		const size_t index = ordered_given(r->ordered);
		if (!r->config->lines)
			r->over =
				(r->output && (output_failed(r->output, NULL) < 0 || output_reader_gone(r->output))) ||
				atomic_load(&r->stop) || index == r->config->inputs->names.n;
		if (r->over || (r->output && output_queued(r->output) >= OUTPUT_SOFT_LIMIT) ||
		    !ordered_next(r->ordered, &result, &status))
			break;
		r->cut |= status == DANA_ESTATE;
		if (status == DANA_ECONFIG || status == DANA_ENOMEM) {
			end_run(r, status, status == DANA_ENOMEM ? status_text(status) : (const char *)result.data);
		} else if (r->config->lines) {
			struct buf *given = &place_of(r, index)->line;
			r->without_text += status < 0;
			write_text(r, index, result);
			r->bytes -= given->len;
			buf_shrink(given, KEEP_LINES / r->n_ring);
		} else if (status == DANA_OK) {
			write_text(r, index, result);
		} else if (status == SINGLE_PAGE_DROPPED && r->config->page.format == EXTRACT_TEXT) {
			notice_page(r, index, (const char *)result.data);
			write_text(r, index, slice_of(NULL, 0));
		} else if (status != DANA_ESTATE) {
			const char *reason = (const char *)result.data;
			const char *name = r->config->inputs->names.items[index];
			const bool failed = status < 0;
			struct buf row = { 0 };
			if (failed)
				notice_page(r, index, reason);
			r->failed |= failed;
			if (failed && !extract_format_has_rows(r->config->page.format))
				continue;
			if (put_object(r, name, NULL, reason, &row) == DANA_OK)
				write_text(r, index, buf_slice(&row));
			else
				end_run(r, DANA_ENOMEM, status_text(DANA_ENOMEM));
			buf_free(&row);
		}
	}
}

/* ---- lines in ---- */

static void give_line(struct page_run *r)
{
	r->bytes += place_of(r, r->taken)->line.len;
	r->taken++;
	ordered_add(r->ordered);
}

static bool may_read(const struct page_run *r)
{
	return r->begun - ordered_given(r->ordered) < r->n_ring && r->bytes < BYTES_MOST &&
	       output_queued(r->output) < OUTPUT_SOFT_LIMIT;
}

static void on_chunk(void *arg, struct slice bytes)
{
	struct page_run *r = arg;
	r->chunk = bytes;
	r->chunk_held = r->moved = true;
}

/* The last line may lack its line feed. */
static void on_end(void *arg)
{
	struct page_run *r = arg;
	if (r->begun > r->taken)
		give_line(r);
	r->at_end = r->moved = true;
}

static void on_failed(void *arg, const char *why)
{
	struct page_run *r = arg;
	report(&r->config->page.notices, r->config->inputs->names.items[0], why);
	r->failed = r->at_end = r->moved = true;
}

/* ---- the run ---- */

static void wake(void *run)
{
	loop_wake(((struct page_run *)run)->loop);
}

static void on_moved(void *run)
{
	((struct page_run *)run)->moved = true;
}

static void on_signal(void *run)
{
	struct page_run *r = run;
	atomic_store(&r->stop, true);
	loop_wake(r->loop);
}

/* Opens everything that is read and written before the first page is. Returns false with a text in `err`. */
static bool open_run(struct page_run *r, struct error *err)
{
	const struct extract_run_config *c = r->config;
	const struct source_events events = { NULL, on_chunk, on_end, on_failed, r };
	const struct ordered_config config = { .jobs = c->jobs,
					       .n = c->lines ? 0 : c->inputs->names.n,
					       .grows = c->lines,
					       .bytes_most = BYTES_MOST,
					       .work = work,
					       .wake = wake,
					       .arg = r };
	const char *input = c->lines ? c->inputs->names.items[0] : NULL;
	struct error fault = { 0 };
	char shown[SHOWN];
	for (size_t i = 0; i < c->inputs->names.n && !c->lines && !r->fetcher; i++) {
		if (page_fetch_takes(c->inputs->names.items[i]) &&
		    !(r->fetcher = extract_page_fetcher(c->page.fetch, &r->stop, &c->page.notices, err)))
			return false;
	}
	r->n_workers = c->jobs ? c->jobs : 1;
	r->workers = calloc(r->n_workers, sizeof(*r->workers));
	r->n_ring = c->jobs ? (size_t)r->n_workers * LINES_PER_WORKER : 2; /* one is read, one worked on */
	r->ring = c->lines ? calloc(r->n_ring, sizeof(*r->ring)) : NULL;
	if (!r->workers || (c->lines && !r->ring))
		return (void)error_no_memory(err), false;
	for (unsigned i = 0; i < r->n_workers && !c->lines; i++) {
		if (open_worker(&r->workers[i], r, err) < 0)
			return false;
	}
	r->loop = loop_new(err);
	if (!r->loop)
		return false;
	if (c->lines && source_open(&r->source, r->loop, input, NULL, 0, &events, &fault) < 0) {
		(void)error_set(err, fault.status, "%s: %s", printable(slice_from_text(input), shown, sizeof(shown)),
				fault.text);
		return false;
	}
	if (!c->inputs->outputs && (c->output ? output_open_file(&r->output, r->loop, c->output, c->way, &r->over, err)
					      : output_open_stdout(&r->output, r->loop, err)) < 0)
		return false;
	r->ordered = ordered_new(&config, err);
	return r->ordered;
}

static void run_loop(struct page_run *r)
{
	if (is_table(r->config->page.format)) {
		struct buf header = { 0 };
		if (chosen_header(&r->fields, separator_of(r->config->page.format), &header) < 0 ||
		    byte_sink_write(output_sink(r->output), buf_slice(&header)) == DANA_ENOMEM)
			end_run(r, DANA_ENOMEM, status_text(DANA_ENOMEM));
		buf_free(&header);
	}
	loop_on_wake(r->loop, on_moved, r);
	if (r->output)
		output_on_progress(r->output, on_moved, r);
	signals_watch(on_signal, r);
	if (r->source)
		source_start(r->source);
	while (!r->over) {
		r->moved = false;
		take_pages(r);
		if (r->source) {
			/* as far as there is room; without workers the lines are worked on as they come */
			while (r->chunk.len && !r->over && (r->begun > r->taken || may_read(r))) {
				/* take up to the end of the chunk, or of the line */
				const uint8_t *end = memchr(r->chunk.data, '\n', r->chunk.len);
				const struct slice part =
					slice_first(r->chunk, end ? (size_t)(end - r->chunk.data) : r->chunk.len);
				struct line_place *p = place_of(r, r->taken);
				int status = DANA_OK;
				if (r->begun == r->taken) {
					r->begun++;
					p->too_long = false;
					buf_clear(&p->line);
				}
				if (!p->too_long && part.len <= r->config->line_most - p->line.len) {
					status = buf_append(&p->line, part.data, part.len);
				} else if (!p->too_long) {
					p->too_long = true;
					buf_shrink(&p->line, KEEP_LINES / r->n_ring);
				}
				if (status < 0)
					end_run(r, DANA_ENOMEM, status_text(DANA_ENOMEM));
				else if (end)
					give_line(r);
				r->chunk = slice_skip(r->chunk, end ? part.len + 1 : part.len);
				if (r->config->jobs == 0)
					take_pages(r);
			}
			if (r->chunk_held && r->chunk.len == 0 && !r->over && !r->stopped && may_read(r)) {
				r->chunk_held = false;
				source_next(r->source);
			}
			take_pages(r);
			/* after a signal, lines that were taken are still written; half a line is dropped */
			if (atomic_load(&r->stop) && !r->stopped && !r->at_end) {
				r->stopped = true;
				r->chunk.len = 0;
				output_hurry(r->output);
			}
			if (output_failed(r->output, NULL) < 0 || output_reader_gone(r->output) ||
			    ((r->at_end || r->stopped) && ordered_given(r->ordered) == r->taken))
				r->over = true;
		}
		if (!r->over)
			loop_run_until(r->loop, &r->moved);
	}
	signals_unwatch(r);
	if (r->source)
		return;
	r->stopped = r->cut || (atomic_load(&r->stop) && ordered_given(r->ordered) < r->config->inputs->names.n);
	atomic_store(&r->stop, true); /* what workers wait for is wanted no more */
	ordered_free(r->ordered);
	r->ordered = NULL;
	if (r->output && r->stopped)
		output_hurry(r->output);
}

/*
 * Ends the output and reports faults. FILE is complete also where pages failed, if there is any; FILE.part stays after
 * a signal and after a fault, also of the input of lines.
 */
static int finish(struct page_run *r)
{
	const struct extract_run_config *c = r->config;
	const struct notices *notices = &c->page.notices;
	struct error err = { 0 };
	r->failed |= c->inputs->failed;
	const bool broken = r->stopped || r->fatal.status < 0 || (c->lines && r->failed);
	const bool empty = r->written == 0 && r->failed;
	if (r->output && output_finish(r->output,
				       broken  ? OUTPUT_PART
				       : empty ? OUTPUT_DISCARD
					       : OUTPUT_FINAL,
				       &err) < 0) {
		notice(notices, "%s", err.text);
		r->failed = true;
	}
	if (r->fatal.status < 0)
		notice(notices, "%s", r->fatal.text);
	if (r->without_text)
		notice(notices, "%llu of %zu lines gave no text; see \"reason\" in the output",
		       (unsigned long long)r->without_text, ordered_given(r->ordered));
	if (r->stopped && !c->lines && (c->output || c->inputs->outputs))
		notice(notices, "stopped: %zu of %zu pages are in %s%s", r->written, c->inputs->names.n,
		       c->output ? c->output : "the folder", c->output ? ".part" : "");
	if (r->stopped)
		return DANA_ESTATE;
	/* single lines may fail, but not every one */
	const bool nothing = r->without_text && r->without_text == ordered_given(r->ordered);
	return r->fatal.status < 0 ? (int)r->fatal.status : r->failed || nothing ? DANA_EIO : DANA_OK;
}

/* `text`: "dana: plugin NAME: ..." */
static void plugin_line(void *notices, const char *text)
{
	notice(notices, "%s", text + strlen("dana: "));
}

static int choose_fields(struct page_run *r, struct error *err)
{
	const struct extract_page_config *c = &r->config->page;
	const bool finds_language = r->plugins && plugins_needs(r->plugins).language;
	const struct chosen_from from = { .with = texts_fields(&c->texts) | (unsigned)finds_language << WITH_LANGUAGE |
						  (unsigned)method_lists_media(c->methods->at[0]) << WITH_MEDIA,
					  .plugins = r->plugins,
					  .has_metadata = r->plugins, /* NULL where it is not built in, too */
					  .of_pages = true };
	return chosen_fields_read(&r->fields, c->fields, &from, err);
}

int extract_run_pages(const struct extract_run_config *config)
{
	struct page_run r = { .config = config };
	const struct limits limits = LIMITS_DEFAULT;
	const bool metadata = config->lines || config->page.format != EXTRACT_TEXT || config->page.texts.page.front ||
			      config->page.texts.page.elements;
	const struct plugins_config plugins = { .rows = config->page.plugins,
						.folder = DANA_PLUGIN_FOLDER,
						.max_html = limits.body,
						.line = plugin_line,
						.arg = (void *)(uintptr_t)&config->page.notices,
						.metadata_object = config->lines ? "page_metadata" : NULL };
	struct error err = { 0 };
	int status = DANA_ENOMEM;
	r.plugins = plugins_new_of_pages(&plugins, metadata, &err);
	if (err.status < 0) {
		notice(&config->page.notices, "%s", err.text);
		return err.status == DANA_EPLUGIN ? DANA_ECONFIG : (int)err.status;
	}
	if ((config->page.fields || is_table(config->page.format)) && choose_fields(&r, &err) < 0) {
		notice(&config->page.notices, "%s", err.text);
		plugins_free(r.plugins);
		return DANA_ECONFIG;
	}
	model_reader_init(&r.models, config->page.methods->at, config->page.methods->n);
	if (config->jobs == 0 && !config->lines)
		thread_pool_of_one();
	if (signals_start() < 0) {
		notice(&config->page.notices, "cannot start the thread for signals");
	} else if (open_run(&r, &err)) {
		run_loop(&r);
		status = finish(&r);
	} else { /* nothing was begun */
		notice(&config->page.notices, "%s", err.text);
		if (r.output)
			(void)output_finish(r.output, OUTPUT_DISCARD, NULL);
		status = (int)err.status;
	}
	ordered_free(r.ordered);
	source_free(r.source);
	for (unsigned i = 0; r.workers && i < r.n_workers; i++) {
		struct page_worker *w = &r.workers[i];
		single_page_free(w->page);
		page_fetched_free(&w->reply);
		page_line_free(w->line);
		free(w->chunk);
	}
	for (size_t i = 0; r.ring && i < r.n_ring; i++)
		buf_free(&r.ring[i].line);
	free(r.workers);
	free(r.ring);
	output_free(r.output);
	loop_free(r.loop);
	page_fetcher_free(r.fetcher);
	plugins_free(r.plugins);
	model_reader_free(&r.models);
	return status;
}
