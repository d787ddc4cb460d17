/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/option_check.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/charset/iconv_name.h"
#include "base/near_name.h"
#include "base/printable.h"

enum { SHOWN = 200 };

static int refuse_charset(const char *where, const char *name, struct error *err)
{
	struct near_name near = near_name_of(slice_from_text(name));
	const char *label;

	for (size_t i = 0; (label = charset_label_at(i)); i++)
		near_name_offer(&near, label);
	return near_name_refuse(&near, where, "a charset of the web or of iconv, as windows-1256 or cp437", err);
}

static int check_charset(const char *where, const char *name, struct error *err)
{
	struct iconv_name memory;
	const struct charset *found;
	int status = name ? iconv_name_find(&memory, slice_from_text(name), &found) : DANA_OK;

	if (status == DANA_ECONFIG)
		return refuse_charset(where, name, err);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", where, status_text(status)) : DANA_OK;
}

int option_check_charset(const char *label, struct error *err)
{
	return check_charset("--charset", label, err);
}

int option_check_gold(const struct gold_folder *gold, struct error *err)
{
	char page_name[SHOWN], shown[SHOWN], where[2 * SHOWN];

	for (size_t i = 0; i < gold_count(gold); i++) {
		const struct gold_page *page = gold_page(gold, i);
		if (!*page->charset)
			continue;
		(void)snprintf(page_name, sizeof(page_name), "%s/%s", page->corpus, page->id);
		(void)snprintf(where, sizeof(where), "index.tsv: charset of %s",
			       printable(slice_from_text(page_name), shown, sizeof(shown)));
		int status = check_charset(where, page->charset, err);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

int option_check_spare(const char *input, const char *output, struct error *err)
{
	struct stat in, out;
	char shown[SHOWN];
	bool standard = strcmp(input, "-") == 0;
	if (stat(output, &out) < 0 || !S_ISREG(out.st_mode) ||
	    (standard ? fstat(STDIN_FILENO, &in) : stat(input, &in)) < 0)
		return DANA_OK;
	if (in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s is an input, and would be overwritten; give another output",
			 printable(slice_from_text(output), shown, sizeof(shown)));
}

int option_check_new(const char *output, bool force, struct error *err)
{
	struct stat out;
	char shown[SHOWN];

	if (force || stat(output, &out) < 0 || !S_ISREG(out.st_mode))
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s exists; --force overwrites it",
			 printable(slice_from_text(output), shown, sizeof(shown)));
}
