/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/inputs/inputs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/file/path.h"
#include "base/printable.h"
#include "io/net/address.h"
#include "run/inputs/done_list.h"
#include "run/inputs/indexes.h"
#include "run/inputs/lists.h"
#include "run/inputs/output_names.h"
#include "run/inputs/shares.h"
#include "run/outputs.h"

enum { SHOWN = 200 };

static size_t count_standard(const struct filter_inputs *in)
{
	size_t uses = 0;
	for (size_t i = 0; i < in->names.n; i++)
		uses += strcmp(in->names.items[i], "-") == 0;
	return uses;
}

bool filter_inputs_network(const struct filter_inputs *in)
{
	for (size_t i = 0; i < in->names.n; i++) {
		if (address_is_network(in->names.items[i]))
			return true;
	}
	return false;
}

bool filter_inputs_standard(const struct filter_inputs *in)
{
	return count_standard(in) > 0;
}

static int check_stdin(const struct filter_inputs *in, const struct run_settings *s, struct error *err)
{
	size_t uses = count_standard(in) + (s->inputs.list && strcmp(s->inputs.list, "-") == 0);
	if (uses > 1)
		return error_set(err, DANA_ECONFIG, "standard input (-) is asked for %zu times; it can be read once",
				 uses);
	return DANA_OK;
}

int filter_inputs_output(const struct run_settings *s, const char *input, struct input_range range, struct buf *name,
			 struct error *err)
{
	struct slice base;
	int status = output_names_base(input, &base, err);
	if (status < 0)
		return status;
	base = output_base_name(base);
	buf_printf(name, "%s/%.*s", s->outputs.folder, (int)base.len, (const char *)base.data);
	if (!input_range_is_whole(range))
		buf_printf(name, ".%" PRIu64, range.begin);
	buf_printf(name, "%s%s", s->outputs.kind.format->suffix, s->outputs.kind.encoder->suffix);
	return buf_append_byte(name, 0) < 0 ? error_no_memory(err) : DANA_OK;
}

static const char *output_name(struct filter_inputs *in, const struct run_settings *s, size_t i, struct error *err)
{
	struct buf name = { 0 };
	struct slice copy = { NULL, 0 };
	if (filter_inputs_output(s, in->names.items[i], in->ranges[i], &name, err) == DANA_OK) {
		copy = arena_copy(in->names.memory, buf_slice(&name));
		if (!copy.data)
			(void)error_no_memory(err);
	}
	buf_free(&name);
	return (const char *)copy.data;
}

/* The input that has this output. */
static const char *input_of(const struct filter_inputs *in, const char *output)
{
	size_t i = 0;
	while (strcmp(in->outputs[i], output) != 0)
		i++;
	return in->names.items[i];
}

/* Is the name of the output's rejects that of another output? */
static int check_rejects(const struct filter_inputs *in, const char *const *sorted, size_t i, struct error *err)
{
	char shown[2][SHOWN];
	char *rejects = path_with(in->outputs[i], OUTPUTS_REJECTS_SUFFIX);
	int status = DANA_OK;
	if (!rejects)
		return error_no_memory(err);
	if (bsearch(&rejects, sorted, in->names.n, sizeof(*sorted), output_names_compare))
		status = error_set(err, DANA_ECONFIG,
				   "--output-dir: the rejects of input %s and the input %s would both be written to %s",
				   printable(slice_from_text(in->names.items[i]), shown[0], SHOWN),
				   printable(slice_from_text(input_of(in, rejects)), shown[1], SHOWN), rejects);
	free(rejects);
	return status;
}

static int check_collisions(const struct filter_inputs *in, bool rejects, struct error *err)
{
	const char **sorted = NULL;
	int status = output_names_sort(in->outputs, in->names.items, in->names.n, &sorted, err);
	for (size_t i = 0; rejects && i < in->names.n && status == DANA_OK; i++)
		status = check_rejects(in, sorted, i, err);
	free(sorted);
	return status;
}

static int name_outputs(struct filter_inputs *in, const struct run_settings *s, struct error *err)
{
	in->outputs = calloc(in->names.n ? in->names.n : 1, sizeof(*in->outputs));
	if (!in->outputs)
		return error_no_memory(err);
	for (size_t i = 0; i < in->names.n; i++) {
		in->outputs[i] = output_name(in, s, i, err);
		if (!in->outputs[i])
			return err->status;
	}
	return check_collisions(in, s->outputs.rejects, err);
}

/* --range is of the only input. */
static int set_range(struct filter_inputs *in, const struct run_settings *s, struct error *err)
{
	if (in->names.n != 1 || !input_range_is_whole(in->ranges[0]))
		return error_set(err, DANA_ECONFIG,
				 "--range is a part of one input; expected one INPUT, or FILE@%s for each",
				 s->inputs.range);
	if (!input_range_read(slice_from_text(s->inputs.range), &in->ranges[0]))
		return error_set(err, DANA_ECONFIG,
				 "--range: '%s' is not a range; expected BEGIN-END or BEGIN- in bytes",
				 s->inputs.range);
	return DANA_OK;
}

static int gather(struct filter_inputs *in, const struct run_settings *s, struct network *network, struct error *err)
{
	int status = DANA_OK;
	if (s->inputs.cdx.n && s->inputs.range)
		return error_set(err, DANA_ECONFIG, "--cdx names the parts of its inputs; expected no --range besides");
	if (s->inputs.cdx.n && s->inputs.n)
		return error_set(err, DANA_ECONFIG, "--cdx names the inputs; expected no INPUT besides");
	for (size_t i = 0; i < s->inputs.n && status == DANA_OK; i++)
		status = filter_lists_add(in, s->inputs.names[i], err);
	if (status == DANA_OK && s->inputs.list)
		status = filter_lists_read(in, s, network, err);
	if (status == DANA_OK && s->inputs.range)
		status = set_range(in, s, err);
	if (status == DANA_OK && s->inputs.cdx.n)
		return filter_index_read(in, s, network, err);
	if (status == DANA_OK && s->inputs.n == 0 && !s->inputs.list)
		status = filter_lists_add(in, "-", err);
	if (status == DANA_OK && !s->inputs.range)
		status = shares_take(in, s, err);
	return status;
}

int filter_inputs_gather(struct filter_inputs *in, const struct run_settings *s, struct network *network,
			 struct error *err)
{
	in->names.memory = arena_new();
	if (!in->names.memory)
		return error_no_memory(err);
	int status = gather(in, s, network, err);
	if (status == DANA_OK)
		status = check_stdin(in, s, err);
	in->done = calloc(in->names.n ? in->names.n : 1, sizeof(*in->done));
	if (status == DANA_OK && !in->done)
		status = error_no_memory(err);
	return status == DANA_OK && s->outputs.folder ? name_outputs(in, s, err) : status;
}

bool filter_inputs_lists_network(const struct run_settings *s)
{
	bool any = (s->inputs.list && address_is_network(s->inputs.list)) ||
		   (s->inputs.base && address_is_network(s->inputs.base));
	for (unsigned i = 0; i < s->inputs.cdx.n; i++)
		any |= address_is_network(s->inputs.cdx.at[i]);
	return any;
}

int filter_inputs_done(const struct filter_inputs *in, struct buf *out)
{
	struct json_writer w = { .out = out };
	json_array_begin(&w);
	for (size_t i = 0; i < in->names.n; i++) {
		if (in->done[i])
			done_input_write(slice_from_text(in->names.items[i]), in->ranges[i], &w);
	}
	json_array_end(&w);
	return buf_status(out);
}

void filter_inputs_free(struct filter_inputs *in)
{
	name_list_free(&in->names);
	name_list_free(&in->addresses);
	name_list_free(&in->indexes);
	free(in->outputs);
	free(in->ranges);
	free(in->done);
	free(in->pieces);
	free(in->piece_starts);
	arena_free(in->names.memory);
}
