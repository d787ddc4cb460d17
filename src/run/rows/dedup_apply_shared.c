/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "io/index/line_reader.h"
#include "run/rows/dedup_apply_private.h"

/* ---- lines in ---- */

static void on_soon(void *arg)
{
	*(bool *)arg = true;
}

/* Lets the loop write until the queue is short again. Returns 0, or the status of a write that failed. */
static int let_write(struct apply *a, struct error *err)
{
	while (outputs_full(&a->outputs) && outputs_failed(&a->outputs, err) == DANA_OK) {
		bool done = false;
		loop_soon(a->loop, on_soon, &done);
		loop_run_until(a->loop, &done);
	}
	return outputs_failed(&a->outputs, err);
}

struct reading {
	struct apply *a;
	const char *path;
	const struct apply_lines *lines;
	struct error *err;
};

static int on_line(void *arg, struct slice line, struct error *err)
{
	const struct reading *r = arg;
	int status = r->lines->take(r->lines->arg, line, r->err);

	(void)err; /* gets the reader's own faults, which lack the name of the file */
	return status == DANA_OK ? let_write(r->a, r->err) : status;
}

static void on_bad(void *arg, const char *why)
{
	const struct reading *r = arg;

	(void)error_set(r->err, DANA_EFORMAT, "%s: %s", r->path, why);
}

int apply_read_lines(struct apply *a, const char *path, const struct apply_lines *lines, struct error *err)
{
	struct error fault = { 0 };
	struct reading reading = { a, path, lines, err };
	const struct line_taker taker = { on_line, on_bad, &reading };
	const struct line_input input = { .name = path, .shown = path, .line_most = SIZE_MAX, .with_ends = true };
	int status = line_reader_run(&input, &taker, &fault);

	if (fault.status < 0)
		return error_set(err, fault.status, "%s: %s", path, fault.text);
	return err->status < 0 ? (int)err->status : status;
}

/* ---- lines out ---- */

int apply_reject(struct apply *a, const struct document_names *d, const struct row_link *link)
{
	struct json_writer w = { .out = &a->reject };

	buf_clear(&a->reject);
	buf_printf(&a->reject, "{\"id\":%.*s,\"url\":%.*s,\"file\":%.*s,\"offset\":%.*s,", (int)d->id.len,
		   (const char *)d->id.data, (int)d->url.len, (const char *)d->url.data, (int)d->file.len,
		   (const char *)d->file.data, (int)d->offset.len, (const char *)d->offset.data);
	buf_append_text(&a->reject, "\"reason\":\"plugin:dedup-near\",\"detail\":\"duplicate\",\"duplicate_of\":");
	json_object_begin(&w);
	json_text_or_null(&w, "id", link->kept.id);
	json_text_or_null(&w, "file", link->kept.file);
	json_count_or_null(&w, "offset", link->kept.offset != UINT64_MAX, link->kept.offset);
	json_object_end(&w);
	json_decimal(&w, "similarity", (double)link->similarity, 6);
	if (buf_status(&a->reject) < 0)
		return buf_status(&a->reject);
	while (a->reject.data[a->reject.len - 1] == '0') /* as the plugin writes it */
		a->reject.len--;
	a->reject.len -= a->reject.data[a->reject.len - 1] == '.';
	buf_append_text(&a->reject, "}\n");
	struct byte_sink *sink = a->outputs.rejects ? output_sink(a->outputs.rejects) : NULL;
	int status = buf_status(&a->reject);
	return status < 0 || !sink ? status : sink->ops->write(sink, buf_slice(&a->reject));
}
