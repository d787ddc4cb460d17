/* SPDX-License-Identifier: MIT */
/*
 * An example of a plugin for dana: counts words, drops pages with too few of them or with a forbidden one, and writes
 * the count into the document. `words:least=50,forbidden=casino,viagra` are its options. doc/PLUGINS.md walks through
 * it.
 *
 * 	make && dana filter --plugin $PWD/words.so:least=50 crawl.warc.gz
 */
#include <dana/dana_plugin.h>
#include <stdlib.h>
#include <string.h>

/* Set by load, which is called first, and the same for the whole run. */
static const struct dana_host *host;

/* The options, read once, and shared by all threads, which do not change them. */
struct example_words {
	int64_t least;
	const struct dana_context *context; /* of load: the list of forbidden words */
};

enum { COUNT_WORDS, COUNT_PAGES };
static const char *const counters[] = { "words", "pages", NULL };

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct example_words *w = malloc(sizeof(*w));
	if (!w)
		return host->fail(c, "out of memory");
	w->least = host->option_integer(c, "least");
	w->context = c;
	*shared = w;
	host->log(c, DANA_LOG_INFO, "keeps pages of at least %lld words", (long long)w->least);
	return 0;
}

static int is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* Takes the next word off the text; empty at its end. */
static struct dana_view next_word(struct dana_view *text)
{
	size_t begin = 0, end;
	while (begin < text->len && is_space(text->data[begin]))
		begin++;
	for (end = begin; end < text->len && !is_space(text->data[end]);)
		end++;
	struct dana_view word = { text->data + begin, end - begin };
	text->data += end;
	text->len -= end;
	return word;
}

static int is_forbidden(const struct example_words *w, struct dana_view word)
{
	struct dana_view item;
	for (size_t i = 0; (item = host->option_item(w->context, "forbidden", i)).data; i++) {
		if (item.len == word.len && memcmp(item.data, word.data, word.len) == 0)
			return 1;
	}
	return 0;
}

/* Any thread, one page at a time: `instance` is what load shared, because the plugin has no function open. */
static int page(void *instance, struct dana_page *p)
{
	const struct example_words *w = instance;
	struct dana_view text = host->text(p), word;
	int64_t n = 0;
	while ((word = next_word(&text)).len) {
		n++;
		if (is_forbidden(w, word))
			return host->drop(p, "forbidden");
	}
	if (n < w->least)
		return host->drop(p, "least");
	host->count(p, COUNT_WORDS, (uint64_t)n);
	host->count(p, COUNT_PAGES, 1);
	return host->put_integer(p, "words", n); /* 0 (DANA_KEEP), or a failure */
}

static const struct dana_option options[] = {
	{ "least", DANA_INTEGER, "N", "1", "drop pages with fewer words", 0, 1e9 },
	{ "forbidden", DANA_LIST, "WORD,...", NULL, "drop pages with one of these words", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(words) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "words",
	.version = "1.0",
	.help = "counts words, and drops pages by them",
	.options = options,
	.counters = counters,
	.load = load,
	.page = page,
	.unload = free,
};
