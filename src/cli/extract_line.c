/* SPDX-License-Identifier: MIT */
/*
 * jansson reads the line. What is handed through is copied from the line's own bytes, where members stand in the order
 * in which jansson lists them, because it takes no name twice.
 */
#include "config.h"

#include "cli/extract_line.h"

#include <jansson.h>
#include <stdlib.h>

#include "cli/base64.h"
#include "cli/json_members.h"
#include "pipeline/single_page.h"
#include "sink/text.h"

struct extract_line {
	const struct extract_page_config *config;
	struct single_page *page;
	struct buf decoded, metadata;
	struct error reason; /* why the line under way became no text */
};

/* What a line asks for. */
struct request {
	struct slice html;
	struct single_page_source source;
	struct text_line handed_through;
};

int extract_line_check(struct error *err)
{
	(void)err;
	return DANA_OK;
}

int extract_line_new(struct extract_line **out, const struct extract_page_config *config, struct error *err)
{
	const struct single_page_config page = { .method = config->method,
						 .read_file = model_reader_read,
						 .read_arg = config->models };
	struct extract_line *l = calloc(1, sizeof(*l));
	int status = l ? single_page_new(&l->page, &page) : DANA_ENOMEM;
	if (status == DANA_OK) {
		l->config = config;
		*out = l;
		return DANA_OK;
	}
	extract_line_free(l);
	return status == DANA_ECONFIG ? model_reader_refused(config->models, err) : error_no_memory(err);
}

/* null stands for a member that is not there. */
static int read_string(struct extract_line *l, const json_t *root, const char *name, struct slice *value)
{
	const json_t *member = json_object_get(root, name);
	*value = (struct slice){ NULL, 0 };
	if (!member || json_is_null(member))
		return DANA_OK;
	if (!json_is_string(member))
		return error_set(&l->reason, DANA_EFORMAT, "%s is not a string", name);
	*value = slice_of(json_string_value(member), json_string_length(member));
	return DANA_OK;
}

static bool is_ours(const char *name)
{
	static const char *const ours[] = { "html", "html_base64", "url", "charset" };
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (strcmp(name, ours[i]) == 0)
			return true;
	}
	return false;
}

static int read_metadata(struct extract_line *l, json_t *root, struct slice line, struct slice *metadata)
{
	struct json_members members = json_members_of(line);
	struct slice name, value;
	buf_clear(&l->metadata);
	buf_append_byte(&l->metadata, '{');
	for (void *i = json_object_iter(root); i && json_members_next(&members, &name, &value);
	     i = json_object_iter_next(root, i)) {
		if (is_ours(json_object_iter_key(i)))
			continue;
		if (l->metadata.len > 1)
			buf_append_byte(&l->metadata, ',');
		buf_append(&l->metadata, name.data, name.len);
		buf_append_byte(&l->metadata, ':');
		json_append_compact(value, &l->metadata);
	}
	buf_append_byte(&l->metadata, '}');
	*metadata = buf_slice(&l->metadata);
	return buf_status(&l->metadata);
}

/* The bytes of the page. What comes as a string is characters already, whatever the page says of itself. */
static int read_html(struct extract_line *l, const json_t *root, struct request *r)
{
	struct slice base64;
	int status = read_string(l, root, "html", &r->html);
	if (status == DANA_OK)
		status = read_string(l, root, "html_base64", &base64);
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
	buf_clear(&l->decoded);
	status = base64_decode(base64, &l->decoded);
	r->html = buf_slice(&l->decoded);
	return status == DANA_EFORMAT ? error_set(&l->reason, DANA_EFORMAT, "html_base64 is not base64") : status;
}

static int read_request(struct extract_line *l, json_t *root, struct slice line, struct request *r)
{
	const struct extract_page_config *c = l->config;
	int status = read_metadata(l, root, line, &r->handed_through.metadata);
	if (status == DANA_OK)
		status = read_string(l, root, "url", &r->handed_through.url);
	if (status == DANA_OK)
		status = read_string(l, root, "charset", &r->source.charset);
	r->source.charset_is_foreign = r->source.charset.len > 0;
	if (status == DANA_OK && !r->source.charset.len && c->charset)
		r->source.charset = slice_from_text(c->charset);
	r->source.url = r->handed_through.url;
	if (!r->source.url.len && c->url)
		r->source.url = slice_from_text(c->url);
	return status == DANA_OK ? read_html(l, root, r) : status;
}

static json_t *parse(struct extract_line *l, struct slice line, int *status)
{
	json_error_t fault;
	/* Numbers are handed through as they stand, so none may be too large. */
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
	json_t *root = json_loadb((const char *)line.data, line.len, flags, &fault);
	*status = DANA_OK;
	if (!root && json_error_code(&fault) == json_error_out_of_memory)
		*status = DANA_ENOMEM;
	else if (!root)
		*status = error_set(&l->reason, DANA_EFORMAT, "not JSON: %s", fault.text);
	else if (!json_is_object(root))
		*status = error_set(&l->reason, DANA_EFORMAT, "not a JSON object");
	return root;
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
	if (status == DANA_OK)
		return text_line_json(&doc, NULL, &r->handed_through, out);
	if (status == DANA_ECONFIG || status == DANA_ENOMEM)
		return status;
	(void)single_page_fault(l->page, status, &l->reason);
	return DANA_EFORMAT;
}

int extract_line_read(struct extract_line *l, struct slice line, struct buf *out, struct error *err)
{
	struct request r = { .html = { NULL, 0 } };
	l->reason = (struct error){ 0 };
	int status = is_blank(line) ? error_set(&l->reason, DANA_EFORMAT, "the line is empty") : DANA_OK;
	json_t *root = status == DANA_OK ? parse(l, line, &status) : NULL;
	if (status == DANA_OK)
		status = read_request(l, root, line, &r);
	if (status == DANA_OK)
		status = read_page(l, &r, out);
	if (status == DANA_EFORMAT && text_line_json(NULL, l->reason.text, &r.handed_through, out) < 0)
		status = DANA_ENOMEM;
	json_decref(root);
	if (status == DANA_ECONFIG)
		return model_reader_refused(l->config->models, err);
	return status == DANA_ENOMEM ? error_no_memory(err) : status;
}

void extract_line_free(struct extract_line *l)
{
	if (!l)
		return;
	single_page_free(l->page);
	buf_free(&l->decoded);
	buf_free(&l->metadata);
	free(l);
}
