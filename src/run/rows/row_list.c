/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/rows/row_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/json_reader.h"
#include "dedup/minhash.h"
#include "dedup/rows.h"
#include "io/index/line_reader.h"

enum { LINE_MOST = 1 << 20, DEPTH_MOST = 8, NUMBER_MOST = 40 };

struct making {
	const char *output;
	bool force;
	struct json_reader *json;
	struct rows_maker *maker;                /* NULL before the line of settings */
	struct buf name, id, kept_id, kept_file; /* decoded strings of the line */
	uint64_t line, pages, next;              /* pages of the part; the first row that may come */
	bool in_part;
	const char *bad; /* why a line cannot be read */
};

static int wrong(struct error *err, const char *what)
{
	return error_set(err, DANA_EFORMAT, "%s", what);
}

/* ---- values ---- */

static bool number(struct json_value object, const char *name, uint64_t most, uint64_t *out)
{
	const struct json_value value = json_member(object, name);
	return json_kind(value) == JSON_IS_NUMBER && decimal_number(json_written(value), most, out);
}

static bool share(struct json_value object, const char *name, double *out)
{
	char text[NUMBER_MOST + 1];
	const struct json_value value = json_member(object, name);
	const struct slice written = json_kind(value) == JSON_IS_NUMBER ? json_written(value) : slice_of(NULL, 0);
	if (written.len == 0 || written.len > NUMBER_MOST)
		return false;
	memcpy(text, written.data, written.len);
	text[written.len] = 0;
	*out = strtod(text, NULL);
	return *out >= -1 && *out <= 1;
}

/* A string, or with `or_null` none. False: it is neither, or memory is exhausted, as buf_status(space) says. */
static bool string(struct json_value object, const char *name, bool or_null, struct buf *space, struct slice *out)
{
	const struct json_value value = json_member(object, name);
	bool repaired = false;
	buf_clear(space);
	*out = slice_of(NULL, 0);
	if (json_kind(value) == JSON_IS_NULL)
		return or_null;
	return json_kind(value) == JSON_IS_STRING && json_characters(value, space, out, &repaired) == DANA_OK &&
	       !repaired;
}

/* ---- lines ---- */

/* {"bands":14,"rows":8,"keep":"first","similarity":0} */
static int take_settings(struct making *m, struct json_value line, struct error *err)
{
	char text[160];
	uint64_t bands, rows;
	double similarity;
	struct slice keep;
	if (!number(line, "bands", BANDS_NUMBERS_MOST, &bands) || !number(line, "rows", BANDS_NUMBERS_MOST, &rows) ||
	    !string(line, "keep", false, &m->name, &keep) || keep.len > 16 || !share(line, "similarity", &similarity))
		return wrong(err, "expected the settings: bands, rows, keep and similarity");
	(void)snprintf(text, sizeof(text), "bands=%u\nrows=%u\nkeep=%.*s\nsimilarity=%g\n", (unsigned)bands,
		       (unsigned)rows, (int)keep.len, (const char *)keep.data, similarity);
	m->maker = rows_maker_new(m->output, text, m->force, err);
	return m->maker ? DANA_OK : (int)err->status;
}

/* {"file":"a.warc.gz","pages":120} */
static int take_part(struct making *m, struct json_value line, struct error *err)
{
	struct slice name;
	if (!string(line, "file", false, &m->name, &name) || name.len == 0 ||
	    !number(line, "pages", UINT32_MAX, &m->pages))
		return wrong(err, "expected the name of an input and its number of pages: file and pages");
	m->in_part = true;
	m->next = 0;
	return rows_maker_part(m->maker, name, (uint32_t)m->pages, err);
}

/* {"row":5,"id":"urn:...","similarity":0.9,"kept":{"file":"a.warc.gz","offset":12,"id":"urn:..."}} */
static int take_row(struct making *m, struct json_value line, struct error *err)
{
	const struct json_value kept = json_member(line, "kept");
	struct origin origin = { .offset = UINT64_MAX };
	uint8_t packed[ORIGIN_BYTES];
	struct slice id;
	uint64_t row;
	double similarity;
	if (!m->in_part)
		return wrong(err, "a row stands before the first input");
	if (!number(line, "row", UINT32_MAX, &row) || row < m->next || row >= m->pages)
		return wrong(err, "expected rows in rising order, each below the number of pages of its input");
	if (!string(line, "id", true, &m->id, &id) || !share(line, "similarity", &similarity) ||
	    !string(kept, "id", true, &m->kept_id, &origin.id) ||
	    !string(kept, "file", false, &m->kept_file, &origin.file) ||
	    (json_kind(json_member(kept, "offset")) != JSON_IS_NULL &&
	     !number(kept, "offset", UINT64_MAX - 1, &origin.offset)))
		return wrong(err, "expected row, id, similarity, and kept with id, file and offset");
	m->next = row + 1;
	int status = rows_maker_pack(m->maker, &origin, packed);
	if (status == DANA_OK)
		status = rows_maker_drop(m->maker, (uint32_t)row, row_id_hash(id), (float)similarity, packed);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

static int take_value(struct making *m, struct json_value line, struct error *err)
{
	if (json_kind(line) != JSON_IS_OBJECT)
		return wrong(err, "expected a JSON object");
	if (!m->maker)
		return take_settings(m, line, err);
	return json_kind(json_member(line, "pages")) != JSON_IS_NOTHING ? take_part(m, line, err)
									: take_row(m, line, err);
}

static int take_line(void *arg, struct slice text, struct error *err)
{
	struct making *m = arg;
	struct json_value line;
	struct error why = { 0 };
	m->line++;
	if (m->bad)
		return error_set(err, DANA_EFORMAT, "line %llu: %s", (unsigned long long)m->line, m->bad);
	int status = json_read(m->json, text, &line, &why);
	if (status == DANA_OK)
		status = take_value(m, line, &why);
	if (status != DANA_EFORMAT)
		return status < 0 ? error_set(err, (enum dana_status)status, "%s",
					      why.status ? why.text : status_text(status))
				  : DANA_OK;
	return error_set(err, DANA_EFORMAT, "line %llu: %s", (unsigned long long)m->line, why.text);
}

static void take_bad(void *arg, const char *why)
{
	struct making *m = arg;
	m->bad = m->bad ? m->bad : why;
}

static int make(struct making *m, const char *input, struct error *err)
{
	static const struct json_rules rules = { .depth_most = DEPTH_MOST, .unique_names = true };
	const struct line_input lines = { .name = input, .shown = input, .line_most = LINE_MOST };
	const struct line_taker taker = { take_line, take_bad, m };
	struct error why = { 0 };
	m->json = json_reader_new(&rules);
	if (!m->json)
		return error_no_memory(err);
	int status = line_reader_run(&lines, &taker, &why);
	if (status == DANA_OK && m->bad)
		status = wrong(&why, m->bad);
	if (status == DANA_OK && !m->maker)
		status = wrong(&why, "it is empty; expected a line of settings, then inputs and rows");
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", input, why.text) : DANA_OK;
}

int row_list_make(const char *input, const char *output, bool force, uint64_t *dropped, struct error *err)
{
	struct making m = { .output = output, .force = force };
	int status = make(&m, input, err);
	if (status == DANA_OK) {
		*dropped = rows_maker_dropped(m.maker);
		status = rows_maker_finish(m.maker, err);
	} else {
		rows_maker_abandon(m.maker);
	}
	json_reader_free(m.json);
	buf_free(&m.name);
	buf_free(&m.id);
	buf_free(&m.kept_id);
	buf_free(&m.kept_file);
	return status;
}
