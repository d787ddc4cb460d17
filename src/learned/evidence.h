/*
 * What a page says of itself where readers do not see it: its description, its type and its address, in <meta> and <link>.
 * It may come after the text, and it may be of any length: descriptions are kept as a set of hashed runs of three words.
 */
#ifndef DANA_LEARNED_EVIDENCE_H
#define DANA_LEARNED_EVIDENCE_H

#include "base/buf.h"
#include "learned/attr_reader.h"
#include "learned/word_runs.h"

/** og:type. */
enum page_kind { KIND_NONE, KIND_OTHER, KIND_WEBSITE, KIND_ARTICLE, KIND_PRODUCT };

struct evidence {
	struct word_runs described;
	uint8_t page_kind;
	uint8_t url_last, url_digits; /* of the address that the page gives as its own */
	struct buf scratch;
};

void evidence_reset(struct evidence *e);
void evidence_free(struct evidence *e);
/** <meta>. 0 or DANA_ENOMEM. */
int evidence_meta(struct evidence *e, struct attr_reader *attrs);
/** <link>: the page's own address. */
void evidence_link(struct evidence *e, struct attr_reader *attrs);

#endif
