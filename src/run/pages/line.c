/* SPDX-License-Identifier: MIT */
/* What is handed through is copied from the line's own bytes. */
#include "config.h"

#include "run/pages/line.h"

#include <stdlib.h>

#include "archive/single_page.h"
#include "archive/sink/text.h"
#include "base/base64.h"
#include "base/json_reader.h"
#include "base/ondemand/simdjson_call.h"

/* The members that are read, in the order in which faults are looked for. */
enum { KEEP = 4 << 20 };

enum { URL, CHARSET, HTML, HTML_BASE64, MEMBERS };

static const char *const names[MEMBERS] = { "url", "charset", "html", "html_base64" };

struct extract_line {
	const struct extract_page_config *config;
	struct single_page *page;
	struct json_reader *reader;
	struct buf strings[MEMBERS], decoded, metadata;
	struct error reason; /* why the line under way became no text */
};

/* What a line asks for. */
struct request {
	struct json_value members[MEMBERS];
	struct slice html;
	bool html_repaired; /* U+FFFD was put in */
	struct single_page_source source;
	struct text_line handed_through;
};

int extract_line_new(struct extract_line **out, const struct extract_page_config *config, struct error *err)
{
	const struct single_page_config page = { .method = config->methods->at[0],
						 .read_file = model_reader_read,
						 .read_arg = config->models,
						 .texts = config->texts };
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST,
						 .unique_names = true,
						 JSON_BY_SIMDJSON };
	struct extract_line *l = calloc(1, sizeof(*l));
	int status = l && (l->reader = json_reader_new(&rules)) ? single_page_new(&l->page, &page) : DANA_ENOMEM;
	if (status == DANA_OK) {
		l->config = config;
		*out = l;
		return DANA_OK;
	}
	extract_line_free(l);
	return status == DANA_ECONFIG ? model_reader_refused(config->models, err) : error_no_memory(err);
}

/* null stands for a member that is not there. */
static int read_string(struct extract_line *l, const struct request *r, int member, struct slice *value, bool *repaired)
{
	const enum json_kind kind = json_kind(r->members[member]);
	*value = (struct slice){ NULL, 0 };
	if (kind == JSON_IS_NOTHING || kind == JSON_IS_NULL)
		return DANA_OK;
	if (kind != JSON_IS_STRING)
		return error_set(&l->reason, DANA_EFORMAT, "%s is not a string", names[member]);
	buf_shrink(&l->strings[member], KEEP);
	return json_characters(r->members[member], &l->strings[member], value, repaired);
}

/* Which of the members that are read it is; MEMBERS: none. */
static int member_of(struct slice name)
{
	int member = 0;
	while (member < MEMBERS && !json_name_is(name, names[member]))
		member++;
	return member;
}

static int read_members(struct extract_line *l, struct json_value root, struct request *r)
{
	struct json_walk w = json_walk(root);
	buf_clear(&l->metadata);
	buf_append_byte(&l->metadata, '{');
	while (json_walk_next(&w)) {
		const int member = member_of(w.name);
		if (member < MEMBERS) {
			r->members[member] = w.value;
			continue;
		}
		if (l->metadata.len > 1)
			buf_append_byte(&l->metadata, ',');
		buf_append(&l->metadata, w.name.data, w.name.len);
		buf_append_byte(&l->metadata, ':');
		json_append(w.value, &l->metadata);
	}
	buf_append_byte(&l->metadata, '}');
	r->handed_through.metadata = buf_slice(&l->metadata);
	return buf_status(&l->metadata);
}

/* The bytes of the page. What comes as a string is characters already, whatever the page says of itself. */
static int read_html(struct extract_line *l, struct request *r)
{
	struct slice base64;
	bool any;
	int status = read_string(l, r, HTML, &r->html, &r->html_repaired);
	if (status == DANA_OK)
		status = read_string(l, r, HTML_BASE64, &base64, &any);
	if (status < 0)
		return status;
	if (r->html.data && base64.data)
		return error_set(&l->reason, DANA_EFORMAT, "html and html_base64 exclude each other");
	if (r->html.data) {
		r->source.charset = slice_from_text("utf-8");
		return DANA_OK;
	}
	if (!base64.data)
		return error_set(&l->reason, DANA_EFORMAT, "no page: expected html or html_base64");
	buf_shrink(&l->decoded, KEEP);
	status = base64_decode(base64, &l->decoded);
	r->html = buf_slice(&l->decoded);
	return status == DANA_EFORMAT ? error_set(&l->reason, DANA_EFORMAT, "html_base64 is not base64") : status;
}

static int read_request(struct extract_line *l, struct json_value root, struct request *r)
{
	const struct extract_page_config *c = l->config;
	bool any;
	int status = read_members(l, root, r);
	if (status == DANA_OK)
		status = read_string(l, r, URL, &r->handed_through.url, &any);
	if (status == DANA_OK)
		status = read_string(l, r, CHARSET, &r->source.charset, &any);
	r->source.charset_is_foreign = r->source.charset.len > 0;
	if (status == DANA_OK && !r->source.charset.len && c->charset)
		r->source.charset = slice_from_text(c->charset);
	r->source.url = r->handed_through.url;
	if (!r->source.url.len && c->url)
		r->source.url = slice_from_text(c->url);
	return status == DANA_OK ? read_html(l, r) : status;
}

static int parse(struct extract_line *l, struct slice line, struct json_value *root)
{
	struct error fault = { 0 };
	int status = json_read(l->reader, line, root, &fault);
	if (status == DANA_EFORMAT)
		return error_set(&l->reason, DANA_EFORMAT, "not JSON: %s", fault.text);
	if (status == DANA_OK && json_kind(*root) != JSON_IS_OBJECT)
		return error_set(&l->reason, DANA_EFORMAT, "not a JSON object");
	return status;
}

static bool is_blank(struct slice line)
{
	size_t i = 0;
	while (i < line.len && (line.data[i] == ' ' || line.data[i] == '\t' || line.data[i] == '\r'))
		i++;
	return i == line.len;
}

/* Reads the page, and appends its line where that went well. */
static int read_page(struct extract_line *l, const struct request *r, struct buf *out)
{
	struct document doc;
	int status = single_page_read(l->page, &r->source, r->html, &doc, &l->reason);
	if (r->html_repaired)
		doc.problems |= PROBLEM_BAD_CHARSET;
	if (status == DANA_OK)
		return text_line_json(&doc, NULL, &r->handed_through, out);
	if (status == DANA_ECONFIG || status == DANA_ENOMEM)
		return status;
	(void)single_page_fault(status, &l->reason);
	return DANA_EFORMAT;
}

int extract_line_read(struct extract_line *l, struct slice line, struct buf *out, struct error *err)
{
	struct request r = { .html = { NULL, 0 } };
	struct json_value root;
	l->reason = (struct error){ 0 };
	int status = is_blank(line) ? error_set(&l->reason, DANA_EFORMAT, "the line is empty") : DANA_OK;
	if (status == DANA_OK)
		status = parse(l, line, &root);
	if (status == DANA_OK)
		status = read_request(l, root, &r);
	if (status == DANA_OK)
		status = read_page(l, &r, out);
	if (status == DANA_EFORMAT && text_line_json(NULL, l->reason.text, &r.handed_through, out) < 0)
		status = DANA_ENOMEM;
	if (status == DANA_ECONFIG)
		return model_reader_refused(l->config->models, err);
	return status == DANA_ENOMEM ? error_no_memory(err) : status;
}

void extract_line_free(struct extract_line *l)
{
	if (!l)
		return;
	single_page_free(l->page);
	json_reader_free(l->reader);
	for (int i = 0; i < MEMBERS; i++)
		buf_free(&l->strings[i]);
	buf_free(&l->decoded);
	buf_free(&l->metadata);
	free(l);
}
