#include "config.h"

#include "cli/option_check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "charset/labels.h"

enum { SHOWN = 200 };

int option_check_charset(const char *label, struct error *err)
{
	char shown[SHOWN];
	if (!label || charset_find(slice_from_text(label)))
		return DANA_OK;
	return error_set(err, DANA_ECONFIG,
			 "--charset: '%s' is unknown; expected a label of the web, as utf-8 or windows-1256",
			 printable(slice_from_text(label), shown, sizeof(shown)));
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
