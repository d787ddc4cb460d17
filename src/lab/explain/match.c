/* SPDX-License-Identifier: MIT */
/*
 * Finds the decision of each line of the output. Usually the texts of the kept decisions, joined by line ends, are the
 * output letter for letter: place_exactly. If not (the method reported no blocks, or cuts inside of them), both sides
 * are compared word by word, and a line belongs to the decision that has its first word. Example: of the decisions "a
 * b" and "c d" and the output lines "a b c" and "d", the first line belongs to the first decision, the second line to
 * the second.
 *
 * A decision of which less than half of the words are in the output counts as dropped.
 */
#include "lab/explain/match.h"

#include <stdlib.h>

#include "base/status.h"
#include "lab/explain/token_match.h"

/* The two sides of a token_match. */
enum { PAGE, OUTPUT };

struct slice match_next_line(struct slice *text)
{
	const uint8_t *end = text->len ? memchr(text->data, '\n', text->len) : NULL;
	struct slice line = slice_first(*text, end ? (size_t)(end - text->data) : text->len);
	*text = slice_skip(*text, line.len + (end != NULL));
	return line;
}

static size_t count_lines(struct slice text)
{
	size_t n = 0;
	while (text.len) {
		(void)match_next_line(&text);
		n++;
	}
	return n;
}

/* If the kept decisions, joined by line ends, are the output: stores the place of each. */
static bool place_exactly(struct decisions *d, struct slice output)
{
	size_t at = 0;
	for (size_t i = 0; i < d->len; i++) {
		struct decision *k = &d->list[i];
		struct slice text = decision_text(d, k);
		k->out_from = k->out_to = 0;
		if (!k->kept || !text.len)
			continue;
		if (at > output.len || !slice_equal(slice_first(slice_skip(output, at), text.len), text))
			return false;
		k->out_from = at;
		k->out_to = at + text.len;
		if (k->out_to < output.len && output.data[k->out_to] != '\n')
			return false;
		at = k->out_to + 1;
	}
	return at == output.len + (output.len > 0);
}

/* tokens[i]: number of tokens of decision i, by which m->common[PAGE] can be cut into decisions again. */
static int compare(struct token_match *m, const struct decisions *d, size_t *tokens, struct slice output)
{
	for (size_t i = 0; i < d->len; i++)
		tokens[i] = token_match_add(m, PAGE, decision_text(d, &d->list[i]));
	(void)token_match_add(m, OUTPUT, output);
	return token_match_run(m);
}

/* Drops decisions that are not in the output, and gives a reason to each one without: these are lines of the page. */
static void check_kept(struct decisions *d, const struct token_match *m, const size_t *tokens)
{
	for (size_t i = 0, at = 0; i < d->len; i++) {
		struct decision *k = &d->list[i];
		size_t found = 0;
		for (size_t end = at + tokens[i]; at < end; at++)
			found += m->common[PAGE][at];
		bool kept = tokens[i] && 2 * found >= tokens[i];
		k->kept = k->kept && kept;
		if (k->reason)
			continue;
		k->reason = kept ? "in the text of the method" : "not in the text of the method";
		k->numbers_from = d->text.len;
		buf_printf(&d->text, "tokens=%zu found=%zu", tokens[i], found);
		k->numbers_to = d->text.len;
	}
}

/* Returns the kept decision nearest to decision i: i itself, the last one before it, or the next one. */
static size_t nearest_kept(const struct decisions *d, size_t i)
{
	size_t before = i;
	while (before > 0 && !d->list[before].kept)
		before--;
	if (d->list[before].kept)
		return before;
	while (i + 1 < d->len && !d->list[i].kept)
		i++;
	return i;
}

/* Walks through the common tokens of both sides at once. */
struct walk {
	size_t page, page_end, decision; /* next token; the end of this decision's tokens */
	size_t output;
};

/* Returns the decision of the first common token of a line; `other` if no token is common. */
static size_t decision_of_line(const struct token_match *m, const size_t *tokens, struct walk *w, size_t n,
			       size_t other)
{
	size_t found = other, end = w->output + n;
	for (bool first = true; w->output < end; w->output++) {
		if (!m->common[OUTPUT][w->output])
			continue;
		while (!m->common[PAGE][w->page])
			w->page++;
		while (w->page >= w->page_end)
			w->page_end += tokens[++w->decision];
		found = first ? w->decision : found;
		first = false;
		w->page++;
	}
	return found;
}

/*
 * Lines never go back to an earlier decision, so the lines of each decision are contiguous. A line without common
 * tokens belongs to the decision of the line before it; if the order of tokens is unknown, all lines belong to the
 * first kept decision.
 */
static int place_by_tokens(struct decisions *d, const struct token_match *m, const size_t *tokens, struct slice output)
{
	struct walk w = { .page_end = d->len ? tokens[0] : 0 };
	struct token_match lines = { 0 };
	struct slice rest = output;
	size_t decision = nearest_kept(d, 0);
	while (rest.len) {
		size_t from = output.len - rest.len;
		struct slice line = match_next_line(&rest);
		size_t n = token_match_add(&lines, OUTPUT, line);
		size_t of = m->ordered ? nearest_kept(d, decision_of_line(m, tokens, &w, n, decision)) : decision;
		decision = of > decision ? of : decision;
		struct decision *k = &d->list[decision];
		k->out_from = k->out_to ? k->out_from : from;
		k->out_to = from + line.len;
	}
	int status = lines.status;
	token_match_free(&lines);
	return status;
}

static bool any_kept(const struct decisions *d)
{
	for (size_t i = 0; i < d->len; i++) {
		if (d->list[i].kept)
			return true;
	}
	return false;
}

static bool all_told(const struct decisions *d)
{
	for (size_t i = 0; i < d->len; i++) {
		if (!d->list[i].reason)
			return false;
	}
	return true;
}

/* `tokens` has two more numbers than there are decisions, all 0. */
static int match_tokens(struct decisions *d, struct slice output, bool regions, struct token_match *m, size_t *tokens)
{
	int status = compare(m, d, tokens, output);
	if (status < 0)
		return status;

	if (!regions)
		check_kept(d, m, tokens);
	if (output.len && !any_kept(d)) {
		const struct decision all = { .kept = true, .reason = "in the text of the method" };
		decisions_add(d, &all);
	}
	status = buf_status(&d->text);
	if (status < 0 || place_exactly(d, output))
		return status;

	for (size_t i = 0; i < d->len; i++)
		d->list[i].out_from = d->list[i].out_to = 0;
	return place_by_tokens(d, m, tokens, output);
}

int match_output(struct decisions *d, struct slice output, bool regions)
{
	if (place_exactly(d, output) && all_told(d))
		return DANA_OK;
	struct token_match m = { 0 };
	size_t *tokens = calloc(d->len + 2, sizeof(*tokens));
	int status = tokens ? match_tokens(d, output, regions, &m, tokens) : DANA_ENOMEM;
	token_match_free(&m);
	free(tokens);
	return status;
}

/* A line without tokens counts as shared. */
static int mark_lines(struct line_marks *marks, const struct token_match *m, int which, struct slice text)
{
	marks->shared = calloc(count_lines(text) + 1, 1);
	if (!marks->shared)
		return DANA_ENOMEM;
	struct token_match lines = { 0 };
	for (size_t at = 0; text.len; marks->n++) {
		size_t n = token_match_add(&lines, which, match_next_line(&text)), found = 0;
		for (size_t end = at + n; at < end; at++)
			found += m->common[which][at];
		marks->shared[marks->n] = 2 * found >= n;
	}
	int status = lines.status;
	token_match_free(&lines);
	return status;
}

int match_lines(struct line_marks marks[2], struct slice a, struct slice b)
{
	const struct slice texts[2] = { a, b };
	struct token_match m = { 0 };
	for (int i = 0; i < 2; i++) {
		marks[i] = (struct line_marks){ 0 };
		(void)token_match_add(&m, i, texts[i]);
	}
	int status = token_match_run(&m);
	for (int i = 0; i < 2 && status == DANA_OK; i++)
		status = mark_lines(&marks[i], &m, i, texts[i]);
	token_match_free(&m);
	return status;
}

void line_marks_free(struct line_marks *marks)
{
	free(marks->shared);
	*marks = (struct line_marks){ 0 };
}
