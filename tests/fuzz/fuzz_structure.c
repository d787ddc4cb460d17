/* SPDX-License-Identifier: MIT */
/*
 * Markdown and blocks of any bytes: no fault, well-formed UTF-8, results within the limit of the text, and the law of
 * the split. The first byte chooses how Markdown is written, the second tells how many sizes of pieces follow it, and
 * whether the bytes are a page, or text as it stands. The extractors are used again for the next input.
 */
#include "extract/extractor.h"
#include "support/extractor_subject.h"
#include "support/repaired.h"

enum { TEXT_MOST = 1 << 14, STYLES = 40 };

static enum page_form form; /* of this input */

static void begin(void *x)
{
	extractor_begin(x);
	dana_page_form(x, form);
}

static void append(struct buf *outcome, struct slice text)
{
	must_be(utf8_valid_prefix(text) == text.len, "structure that is not UTF-8");
	must(buf_append(outcome, text.data, text.len) == 0);
}

static void take(struct dana_view view, struct buf *outcome)
{
	append(outcome, slice_of(view.data, view.len));
	must_be(view.len <= TEXT_MOST + 2, "structure beyond the limit");
}

static void end(void *x, struct buf *outcome)
{
	struct dana_view view;
	struct dana_text text = extractor_finish(x);
	extractor_tell(&text, outcome);
	must_be(text.len <= TEXT_MOST, "text beyond the limit");
	must_be(dana_markdown(x, &view) == 0, "Markdown");
	take(view, outcome);
	must_be(dana_structure_json(x, &view) == 0, "blocks");
	take(view, outcome);
	size_t count;
	const struct dana_structure_block *blocks = dana_structure(x, &count);
	for (size_t i = 0; i < count; i++) {
		append(outcome, slice_of(blocks[i].text.data, blocks[i].text.len));
		for (size_t k = 0; k < blocks[i].rows * blocks[i].columns; k++)
			append(outcome, slice_of(blocks[i].cells[k].data, blocks[i].cells[k].len));
	}
}

static struct dana_extractor *extractor(unsigned style)
{
	static struct dana_extractor *made[STYLES];
	static const char *const methods[] = {
		"learned",  "danag", "addanag:gap-fill=1", "dana:unit=chars", "auto:share=20", "bte", "ccb", "crunch",
		"mountain", "wlr"
	};
	static const char *const styles[4] = { "", "images=1", "links=0,emphasis=0,tables=rows,heading=chosen",
					       "escape=0,math=0,images=1,heading=0" };
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = style & 1 ? methods[style / 4 % 10] : "plain",
					      .max_text_bytes = TEXT_MOST,
					      .max_depth = 64,
					      .structure = DANA_MARKDOWN | DANA_BLOCKS | (style & 1 ? DANA_DROPPED : 0),
					      .markdown = styles[style / 2 % 4] };
	must(made[style] || dana_new(&made[style], &options) == 0);
	return made[style];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const struct slice rest = slice_of(data + 2, size - 2), sizes = slice_first(rest, data[1] % 8);
	static const enum page_form forms[] = { FORM_HTML, FORM_TEXT, FORM_HTML, FORM_MARKDOWN };
	static struct buf text;
	form = forms[data[1] / 8 % 4];
	const struct split_subject subject = { begin, extractor_piece, end, extractor(data[0] % STYLES) };
	struct slice page = slice_skip(rest, sizes.len);
	if (form != FORM_HTML) { /* the conversion of charsets gives no other text */
		buf_clear(&text);
		append_repaired(&text, page);
		page = buf_slice(&text);
	}
	split_check_sizes(&subject, page, sizes);
	return 0;
}
