/* SPDX-License-Identifier: MIT */
/* The keys have the form of a method's, so that reading, checking and help are those of the methods' keys. */
#include "extract/structure/style.h"

const struct style style_default = { .links = true, .emphasis = true, .escape = true, .formulas = true };

static const struct method_key keys[] = {
	{ .name = "links", .words = "0|1", .standard = "1", .help = "0: the text of links without their addresses" },
	{ .name = "images", .words = "0|1", .standard = "0", .help = "1: pictures, with address and text" },
	{ .name = "emphasis", .words = "0|1", .standard = "1", .help = "0: no marks for emphasis" },
	{ .name = "tables",
	  .words = "gfm|rows",
	  .standard = "gfm",
	  .help = "rows: a line of text for each row, without a head" },
	{ .name = "math", .words = "0|tex", .standard = "tex", .help = "0: formulas are left out" },
	{ .name = "heading",
	  .words = "always|chosen|0",
	  .standard = "always",
	  .help = "which headings are written: also those directly before kept text, as the method chooses, none" },
	{ .name = "escape",
	  .words = "0|1",
	  .standard = "1",
	  .help = "0: characters that Markdown reads stay as they are" },
	{ .name = NULL },
};

static int set(void *state, const struct method_setting *setting)
{
	struct style *style = state;
	const bool on = setting->number == 1;
	if (method_setting_is(setting, "links"))
		style->links = on;
	else if (method_setting_is(setting, "images"))
		style->images = on;
	else if (method_setting_is(setting, "emphasis"))
		style->emphasis = on;
	else if (method_setting_is(setting, "tables"))
		style->rows = on;
	else if (method_setting_is(setting, "math"))
		style->formulas = on;
	else if (method_setting_is(setting, "heading"))
		style->headings = (enum style_headings)setting->number;
	else
		style->escape = on;
	return DANA_OK;
}

const struct method style_method = { .name = "markdown", .option = "--markdown", .keys = keys, .set = set };
