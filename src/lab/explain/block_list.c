/* SPDX-License-Identifier: MIT */
/*
 * Each run of blocks with one outcome is beside the next run, in the order of the page. Example: kept 1, kept 2,
 * dropped 3, kept 4 makes two rows: 1 and 2 beside 3, then 4 alone. The text of a kept block is its part of the output,
 * so that all kept blocks together are what `dana extract` prints; the text of a dropped one is its own.
 */
#include "lab/explain/block_list.h"

enum { STRONGEST = 2 }; /* reasons that are shown before a block is opened */

static void write_reason(struct html_out *o, const struct recording *r, const struct recorded_reason *reason)
{
	html_out_text(o, slice_from_text((const char *)r->text.data + reason->words_from));
	html_out_format(o, ": %+.2f", reason->log_odds);
}

static void write_stage(struct html_out *o, const struct recording *r, const struct recorded_block *b, int stage)
{
	html_out_format(o, "<dt>Stage %d: %.2f</dt>", stage, b->chance[stage - 1]);
	for (size_t i = 0; i < b->n_reasons; i++) {
		const struct recorded_reason *reason = &r->reasons[b->reasons_from + i];
		if (reason->stage != stage)
			continue;
		html_out_raw(o, "<dd>");
		write_reason(o, r, reason);
		html_out_raw(o, "</dd>");
	}
}

/* Writes the strongest reasons of the first stage, and in the opened part all of both stages. */
static void write_chances(struct html_out *o, const struct block_list *list, const struct decision *k)
{
	const struct recorded_block *b = k->block;
	html_out_raw(o, "<details class=\"why\"><summary>");
	for (size_t i = 0; i < b->n_reasons && i < STRONGEST; i++) {
		html_out_raw(o, i ? "; " : "");
		write_reason(o, list->recording, &list->recording->reasons[b->reasons_from + i]);
	}
	html_out_raw(o, b->n_reasons ? "</summary><dl>" : "numbers</summary><dl>");
	for (int stage = 1; stage <= 2; stage++)
		write_stage(o, list->recording, b, stage);
	html_out_raw(o, "<dt>Numbers</dt><dd>");
	html_out_text(o, decision_numbers(list->decisions, k));
	html_out_raw(o, "</dd></dl></details>");
}

static void write_why(struct html_out *o, const struct block_list *list, const struct decision *k)
{
	if (k->block && k->block->has_chances) {
		write_chances(o, list, k);
		return;
	}
	html_out_raw(o, "<p class=\"why\">");
	html_out_text(o, slice_from_text(k->reason ? k->reason : ""));
	html_out_raw(o, "; ");
	html_out_text(o, decision_numbers(list->decisions, k));
	html_out_raw(o, "</p>");
}

/* Writes "✓ 3 kept 0.97"; the number links to the block's bar. */
static void write_title(struct html_out *o, const struct block_list *list, size_t i)
{
	const struct decision *k = &list->decisions->list[i];
	const struct bar *bar = bars_find(list->bars, i);
	html_out_format(o, "<div class=\"what %s\">%s ", k->kept ? "yes" : "no",
			k->kept ? "\xE2\x9C\x93" : "\xE2\x9C\x97");
	if (bar)
		html_out_format(o, "<a href=\"#m%up%zu\" aria-label=\"block %zu in the picture\">%zu</a>", list->id,
				bar->first + 1, i + 1, i + 1);
	else
		html_out_format(o, "%zu", i + 1);
	html_out_raw(o, k->kept ? " kept" : " dropped");
	if (k->block && k->block->has_chances)
		html_out_format(o, " <b class=\"chance\">%.2f</b>", k->block->chance[1]);
	else if (k->has_segments)
		html_out_format(o, " <span class=\"chance\">%s %llu\xE2\x80\x93%llu</span>", list->words->segments,
				(unsigned long long)k->first, (unsigned long long)k->last);
	html_out_raw(o, "</div>");
}

static size_t count_ends(struct slice text)
{
	size_t n = 0;
	for (size_t i = 0; i < text.len; i++)
		n += text.data[i] == '\n';
	return n;
}

/* Writes "on 120 of 200 pages". */
static void write_pages(struct html_out *o, const struct line_pages *pages, struct slice line)
{
	uint64_t n = pages ? pages->count(pages->arg, line) : 0;
	if (n)
		html_out_format(o, "<b class=\"often\">on %llu of %llu pages</b> ", (unsigned long long)n,
				(unsigned long long)pages->pages);
}

/*
 * Writes the paragraphs of `text`, which begins with line number `line` of the output. Lines that only this method has
 * are marked.
 */
static void write_lines(struct html_out *o, const struct block_list *list, struct slice text, size_t line)
{
	while (text.len) {
		bool only = list->marks && line < list->marks->n && !list->marks->shared[line];
		html_out_raw(o, only ? "<p dir=\"auto\" class=\"only\">" : "<p dir=\"auto\">");
		struct slice words = match_next_line(&text);
		write_pages(o, list->pages, words);
		html_out_text(o, words);
		html_out_raw(o, "</p>");
		line++;
	}
}

/* How far the blocks have got in the output. */
struct place {
	size_t byte, line;
};

static void write_block(struct html_out *o, const struct block_list *list, size_t i, struct place *at)
{
	const struct decision *k = &list->decisions->list[i];
	html_out_format(o, "<div class=\"block %s\" id=\"m%ub%zu\">", k->kept ? "kept" : "dropped", list->id, i + 1);
	write_title(o, list, i);
	html_out_raw(o, "<div class=\"text\">");
	if (k->out_to > k->out_from) {
		at->line += count_ends(slice_of(list->output.data + at->byte, k->out_from - at->byte));
		at->byte = k->out_from;
		write_lines(o, list, slice_of(list->output.data + k->out_from, k->out_to - k->out_from), at->line);
	} else if (!k->kept) {
		struct block_list unmarked = *list;
		unmarked.marks = NULL;
		write_lines(o, &unmarked, decision_text(list->decisions, k), 0);
	}
	html_out_raw(o, "</div>");
	write_why(o, list, k);
	html_out_raw(o, "</div>\n");
}

/* Returns the end of the run of blocks with one outcome that begins at i. */
static size_t run_end(const struct decisions *d, size_t i)
{
	size_t end = i;
	while (end < d->len && (!decision_is_shown(&d->list[end]) || d->list[end].kept == d->list[i].kept))
		end++;
	return end;
}

static size_t first_shown(const struct decisions *d, size_t i)
{
	while (i < d->len && !decision_is_shown(&d->list[i]))
		i++;
	return i;
}

static void write_run(struct html_out *o, const struct block_list *list, size_t from, size_t to, struct place *at)
{
	html_out_raw(o,
		     list->decisions->list[from].kept ? "<div class=\"side left\">\n" : "<div class=\"side right\">\n");
	for (size_t i = from; i < to; i++) {
		if (decision_is_shown(&list->decisions->list[i]))
			write_block(o, list, i, at);
	}
	html_out_raw(o, "</div>\n");
}

/*
 * Writes two runs beside each other, in the order of the page: the style puts the kept one on the left if there is room
 * for both.
 */
void block_list_write(struct html_out *o, const struct block_list *list)
{
	const struct decisions *d = list->decisions;
	struct place at = { 0, 0 };
	html_out_raw(o,
		     "<h3>Text of the page</h3>\n<div class=\"pair head\"><div class=\"yes\">\xE2\x9C\x93 kept, as "
		     "<code>dana extract</code> prints it</div><div class=\"no\">\xE2\x9C\x97 dropped</div></div>\n");
	for (size_t i = first_shown(d, 0); i < d->len;) {
		html_out_raw(o, "<div class=\"pair\">\n");
		size_t end = run_end(d, i);
		write_run(o, list, i, end, &at);
		if (end < d->len)
			write_run(o, list, end, run_end(d, end), &at);
		html_out_raw(o, "</div>\n");
		i = end < d->len ? run_end(d, end) : end;
	}
}
