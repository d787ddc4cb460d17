/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/metrics_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/file/durable.h"
#include "base/file/path.h"
#include "run/stats_file.h"

#define EVERY_NS UINT64_C(10000000000)

struct metrics_file {
	uv_mutex_t lock;
	const char *path;
	char *beside;            /* what is written, and then gets the name */
	uint64_t start, written; /* uv_hrtime */
	struct stats now;
};

/* ---- the text ---- */

static void begin(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_printf(out, "# HELP dana_%s %s\n# TYPE dana_%s %s\n", name, help, name, type);
}

static void put(struct buf *out, const char *name, const char *help, uint64_t value)
{
	begin(out, name, "counter", help);
	buf_printf(out, "dana_%s %" PRIu64 "\n", name, value);
}

static void put_skipped(const struct stats *s, struct buf *out)
{
	begin(out, "skipped_records_total", "counter", "Records that were skipped, by reason.");
	for (unsigned i = SKIP_NONE + 1; i < SKIP_REASONS; i++) {
		if (i != SKIP_PLUGIN)
			buf_printf(out, "dana_skipped_records_total{reason=\"%s\"} %" PRIu64 "\n",
				   skip_word((enum skip_reason)i), s->skipped[i]);
	}
	for (unsigned i = 0; s->plugins && i < s->plugins->n_plugins; i++)
		buf_printf(out, "dana_skipped_records_total{reason=\"plugin:%s\"} %" PRIu64 "\n", s->plugins->plugin[i],
			   s->plugin_skipped[i]);
}

static void put_damaged(const struct stats *s, struct buf *out)
{
	begin(out, "damaged_records_total", "counter", "Records that were damaged, by reason.");
	for (unsigned i = 0; i < DAMAGE_REASONS; i++)
		buf_printf(out, "dana_damaged_records_total{reason=\"%s\"} %" PRIu64 "\n",
			   damage_word((enum damage_reason)i), s->damaged[i]);
}

static void put_all(const struct stats *s, bool over, struct buf *out)
{
	begin(out, "build_info", "gauge", "The version.");
	buf_printf(out, "dana_build_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	begin(out, "over", "gauge", "1 when the run has ended by itself.");
	buf_printf(out, "dana_over %d\n", over);
	put(out, "inputs_total", "Inputs that could be opened.", s->inputs);
	put(out, "input_bytes_total", "Bytes of them that were read.", s->bytes_in);
	put(out, "decoded_bytes_total", "The same after the compression of archives.", s->bytes_decoded);
	put(out, "records_total", "Records: documents, skipped and damaged ones.", s->records);
	put(out, "documents_total", "Documents that were written.", s->documents);
	put_skipped(s, out);
	put_damaged(s, out);
	put(out, "text_chars_total", "Characters of the texts of documents.", s->text_chars);
	put(out, "output_bytes_total", "Bytes of complete outputs.", s->bytes_out);
	put(out, "http_requests_total", "Requests to servers.", s->http_requests);
	put(out, "http_retries_total", "Requests made again after one that failed.", s->http_retries);
	put(out, "fetched_bytes_total", "Bytes of the bodies of replies.", s->bytes_fetched);
	begin(out, "run_seconds", "gauge", "Time since the run began.");
	buf_printf(out, "dana_run_seconds %.3f\n", s->seconds);
	begin(out, "cpu_seconds_total", "counter", "CPU time of the process.");
	buf_printf(out, "dana_cpu_seconds_total %.3f\n", s->cpu_seconds);
	begin(out, "peak_resident_bytes", "gauge", "Most memory of the process that was resident.");
	buf_printf(out, "dana_peak_resident_bytes %" PRIu64 "\n", s->peak_rss_bytes);
}

/* ---- the file ---- */

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
	put_all(&m->now, over, &text);
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

static void add(uint64_t *to, const uint64_t *before, const uint64_t *now, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += now[i] - before[i];
}

/* Those that put_all writes. */
static void add_counters(struct stats *to, const struct stats *before, const struct stats *now)
{
	to->inputs += now->inputs - before->inputs;
	to->bytes_in += now->bytes_in - before->bytes_in;
	to->bytes_decoded += now->bytes_decoded - before->bytes_decoded;
	to->records += now->records - before->records;
	to->documents += now->documents - before->documents;
	to->text_chars += now->text_chars - before->text_chars;
	to->bytes_out += now->bytes_out - before->bytes_out;
	to->http_requests += now->http_requests - before->http_requests;
	to->http_retries += now->http_retries - before->http_retries;
	to->bytes_fetched += now->bytes_fetched - before->bytes_fetched;
	add(to->skipped, before->skipped, now->skipped, SKIP_REASONS);
	add(to->damaged, before->damaged, now->damaged, DAMAGE_REASONS);
	add(to->plugin_skipped, before->plugin_skipped, now->plugin_skipped, PLUGINS_MOST);
	if (now->plugins)
		to->plugins = now->plugins;
}

void metrics_file_add(struct metrics_file *m, const struct stats *before, const struct stats *now)
{
	struct error ignored = { 0 };
	uv_mutex_lock(&m->lock);
	add_counters(&m->now, before, now);
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
