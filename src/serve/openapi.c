/* SPDX-License-Identifier: MIT */
/*
 * GET /openapi.json: what the service takes and returns, for programs that make clients of it (OpenAPI 3.1, JSON Schema
 * 2020-12). It is written from the tables that requests are read by: routes, parameters, formats, statuses, fields.
 */
#include "config.h"

#include <stdio.h>

#include "archive/document.h"
#include "base/diagnostics.h"
#include "base/json.h"
#include "serve/parameters.h"
#include "serve/request.h"

/* ---- values ---- */

static void text(struct json_writer *w, const char *name, const char *value)
{
	json_text(w, name, slice_from_text(value));
}

static void begin(struct json_writer *w, const char *name)
{
	json_key(w, name);
	json_object_begin(w);
}

static void reference(struct json_writer *w, const char *path, const char *name)
{
	char whole[100];
	(void)snprintf(whole, sizeof(whole), "#/components/%s/%s", path, name);
	text(w, "$ref", whole);
}

/* {"type":TYPE} */
static void schema(struct json_writer *w, const char *name, const char *type)
{
	begin(w, name);
	text(w, "type", type);
	json_object_end(w);
}

/* The words of "a|b|c". */
static void words(struct json_writer *w, const char *list)
{
	json_key(w, "enum");
	json_array_begin(w);
	while (*list) {
		const size_t len = strcspn(list, "|");
		json_element(w, slice_of(list, len));
		list += len + (list[len] == '|');
	}
	json_array_end(w);
}

/* ---- parameters ---- */

struct parameter_row {
	const char *help, *words;
	int type; /* enum page_option_type, or -1 */
};

#define PARAMETER_ROW(name, word, type, words, standard, help, ...) { help, words, PAGE_OPTION_##type },
static const struct parameter_row parameter_rows[PARAMETERS] = {
	{ "the URL of the page: links are made absolute by it; of GET the page that is fetched", "", -1 },
	{ "the charset of the page, where its own is wrong or missing, as windows-1252", "", -1 },
	{ "run these of the loaded plugins, joined by commas; none if it is empty", "", -1 },
	{ "choose the extraction method, or several joined by commas: the texts of others are in `texts` of JSON", "",
	  -1 },
	{ "choose the format of the response; it counts more than Accept", "text|json|markdown|html|xml|tei", -1 },
	PAGE_OPTIONS(PARAMETER_ROW, )
};

/* Commands have a file for what the service has as lines. */
static const char *parameter_help(const struct parameter_row *row)
{
	return row->type == PAGE_OPTION_LINES
		       ? "lists of selectors by site, in lines: HOST, a tab, exclude, only or drop, a tab, SELECTORS"
		       : row->help;
}

/* What the value is, in a query (where all are texts) or in JSON. */
static void put_schema(struct json_writer *w, unsigned parameter, bool in_json)
{
	const struct parameter_row *row = &parameter_rows[parameter];
	json_object_begin(w);
	if (in_json)
		text(w, "description", parameter_help(row));
	if (row->type == PAGE_OPTION_WORD || parameter == PARAMETER_FORMAT) {
		text(w, "type", "string");
		words(w, row->words);
	} else if (row->type == PAGE_OPTION_FLAG) {
		text(w, "type", in_json ? "boolean" : "string");
		if (!in_json)
			words(w, "0|1");
	} else if (strcmp(page_parameters[parameter], "recall") == 0) {
		text(w, "type", "integer");
		json_count(w, "minimum", 0);
		json_count(w, "maximum", 100);
	} else {
		text(w, "type", "string");
	}
	json_object_end(w);
}

static void put_parameters(struct json_writer *w)
{
	begin(w, "parameters");
	for (unsigned i = 0; i < PARAMETERS; i++) {
		begin(w, page_parameters[i]);
		text(w, "name", page_parameters[i]);
		text(w, "in", "query");
		text(w, "description", parameter_help(&parameter_rows[i]));
		json_key(w, "schema");
		put_schema(w, i, false);
		json_object_end(w);
	}
	json_object_end(w);
}

/* ---- what is sent ---- */

/* A media type, and the schema of what has it; NULL: characters. */
struct media {
	const char *type, *schema;
};

#define FORMAT_MEDIA(id, name, main, sub, more) { main "/" sub, FORMAT_##id == FORMAT_JSON ? "Document" : NULL },

static const struct media page_in[] = { { "text/html", NULL },
					{ "multipart/form-data", "Form" },
					{ "application/json", "Page" },
					{ "application/jsonl", NULL },
					{ .type = NULL } },
			  page_out[] = { REPLY_FORMATS(FORMAT_MEDIA){ "application/jsonl", NULL }, { .type = NULL } },
			  fetched_out[] = { REPLY_FORMATS(FORMAT_MEDIA){ .type = NULL } },
			  archive_in[] = { { "application/warc", NULL }, { .type = NULL } },
			  archive_out[] = { { "application/x-ndjson", NULL },
					    { "application/warc", NULL },
					    { "application/octet-stream", NULL },
					    { .type = NULL } },
			  form_in[] = { { "multipart/form-data", "Form" }, { "text/html", NULL }, { .type = NULL } },
			  html[] = { { "text/html", NULL }, { .type = NULL } },
			  plain[] = { { "text/plain", NULL }, { .type = NULL } },
			  json[] = { { "application/json", "Description" }, { .type = NULL } },
			  reason[] = { { "text/plain", NULL }, { "application/json", "Reason" }, { .type = NULL } };

static void put_content(struct json_writer *w, const struct media *media)
{
	begin(w, "content");
	for (; media->type; media++) {
		begin(w, media->type);
		begin(w, "schema");
		if (media->schema)
			reference(w, "schemas", media->schema);
		else
			text(w, "type", "string");
		json_object_end(w);
		json_object_end(w);
	}
	json_object_end(w);
}

/* Type, and null where it is not known. */
static void put_field_type(struct json_writer *w, enum field_kind kind)
{
	const char *type = "string";
	switch (kind) {
	case FIELD_COUNT:
	case FIELD_STATUS:
	case FIELD_LENGTH:
		type = "integer";
		break;
	case FIELD_SCORE:
		type = "number";
		break;
	case FIELD_TRUNCATED:
		type = "boolean";
		break;
	case FIELD_BLOCKS:
	case FIELD_PROBLEMS:
	case FIELD_MEDIA:
		type = "array";
		break;
	case FIELD_TEXTS:
		type = "object";
		break;
	default:
		break;
	}
	json_key(w, "type");
	json_array_begin(w);
	json_element(w, slice_from_text(type));
	json_element(w, slice_from_text("null"));
	json_array_end(w);
}

static void put_document(struct json_writer *w)
{
	begin(w, "Document");
	text(w, "type", "object");
	text(w, "description",
	     "The main text of a page and what is known of it. Plugins add objects under their names.");
	json_key(w, "required");
	json_array_begin(w);
	json_element(w, slice_from_text("text"));
	json_array_end(w);
	begin(w, "properties");
	for (size_t i = 0; i < DOCUMENT_FIELD_COUNT; i++) {
		const struct document_field *field = &document_fields[i];
		if (!(field->outputs & TO_JSON) || !document_field_of_page(field, true))
			continue;
		begin(w, field->name);
		put_field_type(w, field->kind);
		json_object_end(w);
	}
	begin(w, "reason");
	text(w, "type", "string");
	text(w, "description", "Why text is null.");
	json_object_end(w);
	json_object_end(w);
	json_object_end(w);
}

static void put_object(struct json_writer *w, const char *name, const char *const *strings)
{
	begin(w, name);
	text(w, "type", "object");
	begin(w, "properties");
	for (; *strings; strings++)
		schema(w, *strings, "string");
	json_object_end(w);
	json_object_end(w);
}

static void put_schemas(struct json_writer *w)
{
	static const char *const reasons[] = { "reason", NULL }, *const form[] = { "file", "html", "method", "url",
										   NULL };
	begin(w, "schemas");
	put_document(w);
	begin(w, "Page");
	text(w, "type", "object");
	text(w, "description", "A page, as characters or as bytes in base64, and parameters.");
	begin(w, "properties");
	schema(w, "html", "string");
	begin(w, "html_base64");
	text(w, "type", "string");
	text(w, "contentEncoding", "base64");
	json_object_end(w);
	for (unsigned i = 0; i < PARAMETERS; i++) {
		json_key(w, page_parameters[i]);
		put_schema(w, i, true);
	}
	json_object_end(w);
	json_bool(w, "additionalProperties", false);
	json_object_end(w);
	put_object(w, "Reason", reasons);
	put_object(w, "Form", form);
	schema(w, "Description", "object");
	json_object_end(w);
}

/* ---- operations ---- */

/* 0 ends a list of statuses; those that any request can get are in `of_all`. */
enum { STATUSES_MOST = 12 };

struct operation {
	const struct route *route;
	const char *method, *id, *summary;
	const char *required; /* parameter, or NULL */
	const struct media *takes, *gives;
	int statuses[STATUSES_MOST];
};

static const struct operation operations[] = {
	{ &pages_route,
	  "post",
	  "extract",
	  "The main text of a page, or of a page in each line",
	  NULL,
	  page_in,
	  page_out,
	  { 413, 415, 422, 500 } },
	{ &fetch_route,
	  "get",
	  "extractUrl",
	  "The main text of the page at a URL",
	  "url",
	  NULL,
	  fetched_out,
	  { 413, 415, 422, 500, 502, 504 } },
	{ &archives_route,
	  "post",
	  "filter",
	  "The documents of a web archive",
	  NULL,
	  archive_in,
	  archive_out,
	  { 422, 500 } },
	{ &reports_route,
	  "post",
	  "explain",
	  "A report of what is kept of a page, and why",
	  NULL,
	  form_in,
	  html,
	  { 413, 422 } },
	{ &front_route, "get", "form", "A form for people", NULL, NULL, html, { 0 } },
	{ &openapi_route, "get", "describe", "This description", NULL, NULL, json, { 0 } },
	{ &report_route,
	  "get",
	  "report",
	  "The report of all pages since the start, with --report",
	  NULL,
	  NULL,
	  html,
	  { 404 } },
	{ &health_route, "get", "health", "Whether the service takes requests", NULL, NULL, plain, { 0 } },
	{ &metrics_route, "get", "metrics", "Counters for Prometheus", NULL, NULL, plain, { 0 } },
	{ .route = NULL },
};

static const int of_all[STATUSES_MOST] = { 400, 401, 403, 408, 421, 429, 431, 503 };

/* Archives take the options of a page as pages do. */
static bool is_page_option(const char *name)
{
	unsigned i = PARAMETER_OPTIONS;
	while (page_parameters[i] && strcmp(page_parameters[i], name) != 0)
		i++;
	return page_parameters[i] != NULL;
}

static void put_parameters_of(struct json_writer *w, const struct operation *o)
{
	const char *const *names = o->route->parameters;
	json_key(w, "parameters");
	json_array_begin(w);
	for (; names && *names; names++) {
		const bool needed = o->required && strcmp(o->required, *names) == 0;
		json_object_begin(w);
		if ((o->route->parameters == page_parameters || is_page_option(*names)) && !needed) {
			reference(w, "parameters", *names);
		} else {
			text(w, "name", *names);
			text(w, "in", "query");
			json_bool(w, "required", needed);
			schema(w, "schema", "string");
		}
		json_object_end(w);
	}
	json_array_end(w);
}

static void put_responses_of(struct json_writer *w, const struct operation *o)
{
	char number[16];
	begin(w, "responses");
	begin(w, "200");
	text(w, "description", o->summary);
	put_content(w, o->gives);
	json_object_end(w);
	for (size_t i = 0; i < 2 * (size_t)STATUSES_MOST; i++) {
		const int status = i < STATUSES_MOST ? o->statuses[i] : of_all[i - STATUSES_MOST];
		if (!status)
			continue;
		(void)snprintf(number, sizeof(number), "%d", status);
		begin(w, number);
		reference(w, "responses", number);
		json_object_end(w);
	}
	json_object_end(w);
}

static void put_operation(struct json_writer *w, const struct operation *o)
{
	begin(w, o->method);
	text(w, "operationId", o->id);
	text(w, "summary", o->summary);
	put_parameters_of(w, o);
	if (o->takes) {
		begin(w, "requestBody");
		json_bool(w, "required", true);
		put_content(w, o->takes);
		json_object_end(w);
	}
	put_responses_of(w, o);
	json_object_end(w);
}

static bool is_offered(const struct operation *o, const struct serve_config *config)
{
	return !o->route->get_if_fetch || config->fetch;
}

/* Operations of one path follow each other. */
static void put_paths(struct json_writer *w, const struct serve_config *config)
{
	const char *path = NULL;
	begin(w, "paths");
	for (const struct operation *o = operations; o->route; o++) {
		if (!is_offered(o, config))
			continue;
		if (!path || strcmp(path, o->route->path) != 0) {
			if (path)
				json_object_end(w);
			path = o->route->path;
			begin(w, path);
		}
		put_operation(w, o);
	}
	json_object_end(w);
	json_object_end(w);
}

static void put_security(struct json_writer *w)
{
	static const char *const schemes[] = { "bearer", "basic" };
	begin(w, "securitySchemes");
	for (size_t i = 0; i < 2; i++) {
		begin(w, schemes[i]);
		text(w, "type", "http");
		text(w, "scheme", schemes[i]);
		json_object_end(w);
	}
	json_object_end(w);
}

static void put_components(struct json_writer *w, bool token)
{
	char number[16];
	begin(w, "components");
	put_parameters(w);
	put_schemas(w);
	begin(w, "responses");
	for (const struct request_status *s = request_statuses; s->status; s++) {
		if (!*s->when)
			continue;
		(void)snprintf(number, sizeof(number), "%d", s->status);
		begin(w, number);
		text(w, "description", s->when);
		put_content(w, reason);
		json_object_end(w);
	}
	json_object_end(w);
	if (token)
		put_security(w);
	json_object_end(w);
}

static void describe(struct request *r)
{
	const struct serve_config *config = r->server->config;
	struct buf out = { 0 };
	struct json_writer w = { .out = &out };
	json_object_begin(&w);
	text(&w, "openapi", "3.1.0");
	begin(&w, "info");
	text(&w, "title", "dana");
	text(&w, "version", PACKAGE_VERSION);
	text(&w, "description", "The main text of web pages.");
	begin(&w, "license");
	text(&w, "name", "MIT");
	text(&w, "identifier", "MIT");
	json_object_end(&w);
	json_object_end(&w);
	json_key(&w, "servers");
	json_array_begin(&w);
	json_object_begin(&w);
	text(&w, "url", "/");
	json_object_end(&w);
	json_array_end(&w);
	if (config->token.len)
		json_raw(&w, "security", slice_from_text("[{\"bearer\":[]},{\"basic\":[]}]"));
	put_paths(&w, config);
	put_components(&w, config->token.len > 0);
	json_object_end(&w);
	buf_append_byte(&out, '\n');
	request_reply(r, 200, "application/json", &out);
}

const struct route openapi_route = { .path = "/openapi.json", .get = true, .end = describe };
