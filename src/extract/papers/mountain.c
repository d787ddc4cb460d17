/* SPDX-License-Identifier: MIT */
/*
 * The Mountain Model: scores the cells of a page, and keeps the ridges that a model chooses.
 *
 * The score of a cell needs the bytes of source between it and its neighbours, and the gap after it is known only when
 * the next cell begins. So one cell always waits for it (`waiting`).
 *
 * Example: a cell of 100 bytes with gaps of 40 bytes before and 60 after it has a span of 100 + (40 + 60) / 2 = 150
 * bytes, and its characters are divided by that: text with much markup around it scores less.
 */
#include "extract/papers/mountain.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "extract/method.h"
#include "extract/papers/methods.h"
#include "extract/text_writer.h"

/* True for marks that divide sentences or parts of them, wherever they are: also of Arabic, Devanagari, Chinese. */
static bool is_mark(uint32_t c)
{
	return c == '!' || c == '?' || c == ';' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0xFF1B ||
	       c == 0xFF1A || c == 0xFF0C || c == 0x3001 || c == 0x060C || c == 0x061B || c == 0x061F || c == 0x06D4 ||
	       c == 0x0964;
}

static bool is_stop(uint32_t c)
{
	return c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x2026 ||
	       c == 0x061F || c == 0x06D4 || c == 0x0964;
}

/* True for quotes and brackets that may follow the full stop. */
static bool is_closing(uint32_t c)
{
	return c == '"' || c == '\'' || c == ')' || c == ']' || c == '}' || c == 0x00BB || c == 0x2019 || c == 0x201D ||
	       c == 0x300D || c == 0x300F || c == 0x3009 || c == 0x300B || c == 0x3011 || c == 0xFF09;
}

/* Equation 1. */
static double score(const struct mountain_cells *m, uint64_t right)
{
	double chars = (double)m->chars, dense = (double)m->dense;
	double length = dense / 12 + (chars - dense) / 75; /* L / gamma: 12 for Chinese, 75 for English */
	double span = (double)(m->end - m->start) + ((double)m->left + (double)right) / 2;
	return (length + (double)m->marks) * (m->stop ? 1.5 : 1) * (m->link ? 0.5 : 1) * (chars / span);
}

/* Finishes the waiting cell: the gap after it is `right` bytes. */
static int settle(struct mountain_cells *m, uint64_t right)
{
	if (!m->waiting)
		return 0;
	uint64_t blanks = m->left / MOUNTAIN_BLANK;
	struct mountain_cell cell = { .score = (float)score(m, right),
				      .text_end = (uint32_t)m->page.text.buf.len,
				      .blanks =
					      blanks < MOUNTAIN_BLANKS_MOST ? (uint32_t)blanks : MOUNTAIN_BLANKS_MOST };
	m->waiting = false;
	m->last_end = m->end;
	return buf_append(&m->cells, &cell, sizeof(cell));
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct mountain_cells *m = (struct mountain_cells *)t;
	if (!m->open && mountain_cells_count(m) + m->waiting >= MOUNTAIN_CELLS) {
		m->page.text.truncated = true;
		return 0;
	}
	int status = 0;
	if (!m->open) {
		status = m->waiting ? settle(m, word->unit - m->end) : 0;
		m->open = true;
		m->start = word->unit;
		m->left = word->unit - m->last_end;
		m->chars = m->dense = m->marks = 0;
		m->mark_waits = m->stop = false;
		m->link = word->link;
	}
	bool space = m->chars && word->space;
	m->marks += m->mark_waits && space;
	m->chars += word->chars + space;
	const struct slice text = word->text;
	for (size_t i = 0; i < text.len;) {
		uint32_t c;
		i += utf8_decode(slice_skip(text, i), &c);
		m->marks += is_mark(c);
		m->mark_waits = c == '.' || c == ',' || c == ':'; /* else it is of a number or an address */
		m->dense += token_char_is_word(c);
		if (!is_closing(c))
			m->stop = is_stop(c);
	}
	return status < 0 ? status : page_text_add(&m->page.text, word);
}

static void end_cell(struct mountain_cells *m, uint64_t at)
{
	m->open = false;
	m->waiting = true;
	m->end = at;
	m->marks += m->mark_waits;
	m->mark_waits = false;
}

/* Everything that is not visible text ends a cell where it begins, in however many pieces it comes. */
static int take_gap(struct token_stream *t, const struct html_run *run)
{
	struct mountain_cells *m = (struct mountain_cells *)t;
	if (m->open)
		end_cell(m, run->offset);
	return 0;
}

static const struct token_stream_ops ops = { .word = take_word, .gap = take_gap };

void mountain_cells_reset(struct mountain_cells *m)
{
	paper_reset(&m->page);
	buf_shrink(&m->cells, PAGE_KEEPS);
	m->open = m->waiting = false;
	m->start = m->end = m->left = m->last_end = 0;
}

void mountain_cells_init(struct mountain_cells *m, const struct method_env *env)
{
	*m = (struct mountain_cells){ 0 };
	(void)paper_init(&m->page, env, &ops);
}

int mountain_cells_finish(struct mountain_cells *m)
{
	int status = token_stream_finish(&m->page.stream);
	uint64_t end = m->page.stream.source_end;
	if (status < 0)
		return status;
	if (m->open)
		end_cell(m, end);
	return settle(m, end - m->end);
}

void mountain_cells_free(struct mountain_cells *m)
{
	paper_free(m);
	buf_free(&m->cells);
}

/*
 * Cells and blank cells are laid out in one row of "slopes" and smoothed; a ridge is a run of slopes above the
 * threshold that begins and ends with a cell. Low slopes inside are allowed, but not more than `span` in a row.
 * Example, with h for high, l for low and a span of 2: "hhlhllhlllh" has two ridges, the first of seven slopes, the
 * second of one.
 */

enum { SIDE = MOUNTAIN_SMOOTHING / 2 }; /* neighbours on each side */
enum { NO_CELL = UINT32_MAX }; /* apart: as in C23 it makes all constants of its list unsigned with some compilers */

/* A cell or a blank cell. */
struct slope {
	float score, smoothed;
	uint32_t cell; /* NO_CELL: blank */
};

/* A growing ridge: positions in the row. */
struct growing {
	size_t first, last; /* last: the last cell above the threshold */
	size_t low;         /* slopes in a row below it */
	float highest;
	bool open;
};

/* Ends a ridge, and drops it if no slope is above `peak`. */
static int close_ridge(struct mountain_ridges *r, const struct slope *row, struct growing *g)
{
	if (!g->open)
		return 0;
	g->open = false;
	if (!((double)g->highest > r->peak))
		return 0;
	struct mountain_ridge ridge = { .first = row[g->first].cell,
					.last = row[g->last].cell,
					.first_place = g->first - SIDE,
					.last_place = g->last - SIDE };
	double sum = 0;
	for (size_t i = g->first; i <= g->last; i++)
		sum += row[i].cell == NO_CELL ? 0 : (double)row[i].smoothed;
	ridge.mean = sum / (double)(ridge.last - ridge.first + 1);
	return buf_append(&r->ridges, &ridge, sizeof(ridge));
}

int mountain_ridges_find(struct mountain_ridges *r, const struct mountain_cells *cells, const struct ridge_rule *rule,
			 const struct trace *trace)
{
	buf_clear(&r->ridges);
	/* fill the row, with SIDE more blank slopes at both ends, so that the smoothing needs no bounds */
	static const struct slope blank = { .cell = NO_CELL };
	int status = 0;
	buf_clear(&r->slopes);
	for (unsigned k = 0; k < SIDE && status >= 0; k++)
		status = buf_append(&r->slopes, &blank, sizeof(blank));
	for (size_t i = 0; i < mountain_cells_count(cells) && status >= 0; i++) {
		const struct mountain_cell *cell = mountain_cell_at(cells, i);
		for (uint32_t k = 0; i && k < cell->blanks && status >= 0; k++)
			status = buf_append(&r->slopes, &blank, sizeof(blank));
		struct slope slope = { .score = cell->score, .cell = (uint32_t)i };
		if (status >= 0)
			status = buf_append(&r->slopes, &slope, sizeof(slope));
	}
	for (unsigned k = 0; k < SIDE && status >= 0; k++)
		status = buf_append(&r->slopes, &blank, sizeof(blank));
	if (status < 0)
		return status;
	struct slope *row = (struct slope *)(void *)r->slopes.data;
	size_t count = r->slopes.len / sizeof(*row);
	double sum = 0;
	size_t smoothed = 0;
	for (size_t i = SIDE; i < count - SIDE; i++) {
		/* equations 2 and 3 */
		double near = 0, pull = 0;
		for (size_t k = i - SIDE; k <= i + SIDE; k++)
			near += (double)row[k].score;
		for (int k = -SIDE; k <= SIDE; k++) {
			if (k != 0)
				pull += ((double)row[i + (size_t)k].score - near / MOUNTAIN_SMOOTHING) *
					(1 - 0.2 * (k < 0 ? -k : k));
		}
		row[i].smoothed = (float)((double)row[i].score + pull / (MOUNTAIN_SMOOTHING - 1));
		if (row[i].cell != NO_CELL) {
			sum += (double)row[i].smoothed;
			smoothed++;
		}
	}
	double mean = smoothed ? sum / (double)smoothed : 0;
	r->primary = rule->threshold ? mean * rule->threshold / 1e6 : mean;
	r->peak = MOUNTAIN_PEAK * mean;
	r->span = rule->span ? rule->span : MOUNTAIN_SPAN;
	struct growing g = { 0 };
	status = 0;
	for (size_t i = SIDE; i < count - SIDE && status >= 0; i++) {
		bool high = (double)row[i].smoothed > r->primary, cell = row[i].cell != NO_CELL;
		if (!high && g.open && ++g.low > r->span)
			status = close_ridge(r, row, &g);
		if (!high || (!g.open && !cell))
			continue;
		if (!g.open)
			g = (struct growing){ .first = i, .highest = row[i].smoothed, .open = true };
		g.low = 0;
		if (cell) {
			g.last = i;
			g.highest = row[i].smoothed > g.highest ? row[i].smoothed : g.highest;
		}
	}
	status = status < 0 ? status : close_ridge(r, row, &g);
	if (status < 0)
		return status;
	/* equations 4 to 7 */
	struct mountain_ridge *ridges = (struct mountain_ridge *)(void *)r->ridges.data;
	size_t found = mountain_ridges_count(r), widest = 0;
	double highest = 0;
	for (size_t i = 0; i < found; i++) {
		size_t width = ridges[i].last - ridges[i].first + 1;
		widest = width > widest ? width : widest;
		highest = ridges[i].mean > highest ? ridges[i].mean : highest;
	}
	for (size_t i = 0; i < found; i++) {
		struct mountain_ridge *ridge = &ridges[i];
		ridge->features[0] = ridge->mean / highest;
		ridge->features[1] = (double)(ridge->last - ridge->first + 1) / (double)widest;
		ridge->features[2] = (double)(i + 1) / (double)found;
		ridge->features[3] = (double)(ridge->first + 1) / (double)mountain_cells_count(cells);
	}
	for (size_t i = SIDE; trace && i < count - SIDE; i++) {
		struct slice text = { 0 };
		if (row[i].cell != NO_CELL) {
			size_t from = mountain_cell_start(cells, row[i].cell),
			       to = mountain_cell_at(cells, row[i].cell)->text_end;
			text = slice_of(cells->page.text.buf.data + from, to - from);
		}
		if (trace->segment)
			trace->segment(trace->arg, i - SIDE, (double)row[i].score, 0, text);
		if (trace->smoothed)
			trace->smoothed(trace->arg, i - SIDE, (double)row[i].smoothed,
					(double)row[i].smoothed > r->primary);
	}
	if (trace && trace->number) {
		trace->number(trace->arg, "primary threshold", r->primary);
		trace->number(trace->arg, "peak threshold", r->peak);
	}
	return 0;
}

void mountain_ridges_free(struct mountain_ridges *r)
{
	buf_free(&r->ridges);
	buf_free(&r->slopes);
}

/*
 * Models are read line by line and word by word. All numbers are whole (millionths), so that neither the locale nor the
 * rounding of a reader matters; a file with anything else is rejected.
 */

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
	if (slice_equal(word, slice_from_text("vector"))) {
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

/*
 * Mountain Model (L. Bing, Y. Wang, Y. Zhang, H. Wang 2008): cells of text make a mountain, its ridges are classified
 * by a classifier, the cells of the primary ridges are the content. A page without a primary ridge gives the ridge that
 * is nearest to being one.
 *
 * Keys: `model=FILE` replaces the universal classifier; `site-models=DIR` takes DIR/HOST.model, if it exists, for the
 * pages of a host (site-oriented classifier); "www." at the front of a host is ignored. A model that is damaged or
 * cannot be read is an error at the first page of its host: the universal classifier does not replace it.
 *
 * The program reads the files (dana_options.read_file); the host comes from dana_page_url.
 */

enum { SITES = 64, HOST_MOST = 253, NO_FILE = 1 };

/* A host that was looked up, with or without its own model. */
struct host_model {
	char host[HOST_MOST + 1];
	struct mountain_model model;
};

struct mountain {
	struct mountain_cells cells; /* first: it begins with the token stream */
	struct mountain_ridges ridges;
	struct method_files files;
	struct mountain_model model;         /* from the key `model`; count 0 = the universal one */
	char *site_models;                   /* folder */
	struct host_model *sites;            /* by hash of the host; each place keeps the last host looked up */
	const struct mountain_model *chosen; /* for this page */
};

static void mountain_reset(void *state)
{
	struct mountain *s = state;
	mountain_cells_reset(&s->cells);
	buf_shrink(&s->ridges.slopes, PAGE_KEEPS);
	s->chosen = s->model.count ? &s->model : &mountain_universal;
}

static int mountain_init(void *state, const struct method_env *env)
{
	struct mountain *s = state;
	mountain_cells_init(&s->cells, env);
	s->files = env->files;
	mountain_reset(s);
	return DANA_OK;
}

/* Loads a model. Returns 1 if the file does not exist, DANA_ECONFIG if it cannot be read or is not a model. */
static int load(const struct mountain *s, const char *name, struct mountain_model *model)
{
	char *data = NULL;
	size_t len = 0;
	int status = s->files.read(s->files.arg, name, &data, &len);
	if (status != DANA_OK)
		return status > 0 ? NO_FILE : DANA_ECONFIG;
	status = mountain_model_read(model, slice_of(data, len));
	free(data);
	return status == DANA_EFORMAT ? DANA_ECONFIG : status;
}

static const struct method_key keys[] = {
	{ .name = "model", .argument = "FILE", .help = "a model of dana train mountain instead of the one built in" },
	{ .name = "site-models",
	  .argument = "FOLDER",
	  .help = "models of single sites: FOLDER/HOST.model, where it exists, for pages of HOST" },
	{ .name = NULL },
};

static int mountain_set(void *state, const struct method_setting *setting)
{
	struct mountain *s = state;
	bool model = method_setting_is(setting, "model");
	if (!s->files.read)
		return DANA_ECONFIG;
	char *name = calloc(setting->value.len + 1, 1);
	if (!name)
		return DANA_ENOMEM;
	memcpy(name, setting->value.data, setting->value.len);
	if (!model) {
		free(s->site_models);
		s->site_models = name;
		if (!s->sites)
			s->sites = calloc(SITES, sizeof(*s->sites));
		return s->sites ? DANA_OK : DANA_ENOMEM;
	}
	mountain_model_free(&s->model);
	int status = load(s, name, &s->model);
	free(name);
	mountain_reset(s);
	return status == NO_FILE ? DANA_ECONFIG : status;
}

/* Finds the host of an absolute URL, in lower case, without "www."; false if it has none that can be a file name. */
static bool find_host(struct slice url, char host[HOST_MOST + 1])
{
	struct slice rest = url_host(url);
	size_t len;
	if (rest.len > 4 && slice_is(slice_of(rest.data, 4), "www."))
		rest = slice_skip(rest, 4);
	for (len = 0; len < rest.len; len++) {
		uint8_t c = ascii_lower(rest.data[len]);
		if (len == HOST_MOST || !(ascii_is_alpha(c) || ascii_is_digit(c) || c == '-' || (c == '.' && len)))
			return false;
		host[len] = (char)c;
	}
	host[len] = '\0';
	return len > 0;
}

/* Chooses the model of the page's host, if it has one, instead of the common one. */
static int mountain_url(void *state, struct slice url)
{
	struct mountain *s = state;
	char host[HOST_MOST + 1];
	if (!s->site_models || !find_host(url, host))
		return DANA_OK;
	struct host_model *site = &s->sites[hash_fnv32(slice_from_text(host), HASH_FNV32_START) % SITES];
	if (strcmp(site->host, host) != 0) {
		struct buf name = { 0 };
		mountain_model_free(&site->model);
		int status = buf_printf(&name, "%s/%s.model", s->site_models, host);
		if (status >= 0)
			status = buf_append_byte(&name, 0);
		if (status >= 0)
			status = load(s, (const char *)name.data, &site->model);
		buf_free(&name);
		if (status < 0) {
			site->host[0] = '\0'; /* read it again for the next page of that host */
			return status;
		}
		memcpy(site->host, host, sizeof(host));
	}
	if (site->model.count)
		s->chosen = &site->model;
	return DANA_OK;
}

static void mountain_tell(const struct mountain *s, size_t index, bool primary)
{
	const struct mountain_ridge *r = mountain_ridge_at(&s->ridges, index);
	struct slice text =
		slice_of(s->cells.page.text.buf.data + mountain_cell_start(&s->cells, r->first),
			 mountain_cell_at(&s->cells, r->last)->text_end - mountain_cell_start(&s->cells, r->first));
	struct buf numbers = { 0 };
	int status = buf_printf(&numbers, "height=%.3f width=%.3f ridge-position=%.3f cell-position=%.3f",
				r->features[0], r->features[1], r->features[2], r->features[3]);
	if (s->cells.page.trace->region)
		s->cells.page.trace->region(s->cells.page.trace->arg, r->first_place, r->last_place, r->mean, index);
	if (s->cells.page.trace->block && status >= 0 && buf_append_byte(&numbers, 0) >= 0)
		s->cells.page.trace->block(s->cells.page.trace->arg, text, primary, r->decision,
					   primary ? "primary ridge" : "other ridge", (const char *)numbers.data);
	if (s->cells.page.trace->chosen && primary)
		s->cells.page.trace->chosen(s->cells.page.trace->arg, index);
	buf_free(&numbers);
}

static int mountain_finish(void *state, struct text_writer *out)
{
	struct mountain *s = state;
	int status = mountain_cells_finish(&s->cells);
	if (status >= 0)
		status = mountain_ridges_find(&s->ridges, &s->cells, &s->chosen->rule, s->cells.page.trace);
	if (status < 0)
		return status;
	size_t count = mountain_ridges_count(&s->ridges), nearest = 0;
	double highest = -HUGE_VAL;
	for (size_t i = 0; i < count; i++) {
		struct mountain_ridge *r = mountain_ridge_at(&s->ridges, i);
		r->decision = mountain_model_decide(s->chosen, r->features);
		nearest = r->decision > highest ? i : nearest;
		highest = fmax(highest, r->decision);
	}
	for (size_t i = 0; i < count && status >= 0; i++) {
		const struct mountain_ridge *r = mountain_ridge_at(&s->ridges, i);
		bool primary = r->decision > 0 || (i == nearest && !(highest > 0));
		if (s->cells.page.trace)
			mountain_tell(s, i, primary);
		if (primary)
			status = page_text_write(&s->cells.page.text, mountain_cell_start(&s->cells, r->first),
						 mountain_cell_at(&s->cells, r->last)->text_end, out);
	}
	return status < 0 ? status : count ? 0 : METHOD_NO_REGION;
}

static void mountain_destroy(void *state)
{
	struct mountain *s = state;
	mountain_cells_free(&s->cells);
	mountain_ridges_free(&s->ridges);
	mountain_model_free(&s->model);
	for (size_t i = 0; s->sites && i < SITES; i++)
		mountain_model_free(&s->sites[i].model);
	free(s->sites);
	free(s->site_models);
}

static const struct method_words words = {
	.segment = "cell",
	.segments = "cells",
	.region = "ridge",
	.regions = "ridges",
	.group = "ridge",
	.above = "score",
	.below = "code",
	.above_name = "score",
	.below_name = "code",
	.smoothed = "smoothed score",
	.chosen = "the main ridges",
	.kept = "ridge that the classifier takes for main content",
	.other = "ridge that the classifier takes for clutter",
	.none = "no ridge",
	.gap = "no ridge",
};

const struct method method_mountain = {
	.name = "mountain",
	.source = "Bing, Wang, Zhang, Wang 2008",
	.memory = "text + 24 B a cell",
	.summary = "ridges of high text cells, by a classifier",
	.keys = keys,
	.set = mountain_set,
	.words = &words,
	PAPER_FUNCTIONS(mountain, mountain),
	.destroy = mountain_destroy,
	.url = mountain_url,
};
