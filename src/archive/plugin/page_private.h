/* SPDX-License-Identifier: MIT */
/* A record for the functions that plugins call: one object for each chain, used for one record after the other. */
#ifndef DANA_PLUGIN_PAGE_PRIVATE_H
#define DANA_PLUGIN_PAGE_PRIVATE_H

#include "archive/plugin/chain.h"
#include "archive/plugin/plugins_private.h"
#include "base/buf.h"
#include "base/json_reader.h"

enum { PAGE_RULE = 128, PAGE_KEYS = 64 };

/** How far a record has come; more is known at each stage. */
enum page_stage { PAGE_HEAD, PAGE_HTTP, PAGE_MEDIA, PAGE_DOCUMENT };

/** Where the lines of the text begin, found when the first block is read. */
struct page_lines {
	struct buf starts; /* size_t each; the last is one beyond the text's end */
	bool known;
};

/** A member that a plugin has put: its place in `members`. */
struct page_member {
	size_t start, key_len, end;
};

struct dana_page {
	const struct plugins *set;
	const struct plugin *now; /* that is being called */
	enum page_stage stage;
	const struct record *record;
	const char *file;
	struct plugin_http http;
	struct slice first;
	uint64_t html_bytes;  /* passed so far */
	struct document *doc; /* PAGE_DOCUMENT */
	struct arena *memory;
	struct page_lines *lines;
	struct buf text[2]; /* texts of set_text, alternating: the new text may be made from the old one */
	unsigned text_number;
	bool text_changed;
	struct buf tag, codes; /* of the language */
	struct buf attached;
	struct buf members; /* of the plugin being called, each after a comma */
	struct page_member member[PAGE_KEYS];
	size_t n_members;
	struct json_reader *json; /* checks values of put_json */
	struct buf additions;     /* of all plugins so far */
	char rule[PAGE_RULE];
	struct slice dropped_members; /* in `members` */
	uint64_t counts[PLUGIN_COUNTERS_MOST];
	bool counted;
	struct error error;
};

/** members.c: adds the members of the plugin just called to the additions as "NAME":{...}. Returns 0 or DANA_ENOMEM. */
int page_members_end(struct dana_page *p);
/** members.c: removes members whose names the rejects use themselves. */
void page_members_of_drop(struct dana_page *p);

/* The functions of struct dana_host. page_get.c: */
struct dana_view page_text(const struct dana_page *p);
struct dana_view page_text_item(const struct dana_page *p, enum dana_text_item item);
int64_t page_number_item(const struct dana_page *p, enum dana_number_item item);
struct dana_view page_warc_field(const struct dana_page *p, const char *name);
struct dana_view page_http_field(const struct dana_page *p, const char *name);
size_t page_block_count(const struct dana_page *p);
struct dana_block page_block(const struct dana_page *p, size_t index);
struct dana_view page_html(const struct dana_page *p);
struct dana_view page_attached(const struct dana_page *p);
/* page_set.c: */
int page_set_text(struct dana_page *p, struct dana_view value);
int page_set_language(struct dana_page *p, struct dana_view tag, struct dana_view codes, double score);
int page_drop(struct dana_page *p, const char *rule);
int page_fail(struct dana_page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_count(struct dana_page *p, size_t index, uint64_t n);
int page_attach(struct dana_page *p, const void *data, size_t len);
void *page_memory(struct dana_page *p, size_t size);
/* members.c: */
int page_put_text(struct dana_page *p, const char *key, struct dana_view value);
int page_put_integer(struct dana_page *p, const char *key, int64_t value);
int page_put_number(struct dana_page *p, const char *key, double value);
int page_put_boolean(struct dana_page *p, const char *key, int value);
int page_put_list(struct dana_page *p, const char *key, const struct dana_view *values, size_t n);
int page_put_json(struct dana_page *p, const char *key, struct dana_view value);

/**
 * fault.c: returns the status for a failure text: plugins report exhausted memory by its text, as their interface has
 * no statuses.
 */
enum dana_status plugin_status_of(const char *text);

/** fault.c: records why the plugin fails, unless a reason is already recorded. Returns a negative number. */
int page_fault(struct dana_page *p, enum dana_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
