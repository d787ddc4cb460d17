/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/inputs/lists.h"

#include <sys/stat.h>

#include "base/grow.h"
#include "base/printable.h"
#include "io/index/line_reader.h"
#include "io/net/address.h"

enum { SHOWN = 200, LINE_MOST = 64 << 10 };

/* Addresses are listed from the first one on that differs from its name. */
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

/* One for each name. */
static int add_range(struct filter_inputs *in, struct input_range range, struct error *err)
{
	const size_t i = in->names.n;
	struct input_range *ranges = grow_items(in->ranges, i, &in->ranges_cap, sizeof(*ranges));
	if (!ranges)
		return error_no_memory(err);
	in->ranges = ranges;
	ranges[i] = range;
	return DANA_OK;
}

/* An input as it is named, without a range. */
static int add_whole(struct filter_inputs *in, const char *address, struct input_range range, struct error *err)
{
	struct buf name = { 0 };
	int status = add_range(in, range, err);
	if (status == DANA_OK)
		status = address_without_secrets(address, &name) < 0 ? error_no_memory(err)
								     : name_list_add(&in->names, buf_slice(&name), err);
	if (status == DANA_OK)
		status = add_address(in, address, strcmp(in->names.items[in->names.n - 1], address) != 0, err);
	buf_free(&name);
	return status;
}

int filter_lists_add(struct filter_inputs *in, const char *address, struct error *err)
{
	struct slice name = slice_from_text(address);
	struct input_range range = { 0 };
	if (!input_range_cut(&name, &range))
		return add_whole(in, address, range, err);
	const struct slice copy = arena_copy(in->names.memory, name);
	return copy.data ? add_whole(in, (const char *)copy.data, range, err) : error_no_memory(err);
}

/* ---- names with a base ---- */

static bool is_relative(const char *name)
{
	return name[0] != '/' && strcmp(name, "-") != 0 && !strstr(name, "://");
}

/* A base that is only scheme and host lacks the slash that begins a path, and a folder the one that ends it. */
static bool lacks_slash(const char *base)
{
	struct stat st;
	if (address_is_network(base))
		return address_path(base).len == 0;
	return base[strlen(base) - 1] != '/' && stat(base, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Where the segment of the base begins that the line goes on with: "http://h/a/pre-" and "x" are one. */
static size_t last_segment(const struct buf *base)
{
	size_t at = base->len;
	while (at > 0 && base->data[at - 1] != '/')
		at--;
	return at;
}

int filter_lists_name(struct slice line, const char *base, struct buf *name, struct error *err)
{
	struct buf relative = { 0 };
	size_t from = SIZE_MAX;
	buf_append(&relative, line.data, line.len);
	if (buf_append_byte(&relative, 0) == DANA_OK && base && is_relative((const char *)relative.data)) {
		buf_append_text(name, base);
		if (lacks_slash(base))
			buf_append_byte(name, '/');
		from = last_segment(name);
	}
	buf_append(name, relative.data, relative.len);
	buf_latch(name, buf_status(&relative));
	buf_free(&relative);
	if (buf_status(name) < 0)
		return error_no_memory(err);
	if (from != SIZE_MAX && address_climbs((const char *)name->data, from))
		return error_set(err, DANA_EFORMAT, "its file has '..' as a folder; expected one below --base");
	return DANA_OK;
}

/* ---- lists ---- */

const char *filter_lists_shown(const char *name, char *out, size_t size)
{
	struct buf public = { 0 };
	bool standard = strcmp(name, "-") == 0;
	if (address_without_secrets(name, &public) < 0)
		buf_clear(&public);
	(void)printable(standard ? slice_from_text("standard input") : buf_slice(&public), out, size);
	buf_free(&public);
	return out;
}

void filter_lists_bad(struct lines_read *lines, const char *why)
{
	if (lines->bad++ > 0 && lines->number >= lines->first_bad)
		return;
	lines->first_bad = lines->number;
	(void)error_set(&lines->fault, DANA_EFORMAT, "%s", why);
}

struct reading {
	struct lines_read *lines;
	int (*take)(void *arg, struct slice line, struct error *err);
	void *arg;
};

static int on_line(void *arg, struct slice line, struct error *err)
{
	const struct reading *r = arg;
	r->lines->number++;
	return r->take(r->arg, line, err);
}

static void on_bad(void *arg, const char *why)
{
	const struct reading *r = arg;
	r->lines->number++;
	filter_lists_bad(r->lines, why);
}

int filter_lists_lines(const struct lines_wanted *w, struct lines_read *lines,
		       int (*take)(void *arg, struct slice line, struct error *err), void *arg, struct error *err)
{
	char shown[SHOWN];
	struct error inner = { 0 };
	const struct line_input input = { .name = w->name,
					  .shown = filter_lists_shown(w->name, shown, sizeof(shown)),
					  .network = w->network,
					  .line_most = LINE_MOST };
	struct reading reading = { lines, take, arg };
	const struct line_taker taker = { on_line, on_bad, &reading };
	*lines = (struct lines_read){ 0 };
	int status = line_reader_run(&input, &taker, &inner);
	if (lines->bad)
		notice(w->messages, "%s: %s: %llu line%s cannot be read; the first is line %llu: %s", w->option, shown,
		       (unsigned long long)lines->bad, lines->bad == 1 ? "" : "s", (unsigned long long)lines->first_bad,
		       lines->fault.text);
	if (status == DANA_OK)
		return status;
	return inner.status == DANA_OK ? error_no_memory(err)
				       : error_set(err, inner.status, "%s: %s: %s", w->option, shown, inner.text);
}

struct list {
	struct filter_inputs *in;
	const char *base;
	struct lines_read lines;
};

static int take_line(void *arg, struct slice line, struct error *err)
{
	struct list *l = arg;
	struct buf name = { 0 };
	struct error fault = { 0 };
	if (line.len == 0)
		return DANA_OK;
	if (memchr(line.data, 0, line.len)) {
		filter_lists_bad(&l->lines, "it holds a zero byte; expected one input a line");
		return DANA_OK;
	}
	int status = filter_lists_name(line, l->base, &name, &fault);
	if (status == DANA_OK)
		status = filter_lists_add(l->in, (const char *)name.data, err);
	else if (status == DANA_EFORMAT)
		filter_lists_bad(&l->lines, fault.text);
	else
		(void)error_no_memory(err);
	buf_free(&name);
	return status == DANA_EFORMAT ? DANA_OK : status;
}

int filter_lists_read(struct filter_inputs *in, const struct run_settings *s, struct network *network,
		      struct error *err)
{
	const struct lines_wanted wanted = { s->inputs.list, "--list", network, &s->reports.messages };
	struct list list = { .in = in, .base = s->inputs.base };
	int status = filter_lists_lines(&wanted, &list.lines, take_line, &list, err);
	in->incomplete |= list.lines.bad > 0;
	return status;
}
