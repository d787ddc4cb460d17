/* SPDX-License-Identifier: MIT */
/*
 * Units: texts and ordinary tags, one after the other, as long as each lies in the window whole and changes no state.
 * The result is that of step_content and html_step_markup, at a fraction of their cost.
 *
 * The loop goes from each '<' of the masks to the next and ignores those that lie inside of the last tag. Searching for
 * the next '<' from the tag's end on would be simpler, but the processor could not begin with it before the end is
 * known.
 *
 * Example: "Hi <b>you</b> <script>", in the middle of a window, gives the units "Hi <b>" and "you</b>"; <script> is
 * raw, and is left with the text before it to step_content.
 */
#include "html/tokenizer_units.h"

#include "base/status.h"
#include "html/run_scan.h"
#include "html/tag_near.h"
#include "html/tokenizer_markup.h"
#include "html/tokenizer_scan.h"
#include "html/tokenizer_state.h"

/* `white` NULL: the handler does not ask for white space. */
static int replay(const struct html_unit *u, const struct html_handler *handler, struct white_space_state *white)
{
	struct html_run run = unit_text_run(u);
	run.space = white ? white->now : WHITE_SPACE_COLLAPSES;
	int status = run.bytes.len ? handler->run(handler->arg, &run) : 0;
	if (status < 0)
		return status;

	size_t len = u->end - u->code;
	run = unit_code_run(u);
	status = handler->run(handler->arg, &run);
	if (status < 0)
		return status;

	struct html_tag_event event = { .tag = u->tag,
					.closing = u->closing,
					.self_closing = u->self_closing,
					.name = slice_of(u->window + u->code + 1 + u->closing, u->name_len),
					.source = slice_of(u->window + u->code,
							   len < HTML_TAG_BYTES ? len : HTML_TAG_BYTES),
					.start = u->base + u->code,
					.end = u->base + u->end };
	if (white)
		html_white_space_take(white, &event);
	return handler->tag(handler->arg, &event);
}

int html_unit_replay(const struct html_unit *u, const struct html_handler *handler)
{
	return replay(u, handler, NULL);
}

/*
 * Fills all members of the unit for the tag at unit->code; false if it is not an ordinary tag or does not end in the
 * window.
 */
static inline bool unit_tag(const struct html_tokenizer *t, struct html_unit *unit)
{
	const uint8_t *p = t->p;
	unit->closing = p[unit->code + 1] == '/';
	size_t name = unit->code + 1 + unit->closing;
	if (!ascii_is_alpha(p[name]))
		return false;
	struct html_tag_name read;
	if (!html_tag_read_near(p + name, &read))
		read = html_tag_read(p + name);
	if (html_tag_properties[read.tag] & (TAG_RAW | TAG_SKIP))
		return false;
	unit->tag = (uint8_t)read.tag;
	unit->name_len = read.len;
	unit->end = name + read.len + 1;
	if (p[unit->end - 1] != '>' && !tag_scan_plain(t, unit->end - 1, &unit->end))
		return false;
	unit->self_closing = p[unit->end - 2] == '/';
	return true;
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
		if (unit.code >= last || !unit_tag(t, &unit))
			break;

		unit.text = t->at;
		t->at = unit.end;
		status = t->handler.unit ? t->handler.unit(t->handler.arg, &unit)
					 : replay(&unit, &t->handler, t->handler.white_space ? &t->white : NULL);
	}
	return status;
}
