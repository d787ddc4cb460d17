/* SPDX-License-Identifier: MIT */
/*
 * Format and compression from -f, -z and the name of the output, then the output itself: FILE and its rejects,
 * FILE.rejects.jsonl. Where the rejects cannot be opened, the output is discarded again.
 *
 * Example: `-o pages.warc.zst` gives format warc and compression zstd, unless -f or -z name others; a name without a
 * known suffix gives the defaults.
 */
#include "run/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/record.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/file.h"

enum { SHOWN = 200 };

/* ---- what help and messages say ---- */

/* What separates item number `i` and the one before it; `last`: it is the last one. */
static const char *between(size_t i, bool last)
{
	return i == 0 ? "" : last ? " or " : ", ";
}

int output_format_argument(struct buf *out)
{
	for (size_t i = 0; sink_table[i]; i++)
		buf_printf(out, "%s%s", i ? "|" : "", sink_table[i]->name);
	return buf_status(out);
}

int output_compress_argument(struct buf *out)
{
	for (size_t i = 0; encoder_table[i]; i++)
		buf_printf(out, "%s%s%s", i ? "|" : "", encoder_table[i]->name,
			   encoder_table[i]->level_max > 0 ? "[:LEVEL]" : "");
	return buf_status(out);
}

int output_compress_help(struct buf *out)
{
	buf_append_text(out, "LEVEL is");
	const char *separator = " ";
	for (const struct encoder_ops *const *e = encoder_table; *e; e++) {
		if ((*e)->level_max <= 0)
			continue;
		buf_printf(out, "%s%d to %d for %s (default %d)", separator, (*e)->level_min, (*e)->level_max,
			   (*e)->name, (*e)->level_default);
		separator = ", ";
	}
	return buf_append_byte(out, '.');
}

/* ".jsonl or .warc" */
static void format_suffixes(struct buf *out)
{
	for (size_t i = 0; sink_table[i]; i++)
		buf_printf(out, "%s%s", between(i, !sink_table[i + 1]), sink_table[i]->suffix);
}

/* ".gz or .zst": encoders without a suffix come first in the table. */
static void encoder_suffixes(struct buf *out)
{
	size_t n = 0;
	for (size_t i = 0; encoder_table[i]; i++) {
		if (encoder_table[i]->suffix[0])
			buf_printf(out, "%s%s", between(n++, !encoder_table[i + 1]), encoder_table[i]->suffix);
	}
}

int output_dir_help(struct buf *out)
{
	buf_append_text(out, "The name of an output is the base name of its input without ");
	/* What is cut off the name of an input: ".warc or .arc and .gz or .zst" */
	for (size_t i = 0; record_suffixes[i]; i++)
		buf_printf(out, "%s%s", between(i, !record_suffixes[i + 1]), record_suffixes[i]);
	buf_append_text(out, " and ");
	for (size_t i = 0; codec_containers[i]; i++)
		buf_printf(out, "%s%s", between(i, !codec_containers[i + 1]), codec_containers[i]->suffix);
	buf_append_text(out, ", plus ");
	format_suffixes(out);
	buf_append_text(out, ", plus ");
	encoder_suffixes(out);
	return buf_append_text(out,
			       " if it is compressed. Any name will do; a dot at its beginning becomes _, and of a "
			       "very long name the end becomes a digest. Folders below a folder that is named are "
			       "kept: with -r, crawls/a/x.warc.gz becomes DIR/a/x.jsonl.zst.");
}

/* ---- names ---- */

static bool cut_suffix(struct slice *name, const char *suffix)
{
	size_t n = strlen(suffix);
	if (n == 0 || name->len < n || memcmp(name->data + name->len - n, suffix, n) != 0)
		return false;
	name->len -= n;
	return true;
}

struct slice output_base_name(struct slice name)
{
	(void)record_file_name(&name);
	return name;
}

bool output_is_archive_name(struct slice name)
{
	return record_file_name(&name);
}

/* ---- what was asked for ---- */

/* near_name_refuse with what `append` lists. Many users want Parquet, which only the Python package writes. */
static int refuse(const struct near_name *near, const char *where, int (*append)(struct buf *out), struct error *err)
{
	struct buf expected = { 0 };
	append(&expected);
	struct slice wanted = near->wanted;
	if (cut_suffix(&wanted, "parquet"))
		buf_append_text(&expected,
				"; Parquet is written by the Python package: python3 -c 'import danatext; "
				"danatext.scan(\"INPUT\").to_parquet(\"FILE\")' (needs pip install pyarrow)");
	int status = buf_append_byte(&expected, 0);
	status = status == DANA_OK ? near_name_refuse(near, where, (const char *)expected.data, err)
				   : error_no_memory(err);
	buf_free(&expected);
	return status;
}

static int find_encoder(struct output_kind *kind, const char *text, struct error *err)
{
	struct slice name = slice_of(text, strcspn(text, ":"));
	struct near_name near = near_name_of(name);
	kind->encoder = encoder_find(name);
	if (!kind->encoder) {
		for (size_t i = 0; encoder_table[i]; i++)
			near_name_offer(&near, encoder_table[i]->name);
		return refuse(&near, "--compress", output_compress_argument, err);
	}
	kind->level = kind->encoder->level_default;
	if (!text[name.len])
		return DANA_OK;
	const char *written = text + name.len + 1;
	const struct encoder_ops *e = kind->encoder;
	char shown[SHOWN];
	uint64_t level;
	printable(slice_from_text(written), shown, sizeof(shown));
	if (e->level_max <= 0)
		return error_set(err, DANA_ECONFIG, "--compress: %s has no level '%s'; expected %s", e->name, shown,
				 e->name);
	if (!decimal_with_unit(slice_from_text(written), &level) || level < (uint64_t)e->level_min ||
	    level > (uint64_t)e->level_max)
		return error_set(err, DANA_ECONFIG, "--compress: level '%s' of %s is out of range; expected %d to %d",
				 shown, e->name, e->level_min, e->level_max);
	kind->level = (int)level;
	return DANA_OK;
}

static int known_extensions(struct buf *out)
{
	format_suffixes(out);
	buf_append_text(out, ", with ");
	encoder_suffixes(out);
	return buf_append_text(out, " after it where it is compressed, or --format");
}

struct slice output_extension(struct slice name)
{
	size_t dot = name.len;
	while (dot > 0 && name.data[dot - 1] != '.' && name.data[dot - 1] != '/')
		dot--;
	if (dot < 2 || name.data[dot - 1] == '/' || name.data[dot - 2] == '/')
		return slice_of(NULL, 0);
	return slice_skip(name, dot - 1);
}

/* A name that ends in a format that does not exist would give a file that is not what it is called. */
static int check_extension(struct slice name, struct error *err)
{
	const struct slice extension = output_extension(name);
	if (!extension.len)
		return DANA_OK;
	struct near_name near = near_name_of(extension);
	for (size_t i = 0; sink_table[i]; i++)
		near_name_offer(&near, sink_table[i]->suffix);
	for (size_t i = 0; encoder_table[i]; i++)
		near_name_offer(&near, encoder_table[i]->suffix);
	return refuse(&near, "--output", known_extensions, err);
}

int output_kind_find(struct output_kind *kind, const struct output_wish *wish, struct error *err)
{
	struct slice name = slice_from_text(wish->name ? wish->name : "");
	const char *compress = NULL, *format = NULL;
	for (size_t i = 0; encoder_table[i] && !compress; i++)
		compress = cut_suffix(&name, encoder_table[i]->suffix) ? encoder_table[i]->name : NULL;
	for (size_t i = 0; sink_table[i] && !format; i++)
		format = cut_suffix(&name, sink_table[i]->suffix) ? sink_table[i]->name : NULL;

	if (!format && !wish->format && check_extension(name, err) < 0)
		return err->status;
	if (wish->compress)
		compress = wish->compress;
	else if (!compress)
		compress = wish->each_input ? OUTPUT_COMPRESS_DIR_DEFAULT : OUTPUT_COMPRESS_DEFAULT;
	if (wish->format)
		format = wish->format;

	if (!format)
		format = OUTPUT_FORMAT_DEFAULT;
	struct near_name near = near_name_of(slice_from_text(format));
	kind->format = sink_find(format);
	if (kind->format)
		return find_encoder(kind, compress, err);
	for (size_t i = 0; sink_table[i]; i++)
		near_name_offer(&near, sink_table[i]->name);
	return refuse(&near, "--format", output_format_argument, err);
}

int outputs_check(const char *file, bool rejects, enum output_way way, struct error *err)
{
	int status = part_file_check(file, way, err);
	if (status < 0 || !rejects)
		return status;
	char *name = path_with(file, OUTPUTS_REJECTS_SUFFIX);
	status = name ? part_file_check(name, way, err) : error_no_memory(err);
	free(name);
	return status;
}

int outputs_check_spare(const char *input, const char *output, struct error *err)
{
	struct stat in, out;
	char shown[SHOWN];
	bool standard = strcmp(input, "-") == 0;
	if (stat(output, &out) < 0 || !S_ISREG(out.st_mode) ||
	    (standard ? fstat(STDIN_FILENO, &in) : stat(input, &in)) < 0)
		return DANA_OK;
	if (in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s is an input, and would be overwritten; give another output",
			 printable(slice_from_text(output), shown, sizeof(shown)));
}

int outputs_check_new(const char *output, bool force, struct error *err)
{
	struct stat out;
	char shown[SHOWN];
	if (force || stat(output, &out) < 0 || !S_ISREG(out.st_mode))
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s exists; --force overwrites it",
			 printable(slice_from_text(output), shown, sizeof(shown)));
}

static int state_fault(const char *file, int error, struct error *err)
{
	return error_set(err, error == ENOMEM ? DANA_ENOMEM : DANA_EIO, "%s%s: %s", file, OUTPUT_STATE_SUFFIX,
			 system_text(error));
}

int outputs_read_state(const char *file, struct buf *state, struct error *err)
{
	char *name = path_with(file, OUTPUT_STATE_SUFFIX);
	int error = name ? durable_read(name, state) : ENOMEM;
	int status = DANA_OK;
	if (error == ENOENT)
		status = OUTPUTS_NO_STATE;
	else if (error)
		status = state_fault(file, error, err);
	free(name);
	return status;
}

int outputs_remove_state(const char *file, struct error *err)
{
	char *name = path_with(file, OUTPUT_STATE_SUFFIX);
	int error = name ? durable_remove(name) : ENOMEM;
	free(name);
	return error ? state_fault(file, error, err) : DANA_OK;
}

int outputs_open(struct outputs *o, struct loop *loop, const char *file, bool rejects, enum output_way way,
		 const bool *given_up, struct error *err)
{
	*o = (struct outputs){ 0 };
	int status = file ? output_open_file(&o->documents, loop, file, way, given_up, err)
			  : output_open_stdout(&o->documents, loop, err);
	if (status < 0 || !rejects || !file)
		return status;
	char *name = path_with(file, OUTPUTS_REJECTS_SUFFIX);
	status = name ? DANA_OK : error_no_memory(err);
	uint64_t size;
	if (status == DANA_OK && way == OUTPUT_RESUME && output_kept(o->documents, &size) && part_file_is_final(name)) {
		/* At the end the rejects get their name first. Where the run before was killed between the two, they
		 * are taken back. */
		char *part = path_with(name, OUTPUT_PART_SUFFIX);
		if (!part)
			status = error_no_memory(err);
		else if (rename(name, part) < 0)
			status = error_set(err, DANA_EIO, "%s: %s", name, system_text(errno));
		free(part);
	}
	if (status == DANA_OK)
		status = output_open_file(&o->rejects, loop, name, way, given_up, err);
	free(name);
	if (status < 0)
		(void)output_finish(o->documents, OUTPUT_DISCARD, NULL);
	return status;
}

void outputs_on_progress(struct outputs *o, void (*moved)(void *arg), void *arg)
{
	output_on_progress(o->documents, moved, arg);
	if (o->rejects)
		output_on_progress(o->rejects, moved, arg);
}

void outputs_hurry(struct outputs *o)
{
	if (o->documents)
		output_hurry(o->documents);
	if (o->rejects)
		output_hurry(o->rejects);
}

bool outputs_full(const struct outputs *o)
{
	return output_queued(o->documents) >= OUTPUT_SOFT_LIMIT ||
	       (o->rejects && output_queued(o->rejects) >= OUTPUT_SOFT_LIMIT);
}

int outputs_failed(const struct outputs *o, struct error *err)
{
	int status = output_failed(o->documents, err);
	return status < 0 || !o->rejects ? status : output_failed(o->rejects, err);
}

void outputs_finish(struct outputs *o, enum output_end end, struct error *err)
{
	/* The rejects first: a FILE that is there means that all of the job is done. */
	if (o->rejects)
		(void)output_finish(o->rejects, end, err);
	(void)output_finish(o->documents, err->status == DANA_OK || end == OUTPUT_DISCARD ? end : OUTPUT_PART, err);
}

void outputs_free(struct outputs *o)
{
	output_free(o->documents);
	output_free(o->rejects);
	*o = (struct outputs){ 0 };
}
