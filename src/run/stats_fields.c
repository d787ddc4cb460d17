/* SPDX-License-Identifier: MIT */
/* The counters of a run as they are written down when it may have to be resumed. */
#include "run/stats_fields.h"

#include <sys/resource.h>

#include "dana/dana.h"
#include "run/checkpoint/fields.h"

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

void stats_measure(struct stats *s, double wall_seconds)
{
	struct rusage usage;
	s->seconds = wall_seconds;
	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return;
	s->cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	s->peak_rss_bytes = (uint64_t)usage.ru_maxrss << 10; /* Linux gives KiB */
}

/* Those without a name of their own, in the order in which they are written. */
enum { PLAIN_COUNTERS = 10 };

void stats_save(const struct stats *s, struct buf *list)
{
	const uint64_t plain[PLAIN_COUNTERS] = { s->inputs,       s->bytes_in,     s->bytes_decoded, s->records,
						 s->documents,    s->bytes_out,    s->text_chars,    s->http_requests,
						 s->http_retries, s->bytes_fetched };
	struct buf methods = { 0 };
	for (size_t i = 0; i < STATS_METHODS && s->methods[i].name; i++)
		fields_put_number(&methods, s->methods[i].name, s->methods[i].count);
	fields_put_numbers(list, "plain", plain, PLAIN_COUNTERS);
	fields_put_numbers(list, "skipped", s->skipped, SKIP_REASONS);
	fields_put_numbers(list, "damaged", s->damaged, DAMAGE_REASONS);
	fields_put_numbers(list, "problems", s->problems, PROBLEM_WORDS);
	fields_put_numbers(list, "plugin-skipped", s->plugin_skipped, PLUGINS_MOST);
	fields_put_numbers(list, "plugin-counts", s->plugin_counts, PLUGIN_COUNTERS_MOST);
	fields_put_list(list, "methods", &methods);
}

/* Names are static memory, as that of the table of methods. */
static void load_methods(struct stats *s, struct fields *list)
{
	struct fields methods = fields_list(list, "methods");
	size_t n = 0;
	for (size_t i = 0; i < dana_method_count() && n < STATS_METHODS; i++) {
		const char *name = dana_method_name(i);
		if (fields_has(&methods, name))
			s->methods[n++] = (struct stats_method){ name, fields_number(&methods, name) };
	}
	list->bad |= methods.bad;
}

void stats_load(struct stats *s, struct fields *list)
{
	uint64_t plain[PLAIN_COUNTERS] = { 0 };
	fields_numbers(list, "plain", plain, PLAIN_COUNTERS);
	s->inputs = plain[0];
	s->bytes_in = plain[1];
	s->bytes_decoded = plain[2];
	s->records = plain[3];
	s->documents = plain[4];
	s->bytes_out = plain[5];
	s->text_chars = plain[6];
	s->http_requests = plain[7];
	s->http_retries = plain[8];
	s->bytes_fetched = plain[9];
	fields_numbers(list, "skipped", s->skipped, SKIP_REASONS);
	fields_numbers(list, "damaged", s->damaged, DAMAGE_REASONS);
	fields_numbers(list, "problems", s->problems, PROBLEM_WORDS);
	fields_numbers(list, "plugin-skipped", s->plugin_skipped, PLUGINS_MOST);
	fields_numbers(list, "plugin-counts", s->plugin_counts, PLUGIN_COUNTERS_MOST);
	load_methods(s, list);
}
