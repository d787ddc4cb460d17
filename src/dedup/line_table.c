/* SPDX-License-Identifier: MIT */
/* Keys are hashes, so the search begins where a key would be if keys were spread evenly, and then halves the range. */
#include "config.h"

#include "dedup/line_table.h"

#include <stdlib.h>

#include "base/decimal.h"

/* Reads the number after "NAME=" in a text of lines. Returns false if it is missing. */
static bool setting(const char *text, const char *name, uint64_t *number)
{
	const char *at = strstr(text, name);

	return at && at[strlen(name)] == '=' && decimal_prefix(slice_from_text(at + strlen(name) + 1), number) > 0;
}

static int read_text(struct line_table *t, const struct index_file *f, struct error *err)
{
	uint8_t *text;
	int status = index_file_load(f, LINE_TABLE_TEXT, &text, err);

	if (status < 0)
		return status;
	const char *words = (const char *)text;
	t->by_site = strncmp(words, "scope=site\n", 11) == 0;
	bool good = (t->by_site || strncmp(words, "scope=all\n", 10) == 0) && setting(words, "least", &t->least) &&
		    setting(words, "pages", &t->pages);
	free(text);
	return good ? DANA_OK : index_file_refuse(f, "has unknown settings: made by a newer dana?", err);
}

static int load_pairs(const struct index_file *f, unsigned section, uint8_t **pairs, size_t *n, struct error *err)
{
	if (f->sections[section].record != PAIR_BYTES)
		return index_file_refuse(f, "is damaged: its records have another size", err);
	int status = index_file_load(f, section, pairs, err);
	*n = (size_t)index_file_count(f, section);
	return status;
}

int line_table_open(struct line_table *t, const char *path, struct error *err)
{
	struct index_file f;

	*t = (struct line_table){ 0 };
	int status = index_file_open(&f, path, INDEX_LINES, err);
	if (status < 0)
		return status;
	t->identity = f.identity;
	status = read_text(t, &f, err);
	if (status == DANA_OK)
		status = load_pairs(&f, LINE_TABLE_LINES, &t->lines, &t->n_lines, err);
	if (status == DANA_OK)
		status = load_pairs(&f, LINE_TABLE_SCOPES, &t->scopes, &t->n_scopes, err);
	index_file_close(&f);
	if (status < 0)
		line_table_close(t);
	return status;
}

void line_table_close(struct line_table *t)
{
	free(t->lines);
	free(t->scopes);
	*t = (struct line_table){ 0 };
}

/* Returns the value of a key among sorted pairs; 0 if it is missing. */
static uint64_t look_up(const uint8_t *pairs, size_t n, uint64_t key)
{
	size_t low = 0, high = n;

	for (unsigned step = 0; low < high; step++) {
		size_t middle = low + (high - low) / 2;
		if (step < 2) {
			middle = (size_t)((double)key / 18446744073709551616.0 * (double)n);
			middle = middle < low ? low : middle >= high ? high - 1 : middle;
		}
		uint64_t found = little_endian_64(pairs + middle * PAIR_BYTES);
		if (found == key)
			return little_endian_64(pairs + middle * PAIR_BYTES + 8);
		if (found < key)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

uint64_t line_table_count(const struct line_table *t, uint64_t key)
{
	return look_up(t->lines, t->n_lines, key);
}

uint64_t line_table_pages(const struct line_table *t, uint64_t scope)
{
	return look_up(t->scopes, t->n_scopes, scope);
}
