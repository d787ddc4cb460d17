/* SPDX-License-Identifier: MIT */
/*
 * The functions that plugins call: plugins reach only these, as dana_plugin.h describes them, and nothing else of the
 * program. The table of all is at the end.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "archive/plugin/host.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/json.h"
#include "base/utf8.h"
#include "dana/archive.h"
#include "dana/dana.h"

enum { LINE = 1024, SAFE = 2 * LINE };

static const struct dana_view nothing = { NULL, 0 };

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);
	return len >= n && strcmp(text + len - n, end) == 0;
}

/* Plugins report exhausted memory by its text, as their interface has no statuses. */
static enum dana_status plugin_status_of(const char *text)
{
	bool memory = ends_with(text, status_text(DANA_ENOMEM)) || ends_with(text, system_text(ENOMEM));
	return memory ? DANA_ENOMEM : DANA_EPLUGIN;
}

/*
 * What plugins read of a page: its text and blocks, its HTML, items and fields of its record. The views point into data
 * of the stages; nothing is copied. If a method has no blocks, lines are found when the first block is read.
 */

static struct dana_view view(struct slice s)
{
	return (struct dana_view){ (const char *)s.data, s.len };
}

/* Returns the slice as a view, or NULL data if it is empty. */
static struct dana_view view_or_nothing(struct slice s)
{
	return s.len ? view(s) : nothing;
}

static struct dana_view text_view(const char *text)
{
	return text ? (struct dana_view){ text, strlen(text) } : nothing;
}

static struct dana_view page_text(const struct dana_page *p)
{
	return p->doc ? view(p->doc->text) : nothing;
}

static struct dana_value page_field(const struct dana_page *p, const char *name)
{
	size_t i = p->doc ? 0 : DOCUMENT_FIELD_COUNT;
	while (i < DOCUMENT_FIELD_COUNT && strcmp(document_fields[i].name, name) != 0)
		i++;
	return document_public_value(p->doc, i);
}

static struct dana_view page_text_item(const struct dana_page *p, enum dana_text_item item)
{
	static const char *const fields[] = { [DANA_CHARSET] = "charset",
					      [DANA_METHOD] = "method",
					      [DANA_TITLE] = "title",
					      [DANA_LANGUAGE] = "language",
					      [DANA_PAGE_KIND] = "page_kind" };
	const struct record *rec = p->record;
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
	case DANA_FILE_NAME:
		return text_view(p->file);
	case DANA_CONTENT_TYPE:
		return view_or_nothing(p->http.type);
	case DANA_BODY_START:
		return p->stage == PAGE_MEDIA ? view(p->first) : nothing;
	default:
		return item < sizeof(fields) / sizeof(*fields) ? page_field(p, fields[item]).text : nothing;
	}
}

static int64_t number(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static int64_t page_number_item(const struct dana_page *p, enum dana_number_item item)
{
	static const char *const fields[] = { [DANA_LENGTH] = "length",
					      [DANA_HTML_BYTES] = "html_bytes",
					      [DANA_TEXT_CHARS] = "text_chars",
					      [DANA_TRUNCATED] = "truncated" };
	if (item == DANA_RECORD_NUMBER)
		return number(record_number(p->record));
	if (item == DANA_OFFSET)
		return number(p->record->offset);
	if (item == DANA_HTTP_STATUS)
		return p->stage >= PAGE_HTTP ? p->http.status : -1;
	if (item >= sizeof(fields) / sizeof(*fields))
		return -1;
	const struct dana_value value = page_field(p, fields[item]);
	return value.is == DANA_VALUE_COUNT || value.is == DANA_VALUE_BOOLEAN ? number(value.count) : -1;
}

static struct dana_view page_warc_field(const struct dana_page *p, const char *name)
{
	for (size_t i = 0; i < p->record->n_fields; i++) {
		if (slice_is(p->record->fields[i].name, name))
			return view(p->record->fields[i].value);
	}
	return nothing;
}

static struct dana_view page_http_field(const struct dana_page *p, const char *name)
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

static size_t line_count(const struct dana_page *p)
{
	if (!p->lines->known) {
		struct line_starts *lines = p->lines;
		const struct slice s = p->doc->text;
		size_t at = 0;
		buf_clear(&lines->starts);
		lines->known = true;
		while (at < s.len) {
			const uint8_t *end = memchr(s.data + at, '\n', s.len - at);
			buf_append(&lines->starts, &at, sizeof(at));
			at = end ? (size_t)(end - s.data) + 1 : s.len + 1;
		}
		buf_append(&lines->starts, &at, sizeof(at)); /* one byte beyond the end, as if another line followed */
	}
	return buf_status(&p->lines->starts) < 0 || p->doc->text.len == 0 ? 0
									  : p->lines->starts.len / sizeof(size_t) - 1;
}

static size_t page_block_count(const struct dana_page *p)
{
	if (!p->doc)
		return 0;
	return p->doc->blocks ? p->doc->n_blocks : line_count(p);
}

static struct dana_block page_block(const struct dana_page *p, size_t index)
{
	struct dana_block b = { nothing, NULL, -1 };
	if (index >= page_block_count(p))
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

static struct dana_view page_html(const struct dana_page *p)
{
	return p->doc && (p->now->def->flags & DANA_PLUGIN_HTML) ? view(p->doc->html) : nothing;
}

static struct dana_view page_attached(const struct dana_page *p)
{
	return p->doc ? view(p->doc->attached) : nothing;
}

/*
 * What plugins set of a page: another text, its language, a rule that drops it, counts, failures. Each value is checked
 * and copied, as the plugin may free its own.
 */

__attribute__((format(printf, 2, 0))) static int fail_with(struct error *to, const char *format, va_list args)
{
	char message[LINE];
	(void)vsnprintf(message, sizeof(message), format, args);
	return error_set(to, plugin_status_of(message), "%s", message);
}

__attribute__((format(printf, 2, 3))) static int page_fail(struct dana_page *p, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int status = fail_with(&p->error, format, args);
	va_end(args);
	return status;
}

static int page_set_text(struct dana_page *p, struct dana_view value)
{
	const struct slice s = slice_of(value.data, value.len);
	if (!p->doc)
		return error_set(&p->error, DANA_EPLUGIN, "set_text is called before there is a text");
	if (utf8_valid_prefix(s) != s.len)
		return error_set(&p->error, DANA_EPLUGIN, "set_text: the text is not UTF-8");
	struct buf *to = &p->text[p->text_number ^= 1];
	buf_clear(to);
	if (buf_append(to, s.data, s.len) < 0)
		return error_no_memory(&p->error);
	document_set_text(p->doc, buf_slice(to));
	p->doc->blocks = NULL;
	if (p->doc->with_markdown || p->doc->with_structure) { /* it would still say what the plugin took out */
		p->doc->markdown = p->doc->structure = slice_of(NULL, 0);
		p->doc->problems |= PROBLEM_STRUCTURE_CUT;
	}
	p->doc->comments = slice_of(NULL, 0);
	for (size_t i = 0; i < p->doc->n_texts; i++) { /* and so would these */
		p->doc->texts[i].text = (struct dana_view){ NULL, 0 };
		p->doc->problems |= PROBLEM_TEXTS_MISSING;
	}
	p->lines->known = false;
	p->text_changed = true;
	return DANA_OK;
}

/* Returns whether the value has only letters, digits, '-' and commas: nothing that could end a field of a WARC head. */
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

static int page_set_language(struct dana_page *p, struct dana_view tag, struct dana_view codes, double score)
{
	if (!p->doc || !(p->now->def->flags & DANA_PLUGIN_LANGUAGE))
		return error_set(&p->error, DANA_EPLUGIN,
				 "set_language needs a page and the flag DANA_PLUGIN_LANGUAGE");
	if (!is_language(tag) || !is_language(codes) || !(score <= 1))
		return error_set(&p->error, DANA_EPLUGIN, "set_language: the tag or the list of codes is not valid");
	if (keep(&p->tag, tag, &p->doc->language) < 0 || keep(&p->codes, codes, &p->doc->languages) < 0)
		return error_no_memory(&p->error);
	p->doc->language_score = score;
	return DANA_OK;
}

static int page_drop(struct dana_page *p, const char *rule)
{
	/* The rule goes into JSON, which must be well-formed. */
	const size_t len = utf8_valid_prefix(slice_first(slice_from_text(rule), sizeof(p->rule) - 1));
	memcpy(p->rule, rule, len);
	p->rule[len] = '\0';
	return DANA_DROP;
}

static void page_count(struct dana_page *p, size_t index, uint64_t n)
{
	const struct plugin_names *names = &p->set->names;
	const size_t at = p->now->first_counter + index;
	if (at >= names->n_counters || names->counter[at].plugin != p->now->number)
		return;
	p->counts[at] += n;
	p->counted = true;
}

static int page_attach(struct dana_page *p, const void *data, size_t len)
{
	if (buf_append(&p->attached, data, len) < 0)
		return error_no_memory(&p->error);
	return DANA_OK;
}

static void *page_memory(struct dana_page *p, size_t size)
{
	return arena_alloc(p->memory, size);
}

/*
 * JSON members that plugins add to a page. They are written as JSON at once, `,"key":value`, because nothing reads them
 * before the document is written; the place of each is kept, so that no key occurs twice.
 */

/* Beyond this a double has about no decimals, and six of them would be noise. */
static const double plain_most = 1e15;

static struct slice key_of(const struct dana_page *p, const struct page_member *m)
{
	return slice_of(p->members.data + m->start + 2, m->key_len); /* after the comma and the quote */
}

static int put_member(struct dana_page *p, const char *name, struct slice json)
{
	const struct slice key = slice_from_text(name);
	if (!settings_is_key(key))
		return error_set(&p->error, DANA_EPLUGIN, "invalid key; expected letters, digits, '_' and '-'");
	for (size_t i = 0; i < p->n_members; i++) {
		if (slice_equal(key_of(p, &p->member[i]), key))
			return error_set(&p->error, DANA_EPLUGIN, "the key '%s' is put twice", name);
	}
	if (p->n_members == PAGE_KEYS)
		return error_set(&p->error, DANA_EPLUGIN, "more than %d keys for a page", PAGE_KEYS);
	struct page_member *m = &p->member[p->n_members];
	m->start = p->members.len;
	m->key_len = key.len;
	buf_append_text(&p->members, ",\"");
	buf_append(&p->members, key.data, key.len);
	buf_append_text(&p->members, "\":");
	if (buf_append(&p->members, json.data, json.len) < 0)
		return error_no_memory(&p->error);
	m->end = p->members.len;
	p->n_members++;
	return DANA_OK;
}

/* The value is in p->value. */
static int put_value(struct dana_page *p, const char *key)
{
	return buf_status(&p->value) < 0 ? error_no_memory(&p->error) : put_member(p, key, buf_slice(&p->value));
}

static void write_string(struct buf *to, struct dana_view value)
{
	if (value.data)
		json_put_string(to, slice_of(value.data, value.len));
	else
		buf_append_text(to, "null");
}

static int page_put_text(struct dana_page *p, const char *key, struct dana_view value)
{
	buf_clear(&p->value);
	write_string(&p->value, value);
	return put_value(p, key);
}

static int page_put_integer(struct dana_page *p, const char *key, int64_t value)
{
	buf_clear(&p->value);
	buf_printf(&p->value, "%lld", (long long)value);
	return put_value(p, key);
}

/* Up to six decimals, without zeros at the end: 0.5, 3, -0.000001. */
static int page_put_number(struct dana_page *p, const char *key, double value)
{
	struct buf *out = &p->value;
	buf_clear(out);
	if (!isfinite(value))
		return put_member(p, key, slice_from_text("null"));
	if (value > plain_most || value < -plain_most) {
		buf_printf(out, "%.16g", value);
		return put_value(p, key);
	}
	buf_printf(out, "%.6f", value);
	while (out->len && out->data[out->len - 1] == '0')
		out->len--;
	if (out->len && out->data[out->len - 1] == '.')
		out->len--;
	return slice_is(buf_slice(out), "-0") ? put_member(p, key, slice_from_text("0")) : put_value(p, key);
}

static int page_put_boolean(struct dana_page *p, const char *key, int value)
{
	return put_member(p, key, slice_from_text(value ? "true" : "false"));
}

static int page_put_list(struct dana_page *p, const char *key, const struct dana_view *values, size_t n)
{
	buf_clear(&p->value);
	for (size_t i = 0; i < n; i++) {
		buf_append_byte(&p->value, i ? ',' : '[');
		write_string(&p->value, values[i]);
	}
	buf_append_text(&p->value, n ? "]" : "[]");
	return put_value(p, key);
}

/* A line break in the value would break the line of the document. */
static int page_put_json(struct dana_page *p, const char *key, struct dana_view value)
{
	const struct slice json = slice_of(value.data, value.len);
	struct error fault = { 0 };
	struct json_value root;
	const int status = json_read(p->json, json, &root, &fault);
	if (status == DANA_ENOMEM)
		return error_set(&p->error, DANA_ENOMEM, "%s", fault.text);
	if (status < 0 || memchr(json.data, '\n', json.len) || memchr(json.data, '\r', json.len))
		return error_set(&p->error, DANA_EPLUGIN, "the value of '%s' is not JSON: %s", key,
				 status < 0 ? fault.text : "it has a line break");
	return put_member(p, key, json);
}

int page_members_end(struct dana_page *p)
{
	if (p->n_members == 0)
		return DANA_OK;
	buf_append_text(&p->additions, ",\"");
	buf_append_text(&p->additions, plugin_object(p->set, p->now->def));
	buf_append_text(&p->additions, "\":{");
	buf_append(&p->additions, p->members.data + 1, p->members.len - 1);
	buf_append_byte(&p->additions, '}');
	buf_clear(&p->members);
	p->n_members = 0;
	return buf_status(&p->additions);
}

void page_members_of_drop(struct dana_page *p)
{
	static const char *const taken[] = { "id", "url", "file", "offset", "reason", "detail" };
	for (size_t i = p->n_members; i-- > 0;) {
		const struct page_member m = p->member[i];
		const struct slice key = key_of(p, &m);
		bool is_taken = false;
		for (size_t k = 0; k < sizeof(taken) / sizeof(*taken); k++)
			is_taken |= slice_is(key, taken[k]);
		if (!is_taken)
			continue;
		memmove(p->members.data + m.start, p->members.data + m.end, p->members.len - m.end);
		p->members.len -=
			m.end - m.start; /* members before it stay in place, those after it are already handled */
	}
	p->dropped_members = buf_slice(&p->members);
	p->n_members = 0;
}

/* The plugin itself: options, messages and reports. */

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
	return (struct dana_view){ NULL, 0 };
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

__attribute__((format(printf, 2, 3))) static int fail(struct dana_context *c, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int status = fail_with(&c->error, format, args);
	va_end(args);
	return status;
}

static int store(struct dana_store *s, const void *data, size_t len)
{
	return buf_append(s->bytes, data, len);
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

static int run_is_over(const struct dana_context *c)
{
	return c->owner->run_is_over;
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
	.store = store,
	.text = page_text,
	.text_item = page_text_item,
	.number_item = page_number_item,
	.warc_field = page_warc_field,
	.http_field = page_http_field,
	.block_count = page_block_count,
	.block = page_block,
	.html = page_html,
	.attached = page_attached,
	.set_text = page_set_text,
	.set_language = page_set_language,
	.put_text = page_put_text,
	.put_integer = page_put_integer,
	.put_number = page_put_number,
	.put_boolean = page_put_boolean,
	.put_list = page_put_list,
	.put_json = page_put_json,
	.drop = page_drop,
	.page_fail = page_fail,
	.count = page_count,
	.attach = page_attach,
	.memory = page_memory,
	.run_is_over = run_is_over,
	.field = page_field,
};
