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
		m->of[i] = (struct member_probe){ .codec = codec_containers[i]->open(limits) };
		if (!m->of[i].codec)
			return DANA_ENOMEM;
	}
	return DANA_OK;
}

/* Goes on where its search has stopped: no codec searches a byte twice. */
static int look(struct member_probe *one, struct slice bytes, bool last)
{
	struct codec_in in = { bytes.data, bytes.len, one->searched < bytes.len ? one->searched : bytes.len };

	if (one->found)
		return DANA_OK;
	int result = one->codec->ops->resync(one->codec, &in, RESYNC_AT_RECORD, last);

	one->found = result == 0;
	one->searched = in.pos;
	return result < 0 ? result : DANA_OK;
}

int member_probes_look(struct member_probes *m, struct slice bytes, bool last, size_t *before, struct codec **found)
{
	*before = bytes.len;
	*found = NULL;
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		int status = look(&m->of[i], bytes, last);

		if (status < 0)
			return status;
		if (m->of[i].searched < *before)
			*before = m->of[i].searched;
	}
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		m->of[i].searched -= *before;
		if (m->of[i].found && m->of[i].searched == 0)
			*found = m->of[i].codec;
	}
	return DANA_OK;
}

void member_probes_close(struct member_probes *m, const struct codec *keep)
{
	for (size_t i = 0; i < MEMBER_PROBES_MAX && m->of[i].codec; i++) {
		if (m->of[i].codec != keep)
			m->of[i].codec->ops->close(m->of[i].codec);
		m->of[i].codec = NULL;
	}
}
