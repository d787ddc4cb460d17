/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/filter_inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/printable.h"
#include "cli/output_names.h"
#include "io/net/address.h"
#include "pipeline/outputs.h"

enum { SHOWN = 200, LINE_MOST = 64 << 10 };

struct list_file {
	const char *shown; /* its name in messages */
	const char *base;  /* before relative lines; NULL: nothing */
};

/* Names beside which there is no address that differs have none. */
static int add_address(struct filter_inputs *in, const char *address, bool differs, struct error *err)
{
	size_t last = in->names.n - 1;
	int status = DANA_OK;
	if (!differs && in->addresses.n == 0)
		return DANA_OK;
	in->addresses.memory = in->names.memory;
	while (status == DANA_OK && in->addresses.n < last)
		status = name_list_add(&in->addresses, slice_from_text(in->names.items[in->addresses.n]), err);
	return status == DANA_OK ? name_list_add(&in->addresses, slice_from_text(address), err) : status;
}

/* User, password and signatures show nowhere. */
static int add_input(struct filter_inputs *in, const char *address, struct error *err)
{
	struct buf name = { 0 };
	int status = address_without_secrets(address, &name) < 0 ? error_no_memory(err)
								 : name_list_add(&in->names, buf_slice(&name), err);
	if (status == DANA_OK)
		status = add_address(in, address, strcmp(in->names.items[in->names.n - 1], address) != 0, err);
	buf_free(&name);
	return status;
}

static bool is_relative(struct slice line)
{
	return line.data[0] != '/' && !slice_equal(line, slice_from_text("-")) &&
	       (line.len < 3 || !memmem(line.data, line.len, "://", 3));
}

/* A base that is only scheme and host lacks the slash that begins a path. */
static bool lacks_slash(const char *base)
{
	return address_is_network(base) && address_path(base).len == 0;
}

static int add_with_base(struct filter_inputs *in, struct slice line, const char *base, struct error *err)
{
	struct buf name = { 0 };
	if (base && is_relative(line)) {
		buf_append_text(&name, base);
		if (lacks_slash(base))
			buf_append_byte(&name, '/');
	}
	buf_append(&name, line.data, line.len);
	int status = buf_append_byte(&name, 0) < 0 ? error_no_memory(err) : add_input(in, (const char *)name.data, err);
	buf_free(&name);
	return status;
}

static int add_line(struct filter_inputs *in, struct slice line, const struct list_file *list, struct error *err)
{
	while (line.len && (line.data[line.len - 1] == '\r' || line.data[line.len - 1] == '\n'))
		line.len--;
	if (line.len == 0)
		return DANA_OK;
	if (memchr(line.data, 0, line.len))
		return error_set(err, DANA_ECONFIG, "--list: %s holds a zero byte; expected one input a line",
				 list->shown);
	return add_with_base(in, line, list->base, err);
}

/* zlib's files read plain ones too. */
static int read_lines(struct filter_inputs *in, gzFile file, const struct list_file *list, struct error *err)
{
	char *line = malloc(LINE_MOST);
	int status = line ? DANA_OK : error_no_memory(err);
	z_off_t begin = 0;
	while (status == DANA_OK && gzgets(file, line, LINE_MOST)) {
		z_off_t end = gztell(file); /* a line may hold zero bytes */
		size_t len = (size_t)(end - begin);
		begin = end;
		if (len == LINE_MOST - 1)
			status = error_set(err, DANA_ECONFIG, "--list: %s has a line of more than 64K", list->shown);
		else
			status = add_line(in, slice_of(line, len), list, err);
	}
	int error = Z_OK;
	(void)gzerror(file, &error);
	if (status == DANA_OK && error != Z_OK && error != Z_STREAM_END)
		status =
			error_set(err, DANA_EIO, "--list: %s: %s", list->shown,
				  error == Z_ERRNO ? system_text(errno) : "compressed data that is damaged or cut off");
	free(line);
	return status;
}

static int add_list(struct filter_inputs *in, const char *path, const char *base, struct error *err)
{
	char shown[SHOWN];
	bool standard = strcmp(path, "-") == 0;
	const struct list_file list = {
		.shown = standard ? "standard input" : printable(slice_from_text(path), shown, sizeof(shown)),
		.base = base,
	};
	errno = 0;
	gzFile file = standard ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rbe");
	if (!file)
		return error_set(err, DANA_EIO, "--list: %s: %s", list.shown,
				 errno ? system_text(errno) : status_text(DANA_ENOMEM));
	int status = read_lines(in, file, &list, err);
	(void)gzclose(file);
	return status;
}

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

static int check_stdin(const struct filter_inputs *in, const struct filter_settings *s, struct error *err)
{
	size_t uses = count_standard(in) + (s->list && strcmp(s->list, "-") == 0);
	if (uses > 1)
		return error_set(err, DANA_ECONFIG, "standard input (-) is asked for %zu times; it can be read once",
				 uses);
	return DANA_OK;
}

/* The name of an output in the folder of -O. */
static const char *output_name(struct filter_inputs *in, const struct filter_settings *s, const char *input,
			       struct error *err)
{
	struct slice base;
	if (output_names_base(input, &base, err) < 0)
		return NULL;
	base = output_base_name(base);
	struct buf name = { 0 };
	struct slice copy = { NULL, 0 };
	if (buf_printf(&name, "%s/%.*s%s%s", s->output_dir, (int)base.len, (const char *)base.data,
		       s->kind.format->suffix, s->kind.encoder->suffix) == DANA_OK)
		copy = arena_copy(in->names.memory, buf_slice(&name));
	buf_free(&name);
	if (!copy.data)
		(void)error_no_memory(err);
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
	struct buf name = { 0 };
	char shown[2][SHOWN];
	int status = outputs_rejects_name(in->outputs[i], &name);
	if (status < 0) {
		buf_free(&name);
		return error_no_memory(err);
	}
	const char *rejects = (const char *)name.data;
	if (bsearch(&rejects, sorted, in->names.n, sizeof(*sorted), output_names_compare))
		status = error_set(err, DANA_ECONFIG,
				   "--output-dir: the rejects of input %s and the input %s would both be written to %s",
				   printable(slice_from_text(in->names.items[i]), shown[0], SHOWN),
				   printable(slice_from_text(input_of(in, rejects)), shown[1], SHOWN), rejects);
	buf_free(&name);
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

static int name_outputs(struct filter_inputs *in, const struct filter_settings *s, struct error *err)
{
	in->outputs = calloc(in->names.n ? in->names.n : 1, sizeof(*in->outputs));
	if (!in->outputs)
		return error_no_memory(err);
	for (size_t i = 0; i < in->names.n; i++) {
		in->outputs[i] = output_name(in, s, in->names.items[i], err);
		if (!in->outputs[i])
			return err->status;
	}
	return check_collisions(in, s->rejects, err);
}

int filter_inputs_gather(struct filter_inputs *in, const struct filter_settings *s, const struct options_rest *rest,
			 struct error *err)
{
	in->names.memory = arena_new();
	if (!in->names.memory)
		return error_no_memory(err);
	int status = DANA_OK;
	for (size_t i = 0; i < rest->n_positionals && status == DANA_OK; i++)
		status = add_input(in, rest->positionals[i], err);
	if (status == DANA_OK && s->list)
		status = add_list(in, s->list, s->base, err);
	if (status == DANA_OK && rest->n_positionals == 0 && !s->list)
		status = name_list_add(&in->names, slice_from_text("-"), err);
	if (status == DANA_OK)
		status = check_stdin(in, s, err);
	return status == DANA_OK && s->output_dir ? name_outputs(in, s, err) : status;
}

void filter_inputs_free(struct filter_inputs *in)
{
	name_list_free(&in->names);
	name_list_free(&in->addresses);
	free(in->outputs);
	arena_free(in->names.memory);
}
