/* SPDX-License-Identifier: MIT */
/*
 * language: finds the language of a page from the longest lines of its text, and keeps or drops pages by it.
 *
 * The language is unknown if the detector is not sure or its score is below the threshold. An unknown language is never
 * replaced by a guess: the document's language is null, and lists name it `unknown`.
 */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dana/dana_plugin.h"
#include "plugins/language/detector.h"
#include "plugins/language/iso639_list.h"

enum { SAMPLE_BYTES = 512 };

struct sample {
	char text[SAMPLE_BYTES + 1];
	size_t len;
};

enum { LETTERS_SHARE = 2 };

/* The table is sorted by its codes of two letters. */

static int by_code(const void *key, const void *row)
{
	return memcmp(key, ((const struct iso639_row *)row)->two, 2);
}

static const struct iso639_row *row_of(const char *two)
{
	return bsearch(two, iso639_list, sizeof(iso639_list) / sizeof(iso639_list[0]), sizeof(iso639_list[0]), by_code);
}

/** Returns the length of the first subtag of a BCP 47 tag. */
static size_t primary_subtag(const char *tag)
{
	return strcspn(tag, "-");
}

/** Returns the three-letter code of a tag's language; NULL if it has no such code. */
static const char *iso639_3(const char *tag, char out[4])
{
	size_t len = primary_subtag(tag);
	const struct iso639_row *row = len == 2 ? row_of(tag) : NULL;
	if (!row && len != 3)
		return NULL;
	memcpy(out, row ? row->three : tag, 3);
	out[3] = '\0';
	return out;
}

/**
 * Returns whether `item` of a user's list names the language of the tag: "zh" and "zho" name "zh-Hant", "zh-Hant" only
 * itself.
 */
static bool tag_matches(const char *tag, const char *item, size_t len)
{
	size_t n = memchr(item, '-', len) ? strlen(tag) : primary_subtag(tag);
	char code[4];
	if (len == 3 && iso639_3(tag, code))
		return !memcmp(code, item, len);
	return n == len && !memcmp(tag, item, len);
}

/*
 * One pass keeps the SAMPLE_LINES longest lines, longest first; of equal ones the earlier. They are copied in this
 * order until the sample is full.
 */

enum { SAMPLE_LINES = 16 };

struct sample_line {
	const char *data;
	size_t len;
};

/**
 * Fills the sample with the longest lines of well-formed UTF-8, longest first, up to SAMPLE_BYTES; the last may be cut.
 */
static void sample_take(struct sample *s, const char *text, size_t len)
{
	struct sample_line lines[SAMPLE_LINES];
	size_t n = 0;
	for (const char *at = text, *end = text + len; at < end;) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		struct sample_line line = { at, (size_t)((lf ? lf : end) - at) };
		size_t place = n;
		while (place > 0 && lines[place - 1].len < line.len)
			place--;
		if (line.len && place < SAMPLE_LINES) {
			n += n < SAMPLE_LINES;
			memmove(&lines[place + 1], &lines[place], (n - 1 - place) * sizeof(*lines));
			lines[place] = line;
		}
		at = lf ? lf + 1 : end;
	}

	s->len = 0;
	for (size_t i = 0; i < n && s->len < SAMPLE_BYTES; i++) {
		/* cut before the first character that does not fit */
		struct sample_line line = lines[i];
		if (s->len)
			s->text[s->len++] = '\n';
		const size_t room = SAMPLE_BYTES - s->len;
		if (line.len > room)
			for (line.len = room; line.len && (line.data[line.len] & 0xc0) == 0x80;)
				line.len--;
		memcpy(s->text + s->len, line.data, line.len);
		s->len += line.len;
	}
}

/*
 * One pass over the two-byte characters U+0600 to U+06FF: a byte 0xD8 to 0xDB and a continuation byte. A letter that
 * two of the languages share counts for neither. Most texts have no such character, and their bytes are looked at
 * together.
 */

enum { PASHTO, SORANI, UYGHUR, SINDHI, LANGUAGES };

static const char *const tags[LANGUAGES] = { "ps", "ckb", "ug", "sd" };

static const struct {
	uint16_t letter;
	uint8_t language;
} own_letters[] = {
	{ 0x067c, PASHTO }, { 0x0681, PASHTO }, { 0x0685, PASHTO }, { 0x0689, PASHTO }, { 0x0693, PASHTO },
	{ 0x0696, PASHTO }, { 0x069a, PASHTO }, { 0x06ab, PASHTO }, { 0x06bc, PASHTO }, { 0x06cd, PASHTO },
	{ 0x0695, SORANI }, { 0x06b5, SORANI }, { 0x06ce, SORANI }, { 0x06ad, UYGHUR }, { 0x06c7, UYGHUR },
	{ 0x06c8, UYGHUR }, { 0x06cb, UYGHUR }, { 0x067b, SINDHI }, { 0x067d, SINDHI }, { 0x067f, SINDHI },
	{ 0x0680, SINDHI }, { 0x0683, SINDHI }, { 0x0684, SINDHI }, { 0x0687, SINDHI }, { 0x068a, SINDHI },
	{ 0x068d, SINDHI }, { 0x068f, SINDHI }, { 0x06a6, SINDHI }, { 0x06aa, SINDHI }, { 0x06b1, SINDHI },
	{ 0x06b3, SINDHI }, { 0x06bb, SINDHI },
};

/* Compilers turn this into vector instructions, as nothing ends the inner loop early. */
static bool has_arabic(const char *text, size_t len)
{
	enum { LANES = 16 };
	uint8_t found[LANES] = { 0 }, any = 0;
	size_t i = 0;
	for (; i + LANES <= len; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			found[k] |= ((uint8_t)text[i + k] & 0xfc) == 0xd8;
	for (; i < len; i++)
		any |= ((uint8_t)text[i] & 0xfc) == 0xd8;
	for (size_t k = 0; k < LANES; k++)
		any |= found[k];
	return any;
}

/**
 * Returns the language whose own letters are at least LETTERS_SHARE percent of the letters of Arabic script, and more
 * than those of any other; NULL if there is no such language.
 */
static const char *language_of_letters(const char *text, size_t len)
{
	size_t counts[LANGUAGES] = { 0 }, letters = 0;
	int best = 0;
	if (!has_arabic(text, len))
		return NULL;
	for (size_t i = 0; i + 1 < len; i++) {
		uint8_t lead = (uint8_t)text[i];
		if (lead < 0xd8 || lead > 0xdb)
			continue;
		uint16_t letter = (uint16_t)((lead & 0x1f) << 6 | (text[i + 1] & 0x3f));
		letters += letter >= 0x0620;
		for (size_t k = 0; k < sizeof(own_letters) / sizeof(own_letters[0]); k++)
			counts[own_letters[k].language] += own_letters[k].letter == letter;
	}
	for (int i = 1; i < LANGUAGES; i++)
		best = counts[i] > counts[best] ? i : best;
	return letters && 100 * counts[best] >= LETTERS_SHARE * letters ? tags[best] : NULL;
}

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
	for (size_t i = 0; (item = l->host->option_item(c, option, i)).data; i++) {
		/* a two-letter code of a language, or three letters, then any subtags */
		const char *hyphen = memchr(item.data, '-', item.len);
		const size_t primary = hyphen ? (size_t)(hyphen - item.data) : item.len;
		bool is_tag = primary == 3 || (primary == 2 && row_of(item.data));
		for (size_t k = 0; k < primary; k++)
			is_tag &= item.data[k] >= 'a' && item.data[k] <= 'z';
		if (!is_tag && !(item.len == 7 && !memcmp(item.data, "unknown", 7)))
			return l->host->fail(
				c, "%s: \"%.*s\" is not a language; expected tags such as fa or zh-Hant, or unknown",
				option, (int)item.len, item.data);
	}
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
	if (!status && l->most > 1) {
		/* "languages":{"shares":[{"tag":"fa","share":0.8},...]} */
		char json[LANGUAGES_MOST * 64] = "[";
		size_t len = 1;
		for (size_t i = 0; i < shares.n && i < (size_t)l->most; i++)
			len += (size_t)snprintf(json + len, sizeof(json) - len, "%s{\"tag\":\"%s\",\"share\":%.3f}",
						i ? "," : "", shares.list[i].tag,
						(double)shares.list[i].bytes / (double)shares.bytes);
		json[len++] = ']';
		status = l->host->put_json(p, "shares", (struct dana_view){ json, len });
	}
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
