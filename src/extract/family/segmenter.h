/* SPDX-License-Identifier: MIT */
/*
 * Cuts the normalised page into segments of one length and hands them to a chain selector: the part that `r2l`, `dana`,
 * `dana-slides`, `danag` and `addanag` share (doc/METHODS.md). White space inside a unit (a text, a tag) collapses.
 */
#ifndef DANA_EXTRACT_FAMILY_SEGMENTER_H
#define DANA_EXTRACT_FAMILY_SEGMENTER_H

#include "base/ascii.h"
#include "extract/family/chain_selector.h"
#include "extract/family/content_stream.h"
#include "extract/family/references.h"
#include "extract/family/stretch.h"
#include "extract/method.h"

/** Bytes of the page that are read now, and their place in it. */
struct segmenter_place {
	struct slice bytes;
	uint64_t offset;
};

/** What a method counts and links by default. */
struct segmenter_count {
	struct tag_limits limits;
	unsigned long gap;
	bool gap_fill;
	enum chain_rank rank;
};

/** The values of the keys below. */
struct segmenter_keys {
	unsigned long segment, gap, gap_fill, tag_limit, link_limit; /* but for segment: may be SEGMENTER_UNSET */
	bool bytes, literal;
	struct segmenter_count mended; /* defaults, unless the count is literal */
};
#define SEGMENTER_UNSET (~0UL)
static inline struct segmenter_keys segmenter_keys(bool bytes, struct segmenter_count mended)
{
	return (struct segmenter_keys){ .segment = 65,
					.gap = SEGMENTER_UNSET,
					.gap_fill = SEGMENTER_UNSET,
					.tag_limit = SEGMENTER_UNSET,
					.link_limit = SEGMENTER_UNSET,
					.bytes = bytes,
					.mended = mended };
}

struct segmenter {
	struct chain_selector *chain;
	struct segmenter_keys keys;
	struct chain_config config;
	struct buf *spans;           /* gets where the text is in the page, by `read`; or NULL */
	struct segmenter_place read; /* set before each run; stretches are not taken then */
	uint64_t length;             /* of a segment, in units */
	struct tag_limits limits;
	bool bytes;               /* unit: bytes instead of characters */
	bool literal;             /* counts as the papers do: bytes of references, and of code, for what they are */
	uint64_t content;         /* in the current segment */
	uint64_t used;            /* content and code in the current segment */
	struct stretch_text text; /* of the current stretch */
};

/** The defaults for which there are fast paths: characters of `danag`, bytes of `dana`. */
static const struct tag_limits segmenter_text_limits = { 3, 64 }, segmenter_bytes_limits = { 16, NO_TAG_LIMIT };

/** Keys of the DANA family, as struct method_key; `unit`: the default, "bytes", "chars", or NULL for either. */
/* clang-format off */
#define SEGMENTER_KEYS(unit_standard, gap_standard, gap_fill_standard) \
	{ .name = "segment", .least = 1, .most = 1 << 20, .standard = "65", .help = "length of a segment, in units" }, \
	{ .name = "gap", .least = 1, .most = 1 << 20, .standard = (gap_standard), \
	  .help = "segments between two regions that still link them" }, \
	{ .name = "gap-fill", .words = "0|1", .standard = (gap_fill_standard), \
	  .help = "1: the text between linked regions is kept too" }, \
	{ .name = "unit", .words = "bytes|chars", .standard = (unit_standard), .help = "what is counted" }
/** Those of the methods whose count differs from the papers', too. */
#define SEGMENTER_KEYS_MENDED(tag_standard, link_standard) \
	{ .name = "tag-limit", .most = TAG_LIMIT_MOST, .standard = (tag_standard), \
	  .help = "bytes of a tag that count, but for links; 0: all" }, \
	{ .name = "link-limit", .most = TAG_LIMIT_MOST, .standard = (link_standard), \
	  .help = "bytes of a link's tag that count; 0: all" }, \
	{ .name = "literal", .words = "0|1", .standard = "0", \
	  .help = "1: counts as the papers do: all bytes of tags; gap is 20 and gap-fill 0, unless set" }
/* clang-format on */

/** Begins. `hit`, `rank`: of a method with one count only; `rank` is in `keys` otherwise. */
int segmenter_init(struct segmenter *s, const struct method_env *env, struct segmenter_keys keys, enum chain_hit hit,
		   enum chain_rank rank);
/** Counts by s->keys from now on. */
void segmenter_apply(struct segmenter *s);
/** Returns what the keys and the defaults give. */
struct segmenter_count segmenter_count(const struct segmenter_keys *keys);
/** Takes a setting of one of SEGMENTER_KEYS or SEGMENTER_KEYS_MENDED. */
void segmenter_set(struct segmenter_keys *keys, const struct method_setting *setting);

/**
 * Returns whether only content counts: in text whose white space is kept, such as a listing, tags colour what is to be
 * read, and ASCII is its script.
 */
static inline bool segmenter_in_listing(const struct segmenter *s, uint8_t space)
{
	return space == WHITE_SPACE_KEPT && !s->literal;
}

/* A full segment is closed only when the next unit comes: a character in two pieces stays in one segment. */

/** Most bytes of a segment beyond its length, of its last character. Further ones (broken UTF-8) count against it. */
enum { SEGMENT_BEYOND = 3 };

/** Counts `n` units of code: segmenter_code for all cases. */
int segmenter_code_across(struct segmenter *s, uint64_t n);
static inline int segmenter_code(struct segmenter *s, uint64_t n)
{
	if (s->used + n > s->length) /* a character may have filled more than the segment */
		return segmenter_code_across(s, n);
	s->used += n;
	return 0;
}
/** Returns whether `text` is of the bytes that are read, and its place in the page. */
static inline bool segmenter_offset(const struct segmenter_place *read, struct slice text, uint64_t *offset)
{
	const size_t at = (size_t)((uintptr_t)text.data - (uintptr_t)read->bytes.data);
	*offset = read->offset + at;
	return at < read->bytes.len;
}
/** Appends to the text of the current segment. */
static inline int segmenter_write(struct segmenter *s, struct slice text)
{
	uint64_t offset;
	/* white space has no place: at the end of a piece of the page it is held, and comes from elsewhere */
	const struct slice words = s->spans ? slice_trim(text) : slice_of(NULL, 0);
	if (words.len && segmenter_offset(&s->read, words, &offset))
		chain_selector_place(s->chain, offset, offset + words.len);
	return buf_append(chain_selector_text(s->chain), text.data, text.len);
}
/** segmenter_content for all cases: adds content that is kept, with the first bytes of `chars` characters. */
int segmenter_content_across(struct segmenter *s, struct slice bytes, size_t chars, bool ascii);
static inline int segmenter_content(struct segmenter *s, struct slice bytes, size_t chars, bool ascii)
{
	uint64_t units = s->bytes ? bytes.len : chars;
	if (s->used + units > s->length || s->used >= s->length)
		return segmenter_content_across(s, bytes, chars, ascii);
	s->content += units;
	s->used += units;
	return segmenter_write(s, bytes);
}
/** Adds a character that is content, or not, as `reference` counts. The caller writes `source`. */
static inline void segmenter_reference(struct segmenter *s, const struct reference *reference, bool content)
{
	const uint64_t units = s->bytes ? reference->bytes : 1;
	s->used += units;
	s->content += content ? units : 0;
}
/** Closes the current segment if it is full. */
int segmenter_make_room(struct segmenter *s);
/** Takes a stretch: the same as its runs and tags through `s`, whose sink passes everything to `g`. */
int segmenter_stretch_text(struct segmenter *g, struct content_stream *s, const struct html_stretch *h);
/**
 * The same for the byte scans: bytes above 127 are content, those of code only if g->literal. *before, *held: what
 * precedes the stretch, then what follows it.
 */
int segmenter_stretch_bytes(struct segmenter *g, struct stretch_before *before, struct held_space *held,
			    const struct html_stretch *h);
/** Counts code, or text that is not kept, as literal scans do; `after_space`: the byte before is white space. */
int segmenter_code_bytes(struct segmenter *g, const struct html_run *run, bool after_space);
/** Ends the page: closes the last segment and the chain, and writes its text. */
int segmenter_finish(struct segmenter *s, struct text_writer *out);
void segmenter_reset(struct segmenter *s);

#endif
