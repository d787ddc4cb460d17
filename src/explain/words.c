#include "explain/words.h"

#include <string.h>

#define FAMILY_WORDS \
	.segment = "segment", .segments = "segments", .region = "region", .regions = "regions", .group = "chain", \
	.chosen = "the chosen chain", .kept = "region of the chosen chain", \
	.other = "region of a chain that was not chosen", .gap = "gap of the chosen chain"

static const struct method_words family = {
	FAMILY_WORDS,
	.above = "content",
	.below = "code",
	.above_name = "content",
	.below_name = "code",
	.smoothed = "smoothed difference of content and code",
	.none = "no region: the smoothed value is not positive",
};

static const struct method_words bytes = {
	FAMILY_WORDS,
	.above = "non-ASCII part",
	.below = "ASCII part",
	.above_name = "non-ascii",
	.below_name = "ascii",
	.smoothed = "smoothed difference of non-ASCII and ASCII",
	.none = "no region: the smoothed value is not positive",
};

static const struct method_words right_to_left = {
	FAMILY_WORDS,
	.above = "right-to-left part",
	.below = "other part",
	.above_name = "right-to-left",
	.below_name = "other",
	.smoothed = "smoothed difference of right-to-left and other",
	.none = "no region: nothing right-to-left",
};

static const struct method_words mountain = {
	.segment = "cell",
	.segments = "cells",
	.region = "ridge",
	.regions = "ridges",
	.group = "ridge",
	.above = "score",
	.below = "code",
	.above_name = "score",
	.below_name = "code",
	.smoothed = "smoothed score",
	.chosen = "the main ridges",
	.kept = "ridge that the classifier takes for main content",
	.other = "ridge that the classifier takes for clutter",
	.none = "no ridge",
	.gap = "no ridge",
};

const struct method_words *method_words(const char *method)
{
	if (strcmp(method, "mountain") == 0)
		return &mountain;
	if (strcmp(method, "r2l") == 0)
		return &right_to_left;
	return strcmp(method, "dana") == 0 || strcmp(method, "dana-slides") == 0 ? &bytes : &family;
}
