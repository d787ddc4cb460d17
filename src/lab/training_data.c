/* SPDX-License-Identifier: MIT */
/*
 * What `dana features` writes for the trainer, in two parts: the tokens of each block, and how much of each block is in
 * the reference text.
 */
#include "config.h"

#include "lab/training_data.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/status.h"
#include "extract/html/entity.h"
#include "extract/learned/classifier.h"

static void note(struct features_tokens *t, int status)
{
	if (t->status == DANA_OK)
		t->status = status;
}

static void clear_lists(struct token_lists *lists)
{
	buf_clear(&lists->tokens);
	buf_clear(&lists->ends);
}

static int add_list(struct token_lists *lists, struct slice tokens)
{
	int status = buf_append(&lists->tokens, tokens.data, tokens.len);
	uint32_t end = (uint32_t)(lists->tokens.len / sizeof(uint16_t));
	return status < 0 ? status : buf_append(&lists->ends, &end, sizeof(end));
}

static size_t count_lists(const struct token_lists *lists)
{
	return lists->ends.len / sizeof(uint32_t);
}

/*
 * The tokens that wait belong to the block that has just ended; of one that vanished they are lost, as in the method.
 */
static void settle_waiting(struct features_tokens *t)
{
	const struct blocks *b = t->blocks;
	if (t->begun == b->begun)
		return;
	t->begun = b->begun;
	while (count_lists(&t->of_blocks) < b->n_blocks && t->status == DANA_OK) {
		note(t, add_list(&t->of_blocks, buf_slice(&t->waiting)));
		buf_clear(&t->waiting);
	}
	buf_clear(&t->waiting);
}

void features_tokens_begin(struct features_tokens *t, const struct blocks *blocks)
{
	t->blocks = blocks;
	clear_lists(&t->of_elements);
	clear_lists(&t->of_blocks);
	buf_clear(&t->fresh);
	buf_clear(&t->waiting);
	t->begun = blocks->begun;
	t->status = add_list(&t->of_elements, slice_of(NULL, 0)); /* number 0, the page */
}

void features_tokens_seen(void *arg, uint32_t id)
{
	struct features_tokens *t = arg;
	uint16_t token = (uint16_t)id;
	settle_waiting(t);
	note(t, buf_append(&t->fresh, &token, sizeof(token)));
}

int features_tokens_tag(struct features_tokens *t, bool opened)
{
	settle_waiting(t);
	note(t, opened ? add_list(&t->of_elements, buf_slice(&t->fresh))
		       : buf_append(&t->waiting, t->fresh.data, t->fresh.len));
	buf_clear(&t->fresh);
	return t->status;
}

int features_tokens_finish(struct features_tokens *t)
{
	settle_waiting(t);
	/*
	 * elements that were opened at the end only (a page without </title>, which is read again) have no tokens here
	 */
	while (count_lists(&t->of_elements) < t->blocks->n_elements && t->status == DANA_OK)
		note(t, add_list(&t->of_elements, slice_of(NULL, 0)));
	return t->status;
}

static size_t end_of(const struct token_lists *lists, uint32_t i)
{
	uint32_t end;
	memcpy(&end, lists->ends.data + i * sizeof(end), sizeof(end));
	return end * sizeof(uint16_t);
}

struct slice features_tokens_at(const struct token_lists *lists, uint32_t i)
{
	size_t begin = i ? end_of(lists, i - 1) : 0, end = end_of(lists, i);
	return slice_skip(slice_first(buf_slice(&lists->tokens), end), begin);
}

void features_tokens_free(struct features_tokens *t)
{
	buf_free(&t->of_elements.tokens);
	buf_free(&t->of_elements.ends);
	buf_free(&t->of_blocks.tokens);
	buf_free(&t->of_blocks.ends);
	buf_free(&t->fresh);
	buf_free(&t->waiting);
}

int features_labels_init(struct features_labels *l)
{
	*l = (struct features_labels){ .table = token_table_new() };
	return l->table ? DANA_OK : DANA_ENOMEM;
}

int features_labels_make(struct features_labels *l, const struct blocks *blocks, struct slice gold_text)
{
	token_table_reset(l->table);
	tokens_clear(&l->page);
	tokens_clear(&l->gold);
	if (blocks->n_blocks > l->cap) {
		free(l->label);
		l->label = calloc(blocks->n_blocks, sizeof(*l->label));
		l->cap = l->label ? blocks->n_blocks : 0;
		if (!l->label)
			return DANA_ENOMEM;
	}
	int status = tokens_append(&l->gold, l->table, gold_text);
	for (uint32_t i = 0; i < blocks->n_blocks && status == DANA_OK; i++) {
		const size_t before = l->page.len;
		/* references are decoded, as the gold text is measured */
		buf_clear(&l->text);
		status = html_entity_append(&l->text, block_text(blocks, &blocks->block[i]));
		if (status == DANA_OK)
			status = tokens_append(&l->page, l->table, buf_slice(&l->text));
		l->label[i] = (struct features_label){ .tokens = (uint32_t)(l->page.len - before) };
	}
	uint8_t *matched = status == DANA_OK ? calloc(l->page.len + 1, 1) : NULL;
	if (status == DANA_OK)
		status = matched ? align_runs(&l->page, &l->gold, matched) : DANA_ENOMEM;
	const uint8_t *at = matched;
	for (size_t i = 0; i < blocks->n_blocks && status == DANA_OK; i++) {
		for (uint32_t k = 0; k < l->label[i].tokens; k++)
			l->label[i].matched += *at++;
	}
	free(matched);
	return status;
}

void features_labels_free(struct features_labels *l)
{
	free(l->label);
	token_table_free(l->table);
	tokens_free(&l->page);
	tokens_free(&l->gold);
	buf_free(&l->text);
}

static const char *const file_names[FEATURES_FILES] = {
	[FILE_PAGES] = "pages.tsv",     [FILE_LABELS] = "labels.u32", [FILE_COUNTS] = "token_counts.u32",
	[FILE_TOKENS] = "tokens.u16",   [FILE_STAGE1] = "stage1.u8",  [FILE_STAGE2] = "stage2.u8",
	[FILE_MARGINS] = "margins.i32", [FILE_WORDS] = "words.u32",   [FILE_KINDS] = "kinds.u8",
};

static FILE *open_in(const char *folder, const char *name)
{
	char path[4096];
	int len = snprintf(path, sizeof(path), "%s/%s", folder, name);
	return len > 0 && (size_t)len < sizeof(path) ? fopen(path, "wb") : NULL;
}

static bool write_names(const char *folder, const char *name, const char *const *names, size_t n)
{
	FILE *file = open_in(folder, name);
	bool good = file != NULL;
	for (size_t i = 0; i < n && good; i++)
		good = fprintf(file, "%s\n", names[i]) > 0;
	return file ? fclose(file) == 0 && good : false;
}

int features_files_open(struct features_files *f, const char *folder, bool tokens, struct error *err)
{
	char number[16];
	const char *const version = number;
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
	for (unsigned i = 0; i < FEATURES_FILES; i++) {
		const bool of_tokens = i == FILE_LABELS || i == FILE_COUNTS || i == FILE_TOKENS;
		if (i != FILE_PAGES && of_tokens != tokens)
			continue;
		f->file[i] = open_in(folder, file_names[i]);
		if (!f->file[i])
			return error_set(err, DANA_EIO, "%s/%s: %s", folder, file_names[i], system_text(errno));
	}
	(void)snprintf(number, sizeof(number), "%d", FEATURES_VERSION);
	if (write_names(folder, "stage1.names", feature_names, FEATURE_COUNT) &&
	    write_names(folder, "stage2.names", stage2_feature_names, STAGE2_COUNT) &&
	    write_names(folder, "kinds.names", kind_feature_names, KIND_FEATURE_COUNT) &&
	    write_names(folder, "version", &version, 1))
		return DANA_OK;
	return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
}

void features_files_put(struct features_files *f, enum features_file which, const void *data, size_t len)
{
	f->failed |= len && fwrite(data, 1, len, f->file[which]) != len;
}

void features_files_put_number(struct features_files *f, enum features_file which, uint32_t number)
{
	const uint8_t bytes[4] = { (uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16),
				   (uint8_t)(number >> 24) };
	features_files_put(f, which, bytes, sizeof(bytes));
}

void features_files_put_page(struct features_files *f, const struct gold_page *page, uint32_t blocks,
			     size_t gold_tokens)
{
	f->failed |= fprintf(f->file[FILE_PAGES], "%s\t%s\t%s\t%s\t%u\t%zu\n", page->corpus, page->id, page->site,
			     page->script, blocks, gold_tokens) < 0;
}

bool features_files_close(struct features_files *f)
{
	for (size_t i = 0; i < FEATURES_FILES; i++) {
		if (f->file[i])
			f->failed |= fclose(f->file[i]) != 0;
		f->file[i] = NULL;
	}
	return !f->failed;
}
