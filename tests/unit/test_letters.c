/* SPDX-License-Identifier: MIT */
/* The letters of `auto`: counted by blocks at each level of instructions, against one by one; and when they decide. */
#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/family/letters.h"
#include "support/split_feed.h"
#include "support/unit.h"

enum { WINDOW = 1024, BLOCKS = WINDOW / 64 };

/* A window at whose end the readable memory ends too, and what a tokeniser says of it. */
struct window {
	uint8_t *pages, *bytes;
	size_t page;
	struct byte_mask masks[BLOCKS + 1];
	uint64_t code[BLOCKS + 1], voids[BLOCKS + 1];
	struct html_stretch stretch;
};

static void window_open(struct window *w)
{
	w->page = (size_t)sysconf(_SC_PAGESIZE);
	w->pages = mmap(NULL, 2 * w->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(w->pages != MAP_FAILED);
	assert_int_equal(mprotect(w->pages + w->page, w->page, PROT_NONE), 0);
}

static void window_close(struct window *w)
{
	assert_int_equal(munmap(w->pages, 2 * w->page), 0);
}

/* Every byte value, those at the borders of what is a letter most often. `lean`: 1, mostly ASCII; 2, mostly not. */
static uint8_t any_byte(uint32_t *random, unsigned lean)
{
	static const uint8_t borders[] = "@AZ[`az{ \xc2\xc3\xe1\xe2\xe3\xff";
	uint32_t r = split_random(random);
	uint8_t c = r % 2 ? borders[r / 2 % (sizeof(borders) - 1)] : (uint8_t)(r / 2);
	bool wanted = lean == 0 || (c >= 0x80) == (lean == 2) || r / 1024 % 8 == 0;
	return wanted ? c : (uint8_t)(c ^ 0x80);
}

/* A stretch of `len` bytes, at the end of the window, of which about one in four is text. */
static void window_fill(struct window *w, uint32_t *random, size_t from, size_t len, unsigned lean)
{
	w->bytes = w->pages + w->page - len;
	for (size_t i = 0; i < len; i++)
		w->bytes[i] = any_byte(random, lean);
	byte_masks_path()(w->bytes, len, w->masks);
	for (size_t i = 0; i <= BLOCKS; i++) {
		w->code[i] = split_random(random) | (uint64_t)split_random(random) << 32;
		w->voids[i] = w->code[i] << 7;
	}
	w->code[from / 64] |= ((uint64_t)1 << from % 64) - 1;
	w->code[len / 64] |= ~(uint64_t)0 << len % 64;
	w->stretch = (struct html_stretch){ .window = w->bytes,
					    .masks = w->masks,
					    .code = w->code,
					    .voids = w->voids,
					    .from = from,
					    .to = len };
}

static bool is_letter(uint8_t c, bool *foreign)
{
	*foreign = c >= 0xC3 && c != 0xE2;
	return *foreign || ascii_is_alpha(c);
}

/* The same one by one. */
static void count_slowly(struct letters *l, const struct html_stretch *h)
{
	static const struct {
		size_t letters;
		double above, below; /* of the way from the threshold, that a choice asks for; 2: none is made */
	} looks[] = { { 256, 0.875, 2 }, { 512, 0.75, 2 },  { 1024, 0.5, 0.75 },
		      { 2048, 0, 0.5 },  { 4096, 0, 0.25 }, { 8192, 0, 0 } };
	for (size_t i = h->from; i < h->to && l->choice == OPEN; i++) {
		bool foreign, text = !((h->code[i / 64] | h->voids[i / 64]) >> i % 64 & 1);
		if (!text || !is_letter(h->window[i], &foreign))
			continue;
		l->all++;
		l->foreign += foreign;
		if (l->all < l->next_look)
			continue;
		l->next_look *= 2;
		l->foreign_half |= 2 * l->foreign >= l->all;
		double percent = 100.0 * (double)l->foreign / (double)l->all, share = (double)l->share;
		for (size_t k = 0; k < sizeof(looks) / sizeof(*looks); k++) {
			if (l->all != looks[k].letters)
				continue;
			if (percent >= share + (100 - share) * looks[k].above)
				l->choice = DANA;
			else if (share > 0 && percent <= share - share * looks[k].below)
				l->choice = DANAG;
		}
	}
}

static void check_blocks(void)
{
	static const unsigned long shares[] = { 0, 1, 50, 90, 99, 100 };
	struct window w;
	uint32_t random = 31;
	unsigned decided = 0;
	window_open(&w);
	for (unsigned page = 0; page < 300; page++) {
		struct letters fast = { .share = shares[page % 6] }, slow;
		letters_begin(&fast);
		slow = fast;
		for (unsigned i = 0; i < 40; i++) {
			size_t len = 1 + split_random(&random) % WINDOW;
			window_fill(&w, &random, split_random(&random) % len, len, page / 6 % 3);
			enum choice choice = letters_stretch(&fast, &w.stretch);
			assert_int_equal(choice, fast.choice);
			count_slowly(&slow, &w.stretch);
			assert_true(fast.all == slow.all && fast.foreign == slow.foreign);
			assert_true(fast.next_look == slow.next_look && fast.foreign_half == slow.foreign_half);
			assert_int_equal(fast.choice, slow.choice);
		}
		decided += fast.choice != OPEN;
	}
	assert_in_range(decided, 50, 290);
	window_close(&w);
}

TEST(test_levels)
{
	const enum cpu_level usual = cpu_level();
	for (int level = CPU_PLAIN; level <= CPU_AVX512; level++) {
		cpu_level_set(cpu_has((enum cpu_level)level) ? (enum cpu_level)level : CPU_PLAIN);
		check_blocks();
	}
	cpu_level_set(usual);
}

static enum choice count_text(struct letters *l, struct slice text)
{
	const struct html_run run = { .kind = HTML_TEXT, .bytes = text };
	return letters_run(l, &run);
}

/* `dana` after 256 letters, `danag` after 1,024, not before, and at each doubling, until 8,192 decide in any case. */
TEST(test_looks)
{
	struct letters l = { .share = 50 };
	const struct slice ascii = slice_from_text("a"), arabic = slice_from_text("\xd8\xb3"),
			   dash = slice_from_text("\xe2\x80\x94-1\xc2\xab");
	letters_begin(&l);
	assert_int_equal(letters_end(&l), DANAG);
	for (unsigned i = 0; i < 255; i++) {
		assert_int_equal(count_text(&l, arabic), OPEN);
		assert_int_equal(count_text(&l, dash), OPEN);
		assert_int_equal(l.foreign_half, i >= 63);
	}
	assert_int_equal(count_text(&l, arabic), DANA);
	assert_int_equal(l.all, 256);

	letters_begin(&l);
	for (unsigned i = 0; i < 2047; i++)
		assert_int_equal(count_text(&l, i < 700 ? ascii : arabic), OPEN);
	assert_int_equal(letters_end(&l), DANA);
	assert_int_equal(count_text(&l, arabic), DANA);

	letters_begin(&l);
	for (unsigned i = 0; i < 8191; i++)
		assert_int_equal(count_text(&l, i % 5 < 2 ? arabic : ascii), OPEN);
	assert_int_equal(count_text(&l, ascii), DANAG);

	letters_begin(&l);
	for (unsigned i = 0; i < 1023; i++)
		assert_int_equal(count_text(&l, ascii), OPEN);
	assert_false(l.foreign_half);
	assert_int_equal(count_text(&l, ascii), DANAG);
}

/* What the look at `count` letters makes of a page that was open before. */
static enum choice choice_at(unsigned long share, uint64_t count, uint64_t foreign)
{
	struct letters l = { .share = share };
	letters_begin(&l);
	l.next_look = count;
	l.all = count - 1;
	l.foreign = foreign - (foreign == count);
	return count_text(&l, slice_from_text(foreign == count ? "\xd8\xb3" : "a"));
}

/* The first share of `count` letters that does not choose `danag`, the first that chooses `dana`. */
static void assert_borders(unsigned long share, uint64_t count, uint64_t open, uint64_t dana)
{
	if (open > 0)
		assert_int_equal(choice_at(share, count, open - 1), DANAG);
	if (open < dana) {
		assert_int_equal(choice_at(share, count, open), OPEN);
		assert_int_equal(choice_at(share, count, dana - 1), OPEN);
	}
	assert_int_equal(choice_at(share, count, dana), DANA);
}

TEST(test_borders)
{
	static const unsigned rows[][4] =
		ROWS({ 50, 256, 0, 240 }, { 50, 512, 0, 448 }, { 50, 1024, 129, 768 }, { 50, 2048, 513, 1024 },
		     { 50, 4096, 1537, 2048 }, { 50, 8192, 4096, 4096 }, { 100, 256, 0, 256 }, { 100, 1024, 257, 1024 },
		     { 100, 8192, 8192, 8192 }, { 0, 256, 0, 224 }, { 0, 1024, 0, 512 }, { 0, 2048, 0, 0 });
	struct letters l = { .share = 0 };
	assert_int_equal(choice_at(50, 128, 128), OPEN);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_borders(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
	letters_begin(&l);
	assert_int_equal(count_text(&l, slice_from_text("abc")), OPEN);
	assert_int_equal(letters_end(&l), DANA);
}
