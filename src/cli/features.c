/* SPDX-License-Identifier: MIT */
/* `dana features`: what `learned` sees of gold pages, and how much of each block is in the gold text. For training. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/limits.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "cli/command.h"
#include "extract/learned/classifier.h"
#include "lab/gold.h"
#include "lab/training_data.h"
#include "run/methods.h"

struct features_settings {
	const char *output, *model, *list;
	bool tokens;
};

static const struct option options[] = {
	{ "output", 'o', OPTION_TEXT, "FOLDER", NULL, NULL,
	  "write into FOLDER, which is made if it is missing; required", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct features_settings, output) },
	{ "model", 0, OPTION_TEXT, "FILE", NULL, "the built-in one",
	  "use the weights and trees of this model, as far as they are trained", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct features_settings, model) },
	{ "list", 0, OPTION_TEXT, "FILE", NULL, NULL, "read only the pages in FILE, lines of CORPUS/ID", "Options", 0,
	  0, 0, OPTION_MEMBER(struct features_settings, list) },
	{ "tokens", 0, OPTION_FLAG, NULL, NULL, NULL, "write tokens and labels instead of features", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct features_settings, tokens) },
	{ 0 },
};

const struct option_table features_options = {
	.command = "features",
	.summary = "write the features of pages with reference texts, for training",
	.synopsis = "-o FOLDER [OPTIONS] DIR",
	.description = "DIR holds pages with reference texts, as for dana eval. FOLDER gets pages.tsv (corpus, id, "
		       "site, script, "
		       "blocks, tokens of the reference text) and plain arrays, little-endian, a row for each block in "
		       "the order of the "
		       "pages. With --tokens: labels.u32 (tokens, tokens in the reference text), token_counts.u32 and "
		       "tokens.u16 (tokens of class, id and the like, of the block and all elements around it). "
		       "Otherwise: stage1.u8 and stage2.u8 (features, a byte each), margins.i32 (log odds of both "
		       "stages, and of the second with blocks alike, in 1/4096), words.u32, and for each page kinds.u8 "
		       "(what its kind is found from); "
		       "stage1.names, stage2.names and kinds.names name the columns.\n\n"
		       "dana train learned runs this several times: see the documentation, LEARNED.md.",
	.examples = "dana features -o features reference\n"
		    "dana features --tokens -o tokens reference",
	.options = options,
	.least_positionals = 1,
	.most_positionals = 1,
};

struct features_job {
	struct features_settings settings;
	struct features_files files;
	struct gold_folder *gold;
	struct buf wanted; /* the list of pages, a line break before it */
	struct buf html, text;
	struct page_decoder decoder;
	struct html_tokenizer *tokenizer;
	struct blocks blocks;
	struct features_tokens tokens;
	struct features_labels labels;
	struct model model;
	struct classifier classifier;
};

/* ---- a page ---- */

static int on_run(void *arg, const struct html_run *run)
{
	return blocks_run(&((struct features_job *)arg)->blocks, run);
}

static int on_tag(void *arg, const struct html_tag_event *event)
{
	struct features_job *j = arg;
	uint32_t elements = j->blocks.n_elements;
	int status = blocks_tag(&j->blocks, event);
	int noted = features_tokens_tag(&j->tokens, j->blocks.n_elements != elements);
	return status < 0 ? status : noted;
}

static int write_labels(struct features_job *j, const struct gold_page *page, struct error *err)
{
	int status = gold_read(j->gold, page, GOLD_TEXT, &j->text, err);
	if (status < 0)
		return status;
	status = features_labels_make(&j->labels, &j->blocks, buf_slice(&j->text));
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < j->blocks.n_blocks; i++) {
		features_files_put_number(&j->files, FILE_LABELS, j->labels.label[i].tokens);
		features_files_put_number(&j->files, FILE_LABELS, j->labels.label[i].matched);
	}
	return DANA_OK;
}

static size_t put_tokens(struct features_job *j, struct slice tokens)
{
	features_files_put(&j->files, FILE_TOKENS, tokens.data, tokens.len);
	return tokens.len / sizeof(uint16_t);
}

static void write_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE])
{
	struct features_job *j = arg;
	(void)first;
	size_t columns = stage == 1 ? (size_t)FEATURE_COUNT : (size_t)STAGE2_COUNT;
	uint8_t row[FEATURE_COUNT > (int)STAGE2_COUNT ? (int)FEATURE_COUNT : (int)STAGE2_COUNT];
	for (uint32_t i = 0; i < n; i++) {
		for (size_t k = 0; k < columns; k++)
			row[k] = tile[k][i];
		features_files_put(&j->files, stage == 1 ? FILE_STAGE1 : FILE_STAGE2, row, columns);
	}
}

static int write_features(struct features_job *j)
{
	static const uint8_t none[KIND_FEATURE_COUNT];
	if (j->blocks.n_blocks == 0) {
		features_files_put(&j->files, FILE_KINDS, none, sizeof(none));
		return DANA_OK;
	}
	int status = classifier_run(&j->classifier, &j->blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < j->blocks.n_blocks; i++) {
		for (unsigned k = 0; k < sizeof(j->classifier.margin) / sizeof(j->classifier.margin[0]); k++)
			features_files_put_number(&j->files, FILE_MARGINS, (uint32_t)j->classifier.margin[k][i]);
		features_files_put_number(&j->files, FILE_WORDS, j->classifier.words[i]);
	}
	features_files_put(&j->files, FILE_KINDS, j->classifier.stage2_features.kind_row, KIND_FEATURE_COUNT);
	return DANA_OK;
}

static int do_page(struct features_job *j, const struct gold_page *page, struct error *err)
{
	int status = gold_read(j->gold, page, GOLD_HTML, &j->html, err);
	if (status < 0)
		return status;
	status = page_decoder_decode(&j->decoder, buf_slice(&j->html), slice_from_text(page->charset));
	if (status < 0)
		return status;
	blocks_reset(&j->blocks);
	html_tokenizer_reset(j->tokenizer);
	features_tokens_begin(&j->tokens, &j->blocks);
	status = html_tokenizer_feed(j->tokenizer, buf_slice(&j->decoder.page));
	if (status >= 0)
		status = html_tokenizer_finish(j->tokenizer);
	if (status >= 0)
		status = blocks_finish(&j->blocks);
	if (status >= 0)
		status = features_tokens_finish(&j->tokens);
	if (status < 0)
		return status;
	status = j->settings.tokens ? write_labels(j, page, err) : write_features(j);
	if (status == DANA_ELIMIT) /* too long to align: left out */
		return DANA_OK;
	if (status < 0)
		return status;
	if (j->settings.tokens) {
		/* of a block: its own tokens, and those of all elements around it */
		for (uint32_t i = 0; i < j->blocks.n_blocks; i++) {
			const struct block *block = &j->blocks.block[i];
			size_t count = put_tokens(j, features_tokens_at(&j->tokens.of_blocks, block->serial));
			for (uint32_t e = block->element; e; e = j->blocks.element[e].parent)
				count += put_tokens(j, features_tokens_at(&j->tokens.of_elements, e));
			features_files_put_number(&j->files, FILE_COUNTS, (uint32_t)count);
		}
	}
	features_files_put_page(&j->files, page, j->blocks.n_blocks, j->labels.gold.len);
	return DANA_OK;
}

/* ---- all pages ---- */

static int choose_model(struct features_job *j, struct error *err)
{
	static const int8_t no_weights[TOKEN_COUNT];
	const char *path = j->settings.model;
	if (path && !j->settings.tokens) {
		struct model *m = &j->model;
		char *data = NULL;
		size_t len = 0;
		char shown[128];
		int status = whole_file_read(NULL, path, &data, &len);
		printable(slice_from_text(path), shown, sizeof(shown));
		if (status == DANA_EIO)
			return error_set(err, status, "%s: cannot be read: %s", shown, system_text(errno));
		if (status < 0)
			return status;
		status = model_load(m, slice_of(data, len));
		if (status == DANA_EFORMAT)
			status = error_set(err, status, "%s: %s", shown,
					   model_fault(slice_from_text("learned"), slice_of(data, len)));
		free(data);
		return status;
	}
	if (!j->settings.tokens)
		return model_load(&j->model, slice_of(model_data, model_data_len));
	j->model.weights = no_weights;
	return DANA_OK;
}

static int prepare_reading(struct features_job *j)
{
	const struct limits limits = LIMITS_DEFAULT;
	int status = blocks_init(&j->blocks, limits.text, limits.depth);
	if (status >= 0)
		status = page_decoder_init(&j->decoder);
	if (status >= 0)
		status = features_labels_init(&j->labels);
	if (status < 0)
		return status;
	j->tokenizer = html_tokenizer_new(&(struct html_handler){ .run = on_run, .tag = on_tag, .arg = j });
	if (!j->tokenizer)
		return DANA_ENOMEM;
	struct token_sink sink = { .weights = j->model.weights,
				   .seen = j->settings.tokens ? features_tokens_seen : NULL,
				   .arg = &j->tokens };
	blocks_set_token_sink(&j->blocks, &sink);
	j->classifier.model = &j->model;
	j->classifier.balance = 256;
	j->classifier.forced = KIND_UNKNOWN;
	j->classifier.sink = (struct tile_sink){ write_tile, j };
	return DANA_OK;
}

static int prepare(struct features_job *j, const char *dir, struct error *err)
{
	int status = choose_model(j, err);
	if (status < 0)
		return status;
	status = gold_open(&j->gold, dir, err);
	if (status == DANA_OK)
		status = page_decoder_check_gold(j->gold, err);
	if (status >= 0 && j->settings.list) {
		const char *path = j->settings.list;
		char *list = NULL;
		size_t len = 0;
		status = whole_file_read(NULL, path, &list, &len);
		if (status == DANA_EIO)
			return error_set(err, DANA_EIO, "%s: %s", path, system_text(errno));
		if (status >= 0) {
			buf_append_byte(&j->wanted, '\n');
			buf_append(&j->wanted, list, len);
			free(list);
			status = buf_status(&j->wanted);
		}
	}
	if (status >= 0)
		status = features_files_open(&j->files, j->settings.output, j->settings.tokens, err);
	return status < 0 ? status : prepare_reading(j);
}

int features_run(int argc, char **argv)
{
	struct features_job *j = calloc(1, sizeof(*j));
	if (!j) {
		command_message("features", "%s", status_text(DANA_ENOMEM));
		return EXIT_FAULT;
	}
	struct options_rest rest = { 0 };
	int code = command_options(&features_options, &j->settings, argc, argv, &rest);
	if (code < 0 && !j->settings.output) {
		command_message("features", "-o FOLDER is missing");
		code = EXIT_USAGE;
	}
	if (code < 0) {
		const char *dir = rest.positionals[0];
		struct error err = { 0 };
		int status = prepare(j, dir, &err);
		for (size_t i = 0; status == DANA_OK && i < gold_count(j->gold); i++) {
			const struct gold_page *page = gold_page(j->gold, i);
			/* without a list all are wanted, else those that have a line in it */
			char line[512];
			const int len = snprintf(line, sizeof(line), "\n%s/%s\n", page->corpus, page->id);
			const bool listed = len > 0 && (size_t)len < sizeof(line) &&
					    memmem(j->wanted.data, j->wanted.len, line, (size_t)len);
			if (!j->settings.list || listed)
				status = do_page(j, page, &err);
		}
		if (!features_files_close(&j->files) && status == DANA_OK)
			status = error_set(&err, DANA_EIO, "%s: %s", j->settings.output, system_text(errno));
		buf_free(&j->wanted);
		buf_free(&j->html);
		buf_free(&j->text);
		gold_close(j->gold);
		page_decoder_free(&j->decoder);
		html_tokenizer_free(j->tokenizer);
		blocks_free(&j->blocks);
		features_tokens_free(&j->tokens);
		features_labels_free(&j->labels);
		classifier_free(&j->classifier);
		model_free(&j->model);
		if (status < 0)
			command_message("features", "%s", err.text[0] ? err.text : status_text(status));
		code = status == DANA_ECONFIG ? EXIT_USAGE : status < 0 ? EXIT_FAULT : EXIT_DONE;
	}
	options_rest_free(&rest);
	free(j);
	return code;
}
