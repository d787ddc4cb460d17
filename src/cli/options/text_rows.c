/* SPDX-License-Identifier: MIT */
#include "cli/options/text_rows.h"

#include "extract/structure/structure.h"

int text_rows_markdown_help(struct buf *out)
{
	buf_append_text(out, "how Markdown is written: ");
	for (const struct method_key *k = style_method.keys; k->name; k++) {
		buf_printf(out, "%s%s=", k == style_method.keys ? "" : "; ", k->name);
		method_key_values(k, out);
		buf_printf(out, " (%s), %s", k->standard, k->help);
	}
	return buf_status(out);
}
