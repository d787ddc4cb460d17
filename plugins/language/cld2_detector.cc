/* SPDX-License-Identifier: MIT */
/* CLD2 knows 83 languages; any number of threads may ask it. */
/* CLD2's header uses FILE, and does not include what declares it. */
/* clang-format off */
#include <cstdio>
#include <cstring>

#include <cld2/public/compact_lang_det.h>
/* clang-format on */

#include "base/can_throw.h"
#include "plugins/language/detector.h"

/** CLD2's code as BCP 47; NULL for what is no language: scripts ("xx-Cher"), jokes ("zzp"). */
static const char *tag_of(const char *code)
{
	static const struct {
		const char *code, *tag;
	} other[] = { { "iw", "he" }, { "jw", "jv" }, { "mo", "ro" } };

	if (!strncmp(code, "xx", 2) || !strncmp(code, "zz", 2) || !strcmp(code, "un") || !strcmp(code, "tlh"))
		return nullptr;
	for (const auto &row : other)
		if (!strcmp(code, row.code))
			return row.tag;
	return code;
}

extern "C" int cld2_detect(const char *text, size_t len, struct language_answer *answer)
try {
	CLD2::Language languages[3];
	int percents[3], text_bytes;
	bool reliable;

	answer->tag[0] = '\0';
	answer->score = 0;
	if (!can_throw())
		return -1;
	CLD2::DetectLanguageSummary(text, static_cast<int>(len), true, languages, percents, &text_bytes, &reliable);
	const char *tag = reliable ? tag_of(CLD2::LanguageCode(languages[0])) : nullptr;
	if (!tag)
		return 0;
	const size_t n = strnlen(tag, sizeof(answer->tag) - 1);
	memcpy(answer->tag, tag, n);
	answer->tag[n] = '\0';
	answer->score = percents[0] / 100.0;
	return 0;
} catch (const std::exception &) {
	return -1;
}
