/* Inside of the tokeniser: ordinary markup as units, a text and the plain tag behind it at once. */
#ifndef DANA_HTML_TOKENIZER_UNITS_H
#define DANA_HTML_TOKENIZER_UNITS_H

struct html_tokenizer;

/** From t->at on, outside of skipped elements, as far as there are units. t->at unchanged: there is none. 0 or the handler's error. */
int html_step_units(struct html_tokenizer *t);

#endif
