/* SPDX-License-Identifier: MIT */
/*
 * Most words say nothing. tokens.c hashes the parts of all words anyway; those with a part that is telling are read
 * again here, part by part, and as the sequence of all their parts: that is how whole words such as "sr-only" are
 * known. The table is made when the project is built.
 */
#include "extract/learned/says.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "extract/learned/says_table.h"
#include "extract/learned/tokens.h"

enum { PARTS_MOST = 8, LABEL_MOST = 48 };

/* The parts of a word that were read. */
struct says_parts {
	uint32_t sequence; /* their hash */
	unsigned n;
	unsigned says, opens;
	bool waits; /* for a holder */
	bool other; /* one may mean something else */
};

/* Returns the number of the slot of a hash, or of the empty one where it belongs. */
static size_t find(uint32_t hash)
{
	size_t at = hash % SAYS_SLOTS;
	while (says_table.slot[at].hash && says_table.slot[at].hash != hash)
		at = (at + 1) % SAYS_SLOTS;
	return at;
}

static unsigned topic(unsigned kinds)
{
	return kinds & PART_TOOLS ? SAYS_TOOLS : kinds & PART_LINKS ? SAYS_LINKS : SAYS_APART;
}

/* `prefix`: the part is one letter. */
static void take_part(struct says_parts *parts, uint32_t hash, bool prefix)
{
	parts->sequence = (parts->sequence + 1) * 0x9E3779B1U ^ hash;
	if (parts->n++ >= PARTS_MOST) {
		parts->other = true;
		return;
	}
	const unsigned kinds = says_table.slot[find(hash)].kinds;
	const bool before = (kinds & PART_PLACE || prefix) && !parts->says && !parts->waits;
	parts->other |= !(kinds & (PART_TOPIC | PART_HOLDER | PART_WITH)) && !before;
	parts->opens |= kinds & PART_OPENS ? SAYS_OPENS : 0U;
	parts->says |= parts->waits && kinds & PART_HOLDER ? SAYS_APART : 0U;
	parts->says |= kinds & PART_TOPIC ? topic(kinds) : 0U;
	parts->waits |= (kinds & PART_WITH) != 0;
}

unsigned says_word(struct slice word)
{
	struct says_parts parts = { 0 };
	const uint8_t *p = word.data, *const end = p + word.len;
	while (p < end) {
		const uint8_t *const first = p;
		uint32_t hash = SAYS_PART_START;
		/* letters; a capital after a small letter begins the next part */
		for (; p < end; p++) {
			uint8_t c = word_byte[*p];
			if (c <= '9' && (c = *p) < 0x80)
				break;
			if (c != *p && p > first && (uint8_t)(p[-1] - 'a') < 26)
				break;
			hash = hash_fnv32_byte(c, hash);
		}
		if (p == first) {
			p++;
			continue;
		}
		/* a part directly after a digit is made: "ad" in "08ad" */
		parts.other |= first > word.data && ascii_is_digit(first[-1]);
		take_part(&parts, hash, p - first == 1);
	}
	return (parts.other ? 0U : parts.says) | parts.opens | says_table.slot[find(parts.sequence)].whole;
}

unsigned says_label(struct slice label)
{
	return label.len > LABEL_MOST ? 0U : says_word(label) & (SAYS_APART | SAYS_TOOLS | SAYS_LINKS);
}

/* Where links lead by which readers share a page: hosts without "www.", with the beginnings of paths, by first letters.
 */
/* clang-format off */
enum { SHARES_OF_LETTER = 8 };
static const char *const share_places[26][SHARES_OF_LETTER] = {
	['a' - 'a'] = { "addtoany.com/share", "api.whatsapp.com/send" },
	['b' - 'a'] = { "b.hatena.ne.jp/entry", "bsky.app/intent/compose", "buffer.com/add", "bufferapp.com/add" },
	['d' - 'a'] = { "del.icio.us/post", "delicious.com/post", "delicious.com/save", "digg.com/submit" },
	['f' - 'a'] = { "facebook.com/dialog/feed", "facebook.com/dialog/share", "facebook.com/share" },
	['g' - 'a'] = { "getpocket.com/edit", "getpocket.com/save" },
	['l' - 'a'] = { "lineit.line.me/share", "linkedin.com/cws/share", "linkedin.com/sharearticle",
			"linkedin.com/sharing" },
	['m' - 'a'] = { "mix.com/add" },
	['n' - 'a'] = { "news.ycombinator.com/submitlink" },
	['p' - 'a'] = { "pinterest.com/pin/create", "plus.google.com/share" },
	['r' - 'a'] = { "reddit.com/submit" },
	['s' - 'a'] = { "service.weibo.com/share", "social-plugins.line.me/lineit", "stumbleupon.com/submit" },
	['t' - 'a'] = { "t.me/share", "telegram.me/share", "threads.net/intent/post", "tumblr.com/share",
			"tumblr.com/widgets/share", "twitter.com/home?status", "twitter.com/intent/tweet",
			"twitter.com/share" },
	['v' - 'a'] = { "vk.com/share" },
	['w' - 'a'] = { "wa.me/?text" },
	['x' - 'a'] = { "x.com/intent/post", "x.com/intent/tweet", "x.com/share", "xing.com/spi/shares" },
};
/* clang-format on */

unsigned says_place(struct slice place)
{
	const uint8_t letter = place.len > 1 ? (uint8_t)(place.data[0] - 'a') : UINT8_MAX;
	for (size_t i = 0; letter < 26 && i < SHARES_OF_LETTER && share_places[letter][i]; i++) {
		const char *const share = share_places[letter][i];
		if (share[1] == place.data[1] && slice_is(slice_first(place, strlen(share)), share))
			return SAYS_TOOLS;
	}
	return 0;
}

unsigned says_address(struct slice address)
{
	enum { LEAST = sizeof("mailto:?to=") - 1 };
	if (address.len < LEAST)
		return 0;
	/* mail to nobody yet */
	const bool sends = (address.data[0] == 'm' && slice_is(slice_first(address, strlen("mailto:?")), "mailto:?")) ||
			   (address.data[0] == 'w' && slice_is(slice_first(address, strlen("whatsapp:")), "whatsapp:"));
	return sends ? SAYS_TOOLS : 0;
}
