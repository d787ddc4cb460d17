/* SPDX-License-Identifier: MIT */
/*
 * `auto` chooses its method in the middle of the page, too late to trace it. So the page is read twice: once by `auto`
 * to find which method it chooses, then by that method with the trace, and with its keys.
 */
#include "lab/explain/traced_run.h"

#include <string.h>

#include "base/status.h"
#include "extract/extractor.h"

static int run_page(struct dana_extractor *x, struct slice html, struct slice url, struct dana_text *text)
{
	int status = url.len ? dana_page_url(x, (const char *)url.data, url.len) : 0;
	if (status >= 0)
		status = dana_feed(x, html.data, html.len);
	return status < 0 ? status : dana_finish(x, text);
}

/* Appends the keys of `auto` that are keys of the method it chooses: all but `share`. */
static int put_keys(struct buf *spec, const char *keys)
{
	int status = DANA_OK;
	for (char mark = ':'; *keys && status >= 0;) {
		size_t len = strcspn(keys, ",");
		if (strncmp(keys, "share=", 6) != 0) {
			status = buf_printf(spec, "%c%.*s", mark, (int)len, keys);
			mark = ',';
		}
		keys += len + (keys[len] == ',');
	}
	return status;
}

/* Chooses the method: "auto:gap=40,share=30" becomes "danag:gap=40" on a page for which `auto` chooses danag. */
static int choose(struct buf *spec, const struct dana_options *options, struct slice html, struct slice url)
{
	struct dana_extractor *x = NULL;
	struct dana_text text;
	const char *keys = strchr(options->method, ':');
	int status = dana_new(&x, options);
	if (status >= 0)
		status = run_page(x, html, url, &text);
	if (status >= 0)
		status = buf_printf(spec, "%s", text.method);
	if (status >= 0 && keys)
		status = put_keys(spec, keys + 1);
	dana_free(x);
	return status;
}

int traced_run_make(struct traced_run *run, const struct dana_options *options, struct slice html, struct slice url)
{
	*run = (struct traced_run){ 0 };
	run->trace = recording_trace(&run->recording);
	struct dana_options chosen = *options;
	struct buf spec = { 0 };
	int status = 0;
	if (strncmp(options->method, "auto", strcspn(options->method, ":")) == 0) {
		status = choose(&spec, options, html, url);
		chosen.method = (const char *)spec.data;
	}
	if (status >= 0)
		status = dana_new_traced(&run->extractor, &chosen, &run->trace);
	if (status >= 0)
		status = run_page(run->extractor, html, url, &run->text);
	buf_free(&spec);
	return status < 0 ? status : run->recording.status;
}

void traced_run_free(struct traced_run *run)
{
	dana_free(run->extractor);
	recording_free(&run->recording);
}
