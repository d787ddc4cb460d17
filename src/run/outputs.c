/* SPDX-License-Identifier: MIT */
/*
 * The output FILE and its rejects, FILE.rejects.jsonl. Where the rejects cannot be opened, the output is discarded
 * again.
 */
#include "run/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/durable.h"
#include "base/file/path.h"
#include "base/printable.h"

enum { SHOWN = 200 };

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

/*
 * At the end the rejects get their name first. Where the run before was killed between the two, they are taken back.
 */
static int take_back(const struct outputs *o, const char *rejects, struct error *err)
{
	uint64_t size;
	int status = DANA_OK;
	if (!output_kept(o->documents, &size) || !part_file_is_final(rejects))
		return DANA_OK;
	char *part = path_with(rejects, OUTPUT_PART_SUFFIX);
	if (!part)
		status = error_no_memory(err);
	else if (rename(rejects, part) < 0)
		status = error_set(err, DANA_EIO, "%s: %s", rejects, system_text(errno));
	free(part);
	return status;
}

static int open_rejects(struct outputs *o, struct loop *loop, const char *file, enum output_way way,
			const bool *given_up, struct error *err)
{
	char *name = path_with(file, OUTPUTS_REJECTS_SUFFIX);
	int status = name ? DANA_OK : error_no_memory(err);
	if (status == DANA_OK && way == OUTPUT_RESUME)
		status = take_back(o, name, err);
	if (status == DANA_OK)
		status = output_open_file(&o->rejects, loop, name, way, given_up, err);
	free(name);
	return status;
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
	status = open_rejects(o, loop, file, way, given_up, err);
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
	/* The rejects first: a FILE that is there says that all of the job is done. */
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
