/* SPDX-License-Identifier: MIT */
/* A method that keeps all text of a page and no code: the smallest one that there can be. */
#include "base/status.h"
#include "extract/papers/methods.h"
#include "extract/text_writer.h"

struct echo {
	struct buf text;   /* as in the source, references not decoded */
	struct buf *spans; /* for Markdown; NULL: nobody wants it */
	size_t most;
};

static int echo_init(void *state, const struct method_env *env)
{
	struct echo *e = state;

	e->most = env->max_text;
	e->spans = env->spans;
	return DANA_OK;
}

/* The first byte that does not fit ends the text, however the runs are cut. */
static int echo_run(void *state, const struct html_run *run)
{
	struct echo *e = state;
	size_t room = e->most - e->text.len;

	if (run->kind != HTML_TEXT || run->skipped)
		return DANA_OK;
	return buf_append(&e->text, run->bytes.data, run->bytes.len < room ? run->bytes.len : room);
}

static int echo_tag(void *state, const struct html_tag_event *event)
{
	struct echo *e = state;

	if (event->skipped || e->text.len == e->most)
		return DANA_OK;
	return buf_append_byte(&e->text, '\n');
}

static int echo_finish(void *state, struct text_writer *out)
{
	struct echo *e = state;

	out->truncated |= e->text.len == e->most;
	if (e->spans && span_list_keep(e->spans, 0, UINT64_MAX) < 0) /* the whole page */
		return DANA_ENOMEM;
	return text_writer_source(out, buf_slice(&e->text));
}

static void echo_reset(void *state)
{
	buf_clear(&((struct echo *)state)->text);
}

static void echo_destroy(void *state)
{
	buf_free(&((struct echo *)state)->text);
}

const struct method method_echo = {
	.name = "echo",
	.source = "example",
	.memory = "text",
	.summary = "all text, a line for each tag",
	.state_size = sizeof(struct echo),
	.init = echo_init,
	.run = echo_run,
	.tag = echo_tag,
	.finish = echo_finish,
	.lists_spans = true,
	.reset = echo_reset,
	.destroy = echo_destroy,
};
