/* SPDX-License-Identifier: MIT */
/*
 * libdana-archive as the module danatext.wasm. JavaScript passes options and sources as records of this file, whose
 * members are numbers of 32 bits; memory that it fills is from take, and given back by give. Text that it reads is
 * borrowed until the next call, as in dana/archive.h.
 */
#include <dana/archive.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "lab/report.h"
#include "module.h"

static char error[1024];
static struct dana_document document; /* the one that was read last */

EXPORT(error_text) const char *js_error_text(void)
{
	return error;
}

/* ---- pages ---- */

/** `options` are of a page by name, each terminated, as are the other lists; an empty text ends a list. */
struct page_request {
	const char *method, *more_methods, *plugins, *options;
};

EXPORT(page_reader_new) struct dana_page_reader *js_page_reader_new(const struct page_request *r)
{
	const char *methods[LIST_MOST], *plugins[LIST_MOST], *options[LIST_MOST];
	const struct dana_page_options o = {
		.struct_size = sizeof(o),
		.method = r->method,
		.more_methods = methods,
		.n_more_methods = list_of(r->more_methods, methods),
		.plugins = plugins,
		.n_plugins = list_of(r->plugins, plugins),
		.options = options,
		.n_options = list_of(r->options, options),
		.error = error,
		.error_size = sizeof(error),
	};
	struct dana_page_reader *reader = NULL;
	error[0] = '\0';
	const int status = dana_page_reader_new(&reader, &o);
	last_status = status;
	return status < 0 ? NULL : reader;
}

EXPORT(page_reader_free) void js_page_reader_free(struct dana_page_reader *reader)
{
	dana_page_reader_free(reader);
}

/** `source`: address and length of url, charset and content type, in this order; an address of 0 is not known. */
EXPORT(page_read)
int js_page_read(struct dana_page_reader *reader, const struct dana_page_source *source, const void *html, size_t len)
{
	document = (struct dana_document){ .struct_size = sizeof(document) };
	return dana_page_read(reader, source, html, len, &document);
}

EXPORT(page_error) const char *js_page_error(const struct dana_page_reader *reader)
{
	return dana_page_error(reader);
}

/* ---- documents ---- */

EXPORT(field_name) const char *js_field_name(unsigned i)
{
	return dana_field_name(i);
}

EXPORT(option_list) const char *js_option_list(void)
{
	return dana_page_option_list();
}

EXPORT(problem_word) const char *js_problem_word(unsigned bit)
{
	return dana_problem_word(bit);
}

/** What a field of the document is; the address and the bytes of its text, or the number. */
struct field {
	uint32_t is, text, len, padding;
	double number;
};

/** Writes fields 0 to n - 1 of the document read last. */
EXPORT(fields) void js_fields(struct field *to, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct dana_value v = dana_document_field(&document, i);
		to[i] = (struct field){
			.is = (uint32_t)v.is,
			.text = (uint32_t)(uintptr_t)v.text.data,
			.len = (uint32_t)v.text.len,
			.number = v.is == DANA_VALUE_REAL ? v.real : (double)v.count,
		};
	}
}

/** Text `i` of the methods after the first: the address of its name, and its text. False: there are no more. */
EXPORT(method_text) int js_method_text(unsigned i, uint32_t to[3])
{
	if (i >= document.n_texts)
		return 0;
	to[0] = (uint32_t)(uintptr_t)document.texts[i].method;
	to[1] = (uint32_t)(uintptr_t)document.texts[i].text.data;
	to[2] = (uint32_t)document.texts[i].text.len;
	return 1;
}

/* ---- archives ---- */

struct archive_request {
	struct page_request page;
	const char *name, *types, *statuses, *media_types, *schema;
	uint32_t min_chars, flags, pieces;
};

EXPORT(archive_new) struct dana_archive *js_archive_new(const struct archive_request *r)
{
	const char *methods[LIST_MOST], *plugins[LIST_MOST], *options[LIST_MOST];
	const struct dana_archive_options o = {
		.struct_size = sizeof(o),
		.method = r->page.method,
		.more_methods = methods,
		.n_more_methods = list_of(r->page.more_methods, methods),
		.plugins = plugins,
		.n_plugins = list_of(r->page.plugins, plugins),
		.options = options,
		.n_options = list_of(r->page.options, options),
		.name = r->name,
		.types = r->types,
		.statuses = r->statuses,
		.media_types = r->media_types,
		.schema = r->schema,
		.min_chars = r->min_chars,
		.flags = r->flags,
		.pieces = r->pieces,
		.error = error,
		.error_size = sizeof(error),
	};
	struct dana_archive *archive = NULL;
	error[0] = '\0';
	const int status = dana_archive_new(&archive, &o);
	last_status = status;
	return status < 0 ? NULL : archive;
}

EXPORT(archive_push) int js_archive_push(struct dana_archive *archive, const void *bytes, size_t len)
{
	return dana_archive_push(archive, bytes, len);
}

EXPORT(archive_end) int js_archive_end(struct dana_archive *archive)
{
	return dana_archive_end(archive);
}

EXPORT(archive_next) int js_archive_next(struct dana_archive *archive)
{
	document = (struct dana_document){ .struct_size = sizeof(document) };
	return dana_archive_next(archive, &document);
}

EXPORT(archive_line) int js_archive_line(struct dana_archive *archive, struct dana_view *line)
{
	return dana_archive_line(archive, line);
}

EXPORT(archive_rejects) int js_archive_rejects(struct dana_archive *archive, struct dana_view *lines)
{
	return dana_archive_rejects(archive, lines);
}

EXPORT(archive_counts) int js_archive_counts(struct dana_archive *archive, struct dana_view *json)
{
	return dana_archive_counts(archive, json);
}

EXPORT(archive_error) const char *js_archive_error(const struct dana_archive *archive)
{
	return dana_archive_error(archive);
}

EXPORT(archive_free) void js_archive_free(struct dana_archive *archive)
{
	dana_archive_free(archive);
}

/* ---- why ---- */

static void put_block(struct json_writer *w, const struct recording *r, const struct block_record *b)
{
	const struct slice reasons = recording_span(r, b->reasons);
	json_object_begin(w);
	json_bool(w, "kept", b->kept);
	if (b->has_chances)
		json_decimal(w, "p", b->chance[1], 4);
	json_text(w, "reason", recording_span(r, b->reason));
	json_text(w, "text",
		  b->kept ? slice_of(r->text.data + b->out.from, b->out.to - b->out.from) : recording_span(r, b->text));
	json_key(w, "reasons");
	json_array_begin(w);
	buf_append(w->out, reasons.data, reasons.len - (reasons.len > 0)); /* without the last comma */
	json_array_end(w);
	json_object_end(w);
}

/**
 * Writes why blocks of a page in UTF-8 are kept and dropped, as `dana explain` shows it: an array of objects with kept,
 * p, reason, text, and reasons, [stage, words, log odds] each. For the page js/try. `names` are options of the page.
 * Borrowed until the next call. Returns 0 or a status.
 */
EXPORT(explain)
int js_explain(const char *method, const char *names, const char *url, const void *html, size_t len,
	       struct dana_view *json)
{
	static struct buf out;
	const char *options[LIST_MOST];
	const struct dana_options o = { .struct_size = sizeof(o),
					.method = method ? method : DANA_DEFAULT_METHOD,
					.options = options,
					.n_options = list_of(names, options) };
	struct json_writer w = { .out = &out };
	struct recording r;
	int status = recording_make(&r, &o, NULL, slice_of(html, len), slice_from_text(url ? url : ""));
	if (status >= 0)
		status = recording_decide(&r, (struct slice){ 0 });
	buf_clear(&out);
	json_array_begin(&w);
	for (size_t i = 0; i < r.n_blocks && status >= 0; i++)
		put_block(&w, &r, &r.blocks[i]);
	json_array_end(&w);
	recording_free(&r);
	*json = (struct dana_view){ (const char *)out.data, out.len };
	return status < 0 ? status : buf_status(&out);
}

/* ---- archives in a zip ---- */

/*
 * dana_zip_read asks for bytes and takes them at once; a Blob of JavaScript gives them later. So it reads from ranges
 * that were given before, ends where one is missing, and is called again when JavaScript has brought that.
 */

struct range {
	uint64_t offset;
	size_t len;
	char *bytes;
};

struct entry {
	char *name, *fault; /* fault: NULL, or why it cannot be read */
	uint64_t begin, length;
	int deflated;
};

struct zip {
	uint64_t size, wanted, wanted_len;
	struct range *ranges;
	struct entry *entries;
	size_t n_ranges, n_entries;
	bool no_memory;
	char error[512];
};

/* Room for one more of `n` items. */
static bool grow(void **items, size_t n, size_t size)
{
	void *larger = realloc(*items, (n + 1) * size);
	*items = larger ? larger : *items;
	return larger != NULL;
}

static int64_t zip_read(void *arg, uint64_t offset, void *bytes, size_t len)
{
	struct zip *z = arg;
	if (offset >= z->size)
		return 0;
	len = len < z->size - offset ? len : (size_t)(z->size - offset);
	for (const struct range *r = z->ranges; r < z->ranges + z->n_ranges; r++) {
		if (offset < r->offset || offset - r->offset > r->len || r->len - (size_t)(offset - r->offset) < len)
			continue;
		memcpy(bytes, r->bytes + (offset - r->offset), len);
		return (int64_t)len;
	}
	z->wanted = offset;
	z->wanted_len = len;
	return -1;
}

static int zip_entry(void *arg, const struct dana_zip_entry *found)
{
	struct zip *z = arg;
	if (!grow((void **)&z->entries, z->n_entries, sizeof(*z->entries))) {
		z->no_memory = true;
		return 1;
	}
	const char *fault =
		found->zip ? "it lies in a WACZ that is compressed itself; unpack the outer one first" : found->fault;
	struct entry *e = &z->entries[z->n_entries++];
	*e = (struct entry){ strdup(found->name), fault ? strdup(fault) : NULL, found->begin, found->length,
			     found->deflated };
	z->no_memory |= !e->name || (fault && !e->fault);
	return z->no_memory;
}

static void forget_entries(struct zip *z)
{
	for (size_t i = 0; i < z->n_entries; i++) {
		free(z->entries[i].name);
		free(z->entries[i].fault);
	}
	z->n_entries = 0;
}

EXPORT(zip_new) struct zip *js_zip_new(double size)
{
	struct zip *z = calloc(1, sizeof(*z));
	if (z)
		z->size = (uint64_t)size;
	return z;
}

enum { ZIP_READ, ZIP_NEEDS, ZIP_NONE, ZIP_CANNOT, ZIP_NO_MEMORY };

/** ZIP_NEEDS: bytes are missing (zip_wanted). */
EXPORT(zip_look) int js_zip_look(struct zip *z)
{
	const struct dana_zip zip = { .struct_size = sizeof(zip),
				      .read = zip_read,
				      .entry = zip_entry,
				      .arg = z,
				      .size = z->size,
				      .error = z->error,
				      .error_size = sizeof(z->error) };
	forget_entries(z);
	z->wanted_len = 0;
	const int answer = dana_zip_read(&zip);
	return z->no_memory || answer == DANA_OUT_OF_MEMORY ? ZIP_NO_MEMORY
	       : z->wanted_len                              ? ZIP_NEEDS
	       : answer == DANA_ZIP_NONE                    ? ZIP_NONE
	       : answer == DANA_ZIP_READ                    ? ZIP_READ
							    : ZIP_CANNOT;
}

EXPORT(zip_wanted) double js_zip_wanted(const struct zip *z)
{
	return (double)z->wanted;
}

EXPORT(zip_wanted_len) double js_zip_wanted_len(const struct zip *z)
{
	return (double)z->wanted_len;
}

/** Takes bytes of the zip from `offset` on. */
EXPORT(zip_give) int js_zip_give(struct zip *z, double offset, const void *bytes, size_t len)
{
	char *copy = malloc(len + 1);
	if (!copy || !grow((void **)&z->ranges, z->n_ranges, sizeof(*z->ranges))) {
		free(copy);
		return -1;
	}
	memcpy(copy, bytes, len);
	z->ranges[z->n_ranges++] = (struct range){ (uint64_t)offset, len, copy };
	return 0;
}

EXPORT(zip_error) const char *js_zip_error(const struct zip *z)
{
	return z->error;
}

EXPORT(zip_count) size_t js_zip_count(const struct zip *z)
{
	return z->n_entries;
}

EXPORT(zip_name) const char *js_zip_name(const struct zip *z, size_t i)
{
	return z->entries[i].name;
}

EXPORT(zip_fault) const char *js_zip_fault(const struct zip *z, size_t i)
{
	return z->entries[i].fault;
}

/** Of an entry: 0 where it begins, 1 its length, 2 whether it is deflated. */
EXPORT(zip_number) double js_zip_number(const struct zip *z, size_t i, int which)
{
	const struct entry *e = &z->entries[i];
	return which == 0 ? (double)e->begin : which == 1 ? (double)e->length : e->deflated;
}

EXPORT(zip_free) void js_zip_free(struct zip *z)
{
	forget_entries(z);
	for (size_t i = 0; i < z->n_ranges; i++)
		free(z->ranges[i].bytes);
	free(z->entries);
	free(z->ranges);
	free(z);
}
