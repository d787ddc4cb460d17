#include "pipeline/stats.h"

#include <sys/resource.h>

#include "base/status.h"
#include "sink/json_escape.h"

static void count_method(struct stats *s, const char *name, uint64_t count)
{
	size_t i = 0;
	while (i < STATS_METHODS - 1 && s->methods[i].name && strcmp(s->methods[i].name, name) != 0)
		i++;
	s->methods[i].name = name;
	s->methods[i].count += count;
}

void stats_outcome(struct stats *s, const struct outcome *outcome)
{
	s->records++;
	if (outcome->kind == OUTCOME_SKIPPED) {
		s->skipped[outcome->skipped]++;
		return;
	}
	if (outcome->kind == OUTCOME_DAMAGED) {
		s->damaged[outcome->damage->reason]++;
		return;
	}
	const struct document *doc = outcome->document;
	s->documents++;
	s->text_chars += doc->text_chars;
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++)
		s->problems[bit] += doc->problems >> bit & 1;
	if (doc->method)
		count_method(s, doc->method, 1);
}

static void add_all(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

void stats_add(struct stats *to, const struct stats *from)
{
	to->inputs += from->inputs;
	to->bytes_in += from->bytes_in;
	to->bytes_decoded += from->bytes_decoded;
	to->records += from->records;
	to->documents += from->documents;
	to->bytes_out += from->bytes_out;
	to->text_chars += from->text_chars;
	add_all(to->skipped, from->skipped, SKIP_REASONS);
	add_all(to->damaged, from->damaged, DAMAGE_REASONS);
	add_all(to->problems, from->problems, PROBLEM_WORDS);
	for (size_t i = 0; i < STATS_METHODS && from->methods[i].name; i++)
		count_method(to, from->methods[i].name, from->methods[i].count);
}

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
	s->peak_rss_bytes = (uint64_t)usage.ru_maxrss << 10; /* Linux tells KiB */
}

static uint64_t sum(const uint64_t *counts, size_t n)
{
	uint64_t all = 0;
	for (size_t i = 0; i < n; i++)
		all += counts[i];
	return all;
}

uint64_t stats_skipped(const struct stats *s)
{
	return sum(s->skipped, SKIP_REASONS);
}

uint64_t stats_damaged(const struct stats *s)
{
	return sum(s->damaged, DAMAGE_REASONS);
}

static const char *skip_name(unsigned i)
{
	return skip_word((enum skip_reason)i);
}

static const char *damage_name(unsigned i)
{
	return damage_word((enum damage_reason)i);
}

/* "key":{"word":count,...} of the words that occurred. */
static void put_words(struct buf *out, const char *key, const uint64_t *counts, unsigned n,
		      const char *(*word)(unsigned))
{
	const char *comma = "";
	buf_printf(out, ",\"%s\":{", key);
	for (unsigned i = 0; i < n; i++) {
		if (counts[i] == 0)
			continue;
		buf_printf(out, "%s\"%s\":%llu", comma, word(i), (unsigned long long)counts[i]);
		comma = ",";
	}
	buf_append_byte(out, '}');
}

/* The method whose name follows `after` in the order of names; NULL. The order of first use would depend on -J. */
static const struct stats_method *next_method(const struct stats *s, const char *after)
{
	const struct stats_method *next = NULL;
	for (size_t i = 0; i < STATS_METHODS && s->methods[i].name; i++) {
		const struct stats_method *m = &s->methods[i];
		if ((!after || strcmp(m->name, after) > 0) && (!next || strcmp(m->name, next->name) < 0))
			next = m;
	}
	return next;
}

static void put_methods(const struct stats *s, struct buf *out)
{
	const char *comma = "";
	buf_append_text(out, ",\"methods\":{");
	for (const struct stats_method *m = next_method(s, NULL); m; m = next_method(s, m->name)) {
		buf_append_text(out, comma);
		json_put_string(out, slice_from_text(m->name));
		buf_printf(out, ":%llu", (unsigned long long)m->count);
		comma = ",";
	}
	buf_append_byte(out, '}');
}

int stats_json(const struct stats *s, struct buf *out)
{
	buf_printf(out, "{\"inputs\":%llu,\"bytes_in\":%llu,\"bytes_decoded\":%llu,\"records\":%llu,\"documents\":%llu",
		   (unsigned long long)s->inputs, (unsigned long long)s->bytes_in, (unsigned long long)s->bytes_decoded,
		   (unsigned long long)s->records, (unsigned long long)s->documents);
	put_words(out, "skipped", s->skipped, SKIP_REASONS, skip_name);
	put_words(out, "damaged", s->damaged, DAMAGE_REASONS, damage_name);
	put_words(out, "problems", s->problems, PROBLEM_WORDS, problem_word);
	buf_printf(out, ",\"bytes_out\":%llu,\"text_chars\":%llu", (unsigned long long)s->bytes_out,
		   (unsigned long long)s->text_chars);
	put_methods(s, out);
	buf_printf(out, ",\"seconds\":%.3f,\"cpu_seconds\":%.3f,\"peak_rss_bytes\":%llu}\n", s->seconds, s->cpu_seconds,
		   (unsigned long long)s->peak_rss_bytes);
	return buf_status(out);
}

int rejects_line(const struct outcome *outcome, const char *file, struct buf *out)
{
	bool damaged = outcome->kind == OUTCOME_DAMAGED;
	if (outcome->kind == OUTCOME_DOCUMENT || (!damaged && outcome->skipped == SKIP_TYPE))
		return DANA_OK;
	const char *reason = damaged ? damage_word(outcome->damage->reason) : skip_word(outcome->skipped);
	buf_append_text(out, "{\"id\":");
	json_put_string_or_null(out, outcome->id);
	buf_append_text(out, ",\"url\":");
	json_put_string_or_null(out, outcome->uri);
	buf_append_text(out, ",\"file\":");
	json_put_string(out, slice_from_text(file));
	buf_printf(out, ",\"offset\":%llu,\"reason\":\"%s\",\"detail\":", (unsigned long long)outcome->offset, reason);
	json_put_string_or_null(out, slice_from_text(damaged ? outcome->damage->detail : ""));
	return buf_append_text(out, "}\n");
}
