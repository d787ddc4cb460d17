/* `dana methods`: the table of methods. */
#include "config.h"

#include "cli/command.h"
#include "extract/table.h"

static int put_keys(struct buf *out);

const struct option_table methods_options = {
	.command = "methods",
	.summary = "list the extraction methods",
	.synopsis = "",
	.description =
		"Prints a table with a line for each method: its name, where it comes from, how much memory a page takes, and "
		"what it does; then the keys of the methods that have any. Keys are written after the name of a method: "
		"danag:gap=40,unit=bytes.",
	.write_details = put_keys,
	.examples = "dana methods\n"
		    "dana filter -m danag:gap=40,unit=bytes crawl.warc.gz >pages.jsonl",
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

static void put_table(struct buf *out)
{
	int name = (int)widest(name_of, "NAME");
	int source = (int)widest(source_of, "SOURCE");
	int memory = (int)widest(memory_of, "MEMORY");
	buf_printf(out, "%-*s  %-*s  %-*s  %s\n", name, "NAME", source, "SOURCE", memory, "MEMORY", "WHAT IT DOES");
	const struct method *m;
	for (size_t i = 0; (m = method_at(i)); i++)
		buf_printf(out, "%-*s  %-*s  %-*s  %s\n", name, m->name, source, m->source, memory, m->memory,
			   m->summary);
}

/* Methods that share a list of keys are told together, where the first of them stands. */
static void put_owners(size_t first, struct buf *out)
{
	const struct method *m = method_at(first), *other;
	buf_append_text(out, m->name);

	for (size_t i = first + 1; (other = method_at(i)); i++) {
		if (other->keys == m->keys)
			buf_printf(out, ", %s", other->name);
	}
	buf_append_text(out, ":\n");
}

static bool is_told(size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (method_at(i)->keys == method_at(index)->keys)
			return true;
	}
	return false;
}

static void put_key(const struct method_key *k, struct buf *out)
{
	struct buf values = { 0 };
	method_key_values(k, &values);
	buf_printf(out, "  %-12s %-12.*s  %s", k->name, (int)values.len, (const char *)values.data, k->help);
	if (k->standard)
		buf_printf(out, " (default: %s)", k->standard);
	buf_append_byte(out, '\n');
	buf_latch(out, buf_status(&values));
	buf_free(&values);
}

static int put_keys(struct buf *out)
{
	const struct method *m;

	for (size_t i = 0; (m = method_at(i)); i++) {
		if (!m->keys || is_told(i))
			continue;
		buf_append_text(out, "\nKeys of ");
		put_owners(i, out);
		for (const struct method_key *k = m->keys; k->name; k++)
			put_key(k, out);
	}
	return buf_status(out);
}

int methods_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	struct buf out = { 0 };
	int answer = command_options(&methods_options, NULL, argc, argv, &rest);
	if (answer < 0)
		put_table(&out);
	if (answer < 0 && put_keys(&out) == DANA_OK) {
		answer = command_print("methods", buf_slice(&out));
	} else if (answer < 0) {
		command_message("methods", "%s", status_text(DANA_ENOMEM));
		answer = EXIT_FAULT;
	}
	buf_free(&out);
	options_rest_free(&rest);
	return answer;
}
