/* SPDX-License-Identifier: MIT */
/*
 * Outcomes arrive in the order of the records, formatted already when workers made them. The opening of an output (the
 * warcinfo record) is written with the first document, or at the end of a run without documents.
 */
#include <stdio.h>
#include <stdlib.h>

#include "archive/plugin/chain.h"
#include "archive/survey.h"
#include "base/status.h"
#include "extract/method.h"
#include "run/outputs.h"

enum { KEEP_BUFFER = 1 << 20 };

struct tail {
	struct document_sink documents;
	struct tail_config config;
	const char *file;
	struct buf formatted, line;
	uint64_t next; /* number of the next record */
	bool opened;   /* what comes before the first document is written */
};

/* The warcinfo needs the date of the first record read, which is known when the first document comes. */
static int open_output(struct tail *t)
{
	if (t->opened)
		return DANA_OK;
	t->opened = true;
	if (!t->config.format->opening)
		return DANA_OK;
	struct buf opening = { 0 };
	int status = t->config.format->opening(t->config.sink, buf_slice(&t->config.dates->first_date), &opening);
	if (status == DANA_OK)
		status = encoder_unit(t->config.encoder, buf_slice(&opening));
	buf_free(&opening);
	return status;
}

int tail_take(struct tail *t, const struct outcome *outcome, struct slice formatted)
{
	int status = DANA_OK;
	stats_outcome(t->config.stats, outcome);
	report_outcome(t->config.reporter, t->file, outcome);
	if (t->config.survey)
		status = survey_outcome(t->config.survey, outcome, t->file, t->config.stats->plugins);
	if (outcome->kind == OUTCOME_DOCUMENT && status == DANA_OK) {
		status = open_output(t);
		if (status == DANA_OK)
			status = encoder_unit(t->config.encoder, formatted);
	}
	if (status == DANA_OK && t->config.rejects) {
		buf_clear(&t->line);
		status = rejects_line(outcome, t->file, t->config.stats->plugins, &t->line);
		if (status >= 0 && t->line.len)
			status = byte_sink_write(t->config.rejects, buf_slice(&t->line));
	}
	if (status == DANA_OK && outcome->learned.len)
		status = t->config.sites->take(t->config.sites->arg, outcome->learned);
	t->next = outcome->seq + 1;
	return status == DANA_OK && t->config.taken ? t->config.taken(t->config.taken_arg) : status;
}

int tail_format(const struct tail *t, struct document *doc, struct buf *out)
{
	return t->config.format->document(t->config.sink, doc, out);
}

static int take_unformatted(struct document_sink *self, const struct outcome *given)
{
	struct tail *t = (struct tail *)self;
	struct outcome outcome = *given;
	struct record_end damage;
	int status = DANA_OK;
	buf_shrink(&t->formatted, KEEP_BUFFER);
	if (outcome.kind == OUTCOME_DOCUMENT && t->config.plugins)
		status = plugin_chain_decide(t->config.plugins, &outcome, &damage);
	if (status == DANA_OK && outcome.kind == OUTCOME_DOCUMENT)
		status = tail_format(t, outcome.document, &t->formatted);
	return status < 0 ? status : tail_take(t, &outcome, buf_slice(&t->formatted));
}

static int no_finish(struct document_sink *self)
{
	(void)self;
	return DANA_OK;
}

static const struct document_sink_ops document_ops = { .name = "tail",
						       .outcome = take_unformatted,
						       .finish = no_finish };

struct tail *tail_new(void)
{
	struct tail *t = calloc(1, sizeof(*t));
	if (t)
		t->documents.ops = &document_ops;
	return t;
}

void tail_begin(struct tail *t, const struct tail_config *config)
{
	t->config = *config;
	t->file = "-";
	t->next = 0;
	t->opened = false;
}

void tail_input(struct tail *t, const char *file)
{
	t->file = file;
	t->next = 0;
}

uint64_t tail_next(const struct tail *t, bool *opened)
{
	*opened = t->opened;
	return t->next;
}

void tail_go_on(struct tail *t, uint64_t next, bool opened)
{
	t->next = next;
	t->opened = opened;
}

struct document_sink *tail_documents(struct tail *t)
{
	return &t->documents;
}

int tail_finish(struct tail *t)
{
	int status = open_output(t);
	return status < 0 ? status : encoder_finish(t->config.encoder);
}

void tail_free(struct tail *t)
{
	if (!t)
		return;
	buf_free(&t->formatted);
	buf_free(&t->line);
	free(t);
}
