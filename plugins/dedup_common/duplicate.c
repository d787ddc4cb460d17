/* SPDX-License-Identifier: MIT */
#include "plugins/dedup_common/duplicate.h"

#include "base/json_writer.h"

struct origin duplicate_origin(const struct dana_host *host, const struct dana_page *p)
{
	int64_t offset = host->number_item(p, DANA_OFFSET);

	return (struct origin){ .id = slice_of_view(host->text_item(p, DANA_RECORD_ID)),
				.file = slice_of_view(host->text_item(p, DANA_FILE_NAME)),
				.offset = offset < 0 ? UINT64_MAX : (uint64_t)offset };
}

int duplicate_put(const struct dana_host *host, struct dana_page *p, const struct origin *first)
{
	struct buf json = { 0 };
	struct json_writer w = { .out = &json };

	json_object_begin(&w);
	json_text_or_null(&w, "id", first->id);
	json_text_or_null(&w, "file", first->file);
	json_count_or_null(&w, "offset", first->offset != UINT64_MAX, first->offset);
	json_object_end(&w);
	int status = buf_status(&json) < 0 ? host->page_fail(p, "%s", status_text(DANA_ENOMEM))
					   : host->put_json(p, "duplicate_of",
							    (struct dana_view){ (const char *)json.data, json.len });
	buf_free(&json);
	return status;
}
