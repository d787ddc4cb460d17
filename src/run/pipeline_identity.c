/* SPDX-License-Identifier: MIT */
/* Whether a run may go on with what an earlier one has left: it must be the same run, of inputs that have not changed.
 */
#include "config.h"

#include "base/file/path.h"
#include "io/address.h"
#include "run/pipeline_state.h"
#include "run/state_file.h"

int pipeline_refuse(const struct pipeline *p, struct error *err, const char *why)
{
	enum { SHOWN = 400 };
	const char *file = p->checkpoint.job->output;
	return error_set(err, DANA_ECONFIG, "%.*s cannot be resumed: %s; --force starts anew", (int)SHOWN, file, why);
}

static int refuse_different(const struct pipeline *p, struct error *err, struct buf *what)
{
	return buf_append_byte(what, 0) < 0 ? error_no_memory(err) : pipeline_refuse(p, err, (const char *)what->data);
}

static int compare_lines(const struct pipeline *p, struct slice then, struct slice now, const char *of,
			 struct error *err)
{
	struct buf what = { 0 };
	buf_printf(&what, "%s%s", of, *of ? ": " : "");
	int status = lines_differ(then, now, &what) ? refuse_different(p, err, &what) : DANA_OK;
	buf_free(&what);
	return status;
}

int pipeline_compare_run(const struct pipeline *p, struct fields *list, struct error *err)
{
	const struct pipeline_job *job = p->checkpoint.job;
	struct slice output = slice_from_text(path_name(job->output));
	int status = compare_lines(p, fields_get(list, "run"), p->config.run, "", err);
	if (status < 0)
		return status;
	if (!slice_equal(fields_get(list, "output"), output))
		return pipeline_refuse(p, err, "it has another name now");
	if (fields_number(list, "inputs") != job->n_inputs ||
	    !slice_equal(fields_get(list, "names"), slice_from_text(p->checkpoint.names)))
		return pipeline_refuse(p, err,
				       "the inputs, their order, or what --cdx names are not those of the run before");
	return DANA_OK;
}

int pipeline_identity_read(struct pipeline *p, size_t number, struct buf *lines, struct error *err)
{
	static const struct source_events events;
	const char *input = p->checkpoint.job->inputs[number], *address = pipeline_address(p->checkpoint.job, number);
	struct source *source = NULL;
	struct error why = { 0 };
	if (p->config.network && address_is_network(address))
		return DANA_OK;
	int status = source_open(&source, p->loop, address, 0, &events, &why);
	if (status < 0)
		return error_set(err, (enum dana_status)status, "%s: %s", input, why.text);
	status = source_identity(source, lines);
	source_free(source);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", input, status_text(status)) : DANA_OK;
}

int pipeline_identity_name(struct slice identity, struct buf *out)
{
	char digest[SHA256_TEXT + 1];
	sha256_text(identity, digest);
	if (identity.len == 0)
		memset(digest, CHECKPOINT_NOT_OPENED, CHECKPOINT_NAME);
	return buf_append(out, digest, CHECKPOINT_NAME);
}

/* Is an input that was read to its end still the one that `then` names? */
static int compare_done(struct pipeline *p, size_t input, struct slice then, struct error *err)
{
	struct buf lines = { 0 }, name = { 0 }, what = { 0 };
	int status = pipeline_identity_read(p, input, &lines, err);
	if (status == DANA_OK && lines.len && pipeline_identity_name(buf_slice(&lines), &name) < 0)
		status = error_no_memory(err);
	if (status == DANA_OK && lines.len && !slice_equal(buf_slice(&name), then)) {
		buf_printf(&what, "%s is not as it was when it was read", p->checkpoint.job->inputs[input]);
		status = refuse_different(p, err, &what);
	}
	buf_free(&lines);
	buf_free(&name);
	buf_free(&what);
	return status;
}

/* The first ones are read to their end. */
static int compare_done_inputs(struct pipeline *p, struct error *err)
{
	const struct checkpoint *c = &p->checkpoint;
	struct slice rest = buf_slice(&c->done_inputs);
	int status = DANA_OK;
	for (size_t i = 0; i < c->input && status == DANA_OK && !c->complete; i++) {
		struct slice then = slice_first(rest, CHECKPOINT_NAME);
		rest = slice_skip(rest, CHECKPOINT_NAME);
		if (then.data[0] != CHECKPOINT_NOT_OPENED)
			status = compare_done(p, i, then, err);
	}
	return status;
}

int pipeline_identity_compare(struct pipeline *p, const char *input, struct slice now, struct error *err)
{
	return compare_lines(p, buf_slice(&p->checkpoint.expected), now, input, err);
}

/* The one that was being read. */
static int compare_input(struct pipeline *p, struct error *err)
{
	struct checkpoint *c = &p->checkpoint;
	const size_t input = c->job->n_pieces ? c->job->pieces[c->from.piece.number].input : c->input;
	struct buf lines = { 0 };
	if (c->expected.len == 0 || input == c->job->n_inputs)
		return DANA_OK;
	int status = pipeline_identity_read(p, input, &lines, err);
	if (status == DANA_OK && lines.len)
		status = pipeline_identity_compare(p, c->job->inputs[input], buf_slice(&lines), err);
	buf_free(&lines);
	return status;
}

int pipeline_compare_inputs(struct pipeline *p, struct error *err)
{
	int status = compare_done_inputs(p, err);
	return status < 0 ? status : compare_input(p, err);
}
