/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: going on from a state file. The first two bytes say how long the list of fields is that follows; the
 * rest is the archive. Oracles: counters, report and point that are read and written again read back as the same; a
 * pump refuses the point, or reads the archive from there to its end and keeps the contract of the record sink.
 */
#include "archive/stats.h"
#include "run/checkpoint.h"
#include "run/report.h"
#include "run/state_file.h"
#include "run/stats_file.h"
#include "support/pump_restart.h"
#include "support/split_feed.h"

/* Reads a list of that name and appends what was read of it; false where it is none. */
static bool again(const char *name, struct fields *list, struct buf *out)
{
	struct stats stats = { 0 };
	struct reporter report = { 0 };
	struct resume_point point = { 0 };
	if (strcmp(name, "stats") == 0) {
		stats_load(&stats, list);
		stats_save(&stats, out);
	} else if (strcmp(name, "report") == 0) {
		report_load(&report, list);
		report_save(&report, out);
	} else {
		must(resume_point_load(&point, list) == 0);
		resume_point_save(&point, out);
		buf_free(&point.warcinfo_date);
	}
	return !list->bad;
}

static void reads_back(struct fields *state, const char *name)
{
	struct fields list = fields_list(state, name);
	struct buf once = { 0 }, twice = { 0 };
	if (again(name, &list, &once)) {
		struct fields written = { .list = buf_slice(&once) };
		must(again(name, &written, &twice) && slice_equal(buf_slice(&once), buf_slice(&twice)));
	}
	buf_free(&once);
	buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const size_t n = data[0] * 256U + data[1];
	const struct slice rest = slice_of(data + 2, size - 2);
	struct fields state = { .list = slice_first(rest, n) };
	reads_back(&state, "stats");
	reads_back(&state, "report");
	reads_back(&state, "point");
	const struct slice archive = slice_skip(rest, n);
	struct fields list = fields_list(&state, "point");
	struct resume_point point = { 0 };
	must(resume_point_load(&point, &list) == 0);
	if (!list.bad && point.in_middle) {
		struct pump_restart r = { .limits = LIMITS_DEFAULT, .input = archive, .step = 1 };
		pump_restart_open(&r);
		r.log.seq = point.place.warc.seq;
		if (pump_start_at(r.pump, &point.place) == 0)
			pump_restart_run(&r);
		else
			pump_free(r.pump);
		buf_free(&r.log.text);
	}
	buf_free(&point.warcinfo_date);
	return 0;
}
