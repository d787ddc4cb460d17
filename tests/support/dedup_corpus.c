/* SPDX-License-Identifier: MIT */
/*
 * dedup_corpus FIRST COUNT TRUTH >WARC: pages made at random of which is known what they repeat. Page n has the record
 * id urn:uuid:00000000-0000-4000-8000-N in hexadecimal, and in TRUTH a line "n kind of": the kind, and for pages that
 * repeat another its number, which is lower. A page depends on its number only: an archive may be made in parts.
 *
 *	own       repeats nothing
 *	exact     the same words as an earlier page, other white space
 *	light     one word in 100 changed
 *	twentieth one word in 20 changed
 *	chain     one word in 50 changed of the chain's page before it; chains have five pages
 *	shared    own, but for one paragraph of an earlier page
 *
 * Pages belong to hosts of 200; on every fourth host they stand in a template of a dozen lines of the host's.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 20000, PER_HOST = 200, TEMPLATE = 12, CHAIN = 5, PARAGRAPHS = 6, MOST = 1 << 16 };

enum kind { OWN, EXACT, LIGHT, TWENTIETH, CHAINED, SHARED };
static const char *const kinds[] = { "own", "exact", "light", "twentieth", "chain", "shared" };

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xD1B54A32D192ED03) + 1;
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/* ---- what a page is ---- */

/* Pages 5 k to 5 k + 4 are a chain for one k in twenty. */
static bool in_chain(uint64_t n)
{
	return n >= 100 && mix(n / CHAIN, 2) % 20 == 0;
}

static enum kind real_kind(uint64_t n)
{
	if (in_chain(n))
		return n % CHAIN ? CHAINED : OWN;
	uint64_t share = mix(n, 1) % 100;
	if (n < 100)
		return OWN;
	if (share >= 90 && n % CHAIN != 0)
		return OWN; /* chains begin at every fifth page */
	return share < 50   ? OWN
	       : share < 60 ? EXACT
	       : share < 70 ? LIGHT
	       : share < 80 ? TWENTIETH
	       : share < 90 ? SHARED
			    : OWN;
}

/* The page that is repeated: one that repeats nothing itself. */
static uint64_t source_of(uint64_t n)
{
	uint64_t of;
	if (real_kind(n) == CHAINED)
		return n - 1;
	for (uint64_t i = 0;; i++) {
		of = mix(n, 100 + i) % n;
		if (real_kind(of) == OWN && !in_chain(of))
			return of;
	}
}

/* ---- its words ---- */

static char vocabulary[WORDS][16];

/* Common words come often: the square of an even number. */
static uint32_t word_at(uint64_t n, unsigned at)
{
	uint64_t h = mix(n, 1000 + at) % 65536;
	return (uint32_t)(h * h / (UINT64_C(65536) * 65536 / WORDS));
}

struct page {
	uint32_t words[MOST];
	unsigned n, paragraph[PARAGRAPHS + 1]; /* where each begins */
};

static void make_own(uint64_t n, struct page *p)
{
	p->n = 0;
	for (unsigned i = 0; i < PARAGRAPHS; i++) {
		unsigned len = 30 + (unsigned)(mix(n, 50 + i) % 60);
		p->paragraph[i] = p->n;
		for (unsigned k = 0; k < len; k++, p->n++)
			p->words[p->n] = word_at(n, p->n);
	}
	p->paragraph[PARAGRAPHS] = p->n;
}

static void share(uint64_t of, struct page *p)
{
	static struct page other;
	make_own(of, &other);
	unsigned from = other.paragraph[2], len = other.paragraph[3] - from, at = p->paragraph[2];
	/* the third paragraph of the other takes the place of as many words from the third of this one on */
	memcpy(p->words + at, other.words + from, len * sizeof(*p->words));
	p->paragraph[3] = at + len;
	for (unsigned i = 4; i <= PARAGRAPHS; i++) {
		if (p->paragraph[i] < p->paragraph[i - 1] + 5)
			p->paragraph[i] = p->paragraph[i - 1] + 5;
	}
	for (; p->n < p->paragraph[PARAGRAPHS]; p->n++)
		p->words[p->n] = word_at(of + 17, p->n);
	p->paragraph[PARAGRAPHS] = p->n;
}

static void make_page(uint64_t n, struct page *p)
{
	enum kind kind = real_kind(n);
	if (kind == OWN || kind == SHARED) {
		make_own(n, p);
		if (kind == SHARED)
			share(source_of(n), p);
		return;
	}
	make_page(source_of(n), p);
	if (kind != EXACT) {
		const unsigned one_in = kind == LIGHT ? 100 : kind == TWENTIETH ? 20 : 50;
		for (unsigned i = (unsigned)(mix(n, 7) % one_in); i < p->n; i += one_in)
			p->words[i] = (p->words[i] + 1 + (uint32_t)(mix(n, 9000 + i) % (WORDS - 1))) % WORDS;
	}
}

/* ---- the archive ---- */

static char html[MOST * 16];
static size_t html_len;

static void put(const char *text)
{
	size_t len = strlen(text);
	memcpy(html + html_len, text, len);
	html_len += len;
}

static void put_template(uint64_t host, unsigned half)
{
	for (unsigned i = half * TEMPLATE / 2; i < (half + 1) * TEMPLATE / 2; i++) {
		put("<p>");
		for (unsigned k = 0; k < 6 + i % 5; k++) {
			put(vocabulary[word_at(UINT64_MAX - host, i * 50 + k)]);
			put(" ");
		}
		put("</p>\n");
	}
}

int main(int argc, char **argv)
{
	static struct page page;
	if (argc != 4)
		return 3;
	uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
	FILE *truth = fopen(argv[3], "w");
	if (!truth)
		return 1;
	static const char *const letters[] = { "e", "t", "a", "o",        "i",        "n",        "s",
					       "r", "h", "l", "d",        "c",        "u",        "m",
					       "f", "p", "g", "\xc3\xa9", "\xd0\xb6", "\xd8\xb3", "\xd9\x84" };
	for (uint64_t w = 0; w < WORDS; w++) {
		uint64_t h = mix(w, 3);
		unsigned len = 2 + (unsigned)(h % 6);
		for (unsigned i = 0; i < len; i++) {
			h = mix(h, i);
			strcat(vocabulary[w], letters[w % 50 ? h % 17 : h % 21]);
		}
	}
	for (uint64_t n = first; n < first + count; n++) {
		enum kind kind = real_kind(n);
		make_page(n, &page);
		uint64_t host = n / PER_HOST;
		const char *gap = real_kind(n) == EXACT ? " \n " : " ";
		html_len = 0;
		put("<!doctype html><meta charset=utf-8><title>");
		put(vocabulary[n % WORDS]);
		put("</title><body>\n");
		if (host % 4 == 3)
			put_template(host, 0);
		for (unsigned i = 0; i < PARAGRAPHS; i++) {
			put("<p>");
			for (unsigned k = page.paragraph[i]; k < page.paragraph[i + 1]; k++) {
				put(vocabulary[page.words[k]]);
				put(k + 1 < page.paragraph[i + 1] ? gap : ".");
			}
			put("</p>\n");
		}
		if (host % 4 == 3)
			put_template(host, 1);
		put("</body>\n");
		static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
		printf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: "
		       "<urn:uuid:00000000-0000-4000-8000-%012" PRIx64 ">\r\n"
		       "WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://www.host%" PRIu64 ".org/%" PRIu64
		       "\r\n"
		       "Content-Type: application/http;msgtype=response\r\nContent-Length: %zu\r\n\r\n%s",
		       n, n / PER_HOST, n, sizeof(head) - 1 + html_len, head);
		fwrite(html, 1, html_len, stdout);
		fputs("\r\n\r\n", stdout);
		fprintf(truth, "%" PRIu64 " %s", n, kinds[kind]);
		if (kind != OWN)
			fprintf(truth, " %" PRIu64, source_of(n));
		fputc('\n', truth);
	}
	return fclose(truth) != 0 || fflush(stdout) != 0;
}
