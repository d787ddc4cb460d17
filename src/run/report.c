/* SPDX-License-Identifier: MIT */
/*
 * Of each input the first REPORTS_MOST lines are printed, the others only counted. Where an input gave no document and
 * had no damage, one line says what was passed over most, and which option would take it: a run without output must
 * not look like a fault.
 */
#include "run/report.h"

#include <inttypes.h>
#include <stdio.h>

#include "archive/stats.h"
#include "base/printable.h"
#include "run/checkpoint/fields.h"

enum { NAME_SIZE = 1024, LINE_SIZE = 3072, DETAIL_SIZE = 512 };

static const char *file_name(const char *file, char *out)
{
	return strcmp(file, "-") == 0 ? "standard input" : printable(slice_from_text(file), out, NAME_SIZE);
}

static bool told_enough(struct reporter *r)
{
	if (r->reported < REPORTS_MOST || r->verbose) {
		r->reported++;
		return false;
	}
	r->unreported++;
	return true;
}

static void count(struct reporter *r, const struct outcome *outcome)
{
	if (outcome->kind != OUTCOME_SKIPPED) {
		r->others++;
		return;
	}
	r->skipped[outcome->skipped]++;
	if (outcome->skipped == SKIP_TYPE)
		r->types[outcome->type]++;
}

/* Skipped records are what the user asked for. */
static bool is_reported(struct reporter *r, const struct outcome *outcome)
{
	switch (outcome->kind) {
	case OUTCOME_DAMAGED:
		return !told_enough(r);
	case OUTCOME_DOCUMENT:
		return outcome->detail.len && !told_enough(r);
	case OUTCOME_SKIPPED:
		return r->verbose && outcome->skipped != SKIP_TYPE && !told_enough(r);
	}
	return false;
}

void report_outcome(struct reporter *r, const char *file, const struct outcome *outcome)
{
	bool damaged = outcome->kind == OUTCOME_DAMAGED;
	count(r, outcome);
	if (r->quiet || !is_reported(r, outcome))
		return;
	char name[NAME_SIZE], line[LINE_SIZE], shown[DETAIL_SIZE];
	struct buf reason = { 0 };
	const char *detail = damaged               ? outcome->damage->detail
			     : outcome->detail.len ? printable_message(outcome->detail, shown, sizeof(shown))
						   : "skipped";
	const char *more = "";
	if (outcome->kind == OUTCOME_DOCUMENT)
		more = "; the page is written";
	else if (damaged && outcome->damage->reason == DAMAGE_NOT_AN_ARCHIVE)
		more = "; dana extract takes HTML pages";
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
		(void)snprintf(out, size, "nothing was written: %s record%s passed over for %s", grouped(count, number),
			       count == 1 ? " was" : "s were", skip_remedy((enum skip_reason)reason));
	} else if (by_type) {
		const char *name = record_type_name((enum record_type)type);
		(void)snprintf(out, size, "nothing was written: %s record%s of %s%s %s passed over; --type %s takes %s",
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

void report_save(const struct reporter *r, struct buf *list)
{
	const uint64_t lines[] = { r->reported, r->unreported, r->others };
	fields_put_numbers(list, "lines", lines, sizeof(lines) / sizeof(*lines));
	fields_put_numbers(list, "skipped", r->skipped, SKIP_REASONS);
	fields_put_numbers(list, "types", r->types, RECORD_TYPES);
}

void report_load(struct reporter *r, struct fields *list)
{
	uint64_t lines[3] = { 0 };
	fields_numbers(list, "lines", lines, sizeof(lines) / sizeof(*lines));
	r->reported = lines[0];
	r->unreported = lines[1];
	r->others = lines[2];
	fields_numbers(list, "skipped", r->skipped, SKIP_REASONS);
	fields_numbers(list, "types", r->types, RECORD_TYPES);
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
