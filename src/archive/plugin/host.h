/* SPDX-License-Identifier: MIT */
/* The plugins of a run and a record for them, as plugins.c, chain.c and page.c share them. */
#ifndef DANA_ARCHIVE_PLUGIN_HOST_H
#define DANA_ARCHIVE_PLUGIN_HOST_H

#include "archive/document.h"
#include "archive/plugin/chain.h"
#include "archive/plugin/plugins.h"
#include "base/buf.h"
#include "base/json.h"

struct plugin;

/** One for loading a plugin and one for each instance, because each has its own error. */
struct dana_context {
	struct plugins *owner;
	const struct plugin *plugin;
	struct error error;
};

struct plugin {
	const struct dana_plugin *def;
	struct slice asked; /* as the user wrote it: a name, or a path */
	unsigned number, first_counter;
	struct settings settings;
	struct loaded file;
	struct dana_context context;
	void *shared;
	bool loaded;
};

struct plugins {
	struct plugin at[PLUGINS_MOST];
	size_t n;
	unsigned users; /* beside the first: plugins_share */
	size_t cut;     /* number of the first ordered one; `n` if no plugin is ordered */
	struct filters filters;
	struct plugin_names names;
	struct arena *memory;
	uint64_t max_html;
	bool run_is_over; /* set by plugins_run_over */
	uint32_t wants;   /* all flags together */
	bool reads_html;  /* a plugin of the worker has the function html */
	void (*line)(void *arg, const char *text);
	void *arg;
	bool quiet, verbose;
	const char *metadata_object; /* as in struct plugins_config */
};

/** The functions that plugins call. */
extern const struct dana_host plugin_host;

/** Where `save` of a plugin stores its state. */
struct dana_store {
	struct buf *bytes;
};

/**
 * Sets `err` to the reason that a function of the plugin gave, or that it returned `result`. Returns DANA_EPLUGIN or
 * DANA_ENOMEM.
 */
int plugin_failed(const struct plugin *p, const char *function, int result, const struct error *said,
		  struct error *err);

/* A record for the functions that plugins call: one object for each chain, used for one record after the other. */

enum { PAGE_RULE = 128, PAGE_KEYS = 64 };

/** How far a record has come; more is known at each stage. */
enum page_stage { PAGE_HEAD, PAGE_HTTP, PAGE_MEDIA, PAGE_DOCUMENT };

/** Where the lines of the text begin, found when the first block is read. */
struct line_starts {
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
	struct line_starts *lines;
	struct buf text[2]; /* texts of set_text, alternating: the new text may be made from the old one */
	unsigned text_number;
	bool text_changed;
	struct buf tag, codes; /* of the language */
	struct buf attached;
	struct buf members; /* of the plugin being called, each after a comma */
	struct buf value;   /* of the member that is put, as JSON */
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

/** Returns the key of a plugin's object in documents. */
const char *plugin_object(const struct plugins *s, const struct dana_plugin *plugin);
/** Adds the members of the plugin just called to the additions as "NAME":{...}. */
int page_members_end(struct dana_page *p);
/** Removes members whose names the rejects use themselves. */
void page_members_of_drop(struct dana_page *p);

#endif
