/* SPDX-License-Identifier: MIT */
/*
 * A plugin of wget2: each file that is downloaded becomes records of a WARC, which are fed to `dana filter` and, on
 * request, kept in an archive.
 *
 * wget2 calls on_option for each option; on_url before each download, the first time on its main thread before it has
 * others; on_file from its threads; on_end when all of them have ended. If it calls exit elsewhere, the destructor of
 * this object takes the place of on_end.
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/file/part_file.h"
#include "base/url_parts.h"
#include "plugins/wget2/archive.h"
#include "plugins/wget2/body.h"
#include "plugins/wget2/child.h"
#include "plugins/wget2/heads.h"
#include "plugins/wget2/host_api.h"
#include "plugins/wget2/options.h"
#include "plugins/wget2/records.h"
#include "plugins/wget2/tell.h"

enum { EXIT_OPTIONS = 2 /* wget2's own for wrong options */ };

static struct {
	struct options options;
	struct archive *archive;
	struct child *child;
	pthread_once_t start;
	bool running;
	atomic_bool child_gone;   /* and this was reported */
	atomic_uint without_body; /* files whose body wget2 did not keep */
} plugin = { .start = PTHREAD_ONCE_INIT };

/* ---- beginning ---- */

static void refuse(const char *what)
{
	tell("%s", what);
	exit(EXIT_OPTIONS);
}

/* The child would find the error, too, but only after wget2 has begun. */
static int check_output(const struct options *o, struct error *err)
{
	if (strcmp(o->output, "-") == 0)
		return DANA_OK;
	if (o->warc && strcmp(o->warc, o->output) == 0)
		return error_set(err, DANA_ECONFIG, "dana.warc and dana.output are both %s; give two files", o->warc);
	return part_file_check(o->output, o->force ? OUTPUT_FORCE : OUTPUT_NEW, err);
}

static void start(void)
{
	struct options *o = &plugin.options;
	struct error err = { 0 };
	if (!o->warc && !options_filter(o))
		refuse("nothing to do: give --plugin-opt=dana.output=FILE or --plugin-opt=dana.warc=FILE");
	if (options_finish(o) < 0)
		exit(EXIT_OPTIONS);
	if (options_filter(o) && check_output(o, &err) < 0)
		refuse(err.text);
	if (o->warc && archive_open(&plugin.archive, o->warc, o->force, &err) < 0)
		refuse(err.text);
	if (options_filter(o) && child_start(&plugin.child, o->arguments, &err) < 0)
		refuse(err.text);
	heads_start();
	plugin.running = true;
}

static int on_option(host_plugin *host, const char *name, const char *value)
{
	(void)host;
	return options_read(&plugin.options, name, value);
}

static void on_url(host_plugin *host, const host_iri *iri, host_action *action)
{
	(void)host;
	(void)iri;
	(void)pthread_once(&plugin.start, start);
	if (atomic_load(&plugin.child_gone))
		wget_intercept_action_reject(action);
}

/* ---- files ---- */

/*
 * Appends the URL without user and password: "http://host:80" of "http://user:word@host:80/...", then the path, which
 * is complete only in `escaped`.
 */
static int put_url(const char *uri, struct slice escaped, struct buf *url)
{
	struct url_parts p = url_parts(slice_from_text(uri));
	buf_append(url, p.scheme.data, p.scheme.len);
	buf_append(url, p.place.data, p.place.len);
	buf_append_byte(url, '/');
	return buf_append(url, escaped.data, escaped.len);
}

static void feed_child(const struct buf *record)
{
	if (plugin.child && !child_feed(plugin.child, buf_slice(record)) && !atomic_exchange(&plugin.child_gone, true))
		tell("dana filter has ended; the download stops");
}

static int write_records(const struct download *d, struct error *err)
{
	struct buf records[2] = { { 0 }, { 0 } };
	struct records_origin origin;
	size_t n = 0;
	int status = records_begin(&origin, plugin.archive ? archive_id(plugin.archive) : NULL);
	if (status == DANA_OK && plugin.archive && d->has_heads)
		status = records_request(&origin, d, &records[n++]);
	if (status == DANA_OK)
		status = records_response(&origin, d, &records[n++]);
	if (status == DANA_OK && plugin.archive)
		status = archive_write(plugin.archive, records, n, err);
	if (n && records[n - 1].len)
		feed_child(&records[n - 1]);
	buf_free(&records[0]);
	buf_free(&records[1]);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

/*
 * Returns whether the status is one of a file that the server has just sent: not one that wget2 already had (304, 416).
 */
static bool is_ok(struct slice head)
{
	const uint8_t *code = memchr(head.data, ' ', head.len);
	return code && head.data + head.len - code > 3 && memcmp(code + 1, "200", 3) == 0;
}

static int take_file(host_file *file, struct buf *copy, struct buf *url, struct error *err)
{
	char memory[1024];
	host_buffer escaped;
	struct download d = { .url = { NULL, 0 } };
	const host_iri *iri = wget_downloaded_file_get_source_url(file);
	wget_buffer_init(&escaped, memory, sizeof(memory));
	(void)wget_iri_get_escaped_resource(iri, &escaped);
	struct slice target = slice_of(escaped.data, escaped.length);
	int status = put_url(iri->uri, target, url);
	d.has_heads = heads_take(target, &d.heads) && is_ok(d.heads.response);
	wget_buffer_deinit(&escaped);
	d.url = buf_slice(url);
	if (status < 0)
		return error_no_memory(err);
	if (body_read(file, plugin.options.body_most, copy, &d.body, &d.body_cut))
		return write_records(&d, err);
	atomic_fetch_add(&plugin.without_body, 1);
	return DANA_OK;
}

/* Returns nonzero if wget2 should process the file further. */
static int on_file(host_plugin *host, host_file *file)
{
	struct buf copy = { 0 }, url = { 0 };
	struct error err = { 0 };
	(void)host;
	if (plugin.running && take_file(file, &copy, &url, &err) < 0)
		tell("%s", err.text);
	buf_free(&copy);
	buf_free(&url);
	return 1;
}

/* ---- the end ---- */

static void end(void)
{
	struct error err = { 0 };
	if (!plugin.running)
		return;
	plugin.running = false;
	if (archive_close(plugin.archive, &err) < 0 && err.text[0])
		tell("%s", err.text);
	int status = child_end(plugin.child);
	if (status != 0)
		tell("dana filter has ended with exit status %d", status);
	unsigned lost = atomic_load(&plugin.without_body);
	if (lost)
		tell("wget2 did not keep the content of %u file%s; not in the outputs", lost, lost == 1 ? "" : "s");
}

static void on_end(host_plugin *host, int exit_status)
{
	(void)host;
	(void)exit_status;
	end();
}

__attribute__((destructor)) static void unload(void)
{
	end();
	options_free(&plugin.options);
}

int wget_plugin_initializer(host_plugin *host)
{
	host_on_option(host, on_option);
	host_on_url(host, on_url);
	wget_plugin_register_post_processor(host, on_file);
	wget_plugin_register_finalizer(host, on_end);
	return 0;
}
