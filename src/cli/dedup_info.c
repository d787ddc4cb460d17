/* SPDX-License-Identifier: MIT */
/* `dana dedup info`, `dana dedup verify` and `dana dedup estimate`. */
#include "config.h"

#include <stdlib.h>

#include "base/printable.h"
#include "cli/dedup.h"
#include "dedup/estimate.h"
#include "dedup/line_table.h"
#include "dedup/names.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "dedup/text_index.h"

enum { INPUTS_SHOWN = 20 };

static void put_count(struct buf *out, const char *what, uint64_t count)
{
	buf_printf(out, "  %-12s %llu\n", what, (unsigned long long)count);
}

static const char *shown(const char *name)
{
	static char text[512];

	return printable(slice_from_text(name), text, sizeof(text));
}

static void put_more(struct buf *out, size_t n)
{
	if (n > INPUTS_SHOWN)
		buf_printf(out, "  and %zu inputs more\n", n - INPUTS_SHOWN);
}

static int describe_signatures(const char *path, struct buf *out, struct error *err)
{
	struct signature_file f;
	int status = signature_file_open(&f, path, err);

	if (status < 0)
		return status;
	put_count(out, "documents", f.count);
	put_count(out, "buckets", index_file_count(&f.file, SIGNATURES_BUCKETS));
	buf_printf(out, "  %-12s %u of %u rows; chance to be found, by similarity:\n", "bands", f.shape.bands,
		   f.shape.rows);
	bands_curve(f.shape, out);
	put_count(out, "inputs", f.parts.n);
	for (size_t i = 0; i < f.parts.n && i < INPUTS_SHOWN; i++)
		buf_printf(out, "  %12u %s\n", f.parts.items[i].count, shown(f.parts.items[i].name));
	put_more(out, f.parts.n);
	signature_file_close(&f);
	return DANA_OK;
}

static int describe_rows(const char *path, struct buf *out, struct error *err)
{
	struct rows_file f;
	uint64_t documents = 0, dropped = 0;
	int status = rows_file_open(&f, path, err);

	if (status < 0)
		return status;
	for (size_t i = 0; i < f.parts.n; i++) {
		documents += f.parts.items[i].count;
		dropped += rows_dropped(&f, i);
	}
	put_count(out, "documents", documents);
	put_count(out, "to drop", dropped);
	put_count(out, "inputs", f.parts.n);
	for (size_t i = 0; i < f.parts.n && i < INPUTS_SHOWN; i++)
		buf_printf(out, "  %12llu of %u in %s\n", (unsigned long long)rows_dropped(&f, i),
			   f.parts.items[i].count, shown(f.parts.items[i].name));
	put_more(out, f.parts.n);
	rows_file_close(&f);
	return DANA_OK;
}

static int describe_texts(const char *path, struct buf *out, struct error *err)
{
	struct text_index t;
	int status = text_index_open(&t, path, err);

	if (status < 0)
		return status;
	put_count(out, "texts", t.count);
	put_count(out, "inputs", t.names.n_files);
	buf_printf(out, "  %-12s %s\n", "compared", t.small ? "in small letters" : "as they are written");
	text_index_close(&t);
	return DANA_OK;
}

static int describe_lines(const char *path, struct buf *out, struct error *err)
{
	struct line_table t;
	int status = line_table_open(&t, path, err);

	if (status < 0)
		return status;
	buf_printf(out, "  %-12s %s\n", "counted", t.by_site ? "by site" : "over all pages");
	put_count(out, "pages", t.pages);
	if (t.by_site)
		put_count(out, "sites", t.n_scopes);
	put_count(out, "lines", t.n_lines);
	put_count(out, "least count", t.least);
	line_table_close(&t);
	return DANA_OK;
}

static int describe(const char *path, struct buf *out, struct error *err)
{
	struct index_file f;
	int status = index_file_open(&f, path, INDEX_ANY, err);

	if (status < 0)
		return status;
	buf_printf(out, "%s: %s\n", shown(path), index_kind_words(f.kind));
	put_count(out, "bytes", f.length);
	put_count(out, "version", index_kind_version(f.kind));
	enum index_kind kind = f.kind;
	index_file_close(&f);
	switch (kind) {
	case INDEX_SIGNATURES:
		return describe_signatures(path, out, err);
	case INDEX_ROWS:
		return describe_rows(path, out, err);
	case INDEX_TEXTS:
		return describe_texts(path, out, err);
	case INDEX_LINES:
		return describe_lines(path, out, err);
	default:
		return DANA_OK;
	}
}

int dedup_info(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	int code = EXIT_DONE;

	(void)s;
	for (size_t i = 0; i < a->n; i++) {
		struct error err = { 0 };
		struct buf out = { 0 };
		int status = describe(a->names[i], &out, &err);
		if (status == DANA_OK && buf_status(&out) < 0)
			status = error_no_memory(&err);
		int printed =
			status < 0 ? command_failed(a->command, &err) : command_print(a->command, buf_slice(&out));
		code = printed > code ? printed : code;
		buf_free(&out);
	}
	return code;
}

/* Reads the file whole, and in its kind's own way too. */
static int verify(const char *path, struct error *err)
{
	struct index_file f;
	struct buf unused = { 0 };
	int status = index_file_open(&f, path, INDEX_ANY, err);

	if (status == DANA_OK) {
		status = index_file_verify(&f, err);
		index_file_close(&f);
	}
	if (status == DANA_OK)
		status = describe(path, &unused, err);
	buf_free(&unused);
	return status;
}

int dedup_verify(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct dedup_names names = { 0 };
	struct error err = { 0 };
	int code = EXIT_DONE;

	(void)s;
	if (dedup_names_gather(&names, a->names, a->n, DEDUP_SUFFIX, &err) < 0)
		code = command_failed(a->command, &err);
	for (size_t i = 0; i < names.n && code != EXIT_FAULT; i++) {
		struct error fault = { 0 };
		struct buf line = { 0 };
		int status = verify(names.items[i], &fault);
		if (status == DANA_OK)
			buf_printf(&line, "%s: good\n", shown(names.items[i]));
		else
			command_message(a->command, "%s", fault.text);
		if (status == DANA_OK)
			code = command_print_made(a->command, DANA_OK, &line) == EXIT_DONE ? code : EXIT_FAULT;
		else
			code = status == DANA_EFORMAT ? EXIT_DAMAGE : EXIT_FAULT;
		buf_free(&line);
	}
	dedup_names_free(&names);
	return code;
}

int dedup_estimate(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct buf out = { 0 };
	const struct dedup_amounts amounts = {
		s->documents, s->chars, s->lines, s->repeated, s->duplicates, s->memory
	};
	return command_print_made(a->command, dedup_forecast(&amounts, &out), &out);
}
