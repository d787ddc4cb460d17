/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pages/charset_check.h"

#include "archive/charset/iconv_name.h"
#include "base/near_name.h"

static int refuse_charset(const char *where, const char *name, struct error *err)
{
	struct near_name near = near_name_of(slice_from_text(name));
	const char *label;

	for (size_t i = 0; (label = charset_label_at(i)); i++)
		near_name_offer(&near, label);
	return near_name_refuse(&near, where, "a charset of the web or of iconv, as windows-1256 or cp437", err);
}

int charset_check(const char *where, const char *name, struct error *err)
{
	struct iconv_name memory;
	const struct charset *found;
	int status = name ? iconv_name_find(&memory, slice_from_text(name), &found) : DANA_OK;

	if (status == DANA_ECONFIG)
		return refuse_charset(where, name, err);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s: %s", where, status_text(status)) : DANA_OK;
}
