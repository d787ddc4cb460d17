/* SPDX-License-Identifier: MIT */
/*
 * An output FILE has others beside it: FILE.part, FILE.state, and with --rejects FILE.rejects.jsonl. Outputs that exist
 * are refused elsewhere, unless --force is given; the files of --stats and --metrics are written over in any case, so
 * they are compared with all of them, by the folder that holds it and its name there: ./a and a are one file.
 */
#include "config.h"

#include "run/inputs/paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/path.h"
#include "base/printable.h"
#include "io/output.h"
#include "run/outputs.h"

enum { SHOWN = 200 };

static const char *plain_file(const char *name)
{
	return name && strcmp(name, "-") != 0 ? name : NULL;
}

/* The path without links and detours, which the caller frees; where nothing is there yet, that of its folder. NULL. */
static char *full_path(const char *path)
{
	char *full = realpath(path, NULL);
	if (full)
		return full;
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	char *full_folder = folder ? realpath(folder, NULL) : NULL;
	struct buf name = { 0 };
	if (!folder || buf_printf(&name, "%s/%s", full_folder ? full_folder : folder, slash ? slash + 1 : path) < 0 ||
	    buf_append_byte(&name, 0) < 0)
		buf_free(&name);
	free(folder);
	free(full_folder);
	return (char *)name.data;
}

/* Does `file` belong to the output `output`? Both are full paths. */
static bool belongs_to(const char *file, const char *output)
{
	static const char *const suffixes[] = { "",
						OUTPUT_PART_SUFFIX,
						OUTPUT_STATE_SUFFIX,
						OUTPUT_STATE_SUFFIX ".new",
						OUTPUTS_REJECTS_SUFFIX,
						OUTPUTS_REJECTS_SUFFIX OUTPUT_PART_SUFFIX };
	const size_t len = strlen(output);
	bool found = false;
	if (strncmp(file, output, len) != 0)
		return false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		found = found || strcmp(file + len, suffixes[i]) == 0;
	return found;
}

/* A file of a report, and the option that names it. */
struct report_file {
	const char *option, *name, *full;
};

static int compare(const struct report_file *report, const char *output, struct error *err)
{
	char shown[2][SHOWN];
	char *full = full_path(output);
	if (!full)
		return error_no_memory(err);
	bool same = belongs_to(report->full, full);
	free(full);
	if (!same)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s %s is a file of the output %s; give another one", report->option,
			 printable(slice_from_text(report->name), shown[0], SHOWN),
			 printable(slice_from_text(output), shown[1], SHOWN));
}

/* `other`: that of another report, or NULL. */
static int check_report(const struct filter_inputs *in, const char *output, struct report_file report,
			const char *other, struct error *err)
{
	char *full = full_path(report.name);
	if (!full)
		return error_no_memory(err);
	report.full = full;
	int status = output ? compare(&report, output, err) : DANA_OK;
	if (other && status == DANA_OK)
		status = compare(&report, other, err);
	for (size_t i = 0; in->outputs && i < in->names.n && status == DANA_OK; i++)
		status = compare(&report, in->outputs[i], err);
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++)
		status = outputs_check_spare(in->names.items[i], report.name, err);
	free(full);
	return status;
}

/* With --force, FILE.part is removed as well. */
static int check_forced(const char *input, const char *output, struct error *err)
{
	char *part = path_with(output, OUTPUT_PART_SUFFIX);
	if (!part)
		return error_no_memory(err);
	int status = outputs_check_spare(input, output, err);
	if (status == DANA_OK)
		status = outputs_check_spare(input, part, err);
	free(part);
	return status;
}

int filter_paths_check(const struct filter_inputs *in, const struct run_settings *s, struct error *err)
{
	const char *one = plain_file(s->outputs.file), *stats = plain_file(s->reports.stats);
	const struct report_file first = { .option = "--stats", .name = stats };
	const struct report_file second = { .option = "--metrics", .name = s->reports.metrics };
	int status = stats ? check_report(in, one, first, NULL, err) : DANA_OK;
	if (second.name && status == DANA_OK)
		status = check_report(in, one, second, stats, err);
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++) {
		const char *output = in->outputs ? in->outputs[i] : one;
		if (s->outputs.force && output)
			status = check_forced(in->names.items[i], output, err);
	}
	return status;
}
