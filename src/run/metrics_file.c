/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/file.h"
#include "run/stats_file.h"

#define EVERY_NS UINT64_C(10000000000)

struct metrics_file {
	uv_mutex_t lock;
	const char *path;
	char *beside;            /* what is written, and then gets the name */
	uint64_t start, written; /* uv_hrtime */
	struct stats now;
};

static void begin(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_printf(out, "# HELP dana_%s %s\n# TYPE dana_%s %s\n", name, help, name, type);
}

static void put_row(const struct stats *s, const struct stats_row *row, struct buf *out)
{
	const uint64_t *counts = stats_counter(s, row);
	const bool skipped = counts == s->skipped;
	if (!row->metric)
		return;
	begin(out, row->metric, "counter", row->help);
	if (!row->word)
		buf_printf(out, "dana_%s %" PRIu64 "\n", row->metric, *counts);
	for (unsigned i = skipped ? SKIP_NONE + 1 : 0; row->word && i < row->size / sizeof(*counts); i++) {
		if (!skipped || i != SKIP_PLUGIN)
			buf_printf(out, "dana_%s{reason=\"%s\"} %" PRIu64 "\n", row->metric, row->word(i), counts[i]);
	}
	for (unsigned i = 0; skipped && s->plugins && i < s->plugins->n_plugins; i++)
		buf_printf(out, "dana_%s{reason=\"plugin:%s\"} %" PRIu64 "\n", row->metric, s->plugins->plugin[i],
			   s->plugin_skipped[i]);
}

/* Anybody may read it: a node exporter is another user. Returns 0 or an errno number. */
static int replace(const struct metrics_file *m, struct slice text)
{
	int fd = durable_open(m->beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return errno;
	int error = durable_write(fd, text);
	if (close(fd) < 0 && !error)
		error = errno;
	if (!error && rename(m->beside, m->path) < 0)
		error = errno;
	if (error)
		(void)unlink(m->beside);
	return error;
}

static int write_now(struct metrics_file *m, bool over, struct error *err)
{
	struct buf text = { 0 };
	m->written = uv_hrtime();
	stats_measure(&m->now, (double)(m->written - m->start) / 1e9);
	const struct stats_row *bytes_out = NULL;
	begin(&text, "build_info", "gauge", "The version.");
	buf_printf(&text, "dana_build_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	begin(&text, "over", "gauge", "1 when the run has ended by itself.");
	buf_printf(&text, "dana_over %d\n", over);
	for (const struct stats_row *row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		if (stats_counter(&m->now, row) == &m->now.bytes_out) { /* here it follows the next one */
			bytes_out = row;
			continue;
		}
		put_row(&m->now, row, &text);
		if (bytes_out)
			put_row(&m->now, bytes_out, &text);
		bytes_out = NULL;
	}
	begin(&text, "run_seconds", "gauge", "Time since the run began.");
	buf_printf(&text, "dana_run_seconds %.3f\n", m->now.seconds);
	begin(&text, "cpu_seconds_total", "counter", "CPU time of the process.");
	buf_printf(&text, "dana_cpu_seconds_total %.3f\n", m->now.cpu_seconds);
	begin(&text, "peak_resident_bytes", "gauge", "Most memory of the process that was resident.");
	buf_printf(&text, "dana_peak_resident_bytes %" PRIu64 "\n", m->now.peak_rss_bytes);
	int status = buf_status(&text);
	int error = status == DANA_OK ? replace(m, buf_slice(&text)) : 0;
	buf_free(&text);
	if (error)
		return error_set(err, DANA_EIO, "--metrics: %s: %s", m->path, system_text(error));
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

struct metrics_file *metrics_file_new(const char *path, struct error *err)
{
	struct stat st;
	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		(void)error_set(err, DANA_EIO, "--metrics: %s is not a regular file, and could not be replaced by one",
				path);
		return NULL;
	}
	struct metrics_file *m = calloc(1, sizeof(*m));
	if (m)
		m->beside = path_with(path, ".new");
	if (!m || !m->beside) {
		free(m);
		(void)error_no_memory(err);
		return NULL;
	}
	(void)uv_mutex_init(&m->lock);
	m->path = path;
	m->start = uv_hrtime();
	if (write_now(m, false, err) == DANA_OK)
		return m;
	metrics_file_free(m);
	return NULL;
}

void metrics_file_add(struct metrics_file *m, const struct stats *before, const struct stats *now)
{
	struct error ignored = { 0 };
	uv_mutex_lock(&m->lock);
	stats_add_change(&m->now, before, now);
	if (uv_hrtime() - m->written >= EVERY_NS)
		(void)write_now(m, false, &ignored);
	uv_mutex_unlock(&m->lock);
}

int metrics_file_end(struct metrics_file *m, const struct stats *all, struct error *err)
{
	m->now = *all;
	return write_now(m, true, err);
}

void metrics_file_free(struct metrics_file *m)
{
	if (!m)
		return;
	uv_mutex_destroy(&m->lock);
	free(m->beside);
	free(m);
}
