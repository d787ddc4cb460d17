/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/texts.h"

#include <stdlib.h>

#include "archive/http/media_type.h"
#include "base/json.h"
#include "dana/archive.h"
#include "dana/dana.h"

enum page_form texts_form(struct slice media_type)
{
	bool markdown;
	if (!media_type_is_text(media_type, &markdown))
		return FORM_HTML;
	return markdown ? FORM_MARKDOWN : FORM_TEXT;
}

unsigned texts_fields(const struct texts *texts)
{
	const bool in_text = texts->page.text_field == TEXT_FIELD_MARKDOWN;
	const struct {
		bool asked;
		enum field_condition condition;
	} all[] = { { texts->page.structure & DANA_MARKDOWN && !in_text, WITH_MARKDOWN },
		    { texts->page.structure & DANA_BLOCKS, WITH_BLOCKS },
		    { texts->page.comments == DANA_PARTS_APART, WITH_COMMENTS },
		    { texts->n_others > 0, WITH_TEXTS } };
	unsigned with = 0;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		with |= (unsigned)all[i].asked << all[i].condition;
	return with;
}

void texts_fill(const struct texts *texts, const struct dana_extractor *x, unsigned flags, struct document *doc)
{
	struct dana_view markdown, blocks, comments;
	doc->with_comments = texts->page.comments == DANA_PARTS_APART;
	if (doc->with_comments && dana_comments(x, &comments) == DANA_SUCCESS)
		doc->comments = slice_of(comments.data, comments.len);
	if (!texts->page.structure || dana_markdown(x, &markdown) < 0 || dana_structure_json(x, &blocks) < 0)
		return;
	doc->with_markdown = (texts->page.structure & DANA_MARKDOWN) != 0;
	if (doc->with_markdown)
		doc->markdown = slice_of(markdown.len ? markdown.data : "", markdown.len);
	doc->with_structure = (texts->page.structure & DANA_BLOCKS) != 0;
	if (doc->with_structure)
		doc->structure = slice_of(blocks.data, blocks.len);
	if (flags & DANA_LACKS_STRUCTURE)
		doc->problems |= PROBLEM_STRUCTURE_CUT;
}

/* Reads what the plugin metadata has found, from the members that plugins have added to the document. */
static int read_facts(struct text_head *h, const struct document *doc, struct head_facts *facts)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST };
#define KEY(number, key, found) found,
	static const char *const keys[HEAD_FACTS_COUNT] = { HEAD_FACTS(KEY) };
#undef KEY
	struct json_value root, found;
	struct error fault = { 0 };
	if (!h->reader && !(h->reader = json_reader_new(&rules)))
		return DANA_ENOMEM;
	buf_clear(&h->json);
	buf_append_byte(&h->json, '{');
	buf_append(&h->json, slice_skip(doc->additions, 1).data, slice_skip(doc->additions, 1).len);
	if (buf_append_byte(&h->json, '}') < 0)
		return DANA_ENOMEM;
	if (json_read(h->reader, buf_slice(&h->json), &root, &fault) < 0)
		return fault.status == DANA_ENOMEM ? DANA_ENOMEM : DANA_OK;
	found = json_member(root, "metadata");
	if (json_kind(found) != JSON_IS_OBJECT)
		found = json_member(root,
				    "page_metadata"); /* of lines of JSON, whose own "metadata" is handed through */
	for (int i = 0; i < HEAD_FACTS_COUNT && json_kind(found) == JSON_IS_OBJECT; i++) {
		const struct json_value value = keys[i] ? json_member(found, keys[i]) : (struct json_value){ 0 };
		bool repaired;
		buf_clear(&h->value[i]);
		if (json_kind(value) == JSON_IS_STRING &&
		    json_characters(value, &h->value[i], &facts->value[i], &repaired) < 0)
			return DANA_ENOMEM;
	}
	return DANA_OK;
}

int texts_end(const struct texts *texts, struct text_head *head, struct dana_extractor *x, struct document *doc)
{
	if (doc->markdown.data && dana_has_facts(x)) {
		struct head_facts facts = { .value = { [HEAD_LANGUAGE] = doc->language } };
		struct dana_view markdown;
		int status = doc->additions.len ? read_facts(head, doc, &facts) : DANA_OK;
		if (status == DANA_OK)
			status = dana_set_facts(x, &facts);
		if (status == DANA_OK)
			status = dana_markdown(x, &markdown);
		if (status < 0)
			return status;
		doc->markdown = slice_of(markdown.len ? markdown.data : "", markdown.len);
	}
	if (texts->page.text_field != TEXT_FIELD_MARKDOWN || !doc->markdown.data)
		return DANA_OK;
	document_set_text(doc, doc->markdown);
	doc->with_markdown = false;
	doc->blocks = NULL;
	doc->n_blocks = 0;
	return DANA_OK;
}

void text_head_free(struct text_head *head)
{
	json_reader_free(head->reader);
	buf_free(&head->json);
	for (int i = 0; i < HEAD_FACTS_COUNT; i++)
		buf_free(&head->value[i]);
}

struct extraction {
	struct dana_extractor *extractor;
	bool over_limit; /* the page asks for more work than its size allows */
};

struct other_texts {
	char **methods;
	struct dana_method_text *texts; /* of the page that ended last */
	size_t n;
	struct extraction each[];
};

static int open_extraction(struct other_texts *o, size_t i, const struct dana_options *first,
			   const struct page_options *page, const char *method, struct error *err)
{
	const struct page_options plain = page_options_of_plain(page);
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = method,
					      .max_text_bytes = first->max_text_bytes,
					      .max_depth = first->max_depth,
					      .max_work = first->max_work,
					      .read_file = first->read_file,
					      .read_arg = first->read_arg };
	o->methods[i] = strdup(method);
	const int status =
		o->methods[i] ? extractor_new(&o->each[i].extractor, &options, &plain, NULL) : DANA_OUT_OF_MEMORY;
	if (status == DANA_BAD_OPTION)
		return error_set(err, DANA_ECONFIG, "method %s: unknown, or with a key or value that it does not take",
				 method);
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

int other_texts_new(struct other_texts **out, const struct texts *texts, const struct dana_options *first,
		    struct error *err)
{
	*out = NULL;
	if (texts->n_others == 0)
		return DANA_OK;
	struct other_texts *o = calloc(1, sizeof(*o) + texts->n_others * sizeof(o->each[0]));
	if (!o)
		return error_no_memory(err);
	o->n = texts->n_others;
	o->texts = calloc(o->n, sizeof(*o->texts));
	o->methods = calloc(o->n, sizeof(*o->methods));
	int status = o->texts && o->methods ? DANA_OK : error_no_memory(err);
	for (size_t i = 0; i < o->n && status == DANA_OK; i++) {
		bool given = strcmp(texts->others[i], first->method) == 0;
		for (size_t before = 0; before < i && !given; before++)
			given = strcmp(texts->others[i], texts->others[before]) == 0;
		if (given)
			status = error_set(err, DANA_ECONFIG, "method %s is given twice", texts->others[i]);
		else
			status = open_extraction(o, i, first, &texts->page, texts->others[i], err);
	}
	if (status == DANA_OK)
		*out = o;
	else
		other_texts_free(o);
	return status;
}

void other_texts_site_source(struct other_texts *o, const struct site_source *source)
{
	for (size_t i = 0; i < o->n; i++)
		dana_site_source(o->each[i].extractor, source);
}

const char *const *other_texts_methods(const struct other_texts *o, size_t *n)
{
	*n = o ? o->n : 0;
	return o ? (const char *const *)o->methods : NULL;
}

int other_texts_begin(struct other_texts *o, struct slice url)
{
	int status = DANA_OK;
	for (size_t i = 0; i < o->n && status == DANA_OK; i++) {
		o->each[i].over_limit = false;
		dana_reset(o->each[i].extractor);
		if (url.len)
			status = dana_page_url(o->each[i].extractor, (const char *)url.data, url.len);
	}
	return status;
}

void other_texts_form(struct other_texts *o, enum page_form form)
{
	for (size_t i = 0; i < o->n; i++)
		dana_page_form(o->each[i].extractor, form);
}

int other_texts_feed(struct other_texts *o, struct slice bytes)
{
	for (size_t i = 0; i < o->n; i++) {
		struct extraction *e = &o->each[i];
		const int status = e->over_limit ? DANA_SUCCESS : dana_feed(e->extractor, bytes.data, bytes.len);
		e->over_limit |= status == DANA_LIMIT;
		if (status < 0 && !e->over_limit)
			return status;
	}
	return DANA_OK;
}

int other_texts_finish(struct other_texts *o, struct document *doc)
{
	for (size_t i = 0; i < o->n; i++) {
		struct extraction *e = &o->each[i];
		struct dana_text text;
		const int status = dana_finish(e->extractor, &text);
		if (status < 0 && status != DANA_LIMIT)
			return status;
		o->texts[i] = (struct dana_method_text){ .method = o->methods[i] };
		if (status == DANA_LIMIT)
			doc->problems |= PROBLEM_TEXTS_MISSING;
		else
			o->texts[i].text = (struct dana_view){ text.len ? text.data : "", text.len };
		if (status == DANA_SUCCESS && text.flags & DANA_TEXT_TRUNCATED)
			doc->problems |= PROBLEM_TRUNCATED_TEXT;
	}
	doc->texts = o->texts;
	doc->n_texts = o->n;
	return DANA_OK;
}

void other_texts_free(struct other_texts *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->n; i++) {
		dana_free(o->each[i].extractor);
		if (o->methods)
			free(o->methods[i]);
	}
	free(o->methods);
	free(o->texts);
	free(o);
}
