/* SPDX-License-Identifier: MIT */
/*
 * A stack of open elements, each with the characters and words inside of it so far. At an element's end its rule
 * decides: either its text, which is the end of the page's text so far, is cut off, or its numbers are added to those
 * of its parent. Example: in <div><ul> links </ul><p> text </p></div> the list is dropped first, so the div is decided
 * by the paragraph alone.
 */
#include "extract/papers/element_filter.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/work.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"

/* Traces a decision. Inline elements that stay are not traced: their text is traced with the enclosing block. */
static void tell(const struct element_filter *f, const struct filtered_element *e, const char *reason)
{
	if (f->trace && f->trace->block && e->chars)
		f->trace->block(f->trace->arg, slice_of(f->text.buf.data + e->start, f->text.buf.len - e->start),
				!reason, (double)e->link_chars / (double)e->chars, reason ? reason : "stays", "");
}

/* Ends the innermost element. */
static void close_element(struct element_filter *f)
{
	struct filtered_element *e = &f->elements[f->depth--], *parent = &f->elements[f->depth];
	const char *reason = f->rules->drop_reason(e, f->rules_arg);
	if (reason || !html_tag_is(e->tag, TAG_INLINE))
		tell(f, e, reason);
	if (reason) {
		page_text_cut(&f->text, e->start);
		return;
	}

	parent->chars += e->chars;
	parent->link_chars += e->link_chars;
	parent->words += e->words;
	parent->link_words += e->link_words;
}

/* Each word counts in the innermost element only; outer ones get it when the inner one ends. */
static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct element_filter *f = (struct element_filter *)t;
	struct filtered_element *e = &f->elements[f->depth];
	e->chars += word->chars;
	e->words++;
	if (word->link) {
		e->link_chars += word->chars;
		e->link_words++;
	}
	return page_text_add(&f->text, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct element_filter *f = (struct element_filter *)t;
	size_t before = f->open.steps;
	struct stack_change change = element_stack_take(&f->open, tag->event);
	for (size_t i = 0; i < change.closes; i++)
		close_element(f);
	if (change.opens)
		f->elements[++f->depth] =
			(struct filtered_element){ .start = f->text.buf.len,
						   .tag = (enum html_tag)tag->event->tag,
						   .marked = f->rules->mark && f->rules->mark(tag->event) };
	return work_add(f->work, f->open.steps - before, tag->event->end);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

void element_filter_reset(void *state)
{
	struct element_filter *f = state;
	token_stream_reset(&f->stream, &ops);
	page_text_reset(&f->text);
	element_stack_reset(&f->open);
	f->depth = 0;
	f->elements[0] = (struct filtered_element){ 0 };
}

int element_filter_init(struct element_filter *f, const struct method_env *env,
			const struct element_filter_rules *rules, unsigned rules_arg)
{
	int status = element_stack_init(&f->open, env->max_depth);
	if (status < 0)
		return status;
	f->elements = calloc(f->open.max + 1, sizeof(*f->elements));
	if (!f->elements)
		return DANA_ENOMEM;

	page_text_init(&f->text, env);
	f->rules = rules;
	f->rules_arg = rules_arg;
	f->trace = env->trace;
	f->work = env->work;
	element_filter_reset(f);
	return 0;
}

int element_filter_finish(void *state, struct text_writer *out)
{
	struct element_filter *f = state;
	int status = token_stream_finish(&f->stream);
	if (status < 0)
		return status;
	while (f->depth)
		close_element(f);
	return f->text.buf.len ? page_text_write(&f->text, 0, f->text.buf.len, out) : METHOD_NO_REGION;
}

void element_filter_destroy(void *state)
{
	struct element_filter *f = state;
	page_text_free(&f->text);
	element_stack_free(&f->open);
	free(f->elements);
}
