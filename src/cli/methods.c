/* SPDX-License-Identifier: MIT */
/* `dana methods`: the table of methods, with figures that tools/method_figures.sh has measured. */
#include "config.h"

#include "cli/command.h"
#include "cli/method_figures.h"
#include "dana/dana.h"
#include "extract/method.h"

static int put_keys(struct buf *out);

const struct option_table methods_options = {
	.command = "methods",
	.summary = "list the extraction methods",
	.synopsis = "",
	.description =
		"Prints a table with a line for each method: its name, its accuracy on pages with reference texts, its "
		"speed, and "
		"what it does; then how much memory a page takes and where the method comes from; then the keys of the "
		"methods that have any. Keys are written after the name of a method: learned:recall=70,heading=0.",
	.write_details = put_keys,
	.examples = "dana methods\n"
		    "dana filter -m learned:recall=70 crawl.warc.gz >pages.jsonl",
};

struct figures {
	const char *name;
	int f1, unseen, speed; /* thousandths, thousandths, MB/s */
};

#define FIGURES_ROW(name, f1, unseen, speed) { name, f1, unseen, speed },
static const struct figures figures[] = { METHOD_FIGURES(FIGURES_ROW){ 0 } };

/* Methods that share a list of keys are printed together, where the first of them comes. */
static int put_keys(struct buf *out)
{
	const struct method *m;
	for (size_t i = 0; (m = method_at(i)); i++) {
		const struct method *other;
		size_t first = 0;
		while (method_at(first)->keys != m->keys)
			first++;
		if (!m->keys || first < i)
			continue;
		buf_printf(out, "\nKeys of %s", m->name);
		for (size_t k = i + 1; (other = method_at(k)); k++) {
			if (other->keys == m->keys)
				buf_printf(out, ", %s", other->name);
		}
		buf_append_text(out, ":\n");
		for (const struct method_key *k = m->keys; k->name; k++) {
			struct buf values = { 0 };
			method_key_values(k, &values);
			buf_printf(out, "  %-12s %-12.*s  %s", k->name, (int)values.len, (const char *)values.data,
				   k->help);
			if (k->standard)
				buf_printf(out, " (default: %s)", k->standard);
			buf_append_byte(out, '\n');
			buf_latch(out, buf_status(&values));
			buf_free(&values);
		}
	}
	return buf_status(out);
}

int methods_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	struct buf out = { 0 };
	int code = command_options(&methods_options, NULL, argc, argv, &rest);
	if (code < 0) {
		size_t width = strlen("NAME");
		const struct method *m;
		for (size_t i = 0; (m = method_at(i)); i++)
			width = strlen(m->name) > width ? strlen(m->name) : width;
		int name_width = (int)width;
		buf_printf(&out, "%-*s    F1   NEW  MB/s  WHAT IT DOES\n", name_width, "NAME");
		for (size_t i = 0; (m = method_at(i)); i++) {
			const struct figures *f = figures;
			while (f->name && strcmp(f->name, m->name) != 0)
				f++;
			buf_printf(&out, "%-*s", name_width, m->name);
			if (f->name)
				buf_printf(&out, "  .%03d  .%03d  %4d", f->f1, f->unseen, f->speed);
			else /* tools/method_figures.sh has not been run since the method was added */
				buf_printf(&out, "  %4s  %4s  %4s", "-", "-", "-");
			buf_printf(&out, "  %s%s\n", strcmp(m->name, DANA_DEFAULT_METHOD) == 0 ? "default: " : "",
				   m->summary);
		}
		buf_printf(&out,
			   "\nF1: mean over %d pages, most of them news. learned was trained on these\n"
			   "pages: its figure is cross-validated, by models that had not seen the site.\n"
			   "mountain was trained on some of them.\n"
			   "NEW: F1 on %d pages of 2025 and 2026 on which no method was trained;\n"
			   "nearly half of them are shops, forums, lists and the like.\n"
			   "MB/s: millions of bytes of HTML a second, the extraction alone, on one core\n"
			   "(%s).\n"
			   "Measured on %s; dana eval measures them on pages of yours.\n",
			   METHOD_FIGURES_PAGES, METHOD_FIGURES_UNSEEN, METHOD_FIGURES_PROCESSOR, METHOD_FIGURES_DATE);
		int memory_width = 0;
		for (size_t i = 0; (m = method_at(i)); i++)
			memory_width = (int)strlen(m->memory) > memory_width ? (int)strlen(m->memory) : memory_width;
		buf_printf(&out, "\n%-*s  %-*s  SOURCE\n", name_width, "NAME", memory_width, "MEMORY OF A PAGE");
		for (size_t i = 0; (m = method_at(i)); i++)
			buf_printf(&out, "%-*s  %-*s  %s\n", name_width, m->name, memory_width, m->memory, m->source);
		code = command_print_made("methods", put_keys(&out), &out);
	}
	options_rest_free(&rest);
	return code;
}
