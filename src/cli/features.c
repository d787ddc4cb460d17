/* `dana features`: what `learned` sees of gold pages, and how much of each block is in the gold text. For training. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "charset/convert.h"
#include "cli/command.h"
#include "cli/features.h"
#include "html/entity.h"
#include "measure/align.h"
#include "measure/gold.h"
#include "stream/limits.h"

struct features_settings {
	const char *output, *model, *list;
	bool tokens;
};

static const struct option options[] = {
	{ .name = "output", .letter = 'o', .type = OPTION_TEXT, .argument = "FOLDER",
	  .help = "where the files go; made when it is missing", .section = "Options",
	  OPTION_MEMBER(struct features_settings, output) },
	{ .name = "model", .type = OPTION_TEXT, .argument = "FILE", .shown = "the one built in",
	  .help = "weights of tokens, and trees of the first stage, as far as they are trained", .section = "Options",
	  OPTION_MEMBER(struct features_settings, model) },
	{ .name = "list", .type = OPTION_TEXT, .argument = "FILE",
	  .help = "only these pages: CORPUS/ID, one a line", .section = "Options",
	  OPTION_MEMBER(struct features_settings, list) },
	{ .name = "tokens", .type = OPTION_FLAG,
	  .help = "write tokens and labels instead of features", .section = "Options",
	  OPTION_MEMBER(struct features_settings, tokens) },
	{ 0 },
};

const struct option_table features_options = {
	.command = "features",
	.summary = "write what method learned sees of gold pages, for training",
	.synopsis = "-o FOLDER [OPTIONS] DIR",
	.description = "DIR holds gold pages as for dana eval. FOLDER gets pages.tsv (corpus, id, site, script, blocks, gold "
		       "tokens) and plain arrays, little-endian, a row for each block in the order of the pages. With --tokens: "
		       "labels.u32 (tokens, tokens in the gold text), token_counts.u32 and tokens.u16 (tokens of class, id and the like, of "
		       "the block and all elements around it). Otherwise: stage1.u8 and stage2.u8 (features, a byte each), margins.i32 (log "
		       "odds of both stages in 1/4096), words.u32; stage1.names and stage2.names tell the columns.\n\n"
		       "dana train learned runs this several times: see the documentation, LEARNED.md.",
	.options = options,
	.least_positionals = 1,
	.most_positionals = 1,
};

enum output_file { OUT_PAGES, OUT_LABELS, OUT_COUNTS, OUT_TOKENS, OUT_STAGE1, OUT_STAGE2, OUT_MARGINS, OUT_WORDS, OUT_FILES };

static const char *const file_names[OUT_FILES] = { "pages.tsv", "labels.u32", "token_counts.u32", "tokens.u16",
	"stage1.u8", "stage2.u8", "margins.i32", "words.u32" };

/* Tokens of each element and of each block, while a page is read. */
struct token_log {
	const struct blocks *blocks;
	struct buf all;           /* u16: tokens in the order of their elements */
	struct buf ends;          /* u32: end of each element's tokens in `all` */
	struct buf waiting;       /* u16: tokens of inline elements of the open block */
	struct buf fresh;         /* u16: of the tag that is being read */
	struct buf inline_all, inline_ends;
	uint32_t begun;
};

struct job {
	struct features_settings settings;
	FILE *file[OUT_FILES];
	struct gold_folder *gold;
	struct buf html, utf8, text, wanted;
	struct blocks blocks;
	struct html_tokenizer *tokenizer;
	struct charset_convert *convert;
	struct byte_sink sink;
	struct model model;
	struct judge judge;
	struct token_log log;
	struct token_table *table;
	struct tokens page_tokens, gold_tokens;
	bool failed;
};

static void put(struct job *j, enum output_file f, const void *data, size_t len)
{
	j->failed |= len && fwrite(data, 1, len, j->file[f]) != len;
}

static void put_number(struct job *j, enum output_file f, uint32_t v)
{
	const uint8_t bytes[4] = { (uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24) };
	put(j, f, bytes, sizeof bytes);
}

/* The tokens that wait belong to the block that has just ended; of one that vanished they are lost, as in the method. */
static void settle_waiting(struct token_log *log)
{
	const struct blocks *b = log->blocks;
	if (log->begun == b->begun)
		return;
	log->begun = b->begun;
	while (log->inline_ends.len / 4 < b->n_blocks) {
		(void)buf_append(&log->inline_all, log->waiting.data, log->waiting.len);
		buf_clear(&log->waiting);
		uint32_t end = (uint32_t)(log->inline_all.len / 2);
		(void)buf_append(&log->inline_ends, &end, sizeof end);
	}
	buf_clear(&log->waiting);
}

static void token_seen(void *arg, uint32_t id)
{
	struct token_log *log = arg;
	uint16_t token = (uint16_t)id;
	settle_waiting(log);
	(void)buf_append(&log->fresh, &token, sizeof token);
}

static int on_run(void *arg, const struct html_run *run)
{
	return blocks_run(&((struct job *)arg)->blocks, run);
}

static int on_tag(void *arg, const struct html_tag_event *event)
{
	struct job *j = arg;
	struct token_log *log = &j->log;
	uint32_t elements = j->blocks.n_elements;
	int status = blocks_tag(&j->blocks, event);
	settle_waiting(log);
	struct buf *to = j->blocks.n_elements != elements ? &log->all : &log->waiting;
	(void)buf_append(to, log->fresh.data, log->fresh.len);
	buf_clear(&log->fresh);
	if (j->blocks.n_elements != elements) {
		uint32_t end = (uint32_t)(log->all.len / 2);
		(void)buf_append(&log->ends, &end, sizeof end);
	}
	return status;
}

static int on_utf8(struct byte_sink *sink, struct slice bytes)
{
	struct job *j = (struct job *)(void *)((char *)sink - offsetof(struct job, sink));
	return html_tokenizer_feed(j->tokenizer, bytes);
}

static int read_page(struct job *j, const struct gold_page *page, struct error *err)
{
	int status = gold_read(j->gold, page, GOLD_HTML, &j->html, err);
	if (status < 0)
		return status;
	struct token_log *log = &j->log;
	blocks_reset(&j->blocks);
	html_tokenizer_reset(j->tokenizer);
	buf_clear(&log->all);
	buf_clear(&log->ends);
	buf_clear(&log->waiting);
	buf_clear(&log->inline_all);
	buf_clear(&log->inline_ends);
	log->begun = j->blocks.begun;
	uint32_t page_end = 0;
	status = buf_append(&log->ends, &page_end, sizeof page_end);
	charset_convert_reset(j->convert, slice_from_text(page->charset));
	if (status == DANA_OK)
		status = charset_convert_write(j->convert, buf_slice(&j->html));
	if (status >= 0)
		status = charset_convert_finish(j->convert);
	if (status >= 0)
		status = html_tokenizer_finish(j->tokenizer);
	if (status >= 0)
		status = blocks_finish(&j->blocks);
	settle_waiting(log);
	/* elements that were opened at the end only (a page that its title had swallowed) have no tokens here */
	page_end = (uint32_t)(log->all.len / 2);
	while (status == DANA_OK && log->ends.len / 4 < j->blocks.n_elements)
		status = buf_append(&log->ends, &page_end, sizeof page_end);
	buf_clear(&log->fresh);
	return status;
}

/* Tokens of a block as the gold text is measured: references decoded. */
static int append_block(struct job *j, const struct block *block)
{
	buf_clear(&j->text);
	int status = html_entity_append(&j->text, block_text(&j->blocks, block));
	return status < 0 ? status : tokens_append(&j->page_tokens, j->table, buf_slice(&j->text));
}

static int write_labels(struct job *j, const struct gold_page *page, struct error *err)
{
	token_table_reset(j->table);
	tokens_clear(&j->page_tokens);
	tokens_clear(&j->gold_tokens);
	int status = gold_read(j->gold, page, GOLD_TEXT, &j->text, err);
	if (status == DANA_OK)
		status = tokens_append(&j->gold_tokens, j->table, buf_slice(&j->text));
	size_t *end = calloc(j->blocks.n_blocks + 1U, sizeof *end);
	if (!end)
		return DANA_ENOMEM;
	for (uint32_t i = 0; i < j->blocks.n_blocks && status == DANA_OK; i++) {
		status = append_block(j, &j->blocks.block[i]);
		end[i + 1] = j->page_tokens.len;
	}
	uint8_t *on_page = calloc(j->page_tokens.len + 1, 1);
	if (status == DANA_OK)
		status = on_page ? align_runs(&j->page_tokens, &j->gold_tokens, on_page) : DANA_ENOMEM;
	for (uint32_t i = 0; i < j->blocks.n_blocks && status == DANA_OK; i++) {
		uint32_t matched = 0;
		for (size_t k = end[i]; k < end[i + 1]; k++)
			matched += on_page[k];
		put_number(j, OUT_LABELS, (uint32_t)(end[i + 1] - end[i]));
		put_number(j, OUT_LABELS, matched);
	}
	free(on_page);
	free(end);
	return status;
}

static uint32_t number_at(const struct buf *b, uint32_t i)
{
	uint32_t v;
	memcpy(&v, b->data + 4 * (size_t)i, sizeof v);
	return v;
}

/* Tokens of the list's entry i. */
static struct slice tokens_of(const struct buf *all, const struct buf *ends, uint32_t i)
{
	size_t first = i ? number_at(ends, i - 1) : 0, end = number_at(ends, i);
	return end == first ? slice_of("", 0) : slice_of(all->data + 2 * first, 2 * (end - first));
}

static void write_tokens(struct job *j)
{
	const struct token_log *log = &j->log;
	for (uint32_t i = 0; i < j->blocks.n_blocks; i++) {
		struct slice own = tokens_of(&log->inline_all, &log->inline_ends, j->blocks.block[i].serial);
		size_t count = own.len / 2;
		put(j, OUT_TOKENS, own.data, own.len);
		for (uint32_t e = j->blocks.block[i].element; e; e = j->blocks.element[e].parent) {
			struct slice more = tokens_of(&log->all, &log->ends, e);
			count += more.len / 2;
			put(j, OUT_TOKENS, more.data, more.len);
		}
		put_number(j, OUT_COUNTS, (uint32_t)count);
	}
}

static void write_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE])
{
	struct job *j = arg;
	(void)first;
	size_t columns = stage == 1 ? (size_t)FEATURE_COUNT : (size_t)FEATURE2_COUNT;
	uint8_t row[FEATURE_COUNT > (int)FEATURE2_COUNT ? (int)FEATURE_COUNT : (int)FEATURE2_COUNT];
	for (uint32_t i = 0; i < n; i++) {
		for (size_t k = 0; k < columns; k++)
			row[k] = tile[k][i];
		put(j, stage == 1 ? OUT_STAGE1 : OUT_STAGE2, row, columns);
	}
}

static int write_features(struct job *j)
{
	if (j->blocks.n_blocks == 0)
		return DANA_OK;
	int status = judge_page(&j->judge, &j->blocks);
	for (uint32_t i = 0; i < j->blocks.n_blocks && status == DANA_OK; i++) {
		put_number(j, OUT_MARGINS, (uint32_t)j->judge.margin[0][i]);
		put_number(j, OUT_MARGINS, (uint32_t)j->judge.margin[1][i]);
		put_number(j, OUT_WORDS, j->judge.words[i]);
	}
	return status;
}

static int do_page(struct job *j, const struct gold_page *page, struct error *err)
{
	int status = read_page(j, page, err);
	if (status == DANA_OK && j->settings.tokens) {
		status = write_labels(j, page, err);
		if (status == DANA_ELIMIT) /* too long to align: left out */
			return DANA_OK;
		if (status == DANA_OK)
			write_tokens(j);
	} else if (status == DANA_OK) {
		status = write_features(j);
	}
	if (status == DANA_OK)
		j->failed |= fprintf(j->file[OUT_PAGES], "%s\t%s\t%s\t%s\t%u\t%zu\n", page->corpus, page->id, page->site,
				     page->script, j->blocks.n_blocks, j->gold_tokens.len) < 0;
	return status;
}

/* A page is wanted when the list has a line for it, or when there is no list. */
static bool is_wanted(const struct job *j, const struct gold_page *page)
{
	if (!j->settings.list)
		return true;
	char line[512];
	int len = snprintf(line, sizeof line, "\n%s/%s\n", page->corpus, page->id);
	if (len < 0 || (size_t)len >= sizeof line)
		return false;
	return memmem(j->wanted.data, j->wanted.len, line, (size_t)len) != NULL;
}

static int read_list(struct job *j, struct error *err)
{
	if (!j->settings.list)
		return DANA_OK;
	FILE *file = fopen(j->settings.list, "rb");
	if (!file)
		return error_set(err, DANA_EIO, "%s: %s", j->settings.list, system_text(errno));
	int status = buf_append_byte(&j->wanted, '\n');
	for (size_t n = 1; n && status == DANA_OK;) {
		status = buf_reserve(&j->wanted, 1 << 16);
		n = status == DANA_OK ? fread(j->wanted.data + j->wanted.len, 1, 1 << 16, file) : 0;
		j->wanted.len += n;
	}
	(void)fclose(file);
	return status;
}

static FILE *open_in(const char *folder, const char *name)
{
	char path[4096];
	int len = snprintf(path, sizeof path, "%s/%s", folder, name);
	return len > 0 && (size_t)len < sizeof path ? fopen(path, "wb") : NULL;
}

static bool write_names(const char *folder, const char *name, const char *const *names, size_t n)
{
	FILE *file = open_in(folder, name);
	bool good = file != NULL;
	for (size_t i = 0; i < n && good; i++)
		good = fprintf(file, "%s\n", names[i]) > 0;
	return file ? fclose(file) == 0 && good : false;
}

static int open_files(struct job *j, struct error *err)
{
	const char *folder = j->settings.output;
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
	for (int f = 0; f < OUT_FILES; f++) {
		bool of_tokens = f == OUT_LABELS || f == OUT_COUNTS || f == OUT_TOKENS;
		if (f != OUT_PAGES && of_tokens != j->settings.tokens)
			continue;
		j->file[f] = open_in(folder, file_names[f]);
		if (!j->file[f])
			return error_set(err, DANA_EIO, "%s/%s: %s", folder, file_names[f], system_text(errno));
	}
	char number[16];
	(void)snprintf(number, sizeof number, "%d", FEATURES_VERSION);
	const char *const version = number;
	if (!write_names(folder, "stage1.names", feature_names, FEATURE_COUNT) ||
	    !write_names(folder, "stage2.names", feature2_names, FEATURE2_COUNT) ||
	    !write_names(folder, "version", &version, 1))
		return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
	return DANA_OK;
}

static int load_model(struct model *m, const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return DANA_EIO;
	uint8_t *data = malloc(MODEL_MOST + 1);
	int status = DANA_ENOMEM;
	if (data) {
		size_t len = fread(data, 1, MODEL_MOST + 1, file);
		status = ferror(file) ? DANA_EIO : model_load(m, slice_of(data, len));
	}
	free(data);
	(void)fclose(file);
	return status;
}

static int prepare(struct job *j, const char *dir, struct error *err)
{
	static const int8_t no_weights[TOKEN_COUNT];
	const struct limits limits = LIMITS_DEFAULT;
	int status = DANA_OK;
	if (j->settings.tokens)
		j->model.weights = no_weights;
	else if (j->settings.model)
		status = load_model(&j->model, j->settings.model);
	else
		status = model_load(&j->model, slice_of(model_data, model_data_len));
	if (status < 0)
		return error_set(err, status, "%s: no model for these features", j->settings.model ? j->settings.model : "built-in model");
	status = gold_open(&j->gold, dir, err);
	if (status == DANA_OK)
		status = read_list(j, err);
	if (status == DANA_OK)
		status = open_files(j, err);
	if (status == DANA_OK)
		status = blocks_init(&j->blocks, limits.text, limits.depth);
	if (status < 0)
		return status;
	static const struct byte_sink_ops to_tokenizer = { .name = "features", .write = on_utf8 };
	j->sink = (struct byte_sink){ &to_tokenizer };
	j->tokenizer = html_tokenizer_new(&(struct html_handler){ .run = on_run, .tag = on_tag, .arg = j }, NULL);
	j->convert = charset_convert_new(&j->sink);
	j->table = token_table_new();
	if (!j->tokenizer || !j->convert || !j->table)
		return DANA_ENOMEM;
	struct token_sink sink = { .weights = j->model.weights, .seen = j->settings.tokens ? token_seen : NULL, .arg = &j->log };
	blocks_weigh(&j->blocks, &sink);
	j->log.blocks = &j->blocks;
	j->judge.model = &j->model;
	j->judge.balance = 256;
	j->judge.sink = (struct tile_sink){ write_tile, j };
	return DANA_OK;
}

static void finish(struct job *j)
{
	for (int f = 0; f < OUT_FILES; f++) {
		if (j->file[f])
			j->failed |= fclose(j->file[f]) != 0;
	}
	struct buf *const bufs[] = { &j->html, &j->utf8, &j->text, &j->wanted, &j->log.all, &j->log.ends, &j->log.waiting,
		&j->log.fresh, &j->log.inline_all, &j->log.inline_ends };
	for (size_t i = 0; i < sizeof bufs / sizeof bufs[0]; i++)
		buf_free(bufs[i]);
	gold_close(j->gold);
	html_tokenizer_free(j->tokenizer);
	charset_convert_free(j->convert);
	token_table_free(j->table);
	tokens_free(&j->page_tokens);
	tokens_free(&j->gold_tokens);
	blocks_free(&j->blocks);
	judge_free(&j->judge);
	model_free(&j->model);
}

static int write_all(struct job *j, const char *dir)
{
	struct error err = { 0 };
	int status = prepare(j, dir, &err);
	for (size_t i = 0; status == DANA_OK && i < gold_count(j->gold); i++) {
		const struct gold_page *page = gold_page(j->gold, i);
		if (is_wanted(j, page))
			status = do_page(j, page, &err);
	}
	finish(j);
	if (status == DANA_OK && j->failed)
		status = error_set(&err, DANA_EIO, "%s: %s", j->settings.output, system_text(errno));
	if (status < 0)
		command_message("features", "%s", err.text[0] ? err.text : status_text(status));
	return status < 0 ? EXIT_FAULT : EXIT_DONE;
}

int features_run(int argc, char **argv)
{
	struct job *j = calloc(1, sizeof *j);
	if (!j)
		return EXIT_FAULT;
	struct options_rest rest = { 0 };
	int answer = command_options(&features_options, &j->settings, argc, argv, &rest);
	if (answer < 0 && !j->settings.output) {
		command_message("features", "-o FOLDER is missing");
		answer = EXIT_USAGE;
	}
	if (answer < 0)
		answer = write_all(j, rest.positionals[0]);
	options_rest_free(&rest);
	free(j);
	return answer;
}
