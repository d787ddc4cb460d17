/* SPDX-License-Identifier: MIT */
/*
 * Extracts one page that is not a record of an archive, and refuses what is no page.
 *
 * Charset converter, then extractor: what the processor does with a record's body, without record and HTTP. Before them
 * come what decompresses the file (page.html.gz), and what finds the page in a message (page.mhtml), where it is one.
 * For plugins the page is a record of the type resource, which has an address, a media type and a block.
 */
#include "config.h"

#include "archive/single_page.h"

#include <stdlib.h>

#include "archive/charset/convert.h"
#include "archive/codec/codecs.h"
#include "archive/http/coding.h"
#include "archive/http/media_type.h"
#include "archive/limits.h"
#include "archive/mhtml.h"
#include "archive/plugin/chain.h"
#include "archive/texts.h"
#include "archive/url.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/library.h"
#include "base/system.h"
#include "base/url_parts.h"
#include "dana/dana.h"

/*
 * Signatures come first; in gzip or zstd data the first decoded bytes decide, because a compressed page and a
 * compressed archive need different commands. Last come bytes that do not occur in text of any charset: more than one
 * in 16 means another binary file. Zero bytes are not counted: UTF-16 and UTF-32 are half or three quarters of them.
 */

#define PICTURE "a picture, not an HTML page: tesseract FILE - reads text in it"

#define OFFICE "an office document, not an HTML page: soffice --convert-to html FILE makes a page of it"

#define UNPACK "not an HTML page: unpack it, and give the pages in it"

enum { INSIDE_BYTES = 16, NAME_MOST = 4096, BINARY_SHARE = 16, BINARY_LEAST = 4, WINDOW = 8 << 20 };

struct file_signature {
	const char *bytes;
	size_t at, len;
	const char *is;
};

static bool has(struct slice s, size_t at, const char *bytes, size_t len)
{
	return s.len >= at + len && memcmp(s.data + at, bytes, len) == 0;
}

static bool begins_archive(struct slice first)
{
	return has(first, 0, "WARC/", 5) || has(first, 0, "filedesc://", 11);
}

/*
 * Returns what compressed data is. If a zstd dictionary frame is longer than `first`, the file can only be an archive.
 */
static const char *compressed(const struct codec_ops *ops, struct slice first)
{
	uint8_t bytes[INSIDE_BYTES];
	struct codec_out inside;
	bool gzip = ops == &codec_gzip;
	const struct codec_limits limits = { .window = WINDOW };
	struct codec *c = ops->open(&limits);
	struct codec_in in = { first.data, first.len, 0 };
	int result = CODEC_SKIPPED;
	inside = (struct codec_out){ bytes, INSIDE_BYTES, 0 };
	while (c && result == CODEC_SKIPPED) /* a frame with a dictionary may come before */
		result = ops->step(c, &in, &inside, false);
	if (c)
		ops->close(c);
	if (begins_archive(slice_of(bytes, inside.pos)))
		return PAGE_IS_ARCHIVE;
	return gzip ? "gzip data, which cannot be read as an HTML page: gzip -dc FILE | dana extract"
		    : "zstd data, which cannot be read as an HTML page: dana filter FILE if it is an archive, else "
		      "zstd -dc FILE | dana extract";
}

static const char *by_media_type(struct slice type)
{
	if (type.len == 0 || slice_is(type, "text/html"))
		return NULL;
	if (slice_is(type, "application/pdf"))
		return "a PDF, not an HTML page: pdftotext FILE makes text of it";
	if (slice_is(type, "application/zip"))
		return "a zip archive, " UNPACK " (unzip FILE)";
	if (type.len > 6 && memcmp(type.data, "image/", 6) == 0)
		return PICTURE;
	if (type.len > 5 && memcmp(type.data, "font/", 5) == 0)
		return "a font, not an HTML page";
	return slice_is(type, "application/x-elf") ? "a program, not an HTML page" : "sound or film, not an HTML page";
}

static const char *by_signature(struct slice first)
{
	static const struct file_signature signatures[] = {
		{ "ustar", 257, 5, "a tar archive, " UNPACK " (tar -xf FILE)" },
		{ "7z\xbc\xaf\x27\x1c", 0, 6, "a 7z archive, " UNPACK " (7z x FILE)" },
		{ "\xfd"
		  "7zXZ\0",
		  0, 6, "compressed: xz -dc FILE | dana extract takes it, or dana filter if it is an archive" },
		{ "BZh", 0, 3,
		  "compressed: bzip2 -dc FILE | dana extract takes it, or dana filter if it is an archive" },
		{ "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, 8, OFFICE },
		{ "SQLite format 3\0", 0, 16, "a database, not an HTML page" },
		{ "Rar!\x1a\x07", 0, 6, "a RAR archive, " UNPACK " (unar FILE)" },
		{ "{\\rtf", 0, 5, OFFICE },
		{ "bplist00", 0, 8,
		  "a page that Safari has saved (.webarchive), or another property list, not an HTML page: "
		  "textutil -convert html FILE makes a page of it on a Mac" },
		{ "%!PS-", 0, 5, "PostScript, not an HTML page: ps2txt FILE makes text of it" },
		{ "II*\0", 0, 4, PICTURE },
		{ "MM\0*", 0, 4, PICTURE },
		{ "ftyp", 4, 4, "sound or film, not an HTML page" },
		{ "\x1a\x45\xdf\xa3", 0, 4, "sound or film, not an HTML page" },
		{ "ID3\2", 0, 4, "sound or film, not an HTML page" },
		{ "ID3\3", 0, 4, "sound or film, not an HTML page" },
		{ "ID3\4", 0, 4, "sound or film, not an HTML page" },
		{ "fLaC", 0, 4, "sound or film, not an HTML page" },
		{ "OggS\0", 0, 5, "sound or film, not an HTML page" },
	};
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++) {
		const struct file_signature *s = &signatures[i];
		if (has(first, s->at, s->bytes, s->len))
			return s->is;
	}
	return NULL;
}

/* Is it an object of JSON, with a first member? */
static bool begins_json(struct slice first)
{
	size_t n = 1;
	first = slice_trim(has(first, 0, "\xef\xbb\xbf", 3) ? slice_skip(first, 3) : first);
	if (!has(first, 0, "{", 1))
		return false;
	first = slice_trim(slice_skip(first, 1));
	while (n < first.len && first.data[n] != '"' && first.data[n] >= ' ')
		n += first.data[n] == '\\' ? 2 : 1;
	return has(first, 0, "\"", 1) && has(first, n, "\"", 1) && has(slice_trim(slice_skip(first, n + 1)), 0, ":", 1);
}

static const char *not_text(struct slice first)
{
	const struct slice none = { NULL, 0 };
	bool need_more;
	if (begins_archive(first))
		return PAGE_IS_ARCHIVE;
	const struct codec_ops *ops = codec_detect(first, &need_more);
	if (ops)
		return compressed(ops, first);
	const char *is = by_media_type(media_type(none, none, first));
	if (!is)
		is = by_signature(first);
	if (is)
		return is;
	/* control characters other than white space and escape (ISO-2022) */
	first = slice_first(first, MEDIA_SNIFF_BYTES);
	size_t n = 0;
	for (size_t i = 0; i < first.len; i++) {
		const uint8_t c = first.data[i];
		n += (c >= 1 && c < '\t') || c == '\v' || (c > '\r' && c < ' ' && c != 0x1b);
	}
	return n >= BINARY_LEAST && n * BINARY_SHARE > first.len ? "a binary file, not an HTML page" : NULL;
}

const char *not_a_page(struct slice first)
{
	const char *other = not_text(first);
	return other || !begins_json(first) ? other : PAGE_IS_JSON;
}

bool page_begins(struct slice first)
{
	return media_type_begins_page(first) || mhtml_begins(first);
}

/* Takes the ending after the last dot off, if it is one of a list that NULL ends. */
static bool take_ending(struct slice *name, const char *const *endings)
{
	const uint8_t *dot = name->len ? memrchr(name->data, '.', name->len) : NULL;
	const size_t at = dot ? (size_t)(dot - name->data) : name->len;
	while (dot && *endings && !slice_is(slice_skip(*name, at + 1), *endings))
		endings++;
	if (!dot || !*endings)
		return false;
	name->len = at;
	return true;
}

const char *name_of_a_page(struct slice text)
{
	static const char *const packed[] = { "gz", "zst", "bz2", "xz", NULL };
	static const char *const archives[] = { "warc", "arc", "wacz", NULL };
	static const char *const pages[] = { "htm", "html", "xhtml", "shtml", "mht", "mhtml", "pdf", NULL };
	struct slice name = slice_trim(text);
	if (text.len > NAME_MOST || name.len == 0 || memchr(name.data, '<', name.len))
		return NULL;
	const size_t scheme = url_parts(name).scheme.len;
	bool has_space = false;
	for (size_t i = 0; i < name.len; i++)
		has_space |= ascii_is_space(name.data[i]);
	if (!has_space && ((scheme && name.len > scheme) || (name.len > 4 && slice_is(slice_first(name, 4), "www."))))
		return "a URL, not an HTML page: fetch it, and give what comes";
	if (memchr(name.data, '\n', name.len))
		return NULL;
	(void)take_ending(&name, packed);
	if (take_ending(&name, archives))
		return "the name of an archive, not an HTML page: dana filter FILE finds the main text of all its "
		       "pages";
	return take_ending(&name, pages) ? "the name of a file, not an HTML page: read it, and give its bytes" : NULL;
}

enum { SHOWN = 100 };

struct single_page {
	struct byte_sink unpacked; /* after decompression */
	struct byte_sink part;     /* the page of a message */
	struct byte_sink utf8;     /* after the charset converter: feeds the extractor */
	struct coding *coding;     /* NULL until a page is compressed */
	struct mhtml *mhtml;       /* NULL until a page is in a message */
	bool opened;               /* its first bytes were looked at ... */
	bool packed;               /* ... and are compressed */
	bool looked;               /* at those of what is decompressed */
	bool is_mhtml;
	bool plugins_begun;
	void (*read)(void *note_arg, int status, const struct document *doc, struct slice url, const struct error *err);
	void *note_arg;
	struct buf lead;         /* the first bytes of what is decompressed, while they are too few to look at */
	struct buf location;     /* the address that a message names */
	struct error fault;      /* of a stage */
	struct slice as_charset; /* named by the caller */
	struct dana_extractor *extractor;
	struct other_texts *others;     /* NULL: no other method is asked for */
	const struct site_source *site; /* NULL: nothing is known of sites */
	struct charset_convert *convert;
	struct media_urls media;
	struct texts texts;
	struct text_head head;
	struct slice url, content_type;
	uint64_t html_bytes;
	struct plugin_chain *plugins; /* NULL: none, and nothing below is used */
	struct plugins_needs needs;
	const struct plugin_names *names;
	struct record record;
	struct buf html; /* for plugins that ask for the whole page */
	bool dropped, is_text;
};

enum { KEPT_HTML = 1 << 20 };

/* Notes that a plugin drops the page, when it does. Returns 0, or an error of the chain. */
static int answered(struct single_page *p, int answer)
{
	p->dropped = answer == PLUGIN_DROPS;
	return answer < 0 ? answer : DANA_OK;
}

/* Sets the message of a plugin that has failed. Returns `status`. */
static int plugin_fault(const struct single_page *p, int status, struct error *err)
{
	return status == DANA_EPLUGIN ? error_set(err, DANA_EPLUGIN, "%s", plugin_chain_fault(p->plugins)) : status;
}

/* The page for plugins, in UTF-8. */
static int pass_on(struct single_page *p, struct slice bytes)
{
	if (p->needs.html) {
		const struct slice kept = slice_first(bytes, (size_t)(p->needs.max_html - p->html.len));
		if (buf_append(&p->html, kept.data, kept.len) < 0)
			return DANA_ENOMEM;
	}
	return p->needs.html_stream && !p->is_text && bytes.len ? plugin_chain_html(p->plugins, bytes) : DANA_OK;
}

static int feed(struct byte_sink *self, struct slice bytes)
{
	struct single_page *p = (struct single_page *)((char *)self - offsetof(struct single_page, utf8));
	int status = p->plugins ? pass_on(p, bytes) : DANA_OK;
	if (status == DANA_OK)
		status = dana_feed(p->extractor, bytes.data, bytes.len);
	return status == DANA_OK && p->others ? other_texts_feed(p->others, bytes) : status;
}

static const struct byte_sink_ops utf8_ops = { "extractor", feed, NULL };

static struct single_page *of_part(struct byte_sink *part)
{
	return (struct single_page *)((char *)part - offsetof(struct single_page, part));
}

/* Gives plugins the first bytes of the page, and begins its HTML. */
static int begin_plugins(struct single_page *p, struct slice first)
{
	p->plugins_begun = true;
	if (p->dropped)
		return DANA_OK;
	int status = answered(p, plugin_chain_media(p->plugins, p->content_type, first));
	return status == DANA_OK && !p->dropped && p->needs.html_stream
		       ? plugin_chain_html(p->plugins, slice_of(NULL, 0))
		       : status;
}

/* ---- the page in a message ---- */

/* It is known what the message has of the page. */
static int page_found(void *arg, const struct mhtml_page *page)
{
	struct single_page *p = arg;
	const struct slice charset = media_type_charset(page->content_type);
	/* a message that comes as characters is called utf-8, but what is encoded in it has a charset of its own */
	const bool own = charset.len && page->encoded && slice_is(p->as_charset, "utf-8");
	if (p->as_charset.len == 0 || own)
		charset_convert_reset(p->convert, charset);
	p->content_type = slice_of(NULL, 0);
	if (p->url.len || page->location.len == 0)
		return DANA_OK;
	buf_clear(&p->location);
	if (buf_append(&p->location, page->location.data, page->location.len) < 0)
		return DANA_ENOMEM;
	p->record.target_uri = p->url = buf_slice(&p->location);
	const int status = dana_page_url(p->extractor, (const char *)p->url.data, p->url.len);
	return status == DANA_OK && p->others ? other_texts_begin(p->others, p->url) : status;
}

static int page_write(struct single_page *p, struct slice bytes)
{
	int status = DANA_OK;
	if (!p->plugins_begun && p->plugins)
		status = begin_plugins(p, slice_first(bytes, MEDIA_SNIFF_BYTES));
	if (status < 0)
		return status;
	p->html_bytes += bytes.len;
	status = p->dropped ? DANA_OK : charset_convert_write(p->convert, bytes);
	return status < 0 ? status : DANA_OK;
}

static int part_write(struct byte_sink *self, struct slice bytes)
{
	return page_write(of_part(self), bytes);
}

static const struct byte_sink_ops part_ops = { .name = "part", .write = part_write };

/* ---- the first bytes ---- */

static int begin_mhtml(struct single_page *p, struct slice first)
{
	const struct mhtml_target target = { page_found, p, &p->part };
	p->is_mhtml = true;
	if (!p->mhtml)
		p->mhtml = mhtml_new(&target);
	return p->mhtml ? mhtml_begin(p->mhtml, p->content_type, first) : DANA_ENOMEM;
}

/* Looks whether the page is one, and how it is read. */
static int take_first(struct single_page *p, struct slice first)
{
	const struct slice type = media_type(p->content_type, slice_of(NULL, 0), slice_first(first, MEDIA_SNIFF_BYTES));
	const enum page_form form = p->content_type.len ? texts_form(type) : FORM_HTML;
	const bool html = form == FORM_HTML && (!p->content_type.len || media_type_is_html(type));
	const char *other = html ? not_a_page(first) : not_text(first);
	char shown[SHOWN];
	p->looked = true;
	if (other)
		return error_set(&p->fault, DANA_EFORMAT, "%s", other);
	if (form == FORM_HTML && (mhtml_is_type(p->content_type) || mhtml_begins(first)))
		return begin_mhtml(p, first);
	if (p->packed && form == FORM_HTML) /* what it was sent as is what it is compressed */
		p->content_type = media_type_is_html(type) ? p->content_type : slice_of(NULL, 0);
	if (p->content_type.len == 0)
		return DANA_OK;
	p->is_text = form != FORM_HTML;
	if (form != FORM_HTML) {
		charset_convert_text(p->convert);
		dana_page_form(p->extractor, form);
		if (p->others)
			other_texts_form(p->others, form);
	}
	if (form != FORM_HTML || media_type_is_html(type))
		return DANA_OK;
	return error_set(&p->fault, DANA_EFORMAT,
			 "the media type is %s; expected " MEDIA_HTML(", ") ", " MEDIA_TEXT(" or "),
			 type.len ? printable(type, shown, sizeof(shown)) : "not known");
}

static int take(struct single_page *p, struct slice bytes)
{
	int status = p->looked ? DANA_OK : take_first(p, bytes);
	if (status < 0)
		return status;
	return p->is_mhtml ? mhtml_write(p->mhtml, bytes) : page_write(p, bytes);
}

/* Collects what take_first needs. */
static int unpacked_write(struct byte_sink *self, struct slice bytes)
{
	struct single_page *p = (struct single_page *)self;
	if (p->looked || (p->lead.len == 0 && bytes.len >= PAGE_FIRST_BYTES))
		return take(p, bytes);
	if (buf_append(&p->lead, bytes.data, bytes.len) < 0)
		return DANA_ENOMEM;
	return p->lead.len < PAGE_FIRST_BYTES ? DANA_OK : take(p, buf_slice(&p->lead));
}

static const struct byte_sink_ops unpacked_ops = { .name = "unpacked", .write = unpacked_write };

static int begin_coding(struct single_page *p, const struct codec_ops *ops)
{
	static const struct limits limits = LIMITS_DEFAULT;
	const struct coding_body body = { .label = ops, .next = &p->unpacked, .max_output = limits.body };
	if (!p->coding)
		p->coding = coding_new(&limits);
	if (!p->coding)
		return DANA_ENOMEM;
	p->packed = true;
	coding_begin(p->coding, &body);
	return DANA_OK;
}

int single_page_new(struct single_page **out, const struct single_page_config *config, struct error *err)
{
	struct plugins_needs needs = { .html = false };
	if (config->plugins)
		needs = plugins_needs(config->plugins);
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = config->method,
					      .read_file = config->read_file,
					      .read_arg = config->read_arg,
					      .list_blocks = needs.blocks };
	struct single_page *p = calloc(1, sizeof(*p));
	int status = p ? extractor_new(&p->extractor, &options, &config->texts.page, NULL) : DANA_ENOMEM;
	if (status == DANA_OK)
		status = other_texts_new(&p->others, &config->texts, &options, NULL);
	if (p) {
		p->texts = config->texts;
		p->read = config->read;
		p->note_arg = config->note_arg;
	}
	if (status == DANA_OK && p->texts.sites) {
		p->site = p->texts.sites->open(p->texts.sites->arg);
		status = p->site ? DANA_OK : DANA_ENOMEM;
		dana_site_source(p->extractor, p->site);
		if (p->others)
			other_texts_site_source(p->others, p->site);
	}
	if (status == DANA_OK) {
		p->unpacked.ops = &unpacked_ops;
		p->part.ops = &part_ops;
		p->utf8.ops = &utf8_ops;
		p->convert = charset_convert_new(&p->utf8);
		status = p->convert ? DANA_OK : DANA_ENOMEM;
	}
	if (status == DANA_OK && config->plugins) {
		p->plugins = plugin_chain_new(config->plugins, PLUGIN_WORKER, err);
		p->needs = needs;
		p->names = plugins_names(config->plugins);
		status = p->plugins ? DANA_OK : err->status == DANA_EPLUGIN ? DANA_EPLUGIN : DANA_ENOMEM;
	}
	if (status < 0) {
		single_page_free(p);
		p = NULL;
	}
	*out = p;
	return status;
}

const char *const *single_page_other_methods(const struct single_page *p, size_t *n)
{
	return other_texts_methods(p->others, n);
}

void single_page_choose(struct single_page *p, uint32_t chosen)
{
	if (p->plugins)
		plugin_chain_choose(p->plugins, chosen);
}

int single_page_begin(struct single_page *p, const struct single_page_source *source, struct error *err)
{
	p->html_bytes = 0;
	p->url = source->url;
	p->content_type = source->content_type;
	p->as_charset = source->charset;
	p->opened = p->packed = p->looked = p->is_mhtml = p->plugins_begun = false;
	p->fault = (struct error){ 0 };
	buf_clear(&p->lead);
	dana_reset(p->extractor);
	if (source->alone)
		dana_page_alone(p->extractor);
	int status = charset_convert_reset_named(p->convert, source->charset);
	if (status == DANA_ECONFIG && source->charset_is_foreign)
		status = charset_convert_reset_named(p->convert, slice_of(NULL, 0));
	if (status == DANA_OK && source->charset.len == 0)
		charset_convert_reset(p->convert, media_type_charset(source->content_type));
	if (status == DANA_OK && p->url.len)
		status = dana_page_url(p->extractor, (const char *)p->url.data, p->url.len);
	if (status == DANA_OK && p->others)
		status = other_texts_begin(p->others, p->url);
	p->record = (struct record){ .type = RECORD_RESOURCE, .target_uri = p->url, .content_type = p->content_type };
	p->dropped = p->is_text = false;
	if (status != DANA_OK || !p->plugins)
		return status;
	buf_shrink(&p->html, KEPT_HTML);
	return plugin_fault(p, answered(p, plugin_chain_head(p->plugins, &p->record, "-")), err);
}

/* Sets the message of what has failed. Returns `status`. */
static int stage_fault(const struct single_page *p, int status, struct error *err)
{
	if (p->fault.status < 0)
		return error_set(err, p->fault.status, "%s", p->fault.text);
	return plugin_fault(p, status, err);
}

int single_page_write(struct single_page *p, struct slice bytes, struct error *err)
{
	bool need_more;
	int status = DANA_OK;
	const struct codec_ops *ops = p->opened ? NULL : codec_detect(bytes, &need_more);
	p->opened = true;
	if (ops)
		status = begin_coding(p, ops);
	if (status == DANA_OK)
		status = p->packed ? byte_sink_write(coding_sink(p->coding), bytes) : take(p, bytes);
	return status < 0 ? stage_fault(p, status, err) : DANA_OK;
}

/* The stages before the charset converter end. */
static int end_stages(struct single_page *p)
{
	int status = p->packed ? byte_sink_finish(coding_sink(p->coding)) : DANA_OK;
	status = status > 0 ? DANA_OK : status; /* a limit was reached: what came before it counts */
	if (status == DANA_OK && p->packed && !p->looked && p->lead.len)
		status = take(p, buf_slice(&p->lead));
	if (p->packed)
		coding_release(p->coding);
	if (status == DANA_OK && p->packed && !p->looked && coding_problems(p->coding))
		return error_set(&p->fault, DANA_EFORMAT, PAGE_DAMAGED);
	if (status == DANA_OK && p->is_mhtml)
		status = mhtml_finish(p->mhtml);
	if (status == MHTML_NO_PAGE)
		return error_set(&p->fault, DANA_EFORMAT, "a message (MHTML) that holds no HTML page");
	return status == DANA_OK && p->plugins && !p->plugins_begun ? begin_plugins(p, slice_of(NULL, 0)) : status;
}

/* Calls the plugins for the document. Returns as single_page_finish. */
static int ask_plugins(struct single_page *p, struct document *doc, struct error *err)
{
	int status = DANA_OK;
	if (!p->dropped) {
		doc->html = buf_slice(&p->html);
		doc->content_type = p->content_type;
		doc->blocks = p->needs.blocks ? dana_blocks(p->extractor, &doc->n_blocks) : NULL;
		status = answered(p, plugin_chain_document(p->plugins, doc));
		doc->html = slice_of(NULL, 0); /* the plugins' alone */
	}
	if (status < 0)
		return plugin_fault(p, status, err);
	if (!p->dropped)
		return DANA_OK;
	const char *rule = plugin_chain_rule(p->plugins);
	const char *name = p->names->plugin[plugin_chain_marks(p->plugins).plugin];
	(void)error_set(err, DANA_OK, "plugin:%s%s%s", name, *rule ? ": " : "", rule);
	return SINGLE_PAGE_DROPPED;
}

int single_page_finish(struct single_page *p, struct document *doc, struct error *err)
{
	struct dana_text text;
	int status = end_stages(p);
	if (p->dropped && status == DANA_OK)
		return ask_plugins(p, doc, err);
	if (status == DANA_OK)
		status = charset_convert_finish(p->convert);
	if (status >= 0)
		status = dana_finish(p->extractor, &text);
	if (status >= 0)
		status = media_urls_resolve(&p->media, p->url, text.media, text.n_media);
	if (status < 0)
		return stage_fault(p, status, err);
	*doc = (struct document){
		.record = &p->record,
		.charset = charset_convert_name(p->convert),
		.title = slice_of(text.title, text.title_len),
		.has_title = (text.flags & DANA_HAS_TITLE) != 0,
		.page_kind = dana_page_kind(p->extractor),
		.method = text.method,
		.html_bytes = p->html_bytes,
		.problems = charset_convert_problems(p->convert) | (p->packed ? coding_problems(p->coding) : 0) |
			    (text.flags & DANA_TEXT_TRUNCATED ? PROBLEM_TRUNCATED_TEXT : 0),
		.with_media = (text.flags & DANA_LISTS_MEDIA) != 0,
		.media = media_urls_list(&p->media),
		.n_media = p->media.count,
	};
	if (p->read) {
		const struct page_decision d = dana_page_decision(p->extractor);
		doc->words = d.words;
		doc->words_kept = d.kept;
		doc->margin = d.margin;
	}
	document_set_text(doc, slice_of(text.data, text.len));
	texts_fill(&p->texts, p->extractor, text.flags, doc);
	status = p->others ? other_texts_finish(p->others, doc) : DANA_OK;
	if (status == DANA_OK && p->plugins)
		status = ask_plugins(p, doc, err);
	return status == DANA_OK ? texts_end(&p->texts, &p->head, p->extractor, doc) : status;
}

int single_page_read(struct single_page *p, const struct single_page_source *source, struct slice html,
		     struct document *doc, struct error *err)
{
	int status = single_page_begin(p, source, err);
	if (status == DANA_OK && html.len)
		status = single_page_write(p, html, err);
	if (status == DANA_OK)
		status = single_page_finish(p, doc, err);
	if (p->read)
		p->read(p->note_arg, status, doc,
			status == DANA_OK && !source->url.len ? doc->record->target_uri : source->url, err);
	return status;
}

int single_page_fault(int status, struct error *err)
{
	return error_set(err, (enum dana_status)status, "%s",
			 status == DANA_ELIMIT ? "the page asks for more work than its size allows"
					       : library_status_text(status));
}

void single_page_free(struct single_page *p)
{
	if (!p)
		return;
	coding_free(p->coding);
	mhtml_free(p->mhtml);
	buf_free(&p->lead);
	buf_free(&p->location);
	charset_convert_free(p->convert);
	dana_free(p->extractor);
	other_texts_free(p->others);
	if (p->texts.sites)
		p->texts.sites->close(p->site);
	media_urls_free(&p->media);
	plugin_chain_free(p->plugins);
	buf_free(&p->html);
	text_head_free(&p->head);
	free(p);
}
