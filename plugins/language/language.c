/* SPDX-License-Identifier: MIT */
/*
 * language: finds the language of a page from the longest lines of its text, and keeps or drops pages by it.
 *
 * The language is unknown if the detector is not sure or its score is below the threshold. An unknown language is never
 * replaced by a guess: the document's language is null, and lists name it `unknown`.
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dana/dana_plugin.h"
#include "plugins/language/arabic_letters.h"
#include "plugins/language/codes.h"
#include "plugins/language/detector.h"
#include "plugins/language/sample.h"

enum { LANGUAGES_MOST = 16, PARAGRAPH_LEAST = 40 };

struct language {
	const struct dana_host *host;
	struct dana_context *context;
	struct language_model *model; /* NULL: CLD2 */
	double threshold;
	int most; /* languages to list for a page */
};

/** The languages of a page, each with the bytes of the paragraphs in it. */
struct shares {
	struct share {
		char tag[LANGUAGE_TAG];
		size_t bytes;
	} list[LANGUAGES_MOST];
	size_t n, bytes;
};

static const struct dana_option language_options[] = {
	{ "include", DANA_LIST, "TAG,...", NULL, "keep only pages in these languages, as fa,ar,unknown", 0, 0 },
	{ "exclude", DANA_LIST, "TAG,...", NULL, "drop pages in these languages", 0, 0 },
	{ "threshold", DANA_NUMBER, NULL, "0", "below this score, 0 to 1, the language is unknown", 0, 1 },
	{ "languages", DANA_INTEGER, NULL, "1", "list up to so many languages of a page, by paragraph", 1,
	  LANGUAGES_MOST },
	{ "model", DANA_FILE, NULL, NULL, "a model in fastText's format (.bin, .ftz) instead of CLD2", 0, 0 },
	{ 0 },
};

static int check_list(struct language *l, struct dana_context *c, const char *option)
{
	struct dana_view item;

	for (size_t i = 0; (item = l->host->option_item(c, option, i)).data; i++)
		if (!(item.len == 7 && !memcmp(item.data, "unknown", 7)) && !tag_is_possible(item.data, item.len))
			return l->host->fail(
				c, "%s: \"%.*s\" is not a language; expected tags such as fa or zh-Hant, or unknown",
				option, (int)item.len, item.data);
	return 0;
}

static int open_model(struct language *l, struct dana_context *c)
{
	const char *file = l->host->option_text(c, "model");

	if (!file)
		return 0;
#ifdef HAVE_FASTTEXT
	char why[200];
	l->model = language_model_open(file, why);
	return l->model ? 0 : l->host->fail(c, "model %s: %s", file, why);
#else
	return l->host->fail(c, "model: this dana was built without libfasttext (Debian: libfasttext-dev)");
#endif
}

static void language_unload(void *shared)
{
	struct language *l = shared;

#ifdef HAVE_FASTTEXT
	if (l)
		language_model_free(l->model);
#endif
	free(l);
}

static int language_load(void **shared, const struct dana_host *host, struct dana_context *c)
{
	struct error err = { 0 };
	if (detectors_load(&err) < 0)
		return host->fail(c, "%s", err.text);
	struct language *l = calloc(1, sizeof(*l));
	if (!l)
		return host->fail(c, "out of memory");
	*shared = l;
	l->host = host;
	l->context = c;
	l->threshold = host->option_number(c, "threshold");
	l->most = (int)host->option_integer(c, "languages");
	int status = check_list(l, c, "include");
	if (!status)
		status = check_list(l, c, "exclude");
	if (!status)
		status = open_model(l, c);
	if (status) {
		language_unload(l);
		*shared = NULL;
	}
	return status;
}

enum { FIRST_BYTES = 192 };
static const double ONE_LANGUAGE = 0.985; /* CLD2's score of a text in one language is 0.99 or 1 */

/**
 * CLD2's time grows with the bytes, and for most pages part of the longest line is enough. Where it is not, CLD2 gets
 * the whole sample; it gets a sample that is only a little longer than that part at once.
 */
static int ask_cld2(const struct sample *s, struct language_answer *answer)
{
	size_t len = FIRST_BYTES;

	if (s->len > len + len / 2) {
		while (((uint8_t)s->text[len] & 0xc0) == 0x80)
			len--;
		if (cld2_detect(s->text, len, answer) < 0)
			return -1;
		if (answer->score > ONE_LANGUAGE)
			return 0;
	}
	return cld2_detect(s->text, s->len, answer);
}

/**
 * Asks the detector, and looks at the letters where CLD2 does not know all languages of the script. Returns -1 if
 * memory is exhausted.
 */
static int detect(const struct language *l, const struct sample *s, struct language_answer *answer)
{
	*answer = (struct language_answer){ .tag = "" };
	if (!s->len)
		return 0;
#ifdef HAVE_FASTTEXT
	if (l->model) {
		if (language_model_detect(l->model, s->text, s->len, answer))
			return -1;
	} else
#endif
	{
		if (ask_cld2(s, answer) < 0)
			return -1;
		const char *other = language_of_letters(s->text, s->len);
		if (other) {
			snprintf(answer->tag, sizeof(answer->tag), "%s", other);
			answer->score = answer->score > 0 ? answer->score : 1;
		}
	}
	if (answer->score < l->threshold)
		answer->tag[0] = '\0';
	return 0;
}

static void add_share(struct shares *s, const char *tag, size_t bytes)
{
	size_t i = 0;

	while (i < s->n && strcmp(s->list[i].tag, tag) != 0)
		i++;
	if (i == LANGUAGES_MOST)
		return;
	if (i == s->n)
		s->list[s->n++] = (struct share){ .bytes = 0 };
	memcpy(s->list[i].tag, tag, strlen(tag) + 1);
	s->list[i].bytes += bytes;
	for (; i && s->list[i].bytes > s->list[i - 1].bytes; i--) {
		struct share swap = s->list[i];
		s->list[i] = s->list[i - 1];
		s->list[i - 1] = swap;
	}
}

/** Detects the language of each paragraph that is long enough. */
static int detect_paragraphs(const struct language *l, struct dana_view text, struct shares *shares)
{
	struct language_answer answer;

	*shares = (struct shares){ .n = 0 };
	for (size_t at = 0; at < text.len;) {
		const char *lf = memchr(text.data + at, '\n', text.len - at);
		size_t len = lf ? (size_t)(lf - text.data) - at : text.len - at;
		if (len >= PARAGRAPH_LEAST) {
			struct sample sample;
			sample_take(&sample, text.data + at, len);
			if (detect(l, &sample, &answer))
				return -1;
			if (answer.tag[0])
				add_share(shares, answer.tag, len);
			shares->bytes += len;
		}
		at += len + 1;
	}
	return 0;
}

static int set_language(const struct language *l, struct dana_page *p, const struct language_answer *answer,
			const struct shares *shares)
{
	char codes[4 * LANGUAGES_MOST] = "", code[4];
	const char *first = iso639_3(answer->tag, code);
	size_t len = first ? strlen(first) : 0;

	if (first)
		memcpy(codes, first, len + 1);

	for (size_t i = 0; shares && i < shares->n && i < (size_t)l->most; i++) {
		const char *next = iso639_3(shares->list[i].tag, code);
		if (next && !strstr(codes, next))
			len += (size_t)snprintf(codes + len, sizeof(codes) - len, "%s%s", len ? "," : "", next);
	}
	return l->host->set_language(p, (struct dana_view){ answer->tag, strlen(answer->tag) },
				     (struct dana_view){ codes, len }, answer->tag[0] ? answer->score : -1);
}

/** "languages":{"shares":[{"tag":"fa","share":0.8},...]} */
static int put_shares(const struct language *l, struct dana_page *p, const struct shares *shares)
{
	char json[LANGUAGES_MOST * 64] = "[";
	size_t len = 1;

	for (size_t i = 0; i < shares->n && i < (size_t)l->most; i++)
		len += (size_t)snprintf(json + len, sizeof(json) - len, "%s{\"tag\":\"%s\",\"share\":%.3f}",
					i ? "," : "", shares->list[i].tag,
					(double)shares->list[i].bytes / (double)shares->bytes);
	json[len++] = ']';
	return l->host->put_json(p, "shares", (struct dana_view){ json, len });
}

static bool listed(const struct language *l, const char *option, const char *tag)
{
	struct dana_view item;

	for (size_t i = 0; (item = l->host->option_item(l->context, option, i)).data; i++)
		if (tag[0] ? tag_matches(tag, item.data, item.len) : item.len == 7 && !memcmp(item.data, "unknown", 7))
			return true;
	return false;
}

static int language_page(void *instance, struct dana_page *p)
{
	const struct language *l = instance;
	struct dana_view text = l->host->text(p);
	struct language_answer answer;
	struct shares shares;
	struct sample sample;

	sample_take(&sample, text.data, text.len);
	if (detect(l, &sample, &answer) || (l->most > 1 && detect_paragraphs(l, text, &shares)))
		return l->host->page_fail(p, "out of memory");
	int status = set_language(l, p, &answer, l->most > 1 ? &shares : NULL);
	if (!status && l->most > 1)
		status = put_shares(l, p, &shares);
	if (status)
		return status;
	if (l->host->option_is_set(l->context, "include") && !listed(l, "include", answer.tag))
		return l->host->drop(p, "not_included");
	return listed(l, "exclude", answer.tag) ? l->host->drop(p, "excluded") : DANA_KEEP;
}

DANA_PLUGIN(language) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE | DANA_PLUGIN_LANGUAGE,
	.name = "language",
	.version = "1",
	.help = "finds the language of a page, and keeps or drops pages by it",
	.object = "languages",
	.options = language_options,
	.load = language_load,
	.page = language_page,
	.unload = language_unload,
};
