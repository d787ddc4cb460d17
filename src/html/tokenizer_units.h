/* SPDX-License-Identifier: MIT */
/* Private to the tokeniser: ordinary markup as units, a text and the tag that follows it in one call. */
#ifndef DANA_HTML_TOKENIZER_UNITS_H
#define DANA_HTML_TOKENIZER_UNITS_H

struct html_tokenizer;

/**
 * Delivers units from t->at on, outside of skipped elements, and moves t->at to after the last one. 0 or the handler's
 * error.
 */
int html_step_units(struct html_tokenizer *t);

#endif
