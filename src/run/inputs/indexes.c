/* SPDX-License-Identifier: MIT */
/*
 * An index names a file for each record, mostly one that many other lines name too: a tree finds the number that it has
 * among the inputs. An index that is a list of files (one word a line, as cc-index.paths.gz) is read first; then these.
 */
#include "config.h"

#include "run/inputs/indexes.h"

#include <limits.h>
#include <search.h>
#include <stdlib.h>

#include "base/grow.h"
#include "io/index/cdx_line.h"
#include "io/index/cdx_match.h"
#include "run/inputs/lists.h"

enum { SHOWN = 200 };

struct file {
	const char *name; /* as the index has it */
	size_t input;
};

struct index {
	struct filter_inputs *in;
	const struct run_settings *settings;
	struct network *network;
	struct cdx_line *line;
	struct cdx_match *match;
	void *files; /* tree of struct file */
	struct file *last;
	struct name_list shards; /* index files that lists name */
	bool in_shard;
	/* Of the file that is read. */
	struct lines_read lines;
	bool has_records;     /* it is an index: words are not names of files */
	size_t shards_before; /* that files before it named */
	uint64_t first_word;  /* the line of the first one that it names */
};

/* ---- files ---- */

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

static void keep(void *file)
{
	(void)file; /* it is in the arena */
}

static struct file *add_file(struct index *x, struct slice name, struct error *err)
{
	struct arena *memory = x->in->names.memory;
	struct buf whole = { 0 };
	int status = filter_lists_name(name, x->settings->inputs.base, &whole, err);

	if (status == DANA_OK)
		status = filter_lists_add(x->in, (const char *)whole.data, err);
	buf_free(&whole);
	if (status < 0)
		return NULL;
	struct slice copy = arena_copy(memory, name);
	struct file *file = arena_alloc(memory, sizeof(*file));
	if (!copy.data || !file)
		return (void)error_no_memory(err), NULL;
	*file = (struct file){ (const char *)copy.data, x->in->names.n - 1 };
	return file;
}

/* The file of that name, which is an input from now on. NULL with DANA_ENOMEM or DANA_EFORMAT (not below --base) in
 * `err`. */
static struct file *find_file(struct index *x, struct slice name, struct error *err)
{
	struct buf text = { 0 };
	struct file key;

	if (x->last && slice_equal(slice_from_text(x->last->name), name))
		return x->last;
	buf_append(&text, name.data, name.len);
	if (buf_append_byte(&text, 0) < 0)
		return (void)error_no_memory(err), NULL;
	key.name = (const char *)text.data;
	struct file *const *found = tfind(&key, &x->files, compare);
	struct file *file = found ? *found : add_file(x, name, err);
	buf_free(&text);
	if (!found && file && !tsearch(file, &x->files, compare))
		return (void)error_no_memory(err), NULL;
	x->last = file;
	return file;
}

/* ---- lines ---- */

static int add_piece(struct index *x, struct slice name, const struct piece *piece, struct error *err)
{
	struct filter_inputs *in = x->in;
	struct piece *pieces = grow_items(in->pieces, in->n_pieces, &in->pieces_cap, sizeof(*pieces));

	if (!pieces)
		return error_no_memory(err);
	in->pieces = pieces;
	const struct file *file = find_file(x, name, err);
	if (!file)
		return (int)err->status;
	in->pieces[in->n_pieces] = *piece;
	in->pieces[in->n_pieces++].input = file->input;
	return DANA_OK;
}

static int bad_line(struct index *x, const char *why)
{
	filter_lists_bad(&x->lines, why);
	return DANA_OK;
}

static int take_record(struct index *x, struct error *err)
{
	struct error fault = { 0 };
	struct piece piece = { .index = (unsigned)x->in->indexes.n - 1,
			       .line = x->lines.number < UINT_MAX ? (unsigned)x->lines.number : UINT_MAX };
	struct slice file;
	int wanted = cdx_match_line(x->match, x->line);

	if (wanted < 0)
		return error_no_memory(err);
	if (!wanted)
		return DANA_OK;
	if (cdx_line_place(x->line, &file, &piece.from, &piece.length, &fault) < 0)
		return bad_line(x, fault.text);
	int status = add_piece(x, file, &piece, &fault);
	if (status == DANA_EFORMAT)
		return bad_line(x, fault.text);
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

static int add_shard(struct index *x, struct slice line, struct error *err)
{
	struct buf name = { 0 };
	struct error fault = { 0 };
	int status = filter_lists_name(line, x->settings->inputs.base, &name, &fault);

	if (status == DANA_OK)
		status = name_list_add(&x->shards, slice_first(buf_slice(&name), name.len - 1), err);
	else
		status = status == DANA_ENOMEM ? error_no_memory(err) : bad_line(x, fault.text);
	buf_free(&name);
	return status;
}

static int bad_word(struct index *x)
{
	return bad_line(x, "expected CDXJ, or CDX with 9, 10 or 11 fields");
}

/* A file that names records is not a list of index files: words before them were bad lines. */
static void begin_records(struct index *x)
{
	const uint64_t number = x->lines.number;

	x->has_records = true;
	x->lines.number = x->first_word;
	while (x->shards.n > x->shards_before) {
		x->shards.n--;
		(void)bad_word(x);
	}
	x->lines.number = number;
}

/* Lists of index files also name what helps to search in them. */
static int take_shard(struct index *x, struct slice line, struct error *err)
{
	static const char *const others[] = { "cluster.idx", "metadata.yaml" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		size_t len = strlen(others[i]);
		if (line.len >= len && memcmp(line.data + line.len - len, others[i], len) == 0)
			return DANA_OK;
	}
	if (x->in_shard || x->has_records || memchr(line.data, 0, line.len))
		return bad_word(x);
	if (x->shards.n == x->shards_before)
		x->first_word = x->lines.number;
	return add_shard(x, line, err);
}

static int take_line(void *arg, struct slice line, struct error *err)
{
	struct index *x = arg;
	struct error fault = { 0 };

	switch (cdx_line_read(x->line, line, &fault)) {
	case CDX_RECORD:
		if (!x->has_records)
			begin_records(x);
		return take_record(x, err);
	case CDX_FILE:
		return take_shard(x, line, err);
	case CDX_NOTHING:
		return DANA_OK;
	case DANA_EFORMAT:
		return bad_line(x, fault.text);
	default:
		return error_no_memory(err);
	}
}

/* ---- indexes ---- */

/* What damage that the index leads to is reported with: its name without folders. */
static int add_name(struct filter_inputs *in, const char *shown, struct error *err)
{
	const char *slash = strrchr(shown, '/');

	in->indexes.memory = in->names.memory;
	return name_list_add(&in->indexes, slice_from_text(slash && slash[1] ? slash + 1 : shown), err);
}

static int read_index(struct index *x, const char *name, struct error *err)
{
	const struct lines_wanted wanted = { name, "--cdx", x->network, &x->settings->reports.messages };
	char shown[SHOWN];

	x->has_records = false;
	x->shards_before = x->shards.n;
	int status = add_name(x->in, filter_lists_shown(name, shown, sizeof(shown)), err);
	if (status == DANA_OK)
		status = filter_lists_lines(&wanted, &x->lines, take_line, x, err);
	x->in->incomplete |= x->lines.bad > 0;
	return status;
}

static int read_shards(struct index *x, struct error *err)
{
	int status = DANA_OK;

	x->in_shard = true;
	for (size_t i = 0; i < x->shards.n && status == DANA_OK; i++)
		status = read_index(x, x->shards.items[i], err);
	return status;
}

static int read_all(struct index *x, struct error *err)
{
	const struct text_list *files = &x->settings->inputs.cdx;
	int status = DANA_OK;

	for (unsigned i = 0; i < files->n && status == DANA_OK; i++)
		status = read_index(x, files->at[i], err);
	return status == DANA_OK ? read_shards(x, err) : status;
}

/* ---- pieces of a file together ---- */

/* In the order of the files, and within one in that of the index. */
static int group(struct filter_inputs *in, struct error *err)
{
	size_t n = in->names.n;
	struct piece *sorted = malloc((in->n_pieces ? in->n_pieces : 1) * sizeof(*sorted));
	size_t *starts = calloc(n + 2, sizeof(*starts));

	if (!sorted || !starts) {
		free(sorted);
		free(starts);
		return error_no_memory(err);
	}
	for (size_t i = 0; i < in->n_pieces; i++)
		starts[in->pieces[i].input + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < in->n_pieces; i++) {
		struct piece *to = &sorted[starts[in->pieces[i].input + 1]++];
		*to = in->pieces[i];
		to->input = 0;
	}
	free(in->pieces);
	in->pieces = sorted;
	in->pieces_cap = in->n_pieces;
	in->piece_starts = starts;
	return DANA_OK;
}

int filter_index_read(struct filter_inputs *in, const struct run_settings *s, struct network *network,
		      struct error *err)
{
	struct index x = { .in = in, .settings = s, .network = network, .shards.memory = in->names.memory };
	int status = DANA_ENOMEM;

	x.match = cdx_match_new(s->inputs.cdx_match.at, s->inputs.cdx_match.n, err);
	x.line = cdx_line_new();
	if (x.match && x.line)
		status = read_all(&x, err);
	else
		status = err->status ? (int)err->status : error_no_memory(err);
	tdestroy(x.files, keep);
	name_list_free(&x.shards);
	cdx_line_free(x.line);
	cdx_match_free(x.match);
	if (status == DANA_OK && in->n_pieces == 0 && !s->reports.quiet)
		notice(&s->reports.messages, "--cdx: no record of the index is wanted");
	return status == DANA_OK && s->outputs.folder ? group(in, err) : status;
}
