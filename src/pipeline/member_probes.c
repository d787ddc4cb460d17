/* SPDX-License-Identifier: MIT */
/*
 * Each codec looks for the first place where a member of its own could begin; the earliest place of all wins. Bytes
 * before it belong to no member. A place that needs more input to be sure is waited for, even where another codec is
 * sure of a later one.
 */
#include "pipeline/member_probes.h"

int member_probes_open(struct member_probes *m, const struct codec_limits *limits)
{
	for (size_t i = 0; i < MEMBER_PROBES_MAX && codec_containers[i]; i++) {
		m->codec[i] = codec_containers[i]->open(limits);
		if (!m->codec[i])
			return DANA_ENOMEM;
	}
	return DANA_OK;
}

size_t member_probes_look(struct member_probes *m, struct slice bytes, bool last, struct codec **found)
{
	size_t before = bytes.len;

	*found = NULL;
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->codec[i]; i++) {
		struct codec_in in = { bytes.data, bytes.len, 0 };
		int result = m->codec[i]->ops->resync(m->codec[i], &in, RESYNC_AT_RECORD, last);

		if (in.pos < before) {
			before = in.pos;
			*found = NULL;
		}
		if (result == 0 && in.pos == before)
			*found = m->codec[i];
	}
	return before;
}

void member_probes_close(struct member_probes *m, const struct codec *keep)
{
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->codec[i]; i++) {
		if (m->codec[i] != keep)
			m->codec[i]->ops->close(m->codec[i]);
		m->codec[i] = NULL;
	}
}
