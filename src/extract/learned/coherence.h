/* SPDX-License-Identifier: MIT */
/*
 * What stands or falls with its neighbours, whatever its own probability is. Code between two kept blocks of its
 * container is kept, as are the paragraph under the title that has the page's description, the list that a kept
 * paragraph announces with a colon, and the table of data between kept blocks, or of which half is kept. A kept heading
 * goes whose section is dropped: the blocks up to the next heading of its level or a higher one.
 *
 * Dropped are tables of contents, which repeat the headings after them, lines of a label and a link, as to another
 * article, cells of links beside a cell of prose, and labels with a colon before links that are dropped.
 *
 * Example: of <h2>Use</h2><p>Run it:</p><pre>lamp on</pre><p>It shines.</p><h2>See also</h2><ul>...</ul> the
 * paragraphs and headings are kept on their own. The code is between two of them and is kept, too; "See also" goes with
 * its list.
 */
#ifndef DANA_EXTRACT_LEARNED_COHERENCE_H
#define DANA_EXTRACT_LEARNED_COHERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "extract/learned/blocks.h"
#include "extract/learned/stage2.h"

/** What is decided of a block. */
enum verdict {
	VERDICT_KEPT,
	VERDICT_UNLIKELY,
	VERDICT_COPY,
	VERDICT_NOTE,     /* kept, as a footnote of a kept block */
	VERDICT_CODE,     /* kept, as code between kept blocks */
	VERDICT_LEAD,     /* kept, as the description under the title */
	VERDICT_LIST,     /* kept, as a list after a colon */
	VERDICT_TABLE,    /* kept, as a cell of a table between kept text */
	VERDICT_BARE,     /* a likely heading, whose section is dropped */
	VERDICT_CONTENTS, /* in a table of contents */
	VERDICT_ALSO,     /* a label and a link, a label of dropped links, or links beside the text */
	VERDICT_COUNT
};

static inline bool verdict_keeps(enum verdict verdict)
{
	return verdict == VERDICT_KEPT || (verdict >= VERDICT_NOTE && verdict <= VERDICT_TABLE);
}

enum coherence_role {
	ROLE_NONE,
	ROLE_CODE,
	ROLE_LEAD,
	ROLE_LIST,
	ROLE_TABLE,
	ROLE_HEADING,
	ROLE_CONTENTS,
	ROLE_ALSO,
	ROLE_LABEL
};

/**
 * What a block depends on: the blocks from..to-1 of its container, or of its section; an item of a list on block
 * `from`, which announces it, and on one of the blocks after the list, which ends at `to`.
 */
struct coherence_place {
	uint32_t from, to;
	uint8_t role; /* enum coherence_role */
};

/** Zeroed, it is empty. It owns its arrays. */
struct coherence {
	struct coherence_place *place; /* of each block */
	uint32_t *kept;                /* how many are kept before each block, and of all */
	uint32_t *first;               /* of each element, its first block */
	size_t cap_blocks, cap_elements;
	bool adds, drops; /* code or a lead may be kept, too; headings may be dropped */
	bool apart;       /* tables of contents and labels with links may be dropped */
	bool labels;      /* ... and labels before links */
};

/**
 * Finds what each block depends on. On pages of lists, products and services headings are content, and depend on
 * nothing. `described`: the block that has the page's description, or one behind all.
 */
int coherence_find(struct coherence *c, const struct blocks *b, const struct aggregates *a, enum page_kind kind,
		   uint32_t described);
/** Takes out what would keep a block that is left out. */
void coherence_leave_out(struct coherence *c, uint32_t i);
/** Changes the verdicts of blocks by those of the others. */
void coherence_apply(const struct coherence *c, const struct blocks *b, uint8_t *verdict);
void coherence_free(struct coherence *c);

#endif
