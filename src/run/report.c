/* SPDX-License-Identifier: MIT */
/*
 * What people see of a run. The line of progress: all pipelines add what they have read since they added last; whoever
 * adds draws, at most twice a second, so that drawing never costs more than a fraction of the work.
 *
 * Reports: of each input the first REPORTS_MOST lines are printed, the others only counted. Where an input gave no
 * document and had no damage, one line names what was passed over most, and which option would take it: a run without
 * output must not look like a fault.
 */
#include "config.h"

#include "run/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "archive/stats.h"
#include "base/diagnostics.h"
#include "run/state_file.h"

enum { DRAW_NS = 450000000 };

struct progress {
	uv_mutex_t lock;
	uint64_t total, start, drawn; /* bytes; uv_hrtime */
	struct stats now, passed;     /* passed: of these by an earlier run */
	void (*draw)(void *arg, const char *line);
	unsigned (*columns)(void *arg);
	void *arg;
};

struct progress *progress_new(uint64_t total, void (*draw)(void *arg, const char *line), unsigned (*columns)(void *arg),
			      void *arg)
{
	struct progress *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	(void)uv_mutex_init(&p->lock);
	p->total = total;
	p->start = uv_hrtime();
	p->draw = draw;
	p->columns = columns;
	p->arg = arg;
	return p;
}

/* The parts of a line from left to right; on a narrow terminal the highest rank is left out first. */
enum part { PERCENT, SPEED, NETWORK, RETRIES, RECORDS, LEFT, KEPT, SKIPPED, DAMAGED, PARTS };

static const unsigned char rank[PARTS] = {
	[PERCENT] = 0, [KEPT] = 1,    [SPEED] = 2,   [LEFT] = 3,    [RETRIES] = 4,
	[DAMAGED] = 5, [SKIPPED] = 6, [NETWORK] = 7, [RECORDS] = 8,
};

enum { PART_SIZE = 40 };

static double per_second(uint64_t now, uint64_t passed, double seconds)
{
	return seconds > 0 ? (double)(now - passed) / seconds : 0;
}

static void write_parts(const struct progress *p, uint64_t time, char parts[PARTS][PART_SIZE])
{
	const struct stats *now = &p->now, *passed = &p->passed;
	const double seconds = (double)(time - p->start) / 1e9;
	const double speed = per_second(now->bytes_in, passed->bytes_in, seconds);
	memset(parts, 0, sizeof(char[PARTS][PART_SIZE]));
	if (p->total) {
		uint64_t bytes = now->bytes_in < p->total ? now->bytes_in : p->total;
		uint64_t rest = speed > 0 ? (uint64_t)((double)(p->total - bytes) / speed) : 0;
		(void)snprintf(parts[PERCENT], PART_SIZE, "%3.0f %%", 100.0 * (double)bytes / (double)p->total);
		if (speed > 0)
			(void)snprintf(parts[LEFT], PART_SIZE, "%" PRIu64 ":%02u left", rest / 60,
				       (unsigned)(rest % 60));
	}
	(void)snprintf(parts[SPEED], PART_SIZE, "%.1f MB/s", speed / 1e6);
	if (now->http_requests) {
		(void)snprintf(parts[NETWORK], PART_SIZE, "net %.1f MB/s",
			       per_second(now->bytes_fetched, passed->bytes_fetched, seconds) / 1e6);
		(void)snprintf(parts[RETRIES], PART_SIZE, "retries %" PRIu64, now->http_retries);
	}
	(void)snprintf(parts[RECORDS], PART_SIZE, "%.0f rec/s", per_second(now->records, passed->records, seconds));
	(void)snprintf(parts[KEPT], PART_SIZE, "kept %" PRIu64, now->documents);
	(void)snprintf(parts[SKIPPED], PART_SIZE, "skipped %" PRIu64, stats_skipped(now));
	(void)snprintf(parts[DAMAGED], PART_SIZE, "damaged %" PRIu64, stats_damaged(now));
}

static void draw_line(struct progress *p, uint64_t now)
{
	char parts[PARTS][PART_SIZE], line[PARTS * (PART_SIZE + 1)];
	size_t room = p->columns(p->arg) - 1; /* a full line would wrap */
	unsigned most = PARTS - 1;
	write_parts(p, now, parts);
	/* the parts of a rank up to `most`, with spaces between */
	for (size_t len = room + 1; len > room; most--) {
		len = 0;
		line[0] = 0;
		for (unsigned i = 0; i < PARTS; i++) {
			if (rank[i] <= most && parts[i][0])
				len += (size_t)snprintf(line + len, sizeof(line) - len, "%s%s", len ? " " : "",
							parts[i]);
		}
		if (most == 0)
			break;
	}
	if (room < sizeof(line))
		line[room] = 0;
	p->draw(p->arg, line);
}

void progress_redraw(struct progress *p)
{
	uv_mutex_lock(&p->lock);
	draw_line(p, uv_hrtime());
	uv_mutex_unlock(&p->lock);
}

void progress_pass(struct progress *p, const struct stats *done)
{
	uv_mutex_lock(&p->lock);
	stats_add(&p->now, done);
	stats_add(&p->passed, done);
	uv_mutex_unlock(&p->lock);
}

void progress_add(struct progress *p, const struct stats *before, const struct stats *now)
{
	uv_mutex_lock(&p->lock);
	stats_add_change(&p->now, before, now);
	uint64_t time = uv_hrtime();
	if (time - p->drawn >= DRAW_NS) {
		p->drawn = time;
		draw_line(p, time);
	}
	uv_mutex_unlock(&p->lock);
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	uv_mutex_destroy(&p->lock);
	free(p);
}

enum { NAME_SIZE = 1024, LINE_SIZE = 3072, DETAIL_SIZE = 512 };

static const char *file_name(const char *file, char *out)
{
	return strcmp(file, "-") == 0 ? "standard input" : printable(slice_from_text(file), out, NAME_SIZE);
}

void report_outcome(struct reporter *r, const char *file, const struct outcome *outcome)
{
	bool damaged = outcome->kind == OUTCOME_DAMAGED;
	if (outcome->kind != OUTCOME_SKIPPED)
		r->others++;
	else
		r->skipped[outcome->skipped]++;
	if (outcome->kind == OUTCOME_SKIPPED && outcome->skipped == SKIP_TYPE)
		r->types[outcome->type]++;
	/* skipped records are what the user asked for */
	const bool wanted =
		damaged || (outcome->kind == OUTCOME_DOCUMENT ? outcome->detail.len > 0
							      : r->verbose && outcome->skipped != SKIP_TYPE);
	if (r->quiet || !wanted)
		return;
	if (r->reported >= REPORTS_MOST && !r->verbose) {
		r->unreported++;
		return;
	}
	r->reported++;
	char name[NAME_SIZE], line[LINE_SIZE], shown[DETAIL_SIZE];
	struct buf reason = { 0 };
	const char *detail = damaged               ? outcome->damage->detail
			     : outcome->detail.len ? printable_message(outcome->detail, shown, sizeof(shown))
						   : "skipped";
	const char *more = "";
	if (outcome->kind == OUTCOME_DOCUMENT)
		more = "; the page is written";
	else if (damaged && outcome->damage->reason == DAMAGE_NOT_AN_ARCHIVE && strncmp(detail, "no WARC", 7) == 0)
		more = "; the text of an HTML page: dana extract FILE";
	if (stats_reason(outcome, r->plugins, &reason) < 0)
		buf_free(&reason);
	(void)snprintf(line, sizeof(line), "dana: %s: offset %" PRIu64 ": %s%s%s%s", file_name(file, name),
		       outcome->offset, reason.data ? (const char *)reason.data : "", detail[0] ? ": " : "", detail,
		       more);
	buf_free(&reason);
	r->line(r->arg, line);
}

/* ---- inputs of which nothing was taken ---- */

/* 1204 as "1,204". */
static const char *grouped(uint64_t n, char out[32])
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	char *to = out;
	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}

static size_t largest(const uint64_t *counts, size_t n)
{
	size_t best = 0;
	for (size_t i = 1; i < n; i++)
		best = counts[i] > counts[best] ? i : best;
	return best;
}

/* What was passed over most, and the option that takes it. Records that hold no page (warcinfo) are nobody's loss. */
static bool passed_over(struct reporter *r, char *out, size_t size)
{
	char number[32];
	if (r->skipped[largest(r->skipped, SKIP_REASONS)] == 0) {
		(void)snprintf(out, size, "nothing was written: the input is empty");
		return true;
	}
	r->types[RECORD_WARCINFO] = 0;
	size_t type = largest(r->types, RECORD_TYPES);
	const uint64_t by_type = r->types[type];
	r->skipped[SKIP_TYPE] = 0;
	size_t reason = largest(r->skipped, SKIP_REASONS);
	const uint64_t count = r->skipped[reason];
	if (count) {
		(void)snprintf(out, size, "nothing was written: %s record%s skipped for %s", grouped(count, number),
			       count == 1 ? " was" : "s were", skip_remedy((enum skip_reason)reason));
	} else if (by_type) {
		const char *name = record_type_name((enum record_type)type);
		(void)snprintf(out, size, "nothing was written: %s record%s of %s%s %s skipped; --type %s takes %s",
			       grouped(by_type, number), by_type == 1 ? "" : "s", name ? "type " : "other types",
			       name ? name : "", by_type == 1 ? "was" : "were", name ? name : "any",
			       by_type == 1 ? "it" : "them");
	}
	return count || by_type;
}

void report_input_end(struct reporter *r, const char *file, bool broken_off)
{
	char why[256];
	if (!r->quiet && !broken_off && r->others == 0 && passed_over(r, why, sizeof(why))) {
		char name[NAME_SIZE], line[LINE_SIZE];
		(void)snprintf(line, sizeof(line), "dana: %s: %s", file_name(file, name), why);
		r->line(r->arg, line);
	}
	if (r->unreported) {
		char name[NAME_SIZE], line[LINE_SIZE];
		(void)snprintf(line, sizeof(line), "dana: %s: %" PRIu64 " more damaged records or regions",
			       file_name(file, name), r->unreported);
		r->line(r->arg, line);
	}
	r->reported = r->unreported = r->others = 0;
	memset(r->skipped, 0, sizeof(r->skipped));
	memset(r->types, 0, sizeof(r->types));
}

/* What has been counted of the input under way. */
static const struct field_row counted[] = {
	FIELD_ROW(struct reporter, reported), FIELD_ROW(struct reporter, unreported),
	FIELD_ROW(struct reporter, others),   FIELD_ROW(struct reporter, skipped),
	FIELD_ROW(struct reporter, types),
};

void report_save(const struct reporter *r, struct buf *list)
{
	fields_put_members(list, FIELD_ROWS(counted), r);
}

void report_load(struct reporter *r, struct fields *list)
{
	fields_members(list, FIELD_ROWS(counted), r);
}

void report_fault(struct reporter *r, const char *file, const char *text)
{
	char name[NAME_SIZE], line[LINE_SIZE], safe[NAME_SIZE * 2];
	printable_message(slice_from_text(text), safe, sizeof(safe));
	if (file)
		(void)snprintf(line, sizeof(line), "dana: %s: %s", file_name(file, name), safe);
	else
		(void)snprintf(line, sizeof(line), "dana: %s", safe);
	r->line(r->arg, line);
}
