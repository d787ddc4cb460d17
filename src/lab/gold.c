/* SPDX-License-Identifier: MIT */
/*
 * Pages are found by walking the folders, sorted, and then described by the lines of index.tsv, each looked up by
 * binary search. Paths and texts are opened when they are read, not before: threads share the list and nothing else.
 */
#include "config.h"

#include "lab/gold.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/single_page.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/url_parts.h"
#include "dedup/page_lines.h"

struct gold_folder {
	const char *path;
	struct arena *memory;
	struct gold_page *pages;
	size_t len, cap;
	size_t left_out;
};

static const char *keep_text(struct gold_folder *f, struct slice text)
{
	return (const char *)arena_copy(f->memory, text).data;
}

/* Returns DANA_EIO with the reason in errno. */
static int read_file(const char *path, struct buf *out)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return DANA_EIO;
	int status = whole_file_append(file, UINT64_MAX, out);
	int reason = errno;
	(void)fclose(file);
	errno = reason;
	return status;
}

/* A page without gold text is left out; an unreadable file counts as missing. */
static bool file_is_there(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (file)
		(void)fclose(file);
	return file != NULL;
}

static const char *const suffixes[] = { ".html", ".html.gz", ".html.zst" };

/* Returns the suffix of a page; NULL: the name is no page's. */
static const char *page_suffix(const char *name)
{
	const size_t len = strlen(name);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const size_t cut = strlen(suffixes[i]);
		if (len > cut && strcmp(name + len - cut, suffixes[i]) == 0)
			return suffixes[i];
	}
	return NULL;
}

/* A plain file beside the folders of the corpora is ignored. */
static int scan_corpus(struct gold_folder *f, const char *corpus, struct error *err)
{
	struct buf path = { 0 };
	int status = buf_printf(&path, "%s/%s", f->path, corpus);
	DIR *dir = status == DANA_OK ? opendir((const char *)path.data) : NULL;
	if (status == DANA_OK && !dir && errno != ENOTDIR)
		status = error_set(err, DANA_EIO, "%s: %s", (const char *)path.data, system_text(errno));
	const char *kept = NULL;
	for (struct dirent *e = dir ? readdir(dir) : NULL; e && status == DANA_OK; e = readdir(dir)) {
		const char *suffix = page_suffix(e->d_name);
		if (!suffix)
			continue;
		const struct slice id = slice_of(e->d_name, strlen(e->d_name) - strlen(suffix));
		/* of a page that is there twice the first of the suffixes counts */
		bool again = false;
		for (size_t i = 0; suffixes[i] != suffix && status == DANA_OK && !again; i++) {
			buf_clear(&path);
			status = buf_printf(&path, "%s/%s/%.*s%s", f->path, corpus, (int)id.len, (const char *)id.data,
					    suffixes[i]);
			again = status == DANA_OK && file_is_there((const char *)path.data);
		}
		if (again || status < 0)
			continue;
		buf_clear(&path);
		status = buf_printf(&path, "%s/%s/%.*s.txt", f->path, corpus, (int)id.len, (const char *)id.data);
		if (status < 0 || !file_is_there((const char *)path.data))
			continue;
		if (!kept)
			kept = keep_text(f, slice_from_text(corpus));
		struct gold_page *pages = grow_items(f->pages, f->len, &f->cap, sizeof(*pages));
		const char *name = keep_text(f, id);
		if (pages)
			f->pages = pages;
		if (kept && pages && name)
			f->pages[f->len++] = (struct gold_page){ kept, name, suffix, "", "", "", "", false };
		else
			status = DANA_ENOMEM;
	}
	if (dir)
		(void)closedir(dir);
	buf_free(&path);
	return status;
}

static int page_order(const void *a, const void *b)
{
	const struct gold_page *p = a, *q = b;
	int order = strcmp(p->corpus, q->corpus);
	return order ? order : strcmp(p->id, q->id);
}

enum column { COLUMN_CORPUS, COLUMN_ID, COLUMN_CHARSET, COLUMN_SCRIPT, COLUMN_URL, COLUMNS };

enum { FIELDS_MOST = 64 };

/* Splits a line at tabs; fields beyond FIELDS_MOST are ignored. */
static size_t split_fields(struct slice line, struct slice *fields)
{
	size_t n = 0;
	bool more = true;
	if (line.len && line.data[line.len - 1] == '\r')
		line.len--;
	while (n < FIELDS_MOST && more) {
		const size_t len = slice_until(line, "\t");
		fields[n++] = slice_first(line, len);
		more = len < line.len;
		line = slice_skip(line, len + 1);
	}
	return n;
}

/* An index may list pages that are not in the folder. */
static int apply_line(struct gold_folder *f, const struct slice columns[COLUMNS])
{
	const struct slice corpus = columns[COLUMN_CORPUS], id = columns[COLUMN_ID];
	struct buf names = { 0 };
	buf_append(&names, corpus.data, corpus.len);
	buf_append_byte(&names, 0);
	buf_append(&names, id.data, id.len);
	buf_append_byte(&names, 0);
	int status = buf_status(&names);
	const char *text = (const char *)names.data;
	struct gold_page key = { .corpus = text, .id = status < 0 ? NULL : text + corpus.len + 1 }, *page = NULL;
	if (status == DANA_OK && f->len)
		page = bsearch(&key, f->pages, f->len, sizeof(key), page_order);
	if (page) {
		page->listed = true;
		page->charset = keep_text(f, columns[COLUMN_CHARSET]);
		page->script = keep_text(f, columns[COLUMN_SCRIPT]);
		page->site = keep_text(f, url_host(columns[COLUMN_URL]));
		page->domain = page->site;
		buf_clear(&names);
		/* without libpsl the host is the site */
		if (site_of_url(columns[COLUMN_URL], &names) == DANA_OK)
			page->domain = keep_text(f, buf_slice(&names));
		status = page->charset && page->script && page->site && page->domain ? DANA_OK : DANA_ENOMEM;
	}
	buf_free(&names);
	return status;
}

/* The header line gives the order of the columns; missing ones are empty. */
static int apply_index(struct gold_folder *f, struct slice text)
{
	static const char *const names[COLUMNS] = { "corpus", "id", "charset", "script", "url" };
	size_t where[COLUMNS], n_columns = 0, kept = 0;
	struct slice fields[FIELDS_MOST], columns[COLUMNS];
	int status = DANA_OK;
	for (int c = 0; c < COLUMNS; c++)
		where[c] = FIELDS_MOST;
	for (bool header = true; text.len && status == DANA_OK; header = false) {
		const size_t len = slice_until(text, "\n"), n = split_fields(slice_first(text, len), fields);
		text = slice_skip(text, len + 1);
		n_columns = header ? n : n_columns;
		for (int c = 0; c < COLUMNS; c++) {
			for (size_t i = 0; i < n && header; i++)
				where[c] = slice_is(fields[i], names[c]) ? i : where[c];
			columns[c] = where[c] < n && where[c] < n_columns ? fields[where[c]] : slice_of("", 0);
		}
		if (!header)
			status = apply_line(f, columns);
	}
	for (size_t i = 0; i < f->len; i++) {
		if (f->pages[i].listed)
			f->pages[kept++] = f->pages[i];
	}
	f->left_out = f->len - kept;
	f->len = kept;
	return status;
}

int gold_open(struct gold_folder **out, const char *path, struct error *err)
{
	struct gold_folder *f = calloc(1, sizeof(*f));
	if (f)
		f->memory = arena_new();
	if (f && f->memory)
		f->path = keep_text(f, slice_from_text(path));
	int status = f && f->path ? DANA_OK : DANA_ENOMEM;
	DIR *dir = status == DANA_OK ? opendir(path) : NULL;
	if (status == DANA_OK && !dir)
		status = error_set(err, DANA_EIO, "%s: %s", path, system_text(errno));
	for (struct dirent *e = dir ? readdir(dir) : NULL; e && status == DANA_OK; e = readdir(dir)) {
		if (e->d_name[0] != '.')
			status = scan_corpus(f, e->d_name, err);
	}
	if (dir)
		(void)closedir(dir);
	if (status == DANA_OK) {
		if (f->len)
			qsort(f->pages, f->len, sizeof(*f->pages), page_order);
		struct buf name = { 0 }, text = { 0 };
		status = buf_printf(&name, "%s/index.tsv", f->path);
		bool there = status == DANA_OK && file_is_there((const char *)name.data);
		if (there)
			status = read_file((const char *)name.data, &text);
		if (there && status == DANA_OK)
			status = apply_index(f, buf_slice(&text));
		buf_free(&name);
		buf_free(&text);
	}
	if (status == DANA_OK) {
		*out = f;
		return DANA_OK;
	}
	gold_close(f);
	return error_set(err, status, "%s: %s", path, status_text(status));
}

size_t gold_count(const struct gold_folder *folder)
{
	return folder->len;
}

size_t gold_left_out(const struct gold_folder *folder)
{
	return folder->left_out;
}

const struct gold_page *gold_page(const struct gold_folder *folder, size_t index)
{
	return &folder->pages[index];
}

int gold_read(const struct gold_folder *folder, const struct gold_page *page, enum gold_part part, struct buf *out,
	      struct error *err)
{
	const char *const suffix[] = { [GOLD_HTML] = page->suffix, [GOLD_TEXT] = ".txt", [GOLD_MEDIA] = ".media" };
	struct buf path = { 0 };
	buf_clear(out);
	buf_printf(&path, "%s/%s/%s%s", folder->path, page->corpus, page->id, suffix[part]);
	int status = path.failed ? DANA_ENOMEM : read_file((const char *)path.data, out);
	if (status == DANA_EIO && part == GOLD_MEDIA && errno == ENOENT)
		status = DANA_OK;
	if (status == DANA_EIO)
		(void)error_set(err, status, "%s: %s", (const char *)path.data, system_text(errno));
	if (status == DANA_OK && part == GOLD_HTML)
		status = page_unpack(out);
	if (status == DANA_EFORMAT)
		status = error_set(err, DANA_EIO, "%s: " PAGE_DAMAGED, (const char *)path.data);
	buf_free(&path);
	return status;
}

void gold_close(struct gold_folder *folder)
{
	if (!folder)
		return;
	arena_free(folder->memory);
	free(folder->pages);
	free(folder);
}
