#include "pipeline/report.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/printable.h"

enum { NAME_SIZE = 1024, LINE_SIZE = 3072 };

static const char *file_name(const char *file, char *out)
{
	return strcmp(file, "-") == 0 ? "standard input" : printable(slice_from_text(file), out, NAME_SIZE);
}

static bool told_enough(struct reporter *r)
{
	if (r->told < REPORTS_MOST || r->verbose) {
		r->told++;
		return false;
	}
	r->untold++;
	return true;
}

void report_outcome(struct reporter *r, const char *file, const struct outcome *outcome)
{
	bool damaged = outcome->kind == OUTCOME_DAMAGED;
	if (r->quiet || (!damaged && (!r->verbose || outcome->skipped == SKIP_TYPE)) || told_enough(r))
		return;
	char name[NAME_SIZE], line[LINE_SIZE];
	const char *reason = damaged ? damage_word(outcome->damage->reason) : skip_word(outcome->skipped);
	const char *detail = damaged ? outcome->damage->detail : "skipped";
	(void)snprintf(line, sizeof(line), "dana: %s: offset %" PRIu64 ": %s%s%s", file_name(file, name),
		       outcome->offset, reason, detail[0] ? ": " : "", detail);
	r->line(r->arg, line);
}

void report_input_end(struct reporter *r, const char *file)
{
	if (r->untold) {
		char name[NAME_SIZE], line[LINE_SIZE];
		(void)snprintf(line, sizeof(line), "dana: %s: %" PRIu64 " more damaged records or regions",
			       file_name(file, name), r->untold);
		r->line(r->arg, line);
	}
	r->told = r->untold = 0;
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
