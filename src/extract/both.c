/* SPDX-License-Identifier: MIT */
#include "extract/both.h"

#include "extract/structure/page_log.h"

static int run(void *arg, const struct html_run *event)
{
	const struct both *b = arg;
	int status = event->formula ? 0 : page_log_run(b->log, event); /* the recorder reads formulas by itself */
	return status < 0 ? status : b->method->run(b->state, event);
}

static int tag(void *arg, const struct html_tag_event *event)
{
	const struct both *b = arg;
	int status = page_log_tag(b->log, event);
	return status < 0 ? status : b->method->tag(b->state, event);
}

static int unit(void *arg, const struct html_unit *event)
{
	const struct both *b = arg;
	int status = page_log_unit(b->log, event);
	return status < 0 ? status : b->method->unit(b->state, event);
}

struct html_handler both_handler(struct both *both)
{
	const bool units = both->method->unit != NULL;
	return (struct html_handler){ .run = run,
				      .tag = tag,
				      .arg = both,
				      .unit = units ? unit : NULL,
				      .white_space = !units,
				      .formulas = !units };
}

static int log_run(void *arg, const struct html_run *event)
{
	return page_log_run(arg, event);
}

static int log_tag(void *arg, const struct html_tag_event *event)
{
	return page_log_tag(arg, event);
}

static int log_unit(void *arg, const struct html_unit *event)
{
	return page_log_unit(arg, event);
}

struct html_handler log_handler(struct page_log *log)
{
	return (struct html_handler){ .run = log_run, .tag = log_tag, .arg = log, .unit = log_unit };
}
