/* SPDX-License-Identifier: MIT */
#include "extract/both.h"

#include "extract/structure/structure.h"

static int run(void *arg, const struct html_run *event)
{
	const struct both *b = arg;
	int status = b->method->run(b->state, event);
	return status < 0 ? status : structure_run(b->structure, event);
}

static int tag(void *arg, const struct html_tag_event *event)
{
	const struct both *b = arg;
	int status = b->method->tag(b->state, event);
	return status < 0 ? status : structure_tag(b->structure, event);
}

static int unit(void *arg, const struct html_unit *event)
{
	const struct both *b = arg;
	int status = b->method->unit(b->state, event);
	return status < 0 ? status : structure_unit(b->structure, event);
}

struct html_handler both_handler(struct both *both)
{
	const bool units = both->method->unit != NULL;
	return (struct html_handler){ .run = run,
				      .tag = tag,
				      .arg = both,
				      .unit = units ? unit : NULL,
				      .white_space = !units };
}

struct html_handler structure_handler(struct structure *structure)
{
	return (struct html_handler){ .run = structure_run,
				      .tag = structure_tag,
				      .arg = structure,
				      .unit = structure_unit };
}
