/* SPDX-License-Identifier: MIT */
/* What plugins say of a record besides the fields of its document: who dropped it and why, and what was counted. */
#ifndef DANA_STREAM_PLUGIN_MARKS_H
#define DANA_STREAM_PLUGIN_MARKS_H

#include "base/slice.h"

enum { PLUGINS_MOST = 32, PLUGIN_COUNTERS_MOST = 128, PLUGIN_REPORTS_MOST = 64, PLUGIN_REPORT_NAME = 48 };

/** The plugins of a run, what they count, and what they reported at its end. Strings live as long as the plugins. */
struct plugin_names {
	unsigned n_plugins, n_counters, n_reports;
	const char *plugin[PLUGINS_MOST];
	struct plugin_counter {
		unsigned plugin; /* its number */
		const char *name;
	} counter[PLUGIN_COUNTERS_MOST];
	struct plugin_report {
		unsigned plugin;
		char name[PLUGIN_REPORT_NAME];
		double value;
	} report[PLUGIN_REPORTS_MOST];
};

/** Of one record. Slices and counts are valid as long as the outcome that they belong to. */
struct plugin_marks {
	unsigned plugin;        /* the number of the one that dropped it, when it was one */
	struct slice members;   /* JSON members for the line of the rejects, each after a comma; empty: none */
	const uint64_t *counts; /* one for each counter of the run; NULL: nothing was counted */
};

#endif
