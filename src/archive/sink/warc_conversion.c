/* SPDX-License-Identifier: MIT */
/*
 * Cleaned WARC (doc/FORMATS.md; WARC 1.1, sections 6.2 and 6.7): a warcinfo, then a conversion record for each text of
 * each document.
 */
#include <stdlib.h>

#include "archive/sink/sink.h"
#include "archive/warc/field.h"
#include "archive/warc/writer.h"
#include "base/ascii.h"
#include "base/digest.h"
#include "base/status.h"
#include "dana/archive.h"
#include "dana/dana.h"

enum { BRACKETED_ID = CONVERSION_ID + 2, DIGEST = sizeof("sha1:") - 1 + SHA1_BASE32, FIELDS = 12 };

static const char plain_type[] = "text/plain; charset=utf-8";

struct warc_sink {
	struct sink base;
	struct sink_config config;
	char warcinfo_id[BRACKETED_ID + 1];
};

/* A head under way. */
struct conversion_head {
	struct field fields[FIELDS];
	size_t n;
};

static void add(struct conversion_head *h, const char *name, struct slice value)
{
	h->fields[h->n++] = (struct field){ slice_from_text(name), value };
}

static int write_record(const struct warc_sink *s, const struct conversion_head *h, struct slice block, struct buf *out)
{
	return warc_write(out, &(struct warc_output){ .version = s->config.warc_1_0 ? "WARC/1.0" : "WARC/1.1",
						      .fields = h->fields,
						      .n_fields = h->n,
						      .block = block });
}

static void bracket(const char id[CONVERSION_ID + 1], char out[BRACKETED_ID + 1])
{
	out[0] = '<';
	memcpy(out + 1, id, CONVERSION_ID);
	memcpy(out + 1 + CONVERSION_ID, ">", 2);
}

static int warc_opening(struct sink *base, struct slice first_date, struct buf *out)
{
	const struct warc_sink *s = (const struct warc_sink *)base;
	const char *version = s->config.warc_1_0 ? "1.0" : "1.1";
	char date[WARC_DATE_MAX];
	struct buf block = { 0 };
	struct conversion_head h = { .n = 0 };
	(void)warc_date_choose(first_date, slice_of(NULL, 0), !s->config.warc_1_0, date);
	add(&h, "WARC-Type", slice_from_text("warcinfo"));
	add(&h, "WARC-Date", slice_from_text(date));
	add(&h, "WARC-Record-ID", slice_from_text(s->warcinfo_id));
	add(&h, "Content-Type", slice_from_text("application/warc-fields"));
	add(&h, "WARC-Filename", slice_from_text(s->config.filename ? s->config.filename : ""));
	buf_printf(&block,
		   "software: %s\r\nformat: WARC File Format %s\r\n"
		   "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-%s/\r\n"
		   "description: main content of HTML pages, method %s\r\n",
		   s->config.software ? s->config.software : "dana", version, version,
		   s->config.method ? s->config.method : DANA_DEFAULT_METHOD);
	int status = buf_status(&block);
	if (status == DANA_OK)
		status = write_record(s, &h, buf_slice(&block), out);
	buf_free(&block);
	return status;
}

/* WARC-Truncated: the source's reason when the standard knows it (WARC 1.1, section 5.13). */
static struct slice truncated_token(const struct document *doc)
{
	static const char *const tokens[] = { "length", "time", "disconnect", "unspecified" };
	struct slice token = slice_trim(doc->record->truncated);
	if (token.len == 0)
		return slice_from_text(doc->problems & PROBLEM_TRUNCATED ? "length" : "");
	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
		if (slice_is(token, tokens[i]))
			return slice_from_text(tokens[i]);
	}
	return slice_from_text("unspecified");
}

/* A form of a document's text. */
struct form {
	const char *type, *name; /* media type; as of conversion_id */
	struct slice text;
	const char *method; /* NULL: the record does not name it, since all texts are of one method */
};

static int write_conversion(const struct warc_sink *s, struct document *doc, const struct form *form, struct slice uri,
			    struct slice source_id, struct buf *out)
{
	char id[CONVERSION_ID + 1], bracketed[BRACKETED_ID + 1], digest[DIGEST + 1], date[WARC_DATE_MAX];
	struct conversion_head h = { .n = 0 };
	int status = conversion_id(doc, form->name, id);
	if (status < 0)
		return status;
	uint8_t hash[SHA1_BYTES];
	status = sha1(form->text, hash);
	if (status < 0)
		return status;
	memcpy(digest, "sha1:", 5);
	sha1_base32(hash, digest + 5);
	bracket(id, bracketed);
	if (!warc_date_choose(doc->record->date, doc->warcinfo_date, !s->config.warc_1_0, date))
		doc->problems |= PROBLEM_BAD_DATE;
	/* The order of Common Crawl's WET files: cc_net reads fields by the number of their line. */
	add(&h, "WARC-Type", slice_from_text("conversion"));
	add(&h, "WARC-Target-URI", uri);
	add(&h, "WARC-Date", slice_from_text(date));
	add(&h, "WARC-Record-ID", slice_from_text(bracketed));
	add(&h, "WARC-Refers-To", source_id);
	add(&h, "WARC-Block-Digest", slice_from_text(digest));
	add(&h, "Content-Type", slice_from_text(form->type));
	add(&h, "WARC-Warcinfo-ID", slice_from_text(s->warcinfo_id));
	add(&h, "WARC-Payload-Digest", slice_from_text(digest));
	add(&h, "WARC-Identified-Content-Language", doc->languages);
	add(&h, "WARC-Truncated", truncated_token(doc));
	add(&h, "Dana-Method", slice_from_text(form->method ? form->method : ""));
	return write_record(s, &h, form->text, out);
}

/* Writes the texts of the methods after the first. */
static int write_others(const struct warc_sink *s, struct document *doc, struct slice uri, struct slice source_id,
			struct buf *out)
{
	struct buf name = { 0 };
	int status = DANA_OK;
	for (size_t i = 0; i < doc->n_texts && status == DANA_OK; i++) {
		const struct dana_method_text *text = &doc->texts[i];
		buf_clear(&name);
		status = buf_printf(&name, "+%s", text->method);
		if (status < 0 || !text->text.data)
			continue;
		const struct form form = { plain_type, (const char *)name.data,
					   slice_of(text->text.data, text->text.len), text->method };
		status = write_conversion(s, doc, &form, uri, source_id, out);
	}
	buf_free(&name);
	return status;
}

static int warc_document(const struct sink *base, struct document *doc, struct buf *out)
{
	const struct warc_sink *s = (const struct warc_sink *)base;
	const char *method = doc->n_texts ? doc->method : NULL;
	const struct form plain = { plain_type, "", doc->text, method };
	const struct form markdown = { "text/markdown; charset=utf-8", "+markdown", doc->markdown, method };
	struct buf uri = { 0 }, source_id = { 0 };
	warc_uri_append(&uri, doc->record->target_uri);
	/* "<id>" of the source; nothing when it has none */
	if (doc->record->record_id.len != 0) {
		buf_append_byte(&source_id, '<');
		warc_uri_append(&source_id, doc->record->record_id);
		buf_append_byte(&source_id, '>');
	}
	int status = buf_status(&uri) < 0 ? buf_status(&uri) : buf_status(&source_id);
	if (status == DANA_OK && !s->config.without_plain)
		status = write_conversion(s, doc, &plain, buf_slice(&uri), buf_slice(&source_id), out);
	if (status == DANA_OK && doc->with_markdown && doc->markdown.data)
		status = write_conversion(s, doc, &markdown, buf_slice(&uri), buf_slice(&source_id), out);
	if (status == DANA_OK)
		status = write_others(s, doc, buf_slice(&uri), buf_slice(&source_id), out);
	buf_free(&uri);
	buf_free(&source_id);
	return status;
}

static struct sink *warc_open(const struct sink_config *config)
{
	char id[CONVERSION_ID + 1];
	struct warc_sink *s = calloc(1, sizeof(*s));
	if (!s || warcinfo_id(config->input, config->filename, config->method, id) < 0) {
		free(s);
		return NULL;
	}
	s->base.ops = &sink_warc;
	s->config = *config;
	bracket(id, s->warcinfo_id);
	return &s->base;
}

static void warc_close(struct sink *s)
{
	free(s);
}

const struct sink_ops sink_warc = {
	.name = "warc",
	.suffix = RECORD_WARC_SUFFIX,
	.uses_numbers = true,
	.needs_uri = true,
	.member_per_document = true,
	.open = warc_open,
	.opening = warc_opening,
	.document = warc_document,
	.close = warc_close,
};
