/* SPDX-License-Identifier: MIT */
/*
 * Format and compression from -f, -z and the name of the output. Example: `-o pages.warc.zst` gives format warc and
 * compression zst, unless -f or -z say otherwise; a name that says nothing gives the defaults.
 */
#include "run/output_kind.h"

#include "archive/stream/record.h"
#include "base/decimal.h"
#include "base/near_name.h"
#include "base/printable.h"

enum { SHOWN = 200 };

/* Of the archives that can be read, without compression. */
static const char *const archive_suffix[] = { RECORD_WARC_SUFFIX, RECORD_ARC_SUFFIX, NULL };

static bool has_levels(const struct encoder_ops *e)
{
	return e->level_max > 0;
}

/* ---- what help and messages say ---- */

/* What stands between item number `i` and the one before it; `last`: it is the last one. */
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
			   has_levels(encoder_table[i]) ? "[:LEVEL]" : "");
	return buf_status(out);
}

int output_compress_help(struct buf *out)
{
	buf_append_text(out, "output compression; LEVEL is");
	const char *separator = " ";

	for (const struct encoder_ops *const *e = encoder_table; *e; e++) {
		if (!has_levels(*e))
			continue;
		buf_printf(out, "%s%d to %d for %s (%d when not given)", separator, (*e)->level_min, (*e)->level_max,
			   (*e)->name, (*e)->level_default);
		separator = ", ";
	}
	return buf_status(out);
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

/* What is cut off the name of an input: ".warc or .arc and .gz or .zst" */
static void archive_suffixes(struct buf *out)
{
	for (size_t i = 0; archive_suffix[i]; i++)
		buf_printf(out, "%s%s", between(i, !archive_suffix[i + 1]), archive_suffix[i]);
	buf_append_text(out, " and ");
	for (size_t i = 0; codec_containers[i]; i++)
		buf_printf(out, "%s%s", between(i, !codec_containers[i + 1]), codec_containers[i]->suffix);
}

int output_dir_help(struct buf *out)
{
	buf_append_text(out, "one output in DIR for each input: its base name without ");
	archive_suffixes(out);
	buf_append_text(out, ", plus ");
	format_suffixes(out);
	buf_append_text(out, ", plus ");
	encoder_suffixes(out);
	return buf_append_text(out, " where it is compressed; excludes -o");
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

/* Takes the suffix of compression off, then that of an archive, which must be there for true. */
static bool cut_suffixes(struct slice *name)
{
	for (size_t i = 0; codec_containers[i] && !cut_suffix(name, codec_containers[i]->suffix);)
		i++;
	for (size_t i = 0; archive_suffix[i]; i++) {
		if (cut_suffix(name, archive_suffix[i]))
			return true;
	}
	return false;
}

struct slice output_base_name(struct slice name)
{
	(void)cut_suffixes(&name);
	return name;
}

bool output_is_archive_name(struct slice name)
{
	return cut_suffixes(&name);
}

/* ---- what was asked for ---- */

/* near_name_refuse with what `append` lists. */
static int refuse(const struct near_name *near, const char *where, int (*append)(struct buf *out), struct error *err)
{
	struct buf expected = { 0 };
	append(&expected);
	int status = buf_append_byte(&expected, 0);
	status = status == DANA_OK ? near_name_refuse(near, where, (const char *)expected.data, err)
				   : error_no_memory(err);
	buf_free(&expected);
	return status;
}

static int find_format(struct output_kind *kind, const char *name, struct error *err)
{
	struct near_name near = near_name_of(slice_from_text(name));

	kind->format = sink_find(name);
	if (kind->format)
		return DANA_OK;
	for (size_t i = 0; sink_table[i]; i++)
		near_name_offer(&near, sink_table[i]->name);
	return refuse(&near, "--format", output_format_argument, err);
}

static int read_level(struct output_kind *kind, const char *text, struct error *err)
{
	const struct encoder_ops *e = kind->encoder;
	char shown[SHOWN];
	uint64_t level;

	printable(slice_from_text(text), shown, sizeof(shown));
	if (!has_levels(e))
		return error_set(err, DANA_ECONFIG, "--compress: %s has no level '%s'; expected %s", e->name, shown,
				 e->name);
	if (!decimal_with_unit(slice_from_text(text), &level) || level < (uint64_t)e->level_min ||
	    level > (uint64_t)e->level_max)
		return error_set(err, DANA_ECONFIG, "--compress: level '%s' of %s is out of range; expected %d to %d",
				 shown, e->name, e->level_min, e->level_max);
	kind->level = (int)level;
	return DANA_OK;
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
	return text[name.len] ? read_level(kind, text + name.len + 1, err) : DANA_OK;
}

/* Cuts off the end of the name that names a compression, and returns that compression; NULL without one. */
static const char *compress_of_name(struct slice *name)
{
	for (size_t i = 0; encoder_table[i]; i++) {
		if (cut_suffix(name, encoder_table[i]->suffix))
			return encoder_table[i]->name;
	}
	return NULL;
}

static const char *format_of_name(struct slice *name)
{
	for (size_t i = 0; sink_table[i]; i++) {
		if (cut_suffix(name, sink_table[i]->suffix))
			return sink_table[i]->name;
	}
	return NULL;
}

/* "parquet" of "out/x.parquet"; empty where the base name has no dot, or only one at its beginning. */
static struct slice extension_of(struct slice name)
{
	size_t dot = name.len;

	while (dot > 0 && name.data[dot - 1] != '.' && name.data[dot - 1] != '/')
		dot--;
	if (dot < 2 || name.data[dot - 1] == '/' || name.data[dot - 2] == '/')
		return slice_of(NULL, 0);
	return slice_skip(name, dot - 1);
}

static int known_extensions(struct buf *out)
{
	format_suffixes(out);
	buf_append_text(out, ", with ");
	encoder_suffixes(out);
	return buf_append_text(out, " after it where it is compressed, or --format");
}

/* A name that ends in a format that does not exist would give a file that is not what it is called. */
static int check_extension(struct slice name, struct error *err)
{
	struct slice extension = extension_of(name);
	struct near_name near = near_name_of(extension);

	if (extension.len == 0)
		return DANA_OK;
	for (size_t i = 0; sink_table[i]; i++)
		near_name_offer(&near, sink_table[i]->suffix);
	for (size_t i = 0; encoder_table[i]; i++)
		near_name_offer(&near, encoder_table[i]->suffix);
	return refuse(&near, "--output", known_extensions, err);
}

int output_kind_find(struct output_kind *kind, const struct output_wish *wish, struct error *err)
{
	struct slice name = slice_from_text(wish->name ? wish->name : "");
	const char *compress = compress_of_name(&name);
	const char *format = format_of_name(&name);

	if (!format && !wish->format && check_extension(name, err) < 0)
		return err->status;
	if (wish->compress)
		compress = wish->compress;
	else if (!compress)
		compress = wish->each_input ? OUTPUT_COMPRESS_DIR_DEFAULT : OUTPUT_COMPRESS_DEFAULT;
	if (wish->format)
		format = wish->format;

	int status = find_format(kind, format ? format : OUTPUT_FORMAT_DEFAULT, err);
	return status < 0 ? status : find_encoder(kind, compress, err);
}
