/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "lab/train/features_files.h"

#include <errno.h>
#include <sys/stat.h>

#include "extract/learned/classifier.h"

static const char *const file_names[FEATURES_FILES] = {
	[FILE_PAGES] = "pages.tsv",     [FILE_LABELS] = "labels.u32", [FILE_COUNTS] = "token_counts.u32",
	[FILE_TOKENS] = "tokens.u16",   [FILE_STAGE1] = "stage1.u8",  [FILE_STAGE2] = "stage2.u8",
	[FILE_MARGINS] = "margins.i32", [FILE_WORDS] = "words.u32",   [FILE_KINDS] = "kinds.u8",
};

static bool is_written(enum features_file which, bool tokens)
{
	bool of_tokens = which == FILE_LABELS || which == FILE_COUNTS || which == FILE_TOKENS;
	return which == FILE_PAGES || of_tokens == tokens;
}

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

static bool write_columns(const char *folder)
{
	char number[16];
	(void)snprintf(number, sizeof(number), "%d", FEATURES_VERSION);
	const char *const version = number;
	return write_names(folder, "stage1.names", feature_names, FEATURE_COUNT) &&
	       write_names(folder, "stage2.names", stage2_feature_names, STAGE2_COUNT) &&
	       write_names(folder, "kinds.names", kind_feature_names, KIND_FEATURE_COUNT) &&
	       write_names(folder, "version", &version, 1);
}

int features_files_open(struct features_files *f, const char *folder, bool tokens, struct error *err)
{
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
	for (unsigned i = 0; i < FEATURES_FILES; i++) {
		if (!is_written((enum features_file)i, tokens))
			continue;
		f->file[i] = open_in(folder, file_names[i]);
		if (!f->file[i])
			return error_set(err, DANA_EIO, "%s/%s: %s", folder, file_names[i], system_text(errno));
	}
	return write_columns(folder) ? DANA_OK : error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
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
