/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static const double bounds[METRICS_BUCKETS] = { 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10 };

void metrics_time(struct metrics *m, double seconds)
{
	size_t i = 0;
	while (i < METRICS_BUCKETS && seconds > bounds[i])
		i++;
	if (i < METRICS_BUCKETS)
		m->buckets[i]++;
	m->timed++;
	m->seconds += seconds;
}

static void begin(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void put(struct buf *out, const char *name, const char *type, const char *help, uint64_t value)
{
	begin(out, name, type, help);
	buf_printf(out, "%s %" PRIu64 "\n", name, value);
}

static void put_responses(const struct metrics *m, const struct gate_counts *gate, struct buf *out)
{
	static const char name[] = "dana_responses_total";
	begin(out, name, "counter", "Responses by status.");
	for (unsigned status = 100; status < METRICS_STATUSES; status++) {
		uint64_t n = m->responses[status] + (status >= 400 ? gate->refused[status - 400] : 0);
		if (n)
			buf_printf(out, "%s{status=\"%u\"} %" PRIu64 "\n", name, status, n);
	}
}

static void put_times(const struct metrics *m, struct buf *out)
{
	static const char name[] = "dana_extract_seconds";
	uint64_t sum = 0;
	begin(out, name, "histogram", "Time from the head of a request of /extract to its response.");
	for (unsigned i = 0; i < METRICS_BUCKETS; i++) {
		sum += m->buckets[i];
		buf_printf(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, bounds[i], sum);
	}
	buf_printf(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_sum %.6f\n%s_count %" PRIu64 "\n", name, m->timed, name,
		   m->seconds, name, m->timed);
}

/* Of this process, in bytes; 0 where the system does not say. */
static uint64_t resident_bytes(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	if (!file)
		return 0;
	if (fscanf(file, "%*u %lu", &pages) != 1)
		pages = 0;
	(void)fclose(file);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void put_process(struct buf *out)
{
	struct rusage use;
	(void)getrusage(RUSAGE_SELF, &use);
	double cpu = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
		     (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
	begin(out, "process_cpu_seconds_total", "counter", "CPU time of the process.");
	buf_printf(out, "process_cpu_seconds_total %.3f\n", cpu);
	put(out, "process_resident_memory_bytes", "gauge", "Resident memory of the process.", resident_bytes());
}

int metrics_write(const struct metrics *m, const struct gate_counts *gate, const struct metrics_now *now,
		  struct buf *out)
{
	begin(out, "dana_build_info", "gauge", "The version.");
	buf_printf(out, "dana_build_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	put(out, "dana_connections", "gauge", "Connections of clients.", gate->connections);
	put(out, "dana_requests", "gauge", "Requests under way.", gate->requests);
	put(out, "dana_memory_bytes", "gauge", "Bodies and responses that are held.", now->memory);
	put(out, "dana_children", "gauge", "Processes that work on archives and reports.", now->children);
	put(out, "dana_draining", "gauge", "1 when the service is about to end.", now->draining);
	put(out, "dana_connections_total", "counter", "Connections that were accepted.", gate->accepted);
	put(out, "dana_read_bytes_total", "counter", "Bytes from clients.", gate->bytes_read);
	put(out, "dana_written_bytes_total", "counter", "Bytes to clients.", gate->bytes_written);
	put(out, "dana_pages_total", "counter", "Pages whose text was made.", m->pages);
	put(out, "dana_html_bytes_total", "counter", "Bytes of these pages.", m->html_bytes);
	put(out, "dana_text_chars_total", "counter", "Characters of their text.", m->text_chars);
	put_responses(m, gate, out);
	put_times(m, out);
	put_process(out);
	return buf_status(out);
}
