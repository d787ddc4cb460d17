/* SPDX-License-Identifier: MIT */
/*
 * Compares a text with its reference: tokens as numbers, their longest common subsequence, and the scores made of it.
 *
 * Spellings and their numbers are in binary trees: the lowest bits of a spelling's hash choose the tree, its other bits
 * the way down. Spellings with the same hash differ further down, by their length and their own bits. So a text takes
 * at most 86 steps for each token and 8 for each of its bytes, however its words were chosen.
 *
 * Example: 65 536 words whose hashes agree in 16 bits take about a million steps, where a table with linear probing
 * takes up to two thousand million.
 */
#include "lab/measure.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/utf8.h"

enum { ROOT_BITS = 12 };

/* A token's number is its place in the list of nodes. */
struct spelling {
	struct slice spelling;
	uint32_t hash;
	uint32_t next[2]; /* subtrees by the next bit: number + 1, or 0 if empty */
};

struct token_table {
	struct arena *spellings;
	struct spelling *nodes;
	size_t cap;
	uint32_t count;
	uint32_t root[1 << ROOT_BITS]; /* by the lowest bits of the hash: number + 1, or 0 if empty */
	uint64_t steps;
	struct buf word; /* the current token, without its invisible characters */
};

struct token_table *token_table_new(void)
{
	struct token_table *table = calloc(1, sizeof(*table));
	if (table)
		table->spellings = arena_new();
	if (table && table->spellings)
		return table;
	token_table_free(table);
	return NULL;
}

void token_table_reset(struct token_table *table)
{
	memset(table->root, 0, sizeof(table->root));
	arena_reset(table->spellings);
	table->count = 0;
	table->steps = 0;
}

uint32_t token_table_count(const struct token_table *table)
{
	return table->count;
}

uint64_t token_table_steps(const struct token_table *table)
{
	return table->steps;
}

void token_table_free(struct token_table *table)
{
	if (!table)
		return;
	arena_free(table->spellings);
	free(table->nodes);
	buf_free(&table->word);
	free(table);
}

/*
 * Returns bit k of a spelling; no two spellings have the same bits: the bits of the hash that do not choose the root,
 * the length, the bytes.
 */
static unsigned spelling_bit(struct slice spelling, uint32_t hash, size_t k)
{
	if (k < 32 - ROOT_BITS)
		return hash >> (ROOT_BITS + k) & 1;
	k -= 32 - ROOT_BITS;
	if (k < 64)
		return (unsigned)((uint64_t)spelling.len >> k & 1);
	k -= 64;
	return spelling.data[k / 8] >> k % 8 & 1;
}

int tokens_append_whole(struct tokens *tokens, struct token_table *table, struct slice token)
{
	const uint32_t hash = hash_fnv32(token, HASH_FNV32_START);
	struct spelling *nodes = grow_items(table->nodes, table->count, &table->cap, sizeof(*nodes));
	if (!nodes || table->count == UINT32_MAX - 1)
		return DANA_ENOMEM;
	table->nodes = nodes;
	uint32_t *ids = grow_items(tokens->ids, tokens->len, &tokens->cap, sizeof(*ids));
	if (!ids)
		return DANA_ENOMEM;
	tokens->ids = ids;
	/* find where the number of the spelling is, or must be put */
	uint32_t *at = &table->root[hash & ((1U << ROOT_BITS) - 1)];
	for (size_t k = 0; *at; k++) {
		struct spelling *node = &nodes[*at - 1];
		if (node->hash == hash && slice_equal(node->spelling, token))
			break;
		at = &node->next[spelling_bit(token, hash, k)];
		table->steps++;
	}
	if (!*at) {
		struct slice copy = arena_copy(table->spellings, token);
		if (!copy.data)
			return DANA_ENOMEM;
		nodes[table->count] = (struct spelling){ .spelling = copy, .hash = hash };
		*at = ++table->count;
	}
	ids[tokens->len++] = *at - 1;
	return DANA_OK;
}

static int end_word(struct tokens *tokens, struct token_table *table)
{
	int status = buf_status(&table->word);
	if (status == DANA_OK && table->word.len)
		status = tokens_append_whole(tokens, table, buf_slice(&table->word));
	buf_clear(&table->word);
	return status;
}

int tokens_append(struct tokens *tokens, struct token_table *table, struct slice text)
{
	int status = DANA_OK;
	buf_clear(&table->word);
	while (text.len && status == DANA_OK) {
		uint8_t bytes[4];
		uint32_t c;
		text = slice_skip(text, utf8_decode(text, &c));
		const size_t len = utf8_put(c, bytes); /* not the source's bytes: malformed ones must read as U+FFFD */
		if (character_is_invisible(c))
			continue;
		const bool space = character_is_space(c);
		if (!space && !character_stands_alone(c)) {
			status = buf_append(&table->word, bytes, len);
			continue;
		}
		status = end_word(tokens, table);
		if (status == DANA_OK && !space)
			status = tokens_append_whole(tokens, table, slice_of(bytes, len));
	}
	return status < 0 ? status : end_word(tokens, table);
}

void tokens_clear(struct tokens *tokens)
{
	tokens->len = 0;
}

void tokens_free(struct tokens *tokens)
{
	free(tokens->ids);
	*tokens = (struct tokens){ 0 };
}

/* The positions of each token in a sequence, from which the bit-parallel measures build their match vectors. */

struct matches {
	uint32_t *start; /* positions of token t: at[start[t]] to at[start[t + 1] - 1], ascending */
	uint32_t *at;
};

/*
 * A counting sort: the counts of the tokens give where the positions of each begin, then the positions are filled in.
 * Example: the sequence 1 0 1 gives start = 0 1 3 and at = 1 | 0 2.
 */

static int matches_of(struct matches *x, const uint32_t *a, size_t n, uint32_t ids)
{
	x->start = calloc((size_t)ids + 2, sizeof(*x->start));
	x->at = malloc((n ? n : 1) * sizeof(*x->at));
	if (!x->start || !x->at || n > UINT32_MAX)
		return DANA_ENOMEM;
	/* counted two places ahead, so that filling moves each beginning to its place */
	for (size_t i = 0; i < n; i++)
		x->start[a[i] + 2]++;
	for (size_t id = 2; id < (size_t)ids + 2; id++)
		x->start[id] += x->start[id - 1];
	for (size_t i = 0; i < n; i++)
		x->at[x->start[a[i] + 1]++] = (uint32_t)i;
	return DANA_OK;
}

static void matches_free(struct matches *x)
{
	free(x->start);
	free(x->at);
}

/*
 * One row of the table of common lengths is a bit vector, and the next row follows from it by an addition and two ANDs
 * for each 64 tokens (next_row). For the marks, all rows of a piece are kept and walked back. A piece whose rows do not
 * fit into 8 MiB is cut in two (Hirschberg 1975): b in halves, and a where the sum of both lengths is greatest.
 *
 * Example: a = "x y z", b = "y z". The row starts as 111; after "y" it is 101 (the length grows at y), after "z" 100:
 * two zeros, so the length is 2. (Bits from left to right, as the tokens of a.)
 */

struct lcs_piece {
	const uint32_t *a, *b;
	size_t n, m;
};

/* 8 MiB of rows: 64 million table cells in one go. */
enum { ROWS_MOST = 1 << 20 };

/* Removes the common beginning and end. Returns the number of tokens removed; *front: those at the beginning. */
static size_t strip_ends(struct lcs_piece *p, size_t *front)
{
	size_t stripped = 0;
	while (stripped < p->n && stripped < p->m && p->a[stripped] == p->b[stripped])
		stripped++;
	*front = stripped;
	p->a += stripped;
	p->b += stripped;
	p->n -= stripped;
	p->m -= stripped;
	while (p->n && p->m && p->a[p->n - 1] == p->b[p->m - 1]) {
		p->n--;
		p->m--;
		stripped++;
	}
	return stripped;
}

/*
 * Row j of the table of LCS lengths of all prefixes of a with b[0..j) is a bit vector V over a: bit i is 0 if the
 * length grows from a[0..i) to a[0..i].
 *
 * The next row is V = (V + (V & M)) | (V & ~M), M = the places of `token` in a. A word without matches and without a
 * carry from below does not change, so only words with matches, and those that carries reach, are visited.
 */
static void next_row(uint64_t *row, size_t words, const struct matches *x, uint32_t token)
{
	uint32_t k = x->start[token], end = x->start[token + 1];
	uint64_t carry = 0;
	size_t w = 0;
	while (k < end || carry) {
		if (!carry)
			w = x->at[k] / 64;
		if (w >= words)
			break;
		uint64_t match = 0;
		for (; k < end && x->at[k] / 64 == w; k++)
			match |= (uint64_t)1 << x->at[k] % 64;
		uint64_t v = row[w], sum, with_carry;
		uint64_t out = __builtin_add_overflow(v, v & match, &sum);
		out |= (uint64_t)__builtin_add_overflow(sum, carry, &with_carry);
		row[w] = with_carry | (v & ~match);
		carry = out;
		w++;
	}
}

static size_t row_zeros(const uint64_t *row, size_t n)
{
	size_t ones = 0;
	for (size_t w = 0; w < n / 64; w++)
		ones += (size_t)__builtin_popcountll(row[w]);
	if (n % 64)
		ones += (size_t)__builtin_popcountll(row[n / 64] & (((uint64_t)1 << n % 64) - 1));
	return n - ones;
}

static uint64_t *row_new(size_t words)
{
	uint64_t *row = malloc((words ? words : 1) * sizeof(*row));
	if (row)
		memset(row, 0xFF, words * sizeof(*row));
	return row;
}

/* Computes the row after all of b. `row`: all bits set at first. */
static int last_row(uint64_t *row, const uint32_t *a, size_t n, const uint32_t *b, size_t m, uint32_t ids)
{
	struct matches x;
	int status = matches_of(&x, a, n, ids);
	for (size_t j = 0; j < m && status == DANA_OK; j++)
		next_row(row, (n + 63) / 64, &x, b[j]);
	matches_free(&x);
	return status;
}

int lcs_length(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *length)
{
	struct lcs_piece p = { a->ids, b->ids, a->len, b->len };
	size_t front;
	*length = strip_ends(&p, &front);
	if (!p.n || !p.m)
		return DANA_OK;
	uint64_t *row = row_new((p.n + 63) / 64);
	int status = row ? last_row(row, p.a, p.n, p.b, p.m, ids) : DANA_ENOMEM;
	if (status == DANA_OK)
		*length += row_zeros(row, p.n);
	free(row);
	return status;
}

static bool bit_of(const uint64_t *row, size_t i)
{
	return row[i / 64] >> i % 64 & 1;
}

/* Marks tokens, with all rows in memory. */
static int mark_with_rows(const struct lcs_piece *p, uint32_t ids, uint8_t *on_a, uint8_t *on_b)
{
	const size_t words = (p->n + 63) / 64;
	struct matches x;
	uint64_t *rows = malloc(words * p->m * sizeof(*rows));
	int status = matches_of(&x, p->a, p->n, ids);
	if (!rows)
		status = DANA_ENOMEM;
	for (size_t j = 0; j < p->m && status == DANA_OK; j++) {
		uint64_t *row = rows + j * words;
		if (j)
			memcpy(row, row - words, words * sizeof(*row));
		else
			memset(row, 0xFF, words * sizeof(*row));
		next_row(row, words, &x, p->b[j]);
	}
	/* a bit that is 0 in two consecutive rows: the length is the same in both (the k-th 0 only ever moves left) */
	for (size_t i = p->n, j = p->m; i && j && status == DANA_OK;) {
		if (bit_of(rows + (j - 1) * words, i - 1)) {
			i--;
		} else if (j > 1 && !bit_of(rows + (j - 2) * words, i - 1)) {
			j--;
		} else {
			on_a[--i] = 1;
			on_b[--j] = 1;
		}
	}
	free(rows);
	matches_free(&x);
	return status;
}

static uint32_t *reversed(const uint32_t *ids, size_t n)
{
	uint32_t *copy = malloc((n ? n : 1) * sizeof(*copy));
	for (size_t i = 0; copy && i < n; i++)
		copy[i] = ids[n - 1 - i];
	return copy;
}

/*
 * Finds where a longest common subsequence crosses the middle of b (Hirschberg 1975): where the sum of the lengths is
 * greatest in the last row of a and the first half of b, and in the last row of both reversed.
 */
static int split_point(const struct lcs_piece *p, uint32_t ids, size_t *at)
{
	const size_t words = (p->n + 63) / 64, half = p->m / 2;
	uint64_t *head = row_new(words), *tail = row_new(words);
	uint32_t *a = reversed(p->a, p->n), *b = reversed(p->b + half, p->m - half);
	int status = head && tail && a && b ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK)
		status = last_row(head, p->a, p->n, p->b, half, ids);
	if (status == DANA_OK)
		status = last_row(tail, a, p->n, b, p->m - half, ids);
	if (status == DANA_OK) {
		size_t left = 0, right = row_zeros(tail, p->n), best = right;
		*at = 0;
		for (size_t i = 0; i < p->n; i++) {
			left += !bit_of(head, i);
			right -= !bit_of(tail, p->n - 1 - i);
			if (left + right > best) {
				best = left + right;
				*at = i + 1;
			}
		}
	}
	free(head);
	free(tail);
	free(a);
	free(b);
	return status;
}

/* b is halved each time, so at most 64 pieces wait. */
int lcs_marks(const struct tokens *a, const struct tokens *b, uint32_t ids, uint8_t *on_a, uint8_t *on_b,
	      size_t *length)
{
	struct lcs_piece waiting[64] = { { a->ids, b->ids, a->len, b->len } };
	size_t n_waiting = 1;
	int status = DANA_OK;
	uint8_t *marks = calloc(a->len + b->len + 1, 1);
	if (!marks)
		return DANA_ENOMEM;
	while (n_waiting && status == DANA_OK) {
		const struct lcs_piece outer = waiting[--n_waiting];
		struct lcs_piece p = outer;
		uint8_t *mark_a = marks + (outer.a - a->ids), *mark_b = marks + a->len + (outer.b - b->ids);
		size_t front, at = 0, half;
		strip_ends(&p, &front);
		memset(mark_a, 1, front);
		memset(mark_b, 1, front);
		memset(mark_a + front + p.n, 1, outer.n - front - p.n);
		memset(mark_b + front + p.m, 1, outer.m - front - p.m);
		if (!p.n || !p.m)
			continue;
		if (p.m == 1 || (p.n + 63) / 64 <= ROWS_MOST / p.m) {
			status = mark_with_rows(&p, ids, mark_a + front, mark_b + front);
			continue;
		}
		half = p.m / 2;
		status = split_point(&p, ids, &at);
		waiting[n_waiting++] = (struct lcs_piece){ p.a + at, p.b + half, p.n - at, p.m - half };
		waiting[n_waiting++] = (struct lcs_piece){ p.a, p.b, at, half };
	}
	*length = 0;
	for (size_t i = 0; i < a->len; i++)
		*length += marks[i];
	if (on_a && a->len)
		memcpy(on_a, marks, a->len);
	if (on_b && b->len)
		memcpy(on_b, marks + a->len, b->len);
	free(marks);
	return status;
}

struct score score_of(double common, double output, double gold)
{
	if (output <= 0 && gold <= 0)
		return (struct score){ 1, 1, 1 };
	struct score s = { 0, 0, 0 };
	if (output > 0)
		s.precision = common / output;
	if (gold > 0)
		s.recall = common / gold;
	if (s.precision + s.recall > 0)
		s.f1 = 2 * s.precision * s.recall / (s.precision + s.recall);
	return s;
}

/*
 * The table of edit distances, column by column; neighbours in a column differ by -1, 0 or +1, so a column is two bit
 * vectors (`up` and `down`), and a step of 64 rows is an addition and some logic (Myers 1999). Each block of 64 rows
 * passes the horizontal difference at its lower edge, -1, 0 or +1, to the next. The distance is followed along the last
 * row.
 */

/*
 * Vertical differences of one column of the table, 64 rows in a block: +1 where `up` has a bit, -1 where `down` has
 * one.
 */
struct lcs_block {
	uint64_t up, down, match;
};

/* Takes the horizontal difference from above (-1, 0, 1) and returns the one below row `last` of the block. */
static int block_step(struct lcs_block *k, int above, unsigned last)
{
	uint64_t eq = k->match, xv = eq | k->down;
	if (above < 0)
		eq |= 1;
	uint64_t xh = (((eq & k->up) + k->up) ^ k->up) | eq;
	uint64_t up = k->down | ~(xh | k->up), down = k->up & xh;
	int below = (int)(up >> last & 1) - (int)(down >> last & 1);
	up = up << 1 | (uint64_t)(above > 0);
	down = down << 1 | (uint64_t)(above < 0);
	k->up = down | ~(xv | up);
	k->down = up & xv;
	return below;
}

int levenshtein_distance(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *distance)
{
	struct lcs_piece p = { a->ids, b->ids, a->len, b->len };
	size_t front;
	strip_ends(&p, &front);
	*distance = p.n ? p.n : p.m;
	if (!p.n || !p.m)
		return DANA_OK;
	const size_t n_blocks = (p.n + 63) / 64;
	struct matches x;
	struct lcs_block *blocks = malloc(n_blocks * sizeof(*blocks));
	int status = matches_of(&x, p.a, p.n, ids);
	if (!blocks)
		status = DANA_ENOMEM;
	for (size_t w = 0; w < n_blocks && status == DANA_OK; w++)
		blocks[w] = (struct lcs_block){ ~(uint64_t)0, 0, 0 };
	for (size_t j = 0; j < p.m && status == DANA_OK; j++) {
		const uint32_t first = x.start[p.b[j]], end = x.start[p.b[j] + 1];
		for (uint32_t k = first; k < end; k++)
			blocks[x.at[k] / 64].match |= (uint64_t)1 << x.at[k] % 64;
		int difference = 1; /* the row of the empty sequence grows by one with each column */
		for (size_t w = 0; w < n_blocks; w++)
			difference =
				block_step(&blocks[w], difference, w + 1 < n_blocks ? 63 : (unsigned)((p.n - 1) % 64));
		*distance = difference < 0 ? *distance - 1 : *distance + (size_t)difference;
		for (uint32_t k = first; k < end; k++)
			blocks[x.at[k] / 64].match = 0;
	}
	free(blocks);
	matches_free(&x);
	return status;
}

/*
 * A table with a cell for each pair of a page token and a gold token, filled row by row (dynamic programming); only two
 * rows of values are kept, but all steps, one byte each, to walk back along the best alignment. Values are +2 for a
 * match that begins a run and +5 for one that continues it.
 *
 * Example: page "a x a b", gold "a b": the second "a" with "b" is a run worth 7, the first "a" with "b" is worth 4, so
 * the first "a" (of a menu, say) is not matched.
 */

/* Limit of work and memory for one page: product of the lengths of both sequences. */
enum { ALIGN_CELLS_MOST = 900000000 };

enum { GAIN_FIRST = 2, GAIN_FURTHER = 5, NEVER = -1000000 };

/* Where the best value of a cell comes from: two bits, and one more for whether its match continues a run. */
enum step { FROM_PAGE, FROM_GOLD, FROM_MATCH, STEP_MASK = 3, IN_RUN = 4 };

struct align_row {
	int32_t *best, *match; /* best alignment up to here; best one that ends with a match here */
};

/* Both sequences are read from their ends, so that ties end in the first copy of a text. */
static uint32_t from_end(const struct tokens *t, size_t i)
{
	return t->ids[t->len - i];
}

static void fill_row(const struct tokens *gold, uint32_t token, struct align_row above, struct align_row here,
		     uint8_t *steps)
{
	here.best[0] = 0;
	here.match[0] = NEVER;
	for (size_t j = 1; j <= gold->len; j++) {
		uint8_t step = FROM_PAGE;
		int32_t match = NEVER, best = above.best[j];
		if (from_end(gold, j) == token) {
			int32_t first = above.best[j - 1] + GAIN_FIRST, further = above.match[j - 1] + GAIN_FURTHER;
			match = further >= first ? further : first;
			step = further >= first ? IN_RUN : 0;
		}
		uint8_t from = FROM_PAGE;
		if (here.best[j - 1] > best) {
			best = here.best[j - 1];
			from = FROM_GOLD;
		}
		if (match >= best) {
			best = match;
			from = FROM_MATCH;
		}
		here.best[j] = best;
		here.match[j] = match;
		steps[j] = (uint8_t)(step | from);
	}
}

int align_runs(const struct tokens *page, const struct tokens *gold, uint8_t *on_page)
{
	const size_t width = gold->len + 1;
	bool in_run = false;
	if (page->len)
		memset(on_page, 0, page->len);
	if (page->len == 0 || gold->len == 0)
		return DANA_OK;
	if (page->len + 1 > ALIGN_CELLS_MOST / width)
		return DANA_ELIMIT;
	uint8_t *steps = malloc((page->len + 1) * width);
	int32_t *numbers = calloc(4 * width, sizeof(*numbers));
	const int status = steps && numbers ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK) {
		struct align_row above = { numbers, numbers + width },
				 here = { numbers + 2 * width, numbers + 3 * width };
		for (size_t j = 0; j < width; j++)
			above.match[j] = NEVER;
		for (size_t i = 1; i <= page->len; i++) {
			fill_row(gold, from_end(page, i), above, here, steps + i * width);
			struct align_row full = here;
			here = above;
			above = full;
		}
	}
	/* in a run the next match is taken even if skipping has the same value: the run's gain was counted for it */
	for (size_t i = page->len, j = gold->len; i > 0 && j > 0 && status == DANA_OK;) {
		const uint8_t step = steps[i * width + j];
		if (in_run || (step & STEP_MASK) == FROM_MATCH) {
			on_page[page->len - i] = 1;
			in_run = (step & IN_RUN) != 0;
			i--;
			j--;
		} else if ((step & STEP_MASK) == FROM_GOLD) {
			j--;
		} else {
			i--;
		}
	}
	free(steps);
	free(numbers);
	return status;
}

/*
 * Each sentence becomes one token, spelt as its text with white space collapsed, so that sentences compare as numbers,
 * and the common ones are the intersection of two multisets. Example: "Yes. No. Yes." and "Yes. Maybe." have one
 * sentence in common.
 */

/* A text with fewer marks, or longer sentences on average, cannot be cut into sentences. */
enum { MARKS_LEAST = 2, SENTENCE_CHARS_MOST = 1000 };

/* Returns the next visible character; any white space reads as a space, a line end as LF, the end of the text as 0. */
static uint32_t next_char(struct slice *text)
{
	while (text->len) {
		uint32_t c;
		*text = slice_skip(*text, utf8_decode(*text, &c));
		if (character_is_space(c))
			return c == '\n' ? '\n' : ' ';
		if (c && !character_is_invisible(c))
			return c;
	}
	return 0;
}

/*
 * Reads the sentences of a text as tokens. *marks counts marks that end a sentence, *chars the characters of the
 * sentences.
 */
static int cut_sentences(struct tokens *sentences, struct token_table *table, struct slice text, size_t *marks,
			 size_t *chars)
{
	struct buf *sentence = &table->word;
	int status = DANA_OK;
	bool space = false;
	*marks = *chars = 0;
	buf_clear(sentence);
	for (uint32_t c = next_char(&text), next; c && status == DANA_OK; c = next) {
		next = next_char(&text);
		bool end = c == '\n', white = c == ' ' || c == '\n';
		if (!white) {
			uint8_t bytes[5] = { ' ' };
			const bool blank = space && sentence->len;
			buf_append(sentence, bytes + !blank, utf8_put(c, bytes + 1) + blank);
			end = c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x061F || c == 0x06D4 || c == 0x0964;
			if (c == '.' || c == '!' || c == '?')
				end = !next || next == ' ' || next == '\n';
			*marks += end;
			*chars += 1;
		}
		space = white;
		if (end)
			status = end_word(sentences, table);
	}
	return status < 0 ? status : end_word(sentences, table);
}

static int count_common(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *common)
{
	uint32_t *left = calloc((size_t)ids + 1, sizeof(*left));
	if (!left)
		return DANA_ENOMEM;
	for (size_t i = 0; i < a->len; i++)
		left[a->ids[i]]++;
	*common = 0;
	for (size_t i = 0; i < b->len; i++) {
		if (left[b->ids[i]]) {
			left[b->ids[i]]--;
			++*common;
		}
	}
	free(left);
	return DANA_OK;
}

/* Reads characters as tokens, with white space collapsed and trimmed. */
static int cut_chars(struct tokens *chars, struct token_table *table, struct slice text)
{
	int status = DANA_OK;
	bool space = false;
	for (uint32_t c = next_char(&text); c && status == DANA_OK; c = next_char(&text)) {
		uint8_t bytes[4];
		const bool white = c == ' ' || c == '\n';
		if (!white && space && chars->len)
			status = tokens_append_whole(chars, table, slice_of(" ", 1));
		if (!white && status == DANA_OK)
			status = tokens_append_whole(chars, table, slice_of(bytes, utf8_put(c, bytes)));
		space = white;
	}
	return status;
}

int sentence_measure(struct token_table *table, struct slice output, struct slice gold, struct score *score,
		     bool *by_distance)
{
	struct tokens a = { 0 }, b = { 0 }; /* sentences, or characters, of output and gold */
	size_t marks, chars, ignored, common = 0;
	token_table_reset(table);
	int status = cut_sentences(&b, table, gold, &marks, &chars);
	const bool distance = b.len && (marks < MARKS_LEAST || chars / b.len > SENTENCE_CHARS_MOST);
	if (by_distance)
		*by_distance = distance;
	if (status == DANA_OK && !distance) {
		status = cut_sentences(&a, table, output, &ignored, &ignored);
		if (status == DANA_OK)
			status = count_common(&a, &b, token_table_count(table), &common);
		*score = score_of((double)common, (double)a.len, (double)b.len);
	} else if (status == DANA_OK) {
		token_table_reset(table);
		tokens_clear(&b);
		status = cut_chars(&a, table, output);
		if (status == DANA_OK)
			status = cut_chars(&b, table, gold);
		if (status == DANA_OK)
			status = levenshtein_distance(&a, &b, token_table_count(table), &common);
		const size_t longest = a.len > b.len ? a.len : b.len;
		const double similarity = longest ? 1 - (double)common / (double)longest : 1;
		*score = (struct score){ similarity, similarity, similarity };
	}
	tokens_free(&a);
	tokens_free(&b);
	return status;
}

/*
 * A line counts by its tokens: two alignments of the whole page, one with the output and one with the gold text, mark
 * tokens, and a line with at least half of its tokens marked is retrieved, or relevant. Example: of the line "read
 * more here" the output has "read more": two of three tokens, so it is retrieved.
 */

/* Returns the next line that is not blank; empty at the end. */
static struct slice next_line(struct slice *text)
{
	struct slice line = { 0 };
	while (text->len && line.len == 0) {
		const size_t len = slice_until(*text, "\n");
		line = slice_trim(slice_first(*text, len));
		*text = slice_skip(*text, len + 1);
	}
	return line;
}

struct page_text_lines {
	struct tokens tokens; /* of the whole page */
	size_t *ends;         /* where each block ends in `tokens` */
	size_t len, cap;
};

static int lines_cut(struct page_text_lines *lines, struct token_table *table, struct slice text)
{
	for (struct slice line = next_line(&text); line.len; line = next_line(&text)) {
		size_t before = lines->tokens.len;
		int status = tokens_append(&lines->tokens, table, line);
		if (status < 0)
			return status;
		if (lines->tokens.len == before)
			continue;
		size_t *ends = grow_items(lines->ends, lines->len, &lines->cap, sizeof(*ends));
		if (!ends)
			return DANA_ENOMEM;
		lines->ends = ends;
		lines->ends[lines->len++] = lines->tokens.len;
	}
	return DANA_OK;
}

/* Sets marks[i] to 1 if token i of the page is on the longest common subsequence with `text`. */
static int mark_lines(const struct page_text_lines *lines, struct token_table *table, struct slice text, uint8_t *marks)
{
	struct tokens tokens = { 0 };
	size_t ignored;
	int status = tokens_append(&tokens, table, text);
	if (status == DANA_OK)
		status = lcs_marks(&lines->tokens, &tokens, token_table_count(table), marks, NULL, &ignored);
	tokens_free(&tokens);
	return status;
}

static bool half_marked(const uint8_t *marks, size_t from, size_t to)
{
	size_t n = 0;
	for (size_t i = from; i < to; i++)
		n += marks[i];
	return 2 * n >= to - from;
}

static int count_lines(const struct page_text_lines *lines, struct token_table *table, const struct block_page *page,
		       struct block_counts *counts)
{
	size_t n = lines->tokens.len;
	uint8_t *in_output = calloc(2 * n + 1, 1), *in_gold = in_output + n;
	if (!in_output)
		return DANA_ENOMEM;
	int status = mark_lines(lines, table, page->output, in_output);
	if (status == DANA_OK)
		status = mark_lines(lines, table, page->gold, in_gold);
	for (size_t i = 0, from = 0; i < lines->len && status == DANA_OK; from = lines->ends[i++]) {
		bool retrieved = half_marked(in_output, from, lines->ends[i]);
		bool relevant = half_marked(in_gold, from, lines->ends[i]);
		counts->retrieved += retrieved;
		counts->relevant += relevant;
		counts->both += retrieved && relevant;
	}
	free(in_output);
	return status;
}

enum { IN_OUTPUT = 1, IN_GOLD = 2 };

static int append_lines(struct tokens *tokens, struct token_table *table, struct slice list)
{
	int status = DANA_OK;
	for (struct slice line = next_line(&list); line.len && status == DANA_OK; line = next_line(&list))
		status = tokens_append_whole(tokens, table, line);
	return status;
}

/* Addresses become tokens of a separate table, so that they are numbered from 0 on and each counts once. */
static int count_media(struct token_table *table, const struct block_page *page, struct block_counts *counts)
{
	struct tokens media = { 0 }; /* first of the output, then of the gold list */
	token_table_reset(table);
	int status = append_lines(&media, table, page->output_media);
	const size_t n_output = media.len;
	if (status == DANA_OK)
		status = append_lines(&media, table, page->gold_media);
	const uint32_t ids = token_table_count(table);
	uint8_t *seen = calloc((size_t)ids + 1, 1);
	if (!seen)
		status = DANA_ENOMEM;
	for (size_t i = 0; i < media.len && status == DANA_OK; i++)
		seen[media.ids[i]] |= i < n_output ? IN_OUTPUT : IN_GOLD;
	for (uint32_t id = 0; id < ids && status == DANA_OK; id++) {
		counts->retrieved += (seen[id] & IN_OUTPUT) != 0;
		counts->relevant += (seen[id] & IN_GOLD) != 0;
		counts->both += seen[id] == (IN_OUTPUT | IN_GOLD);
	}
	free(seen);
	tokens_free(&media);
	return status;
}

int block_measure(struct token_table *table, const struct block_page *page, struct block_counts *counts)
{
	struct page_text_lines lines = { 0 };
	*counts = (struct block_counts){ 0 };
	token_table_reset(table);
	int status = lines_cut(&lines, table, page->visible);
	if (status == DANA_OK)
		status = count_lines(&lines, table, page, counts);
	tokens_free(&lines.tokens);
	free(lines.ends);
	return status < 0 ? status : count_media(table, page, counts);
}
