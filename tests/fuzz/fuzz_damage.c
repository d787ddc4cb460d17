/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: good archives with damages that the input describes. First byte: the kind of archive; second: file or
 * pipe, and the size of the chunks; then five bytes for each damage: way, place and length. Oracle:
 * support/damaged_archive.h, and the same result with other chunks.
 */
#include "support/damaged_archive.h"

enum { RECORDS = 24, DAMAGES_MAX = 8, DAMAGE_BYTES = 5, HEAD = 2 };

static const struct archive_kind kinds[] = {
	{ "gzip", 0, false },    { "zstd", 0, false },    { "gzip", 700, false }, { "zstd", 700, false },
	{ "gzip", 4000, false }, { "zstd", 4000, false }, { "gzip", 0, true },    { "zstd", 900, true },
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct archive archives[KINDS];
	static struct buf file;
	struct damage all[DAMAGES_MAX];
	bool touched[RECORDS] = { false };
	if (size < HEAD)
		return 0;
	const uint8_t kind = data[0] % KINDS;
	struct archive *a = &archives[kind];
	const bool seekable = data[1] & 1;
	const size_t chunk = 1 + data[1] * (size_t)data[1] / 8;
	uint32_t random = 1 + (uint32_t)size;
	if (!a->n_records)
		archive_make(a, &kinds[kind], RECORDS);
	buf_clear(&file);
	must(buf_append(&file, a->file.data, a->file.len) == 0);
	struct slice input = slice_of(data + HEAD, size - HEAD);
	size_t n = 0;
	for (; input.len >= DAMAGE_BYTES && n < DAMAGES_MAX; input = slice_skip(input, DAMAGE_BYTES)) {
		const uint8_t *p = input.data;
		const enum damage_way way = (enum damage_way)(p[0] % DAMAGE_WAYS);
		const size_t len = way == FLIP ? 1 : 1 + p[3] + (p[4] & 7) * 256U;
		all[n++] = (struct damage){ way, (p[1] * 256U + p[2]) % (file.len - len), len };
	}
	n = archive_damage(a, &file, all, n, touched, &random);
	const struct archive_loss whole = archive_judge(a, buf_slice(&file), touched, n, SIZE_MAX, seekable);
	const struct archive_loss cut = archive_judge(a, buf_slice(&file), touched, n, chunk, seekable);
	must_be(!whole.fault, whole.fault);
	must_be(whole.lost == cut.lost && whole.beside == cut.beside && whole.reports == cut.reports,
		"another result with other chunks");
	return 0;
}
