/* SPDX-License-Identifier: MIT */
#include "archive/stream/document.h"

const char *problem_word(unsigned bit)
{
#define PROBLEM_WORD(identifier, word) word,
	static const char *const words[PROBLEM_WORDS] = { PROBLEM_LIST(PROBLEM_WORD) };
	return bit < PROBLEM_WORDS ? words[bit] : "unknown";
}

const char *skip_word(enum skip_reason reason)
{
#define SKIP_WORD(identifier, word, remedy) word,
	static const char *const words[SKIP_REASONS] = { "none", SKIP_LIST(SKIP_WORD) };
	return reason < SKIP_REASONS ? words[reason] : "unknown";
}

const char *skip_remedy(enum skip_reason reason)
{
#define SKIP_REMEDY(identifier, word, remedy) remedy,
	static const char *const remedies[SKIP_REASONS] = { "", SKIP_LIST(SKIP_REMEDY) };
	return reason < SKIP_REASONS ? remedies[reason] : "";
}
