/* SPDX-License-Identifier: MIT */
/* An output format: the address of each page on a line. */
#include "archive/sink/sink.h"

#include <stdlib.h>

#include "base/status.h"

static struct sink *urls_open(const struct sink_config *config)
{
	struct sink *s = calloc(1, sizeof(*s));

	(void)config;
	if (s)
		s->ops = &sink_urls;
	return s;
}

static int urls_document(const struct sink *s, struct document *doc, struct buf *out)
{
	int status = buf_append(out, doc->record->target_uri.data, doc->record->target_uri.len);

	(void)s;
	return status < 0 ? status : buf_append_byte(out, '\n');
}

static void urls_close(struct sink *s)
{
	free(s);
}

const struct sink_ops sink_urls = {
	.name = "urls",
	.suffix = ".urls",
	.open = urls_open,
	.document = urls_document,
	.close = urls_close,
};
