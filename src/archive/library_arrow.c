/* SPDX-License-Identifier: MIT */
/* Batches of documents, and streams of batches. */
#include <errno.h>
#include <stdlib.h>

#include "archive/library_private.h"
#include "archive/plugin/plugins.h"

/* ---- batches ---- */

/* Makes the batch, with its columns, at the first call. Returns 0 or an error. */
static int need_batch(struct dana_archive *a)
{
	const char *objects[BATCH_COLUMNS];
	struct document_columns columns = { .language_score = plugins_find_language(a->plugins),
					    .html = a->wants_html,
					    .structure = a->structure,
					    .objects = objects };
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
	return status == DANA_OK ? row_batch_schema(&a->batch->batch, schema) : status;
}

static bool is_full(const struct dana_archive *a)
{
	return row_batch_rows(&a->batch->batch) >= (int64_t)a->batch_rows ||
	       row_batch_bytes(&a->batch->batch) >= a->batch_bytes;
}

static int add_document(struct dana_archive *a, const struct dana_document *doc)
{
	const int status = document_batch_add(a->batch, doc);
	if (status == DANA_ELIMIT)
		return error_set(&a->error, DANA_ELIMIT,
				 "a batch would hold more than 2 GiB in a column; ask for smaller batches");
	return status < 0 ? error_no_memory(&a->error) : DANA_OK;
}

static int pass_on(struct dana_archive *a, struct ArrowArray *batch)
{
	a->batch_waits = false;
	return row_batch_export(&a->batch->batch, batch) < 0 ? error_no_memory(&a->error) : DANA_ARCHIVE_DOCUMENT;
}

static int next_batch(struct dana_archive *a, struct ArrowArray *batch)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	int answer = need_batch(a);
	if (answer < 0)
		return answer;
	do {
		const struct library_place before = a->place;
		answer = library_next(a, &doc);
		if (answer != DANA_ARCHIVE_DOCUMENT)
			break;
		if (!a->batch_waits)
			a->batch_place = before;
		a->batch_waits = true;
		const int status = add_document(a, &doc);
		if (status < 0)
			return status;
	} while (!is_full(a));
	const bool whole = answer == DANA_ARCHIVE_DOCUMENT || (answer == DANA_ARCHIVE_OVER && a->batch_waits);
	return whole ? pass_on(a, batch) : answer;
}

int dana_archive_batch(struct dana_archive *a, struct ArrowArray *batch)
{
	const int status = library_enter(a);
	return status < 0 ? status : library_leave(a, batch ? next_batch(a, batch) : library_misused(a, NO_PLACE));
}

/* ---- streams ---- */

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
	return dana_archive_schema(stream->private_data, schema) < 0 ? ENOMEM : 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
	struct dana_archive *a = stream->private_data;
	int answer = library_enter(a), fed = DANA_OK;
	*array = (struct ArrowArray){ 0 };
	if (answer == DANA_OK) {
		while (fed == DANA_OK && (answer = next_batch(a, array)) >= 0 && answer != DANA_ARCHIVE_DOCUMENT &&
		       answer != DANA_ARCHIVE_OVER)
			fed = library_feed(a, answer);
		answer = library_leave(a, fed < 0 ? fed : answer);
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
	int status = library_enter(a);
	if (status < 0)
		return status;
	if (!stream)
		status = library_misused(a, NO_PLACE);
	else if (!a->reader.read)
		status = library_misused(a, "an archive without a reader cannot be a stream");
	else
		status = a->exported ? library_misused(a, "the archive is a stream already") : need_batch(a);
	status = library_leave(a, status);
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
