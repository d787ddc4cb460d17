#include "explain/match.h"

#include <stdlib.h>

#include "base/status.h"
#include "explain/token_match.h"

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

/* The kept decisions, a line end between them, are the output: notes where each stands. */
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

static int compare(struct token_match *m, const struct decisions *d, size_t *tokens, struct slice output)
{
	int status = DANA_OK;
	size_t ignored;
	for (size_t i = 0; i < d->len && status == DANA_OK; i++)
		status = token_match_add(m, PAGE, decision_text(d, &d->list[i]), &tokens[i]);
	if (status == DANA_OK)
		status = token_match_add(m, OUTPUT, output, &ignored);
	return status < 0 ? status : token_match_run(m);
}

/* Drops what is not in the output; tells lines why. */
static int check_kept(struct decisions *d, const struct token_match *m, const size_t *tokens)
{
	int status = DANA_OK;
	for (size_t i = 0, at = 0; i < d->len && status == DANA_OK; i++) {
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
		status = buf_printf(&d->text, "tokens=%zu found=%zu", tokens[i], found);
		k->numbers_to = d->text.len;
	}
	return status;
}

/* The kept decision nearest to decision i: that itself, the last one before it, or the next one. */
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
	size_t page, page_end, decision; /* next token; behind the last one of this decision */
	size_t output;
};

/* The decision that the first common token of a line lies in; `other` when no token is. */
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

static int place_by_tokens(struct decisions *d, const struct token_match *m, const size_t *tokens, struct slice output)
{
	struct walk w = { .page_end = d->len ? tokens[0] : 0 };
	struct token_match lines = { 0 };
	struct slice rest = output;
	size_t decision = nearest_kept(d, 0), n;
	int status = DANA_OK;
	while (rest.len && status == DANA_OK) {
		size_t from = output.len - rest.len;
		struct slice line = match_next_line(&rest);
		status = token_match_add(&lines, OUTPUT, line, &n);
		size_t of = m->ordered ? nearest_kept(d, decision_of_line(m, tokens, &w, n, decision)) : decision;
		decision = of > decision ? of : decision;
		struct decision *k = &d->list[decision];
		k->out_from = k->out_to ? k->out_from : from;
		k->out_to = from + line.len;
	}
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

int match_output(struct decisions *d, struct slice output, bool regions)
{
	if (place_exactly(d, output) && all_told(d))
		return DANA_OK;
	struct token_match m = { 0 };
	size_t *tokens = calloc(d->len + 2, sizeof(*tokens));
	int status = tokens ? compare(&m, d, tokens, output) : DANA_ENOMEM;
	if (status == DANA_OK && !regions)
		status = check_kept(d, &m, tokens);
	if (status == DANA_OK && output.len && !any_kept(d)) {
		const struct decision all = { .kept = true, .reason = "in the text of the method" };
		status = decisions_add(d, &all);
	}
	if (status == DANA_OK && !place_exactly(d, output)) {
		for (size_t i = 0; i < d->len; i++)
			d->list[i].out_from = d->list[i].out_to = 0;
		status = place_by_tokens(d, &m, tokens, output);
	}
	token_match_free(&m);
	free(tokens);
	return status;
}

static int mark_lines(struct line_marks *marks, const struct token_match *m, int which, struct slice text)
{
	marks->shared = calloc(count_lines(text) + 1, 1);
	if (!marks->shared)
		return DANA_ENOMEM;
	struct token_match lines = { 0 };
	int status = DANA_OK;
	for (size_t at = 0, n; text.len && status == DANA_OK; marks->n++) {
		status = token_match_add(&lines, which, match_next_line(&text), &n);
		size_t found = 0;
		for (size_t end = at + n; status == DANA_OK && at < end; at++)
			found += m->common[which][at];
		marks->shared[marks->n] = 2 * found >= n;
	}
	token_match_free(&lines);
	return status;
}

int match_lines(struct line_marks marks[2], struct slice a, struct slice b)
{
	struct token_match m = { 0 };
	size_t ignored;
	marks[0] = marks[1] = (struct line_marks){ 0 };
	int status = token_match_add(&m, 0, a, &ignored);
	if (status == DANA_OK)
		status = token_match_add(&m, 1, b, &ignored);
	if (status == DANA_OK)
		status = token_match_run(&m);
	if (status == DANA_OK)
		status = mark_lines(&marks[0], &m, 0, a);
	if (status == DANA_OK)
		status = mark_lines(&marks[1], &m, 1, b);
	token_match_free(&m);
	return status;
}

void line_marks_free(struct line_marks *marks)
{
	free(marks->shared);
	*marks = (struct line_marks){ 0 };
}
