/* SPDX-License-Identifier: MIT */
/*
 * A model in fastText's format (.bin, .ftz), as lid.176, GlotLID and OpenLID are. Its labels are "__label__fa" or
 * "__label__pes_Arab": an underscore parts language and script there, a hyphen in BCP 47.
 */
#include <cstdio>
#include <cstring>
#include <exception>
#include <fasttext/fasttext.h>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/can_throw.h"
#include "plugins/language/detector.h"

struct language_model {
	fasttext::FastText text;
};

extern "C" struct language_model *language_model_open(const char *file, char why[200])
{
	if (!can_throw()) {
		snprintf(why, 200, "out of memory");
		return nullptr;
	}
	try {
		auto model = new language_model;
		try {
			model->text.loadModel(std::string(file));
			return model;
		} catch (...) {
			delete model;
			throw;
		}
	} catch (const std::bad_alloc &) {
		snprintf(why, 200, "out of memory, or not a model of fastText");
	} catch (const std::exception &e) {
		snprintf(why, 200, "%s", e.what());
	}
	return nullptr;
}

static void set_tag(struct language_answer *answer, const std::string &label)
{
	static const char prefix[] = "__label__";
	std::string tag = label.compare(0, strlen(prefix), prefix) == 0 ? label.substr(strlen(prefix)) : label;

	if (tag.empty() || tag.size() >= sizeof(answer->tag) || tag.compare(0, 3, "zxx") == 0 ||
	    tag.compare(0, 3, "und") == 0)
		return;
	for (char &c : tag)
		if (c == '_')
			c = '-';
	memcpy(answer->tag, tag.c_str(), tag.size() + 1);
}

extern "C" int language_model_detect(const struct language_model *model, const char *text, size_t len,
				     struct language_answer *answer)
{
	answer->tag[0] = '\0';
	answer->score = 0;
	if (!can_throw())
		return -1;
	try {
		std::string line(text, len);
		std::vector<std::pair<fasttext::real, std::string>> found;
		for (char &c : line)
			if (c == '\n')
				c = ' ';
		std::istringstream in(line + "\n");
		model->text.predictLine(in, found, 1, 0);
		if (found.empty())
			return 0;
		set_tag(answer, found[0].second);
		answer->score = found[0].first > 1 ? 1 : found[0].first;
		return 0;
	} catch (const std::exception &) {
		return -1;
	}
}

extern "C" void language_model_free(struct language_model *model)
{
	delete model;
}
