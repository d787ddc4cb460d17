/* SPDX-License-Identifier: MIT */
/*
 * The implementation of dana/archive.h: the pump pushes records into the processor, whose documents are copied and
 * queued until they are taken. The pump pauses while the queue is not empty, so that it holds at most the documents of
 * one step.
 */
#include "config.h"

#include "base/library.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/batch.h"
#include "archive/document.h"
#include "archive/plugin/chain.h"
#include "archive/plugin/plugins.h"
#include "archive/processor.h"
#include "archive/pump.h"
#include "archive/record.h"
#include "archive/report_page.h"
#include "archive/single_page.h"
#include "archive/sink/sink.h"
#include "archive/stats.h"
#include "archive/survey.h"
#include "archive/warc/field.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/status.h"
#include "dana/archive.h"

/* What other layouts of JSONL have where the record does not say it. */
struct library_made {
	char id[CONVERSION_ID + 1];
	char created[WARC_DATE_MAX]; /* "": the record's own date can be read */
};

/* How far an archive is read, to resume there. */
struct library_place {
	uint64_t offset, n; /* of the document taken last; how many that have it were taken */
	uint64_t pass;      /* documents that are still to be passed over */
};

struct dana_archive {
	struct document_sink outcomes; /* of the processor */
	struct plugin_chain *ordered;  /* NULL: no plugin compares pages */
	struct limits limits;
	struct plugins *plugins;
	struct processor *processor;
	struct archive_dates dates;
	char damaged[120]; /* what is wrong with all of the input */
	struct pump *pump;
	struct sink *sink;
	const char *name;
	bool begun; /* bytes were pushed, or the input has ended */
	bool ended; /* the input has ended */
	int answer; /* of the pump */
	struct error error;
	struct stats stats;
	struct survey *survey; /* NULL: no report is wanted, or an archive that continues this one has it */
	void (*outcome)(void *outcome_arg, const struct dana_outcome *outcome);
	void *outcome_arg;
	const struct site_sources *sites; /* NULL: nothing is known of sites */
	struct buf reason;

	struct arena *memory; /* of queued documents */
	struct buf waiting;   /* struct library_document */
	size_t n, taken;
	struct buf line, counts;
	struct library_made made; /* of the document taken last */

	bool keeps_rejects;
	unsigned with;              /* fields: a set of 1 << enum field_condition */
	struct buf rejects, given;  /* lines; those that were given last */
	unsigned pieces, piece;     /* most, and used since the last call; 0: no limit */
	struct library_place place; /* after the document taken last */

	struct document_batch *batch; /* made for the first batch */
	uint64_t batch_rows, batch_bytes;
	bool batch_waits;                 /* it has rows, which are not passed on yet, */
	struct library_place batch_place; /* and where the archive stood before them */

	bool within;   /* a call that moves the archive on runs, and with it perhaps a function of the caller's */
	bool dropped;  /* that has called dana_archive_free: the call frees the archive when it returns */
	bool exported; /* a stream owns the archive */

	struct dana_reader reader; /* zeroed: the caller pushes */
	uint8_t *bytes;            /* bytes read */
	size_t used;               /* of `bytes` */
	bool seekable;
};

/* Returns whether each of `n` texts is there. */
static bool has_texts(const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!texts || !texts[i])
			return false;
	}
	return true;
}

#define NO_PLACE "the place for the result is NULL"

/* A queued document. */
struct library_document {
	struct document document;
	struct record record;
};

/*
 * A place is the offset of the document taken last and how many documents with that offset were taken, "1234+1": a
 * member can hold many. To resume at it is to read the range from that offset, which gives the same documents as the
 * whole, and to pass over those that were taken.
 */

int dana_archive_place(const struct dana_archive *a, char *text, size_t size)
{
	if (!a || !text)
		return DANA_ESTATE;
	if (size < DANA_PLACE_SIZE)
		return DANA_ELIMIT;
	const struct library_place *p = a->batch_waits ? &a->batch_place : &a->place;
	(void)snprintf(text, size, "%llu+%llu", (unsigned long long)p->offset,
		       (unsigned long long)(p->n > p->pass ? p->n : p->pass));
	return DANA_OK;
}

/* Converts documents for callers of the library. */

#define SAME_BIT(identifier, word) \
	static_assert((int)DANA_##identifier == (int)PROBLEM_##identifier, "the sets of problems are the same");

PROBLEM_LIST(SAME_BIT)

const char *dana_problem_word(unsigned bit)
{
	return bit < PROBLEM_WORDS ? problem_word(bit) : NULL;
}

const char *dana_page_option_list(void)
{
	return page_options_json();
}

const char *dana_field_name(unsigned i)
{
	return i < DOCUMENT_FIELD_COUNT ? document_fields[i].name : NULL;
}

/* Returns what the fields are of; NULL: a page that cannot be read. */
static const struct document *fields_of(const struct dana_document *document)
{
	return document && document->struct_size > offsetof(struct dana_document, fields) ? document->fields : NULL;
}

struct dana_value dana_document_field(const struct dana_document *document, unsigned i)
{
	return document_public_value(fields_of(document), i);
}

unsigned dana_document_values(const struct dana_document *document, struct dana_value *values, unsigned n)
{
	const struct document *doc = fields_of(document);
	for (unsigned i = 0; i < n; i++)
		values[i] = document_public_value(doc, i);
	return DOCUMENT_FIELD_COUNT;
}

static struct dana_view view_of(struct slice s)
{
	return (struct dana_view){ (const char *)s.data, s.len };
}

#define TEXT_OF(name) (document_public_value(doc, FIELD_NUMBER_##name).text)

/* Fills `to` from `doc`, as far as to->struct_size reaches. A single page has no `made`. */
static void fill(struct dana_document *to, const struct document *doc, const struct record *r,
		 const struct library_made *made)
{
	const size_t size = to->struct_size;
	const struct dana_document all = {
		.struct_size = size,
		.text = TEXT_OF(text),
		.id = TEXT_OF(id),
		.url = TEXT_OF(url),
		.date = TEXT_OF(date),
		.title = TEXT_OF(title),
		.language = TEXT_OF(language),
		.content_type = TEXT_OF(content_type),
		.html = TEXT_OF(html),
		.additions = TEXT_OF(additions),
		.charset = doc->charset,
		.method = doc->method,
		.file = doc->file,
		.http_status = doc->http_status,
		.language_score = doc->with_language ? doc->language_score : -1,
		.finds_language = doc->with_language,
		.offset = r->offset,
		.length = doc->length_known ? doc->length : UINT64_MAX,
		.html_bytes = doc->html_bytes,
		.text_chars = doc->text_chars,
		.problems = doc->problems,
		.blocks = doc->blocks,
		.n_blocks = doc->n_blocks,
		.media = doc->media,
		.n_media = doc->n_media,
		.markdown = TEXT_OF(markdown),
		.made_id = !made              ? NULL
			   : r->record_id.len ? (const char *)r->record_id.data
					      : made->id,
		.created = !made              ? NULL
			   : made->created[0] ? made->created
					      : (const char *)r->date.data,
		.structure = TEXT_OF(blocks),
		.page_kind = doc->page_kind,
		.texts = doc->texts,
		.n_texts = doc->n_texts,
		.fields = doc,
	};
	memcpy(to, &all, size < sizeof(all) ? size : sizeof(all));
	if (size > sizeof(all))
		memset((char *)to + sizeof(all), 0, size - sizeof(all));
	to->struct_size = size;
}

/* Options of the library: as in `dana filter`, read by the same code, with the same defaults. */

enum { BATCH_ROWS = 1024, BATCH_BYTES = 4 << 20 };

/* Copies the members that the caller's struct_size covers; the others become zero. */
static void read_options(struct dana_archive_options *to, const struct dana_archive_options *from)
{
	*to = (struct dana_archive_options){ 0 };
	if (from)
		memcpy(to, from, from->struct_size < sizeof(*to) ? from->struct_size : sizeof(*to));
}

/* Writes why no archive is made, as dana_archive_options.error describes. Returns `status`. */
static int not_made(const struct dana_archive_options *options, int status, const char *why)
{
	struct dana_archive_options o;
	read_options(&o, options);
	if (o.error && o.error_size)
		(void)snprintf(o.error, o.error_size, "%s", why);
	return status;
}

static int read_plugins(struct dana_archive *a, const struct dana_archive_options *o, bool metadata, struct error *err)
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
		.keeps_nothing = true,
		.metadata = metadata,
	};
	a->plugins = o->continues ? plugins_share(o->continues->plugins) : plugins_new(&config, err);
	const char *ordered = a->plugins ? plugins_ordered(a->plugins) : NULL;
	if (ordered && (o->begin || o->end || o->place))
		return error_set(err, DANA_ECONFIG,
				 "plugin %s: needs all pages of a run: no part, and no place to resume at", ordered);
	if (ordered)
		a->ordered = plugin_chain_new(a->plugins, PLUGIN_TAIL, err);
	return a->plugins && (!ordered || a->ordered) ? DANA_OK : (int)err->status;
}

static int open_processor(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	const char *method = o->method ? o->method : DANA_DEFAULT_METHOD;
	struct page_options page = PAGE_OPTIONS_OF(o);
	if (page_options_set(&page, o->options, o->n_options, err) < 0 ||
	    page_options_check(&page, method, "", err) < 0 || read_plugins(a, o, page.front, err) < 0)
		return (int)err->status;
	if ((o->flags & DANA_NO_DIGEST) && (o->flags & (DANA_CHECK_DIGESTS | DANA_REQUIRE_DIGEST)))
		return error_set(err, DANA_ECONFIG,
				 "DANA_NO_DIGEST excludes DANA_CHECK_DIGESTS and DANA_REQUIRE_DIGEST");
	const struct processor_config config = {
		.limits = &a->limits,
		.plugins = a->plugins,
		.needs_uri = (o->flags & DANA_NEEDS_URI) != 0,
		.take_unreadable = o->min_chars == 0 && (o->flags & DANA_TAKE_EMPTY) != 0,
		.choice = { .check_digests = o->flags & DANA_CHECK_DIGESTS ? DIGESTS_ALWAYS
					     : o->flags & DANA_NO_DIGEST   ? DIGESTS_NEVER
									   : DIGESTS_AUTO,
			    .require_digest = (o->flags & DANA_REQUIRE_DIGEST) != 0 },
		.digest_optional = true,
		.want_html = (o->flags & DANA_WANT_HTML) != 0,
		.want_blocks = (o->flags & DANA_WANT_BLOCKS) != 0,
		.want_survey = (o->flags & DANA_KEEP_REPORT) != 0,
		.method = method,
		.dates = &a->dates,
		.read_file = o->read_file ? o->read_file : whole_file_read,
		.read_arg = o->read_arg,
		.texts = { .page = page, .others = o->more_methods, .n_others = o->n_more_methods, .sites = a->sites },
		.revisits = (const struct revisit_source *)(const void *)o->revisits,
	};
	a->with = texts_fields(&config.texts) | (unsigned)config.want_html << WITH_HTML;
	if (config.revisits)
		a->with |= 1u << WITH_RESOLVED;
	if (plugins_needs(a->plugins).language)
		a->with |= 1u << WITH_LANGUAGE;
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

/* What the documents depend on, as lines; and the survey of the archive before it. */
static int open_survey(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	struct buf lines = { 0 };
	struct dana_archive *before = (struct dana_archive *)(uintptr_t)o->continues;
	const struct {
		const char *word, *value;
	} given[] = { { "method", o->method ? o->method : DANA_DEFAULT_METHOD },
		      { "type", o->types },
		      { "status", o->statuses },
		      { "mime", o->media_types } };
	if (before) {
		a->survey = before->survey;
		before->survey = NULL;
	}
	if (!a->survey)
		a->survey = survey_new();
	buf_printf(&lines, "program %s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		if (given[i].value)
			buf_printf(&lines, "%s %s\n", given[i].word, given[i].value);
	}
	buf_printf(&lines, "min-chars %llu\n",
		   o->flags & DANA_TAKE_EMPTY ? 0ULL : (unsigned long long)(o->min_chars ? o->min_chars : 1));
	for (size_t i = 0; i < o->n_plugins; i++)
		buf_printf(&lines, "plugin %s\n", o->plugins[i]);
	for (size_t i = 0; i < o->n_options; i++)
		buf_printf(&lines, "option %s\n", o->options[i]);
	int status = a->survey && buf_status(&lines) == DANA_OK ? survey_settings(a->survey, buf_slice(&lines))
								: DANA_ENOMEM;
	buf_free(&lines);
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

static int configure(struct dana_archive *a, const struct dana_archive_options *o, struct error *err)
{
	if (!has_texts(o->plugins, o->n_plugins) || !has_texts(o->more_methods, o->n_more_methods))
		return error_set(err, DANA_ECONFIG, "a plugin or a method is NULL");
	a->name = o->name ? o->name : "-";
	a->outcome = o->outcome;
	a->outcome_arg = o->outcome_arg;
	a->sites = (const struct site_sources *)(const void *)o->site;
	a->stats.inputs = 1;
	a->keeps_rejects = (o->flags & DANA_KEEP_REJECTS) != 0;
	a->pieces = o->pieces;
	a->batch_rows = o->batch_rows ? o->batch_rows : BATCH_ROWS;
	a->batch_bytes = o->batch_bytes ? o->batch_bytes : BATCH_BYTES;
	struct limits *to = &a->limits;
	const struct dana_limits *given = o->limits;
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
	int status = DANA_OK;
	struct sink_config config = { .schema = SCHEMA_DANA };
	if (status == DANA_OK && o->schema && !sink_schema_find(o->schema, &config.schema))
		status = error_set(err, DANA_ECONFIG, "schema '%s' is unknown; expected dana, datatrove or dolma",
				   o->schema);
	if (status == DANA_OK && !(a->sink = sink_jsonl.open(&config)))
		status = error_no_memory(err);

	if (status == DANA_OK)
		status = open_processor(a, o, err);
	a->place.offset = o->begin;
	if (status == DANA_OK && o->place) {
		const struct slice all = slice_from_text(o->place);
		const struct slice offset = slice_first(all, slice_until(all, "+"));
		const struct slice n = slice_skip(all, offset.len + 1);
		if (!decimal_number(offset, UINT64_MAX - 1, &a->place.offset) ||
		    !decimal_number(n, UINT64_MAX - 1, &a->place.pass))
			status = error_set(err, DANA_ECONFIG,
					   "the place is '%s'; expected what dana_archive_place wrote, as 1234+1",
					   o->place);
	}
	if (status == DANA_OK)
		status = open_pump(a, o, err);
	if (status == DANA_OK && o->flags & DANA_KEEP_REPORT)
		status = open_survey(a, o, err);
	a->stats.plugins = a->plugins ? plugins_names(a->plugins) : NULL;
	return status;
}

static struct library_document *waiting(const struct dana_archive *a, size_t i)
{
	return (struct library_document *)(void *)a->waiting.data + i;
}

/* Returns whether a function of the caller's, which has just returned, ended the archive: its error, or 0. */
static int after_callback(const struct dana_archive *a)
{
	return a->dropped ? DANA_ESTATE : (int)a->error.status;
}

static int keep(struct dana_archive *a, struct document *doc)
{
	if (buf_reserve(&a->waiting, sizeof(struct library_document)) < 0)
		return DANA_ENOMEM;
	a->waiting.len += sizeof(struct library_document);
	struct library_document *to = waiting(a, a->n);
	char date[WARC_DATE_MAX];
	if (!warc_date_normalise(doc->record->date, true, date))
		doc->problems |= PROBLEM_BAD_DATE;
	if (record_copy(&to->record, doc->record, a->memory) < 0 || document_copy(&to->document, doc, a->memory) < 0)
		return DANA_ENOMEM;
	a->n++;
	return DANA_OK;
}

static int take_outcome(struct document_sink *self, const struct outcome *given_outcome)
{
	struct dana_archive *a = (struct dana_archive *)self;
	struct outcome changed;
	struct record_end damage;
	const struct outcome *outcome = given_outcome;
	int status = DANA_OK;
	if (outcome->kind == OUTCOME_DOCUMENT && a->ordered) {
		changed = *given_outcome;
		status = plugin_chain_decide(a->ordered, &changed, &damage);
		outcome = &changed;
		if (status == DANA_EPLUGIN)
			(void)error_set(&a->error, DANA_EPLUGIN, "%s", plugin_chain_fault(a->ordered));
	}
	if (status == DANA_OK && outcome->kind == OUTCOME_DOCUMENT)
		status = keep(a, outcome->document);
	if (status == DANA_OK && outcome->learned.len)
		status = a->sites->take(a->sites->arg, outcome->learned);
	stats_outcome(&a->stats, outcome);
	if (status == DANA_OK && a->survey)
		status = survey_outcome(a->survey, outcome, a->name, a->stats.plugins);
	if (status == DANA_OK && a->keeps_rejects)
		status = rejects_line(outcome, a->name, a->stats.plugins, &a->rejects);
	if (!(status == DANA_OK && a->outcome))
		return status;
	const bool damaged = outcome->kind == OUTCOME_DAMAGED, document = outcome->kind == OUTCOME_DOCUMENT;
	buf_clear(&a->reason);
	if (!document && stats_reason(outcome, a->stats.plugins, &a->reason) < 0)
		return DANA_ENOMEM;
	const struct dana_outcome given = {
		.kind = document  ? DANA_OUTCOME_DOCUMENT
			: damaged ? DANA_OUTCOME_DAMAGED
				  : DANA_OUTCOME_SKIPPED,
		.reason = document ? NULL : (const char *)a->reason.data,
		.detail = view_of(damaged ? slice_from_text(outcome->damage->detail) : outcome->detail),
		.id = view_of(outcome->id),
		.url = view_of(outcome->uri),
		.offset = outcome->offset,
	};
	a->outcome(a->outcome_arg, &given);
	return after_callback(a);
}

static const struct document_sink_ops outcome_ops = { "library", take_outcome, NULL }; /* nobody finishes it */

/* ---- life ---- */

int dana_archive_new(struct dana_archive **out, const struct dana_archive_options *options)
{
	struct dana_archive_options o;
	struct error err = { 0 };
	if (!out)
		return not_made(options, DANA_ESTATE, NO_PLACE);
	struct dana_archive *a = calloc(1, sizeof(*a));
	*out = NULL;
	read_options(&o, options);
	int status = a ? DANA_OK : error_no_memory(&err);
	if (a) {
		a->outcomes.ops = &outcome_ops;
		a->memory = arena_new();
		status = a->memory ? configure(a, &o, &err) : error_no_memory(&err);
	}
	if (status == DANA_OK) {
		*out = a;
		return DANA_OK;
	}
	dana_archive_free(a);
	return not_made(options, status, err.text);
}

void dana_archive_free(struct dana_archive *a)
{
	if (!a || a->exported)
		return;
	if (a->within) {
		a->dropped = true;
		return;
	}
	a->within = true; /* `close` may do no more than read the counters */
	if (a->reader.close)
		a->reader.close(a->reader.arg);
	pump_free(a->pump);
	processor_free(a->processor);
	plugin_chain_free(a->ordered);
	plugins_free(a->plugins);
	archive_dates_free(&a->dates);
	if (a->sink)
		a->sink->ops->close(a->sink);
	arena_free(a->memory);
	buf_free(&a->waiting);
	buf_free(&a->reason);
	buf_free(&a->line);
	buf_free(&a->counts);
	survey_free(a->survey);
	buf_free(&a->rejects);
	buf_free(&a->given);
	document_batch_free(a->batch);
	free(a->bytes);
	free(a);
}

const char *dana_archive_error(const struct dana_archive *a)
{
	return a ? a->error.text : "";
}

/* ---- the flow ---- */

/* The caller misuses the archive, which ends it. Returns DANA_ESTATE. */
static int misused(struct dana_archive *a, const char *why)
{
	return error_set(&a->error, DANA_ESTATE, "%s", why);
}

static int enter(struct dana_archive *a)
{
	if (!a)
		return DANA_ESTATE;
	if (a->within)
		return misused(a, "a callback used the archive that had called it");
	if (a->error.status != DANA_OK)
		return (int)a->error.status;
	a->within = true;
	return DANA_OK;
}

/* Returns `answer`, or the error of a function of the caller's that misused the archive meanwhile. */
static int leave(struct dana_archive *a, int answer)
{
	a->within = false;
	if (a->dropped) {
		dana_archive_free(a);
		return DANA_ESTATE;
	}
	return a->error.status != DANA_OK ? (int)a->error.status : answer;
}

static int failed(struct dana_archive *a, int status)
{
	if (status == DANA_EPLUGIN)
		return error_set(&a->error, DANA_EPLUGIN, "%s", processor_fault(a->processor));
	return error_set(&a->error, (enum dana_status)status, "%s", library_status_text(status));
}

/* Pushes bytes, or with NULL the end of the input. */
static int push(struct dana_archive *a, const void *bytes, size_t len)
{
	if (a->ended || a->taken < a->n || (a->begun && a->answer != PUMP_HUNGRY && a->answer != PUMP_SEEK))
		return misused(a, "bytes were pushed before all documents were taken, or after the end");
	a->begun = true;
	a->piece = 0;
	a->ended = !bytes;
	if (!bytes)
		a->answer = pump_finish(a->pump);
	else if (len)
		a->answer = pump_push(a->pump, slice_of(bytes, len));
	return DANA_OK;
}

static int push_from_caller(struct dana_archive *a, const void *bytes, size_t len)
{
	int status = enter(a);
	if (status < 0)
		return status;
	status = a->reader.read ? misused(a, "bytes were pushed into an archive that reads its input itself")
				: push(a, bytes, len);
	return leave(a, status);
}

int dana_archive_push(struct dana_archive *a, const void *bytes, size_t len)
{
	if (a && !bytes && len)
		return misused(a, "the bytes that were pushed are NULL");
	return push_from_caller(a, bytes ? bytes : "", len);
}

int dana_archive_end(struct dana_archive *a)
{
	return push_from_caller(a, NULL, 0);
}

int dana_archive_damaged(struct dana_archive *a, const char *why)
{
	if (a && !why)
		return misused(a, "what is wrong with the input is NULL");
	if (a) {
		(void)snprintf(a->damaged, sizeof(a->damaged), "%s", why);
		pump_damaged(a->pump, a->damaged);
	}
	return push_from_caller(a, NULL, 0);
}

/* Drops the documents that were taken before the place at which the archive resumes. */
static void pass(struct dana_archive *a)
{
	for (; a->taken < a->n; a->taken++) {
		const uint64_t offset = waiting(a, a->taken)->record.offset;
		if (offset != a->place.offset)
			a->place = (struct library_place){ .offset = offset };
		if (++a->place.n > a->place.pass)
			break;
	}
}

/* As dana_archive_next, between enter and leave; the document is borrowed until the next call. */
static int next_document(struct dana_archive *a, const struct document **document)
{
	pass(a);
	while (a->taken == a->n) {
		/* lets the pump work until it gives documents or comes to a pause */
		if (a->n) {
			a->n = a->taken = a->waiting.len = 0;
			arena_reset(a->memory);
		}
		if (a->answer == PUMP_PAUSED) {
			a->piece = 0;
			a->answer = pump_resume(a->pump);
		}
		if (a->answer < 0)
			return failed(a, a->answer);
		if (a->n == 0)
			break;
		pass(a);
	}
	if (a->taken < a->n) {
		struct library_document *next = waiting(a, a->taken++);
		next->document.record = &next->record;
		*document = &next->document;
		return DANA_ARCHIVE_DOCUMENT;
	}
	a->ended &= a->answer != PUMP_SEEK;
	return a->answer == PUMP_DONE     ? DANA_ARCHIVE_OVER
	       : a->answer == PUMP_SEEK   ? DANA_ARCHIVE_SEEK
	       : a->answer == PUMP_PAUSED ? DANA_ARCHIVE_PAUSED
					  : DANA_ARCHIVE_HUNGRY;
}

/* As dana_archive_next, between enter and leave. */
static int next_public(struct dana_archive *a, struct dana_document *to)
{
	const struct document *doc;
	int answer = next_document(a, &doc);
	if (answer != DANA_ARCHIVE_DOCUMENT)
		return answer;
	if (warc_date_choose(doc->record->date, doc->warcinfo_date, true, a->made.created))
		a->made.created[0] = '\0';
	if (doc->record->record_id.len == 0 && conversion_id(doc, "", a->made.id) < 0)
		return failed(a, DANA_ENOMEM);
	fill(to, doc, doc->record, &a->made);
	return answer;
}

int dana_archive_next(struct dana_archive *a, struct dana_document *document)
{
	int answer = enter(a);
	if (answer < 0)
		return answer;
	answer = document ? next_public(a, document) : misused(a, NO_PLACE);
	return leave(a, answer);
}

uint64_t dana_archive_seek_to(const struct dana_archive *a)
{
	return a ? pump_seek_offset(a->pump) : 0;
}

/* ---- texts ---- */

int dana_archive_line(struct dana_archive *a, struct dana_view *line)
{
	if (!a || !line)
		return DANA_ESTATE;
	buf_shrink(&a->line, 1 << 20);
	*line = (struct dana_view){ NULL, 0 };
	if (a->taken == 0)
		return DANA_OK;
	struct library_document *last = waiting(a, a->taken - 1);
	int status = a->sink->ops->document(a->sink, &last->document, &a->line);
	*line = view_of(buf_slice(&a->line));
	return status;
}

int dana_archive_rejects(struct dana_archive *a, struct dana_view *lines)
{
	if (!a || !lines)
		return DANA_ESTATE;
	const struct buf last = a->given;
	const int status = buf_status(&a->rejects);
	a->given = a->rejects;
	a->rejects = last;
	buf_shrink(&a->rejects, 1 << 20);
	*lines = view_of(buf_slice(&a->given));
	return status;
}

int dana_archive_counts(struct dana_archive *a, struct dana_view *json)
{
	if (!a || !json)
		return DANA_ESTATE;
	const struct pump_counts counts = pump_counts(a->pump);
	a->stats.bytes_in = counts.bytes_in;
	a->stats.bytes_decoded = counts.bytes_decoded;
	buf_clear(&a->counts);
	struct buf report = { 0 };
	int status = a->survey ? survey_json(a->survey, &report) : DANA_OK;
	if (status == DANA_OK)
		status = stats_json(&a->stats, slice_of(NULL, 0), buf_slice(&report), &a->counts);
	buf_free(&report);
	*json = view_of(buf_slice(&a->counts));
	return status;
}

int dana_report_write(const char *counts, size_t len, void (*write)(void *arg, const char *html, size_t len), void *arg)
{
	struct buf page = { 0 };
	struct error err = { 0 };
	if (!counts || !write)
		return DANA_ESTATE;
	int status = report_page(slice_of(counts, len), slice_of(NULL, 0), &page, &err);
	if (status == DANA_OK)
		write(arg, (const char *)page.data, page.len);
	buf_free(&page);
	return status == DANA_EFORMAT ? DANA_ECONFIG : status;
}

/* ---- archives that read their input themselves, by a caller's functions, or from a file ---- */

enum { READ_BYTES = 256 << 10 };

int dana_archive_open(struct dana_archive **out, const struct dana_reader *reader,
		      const struct dana_archive_options *options)
{
	struct dana_archive_options o;
	if (out)
		*out = NULL;
	if (!out || !reader || !reader->read) {
		if (reader && reader->close)
			reader->close(reader->arg);
		return not_made(options, DANA_ESTATE, out ? "the reader has no `read`" : NO_PLACE);
	}
	read_options(&o, options);
	o.struct_size = sizeof(o);
	o.size = reader->seek ? reader->size : 0;
	int status = dana_archive_new(out, &o);
	if (status == DANA_OK) {
		(*out)->reader = *reader;
		(*out)->bytes = malloc(READ_BYTES);
		if ((*out)->bytes)
			return DANA_OK;
		dana_archive_free(*out);
		*out = NULL;
		return DANA_ENOMEM;
	}
	if (reader->close)
		reader->close(reader->arg);
	return status;
}

/* Gives the archive the input that `answer` asks for. */
static int feed(struct dana_archive *a, int answer)
{
	const struct dana_reader *r = &a->reader;
	if (answer == DANA_ARCHIVE_PAUSED)
		return DANA_OK;
	if (answer == DANA_ARCHIVE_SEEK && r->seek(r->arg, dana_archive_seek_to(a)) < 0)
		return error_set(&a->error, DANA_EIO, "the input cannot be read again from an earlier offset");
	const int64_t n = after_callback(a) < 0 ? -1 : r->read(r->arg, a->bytes, READ_BYTES);
	if (after_callback(a) < 0)
		return after_callback(a);
	if (n < 0)
		return error_set(&a->error, DANA_EIO, "the input cannot be read");
	if (n > READ_BYTES)
		return error_set(&a->error, DANA_EIO, "the reader returned more bytes than it was given room for");
	return push(a, n ? a->bytes : NULL, (size_t)n);
}

static int read_next(struct dana_archive *a, struct dana_document *document)
{
	int answer;
	if (!document)
		return misused(a, NO_PLACE);
	if (!a->reader.read)
		return misused(a, "the archive has no input to read; it was not made by dana_archive_open");
	do {
		answer = next_public(a, document);
		if (answer < 0 || answer == DANA_ARCHIVE_DOCUMENT || answer == DANA_ARCHIVE_OVER)
			return answer;
		answer = feed(a, answer);
	} while (answer == DANA_OK);
	return answer;
}

int dana_archive_read(struct dana_archive *a, struct dana_document *document)
{
	const int status = enter(a);
	return status < 0 ? status : leave(a, read_next(a, document));
}

/* ---- files ---- */

static int64_t file_read(void *arg, void *bytes, size_t size)
{
	ssize_t n;
	do
		n = read(*(int *)arg, bytes, size);
	while (n < 0 && errno == EINTR);
	return n;
}

static int file_seek(void *arg, uint64_t offset)
{
	return lseek(*(int *)arg, (off_t)offset, SEEK_SET) < 0 ? -1 : 0;
}

static void file_close(void *arg)
{
	(void)close(*(int *)arg);
	free(arg);
}

int dana_archive_open_path(struct dana_archive **out, const char *path, const struct dana_archive_options *options)
{
	struct dana_archive_options o;
	struct stat st;
	if (out)
		*out = NULL;
	if (!out || !path)
		return not_made(options, DANA_ESTATE, out ? "the path is NULL" : NO_PLACE);
	int *fd = malloc(sizeof(*fd));
	read_options(&o, options);
	if (!fd)
		return DANA_ENOMEM;
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0 || fstat(*fd, &st) < 0 || S_ISDIR(st.st_mode)) {
		errno = *fd >= 0 && S_ISDIR(st.st_mode) ? EISDIR : errno;
		if (o.error && o.error_size)
			(void)snprintf(o.error, o.error_size, "%s: %s", path, system_text(errno));
		if (*fd >= 0)
			(void)close(*fd);
		free(fd);
		return DANA_EIO;
	}
	o.struct_size = sizeof(o);
	o.name = o.name ? o.name : path;
	const struct dana_reader reader = { .arg = fd,
					    .read = file_read,
					    .seek = S_ISREG(st.st_mode) ? file_seek : NULL,
					    .close = file_close,
					    .size = (uint64_t)st.st_size };
	return dana_archive_open(out, &reader, &o);
}

/* ---- batches ---- */

/* Makes the batch, with its columns, at the first call. Returns 0 or an error. */
static int need_batch(struct dana_archive *a)
{
	const char *objects[BATCH_COLUMNS];
	struct document_columns columns = { .with = a->with, .objects = objects };
	if (a->batch)
		return DANA_OK;
	columns.methods = processor_other_methods(a->processor, &columns.n_methods);
	while (columns.n_objects < BATCH_COLUMNS &&
	       (objects[columns.n_objects] = plugins_object(a->plugins, columns.n_objects)))
		columns.n_objects++;
	a->batch = document_batch_new(&columns);
	return a->batch ? DANA_OK : error_no_memory(&a->error);
}

int dana_archive_schema(struct dana_archive *a, struct ArrowSchema *schema)
{
	const int status = a && schema ? need_batch(a) : DANA_ESTATE;
	return status == DANA_OK ? document_batch_schema(a->batch, schema) : status;
}

static int next_batch(struct dana_archive *a, struct ArrowArray *batch)
{
	const struct document *doc;
	int answer = need_batch(a);
	if (answer < 0)
		return answer;
	do {
		const struct library_place before = a->place;
		answer = next_document(a, &doc);
		if (answer != DANA_ARCHIVE_DOCUMENT)
			break;
		if (!a->batch_waits)
			a->batch_place = before;
		a->batch_waits = true;
		const int status = document_batch_add(a->batch, doc, NULL);
		if (status == DANA_ELIMIT)
			return error_set(&a->error, DANA_ELIMIT,
					 "a batch would hold more than 2 GiB in a column; ask for smaller batches");
		if (status < 0)
			return error_no_memory(&a->error);
	} while (document_batch_rows(a->batch) < (int64_t)a->batch_rows &&
		 document_batch_bytes(a->batch) < a->batch_bytes);
	if (answer != DANA_ARCHIVE_DOCUMENT && !(answer == DANA_ARCHIVE_OVER && a->batch_waits))
		return answer;
	a->batch_waits = false;
	return document_batch_export(a->batch, batch) < 0 ? error_no_memory(&a->error) : DANA_ARCHIVE_DOCUMENT;
}

int dana_archive_batch(struct dana_archive *a, struct ArrowArray *batch)
{
	const int status = enter(a);
	return status < 0 ? status : leave(a, batch ? next_batch(a, batch) : misused(a, NO_PLACE));
}

/* ---- streams ---- */

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
	return dana_archive_schema(stream->private_data, schema) < 0 ? ENOMEM : 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
	struct dana_archive *a = stream->private_data;
	int answer = enter(a), fed = DANA_OK;
	*array = (struct ArrowArray){ 0 };
	if (answer == DANA_OK) {
		while (fed == DANA_OK && (answer = next_batch(a, array)) >= 0 && answer != DANA_ARCHIVE_DOCUMENT &&
		       answer != DANA_ARCHIVE_OVER)
			fed = feed(a, answer);
		answer = leave(a, fed < 0 ? fed : answer);
	}
	if (answer >= 0)
		return 0;
	if (array->release) /* made before the archive was misused */
		array->release(array);
	return answer == DANA_ENOMEM ? ENOMEM : EIO;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
	const char *text = dana_archive_error(stream->private_data);
	return *text ? text : NULL;
}

static void release(struct ArrowArrayStream *stream)
{
	struct dana_archive *a = stream->private_data;
	a->exported = false;
	dana_archive_free(a);
	stream->release = NULL;
}

int dana_archive_export(struct dana_archive *a, struct ArrowArrayStream *stream)
{
	int status = enter(a);
	if (status < 0)
		return status;
	if (!stream)
		status = misused(a, NO_PLACE);
	else if (!a->reader.read)
		status = misused(a, "an archive without a reader cannot be a stream");
	else
		status = a->exported ? misused(a, "the archive is a stream already") : need_batch(a);
	status = leave(a, status);
	if (status < 0)
		return status;
	a->exported = true;
	*stream = (struct ArrowArrayStream){ .get_schema = get_schema,
					     .get_next = get_next,
					     .get_last_error = get_last_error,
					     .release = release,
					     .private_data = a };
	return DANA_OK;
}

/* Reads single pages, without an archive. */

struct dana_page_reader {
	struct single_page *page;
	struct plugins *plugins; /* NULL: none */
	struct error error;
	bool within, dropped;         /* as in struct dana_archive */
	struct document_batch *batch; /* of dana_page_column, made on first use */
	unsigned with;                /* as in struct dana_archive */
	struct document document;     /* of dana_page_read, until the next page, with its record */
	struct record named;
};

static int load_page_plugins(struct plugins **plugins, const struct dana_page_options *o, bool metadata,
			     struct error *err)
{
	const struct limits limits = LIMITS_DEFAULT;
	struct plugin_rows rows = { .n = 0 };
	const struct plugins_config config = { .rows = &rows,
					       .folder = o->plugin_folder ? o->plugin_folder : DANA_PLUGIN_FOLDER,
					       .max_html = limits.body,
					       .quiet = true };
	if (!has_texts(o->plugins, o->n_plugins))
		return error_set(err, DANA_ECONFIG, "a plugin is NULL");
	int status = DANA_OK;
	for (size_t i = 0; i < o->n_plugins && status == DANA_OK; i++)
		status = plugin_rows_parse(&rows, o->plugins[i], "plugins", err);
	if (status == DANA_OK)
		*plugins = plugins_new_of_pages(&config, metadata, err);
	return (int)err->status;
}

int dana_page_reader_new(struct dana_page_reader **out, const struct dana_page_options *options)
{
	struct dana_page_options o = { 0 };
	if (!out)
		return DANA_ESTATE;
	struct dana_page_reader *p = calloc(1, sizeof(*p));
	*out = NULL;
	if (!p)
		return DANA_ENOMEM;
	if (options)
		memcpy(&o, options, options->struct_size < sizeof(o) ? options->struct_size : sizeof(o));
	struct error err = { 0 };
	int status = DANA_OK;
	const char *method = o.method ? o.method : DANA_DEFAULT_METHOD;
	struct page_options page = PAGE_OPTIONS_OF(&o);
	if (status == DANA_OK)
		status = page_options_set(&page, o.options, o.n_options, &err);
	if (status == DANA_OK)
		status = page_options_check(&page, method, "", &err);
	if (status == DANA_OK)
		status = load_page_plugins(&p->plugins, &o, page.front, &err);
	const struct single_page_config config = {
		.method = method,
		.read_file = o.read_file ? o.read_file : whole_file_read,
		.read_arg = o.read_arg,
		.texts = { .page = page, .others = o.more_methods, .n_others = o.n_more_methods },
		.plugins = p->plugins
	};
	if (status == DANA_OK)
		status = has_texts(o.more_methods, o.n_more_methods) ? single_page_new(&p->page, &config, &err)
								     : DANA_ECONFIG;
	if (status < 0) {
		if (o.error && o.error_size)
			(void)snprintf(o.error, o.error_size, "%s", err.text);
		plugins_free(p->plugins);
		free(p);
		return status;
	}
	p->with = texts_fields(&config.texts);
	if (p->plugins && plugins_needs(p->plugins).language)
		p->with |= 1u << WITH_LANGUAGE;
	*out = p;
	return DANA_OK;
}

static struct slice slice_of_view(struct dana_view v)
{
	return slice_of(v.data, v.data ? v.len : 0);
}

/* As enter; the error of the call before is forgotten. */
static int enter_page(struct dana_page_reader *p)
{
	if (!p)
		return DANA_ESTATE;
	if (p->within)
		return error_set(&p->error, DANA_ESTATE, "a callback used the reader that had called it");
	p->within = true;
	p->error = (struct error){ 0 };
	return DANA_OK;
}

static int leave_page(struct dana_page_reader *p, int status)
{
	p->within = false;
	if (!p->dropped)
		return status;
	dana_page_reader_free(p);
	return DANA_ESTATE;
}

/* As dana_page_read, within another call. The document is borrowed until the next page. */
static int read_page(struct dana_page_reader *p, const struct dana_page_source *source, struct slice html,
		     struct document *doc, struct record *named)
{
	struct single_page_source from = { 0 };
	if (source) {
		from.url = slice_of_view(source->url);
		from.charset = slice_of_view(source->charset);
		from.content_type = slice_of_view(source->content_type);
	}
	p->error = (struct error){ 0 };
	int status = single_page_read(p->page, &from, html, doc, &p->error);
	if (p->dropped || p->error.status == DANA_ESTATE)
		return DANA_ESTATE;
	if (status < 0)
		return single_page_fault(status, &p->error);
	if (status == SINGLE_PAGE_DROPPED)
		return DANA_PAGE_DROPPED;
	*named = (struct record){ .target_uri = doc->record->target_uri };
	doc->content_type = from.content_type;
	doc->record = named;
	return DANA_OK;
}

int dana_page_read(struct dana_page_reader *p, const struct dana_page_source *source, const void *html, size_t len,
		   struct dana_document *document)
{
	int status = enter_page(p);
	if (status < 0)
		return status;
	if (!document || (!html && len))
		status = error_set(&p->error, DANA_ESTATE, "the page, or the place for the result, is NULL");
	else
		status = read_page(p, source, slice_of(html, len), &p->document, &p->named);
	if (status == DANA_OK)
		fill(document, &p->document, &p->named, NULL);
	return leave_page(p, status);
}

const char *dana_page_error(const struct dana_page_reader *p)
{
	return p ? p->error.text : "";
}

void dana_page_reader_free(struct dana_page_reader *p)
{
	if (!p)
		return;
	if (p->within) {
		p->dropped = true;
		return;
	}
	single_page_free(p->page);
	plugins_free(p->plugins);
	document_batch_free(p->batch);
	free(p);
}

/* Columns of pages: Arrow in, Arrow out. */

static struct document_batch *new_batch(const struct dana_page_reader *p)
{
	const char *objects[BATCH_COLUMNS];
	struct document_columns columns = { .of_pages = true, .with = p->with, .objects = objects };
	while (p->plugins && columns.n_objects < BATCH_COLUMNS &&
	       (objects[columns.n_objects] = plugins_object(p->plugins, columns.n_objects)))
		columns.n_objects++;
	columns.methods = single_page_other_methods(p->page, &columns.n_methods);
	return document_batch_new(&columns);
}

int dana_page_column_schema(const struct dana_page_reader *p, struct ArrowSchema *schema)
{
	if (!p || !schema)
		return DANA_ESTATE;
	struct document_batch *b = new_batch(p);
	const int status = b ? document_batch_schema(b, schema) : DANA_ENOMEM;
	document_batch_free(b);
	return status;
}

/* Returns 0, or an error that ends the column. */
static int add_page(struct dana_page_reader *p, const struct dana_page_source *source, struct slice html, bool is_text)
{
	struct document doc;
	struct record named;
	p->error = (struct error){ 0 };
	const char *name = html.data && is_text ? name_of_a_page(html) : NULL; /* such a text is no page */
	int status = DANA_OK;
	if (name)
		status = error_set(&p->error, DANA_EFORMAT, "%s", name);
	else if (html.data)
		status = read_page(p, source, html, &doc, &named);
	if (status < 0 && status != DANA_EFORMAT && status != DANA_ELIMIT && status != DANA_EPLUGIN)
		return status;
	const bool is_page = status == DANA_OK && html.data;
	const int added = document_batch_add(p->batch, is_page ? &doc : NULL, status ? p->error.text : NULL);
	if (added == DANA_ELIMIT)
		return error_set(&p->error, DANA_ELIMIT,
				 "the texts of a column would have more than 2 GiB; pass fewer pages at once");
	return added < 0 ? error_no_memory(&p->error) : DANA_OK;
}

static int read_column(struct dana_page_reader *p, const struct dana_page_source *source,
		       const struct ArrowSchema *schema, const struct ArrowArray *pages, struct ArrowArray *out)
{
	struct dana_page_source from = source ? *source : (struct dana_page_source){ .url = { NULL, 0 } };
	struct input_column column;
	int status = input_column_open(&column, schema, pages, &p->error);
	if (status == DANA_OK) {
		if (!p->batch)
			p->batch = new_batch(p);
		status = p->batch ? DANA_OK : error_no_memory(&p->error);
	}
	if (status == DANA_OK && column.is_text)
		from.charset = (struct dana_view){ "utf-8", 5 };
	for (int64_t i = 0; i < pages->length && status == DANA_OK; i++)
		status = add_page(p, &from, input_column_row(&column, i), column.is_text);
	if (status == DANA_OK)
		return document_batch_export(p->batch, out) < 0 ? error_no_memory(&p->error) : DANA_OK;
	if (p->batch)
		document_batch_clear(p->batch);
	return status;
}

int dana_page_column(struct dana_page_reader *p, const struct dana_page_source *source,
		     const struct ArrowSchema *schema, const struct ArrowArray *pages, struct ArrowArray *out)
{
	int status = enter_page(p);
	if (status < 0)
		return status;
	if (!schema || !schema->format || !pages || !out)
		status = error_set(&p->error, DANA_ESTATE,
				   "the pages, their schema or the place for the result is NULL");
	else
		status = read_column(p, source, schema, pages, out);
	return leave_page(p, status);
}
