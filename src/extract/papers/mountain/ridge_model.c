/* SPDX-License-Identifier: MIT */
/*
 * Models are read line by line and word by word. All numbers are whole (millionths), so that neither the locale nor the
 * rounding of a reader matters; a file with anything else is rejected.
 */
#include "extract/papers/mountain/ridge_model.h"

#include <math.h>

#include "base/ascii.h"
#include "base/decimal.h"
#include "base/status.h"

#define NUMBER_MOST UINT64_C(999999999999999) /* far above what training writes, and exact as a double */

static const char magic[] = "dana-mountain-model 1";

double mountain_model_decide(const struct mountain_model *model, const double features[RIDGE_FEATURES])
{
	double sum = 0;
	for (size_t k = 0; k < model->count; k++) {
		const struct model_vector *v = &model->vectors[k];
		double distance = 0;
		for (unsigned d = 0; d < RIDGE_FEATURES; d++) {
			double step = features[d] - (double)v->at[d] / MODEL_UNIT;
			distance += step * step;
		}
		sum += (double)v->weight * exp(-distance * ((double)model->gamma / MODEL_UNIT));
	}
	return (sum + (double)model->bias) / MODEL_UNIT;
}

/* Removes the first line and returns it. */
static struct slice next_line(struct slice *file)
{
	const uint8_t *end = file->len ? memchr(file->data, '\n', file->len) : NULL;
	size_t len = end ? (size_t)(end - file->data) : file->len;
	struct slice line = slice_of(file->data, len);
	*file = slice_skip(*file, len + (end != NULL));
	return slice_trim(line);
}

static struct slice next_word(struct slice *line)
{
	size_t len = 0;
	*line = slice_trim(*line);
	while (len < line->len && !ascii_is_space(line->data[len]))
		len++;
	struct slice word = slice_of(line->data, len);
	*line = slice_skip(*line, len);
	return word;
}

/* Reads a whole number, perhaps with a minus. */
static bool next_number(struct slice *line, int64_t *number)
{
	struct slice word = next_word(line);
	bool negative = word.len && word.data[0] == '-';
	word = slice_skip(word, negative);
	uint64_t n;
	if (!decimal_number(word, NUMBER_MOST, &n))
		return false;
	*number = negative ? -(int64_t)n : (int64_t)n;
	return true;
}

static int read_vector(struct mountain_model *model, struct slice line)
{
	struct model_vector v;
	int64_t number;
	if (!next_number(&line, &v.weight) || model->own.len / sizeof(v) >= MODEL_VECTORS_MOST)
		return DANA_EFORMAT;
	for (unsigned d = 0; d < RIDGE_FEATURES; d++) {
		if (!next_number(&line, &number) || number < 0 || number > MODEL_UNIT)
			return DANA_EFORMAT;
		v.at[d] = (int32_t)number;
	}
	return slice_trim(line).len ? DANA_EFORMAT : buf_append(&model->own, &v, sizeof(v));
}

static int read_rule(struct slice line, int64_t most, uint32_t *value)
{
	int64_t number;
	if (!next_number(&line, &number) || number < 1 || number > most || slice_trim(line).len)
		return DANA_EFORMAT;
	*value = (uint32_t)number;
	return DANA_OK;
}

static int read_line(struct mountain_model *model, struct slice line)
{
	if (line.len == 0 || line.data[0] == '#')
		return DANA_OK;
	struct slice word = next_word(&line);
	if (slice_equal(word, slice_from_text("vector")))
		return read_vector(model, line);
	if (slice_equal(word, slice_from_text("threshold")))
		return read_rule(line, MOUNTAIN_PEAK * MODEL_UNIT, &model->rule.threshold);
	if (slice_equal(word, slice_from_text("span")))
		return read_rule(line, MOUNTAIN_SPAN_MOST, &model->rule.span);
	int64_t *number = slice_equal(word, slice_from_text("gamma"))  ? &model->gamma
			  : slice_equal(word, slice_from_text("bias")) ? &model->bias
								       : NULL;
	if (!number || !next_number(&line, number) || slice_trim(line).len)
		return DANA_EFORMAT;
	return DANA_OK;
}

bool mountain_model_begins(struct slice file)
{
	return slice_is(next_line(&file), magic);
}

int mountain_model_read(struct mountain_model *model, struct slice file)
{
	*model = (struct mountain_model){ 0 };
	int status = slice_is(next_line(&file), magic) ? DANA_OK : DANA_EFORMAT;
	while (file.len && status >= 0)
		status = read_line(model, next_line(&file));
	if (status >= 0 && (model->gamma <= 0 || model->own.len == 0))
		status = DANA_EFORMAT;
	if (status < 0) {
		mountain_model_free(model);
		return status;
	}
	model->vectors = (const struct model_vector *)(const void *)model->own.data;
	model->count = model->own.len / sizeof(struct model_vector);
	return DANA_OK;
}

int mountain_model_write(const struct mountain_model *model, const char *comment, struct buf *out)
{
	buf_printf(out, "%s\n", magic);
	if (comment)
		buf_printf(out, "# %s\n", comment);
	buf_printf(out, "gamma %lld\nbias %lld\n", (long long)model->gamma, (long long)model->bias);
	if (model->rule.threshold)
		buf_printf(out, "threshold %u\n", model->rule.threshold);
	if (model->rule.span)
		buf_printf(out, "span %u\n", model->rule.span);

	for (size_t k = 0; k < model->count; k++) {
		const struct model_vector *v = &model->vectors[k];
		buf_printf(out, "vector %lld", (long long)v->weight);
		for (unsigned d = 0; d < RIDGE_FEATURES; d++)
			buf_printf(out, " %d", v->at[d]);
		buf_append_byte(out, '\n');
	}
	return buf_status(out);
}

void mountain_model_free(struct mountain_model *model)
{
	buf_free(&model->own);
	*model = (struct mountain_model){ 0 };
}
