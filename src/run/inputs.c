/* SPDX-License-Identifier: MIT */
/*
 * The inputs of `dana filter`: of the command line, of lists (--list), and of indexes of archives (--cdx), which
 * name files and the pieces of them that are wanted; what of them this task takes (--shard, a job array of Slurm), cut
 * into parts (--split-bytes); and the outputs that belong to them.
 *
 * An index names a file for each record, mostly one that many other lines name too: a tree finds the number that it has
 * among the inputs. An index that is a list of files (one word a line, as cc-index.paths.gz) is read first; then these.
 *
 * Example: part k of input i is in share (i + k) mod N, so that --shard 0/2 of the whole files a, b, c takes a and c.
 */
#include "config.h"

#include "run/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "base/system.h"
#include "io/address.h"
#include "io/cdx.h"
#include "io/line_reader.h"
#include "io/zip.h"
#include "run/names.h"
#include "run/outputs.h"

struct lines_wanted {
	const char *name;               /* a path, an address or "-" */
	const char *option;             /* that gave it */
	struct network *network;        /* NULL: addresses are not read */
	const struct notices *messages; /* for lines that cannot be read */
};

struct lines_read {
	uint64_t number;    /* of the last one, from 1 */
	uint64_t bad;       /* those that cannot be used */
	uint64_t first_bad; /* the number of the first one */
	struct error fault; /* of that line */
};

enum { SHOWN = 200, LINE_MOST = 64 << 10 };

/* One of each for each name. */
static int add_place(struct inputs *in, struct input_range range, size_t below, struct error *err)
{
	const size_t i = in->names.n;
	struct input_range *ranges = grow_items(in->ranges, i, &in->ranges_cap, sizeof(*ranges));
	if (!ranges)
		return error_no_memory(err);
	in->ranges = ranges;
	size_t *all = grow_items(in->below, i, &in->below_cap, sizeof(*all));
	if (!all)
		return error_no_memory(err);
	in->below = all;
	ranges[i] = range;
	all[i] = below;
	return DANA_OK;
}

/* An input as it is named, without a range; `below` as in struct inputs. */
static int add_whole(struct inputs *in, const char *address, struct input_range range, size_t below, struct error *err)
{
	struct buf name = { 0 };
	int status = add_place(in, range, below, err);
	if (status == DANA_OK)
		status = address_without_secrets(address, &name) < 0 ? error_no_memory(err)
								     : name_list_add(&in->names, buf_slice(&name), err);
	/* addresses are listed from the first one on that differs from its name */
	const size_t last = in->names.n - 1;
	if (status == DANA_OK && (in->addresses.n || strcmp(in->names.items[last], address) != 0)) {
		in->addresses.memory = in->names.memory;
		while (status == DANA_OK && in->addresses.n < last)
			status = name_list_add(&in->addresses, slice_from_text(in->names.items[in->addresses.n]), err);
		status = status == DANA_OK ? name_list_add(&in->addresses, slice_from_text(address), err) : status;
	}
	buf_free(&name);
	return status;
}

/* ---- folders ---- */

static bool ends_with(struct slice name, const char *suffix)
{
	const size_t n = strlen(suffix);
	return name.len >= n && memcmp(name.data + name.len - n, suffix, n) == 0;
}

/* What a folder holds: files that are called like archives, and in `below` with their paths the folders in it. */
static int read_folder(const char *folder, struct name_list *files, struct name_list *below, struct error *err)
{
	struct dirent *entry;
	struct buf path = { 0 };
	int status = DANA_OK;
	DIR *dir = opendir(folder);
	while (dir && status == DANA_OK && (entry = readdir(dir))) {
		const struct slice name = slice_from_text(entry->d_name);
		const bool archive = output_is_archive_name(name) || ends_with(name, ".wacz");
		struct stat st;
		buf_clear(&path);
		buf_printf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", entry->d_name);
		if (buf_append_byte(&path, 0) < 0)
			status = error_no_memory(err);
		else if (name.data[0] == '.' || lstat((const char *)path.data, &st) < 0)
			continue;
		else if (below && S_ISDIR(st.st_mode)) /* not by links, which may lead around */
			status = name_list_add(below, slice_first(buf_slice(&path), path.len - 1), err);
		else if (archive && stat((const char *)path.data, &st) == 0 && S_ISREG(st.st_mode))
			status = name_list_add(files, slice_first(buf_slice(&path), path.len - 1), err);
	}
	if (dir)
		(void)closedir(dir);
	buf_free(&path);
	return status;
}

/* Adds the archives of a folder by their names; where none is there the folder, which cannot be read. */
static int add_folder(struct inputs *in, const char *folder, struct error *err)
{
	struct name_list files = { .memory = in->names.memory }, folders = { .memory = in->names.memory };
	int status = name_list_add(&folders, slice_from_text(folder), err);
	for (size_t i = 0; i < folders.n && status == DANA_OK; i++)
		status = read_folder(folders.items[i], &files, in->recursive ? &folders : NULL, err);
	if (files.n)
		qsort(files.items, files.n, sizeof(*files.items), output_names_compare);
	const size_t len = strlen(folder), below = len + (folder[len - 1] != '/');
	for (size_t i = 0; i < files.n && status == DANA_OK; i++)
		status = add_whole(in, files.items[i], (struct input_range){ 0 }, below, err);
	if (status == DANA_OK && files.n == 0)
		status = add_whole(in, folder, (struct input_range){ 0 }, 0, err);
	free(files.items);
	free(folders.items);
	return status;
}

/** Adds an input as it was given, or those of a folder; user and password are kept apart. */
static int lists_add(struct inputs *in, const char *address, struct error *err)
{
	struct slice name = slice_from_text(address);
	struct input_range range = { 0 };
	struct stat st;
	const bool there = !address_is_network(address) && stat(address, &st) == 0;
	if (there && S_ISDIR(st.st_mode))
		return add_folder(in, address, err);
	/* a file may be called like a part of another */
	if (there || !input_range_cut(&name, &range))
		return add_whole(in, address, range, 0, err);
	const struct slice copy = arena_copy(in->names.memory, name);
	return copy.data ? add_whole(in, (const char *)copy.data, range, 0, err) : error_no_memory(err);
}

/* ---- names with a base ---- */

/**
 * Appends the name that a line of a list means, `base` (NULL: none) in front if it is relative, with a NUL. Returns 0;
 * DANA_EFORMAT if it would lead out of the base; or DANA_ENOMEM.
 */
static int lists_name(struct slice line, const char *base, struct buf *name, struct error *err)
{
	struct buf relative = { 0 };
	size_t from = SIZE_MAX;
	buf_append(&relative, line.data, line.len);
	const char *given = buf_append_byte(&relative, 0) == DANA_OK ? (const char *)relative.data : NULL;
	const bool is_path = given && strcmp(given, "-") != 0 && !strstr(given, "://");
	if (is_path)
		system_slashes((char *)relative.data);
	if (is_path && base && !system_path_is_whole(given)) {
		buf_append_text(name, base);
		/* A base that is only scheme and host lacks the slash that begins a path, and a folder the one that
		 * ends it. */
		struct stat st;
		if (address_is_network(base)
			    ? address_path(base).len == 0
			    : base[strlen(base) - 1] != '/' && stat(base, &st) == 0 && S_ISDIR(st.st_mode))
			buf_append_byte(name, '/');
		/* Where the segment of the base begins that the line continues: "http://h/a/pre-" and "x" are one.
		 */
		size_t at = name->len;
		while (at > 0 && name->data[at - 1] != '/')
			at--;
		from = at;
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

static const char *lists_shown(const char *name, char *out, size_t size)
{
	struct buf public = { 0 };
	bool standard = strcmp(name, "-") == 0;
	if (address_without_secrets(name, &public) < 0)
		buf_clear(&public);
	(void)printable(standard ? slice_from_text("standard input") : buf_slice(&public), out, size);
	buf_free(&public);
	return out;
}

/** Line `number` cannot be used. */
static void lists_bad(struct lines_read *lines, const char *why)
{
	if (lines->bad++ > 0 && lines->number >= lines->first_bad)
		return;
	lines->first_bad = lines->number;
	(void)error_set(&lines->fault, DANA_EFORMAT, "%s", why);
}

struct list_reading {
	struct lines_read *lines;
	int (*take)(void *arg, struct slice line, struct error *err);
	void *arg;
};

static int on_line(void *arg, struct slice line, struct error *err)
{
	const struct list_reading *r = arg;
	r->lines->number++;
	return r->take(r->arg, line, err);
}

static void on_bad(void *arg, const char *why)
{
	const struct list_reading *r = arg;
	r->lines->number++;
	lists_bad(r->lines, why);
}

/**
 * Reads the lines, and reports bad ones. Returns 0, the status of `take`, DANA_EIO or DANA_ENOMEM, with a text in
 * `err`.
 */
static int lists_lines(const struct lines_wanted *w, struct lines_read *lines,
		       int (*take)(void *arg, struct slice line, struct error *err), void *arg, struct error *err)
{
	char shown[SHOWN];
	struct error inner = { 0 };
	const struct line_input input = { .name = w->name,
					  .shown = lists_shown(w->name, shown, sizeof(shown)),
					  .network = w->network,
					  .line_most = LINE_MOST };
	struct list_reading reading = { lines, take, arg };
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

struct input_list {
	struct inputs *in;
	const char *base;
	struct lines_read lines;
};

static int take_line(void *arg, struct slice line, struct error *err)
{
	struct input_list *l = arg;
	struct buf name = { 0 };
	struct error fault = { 0 };
	if (line.len == 0)
		return DANA_OK;
	if (memchr(line.data, 0, line.len)) {
		lists_bad(&l->lines, "it holds a zero byte; expected one input a line");
		return DANA_OK;
	}
	int status = lists_name(line, l->base, &name, &fault);
	if (status == DANA_OK)
		status = lists_add(l->in, (const char *)name.data, err);
	else if (status == DANA_EFORMAT)
		lists_bad(&l->lines, fault.text);
	else
		(void)error_no_memory(err);
	buf_free(&name);
	return status == DANA_EFORMAT ? DANA_OK : status;
}

static bool variable(const char *name, uint64_t *number)
{
	const char *text = getenv(name);
	return text && decimal_number(slice_from_text(text), UINT32_MAX, number);
}

int share_read(const char *text, struct share *share, struct error *err)
{
	const char *slash = strchr(text, '/');
	const struct slice number = slice_of(text, slash ? (size_t)(slash - text) : 0);
	*share = (struct share){ 0 };
	bool good = slash && decimal_number(slice_from_text(slash + 1), UINT32_MAX, &share->count) && share->count;
	if (good && slice_is(number, "auto")) {
		uint64_t job;
		if (!variable("PARALLEL_SEQ", &job) || job == 0)
			return error_set(
				err, DANA_ECONFIG,
				"--shard auto/N: PARALLEL_SEQ, the number of a job of GNU parallel, is not set; "
				"expected R/N");
		share->number = job - 1;
	} else
		good = good && decimal_number(number, UINT32_MAX, &share->number);
	if (!good || share->number >= share->count)
		return error_set(err, DANA_ECONFIG,
				 "--shard: '%s' is not a share; expected R/N with R from 0 to N - 1, or auto/N", text);
	return DANA_OK;
}

/*
 * Tasks are numbered from the first to the last in steps (--array=10-30:5). An array of some numbers out of others, as
 * when tasks are submitted again by themselves, has holes: nobody can tell what the shares were.
 */
static int share_of_array(struct share *share, struct error *err)
{
	uint64_t task, first, last, step;
	*share = (struct share){ 0 };
	if (!variable("SLURM_ARRAY_TASK_ID", &task) || !variable("SLURM_ARRAY_TASK_COUNT", &share->count) ||
	    share->count == 0) {
		share->count = 0;
		return DANA_OK;
	}
	if (!variable("SLURM_ARRAY_TASK_MIN", &first))
		first = 0;
	if (!variable("SLURM_ARRAY_TASK_STEP", &step) || step == 0)
		step = 1;
	if (!variable("SLURM_ARRAY_TASK_MAX", &last))
		last = first + (share->count - 1) * step;
	const bool holes = last < first || last - first != (share->count - 1) * step || task < first || task > last ||
			   (task - first) % step;
	if (holes)
		return error_set(
			err, DANA_ECONFIG,
			"SLURM_ARRAY_TASK_ID is %" PRIu64 ", and the array of %" PRIu64
			" tasks has holes, so that no share of --list follows from it; expected --shard R/N, or "
			"--shard 0/1 for all",
			task, share->count);
	share->number = (task - first) / step;
	return DANA_OK;
}

/* One for each name, where any input is a part of a file. */
static int add_part(struct inputs *in, const struct source_part *part, struct error *err)
{
	const struct source_part **parts =
		grow_items(in->parts, in->n_parts, &in->parts_cap, sizeof(const struct source_part *));
	if (!parts)
		return error_no_memory(err);
	in->parts = parts;
	parts[in->n_parts++] = part;
	return DANA_OK;
}

bool inputs_size(const struct inputs *in, size_t i, uint64_t *size)
{
	const struct source_part *part = in->parts ? in->parts[i] : NULL;
	struct stat st;
	if (part && !part->fault) {
		*size = part->deflated ? part->size : part->length;
		return true;
	}
	if (strcmp(in->names.items[i], "-") == 0 || stat(in->names.items[i], &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	*size = (uint64_t)st.st_size;
	return true;
}

struct taking {
	const struct run_settings *settings;
	struct share share;
	const struct inputs *from;
	struct inputs to; /* shares the texts of `from` */
};

/* Appends the text itself, not a copy. Returns false if memory is exhausted. */
static bool append(struct name_list *list, const char *text)
{
	const char **items = grow_items(list->items, list->n, &list->cap, sizeof(*items));
	if (!items)
		return false;
	list->items = items;
	items[list->n++] = text;
	return true;
}

/* If no address differs from its name, they are not listed; neither are parts if no input is one. */
static int keep_part(struct taking *t, size_t i, struct input_range range, struct error *err)
{
	struct inputs *to = &t->to;
	const char *const *addresses = t->from->addresses.n ? t->from->addresses.items : NULL;
	if (add_place(to, range, t->from->below[i], err) < 0)
		return err->status;
	if (t->from->parts && add_part(to, t->from->parts[i], err) < 0)
		return err->status;
	if (!append(&to->names, t->from->names.items[i]) || (addresses && !append(&to->addresses, addresses[i])))
		return error_no_memory(err);
	return DANA_OK;
}

static bool is_own(const struct taking *t, uint64_t i, uint64_t part)
{
	return t->share.count == 0 || (i + part) % t->share.count == t->share.number;
}

/*
 * Of a file that is not there nobody knows the parts. The share that would have its first one has this, and fails by
 * it; the others count what they may lack.
 */
static int take_split(struct taking *t, size_t i, struct error *err)
{
	const char *name = t->from->names.items[i];
	const struct source_part *source = t->from->parts ? t->from->parts[i] : NULL;
	char shown[SHOWN];
	struct stat st;
	(void)printable(slice_from_text(name), shown, sizeof(shown));
	const bool local = strcmp(name, "-") != 0 && !address_is_network(name);
	if (source && source->fault)
		return is_own(t, i, 0) ? keep_part(t, i, t->from->ranges[i], err) : DANA_OK;
	if (local && !source && stat(name, &st) < 0) {
		const uint64_t begin = t->from->ranges[i].begin;
		const struct input_range first = { begin, begin + t->settings->inputs.split_bytes };
		if (is_own(t, i, 0))
			return keep_part(t, i, first, err);
		notice(&t->settings->reports.messages,
		       "--split-bytes: %s: %s; share %" PRIu64 " of %" PRIu64
		       " fails by it, and this one does what else it has",
		       shown, system_text(errno), i % t->share.count, t->share.count);
		t->to.missing++;
		return DANA_OK;
	}
	uint64_t size;
	if (!inputs_size(t->from, i, &size))
		return error_set(err, DANA_ECONFIG,
				 "--split-bytes: the size of %s is not known; expected files, or parts named as "
				 "FILE@BEGIN-END in --list",
				 shown);
	/* Each part ends where the next one would begin, also the last: of a file that still grows, tasks that see it
	 * at different times have no record twice. */
	struct input_range range = t->from->ranges[i];
	const uint64_t step = t->settings->inputs.split_bytes;
	const uint64_t end = range.end && range.end < size ? range.end : size;
	int status = DANA_OK;
	if (end <= range.begin || end - range.begin <= step)
		return is_own(t, i, 0) ? keep_part(t, i, range, err) : DANA_OK;
	for (uint64_t part = 0; range.begin < end && status == DANA_OK; part++) {
		const uint64_t next = range.begin + step;
		const bool cut = range.end && range.end < next;
		if (is_own(t, i, part))
			status = keep_part(t, i, (struct input_range){ range.begin, cut ? range.end : next }, err);
		range.begin = next;
	}
	return status;
}

/**
 * Cuts inputs into parts of s->inputs.split_bytes (0: leaves them whole), and keeps the parts of s->inputs.shard; if
 * that is NULL, with --list the parts of this task of a job array, with a notice, else all. Sets in->share.
 *
 * Part k of input i is in share (i + k) mod N: what becomes of one input does not depend on what the others are. Where
 * a file is not there, shares without its first part report it and count it in in->missing. Returns 0; DANA_ECONFIG,
 * also where the size of an input cannot be known; DANA_ENOMEM.
 */
static int shares_take(struct inputs *in, const struct run_settings *s, struct error *err)
{
	struct taking t = { .settings = s, .from = in };
	int status = DANA_OK;
	if (s->inputs.shard) {
		status = share_read(s->inputs.shard, &t.share, err);
	} else if (s->inputs.list) {
		/* A task of an array leaves out what the others take, though no option asks for it: that is not to be
		 * overlooked. */
		status = share_of_array(&t.share, err);
		if (status == DANA_OK && t.share.count)
			notice(&s->reports.messages,
			       "this task takes share %" PRIu64 " of %" PRIu64
			       " of the inputs, by SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT; --shard 0/1 takes "
			       "all",
			       t.share.number, t.share.count);
	}
	if (status < 0 || (t.share.count == 0 && s->inputs.split_bytes == 0))
		return status;
	for (size_t i = 0; i < t.from->names.n && status == DANA_OK; i++) {
		if (t.settings->inputs.split_bytes)
			status = take_split(&t, i, err);
		else if (is_own(&t, i, 0))
			status = keep_part(&t, i, t.from->ranges[i], err);
	}
	free(status < 0 ? t.to.names.items : in->names.items);
	free(status < 0 ? t.to.addresses.items : in->addresses.items);
	free(status < 0 ? t.to.ranges : in->ranges);
	free(status < 0 ? t.to.below : in->below);
	free(status < 0 ? t.to.parts : in->parts);
	if (status < 0)
		return status;
	t.to.names.memory = in->names.memory;
	in->share = t.share;
	in->names = t.to.names;
	in->addresses = t.to.addresses;
	in->ranges = t.to.ranges;
	in->ranges_cap = t.to.ranges_cap;
	in->below = t.to.below;
	in->below_cap = t.to.below_cap;
	in->parts = t.to.parts;
	in->n_parts = t.to.n_parts;
	in->parts_cap = t.to.parts_cap;
	in->missing = t.to.missing;
	return DANA_OK;
}

/* ---- archives in a zip ---- */

/* Inputs with the archives of zips in place of these. */
struct zip_opening {
	const struct run_settings *settings;
	struct network **network;
	const struct inputs *from;
	struct inputs to;           /* shares the texts of `from` */
	struct zip_entries entries; /* of the zip ... */
	const char *zip;            /* ... at this address; NULL: none yet */
	struct error fault;         /* why it has none */
};

int inputs_connect(struct network **out, const struct run_settings *s, struct error *err)
{
	if (s->network.insecure)
		notice(&s->reports.messages, NETWORK_INSECURE);
	*out = network_new(&s->network, err);
	return *out ? DANA_OK : (int)err->status;
}

/*
 * Returns how much of the address of an input is that of a zip: all, or what is before "/ENTRY"; 0: it is none. Files
 * are known by their first bytes, addresses by their names.
 */
static size_t zip_length(const char *address)
{
	static const char *const insides[] = { ".wacz/", ".zip/" };
	struct stat st;
	if (address_is_network(address)) {
		const char *first = NULL;
		for (size_t i = 0; i < sizeof(insides) / sizeof(*insides); i++) {
			const char *inside = strstr(address, insides[i]);
			const char *entry = inside ? inside + strlen(insides[i]) : NULL;
			first = entry && *entry && (!first || entry < first) ? entry : first;
		}
		if (first)
			return (size_t)(first - 1 - address);
		const struct slice path = address_path(address);
		return ends_with(path, ".wacz") || ends_with(path, ".zip") ? strlen(address) : 0;
	}
	if (zip_begins(address))
		return strlen(address);
	if (stat(address, &st) == 0 || errno != ENOTDIR)
		return 0;
	char *path = strdup(address);
	char *slash = path;
	bool found = false;
	while (slash && !found && (slash = strrchr(path, '/'))) {
		*slash = 0;
		found = zip_begins(path);
	}
	const size_t n = found ? strlen(path) : 0;
	free(path);
	return n;
}

static int add_opened(struct zip_opening *o, size_t i, const char *name, const char *address,
		      const struct source_part *part, struct error *err)
{
	struct inputs *to = &o->to;
	struct source_part *copy = NULL;
	if (part) {
		copy = arena_alloc(to->names.memory, sizeof(*copy));
		if (!copy)
			return error_no_memory(err);
		*copy = *part;
	}
	if (add_place(to, o->from->ranges[i], o->from->below[i], err) < 0 || add_part(to, copy, err) < 0)
		return (int)err->status;
	return append(&to->names, name) && append(&to->addresses, address) ? DANA_OK : error_no_memory(err);
}

/* An input that cannot be read, for what `why` has. */
static int add_fault(struct zip_opening *o, size_t i, const struct error *why, struct error *err)
{
	const struct slice text = arena_copy(o->to.names.memory, slice_from_text(why->text));
	const struct source_part part = { .fault = (const char *)text.data, .unreadable = why->status == DANA_EIO };
	if (!text.data)
		return error_no_memory(err);
	return add_opened(o, i, o->from->names.items[i], inputs_address(o->from, i), &part, err);
}

/* Reads the directory of a zip, unless it was the last one. Returns 0, also where o->fault has why not, or a status. */
static int read_zip(struct zip_opening *o, struct slice address, struct error *err)
{
	if (o->zip && slice_is(address, o->zip))
		return DANA_OK;
	char shown[SHOWN];
	o->entries.n = 0;
	o->entries.memory = o->to.names.memory;
	o->fault = (struct error){ 0 };
	o->zip = (const char *)arena_copy(o->to.names.memory, address).data;
	if (!o->zip)
		return error_no_memory(err);
	if (address_is_network(o->zip) && !*o->network && inputs_connect(o->network, o->settings, err) < 0)
		return (int)err->status;
	int status = zip_read(&o->entries, o->zip, lists_shown(o->zip, shown, sizeof(shown)), *o->network, &o->fault);
	return status == DANA_ENOMEM ? error_no_memory(err) : DANA_OK;
}

static bool lies_in(const struct source_part *part, const char *folder)
{
	const size_t n = strlen(folder);
	return n == 0 || (strncmp(part->name, folder, n) == 0 && part->name[n] == '/');
}

/* "x.wacz": all its archives. "x.wacz/inner.wacz": those of a WACZ in it, `inside` of the zip. */
static int open_all(struct zip_opening *o, size_t i, const char *inside, struct error *err)
{
	const char *input = o->from->names.items[i];
	char shown[SHOWN];
	struct buf name = { 0 };
	struct error missing = { 0 };
	int status = DANA_OK;
	const struct source_part *first = NULL;
	size_t n = 0;
	for (size_t k = 0; k < o->entries.n; k++) {
		if (lies_in(&o->entries.items[k], inside) && n++ == 0)
			first = &o->entries.items[k];
	}
	if (n == 0) {
		(void)error_set(&missing, DANA_EIO, "the zip holds no archive of this name");
		return add_fault(o, i, &missing, err);
	}
	const size_t before = *inside ? strlen(inside) + 1 : 0;
	if (n > 1 && (o->settings->inputs.range || !input_range_is_whole(o->from->ranges[i])))
		return error_set(
			err, DANA_ECONFIG, "%s holds %zu archives; a range is of one: expected %s/%s@BEGIN-END",
			printable(slice_from_text(input), shown, sizeof(shown)), n, shown, first->name + before);
	for (size_t k = 0; k < o->entries.n && status == DANA_OK; k++) {
		const struct source_part *part = &o->entries.items[k];
		if (!lies_in(part, inside))
			continue;
		buf_clear(&name);
		buf_printf(&name, "%s/%s", input, part->name + before);
		const struct slice copy = buf_status(&name) < 0 ? (struct slice){ NULL, 0 }
								: arena_copy(o->to.names.memory, buf_slice(&name));
		status =
			copy.data ? add_opened(o, i, (const char *)copy.data, o->zip, part, err) : error_no_memory(err);
	}
	buf_free(&name);
	return status;
}

/* "x.wacz/ENTRY" */
static int open_one(struct zip_opening *o, size_t i, const char *entry, struct error *err)
{
	for (size_t k = 0; k < o->entries.n; k++) {
		if (strcmp(o->entries.items[k].name, entry) == 0)
			return add_opened(o, i, o->from->names.items[i], o->zip, &o->entries.items[k], err);
	}
	return open_all(o, i, entry, err);
}

static int open_input(struct zip_opening *o, size_t i, struct error *err)
{
	const char *name = o->from->names.items[i], *address = inputs_address(o->from, i);
	const size_t length = strcmp(address, "-") == 0 ? 0 : zip_length(address);
	struct stat st;
	if (length == 0 && !address_is_network(address) && stat(address, &st) == 0 && S_ISDIR(st.st_mode)) {
		struct error empty = { 0 };
		(void)error_set(&empty, DANA_EIO,
				"no archive is in this folder (.warc or .arc, also with .gz or .zst, or .wacz); "
				"dana extract -O DIR FOLDER reads HTML pages%s",
				o->settings->inputs.recursive ? "" : "; -r looks into folders below");
		return add_fault(o, i, &empty, err);
	}
	if (length == 0)
		return add_opened(o, i, name, address, NULL, err);
	const int status = read_zip(o, slice_of(address, length), err);
	if (status < 0)
		return status;
	if (o->fault.status == DANA_ECONFIG) /* it is named like a zip, but has other content */
		return add_opened(o, i, name, address, NULL, err);
	if (o->fault.status != DANA_OK)
		return add_fault(o, i, &o->fault, err);
	return address[length] ? open_one(o, i, address + length + 1, err) : open_all(o, i, "", err);
}

/* Puts the archives of zips in their place. */
static int open_zips(struct inputs *in, const struct run_settings *s, struct network **network, struct error *err)
{
	struct zip_opening o = { .settings = s, .network = network, .from = in, .to.names.memory = in->names.memory };
	int status = DANA_OK;
	bool any = false;
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++)
		status = open_input(&o, i, err);
	for (size_t i = 0; i < o.to.n_parts; i++)
		any |= o.to.parts[i] != NULL;
	const bool keep = status < 0 || !any;
	free(o.entries.items);
	free(keep ? o.to.names.items : in->names.items);
	free(keep ? o.to.addresses.items : in->addresses.items);
	free(keep ? o.to.ranges : in->ranges);
	free(keep ? o.to.below : in->below);
	free(keep ? o.to.parts : NULL);
	if (keep)
		return status;
	in->names = o.to.names;
	in->addresses = o.to.addresses;
	in->ranges = o.to.ranges;
	in->ranges_cap = o.to.ranges_cap;
	in->below = o.to.below;
	in->below_cap = o.to.below_cap;
	in->parts = o.to.parts;
	in->n_parts = o.to.n_parts;
	in->parts_cap = o.to.parts_cap;
	return DANA_OK;
}

struct file {
	const char *name; /* as the index has it */
	size_t input;
};

struct index {
	struct inputs *in;
	const struct run_settings *settings;
	struct network *network;
	struct cdx_line *line;
	struct cdx_match *match;
	void *files; /* tree of struct file */
	struct file *last;
	struct name_list shards; /* index files that lists name */
	bool in_shard;
	/* Of the file that is read. */
	struct lines_read lines;
	bool has_records;     /* it is an index: words are not names of files */
	size_t shards_before; /* that files before it named */
	uint64_t first_word;  /* the line of the first one that it names */
};

/* ---- files ---- */

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

static struct file *add_file(struct index *x, struct slice name, struct error *err)
{
	struct arena *memory = x->in->names.memory;
	struct buf whole = { 0 };
	int status = lists_name(name, x->settings->inputs.base, &whole, err);
	if (status == DANA_OK)
		status = lists_add(x->in, (const char *)whole.data, err);
	buf_free(&whole);
	if (status < 0)
		return NULL;
	struct slice copy = arena_copy(memory, name);
	struct file *file = arena_alloc(memory, sizeof(*file));
	if (!copy.data || !file)
		return (void)error_no_memory(err), NULL;
	*file = (struct file){ (const char *)copy.data, x->in->names.n - 1 };
	return file;
}

/* The file of that name, which is an input from now on. NULL with DANA_ENOMEM or DANA_EFORMAT (not below --base) in
 * `err`. */
static struct file *find_file(struct index *x, struct slice name, struct error *err)
{
	struct buf text = { 0 };
	struct file key;
	if (x->last && slice_equal(slice_from_text(x->last->name), name))
		return x->last;
	buf_append(&text, name.data, name.len);
	if (buf_append_byte(&text, 0) < 0)
		return (void)error_no_memory(err), NULL;
	key.name = (const char *)text.data;
	struct file *const *found = tfind(&key, &x->files, compare);
	struct file *file = found ? *found : add_file(x, name, err);
	buf_free(&text);
	if (!found && file && !tsearch(file, &x->files, compare))
		return (void)error_no_memory(err), NULL;
	x->last = file;
	return file;
}

/* ---- lines ---- */

static int bad_line(struct index *x, const char *why)
{
	lists_bad(&x->lines, why);
	return DANA_OK;
}

static int bad_word(struct index *x)
{
	return bad_line(x, "expected CDXJ, or CDX with 9, 10 or 11 fields");
}

/* Lists of index files also name what helps to search in them. */
static int take_shard(struct index *x, struct slice line, struct error *err)
{
	static const char *const others[] = { "cluster.idx", "metadata.yaml" };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		size_t len = strlen(others[i]);
		if (line.len >= len && memcmp(line.data + line.len - len, others[i], len) == 0)
			return DANA_OK;
	}
	if (x->in_shard || x->has_records || memchr(line.data, 0, line.len))
		return bad_word(x);
	if (x->shards.n == x->shards_before)
		x->first_word = x->lines.number;
	struct buf name = { 0 };
	struct error fault = { 0 };
	int status = lists_name(line, x->settings->inputs.base, &name, &fault);
	if (status == DANA_OK)
		status = name_list_add(&x->shards, slice_first(buf_slice(&name), name.len - 1), err);
	else
		status = status == DANA_ENOMEM ? error_no_memory(err) : bad_line(x, fault.text);
	buf_free(&name);
	return status;
}

static int take_index_line(void *arg, struct slice line, struct error *err)
{
	struct index *x = arg;
	struct error fault = { 0 };
	switch (cdx_line_read(x->line, line, &fault)) {
	case CDX_RECORD:
		if (!x->has_records) {
			/* A file that names records is not a list of index files: words before them were bad lines. */
			const uint64_t number = x->lines.number;

			x->has_records = true;
			x->lines.number = x->first_word;
			while (x->shards.n > x->shards_before) {
				x->shards.n--;
				(void)bad_word(x);
			}
			x->lines.number = number;
		}
		struct input_piece piece = { .index = (unsigned)x->in->indexes.n - 1,
					     .line = x->lines.number < UINT_MAX ? (unsigned)x->lines.number
										: UINT_MAX };
		struct slice file;
		int wanted = cdx_match_line(x->match, x->line);
		if (wanted < 0)
			return error_no_memory(err);
		if (!wanted)
			return DANA_OK;
		if (cdx_line_place(x->line, &file, &piece.from, &piece.length, &fault) < 0)
			return bad_line(x, fault.text);
		struct inputs *in = x->in;
		struct input_piece *pieces = grow_items(in->pieces, in->n_pieces, &in->pieces_cap, sizeof(*pieces));
		if (!pieces)
			return error_no_memory(err);
		in->pieces = pieces;
		const struct file *known = find_file(x, file, &fault);
		if (!known)
			return fault.status == DANA_EFORMAT ? bad_line(x, fault.text) : error_no_memory(err);
		in->pieces[in->n_pieces] = piece;
		in->pieces[in->n_pieces++].input = known->input;
		return DANA_OK;
	case CDX_FILE:
		return take_shard(x, line, err);
	case CDX_NOTHING:
		return DANA_OK;
	case DANA_EFORMAT:
		return bad_line(x, fault.text);
	default:
		return error_no_memory(err);
	}
}

/* ---- indexes ---- */

static int read_index(struct index *x, const char *name, struct error *err)
{
	const struct lines_wanted wanted = { name, "--cdx", x->network, &x->settings->reports.messages };
	char shown[SHOWN];
	x->has_records = false;
	x->shards_before = x->shards.n;
	(void)lists_shown(name, shown, sizeof(shown));
	/* what damage that the index leads to is reported with: its name without folders */
	const char *slash = strrchr(shown, '/');

	x->in->indexes.memory = x->in->names.memory;
	int status = name_list_add(&x->in->indexes, slice_from_text(slash && slash[1] ? slash + 1 : shown), err);
	if (status == DANA_OK)
		status = lists_lines(&wanted, &x->lines, take_index_line, x, err);
	x->in->incomplete |= x->lines.bad > 0;
	return status;
}

/* ---- pieces of a file together ---- */

static size_t count_standard(const struct inputs *in)
{
	size_t uses = 0;
	for (size_t i = 0; i < in->names.n; i++)
		uses += strcmp(in->names.items[i], "-") == 0;
	return uses;
}

bool inputs_network(const struct inputs *in)
{
	for (size_t i = 0; i < in->names.n; i++) {
		if (address_is_network(in->names.items[i]))
			return true;
	}
	return false;
}

bool inputs_standard(const struct inputs *in)
{
	return count_standard(in) > 0;
}

const char *inputs_read_once(const struct inputs *in)
{
	struct stat st;
	if (inputs_standard(in))
		return "standard input is read once";
	for (size_t i = 0; i < in->names.n; i++) {
		if (stat(in->names.items[i], &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			return "pipes and devices are read once";
	}
	return NULL;
}

static void put_zip_name(struct buf *name, struct slice base)
{
	if (!output_names_cut(&base, ".wacz"))
		(void)output_names_cut(&base, ".zip");
	buf_append(name, base.data, base.len);
	buf_append_byte(name, '.');
}

int inputs_output(const struct run_settings *s, const char *input, size_t below, const struct source_part *part,
		  struct input_range range, struct buf *name, struct error *err)
{
	const struct slice folders = output_names_below(input, below);
	struct slice base = output_names_base(input);
	struct buf whole = { 0 }, ending = { 0 };
	buf_printf(name, "%s/", s->outputs.folder);
	buf_append(name, folders.data, folders.len);
	if (part && part->name) { /* NAME.wacz/INNER.wacz/archive/ENTRY.warc.gz: NAME.INNER.ENTRY */
		static const char inside[] = ".wacz/";
		const char *rest = part->name;
		put_zip_name(&whole, base);
		for (const char *inner; (inner = strstr(rest, inside)); rest = inner + strlen(inside)) {
			const char *end = inner + strlen(inside) - 1, *begin = end;
			while (begin > rest && begin[-1] != '/')
				begin--;
			put_zip_name(&whole, slice_of(begin, (size_t)(end - begin)));
		}
		base = output_names_base(rest);
	}
	const struct slice cut = output_base_name(base);
	base = cut.len ? cut : base;
	buf_append(&whole, base.data, base.len);
	if (!input_range_is_whole(range))
		buf_printf(&ending, ".%" PRIu64, range.begin);
	buf_printf(&ending, "%s%s", s->outputs.kind.format->suffix, s->outputs.kind.encoder->suffix);
	const bool made = buf_append_byte(&ending, 0) == DANA_OK && buf_status(&whole) == DANA_OK;
	const int status =
		made ? output_names_put(name, buf_slice(&whole), (const char *)ending.data, err) : error_no_memory(err);
	buf_free(&whole);
	buf_free(&ending);
	return status;
}

static int gather(struct inputs *in, const struct run_settings *s, struct network **network, struct error *err)
{
	int status = DANA_OK;
	/* Parts of bytes are parts of archives; else only zips that are in this share are looked into. */
	const bool zips_first = s->inputs.range || s->inputs.split_bytes;
	in->recursive = s->inputs.recursive;
	if (s->inputs.cdx.n && s->inputs.range)
		return error_set(err, DANA_ECONFIG, "--cdx names the parts of its inputs; expected no --range besides");
	if (s->inputs.cdx.n && s->inputs.n)
		return error_set(err, DANA_ECONFIG, "--cdx names the inputs; expected no INPUT besides");
	for (size_t i = 0; i < s->inputs.n && status == DANA_OK; i++)
		status = lists_add(in, s->inputs.names[i], err);
	if (status == DANA_OK && s->inputs.list) {
		/* Adds what --list names, with --base in front; sets in->incomplete where lines are bad. */
		const struct lines_wanted wanted = { s->inputs.list, "--list", *network, &s->reports.messages };
		struct input_list list = { .in = in, .base = s->inputs.base };
		status = lists_lines(&wanted, &list.lines, take_line, &list, err);
		in->incomplete |= list.lines.bad > 0;
	}
	if (status == DANA_OK && zips_first && !s->inputs.cdx.n)
		status = open_zips(in, s, network, err);
	if (status == DANA_OK && s->inputs.range) {
		if (in->names.n != 1 || !input_range_is_whole(in->ranges[0]))
			status = error_set(err, DANA_ECONFIG,
					   "--range is a part of one input; expected one INPUT, or FILE@%s for each",
					   s->inputs.range);
		else if (!input_range_read(slice_from_text(s->inputs.range), &in->ranges[0]))
			status = error_set(err, DANA_ECONFIG,
					   "--range: '%s' is not a range; expected BEGIN-END or BEGIN- in bytes, "
					   "optionally with K, M or G",
					   s->inputs.range);
	}
	if (status == DANA_OK && s->inputs.cdx.n) {
		/* Adds the files and records that the indexes name and --cdx-match takes. Lines that cannot be read are
		 * reported, and set in->incomplete. With --output-dir the pieces of a file are together. */
		struct index x = { .in = in, .settings = s, .network = *network, .shards.memory = in->names.memory };

		x.match = cdx_match_new(s->inputs.cdx_match.at, s->inputs.cdx_match.n, err);
		x.line = cdx_line_new();
		if (x.match && x.line)
			status = DANA_OK;
		else
			status = err->status ? (int)err->status : error_no_memory(err);
		for (unsigned i = 0; i < s->inputs.cdx.n && status == DANA_OK; i++)
			status = read_index(&x, s->inputs.cdx.at[i], err);
		x.in_shard = true;
		for (size_t i = 0; i < x.shards.n && status == DANA_OK; i++)
			status = read_index(&x, x.shards.items[i], err);
		while (x.files) /* the files are in the arena; a node begins with its item, as POSIX has it */
			(void)tdelete(*(struct file **)x.files, &x.files, compare);
		free(x.shards.items);
		cdx_line_free(x.line);
		cdx_match_free(x.match);
		if (status == DANA_OK && in->n_pieces == 0 && !s->reports.quiet)
			notice(&s->reports.messages, "--cdx: no record of the index is wanted");
		if (!(status == DANA_OK && s->outputs.folder))
			return status;
		/* in the order of the files, and within one in the index's */
		size_t n = in->names.n;
		struct input_piece *sorted = malloc((in->n_pieces ? in->n_pieces : 1) * sizeof(*sorted));
		size_t *starts = calloc(n + 2, sizeof(*starts));
		if (!sorted || !starts) {
			free(sorted);
			free(starts);
			return error_no_memory(err);
		}
		for (size_t i = 0; i < in->n_pieces; i++)
			starts[in->pieces[i].input + 2]++;
		for (size_t i = 2; i < n + 2; i++)
			starts[i] += starts[i - 1];
		for (size_t i = 0; i < in->n_pieces; i++) {
			struct input_piece *to = &sorted[starts[in->pieces[i].input + 1]++];
			*to = in->pieces[i];
			to->input = 0;
		}
		free(in->pieces);
		in->pieces = sorted;
		in->pieces_cap = in->n_pieces;
		in->piece_starts = starts;
		return DANA_OK;
	}
	if (status == DANA_OK && s->inputs.n == 0 && !s->inputs.list)
		status = lists_add(in, "-", err);
	if (status == DANA_OK && !s->inputs.range)
		status = shares_take(in, s, err);
	return status == DANA_OK && !zips_first ? open_zips(in, s, network, err) : status;
}

int inputs_gather(struct inputs *in, const struct run_settings *s, struct network **network, struct error *err)
{
	in->names.memory = arena_new();
	if (!in->names.memory)
		return error_no_memory(err);
	int status = gather(in, s, network, err);
	if (status == DANA_OK) {
		size_t uses = count_standard(in) + (s->inputs.list && strcmp(s->inputs.list, "-") == 0);
		if (uses > 1)
			status = error_set(err, DANA_ECONFIG,
					   "standard input (-) is given %zu times; it can be read once", uses);
	}

	in->done = calloc(in->names.n ? in->names.n : 1, sizeof(*in->done));
	if (status == DANA_OK && !in->done)
		status = error_no_memory(err);
	if (!(status == DANA_OK && s->outputs.folder))
		return status;
	in->outputs = calloc(in->names.n ? in->names.n : 1, sizeof(*in->outputs));
	if (!in->outputs)
		return error_no_memory(err);
	for (size_t i = 0; i < in->names.n; i++) {
		struct buf name = { 0 };
		struct slice copy = { NULL, 0 };
		const struct source_part *part = in->parts ? in->parts[i] : NULL;
		const char *input = part ? inputs_address(in, i) : in->names.items[i];
		if (inputs_output(s, input, in->below[i], part, in->ranges[i], &name, err) == DANA_OK) {
			copy = arena_copy(in->names.memory, buf_slice(&name));
			if (!copy.data)
				(void)error_no_memory(err);
		}
		buf_free(&name);
		in->outputs[i] = (const char *)copy.data;
		if (!in->outputs[i])
			return err->status;
	}
	const char **sorted = NULL;
	status = output_names_sort(in->outputs, in->names.items, in->names.n, strlen(s->outputs.folder), &sorted, err);
	for (size_t i = 0; s->outputs.rejects && i < in->names.n && status == DANA_OK; i++) {
		/* is the name of the output's rejects another output's? */
		char shown[2][SHOWN];
		char *rejects = path_with(in->outputs[i], OUTPUTS_REJECTS_SUFFIX);
		if (!rejects)
			status = error_no_memory(err);
		else if (bsearch(&rejects, sorted, in->names.n, sizeof(*sorted), output_names_order)) {
			size_t other = 0; /* the input that has this output */
			while (system_compare_paths(in->outputs[other], rejects) != 0)
				other++;
			status = error_set(
				err, DANA_ECONFIG,
				"--output-dir: the rejects of input %s and the input %s would both be written to %s",
				printable(slice_from_text(in->names.items[i]), shown[0], SHOWN),
				printable(slice_from_text(in->names.items[other]), shown[1], SHOWN), rejects);
		}
		free(rejects);
	}
	free(sorted);
	return status;
}

bool inputs_lists_network(const struct run_settings *s)
{
	bool any = (s->inputs.list && address_is_network(s->inputs.list)) ||
		   (s->inputs.base && address_is_network(s->inputs.base));
	for (unsigned i = 0; i < s->inputs.cdx.n; i++)
		any |= address_is_network(s->inputs.cdx.at[i]);
	return any;
}

int inputs_done(const struct inputs *in, struct buf *out)
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

void inputs_free(struct inputs *in)
{
	free(in->names.items);
	free(in->addresses.items);
	free(in->indexes.items);
	free(in->outputs);
	free(in->ranges);
	free(in->below);
	free(in->parts);
	free(in->done);
	free(in->pieces);
	free(in->piece_starts);
	arena_free(in->names.memory);
}
