/* SPDX-License-Identifier: MIT */
/*
 * A chain keeps an instance of each plugin of its part, and calls them in order until one drops the page. The counters
 * and additions of a page for the tail go with it, and the tail's chain adds to them.
 */
#include "archive/plugin/chain.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/http/media_type.h"
#include "archive/plugin/host.h"
#include "base/arena.h"
#include "base/utf8.h"

typedef int (*page_hook)(void *instance, struct dana_page *p);

struct instance {
	struct plugin *plugin;
	void *self;
	struct dana_context context;
	bool open;
	bool for_page; /* its function `page` is called here */
	bool prepared; /* its `prepare` was called by the worker's part */
	bool rests;    /* not called for the pages to come */
};

struct plugin_chain {
	struct plugins *set;
	enum plugin_part part;
	struct instance at[PLUGINS_MOST];
	size_t n;
	uint32_t wants;          /* flags of those that are called */
	struct plugin *prepares; /* worker: the first ordered plugin, if it has `prepare` */
	struct line_starts lines;
	struct dana_page page;
	enum skip_reason skip;
	struct error fault;
};

/* ---- making ---- */

static const struct json_rules json_rules = { .depth_most = 64 };

struct plugin_chain *plugin_chain_new(struct plugins *plugins, enum plugin_part part, struct error *err)
{
	struct plugin_chain *c = calloc(1, sizeof(*c));
	if (c) {
		c->page.memory = arena_new();
		c->page.json = json_reader_new(&json_rules);
	}
	if (!c || !c->page.memory || !c->page.json) {
		(void)error_no_memory(err);
		plugin_chain_free(c);
		return NULL;
	}
	c->set = plugins;
	c->part = part;
	c->wants = plugins->wants;
	c->page.set = plugins;
	c->page.lines = &c->lines;
	int status = DANA_OK;
	for (size_t i = 0; i < c->set->n && status == DANA_OK; i++) {
		struct plugin *p = &c->set->at[i];
		const bool ordered = p->def->flags & DANA_PLUGIN_ORDERED;
		/* the gate has no plugins: it applies the filter of record types alone */
		const bool belongs =
			part == PLUGIN_WORKER
				? !ordered && (i < c->set->cut || (p->def->head || p->def->http || p->def->media))
			: part == PLUGIN_TAIL ? i >= c->set->cut && (ordered || p->def->page)
					      : false;
		if (!belongs)
			continue;
		struct instance *it = &c->at[c->n++];
		*it = (struct instance){ .plugin = p, .self = p->shared, .context = { .owner = c->set, .plugin = p } };
		it->for_page = c->part == PLUGIN_TAIL || i < c->set->cut;
		it->prepared = i == c->set->cut;
		const int result = p->def->open ? p->def->open(&it->self, p->shared, &plugin_host, &it->context) : 0;
		it->open = result >= 0;
		if (result < 0)
			status = plugin_failed(p, "open", result, &it->context.error, err);
	}
	if (c->part == PLUGIN_WORKER && c->set->cut < c->set->n && c->set->at[c->set->cut].def->prepare)
		c->prepares = &c->set->at[c->set->cut];

	if (status == DANA_OK)
		return c;
	plugin_chain_free(c);
	return NULL;
}

void plugin_chain_free(struct plugin_chain *c)
{
	if (!c)
		return;
	for (size_t i = c->n; i-- > 0;) {
		const struct instance *it = &c->at[i];
		if (it->open && it->plugin->def->open && it->plugin->def->close)
			it->plugin->def->close(it->self);
	}
	arena_free(c->page.memory);
	buf_free(&c->lines.starts);
	buf_free(&c->page.text[0]);
	buf_free(&c->page.text[1]);
	buf_free(&c->page.tag);
	buf_free(&c->page.codes);
	buf_free(&c->page.attached);
	buf_free(&c->page.members);
	buf_free(&c->page.value);
	buf_free(&c->page.additions);
	json_reader_free(c->page.json);
	free(c);
}

void plugin_chain_choose(struct plugin_chain *c, uint32_t chosen)
{
	c->wants = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct plugin *p = c->at[i].plugin;
		c->at[i].rests = !(chosen >> (p - c->set->at) & 1);
		if (!c->at[i].rests)
			c->wants |= p->def->flags;
	}
}

/* ---- asking ---- */

static void page_begin(struct dana_page *p, const struct record *rec, const char *file)
{
	p->record = rec;
	p->file = file;
	p->stage = PAGE_HEAD;
	p->http = (struct plugin_http){ 0 };
	p->first = slice_of(NULL, 0);
	p->doc = NULL;
	p->text_changed = false;
	p->rule[0] = '\0';
	p->dropped_members = slice_of(NULL, 0);
	p->n_members = 0;
	buf_clear(&p->members);
	buf_clear(&p->additions);
	if (p->counted)
		memset(p->counts, 0, sizeof(p->counts));
	p->counted = false;
	arena_reset(p->memory);
}

/* Returns the status for the failure of a plugin's function: DANA_EPLUGIN or DANA_ENOMEM. */
static int fault(struct plugin_chain *c, const struct plugin *p, const char *function, int result)
{
	c->fault = (struct error){ 0 };
	int status = plugin_failed(p, function, result, &c->page.error, &c->fault);
	c->page.error = (struct error){ 0 };
	return status == DANA_ECONFIG ? DANA_EPLUGIN : status;
}

/* What a filter does not take is skipped for this reason. */
static int drop(struct plugin_chain *c, enum skip_reason reason)
{
	c->skip = reason;
	return PLUGIN_DROPS;
}

static int ask(struct plugin_chain *c, const struct plugin *p, void *self, page_hook hook, const char *function)
{
	c->page.now = p;
	const int result = hook(self, &c->page);
	if (result < 0 || result > PLUGIN_DROPS || c->page.error.status < 0)
		return fault(c, p, function, result);
	if (result == PLUGIN_KEEPS)
		return page_members_end(&c->page) < 0 ? DANA_ENOMEM : PLUGIN_KEEPS;
	c->skip = SKIP_PLUGIN;
	page_members_of_drop(&c->page);
	return PLUGIN_DROPS;
}

/* Calls the function of that stage of each plugin, until one drops the record. */
static int ask_all(struct plugin_chain *c, enum page_stage stage)
{
	static const char *const names[] = { "head", "http", "media" };
	int answer = PLUGIN_KEEPS;
	for (size_t i = 0; i < c->n && answer == PLUGIN_KEEPS; i++) {
		const struct dana_plugin *def = c->at[i].plugin->def;
		const page_hook hooks[] = { def->head, def->http, def->media };
		if (hooks[stage] && !c->at[i].rests)
			answer = ask(c, c->at[i].plugin, c->at[i].self, hooks[stage], names[stage]);
	}
	return answer;
}

int plugin_chain_head(struct plugin_chain *c, const struct record *rec, const char *file)
{
	page_begin(&c->page, rec, file);
	if (rec->joined || !filters_take_type(&c->set->filters, rec))
		return drop(c, rec->type == RECORD_REVISIT ? SKIP_REVISIT : SKIP_TYPE);
	return ask_all(c, PAGE_HEAD);
}

int plugin_chain_http(struct plugin_chain *c, const struct plugin_http *http)
{
	c->page.stage = PAGE_HTTP;
	c->page.http = *http;
	return filters_take_status(&c->set->filters, http->status) ? ask_all(c, PAGE_HTTP) : drop(c, SKIP_STATUS);
}

int plugin_chain_media(struct plugin_chain *c, struct slice type, struct slice first)
{
	c->page.stage = PAGE_MEDIA;
	c->page.http.type = type;
	c->page.first = first;
	if (!filters_take_mime(&c->set->filters, media_type(type, c->page.record->payload_type, first)))
		return drop(c, SKIP_MIME);
	return ask_all(c, PAGE_MEDIA);
}

/* Calls the function html of one plugin, which cannot drop. */
static int ask_html(struct plugin_chain *c, const struct instance *it, struct slice stretch)
{
	c->page.now = it->plugin;
	int result = it->plugin->def->html(it->self, &c->page,
					   (struct dana_view){ (const char *)stretch.data, stretch.len });
	return result != 0 || c->page.error.status < 0 ? fault(c, it->plugin, "html", result) : DANA_OK;
}

int plugin_chain_html(struct plugin_chain *c, struct slice stretch)
{
	struct dana_page *p = &c->page;
	int status = DANA_OK;
	if (stretch.len == 0)
		p->html_bytes = 0;
	const uint64_t room = p->set->max_html - p->html_bytes;
	const struct slice part = slice_first(stretch, stretch.len < room ? stretch.len : (size_t)room);
	if (stretch.len && part.len == 0)
		return DANA_OK;
	p->html_bytes += part.len;
	for (size_t i = 0; i < c->n && status == DANA_OK; i++) {
		if (c->at[i].for_page && !c->at[i].rests && c->at[i].plugin->def->html)
			status = ask_html(c, &c->at[i], part);
	}
	return status;
}

/* ---- documents ---- */

static void document_begin(struct plugin_chain *c, struct document *doc)
{
	struct dana_page *p = &c->page;
	p->stage = PAGE_DOCUMENT;
	p->doc = doc;
	p->lines->known = false;
	p->http = (struct plugin_http){ doc->http_status, doc->content_type, doc->http_lines };
	doc->with_language = (c->wants & DANA_PLUGIN_LANGUAGE) != 0;
	buf_clear(&p->attached);
}

/* The filter of --min-chars is applied again if the text was changed. */
static int document_end(struct plugin_chain *c)
{
	struct dana_page *p = &c->page;
	p->doc->additions = buf_slice(&p->additions);
	return p->text_changed && p->doc->text_chars < c->set->filters.min_chars ? drop(c, SKIP_SHORT) : PLUGIN_KEEPS;
}

static int prepare(struct plugin_chain *c, struct plugin *p)
{
	int answer = ask(c, p, p->shared, p->def->prepare, "prepare");
	c->page.doc->attached = buf_slice(&c->page.attached);
	return answer > 0 ? fault(c, p, "prepare", answer) : answer;
}

int plugin_chain_document(struct plugin_chain *c, struct document *doc)
{
	int answer = PLUGIN_KEEPS;
	document_begin(c, doc);
	doc->language_score = -1;
	if (doc->text_chars < c->set->filters.min_chars)
		return drop(c, SKIP_SHORT);
	for (size_t i = 0; i < c->n && answer == PLUGIN_KEEPS; i++) {
		const struct instance *it = &c->at[i];
		if (it->for_page && !it->rests && it->plugin->def->page)
			answer = ask(c, it->plugin, it->self, it->plugin->def->page, "page");
	}
	if (answer == PLUGIN_KEEPS)
		answer = document_end(c);
	if (answer == PLUGIN_KEEPS && c->prepares)
		answer = prepare(c, c->prepares);
	return answer;
}

int plugin_chain_ordered(struct plugin_chain *c, struct document *doc, const struct plugin_marks *marks)
{
	struct dana_page *p = &c->page;
	int answer = PLUGIN_KEEPS;
	page_begin(p, doc->record, doc->file);
	document_begin(c, doc);
	if (marks->counts) {
		memcpy(p->counts, marks->counts, p->set->names.n_counters * sizeof(*p->counts));
		p->counted = true;
	}
	if (buf_append(&p->additions, doc->additions.data, doc->additions.len) < 0)
		return DANA_ENOMEM;
	for (size_t i = 0; i < c->n && answer == PLUGIN_KEEPS; i++) {
		const struct instance *it = &c->at[i];
		if (it->plugin->def->html) {
			answer = ask_html(c, it, slice_of(NULL, 0));
			if (answer == DANA_OK && c->page.doc->html.len)
				answer = ask_html(c, it, c->page.doc->html);
		}
		if (it->plugin->def->prepare && !it->prepared && answer == PLUGIN_KEEPS) {
			buf_clear(&c->page.attached);
			answer = prepare(c, it->plugin);
		}
		if (answer == PLUGIN_KEEPS)
			answer = ask(c, it->plugin, it->self, it->plugin->def->page, "page");
		c->page.doc->attached = slice_of(NULL, 0);
	}
	return answer == PLUGIN_KEEPS ? document_end(c) : answer;
}

int plugin_chain_decide(struct plugin_chain *c, struct outcome *outcome, struct record_end *damage)
{
	const int answer = plugin_chain_ordered(c, outcome->document, &outcome->marks);
	outcome->marks = plugin_chain_marks(c);
	if (answer != PLUGIN_DROPS)
		return answer;
	if (outcome->document->problems & PROBLEM_BAD_LENGTH) {
		*damage = (struct record_end){ .damaged = true, .reason = DAMAGE_BAD_LENGTH };
		(void)snprintf(damage->detail, sizeof(damage->detail), "%.*s", (int)outcome->detail.len,
			       (const char *)outcome->detail.data);
		outcome->kind = OUTCOME_DAMAGED;
		outcome->damage = damage;
	} else {
		outcome->kind = OUTCOME_SKIPPED;
		outcome->skipped = plugin_chain_skip(c);
		outcome->detail = slice_from_text(plugin_chain_rule(c));
		outcome_keep_start(outcome, outcome->document);
	}
	outcome->document = NULL;
	return DANA_OK;
}

/* ---- answers ---- */

enum skip_reason plugin_chain_skip(const struct plugin_chain *c)
{
	return c->skip;
}

const char *plugin_chain_rule(const struct plugin_chain *c)
{
	return c->page.rule;
}

struct plugin_marks plugin_chain_marks(const struct plugin_chain *c)
{
	const struct dana_page *p = &c->page;
	return (struct plugin_marks){ .plugin = p->now ? p->now->number : 0,
				      .members = p->dropped_members,
				      .counts = p->counted ? p->counts : NULL };
}

const char *plugin_chain_fault(const struct plugin_chain *c)
{
	return c->fault.text;
}

/* ---- the run ---- */

int plugin_chain_restore(struct plugin_chain *c, struct slice name, struct slice state, struct error *err)
{
	for (size_t i = 0; i < c->n; i++) {
		struct instance *it = &c->at[i];
		const struct dana_plugin *def = it->plugin->def;
		if (!def->restore || !slice_equal(slice_from_text(def->name), name))
			continue;
		const struct dana_view view = { (const char *)state.data, state.len };
		int result = def->restore(it->self, view);
		return result < 0 ? plugin_failed(it->plugin, "restore", result, &it->context.error, err) : DANA_OK;
	}
	char shown[64];
	(void)snprintf(shown, sizeof(shown), "%.*s", (int)name.len, (const char *)name.data);
	return error_set(err, DANA_ECONFIG, "plugin %s: it does not take a saved state", shown);
}

int plugin_chain_save(struct plugin_chain *c, size_t index, const char **name, struct buf *state)
{
	for (size_t i = 0; i < c->n; i++) {
		struct instance *it = &c->at[i];
		const struct dana_plugin *def = it->plugin->def;
		if (!def->save || index-- > 0)
			continue;
		struct dana_store store = { state };
		int result = def->save(it->self, &store);
		*name = def->name;
		if (buf_status(state) < 0)
			return DANA_ENOMEM;
		c->fault = (struct error){ 0 };
		return result < 0 ? plugin_failed(it->plugin, "save", result, &it->context.error, &c->fault) : DANA_OK;
	}
	return 1;
}

int plugin_chain_finish(struct plugin_chain *c, struct error *err)
{
	for (size_t i = 0; i < c->n; i++) {
		struct instance *it = &c->at[i];
		int result = it->plugin->def->finish ? it->plugin->def->finish(it->self) : 0;
		if (result < 0)
			return plugin_failed(it->plugin, "finish", result, &it->context.error, err);
	}
	return DANA_OK;
}
