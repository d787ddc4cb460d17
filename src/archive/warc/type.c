/* SPDX-License-Identifier: MIT */
/*
 * Names and versions are compared with those of the standards: "RESPONSE" is a response, "WARC/1.1 \r" is version 1.1.
 */
#include "archive/warc/type.h"

#include "base/ascii.h"

enum record_type warc_type_of(struct slice name)
{
	for (int type = RECORD_WARCINFO; type < RECORD_OTHER; type++) {
		if (slice_is(name, record_type_name((enum record_type)type)))
			return (enum record_type)type;
	}
	return RECORD_OTHER;
}

static struct slice without_trailing_blanks(struct slice s)
{
	while (s.len && (s.data[s.len - 1] == ' ' || s.data[s.len - 1] == '\t' || s.data[s.len - 1] == '\r' ||
			 s.data[s.len - 1] == '\n'))
		s.len--;
	return s;
}

bool warc_version_known(struct slice line)
{
	static const char *const versions[] = { "WARC/1.0", "WARC/1.1", "WARC/0.18", "WARC/0.17" };
	static const char magic[] = "WARC/";

	if (line.len < sizeof(magic) - 1 || memcmp(line.data, magic, sizeof(magic) - 1) != 0)
		return false; /* the quick way out: every line of a head is asked about, and nearly none begins so */
	line = without_trailing_blanks(line);
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		if (slice_equal(line, slice_from_text(versions[i])))
			return true;
	}
	return false;
}

size_t warc_version_at_end(struct slice line)
{
	struct slice kept = without_trailing_blanks(line);

	for (size_t len = 8; len <= 9 && len <= kept.len; len++) {
		if (warc_version_known(slice_of(kept.data + kept.len - len, len)))
			return len + (line.len - kept.len);
	}
	return 0;
}
