/* `dana methods`: the table of methods. */
#include "config.h"

#include "cli/command.h"
#include "extract/table.h"

const struct option_table methods_options = {
	.command = "methods",
	.summary = "list the extraction methods",
	.synopsis = "",
	.description =
		"Prints a table with a line for each method: its name, where it comes from, how much memory a page takes, and "
		"what it does.\n\n"
		"Keys stand behind the name: danag:gap=40,unit=bytes. segment=65 (length of a segment), gap=20 (segments between "
		"linked regions), gap-fill=0|1 (print them) and unit=bytes|chars belong to r2l, dana, dana-slides, danag, addanag "
		"and auto; heading=1|0 (print the main heading), recall=50 (0 to 100: more takes in more text) and model=FILE to "
		"learned; model=FILE and site-models=FOLDER (models of single sites, by host name) to mountain; extended=0|1 (more "
		"kinds of media) to wlr-media.",
};

static size_t widest(const char *(*column)(const struct method *), const char *head)
{
	size_t width = strlen(head);
	const struct method *m;
	for (size_t i = 0; (m = method_at(i)); i++) {
		size_t n = strlen(column(m));
		width = n > width ? n : width;
	}
	return width;
}

static const char *name_of(const struct method *m)
{
	return m->name;
}

static const char *source_of(const struct method *m)
{
	return m->source;
}

static const char *memory_of(const struct method *m)
{
	return m->memory;
}

static int put_table(struct buf *out)
{
	int name = (int)widest(name_of, "NAME");
	int source = (int)widest(source_of, "SOURCE");
	int memory = (int)widest(memory_of, "MEMORY");
	int status = buf_printf(out, "%-*s  %-*s  %-*s  %s\n", name, "NAME", source, "SOURCE", memory, "MEMORY",
				"WHAT IT DOES");
	const struct method *m;
	for (size_t i = 0; (m = method_at(i)) && status == DANA_OK; i++)
		status = buf_printf(out, "%-*s  %-*s  %-*s  %s\n", name, m->name, source, m->source, memory, m->memory,
				    m->summary);
	return status;
}

int methods_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	struct buf out = { 0 };
	int answer = command_options(&methods_options, NULL, argc, argv, &rest);
	if (answer < 0 && put_table(&out) == DANA_OK) {
		answer = command_print("methods", buf_slice(&out));
	} else if (answer < 0) {
		command_message("methods", "%s", status_text(DANA_ENOMEM));
		answer = EXIT_FAULT;
	}
	buf_free(&out);
	options_rest_free(&rest);
	return answer;
}
