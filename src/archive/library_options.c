/* SPDX-License-Identifier: MIT */
/* Options of the library: those of `dana filter`, read by the same code, with the same defaults. */
#include "config.h"

#include <stdio.h>

#include "archive/library_private.h"
#include "archive/plugin/plugins.h"
#include "archive/sink/formats.h"
#include "base/file/whole_file.h"

enum { BATCH_ROWS = 1024, BATCH_BYTES = 4 << 20 };

void library_read_options(struct dana_archive_options *to, const struct dana_archive_options *from)
{
	*to = (struct dana_archive_options){ 0 };
	if (from)
		memcpy(to, from, from->struct_size < sizeof(*to) ? from->struct_size : sizeof(*to));
}

int library_not_made(const struct dana_archive_options *options, int status, const char *why)
{
	struct dana_archive_options o;
	library_read_options(&o, options);
	if (o.error && o.error_size)
		(void)snprintf(o.error, o.error_size, "%s", why);
	return status;
}

static void read_limits(struct limits *to, const struct dana_limits *given)
{
	struct dana_limits l = { 0 };
	*to = (struct limits)LIMITS_DEFAULT;
	if (given)
		memcpy(&l, given, given->struct_size < sizeof(l) ? given->struct_size : sizeof(l));
#define LIMIT(member, type) \
	if (l.member) \
	to->member = (type)l.member
	LIMIT(head, size_t);
	LIMIT(head_line, size_t);
	LIMIT(block, uint64_t);
	LIMIT(http_head, size_t);
	LIMIT(http_lines, unsigned);
	LIMIT(body, uint64_t);
	LIMIT(codings, unsigned);
	LIMIT(expansion, unsigned);
	LIMIT(window, size_t);
	LIMIT(text, size_t);
	LIMIT(depth, unsigned);
	LIMIT(work, unsigned);
#undef LIMIT
}

static int read_plugins(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	struct plugin_rows rows = { .n = 0 };
	int status = DANA_OK;
	for (size_t i = 0; i < o->n_plugins && status == DANA_OK; i++)
		status = plugin_rows_parse(&rows, o->plugins[i], "plugins", err);
	if (status < 0)
		return status;
	const struct plugins_config config = {
		.choice = { .types = o->types,
			    .statuses = o->statuses,
			    .mimes = o->media_types,
			    .min_chars = o->min_chars ? o->min_chars : !(o->flags & DANA_TAKE_EMPTY) },
		.rows = o->n_plugins ? &rows : NULL,
		.folder = o->plugin_folder ? o->plugin_folder : DANA_PLUGIN_FOLDER,
		.max_html = a->limits.body,
		.quiet = true,
	};
	a->plugins = plugins_new(&config, err);
	if (!a->plugins)
		return (int)err->status;
	const char *ordered = plugins_ordered(a->plugins);
	return ordered ? error_set(err, DANA_ECONFIG,
				   "plugin %s: needs the pages of a whole run in their order; use `dana filter`",
				   ordered)
		       : DANA_OK;
}

static int open_sink(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	struct sink_config config = { .schema = SCHEMA_DANA };
	if (o->schema && !sink_schema_find(o->schema, &config.schema))
		return error_set(err, DANA_ECONFIG, "schema '%s' is unknown; expected dana, datatrove or dolma",
				 o->schema);
	a->sink = sink_jsonl.open(&config);
	return a->sink ? DANA_OK : error_no_memory(err);
}

static int open_processor(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	if ((o->flags & DANA_NO_DIGEST) && (o->flags & (DANA_CHECK_DIGESTS | DANA_REQUIRE_DIGEST)))
		return error_set(err, DANA_ECONFIG,
				 "DANA_NO_DIGEST excludes DANA_CHECK_DIGESTS and DANA_REQUIRE_DIGEST");
	const struct processor_config config = {
		.limits = &a->limits,
		.plugins = a->plugins,
		.needs_uri = (o->flags & DANA_NEEDS_URI) != 0,
		.take_unreadable = o->min_chars == 0 && (o->flags & DANA_TAKE_EMPTY) != 0,
		.check_digests = o->flags & DANA_CHECK_DIGESTS ? DIGESTS_ALWAYS
				 : o->flags & DANA_NO_DIGEST   ? DIGESTS_NEVER
							       : DIGESTS_AUTO,
		.require_digest = (o->flags & DANA_REQUIRE_DIGEST) != 0,
		.digest_optional = true,
		.want_html = (o->flags & DANA_WANT_HTML) != 0,
		.want_blocks = (o->flags & DANA_WANT_BLOCKS) != 0,
		.method = o->method ? o->method : DANA_DEFAULT_METHOD,
		.dates = &a->dates,
		.read_file = o->read_file ? o->read_file : whole_file_read,
		.read_arg = o->read_arg,
		.texts = { .structure = o->structure,
			   .markdown = o->markdown,
			   .others = o->more_methods,
			   .n_others = o->n_more_methods },
	};
	a->processor = processor_new(&config, &a->outcomes, err);
	if (!a->processor)
		return (int)err->status;
	processor_input(a->processor, a->name);
	return DANA_OK;
}

static int note_before(void *dates, const struct record *rec)
{
	return archive_dates_note(dates, rec);
}

/* Returns whether no document is queued, and no pause is due. Called before each piece. */
static bool wants_input(void *archive)
{
	struct dana_archive *a = archive;
	return a->n == 0 && (a->pieces == 0 || a->piece++ < a->pieces);
}

static int open_pump(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	const struct pump_config config = { .next = processor_records(a->processor),
					    .limits = &a->limits,
					    .wants_input = wants_input,
					    .arg = a,
					    .seekable = o->size > 0,
					    .source_size = o->size ? o->size : UINT64_MAX,
					    .begin = a->place.offset,
					    .end = o->end,
					    .before = note_before,
					    .before_arg = &a->dates };
	if (o->end && o->end <= a->place.offset)
		return error_set(err, DANA_ECONFIG, "the range ends before it begins");
	a->pump = pump_new(&config);
	return a->pump ? DANA_OK : error_no_memory(err);
}

int library_configure(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	if (!library_has_texts(o->plugins, o->n_plugins) || !library_has_texts(o->more_methods, o->n_more_methods))
		return error_set(err, DANA_ECONFIG, "a plugin or a method is NULL");
	a->name = o->name ? o->name : "-";
	a->outcome = o->outcome;
	a->outcome_arg = o->outcome_arg;
	a->stats.inputs = 1;
	a->keeps_rejects = (o->flags & DANA_KEEP_REJECTS) != 0;
	a->wants_html = (o->flags & DANA_WANT_HTML) != 0;
	a->structure = o->structure;
	a->pieces = o->pieces;
	a->batch_rows = o->batch_rows ? o->batch_rows : BATCH_ROWS;
	a->batch_bytes = o->batch_bytes ? o->batch_bytes : BATCH_BYTES;
	read_limits(&a->limits, o->limits);
	int status = read_plugins(a, o, err);
	if (status == DANA_OK)
		status = open_sink(a, o, err);
	if (status == DANA_OK)
		status = open_processor(a, o, err);
	a->place.offset = o->begin;
	if (status == DANA_OK && o->place)
		status = library_read_place(&a->place, o->place, err);
	if (status == DANA_OK)
		status = open_pump(a, o, err);
	a->stats.plugins = a->plugins ? plugins_names(a->plugins) : NULL;
	return status;
}
