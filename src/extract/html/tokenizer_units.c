/* SPDX-License-Identifier: MIT */
/*
 * Units: texts and ordinary tags, one after the other, as long as the window holds each completely and it changes no
 * state. The result is that of step_content and html_step_markup, at a fraction of their cost.
 *
 * The loop goes from each '<' of the masks to the next and ignores those inside of the last tag. Searching for the next
 * '<' from the tag's end on would be simpler, but the processor could not begin with it before the end is known.
 *
 * Example: "Hi <b>you</b> <script>", in the middle of a window, gives the units "Hi <b>" and "you</b>"; <script> is
 * raw, and is left with the text before it to step_content.
 */
#include "extract/html/tokenizer_units.h"

#include "base/status.h"
#include "extract/html/run_scan.h"
#include "extract/html/tokenizer_space.h"

/* `white`: the tokeniser whose handler asks for white space; else NULL. */
static int replay(const struct html_unit *u, const struct html_handler *handler, struct html_tokenizer *white)
{
	struct html_run run = unit_text_run(u);
	run.space = white ? white->white.now : WHITE_SPACE_COLLAPSES;
	int status = run.bytes.len ? handler->run(handler->arg, &run) : 0;
	if (status < 0)
		return status;

	run = unit_code_run(u);
	status = handler->run(handler->arg, &run);
	if (status < 0)
		return status;

	struct html_tag_event event = html_unit_event(u);
	/* elsewhere white space collapses both before and after the tag */
	if (white && (white->white.len || html_tag_is(u->tag, TAG_KEEPS_SPACE) ||
		      (!u->closing && html_next_styled(white, u->code) < u->end)))
		html_space_take(white, &event);
	return handler->tag(handler->arg, &event);
}

int html_unit_replay(const struct html_unit *u, const struct html_handler *handler)
{
	return replay(u, handler, NULL);
}

int html_step_units(struct html_tokenizer *t)
{
	struct html_unit unit = { .window = t->p, .masks = t->masks, .len = t->n, .base = t->base };
	size_t last = t->n > OPENING_MOST ? t->n - OPENING_MOST : 0, block = t->at / 64;
	uint64_t bits = t->masks[block].lt & ~(uint64_t)0 << t->at % 64;
	int status = DANA_OK;

	while (status >= 0) {
		while (!bits && ++block * 64 < last)
			bits = t->masks[block].lt;
		if (!bits)
			break;

		unit.code = block * 64 + (size_t)__builtin_ctzll(bits);
		bits &= bits - 1;
		if (unit.code < t->at)
			continue;
		if (unit.code >= last || !html_unit_tag(t, &unit))
			break;

		unit.text = t->at;
		t->at = unit.end;
		status = t->handler.unit ? t->handler.unit(t->handler.arg, &unit)
					 : replay(&unit, &t->handler, t->handler.white_space ? t : NULL);
	}
	return status;
}
