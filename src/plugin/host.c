/* SPDX-License-Identifier: MIT */
/* The functions that plugins call: what dana_plugin.h promises of them, and nothing else of the program, is in their reach. */
#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "extract/dana.h"
#include "plugin/page_private.h"

enum { LINE = 1024, SAFE = 2 * LINE };

static const struct dana_view nothing = { NULL, 0 };

static struct dana_view view(struct slice s)
{
	return (struct dana_view){ (const char *)s.data, s.len };
}

/* Known where it is not empty. */
static struct dana_view view_or_nothing(struct slice s)
{
	return s.len ? view(s) : nothing;
}

static struct dana_view text_view(const char *text)
{
	return text ? (struct dana_view){ text, strlen(text) } : nothing;
}

/* ---- of the plugin ---- */

static const struct setting *setting(const struct dana_context *c, const char *name)
{
	static const struct setting none = { NULL, NULL, 0, 0 };
	const struct setting *v = settings_find(&c->plugin->settings, name);
	return v ? v : &none;
}

static const char *option_text(const struct dana_context *c, const char *name)
{
	return setting(c, name)->text;
}

static int64_t option_integer(const struct dana_context *c, const char *name)
{
	return setting(c, name)->integer;
}

static double option_number(const struct dana_context *c, const char *name)
{
	return setting(c, name)->number;
}

static int option_boolean(const struct dana_context *c, const char *name)
{
	return setting(c, name)->integer != 0;
}

static struct dana_view option_item(const struct dana_context *c, const char *name, size_t index)
{
	const char *list = setting(c, name)->text;
	while (list) {
		const size_t len = strcspn(list, ",");
		if (index-- == 0)
			return view(slice_trim(slice_of(list, len)));
		list = list[len] ? list + len + 1 : NULL;
	}
	return nothing;
}

static int option_is_set(const struct dana_context *c, const char *name)
{
	return setting(c, name)->text != NULL;
}

__attribute__((format(printf, 3, 4))) static void log_line(const struct dana_context *c, enum dana_log_level level,
							   const char *format, ...)
{
	const struct plugins *s = c->owner;
	char text[LINE], safe[SAFE], line[SAFE + LINE];
	va_list args;
	if (!s->line || (level == DANA_LOG_INFO && !s->verbose) || (level != DANA_LOG_ERROR && s->quiet))
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)snprintf(line, sizeof(line), "dana: plugin %s: %s", c->plugin->def->name,
		       printable_message(slice_from_text(text), safe, sizeof(safe)));
	s->line(s->arg, line);
}

/* Plugins tell exhausted memory by its text, as this interface has no statuses. */
static enum dana_status status_of(const char *text)
{
	const char *end = status_text(DANA_ENOMEM);
	size_t len = strlen(text), n = strlen(end);
	return len >= n && strcmp(text + len - n, end) == 0 ? DANA_ENOMEM : DANA_EPLUGIN;
}

__attribute__((format(printf, 2, 3))) static int fail(struct dana_context *c, const char *format, ...)
{
	char text[LINE];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return error_set(&c->error, status_of(text), "%s", text);
}

static void report(struct dana_context *c, const char *name, double value)
{
	struct plugin_names *names = &c->owner->names;
	if (names->n_reports == PLUGIN_REPORTS_MOST)
		return;
	struct plugin_report *r = &names->report[names->n_reports++];
	r->plugin = c->plugin->number;
	(void)snprintf(r->name, sizeof(r->name), "%s", name);
	r->value = value;
}

/* ---- of a page: what is known ---- */

static struct dana_view text(const struct dana_page *p)
{
	return p->doc ? view(p->doc->text) : nothing;
}

static struct dana_view record_text(const struct record *rec, enum dana_text_item item)
{
	switch (item) {
	case DANA_URL:
		return view(rec->target_uri);
	case DANA_DATE:
		return view_or_nothing(rec->date);
	case DANA_RECORD_ID:
		return view_or_nothing(rec->record_id);
	case DANA_RECORD_TYPE:
		return rec->type < RECORD_OTHER ? text_view(record_type_name(rec->type))
						: view_or_nothing(rec->type_name);
	case DANA_PAYLOAD_TYPE:
		return view_or_nothing(rec->payload_type);
	default:
		return nothing;
	}
}

static struct dana_view text_item(const struct dana_page *p, enum dana_text_item item)
{
	const struct document *doc = p->doc;
	switch (item) {
	case DANA_FILE_NAME:
		return text_view(p->file);
	case DANA_CONTENT_TYPE:
		return view_or_nothing(p->http.type);
	case DANA_BODY_START:
		return p->stage == PAGE_MEDIA ? view(p->first) : nothing;
	case DANA_CHARSET:
		return doc ? text_view(doc->charset) : nothing;
	case DANA_METHOD:
		return doc ? text_view(doc->method) : nothing;
	case DANA_TITLE:
		return doc && doc->has_title
			       ? view(slice_of(doc->title.len ? doc->title.data : (const uint8_t *)"", doc->title.len))
			       : nothing;
	case DANA_LANGUAGE:
		return doc ? view_or_nothing(doc->language) : nothing;
	default:
		return record_text(p->record, item);
	}
}

static int64_t number(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static int64_t document_number(const struct document *doc, enum dana_number_item item)
{
	switch (item) {
	case DANA_LENGTH:
		return doc->length_known ? number(doc->length) : -1;
	case DANA_HTML_BYTES:
		return number(doc->html_bytes);
	case DANA_TEXT_CHARS:
		return number(doc->text_chars);
	case DANA_TRUNCATED:
		return (doc->problems & PROBLEM_TRUNCATED) != 0;
	default:
		return -1;
	}
}

static int64_t number_item(const struct dana_page *p, enum dana_number_item item)
{
	switch (item) {
	case DANA_RECORD_NUMBER:
		return number(p->record->seq);
	case DANA_OFFSET:
		return number(p->record->offset);
	case DANA_HTTP_STATUS:
		return p->stage >= PAGE_HTTP ? p->http.status : -1;
	default:
		return p->doc ? document_number(p->doc, item) : -1;
	}
}

static struct dana_view warc_field(const struct dana_page *p, const char *name)
{
	for (size_t i = 0; i < p->record->n_fields; i++) {
		if (slice_is(p->record->fields[i].name, name))
			return view(p->record->fields[i].value);
	}
	return nothing;
}

static struct dana_view http_field(const struct dana_page *p, const char *name)
{
	struct slice lines = p->http.lines;
	while (lines.len) {
		const uint8_t *end = memchr(lines.data, '\n', lines.len);
		const struct slice line = slice_first(lines, end ? (size_t)(end - lines.data) : lines.len);
		const uint8_t *colon = line.len ? memchr(line.data, ':', line.len) : NULL;
		const size_t len = colon ? (size_t)(colon - line.data) : 0;
		if (colon && slice_is(slice_trim(slice_of(line.data, len)), name))
			return view(slice_trim(slice_skip(line, len + 1)));
		lines = slice_skip(lines, line.len + 1);
	}
	return nothing;
}

/* ---- blocks ---- */

static void find_lines(struct page_lines *lines, struct slice s)
{
	size_t at = 0;
	buf_clear(&lines->starts);
	lines->known = true;
	while (at < s.len) {
		const uint8_t *end = memchr(s.data + at, '\n', s.len - at);
		buf_append(&lines->starts, &at, sizeof(at));
		at = end ? (size_t)(end - s.data) + 1 : s.len + 1;
	}
	buf_append(&lines->starts, &at, sizeof(at)); /* one beyond the end, as if a line followed */
}

static size_t line_count(const struct dana_page *p)
{
	if (!p->lines->known)
		find_lines(p->lines, p->doc->text);
	return buf_status(&p->lines->starts) < 0 || p->doc->text.len == 0 ? 0
									  : p->lines->starts.len / sizeof(size_t) - 1;
}

static size_t block_count(const struct dana_page *p)
{
	if (!p->doc)
		return 0;
	return p->doc->blocks ? p->doc->n_blocks : line_count(p);
}

static struct dana_block block(const struct dana_page *p, size_t index)
{
	struct dana_block b = { nothing, NULL, -1 };
	if (index >= block_count(p))
		return b;
	if (p->doc->blocks) {
		const struct dana_text_block *from = &p->doc->blocks[index];
		b.text = view(slice_of(p->doc->text.data + from->start, from->len));
		b.tag = from->tag;
		b.probability = (double)from->probability;
		return b;
	}
	size_t range[2];
	memcpy(range, p->lines->starts.data + index * sizeof(*range), sizeof(range));
	b.text = view(slice_of(p->doc->text.data + range[0], range[1] - 1 - range[0]));
	return b;
}

static struct dana_view html(const struct dana_page *p)
{
	return p->doc && (p->now->def->flags & DANA_PLUGIN_HTML) ? view(p->doc->html) : nothing;
}

static struct dana_view attached(const struct dana_page *p)
{
	return p->doc ? view(p->doc->attached) : nothing;
}

/* ---- of a page: what the plugin says of it ---- */

int page_fault(struct dana_page *p, enum dana_status status, const char *format, ...)
{
	char message[LINE];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(&p->error, status, "%s", message);
}

__attribute__((format(printf, 2, 3))) static int page_fail(struct dana_page *p, const char *format, ...)
{
	char message[LINE];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(&p->error, status_of(message), "%s", message);
}

static bool is_utf8(struct slice s)
{
	return utf8_valid_prefix(s) == s.len;
}

static int set_text(struct dana_page *p, struct dana_view value)
{
	const struct slice s = slice_of(value.data, value.len);
	if (!p->doc)
		return page_fault(p, DANA_EPLUGIN, "set_text is called before there is a text");
	if (!is_utf8(s))
		return page_fault(p, DANA_EPLUGIN, "the text that it sets is not UTF-8");
	struct buf *to = &p->text[p->text_number ^= 1];
	buf_clear(to);
	if (buf_append(to, s.data, s.len) < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	p->doc->text = buf_slice(to);
	p->doc->text_chars = utf8_count(p->doc->text);
	p->doc->blocks = NULL;
	p->lines->known = false;
	p->text_changed = true;
	return DANA_OK;
}

/* Letters, digits and '-', with commas between codes: nothing that could end a field of a WARC head. */
static bool is_language(struct dana_view v)
{
	for (size_t i = 0; i < v.len; i++) {
		const uint8_t c = (uint8_t)v.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-' && c != ',')
			return false;
	}
	return true;
}

static int keep(struct buf *to, struct dana_view value, struct slice *kept)
{
	buf_clear(to);
	int status = buf_append(to, value.data, value.len);
	*kept = buf_slice(to);
	return status;
}

static int set_language(struct dana_page *p, struct dana_view tag, struct dana_view codes, double score)
{
	if (!p->doc || !(p->now->def->flags & DANA_PLUGIN_LANGUAGE))
		return page_fault(p, DANA_EPLUGIN, "set_language needs a page and the flag DANA_PLUGIN_LANGUAGE");
	if (!is_language(tag) || !is_language(codes) || !(score <= 1))
		return page_fault(p, DANA_EPLUGIN, "the language that it sets is none");
	if (keep(&p->tag, tag, &p->doc->language) < 0 || keep(&p->codes, codes, &p->doc->languages) < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	p->doc->language_score = score;
	return DANA_OK;
}

static int drop(struct dana_page *p, const char *rule)
{
	(void)snprintf(p->rule, sizeof(p->rule), "%s", rule);
	return DANA_DROP;
}

static void count(struct dana_page *p, size_t index, uint64_t n)
{
	const struct plugin_names *names = &p->set->names;
	const size_t at = p->now->first_counter + index;
	if (at >= names->n_counters || names->counter[at].plugin != p->now->number)
		return;
	p->counts[at] += n;
	p->counted = true;
}

static int attach(struct dana_page *p, const void *data, size_t len)
{
	if (buf_append(&p->attached, data, len) < 0)
		return page_fault(p, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	return DANA_OK;
}

static void *memory(struct dana_page *p, size_t size)
{
	return arena_alloc(p->memory, size);
}

const struct dana_host plugin_host = {
	.abi = DANA_PLUGIN_ABI,
	.size = sizeof(struct dana_host),
	.option_text = option_text,
	.option_integer = option_integer,
	.option_number = option_number,
	.option_boolean = option_boolean,
	.option_item = option_item,
	.option_is_set = option_is_set,
	.log = log_line,
	.fail = fail,
	.report = report,
	.store = plugin_store,
	.text = text,
	.text_item = text_item,
	.number_item = number_item,
	.warc_field = warc_field,
	.http_field = http_field,
	.block_count = block_count,
	.block = block,
	.html = html,
	.attached = attached,
	.set_text = set_text,
	.set_language = set_language,
	.put_text = page_put_text,
	.put_integer = page_put_integer,
	.put_number = page_put_number,
	.put_boolean = page_put_boolean,
	.put_list = page_put_list,
	.put_json = page_put_json,
	.drop = drop,
	.page_fail = page_fail,
	.count = count,
	.attach = attach,
	.memory = memory,
};
