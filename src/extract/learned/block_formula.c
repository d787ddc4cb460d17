/* SPDX-License-Identifier: MIT */
/*
 * KaTeX shows a formula after its <math>; MathJax 2 has a preview, the formula as it is shown, and then a script with
 * its TeX. What is shown is in the text like any other; once its formula is known, it is noted as a twin, which is left
 * out when the block is written.
 *
 * Example: "so <span class=MathJax_Preview>x2</span><script type=math/tex>x_2</script> is" has the text "so x2 is", the
 * twin 3..5 and the formula "x_2" at 5; it is written as "so x_2 is".
 */
#include "extract/learned/block_formula.h"

#include "base/ascii.h"
#include "extract/learned/block_builder.h"
#include "extract/learned/token_words.h"
#include "extract/method/text_writer.h"

struct formula_place {
	uint32_t at;        /* it stands before this byte of blocks.text */
	uint32_t text, len; /* in block_formulas.text */
	uint32_t serial;    /* of the block that it is part of, or of the next one */
	uint32_t begun;     /* blocks.begun when it came */
	bool joined;        /* it is part of a block */
	bool display;       /* it stands on a line of its own */
};

/** A part of blocks.text that is left out; while it `waits`, its formula has not come. */
struct formula_twin {
	uint32_t from, to;
	bool waits;
};

enum { KATEX = FORMULA_CLASSES - 1 };

void block_formulas_init(struct block_formulas *f)
{
	for (size_t i = 0; i < FORMULA_CLASSES; i++) {
		f->twin_class[i] = token_words_first(slice_from_text(formula_classes[i]));
		f->twin_bits |= (uint64_t)1 << (f->twin_class[i] & 63);
	}
}

void block_formulas_reset(struct block_formulas *f)
{
	buf_clear(&f->text);
	buf_clear(&f->places);
	buf_clear(&f->twins);
	f->reader.in_math = f->reader.in_script = false;
	f->twin_depth = 0;
	f->any = false;
	f->status = DANA_OK;
}

void block_formulas_free(struct block_formulas *f)
{
	formula_free(&f->reader);
	buf_free(&f->text);
	buf_free(&f->places);
	buf_free(&f->twins);
}

static struct formula_place *places_of(const struct block_formulas *f, size_t *count)
{
	*count = f->places.len / sizeof(struct formula_place);
	return (struct formula_place *)(void *)f->places.data;
}

static struct formula_twin *twins_of(const struct block_formulas *f, size_t *count)
{
	*count = f->twins.len / sizeof(struct formula_twin);
	return (struct formula_twin *)(void *)f->twins.data;
}

static bool is_white(const struct blocks *b, uint32_t from, uint32_t to)
{
	while (from < to && ascii_is_space(b->text.data[from]))
		from++;
	return from >= to;
}

/* The twins directly before the formula are its own. */
static void pair_twins(struct blocks *b, uint32_t at)
{
	size_t count;
	struct formula_twin *all = twins_of(&b->builder->formulas, &count);
	while (count && all[count - 1].waits && is_white(b, all[count - 1].to, at)) {
		at = all[--count].from;
		all[count].waits = false;
	}
}

/* Adds the formula that is complete. */
static int add(struct blocks *b)
{
	struct block_formulas *f = &b->builder->formulas;
	const struct slice tex = formula_tex(&f->reader), text = tex.len ? tex : formula_letters(&f->reader);
	if (text.len == 0 || text.len > FORMULAS_MOST - f->text.len)
		return DANA_OK;
	if (f->twin_depth && tex.len == 0) /* for those who hear the page: what is shown stands beside it */
		return DANA_OK;
	const struct formula_place place = { .at = (uint32_t)b->text.len,
					     .text = (uint32_t)f->text.len,
					     .len = (uint32_t)text.len,
					     .serial = b->n_blocks,
					     .display = f->reader.display,
					     .begun = b->begun };
	int status = buf_append(&f->text, text.data, text.len);
	f->any = true;
	if (status == DANA_OK)
		status = buf_append(&f->places, &place, sizeof(place));
	if (status == DANA_OK && tex.len)
		pair_twins(b, place.at);
	return status;
}

int block_formula_tag(struct blocks *b, const struct html_tag_event *event)
{
	struct formula_reader *reader = &b->builder->formulas.reader;
	bool ends = false;
	int status = DANA_OK;
	if (event->tag == HTML_TAG_SCRIPT)
		formula_script_tag(reader, event, &ends);
	else
		status = formula_math_tag(reader, event, &ends);
	return ends && status == DANA_OK ? add(b) : status;
}

void block_twin_begin(struct blocks *b, enum html_tag tag, uint32_t class_hash)
{
	struct block_formulas *f = &b->builder->formulas;
	size_t i = 0, count;
	while (i <= KATEX && f->twin_class[i] != class_hash)
		i++;
	if (i > KATEX || f->twin_depth || (tag != HTML_TAG_SPAN && tag != HTML_TAG_DIV))
		return;
	const struct formula_place *all = places_of(f, &count);
	const struct formula_place *last = count ? &all[count - 1] : NULL;
	f->twin_pairs = last && last->at == b->text.len && last->begun == b->begun;
	if (i == KATEX && !f->twin_pairs)
		return;
	f->twin_pairs = i == KATEX;
	f->twin_tag = (uint8_t)tag;
	f->twin_depth = 1;
	f->any = true;
	f->twin_from = (uint32_t)b->text.len;
}

static void twin_end(struct blocks *b)
{
	struct block_formulas *f = &b->builder->formulas;
	const struct formula_twin twin = { f->twin_from, (uint32_t)b->text.len, !f->twin_pairs };
	size_t count;
	const struct formula_twin *all = twins_of(f, &count);
	f->twin_depth = 0;
	if (is_white(b, twin.from, twin.to) || twin.to - twin.from > FORMULA_MOST)
		return;
	/* one that waits in vain */
	if (count && all[count - 1].waits && !is_white(b, all[count - 1].to, twin.from))
		f->twins.len -= sizeof(twin);
	if (buf_append(&f->twins, &twin, sizeof(twin)) < 0)
		f->status = DANA_ENOMEM;
}

void block_twin_tag(struct blocks *b, enum html_tag tag, bool closing)
{
	struct block_formulas *f = &b->builder->formulas;
	if (tag != f->twin_tag)
		return;
	if (!closing)
		f->twin_depth++;
	else if (--f->twin_depth == 1)
		twin_end(b);
}

void block_formulas_join(struct blocks *b)
{
	size_t count;
	struct formula_place *all = places_of(&b->builder->formulas, &count);
	while (count && all[count - 1].begun == b->begun)
		all[--count].joined = true;
}

void block_formulas_cut(struct blocks *b)
{
	struct block_formulas *f = &b->builder->formulas;
	const uint32_t len = (uint32_t)b->text.len;
	size_t count;
	struct formula_twin *all = twins_of(f, &count);
	if (f->twin_from > len)
		f->twin_from = len;
	for (; count && all[count - 1].to > len; count -= all[count - 1].from >= all[count - 1].to)
		all[count - 1].to = len;
	f->twins.len = count * sizeof(*all);
}

/* Returns the number of the first formula of block `serial`, or of a later one. */
static size_t place_of(const struct block_formulas *f, uint32_t serial)
{
	size_t count, low = 0;
	const struct formula_place *all = places_of(f, &count);
	while (count) {
		const size_t half = count / 2, next = all[low + half].serial < serial ? half + 1 : 0;
		low += next;
		count = next ? count - next : half;
	}
	return low;
}

/* Returns the number of the first twin that ends after `at`. */
static size_t twin_after(const struct block_formulas *f, uint32_t at)
{
	size_t count, low = 0;
	const struct formula_twin *all = twins_of(f, &count);
	while (count) {
		const size_t half = count / 2, next = all[low + half].to <= at ? half + 1 : 0;
		low += next;
		count = next ? count - next : half;
	}
	return low;
}

/* Appends the text from..to of a block without its twins. */
static int part_source(const struct blocks *b, uint32_t from, uint32_t to, struct buf *out)
{
	size_t count;
	const struct formula_twin *all = twins_of(&b->builder->formulas, &count);
	int status = DANA_OK;
	for (size_t i = twin_after(&b->builder->formulas, from); status == DANA_OK; i++) {
		while (i < count && all[i].waits)
			i++;
		if (i == count || all[i].from >= to)
			return from < to ? block_part_source(b, from, to, out) : DANA_OK;
		if (all[i].from > from)
			status = block_part_source(b, from, all[i].from, out);
		from = all[i].to;
	}
	return status;
}

static int put_formula(const struct block_formulas *f, const struct formula_place *place, struct buf *to)
{
	if (place->display && to->len && to->data[to->len - 1] != '\n')
		(void)buf_append_byte(to, '\n');
	int status = block_put_collapsing(to, slice_of(f->text.data + place->text, place->len));
	return status == DANA_OK && place->display ? buf_append_byte(to, '\n') : status;
}

int block_formulas_source(const struct blocks *b, const struct block *block, struct buf *to)
{
	const struct block_formulas *f = &b->builder->formulas;
	uint32_t at = block->text - block->indent;
	const uint32_t end = block->text + block->text_len;
	size_t count;
	const struct formula_place *all = places_of(f, &count);
	int status = DANA_OK;
	for (size_t i = place_of(f, block->serial); i < count && all[i].serial == block->serial; i++) {
		if (!all[i].joined || status < 0)
			continue;
		const uint32_t next = all[i].at < at ? at : all[i].at > end ? end : all[i].at;
		status = part_source(b, at, next, to);
		if (status == DANA_OK)
			status = put_formula(f, &all[i], to);
		at = next;
	}
	return status < 0 ? status : part_source(b, at, end, to);
}

int block_formulas_after(const struct blocks *b, uint32_t serial, struct text_writer *out)
{
	const struct block_formulas *f = &b->builder->formulas;
	size_t count;
	const struct formula_place *all = places_of(f, &count);
	int status = DANA_OK;
	for (size_t i = place_of(f, serial + 1); i < count && all[i].serial == serial + 1; i++) {
		if (all[i].joined)
			continue;
		status = text_writer_wrapped(out, slice_of(f->text.data + all[i].text, all[i].len));
		if (status >= 0)
			status = text_writer_break(out);
		if (status < 0)
			break;
	}
	return status;
}
