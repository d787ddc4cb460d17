/* SPDX-License-Identifier: MIT */
/*
 * Judges the blocks of a page. Stage one gives each block a probability from its own features and those of its
 * neighbours. Stage two does the same again with features of the whole page, which need the results of stage one.
 *
 * Then near-copies are told apart (alike), the evidence of other pages of the site is applied (site), the blocks to
 * keep are chosen (stage2.h), and, for `dana explain`, the strongest reasons of each block are listed (explanation).
 * Lengths are in units: a character that is not white space is one, a wide one is two.
 *
 * Runs both stages. Features are computed for 64 blocks at a time (a tile), because the trees compare a feature of many
 * blocks with one constant at once; the second stage starts when the first has seen all blocks, as its features are
 * sums over the page of the first stage's results.
 *
 * Example: a page of 100 blocks is two tiles, of 64 and of 36 blocks, in each stage.
 */
#include "extract/learned/classifier.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cpu.h"
#include "base/status.h"
#include "extract/learned/features.h"
#include "extract/learned/model.h"
#include "extract/learned/tokens.h"
#include "extract/method.h"

/* A block weighs this much more in its own mean: 1 to 4 did the same for lists, 4 was best for articles. */
enum { OWN = 4 };

int alike_judge(struct alike *x, const struct blocks *b, const struct aggregates *a, const struct units *u,
		const int32_t *margin, int32_t *together)
{
	const struct grow_array arrays[] = { GROW_ARRAY(x->group), GROW_ARRAY(x->sum) };
	int status = renew_arrays(arrays, 2, b->n_blocks, &x->cap);
	if (status == DANA_OK)
		status = key_trie_reset(&x->keys, b->n_blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		/* what is equal for blocks alike; both numbers are below 2^16, as there are at most 65,536 elements */
		const uint32_t element = b->block[i].element, unit = u->place[element].inner;
		const uint32_t sequence = unit ? u->sequence[u->place[unit].sequence].number + 1 : 0;
		const uint32_t key = a->sum[element].path << 16 | sequence;
		const uint32_t known = x->keys.n, group = key_trie_number(&x->keys, key);
		struct alike_sum *sum = &x->sum[group];
		x->group[i] = group;
		if (group == known)
			*sum = (struct alike_sum){ 0 };
		sum->margin += margin[i];
		sum->blocks++;
	}
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct alike_sum *sum = &x->sum[x->group[i]];
		together[i] = (int32_t)((OWN * (int64_t)margin[i] + sum->margin) / (OWN + (int64_t)sum->blocks));
	}
	return DANA_OK;
}

void alike_free(struct alike *x)
{
	key_trie_free(&x->keys);
	free(x->group);
	free(x->sum);
	*x = (struct alike){ 0 };
}

/* RUN: words of a run; LEAST: words of a block that can be a copy; BITS: of the set for each word of kept blocks. */
enum { RUN = 5, LEAST = 8, BITS = 16, SET_LEAST = 1 << 12 };

/* The set and its size, a power of two of bits. */
struct run_set {
	uint64_t *bits;
	unsigned shift; /* of a hash to its bit */
};

/* Returns whether a text is a copy of earlier ones. If not, its runs of words are added to those that are known. */
static bool copies_take(struct copies *c, const struct run_set *set, struct slice text)
{
	const uint64_t x = 0x9E3779B97F4A7C15U, x2 = x * x, x4 = x2 * x2;
	uint64_t run = 0; /* hash of the last RUN words: a polynomial, whose oldest word can be taken off */
	uint32_t n = 0, known = 0;
	if (words_are_fewer(text, RUN))
		return false;
	const uint32_t words = words_hashes(text, c->block_words + RUN);
	for (uint32_t k = 0; k < words; k++) {
		run = (run + c->block_words[RUN + k]) * x - c->block_words[k] * (x4 * x2);
		if (k + 1 < RUN)
			continue;
		const uint64_t bit = (run ^ run >> 29) * 0xD6E8FEB86659FD93U >> set->shift;
		c->block_runs[n++] = bit;
		known += (uint32_t)(set->bits[bit / 64] >> bit % 64 & 1);
	}
	if (words >= LEAST && 5 * (uint64_t)known >= 4 * (uint64_t)n) /* four fifths */
		return true;
	for (uint32_t k = 0; k < n; k++)
		set->bits[c->block_runs[k] / 64] |= (uint64_t)1 << c->block_runs[k] % 64;
	return false;
}

/* Of blocks alike less than a third of whose kept words are copies, none is a copy. */
static void copies_agree(struct copies *c, uint32_t n_blocks, const uint32_t *group, const uint16_t *chance,
			 uint32_t threshold, const uint32_t *words)
{
	memset(c->copied, 0, n_blocks * sizeof(*c->copied));
	for (uint32_t i = 0; i < n_blocks; i++) {
		struct copied_words *w = &c->copied[group[i]];
		w->kept += chance[i] >= threshold ? words[i] : 0;
		w->copied += c->is_copy[i] ? words[i] : 0;
	}
	for (uint32_t i = 0; i < n_blocks; i++)
		c->is_copy[i] = c->is_copy[i] && 3 * c->copied[group[i]].copied >= c->copied[group[i]].kept;
}

/* Of two blocks next to each other: whether they are lines of one element, or cells of a row; their elements may only
 * be siblings. */
enum bond { BOND_NONE, BOND_SIBLINGS, BOND_LINES };

static enum bond bond_of(const struct blocks *b, uint32_t i)
{
	const struct block *one = &b->block[i], *next = one + 1;
	if (one->element == next->element)
		return BOND_LINES;
	if (b->element[one->element].parent != b->element[next->element].parent)
		return BOND_NONE;
	return one->tag == HTML_TAG_TD || next->tag == HTML_TAG_TD ? BOND_LINES : BOND_SIBLINGS;
}

/*
 * Where text would break off, in the middle of a paragraph, a list or a row of a table, a few words are not copies,
 * unless most of them are links.
 */
static void copies_spare(struct copies *c, const struct blocks *b, const uint16_t *chance, uint32_t threshold,
			 const uint32_t *words)
{
	enum { WORDS_MOST = 40 };
	for (uint32_t i = 0, end; i < b->n_blocks; i = end) {
		const bool *const next = memchr(c->is_copy + i, true, b->n_blocks - i);
		if (!next)
			return;
		i = (uint32_t)(next - c->is_copy);
		uint64_t sum = 0, units = 0, linked = 0;
		for (end = i; end < b->n_blocks && c->is_copy[end]; end++) {
			sum += words[end];
			units += b->block[end].counts.units;
			linked += b->block[end].linked;
		}
		const enum bond before = i && chance[i - 1] >= threshold ? bond_of(b, i - 1) : BOND_NONE,
				after = end < b->n_blocks && chance[end] >= threshold ? bond_of(b, end - 1) : BOND_NONE;
		const bool between = before && after, broken = before == BOND_LINES || after == BOND_LINES;
		if (sum <= WORDS_MOST && 2 * linked < units && (between || broken))
			memset(c->is_copy + i, 0, (end - i) * sizeof(*c->is_copy));
	}
}

/* Returns whether two blocks are neither lines of one element nor children of one. */
static bool are_apart(const struct blocks *b, uint32_t i, uint32_t k)
{
	const uint32_t e = b->block[i].element, f = b->block[k].element;
	return e != f && b->element[e].parent != b->element[f].parent;
}

/*
 * Returns how many words are in runs of the n kept blocks that have the texts of earlier ones elsewhere, in their
 * order. A refrain is beside what it repeats. `take`: they are copies.
 */
static uint64_t words_again(struct copies *c, const struct blocks *b, const uint32_t *text, uint32_t n,
			    const uint32_t *words, bool take)
{
	enum { BLOCKS_LEAST = 2, WORDS_LEAST = 40 };
	uint64_t all = 0;
	memset(c->first, 0, b->n_blocks * sizeof(*c->first));
	for (uint32_t k = 0, len; k < n; k += len) {
		uint32_t *const first = &c->first[text[c->order[k]]];
		const uint32_t before = *first - 1;
		uint64_t sum = 0;
		len = 0;
		while (*first && k + len < n && before + len < k &&
		       text[c->order[before + len]] == text[c->order[k + len]])
			sum += words[c->order[k + len++]];
		if (len >= BLOCKS_LEAST && sum >= WORDS_LEAST && are_apart(b, c->order[before], c->order[k])) {
			all += sum;
			for (uint32_t i = k; take && i < k + len; i++)
				c->is_copy[c->order[i]] = true;
		}
		if (!*first) {
			*first = k + 1;
			len = 1;
		}
	}
	return all;
}

/* Finds what comes again, if it has a quarter of the kept words. Linear time. */
static int copies_find_again(struct copies *c, const struct blocks *b, const struct aggregates *a,
			     const uint16_t *chance, uint32_t threshold, const uint32_t *words)
{
	enum { SHARE = 4 };
	uint64_t kept = 0, equal = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		if (chance[i] < threshold)
			continue;
		kept += words[i];
		if (a->copies[a->text[i]] > 1)
			equal += words[i];
	}
	if (equal == 0 || equal * SHARE < kept) /* as on most pages */
		return DANA_OK;
	const struct grow_array arrays[] = { GROW_ARRAY(c->is_copy), GROW_ARRAY(c->copied), GROW_ARRAY(c->order),
					     GROW_ARRAY(c->first) };
	const int status = renew_arrays(arrays, 4, b->n_blocks, &c->cap_blocks);
	if (status < 0)
		return status;
	uint32_t n = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		if (chance[i] >= threshold)
			c->order[n++] = i;
	}
	const uint64_t again = words_again(c, b, a->text, n, words, false);
	if (again == 0 || again * SHARE < kept)
		return DANA_OK;
	if (!c->any)
		memset(c->is_copy, 0, b->n_blocks * sizeof(*c->is_copy));
	c->any = true;
	(void)words_again(c, b, a->text, n, words, true);
	return DANA_OK;
}

/*
 * Finds the copies among the blocks of at least this chance, which have so many words, on pages of which any block may
 * be one. `group`: of blocks alike. Linear time.
 */
static int copies_find_words(struct copies *c, const struct blocks *b, const uint32_t *group, const uint16_t *chance,
			     uint32_t threshold, const uint32_t *words)
{
	struct run_set set;
	uint64_t kept = 0;
	size_t most = 0; /* bytes of a kept block */
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		if (chance[i] < threshold)
			continue;
		kept += words[i];
		most = b->block[i].text_len > most ? b->block[i].text_len : most;
	}
	const struct grow_array blocks[] = { GROW_ARRAY(c->is_copy), GROW_ARRAY(c->copied), GROW_ARRAY(c->order),
					     GROW_ARRAY(c->first) };
	int status = renew_arrays(blocks, 4, b->n_blocks, &c->cap_blocks);
	if (status == DANA_OK) {
		/* an empty set with room for the runs of so many words */
		const struct grow_array bits = GROW_ARRAY(c->runs);
		uint64_t size = SET_LEAST;
		set.shift = 64 - 12;
		for (; size < kept * BITS; size *= 2)
			set.shift--;
		const struct grow_array of_block[] = { GROW_ARRAY(c->block_words), GROW_ARRAY(c->block_runs) };
		status = renew_arrays(&bits, 1, size / 64, &c->cap_runs);
		if (status == DANA_OK) /* a word has a byte, and one after it, or three */
			status = renew_arrays(of_block, 2, RUN + most / 2 + 1, &c->cap_block);
		if (status == DANA_OK) {
			memset(c->runs, 0, size / 8);
			memset(c->block_words, 0, RUN * sizeof(*c->block_words));
		}
		set.bits = c->runs;
	}
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++)
		c->is_copy[i] = chance[i] >= threshold && copies_take(c, &set, block_text(b, &b->block[i]));
	if (status == DANA_OK)
		copies_agree(c, b->n_blocks, group, chance, threshold, words);
	if (status == DANA_OK)
		copies_spare(c, b, chance, threshold, words);
	return status;
}

/** Finds the copies. `group`: of blocks alike. */
static int copies_find(struct copies *c, const struct blocks *b, const struct aggregates *a, enum page_kind kind,
		       const uint32_t *group, const uint16_t *chance, uint32_t threshold, const uint32_t *words)
{
	c->any = kind == KIND_LIST || kind == KIND_PRODUCT || kind == KIND_SERVICE;
	const int status = c->any ? copies_find_words(c, b, group, chance, threshold, words) : DANA_OK;
	return status < 0 || kind == KIND_FORUM ? status : copies_find_again(c, b, a, chance, threshold, words);
}

static void copies_free(struct copies *c)
{
	free(c->is_copy);
	free(c->order);
	free(c->first);
	free(c->copied);
	free(c->runs);
	free(c->block_words);
	free(c->block_runs);
	*c = (struct copies){ 0 };
}

/*
 * Log odds (1/4096) between which a block is looked up: one below them can only fall, and one above stays main text.
 * More would change nothing but the cost, of texts more than SITE_TEXT from 0. All texts are learned: the plugin
 * boilerplate uses tables, too, and other methods have other doubts.
 */
enum { SITE_DOUBT = -3 * 4096, SITE_SURE = 3 * 4096, SITE_TEXT = 2 * 4096 };

uint32_t site_copies(const uint64_t words[SITE_MANY + 1], uint32_t others)
{
	enum { SHARE = 5, FEW = 5 };
	const uint32_t half = others / 2 + others % 2, most = half < SITE_MANY ? half : SITE_MANY;
	uint32_t from = most > FEW ? most : FEW;
	uint64_t all = 0, own = 0, held = 0;
	for (uint32_t n = 0; n <= SITE_MANY; n++) {
		all += words[n];
		own += n < from ? words[n] : 0;
	}
	if (own * SHARE < all) { /* the whole page is on so many */
		own = all;
		from = SITE_MANY + 1;
	}
	while (--from) {
		held += words[from];
		if (held && held * SHARE >= own)
			break;
	}
	return from;
}

/* How many of the pages that have something are no copies. */
static uint32_t no_copies(uint32_t pages, uint32_t copies)
{
	return pages > copies && copies < SITE_MANY ? pages - copies : 0;
}

int32_t site_shift(uint32_t pages, uint32_t others, uint32_t copies)
{
	pages = no_copies(pages, copies);
	others = no_copies(others, copies);
	/* log2(1 + pages) in 1/4096 */
	static const int32_t shift[] = { 0, 4096, 6492, 8192, 9511 };
	enum { MOST = sizeof(shift) / sizeof(*shift) - 1, FULL = 10, SHARE = 5 };
	const int32_t all = shift[pages < MOST ? pages : MOST];
	const uint32_t whole = others < FULL * SHARE ? others : FULL * SHARE;
	return pages < FULL && pages * SHARE < whole ? all * (int32_t)(pages * SHARE) / (int32_t)whole : all;
}

/* A page's mean log odds on a path are given in steps of 1/8, from SITE_DOUBT on. */
enum { SITE_STEP = 4096 / 8 };

int32_t site_place_shift(uint32_t pages, uint64_t sum, uint32_t copies)
{
	enum { MOST = 3, TENTHS = 3, STEPS = (SITE_SURE - SITE_DOUBT) / SITE_STEP };
	const uint32_t left = no_copies(pages, copies);
	if (left == 0)
		return 0;
	if (sum > (uint64_t)pages * STEPS)
		sum = (uint64_t)pages * STEPS;
	const int32_t mean = SITE_DOUBT + (int32_t)(sum * SITE_STEP / pages);
	return -mean * TENTHS * (int32_t)(left < MOST ? left : MOST) / 10;
}

/* The balance of a page, which its kind moves. */
static uint32_t page_balance(const struct classifier *c, uint32_t balance)
{
	return balance * kind_lean(&c->stage2_features.kind) / LEAN_ONE;
}

static uint32_t path_of(const struct classifier *c, const struct block *block)
{
	return c->aggregates.sum[block->element].path;
}

static int32_t in_doubt(int32_t margin)
{
	return margin < SITE_DOUBT ? SITE_DOUBT : margin > SITE_SURE ? SITE_SURE : margin;
}

/* Tells the site's source of the path that a block is on, or asks it, once. */
static int ask_place(struct classifier *c, const struct blocks *b, const struct block *block)
{
	const struct site_source *source = c->site.page->source;
	struct site_place *place = &c->site.place[path_of(c, block)];
	if (place->known)
		return DANA_OK;
	const int64_t over = place->sum / place->blocks - SITE_DOUBT;
	place->known = true;
	return source->path(source->arg, b->element[block->element].path,
			    (uint32_t)((over + SITE_STEP / 2) / SITE_STEP), &place->pages, &place->others);
}

/* Returns what a block's log odds lose by its place, or lost if there were no copies. */
static int32_t place_shift(const struct classifier *c, const struct block *block, uint32_t copies)
{
	const struct site_place *place = &c->site.place[path_of(c, block)];
	return site_place_shift(place->pages, place->others, copies);
}

/* Sums up each path's log odds. */
static int sum_places(struct classifier *c, const struct blocks *b)
{
	struct site_evidence *s = &c->site;
	const struct grow_array arrays[] = { GROW_ARRAY(s->place) };
	int status = renew_arrays(arrays, 1, c->aggregates.n_paths, &s->cap_places);
	if (status < 0)
		return status;
	memset(s->place, 0, c->aggregates.n_paths * sizeof(*s->place));
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		struct site_place *place = &s->place[path_of(c, &b->block[i])];
		place->sum += in_doubt(c->margin[2][i]);
		place->blocks++;
	}
	return DANA_OK;
}

static int ask_text(struct site_evidence *s, const struct blocks *b, const struct block *block, uint32_t *pages)
{
	const struct site_source *source = s->page->source;
	text_writer_reset(&s->text, 0);
	int status = block_write(b, block, &s->text);
	if (status == DANA_OK)
		status = text_writer_finish(&s->text);
	return status == DANA_OK && s->text.out.len ? source->text(source->arg, buf_slice(&s->text.out), pages)
						    : status;
}

/* Headings and code repeat for other reasons. */
static bool repeats(const struct block *block)
{
	return html_tag_is((enum html_tag)block->tag, TAG_HEADING) || block->tag == HTML_TAG_PRE ||
	       block->tag == HTML_TAG_CODE;
}

/* Pages of a block that is not looked up, and of those one that is kept for sure. */
#define NOT_ASKED UINT32_MAX
#define SURE (UINT32_MAX - 1)

static bool is_asked(const struct block *block, int32_t margin)
{
	return in_doubt(margin) == margin && block->tag != HTML_TAG_H1;
}

/* Looks a block up; its words are added to those that are on so many pages. */
static int ask_kept(struct classifier *c, const struct blocks *b, uint32_t i, uint64_t words[SITE_MANY + 1])
{
	uint32_t *pages = &c->site.pages[i];
	*pages = 0;
	const int status = ask_text(&c->site, b, &b->block[i], pages);
	words[*pages < SITE_MANY ? *pages : SITE_MANY] += c->words[i];
	return status;
}

/*
 * Asks for all places, and finds how many of the other pages are copies. Of the blocks that are kept without these,
 * those that may fall are all looked up; of the sure ones a few, which stand for the others, and none where no page has
 * the former.
 */
static int find_site_copies(struct classifier *c, const struct blocks *b, bool places)
{
	enum { SAMPLE = 4 };
	const uint32_t threshold = decode_best(c->chance, c->words, b->n_blocks, page_balance(c, c->balance)).threshold;
	uint64_t words[SITE_MANY + 1] = { 0 }, some[SITE_MANY + 1] = { 0 };
	uint64_t all = 0, sure = 0, sampled = 0;
	uint32_t n = 0, k = 0;
	int status = DANA_OK;
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		const struct block *block = &b->block[i];
		int32_t margin = c->margin[2][i];
		c->site.pages[i] = NOT_ASKED;
		if (places && is_asked(block, margin)) {
			status = ask_place(c, b, block);
			margin -= place_shift(c, block, 0);
		}
		if (c->chance[i] < threshold || repeats(block))
			continue;
		all += c->words[i];
		if (margin > SITE_TEXT) {
			sure += c->words[i];
			c->site.pages[i] = SURE;
			n++;
		} else if (status == DANA_OK) {
			status = ask_kept(c, b, i, words);
		}
	}
	const bool held = words[0] + sure < all;
	const uint32_t step = (n + SAMPLE - 1) / SAMPLE;
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		if (c->site.pages[i] != SURE)
			continue;
		c->site.pages[i] = NOT_ASKED;
		if (held && k++ % step == step / 2) {
			status = ask_kept(c, b, i, some);
			sampled += c->words[i];
		}
	}
	for (uint32_t pages = 0; pages <= SITE_MANY && sampled; pages++)
		words[pages] += some[pages] * sure / sampled;
	if (!sampled)
		words[0] += sure;
	c->site.copies = site_copies(words, c->site.page->others);
	return status;
}

/* Tells the source, which learns, of all texts and paths. */
static int site_teach(struct classifier *c, const struct blocks *b)
{
	struct site_evidence *s = &c->site;
	int status = DANA_OK;
	uint32_t pages;
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		if (s->page->source->path)
			status = ask_place(c, b, &b->block[i]);
		if (status == DANA_OK)
			status = ask_text(s, b, &b->block[i], &pages);
	}
	return status;
}

/* Moves the log odds of blocks by what other pages of the site have. */
static int site_move(struct classifier *c, const struct blocks *b, bool places)
{
	struct site_evidence *s = &c->site;
	int status = find_site_copies(c, b, places);
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		const struct block *block = &b->block[i];
		int32_t *margin = &c->margin[2][i];
		const bool asked = is_asked(block, *margin);
		s->shift[i] = s->place_shift[i] = 0;
		if (places && asked) {
			s->place_shift[i] = place_shift(c, block, s->copies);
			*margin -= s->place_shift[i];
		}
		const bool counts = *margin >= -SITE_TEXT && *margin <= SITE_TEXT;
		if (asked && !repeats(block) && (counts || s->shown) && status == DANA_OK) {
			if (s->pages[i] == NOT_ASKED)
				status = ask_text(s, b, block, &s->pages[i]);
			s->shift[i] = counts ? site_shift(s->pages[i], s->page->others, s->copies) : 0;
			*margin -= s->shift[i];
		} else {
			s->pages[i] = 0;
		}
		if (s->shift[i] || s->place_shift[i])
			c->chance[i] = chance_of(*margin);
	}
	s->known = true;
	return status;
}

/* Moves the log odds of blocks by what other pages of the site have, or tells the source, if it learns. */
static int site_judge(struct classifier *c, const struct blocks *b)
{
	struct site_evidence *s = &c->site;
	const bool learns = s->page->source->learned;
	const enum page_kind kind = c->stage2_features.kind.kind;
	const bool places = s->page->source->path &&
			    (learns || (kind != KIND_LIST && kind != KIND_PRODUCT && kind != KIND_SERVICE));
	const struct grow_array arrays[] = { GROW_ARRAY(s->pages), GROW_ARRAY(s->shift), GROW_ARRAY(s->place_shift) };
	int status = renew_arrays(arrays, 3, b->n_blocks, &s->cap);
	if (status == DANA_OK && places)
		status = sum_places(c, b);
	if (status < 0)
		return status;
	return learns ? site_teach(c, b) : site_move(c, b, places);
}

/* The most words of a block in a run that is judged once, and of all of the run. */
enum { SHORT_WORDS = 12, RUN_WORDS_MOST = 40 };

static bool follows(const struct block *before, const struct block *block)
{
	return before->counts.words <= SHORT_WORDS && block->counts.words <= SHORT_WORDS && before->tag == block->tag &&
	       before->hidden == block->hidden &&
	       (2 * (uint64_t)before->linked > before->counts.units) ==
		       (2 * (uint64_t)block->linked > block->counts.units);
}

/* Finds the runs that are judged once. `all`: each block has a column, with the features of its run's first block. */
static void judged_find(struct judged *j, const struct blocks *b, const struct aggregates *a, bool all)
{
	uint32_t words = 0, first = 0, path = 0;
	j->n = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct block *block = &b->block[i];
		const uint32_t path_before = path;
		path = a->sum[block->element].path;
		words += block->counts.words;
		const bool begins = !i || path != path_before || words > RUN_WORDS_MOST || !follows(block - 1, block);
		if (begins) {
			words = block->counts.words;
			first = i;
		}
		if (begins || all)
			j->block[j->n++] = first;
		j->column[i] = j->n - 1;
	}
}

/* Gives each block the log odds of its column. Backwards: a column is never after its blocks. */
static void margins_spread(int32_t *margin, const struct judged *j, uint32_t n_blocks)
{
	for (uint32_t i = n_blocks; i-- > 0;)
		margin[i] = margin[j->column[i]];
}

static uint8_t (*tile_room(struct classifier *c))[TILE]
{
	return (uint8_t(*)[TILE])(c->room + (-(uintptr_t)c->room & (TILE - 1)));
}

static int first_stage(struct classifier *c, const struct blocks *b)
{
	uint8_t(*tile)[TILE] = tile_room(c);
	int32_t margin[TILE];
	int status = aggregates_compute(&c->aggregates, b);
	if (status < 0)
		return status;
	c->features.bias = c->model->bias;
	judged_find(&c->judged, b, &c->aggregates, c->sink.tile);
	status = features_prepare(&c->features, b, &c->aggregates, &c->judged);
	if (status < 0)
		return status;
	for (uint32_t first = 0; first < c->judged.n; first += TILE) {
		uint32_t n = c->judged.n - first < TILE ? c->judged.n - first : TILE;
		features_tile(&c->features, b, &c->aggregates, &c->judged, first, n, tile);
		if (c->sink.tile)
			c->sink.tile(c->sink.arg, 1, first, n, tile);
		if (first == 0)
			page_kind_take(c->stage2_features.kind_row, tile);
		stage2_features_keep(tile, c->kept[first / TILE]);
		trees_margins(&c->model->stage[0], tile, FEATURE_COUNT, n, margin);
		memcpy(c->margin[0] + first, margin, n * sizeof(*margin));
	}
	margins_spread(c->margin[0], &c->judged, b->n_blocks);
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const bool as_before = i && c->margin[0][i] == c->margin[0][i - 1];
		c->chance[i] = as_before ? c->chance[i - 1] : chance_of(c->margin[0][i]);
	}
	return DANA_OK;
}

/*
 * A page that the trees take for documentation, but that has neither code nor terms with definitions, is of the next
 * likeliest kind: most such pages are articles and pages of services.
 */
static void correct_kind(struct kind_result *found, const struct blocks *b)
{
	if (b->n_kept)
		return;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const uint8_t tag = b->block[i].tag;
		if (tag == HTML_TAG_DT || tag == HTML_TAG_DD)
			return;
	}
	found->kind = KIND_OTHER;
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		if (k != KIND_DOCUMENTATION && found->share[k] > found->share[found->kind])
			found->kind = (enum page_kind)k;
	}
}

/* Finds what stands or falls with its neighbours. A description that other pages of the site have does not count.
 */
static int find_dependent(struct classifier *c, const struct blocks *b)
{
	uint32_t described = c->features.totals.described;
	if (described < b->n_blocks && c->site.known && c->site.shift[described] > 0)
		described = b->n_blocks;
	return coherence_find(&c->coherence, b, &c->aggregates, c->stage2_features.kind.kind, described);
}

/* Returns whether a block is left out whatever its neighbours are. */
static bool is_left_out(const struct classifier *c, const struct blocks *b, uint32_t i)
{
	return c->chance[i] == 0 && b->block[i].left & ~LEFT_OPENS;
}

/* Sets the verdict of each block. */
static void decide(struct classifier *c, const struct blocks *b)
{
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const bool copy = c->copies.any && c->copies.is_copy[i];
		c->verdict[i] = c->chance[i] < c->decision.threshold ? VERDICT_UNLIKELY
				: copy                               ? VERDICT_COPY
								     : VERDICT_KEPT;
	}
	for (uint32_t i = 0; c->notes && i < b->n_blocks; i++) {
		const uint32_t of = c->note_of[i];
		if (of && c->verdict[i] == VERDICT_UNLIKELY && c->verdict[of - 1] == VERDICT_KEPT &&
		    !is_left_out(c, b, i))
			c->verdict[i] = VERDICT_NOTE;
	}
	for (uint32_t i = 0; c->left && i < b->n_blocks; i++) {
		if (is_left_out(c, b, i))
			coherence_leave_out(&c->coherence, i);
	}
	coherence_apply(&c->coherence, b, c->verdict);
}

static bool is_unseen(const struct block *block)
{
	return block->left & LEFT_UNSEEN && !(block->left & LEFT_OPENS);
}

/* A walk over the elements that are hidden as a whole. */
struct hidden_walk {
	uint32_t element; /* the outermost hidden one around the last unseen block */
	uint32_t seen; /* elements up to this one were looked at: hidden ones, and the blocks in them, are in order */
};

/* Moves on to block `i`. Returns whether it is unseen. */
static bool hidden_walk_to(struct hidden_walk *walk, const struct blocks *b, uint32_t i)
{
	if (!is_unseen(&b->block[i]))
		return false;
	for (; walk->seen < b->block[i].element; walk->seen++) {
		const struct block_element *e = &b->element[walk->seen + 1];
		if (e->left & LEFT_UNSEEN && !(b->element[e->parent].left & LEFT_UNSEEN))
			walk->element = walk->seen + 1;
	}
	return true;
}

/*
 * Gives no chance to what is hidden, unless a script shows it: text that is much of the page's, in one hidden element
 * or in several on one path, such as the slides of a show.
 */
static void leave_unseen_out(struct classifier *c, const struct blocks *b, uint64_t all)
{
	enum { SHARE = 3, SEVERAL = 3 };
	struct hidden_walk walk = { 0 };
	for (uint32_t i = 0, end; i < b->n_blocks; i = end) {
		struct hidden_walk ahead = walk;
		end = i + 1;
		if (!is_unseen(&b->block[i]))
			continue;
		(void)hidden_walk_to(&ahead, b, i);
		const uint32_t path = b->element[ahead.element].path;
		uint32_t elements = 0, to_first = end, last = 0;
		uint64_t sum = 0, first = 0;
		for (end = i; end < b->n_blocks; end++) {
			if (!hidden_walk_to(&ahead, b, end))
				continue;
			if (b->element[ahead.element].path != path)
				break;
			elements += ahead.element != last;
			last = ahead.element;
			sum += (uint64_t)c->words[end] * c->chance[end];
			first = elements == 1 ? sum : first;
			to_first = elements == 1 ? end + 1 : to_first;
		}
		end = elements < SEVERAL ? to_first : end;
		const bool out = (elements < SEVERAL ? first : sum) * SHARE < all;
		for (uint32_t k = i; k < end; k++) {
			if (hidden_walk_to(&walk, b, k) && out)
				c->chance[k] = 0;
		}
	}
}

/*
 * Gives no chance to what is left out (enum left_out). What an element says of much of a page is true of the page: it
 * does not count there.
 */
static void leave_out(struct classifier *c, const struct blocks *b)
{
	enum { SHARE_APART = 4 };
	/* units without links of tools next to each other, and of links with dividers and a title between them */
	enum { TOOLS_MOST = 120, LINKS_MOST = 12 };
	uint64_t all = 0, apart = 0;
	c->left = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++)
		c->left |= b->block[i].left;
	if (!c->left)
		return;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const uint64_t expected = (uint64_t)c->words[i] * c->chance[i];
		all += expected;
		apart += b->block[i].left & LEFT_APART ? expected : 0;
	}
	const bool apart_counts = apart * SHARE_APART < all;
	if (c->left & LEFT_UNSEEN)
		leave_unseen_out(c, b, all);
	for (uint32_t i = 0, end; i < b->n_blocks; i = end) {
		const unsigned kind = b->block[i].left & (LEFT_TOOLS | LEFT_LINKS);
		uint64_t words = 0;
		end = i + 1;
		if (!b->block[i].left)
			continue;
		for (end = i; end < b->n_blocks && (end == i || (b->block[end].left & kind)); end++)
			words += b->block[end].counts.units - (b->block[end].linked < b->block[end].counts.units
								       ? b->block[end].linked
								       : b->block[end].counts.units);
		const bool tools = kind && words <= (kind & LEFT_TOOLS ? TOOLS_MOST : LINKS_MOST);
		for (uint32_t k = i; k < end; k++) {
			const struct block *block = &b->block[k];
			if (tools || (apart_counts && block->left & LEFT_APART))
				c->chance[k] = 0;
		}
	}
}

int classifier_run(struct classifier *c, const struct blocks *b)
{
	const struct grow_array arrays[] = { GROW_ARRAY(c->margin[0]),    GROW_ARRAY(c->margin[1]),
					     GROW_ARRAY(c->margin[2]),    GROW_ARRAY(c->chance),
					     GROW_ARRAY(c->words),        GROW_ARRAY(c->note_of),
					     GROW_ARRAY(c->judged.block), GROW_ARRAY(c->judged.column),
					     GROW_ARRAY(c->verdict),      { &c->kept, sizeof(*c->kept) / TILE } };
	_Static_assert(GROW_FIRST % TILE == 0, "room is whole tiles");
	int status = renew_arrays(arrays, sizeof(arrays) / sizeof(arrays[0]), b->n_blocks, &c->cap);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_blocks; i++)
		c->words[i] = b->block[i].counts.words ? b->block[i].counts.words : 1;
	c->stage2_features.kind = (struct kind_result){ .kind = KIND_UNKNOWN };
	c->site.known = false;
	status = first_stage(c, b);
	if (status < 0)
		return status;
	if (c->model->stage[0].n && (c->model->stage[1].n || c->sink.tile)) {
		uint8_t(*tile)[TILE] = tile_room(c);
		int32_t margin[TILE];
		const struct first_stage q = { c->margin[0], c->chance, c->words, &c->judged,
					       (const uint8_t(*)[STAGE2_KEPT][TILE])c->kept };
		status = stage2_features_prepare(&c->stage2_features, b, &c->aggregates, &q);
		if (status < 0)
			return status;
		c->stage2_features.kind = page_kind_find(&c->model->kinds, c->stage2_features.kind_row, c->forced);
		if (c->stage2_features.kind.kind == KIND_DOCUMENTATION && c->forced == KIND_UNKNOWN)
			correct_kind(&c->stage2_features.kind, b);
		for (uint32_t first = 0; first < c->judged.n; first += TILE) {
			uint32_t n = c->judged.n - first < TILE ? c->judged.n - first : TILE;
			stage2_features_tile(&c->stage2_features, b, &c->aggregates, &q, first, n, tile);
			if (c->sink.tile)
				c->sink.tile(c->sink.arg, 2, first, n, tile);
			trees_margins(&c->model->stage[1], tile, STAGE2_COUNT, n, margin);
			memcpy(c->margin[1] + first, margin, n * sizeof(*margin));
		}
		margins_spread(c->margin[1], &c->judged, b->n_blocks);
		status = alike_judge(&c->alike, b, &c->aggregates, &c->stage2_features.units.units, c->margin[1],
				     c->margin[2]);
		for (uint32_t i = 0; c->model->stage[1].n && i < b->n_blocks && status == DANA_OK; i++)
			c->chance[i] = chance_of(c->margin[2][i]);
		if (c->site.page && c->site.page->others && status == DANA_OK)
			status = site_judge(c, b);
	}
	if (status < 0)
		return status;
	leave_out(c, b);
	c->decision = decode_best(c->chance, c->words, b->n_blocks, page_balance(c, c->balance));
	/* on pages that sell something they are its conditions */
	const enum page_kind kind = c->stage2_features.kind.kind;
	c->notes = kind != KIND_PRODUCT && kind != KIND_SERVICE && block_notes_find(b, c->note_of);
	status = copies_find(&c->copies, b, &c->aggregates, kind, c->alike.group, c->chance, c->decision.threshold,
			     c->words);
	if (status == DANA_OK)
		status = find_dependent(c, b);
	if (status == DANA_OK)
		decide(c, b);
	return status;
}

uint16_t classifier_alone(const struct classifier *c, uint32_t i)
{
	const struct site_evidence *s = &c->site;
	return s->known ? chance_of(c->margin[2][i] + s->shift[i] + s->place_shift[i]) : c->chance[i];
}

void classifier_free(struct classifier *c)
{
	aggregates_free(&c->aggregates);
	features_free(&c->features);
	stage2_features_free(&c->stage2_features);
	copies_free(&c->copies);
	coherence_free(&c->coherence);
	free(c->verdict);
	alike_free(&c->alike);
	free(c->site.pages);
	free(c->site.shift);
	free(c->site.place_shift);
	free(c->site.place);
	text_writer_free(&c->site.text);
	for (size_t i = 0; i < sizeof(c->margin) / sizeof(c->margin[0]); i++)
		free(c->margin[i]);
	free(c->chance);
	free(c->words);
	free(c->judged.block);
	free(c->judged.column);
	free(c->note_of);
	free(c->kept);
	*c = (struct classifier){ 0 };
}

#define WORDS_ROW(id, reading, zero, words, full) { READ_##reading, zero, words, full },

static const struct feature_words first_words[] = { FEATURE_WORDS(WORDS_ROW) },
				  second_words[] = { STAGE2_WORDS(WORDS_ROW) };

#undef WORDS_ROW

const struct feature_words *feature_words_of(int stage, unsigned feature)
{
	static const uint8_t own[STAGE2_KEPT] = {
#define WORDS_OWN(id) FEATURE_##id,
		STAGE2_FEATURES_KEPT(WORDS_OWN)
#undef WORDS_OWN
	};
	if (stage == 1)
		return &first_words[feature];
	return feature < STAGE2_OWN_TOKENS ? &second_words[feature] : &first_words[own[feature - STAGE2_OWN_TOKENS]];
}

/* Writes two digits of the number that scale_log turned into `value`. */
static void put_log(char *out, size_t size, uint8_t value, unsigned divisor)
{
	static const uint16_t eighths[8] = { 1024, 1117, 1218, 1328, 1448, 1579, 1722, 1878 };
	uint64_t number = ((((uint64_t)eighths[value % 8] << (value / 8)) + 512) >> 10) - 1, unit = 1;
	number /= divisor;
	while (number / unit >= 100)
		unit *= 10;
	number = (number + unit / 2) / unit * unit;
	(void)snprintf(out, size, number < 10 ? "%llu" : "about %llu", (unsigned long long)number);
}

void feature_words_put(char out[FEATURE_TEXT], const struct feature_words *words, uint8_t value)
{
	char number[64];
	const uint8_t full = words->reading == READ_BLOCKS ? 99 : words->reading == READ_SIGN ? 250 : 255;
	if (value == 0 && words->zero) {
		(void)snprintf(out, FEATURE_TEXT, "%s", words->zero);
		return;
	}
	if (words->full && value >= full) {
		(void)snprintf(out, FEATURE_TEXT, "%s", words->full);
		return;
	}
	const size_t size = sizeof(number);
	static const char *const types[] = { "nothing", "something else", "a website", "an article", "a product" };
	int past = value - 128;
	switch (words->reading) {
	case READ_LOG:
		put_log(number, size, value, 1);
		break;
	case READ_QUARTER:
		put_log(number, size, value, 4);
		break;
	case READ_SHARE:
		(void)snprintf(number, size, "%u %%", (value * 100U + 127) / 255);
		break;
	case READ_PLACE: {
		int blocks = value - 50;
		if (blocks == 0)
			(void)snprintf(number, size, "it is");
		else
			(void)snprintf(number, size, "%d block%s %s", blocks < 0 ? -blocks : blocks,
				       blocks == 1 || blocks == -1 ? "" : "s", blocks < 0 ? "before" : "after");
	} break;
	case READ_SCORE:
		(void)snprintf(number, size, "%+.1f", past / 8.0);
		break;
	case READ_OWN:
		(void)snprintf(number, size, "%+.1f", past / 16.0);
		break;
	case READ_PERCENT:
		(void)snprintf(number, size, "%d %% of the page's bytes %s", abs(past) * 100 / 127,
			       past < 0 ? "before" : "after");
		break;
	case READ_POINTS:
		(void)snprintf(number, size, "%+d points", past * 100 / 128);
		break;
	case READ_TYPE:
		(void)snprintf(number, size, "%s", types[value < 5 ? value : 1]);
		break;
	case READ_FLAG:
	case READ_COUNT:
	case READ_BLOCKS:
	case READ_SIGN:
		(void)snprintf(number, size, "%u", value);
	}
	const char *mark = strchr(words->words, '#');
	if (!mark) {
		(void)snprintf(out, FEATURE_TEXT, "%s", words->words);
		return;
	}
	(void)snprintf(out, FEATURE_TEXT, "%.*s%s%s", (int)(mark - words->words), words->words, number, mark + 1);
	if (strcmp(number, "1") == 0 && mark[1]) {
		/* "1 blocks before it" to "1 block before it": the first or second word after the number loses its s */
		char *after = out + (mark - words->words) + 1, *end = after;
		for (int word = 0; word < 2 && *end; word++) {
			end = after + 1 + strcspn(after + 1, " ");
			if (end[-1] == 's') {
				memmove(end - 1, end, strlen(end) + 1);
				return;
			}
			after = end;
		}
	}
}

static const struct tree_level *levels_of(const struct trees *t, uint32_t tree)
{
	return t->levels + (size_t)tree * t->depth;
}

static uint32_t next_place(const struct tree_level *level, uint32_t k, uint8_t (*tile)[TILE], uint32_t at)
{
	return 2 * k + 1 + (tile[level->feature][at] > level->bin);
}

int tree_shares_init(struct tree_shares *s, const struct trees *trees)
{
	*s = (struct tree_shares){ .trees = trees };
	s->count = calloc((size_t)trees->n + 1, sizeof(*s->count));
	s->mean = calloc((size_t)trees->n + 1, sizeof(*s->mean));
	return s->count && s->mean ? DANA_OK : DANA_ENOMEM;
}

void tree_shares_count(struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t n)
{
	for (uint32_t i = 0; i < s->trees->n; i++) {
		const struct tree_level *levels = levels_of(s->trees, i);
		for (uint32_t at = 0; at < n; at++) {
			for (uint32_t level = 0, k = 0; level < s->trees->depth; level++) {
				k = next_place(&levels[level], k, tile, at);
				s->count[i][k]++;
			}
		}
	}
}

void tree_shares_means(struct tree_shares *s)
{
	const struct trees *t = s->trees;
	const uint32_t n = (1U << t->depth) - 1;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_level *levels = levels_of(t, i);
		const uint32_t *count = s->count[i];
		int32_t *mean = s->mean[i];
		for (uint32_t k = 0; k <= n; k++)
			mean[n + k] = t->leaves[((size_t)i << t->depth) + k];
		for (uint32_t level = t->depth; level-- > 0;) {
			const uint32_t first = (1U << level) - 1;
			for (uint32_t k = first; k <= 2 * first; k++) {
				/* a bin of 255 sends all blocks to the left */
				int64_t left = count[2 * k + 1] + 1,
					right = levels[level].bin == 255 ? 0 : count[2 * k + 2] + 1;
				mean[k] =
					(int32_t)((left * mean[2 * k + 1] + right * mean[2 * k + 2]) / (left + right));
			}
		}
	}
}

int32_t tree_shares_of(const struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t at, int32_t *share)
{
	int32_t base = 0;
	for (uint32_t i = 0; i < s->trees->n; i++) {
		const struct tree_level *levels = levels_of(s->trees, i);
		const int32_t *mean = s->mean[i];
		base += mean[0];
		for (uint32_t level = 0, k = 0; level < s->trees->depth; level++) {
			uint32_t next = next_place(&levels[level], k, tile, at);
			share[levels[level].feature] += mean[next] - mean[k];
			k = next;
		}
	}
	return base;
}

void tree_shares_free(struct tree_shares *s)
{
	free(s->count);
	free(s->mean);
	*s = (struct tree_shares){ 0 };
}

enum { REASONS = 4 }; /* of each stage that speak for a block, and as many against it */

static uint8_t (*tile_of(const struct block_trace *t, int stage, uint32_t block))[TILE]
{
	return stage == 1 ? t->first[block / TILE] : t->second[block / TILE];
}

void block_trace_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE])
{
	struct block_trace *t = arg;
	if (first == 0 && !t->failed) {
		void *memory =
			calloc(t->blocks->n_blocks / TILE + 1, stage == 1 ? sizeof(*t->first) : sizeof(*t->second));
		if (stage == 1)
			t->first = memory;
		else
			t->second = memory;
		t->failed =
			!memory || tree_shares_init(&t->shares[stage - 1], &t->classifier->model->stage[stage - 1]) < 0;
	}
	if (t->failed)
		return;
	memcpy(tile_of(t, stage, first), tile, stage == 1 ? sizeof(*t->first) : sizeof(*t->second));
	tree_shares_count(&t->shares[stage - 1], tile, n);
}

struct reason {
	int32_t share;
	unsigned feature;
};

/* Reports the features that moved the block's log odds most, up and down, in the order of their shares. */
static void tell_reasons(const struct block_trace *t, int stage, uint32_t i)
{
	const unsigned n = stage == 1 ? (unsigned)FEATURE_COUNT : (unsigned)STAGE2_COUNT;
	int32_t share[FEATURE_COUNT > (int)STAGE2_COUNT ? (int)FEATURE_COUNT : (int)STAGE2_COUNT] = { 0 };
	char words[FEATURE_TEXT];
	uint8_t(*tile)[TILE] = tile_of(t, stage, i);
	struct reason most[2][REASONS + 1]; /* against, for; the last is the end */
	size_t found[2] = { 0 }, told[2] = { 0 };
	(void)tree_shares_of(&t->shares[stage - 1], tile, i % TILE, share);
	for (unsigned f = 0; f < n; f++) {
		const size_t side = share[f] > 0;
		struct reason *of = most[side];
		size_t at = found[side];
		if (share[f] == 0 || (at == REASONS && abs(share[f]) <= abs(of[at - 1].share)))
			continue;
		found[side] += at < REASONS;
		for (at -= at == REASONS; at && abs(share[f]) > abs(of[at - 1].share); at--)
			of[at] = of[at - 1];
		of[at] = (struct reason){ share[f], f };
	}
	for (size_t side = 0; side < 2; side++)
		most[side][found[side]] = (struct reason){ 0, n };
	while (told[0] < found[0] || told[1] < found[1]) {
		const struct reason *down = &most[0][told[0]], *up = &most[1][told[1]];
		const bool side =
			up->share > -down->share || (up->share == -down->share && up->feature < down->feature);
		const struct reason *next = side ? up : down;
		told[side]++;
		feature_words_put(words, feature_words_of(stage, next->feature), tile[next->feature][i % TILE]);
		t->to->reason(t->to->arg, stage, words, next->share / 4096.0);
	}
}

/* Finds for each value of `recall` the blocks that would be copies. */
static int find_copies(struct block_trace *t)
{
	const struct classifier *c = t->classifier;
	const struct kind_result *kind = &c->stage2_features.kind;
	const uint32_t n = t->blocks->n_blocks;
	struct copies copies = { 0 };
	uint32_t threshold = 0;
	int status = DANA_OK;
	t->copy = calloc(n, sizeof(*t->copy));
	for (uint32_t recall = 0; t->copy && recall <= RECALL_MOST && status == DANA_OK; recall++) {
		struct decision d = decode_best(c->chance, c->words, n, page_balance(c, decode_balance(recall)));
		if (d.threshold != threshold)
			status = copies_find(&copies, t->blocks, &c->aggregates, kind->kind, c->alike.group, c->chance,
					     d.threshold, c->words);
		threshold = d.threshold;
		for (uint32_t i = 0; i < n && status == DANA_OK; i++)
			t->copy[i][recall / 64] |= (uint64_t)(copies.any && copies.is_copy[i]) << recall % 64;
	}
	copies_free(&copies);
	return t->copy ? status : DANA_ENOMEM;
}

static int tell_block(struct block_trace *t, uint32_t i, bool heading)
{
	const struct classifier *c = t->classifier;
	const struct block *block = &t->blocks->block[i];
	double first = chance_of(c->margin[0][i]) / 65536.0, second = chance_of(c->margin[1][i]) / 65536.0;
	double together = c->chance[i] / 65536.0;
	const int32_t shift = c->site.known ? c->site.shift[i] : 0;
	const int32_t place_shift = c->site.known ? c->site.place_shift[i] : 0;
	const uint16_t before_site = classifier_alone(c, i);
	char on_pages[64] = "", place[96] = "";
	static const char *const outcomes[] = {
		[VERDICT_KEPT] = "above the threshold",       [VERDICT_UNLIKELY] = "below the threshold",
		[VERDICT_COPY] = "its words are kept before", [VERDICT_NOTE] = "a note of kept text",
		[VERDICT_CODE] = "code between kept text",    [VERDICT_LEAD] = "the description, under the title",
		[VERDICT_LIST] = "a list after a colon",      [VERDICT_TABLE] = "a table between kept text",
		[VERDICT_BARE] = "its section is dropped",    [VERDICT_CONTENTS] = "in a table of contents",
		[VERDICT_ALSO] = "links to other pages"
	};
	static const char *const roles[] = {
		"", "code", "lead", "list", "table", "heading", "contents", "also", "label"
	};
	const struct coherence_place *place_of = &c->coherence.place[i];
	enum verdict verdict = classifier_verdict(c, i);
	const bool chosen = verdict_keeps(verdict);
	bool kept = chosen && (heading || block->tag != HTML_TAG_H1);
	const char *outcome = chosen && !kept ? "main heading, not wanted" : outcomes[verdict];
	if (verdict == VERDICT_UNLIKELY && is_left_out(c, t->blocks, i))
		outcome = block->left & LEFT_UNSEEN ? "browsers do not show it" : "its class is of other matter";
	if (shift)
		(void)snprintf(on_pages, sizeof(on_pages), "on %u of %u other pages of this site", c->site.pages[i],
			       c->site.page->others);
	if (place_shift) {
		const uint32_t pages = c->site.place[path_of(c, block)].pages;
		(void)snprintf(place, sizeof(place), "its place has %s text on %u other page%s of this site",
			       place_shift > 0 ? "little" : "main", pages, pages == 1 ? "" : "s");
	}
	if (verdict == VERDICT_UNLIKELY && before_site >= c->decision.threshold && (shift || place_shift))
		outcome = shift > place_shift ? on_pages : place;
	buf_clear(&t->numbers);
	buf_printf(&t->numbers, "stage1=%.4f stage2=%.4f alike=%.4f", first, second, before_site / 65536.0);
	if (c->site.known)
		buf_printf(&t->numbers, " site=%.4f site_pages=%u site_others=%u", together, c->site.pages[i],
			   c->site.page->others);
	buf_printf(&t->numbers, " words=%u linked=%u tokens=%d", c->words[i], block->linked,
		   t->blocks->element[block->element].total + block->inline_score);
	/* " copy=13-62,100": at which values of `recall` the block is one */
	const char *mark = " copy=";
	bool before = false;
	for (unsigned k = 0; t->copy && k <= RECALL_MOST; k++) {
		const uint64_t *bits = t->copy[i];
		bool is = bits[k / 64] >> k % 64 & 1, after = k < RECALL_MOST && bits[(k + 1) / 64] >> (k + 1) % 64 & 1;
		if (is && !before)
			buf_printf(&t->numbers, "%s%u", mark, k);
		if (is && before && !after)
			buf_printf(&t->numbers, "-%u", k);
		mark = is ? "," : mark;
		before = is;
	}
	if (!heading && block->tag == HTML_TAG_H1)
		buf_append_text(&t->numbers, " unwanted=1");
	if (c->notes && c->note_of[i])
		buf_printf(&t->numbers, " note=%u", c->note_of[i]);
	if (place_of->role)
		buf_printf(&t->numbers, " %s=%u-%u", roles[place_of->role], place_of->from + 1, place_of->to);
	buf_append_byte(&t->numbers, 0);
	buf_clear(&t->text);
	int status = block_source(t->blocks, block, &t->text);
	if (status == DANA_OK)
		status = buf_status(&t->numbers);
	if (status < 0)
		return status;
	t->to->block(t->to->arg, buf_slice(&t->text), kept, together, outcome, (const char *)t->numbers.data);
	if (t->to->chances)
		t->to->chances(t->to->arg, c->words[i], first, together);
	if (t->to->reason && shift)
		t->to->reason(t->to->arg, 2, on_pages, -shift / 4096.0);
	if (t->to->reason && place_shift)
		t->to->reason(t->to->arg, 2, place, -place_shift / 4096.0);
	if (t->to->reason && t->first)
		tell_reasons(t, 1, i);
	if (t->to->reason && t->second)
		tell_reasons(t, 2, i);
	return DANA_OK;
}

int block_trace_tell(struct block_trace *t, uint32_t recall, bool heading)
{
	if (t->failed || find_copies(t) < 0)
		return DANA_ENOMEM;
	struct trace *to = t->to;
	if (to->number) {
		to->number(to->arg, "recall", recall);
		to->number(to->arg, "lean", kind_lean(&t->classifier->stage2_features.kind) / (double)LEAN_ONE);
		to->number(to->arg, "threshold", t->classifier->decision.threshold / 65536.0);
		to->number(to->arg, "expected F1", t->classifier->decision.expected / 65536.0);
		to->number(to->arg, "blocks", t->blocks->n_blocks);
		/* report the shares of kinds that the page may be of, first of the kind that it is taken for */
		const struct kind_result *found = &t->classifier->stage2_features.kind;
		enum { SHARE_LEAST = 13 }; /* of 255: one in twenty */
		static const char *const names[KIND_COUNT] = { "kind: article", "kind: list",          "kind: forum",
							       "kind: product", "kind: documentation", "kind: service",
							       "kind: other" };
		to->number(to->arg, names[found->kind], found->share[found->kind] / 255.0);
		for (unsigned k = 0; k < KIND_COUNT; k++) {
			if (k != (unsigned)found->kind && found->share[k] >= SHARE_LEAST)
				to->number(to->arg, names[k], found->share[k] / 255.0);
		}
	}
	for (int stage = 0; stage < 2; stage++) {
		if (t->shares[stage].trees)
			tree_shares_means(&t->shares[stage]);
	}
	int status = DANA_OK;
	for (uint32_t i = 0; to->block && i < t->blocks->n_blocks && status == DANA_OK; i++)
		status = tell_block(t, i, heading);
	return status;
}

void block_trace_free(struct block_trace *t)
{
	free(t->first);
	free(t->second);
	free(t->copy);
	buf_free(&t->text);
	buf_free(&t->numbers);
	tree_shares_free(&t->shares[0]);
	tree_shares_free(&t->shares[1]);
}
