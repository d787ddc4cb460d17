#include "html/byte_masks.h"

#include "base/ascii.h"
#include "html/byte_masks_paths.h"

static void masks_block_plain(const uint8_t *p, size_t n, struct byte_mask *m)
{
	*m = (struct byte_mask){ 0 };
	for (size_t i = 0; i < n; i++) {
		uint64_t bit = (uint64_t)1 << i;
		uint8_t c = p[i];
		if (c >= 0x80) {
			m->high |= bit;
			if (c < 0xC0)
				m->cont |= bit;
		} else if (c == '<') {
			m->lt |= bit;
		} else if (c == '>') {
			m->gt |= bit;
		} else if (c == '"') {
			m->quote |= bit;
		} else if (c == '\'') {
			m->apos |= bit;
		} else if (c == '=') {
			m->equals |= bit;
		} else if (ascii_is_space(c)) {
			m->space |= bit;
		}
	}
}

void byte_masks_plain(const uint8_t *data, size_t len, struct byte_mask *masks)
{
	for (; len >= 64; data += 64, len -= 64)
		masks_block_plain(data, 64, masks++);
	if (len)
		masks_block_plain(data, len, masks);
}

const struct byte_masks_path *byte_masks_paths(size_t *count)
{
#if defined(__x86_64__) || (defined(__i386__) && defined(__SSE2__))
	static const struct byte_masks_path paths[] = { { "avx512", byte_masks_avx512 },
							{ "avx2", byte_masks_avx2 },
							{ "sse2", byte_masks_sse2 },
							{ "plain", byte_masks_plain } };
	size_t first = __builtin_cpu_supports("avx512bw") ? 0 : __builtin_cpu_supports("avx2") ? 1 : 2;
#elif defined(__aarch64__)
	static const struct byte_masks_path paths[] = { { "neon", byte_masks_neon }, { "plain", byte_masks_plain } };
	size_t first = 0;
#else
	static const struct byte_masks_path paths[] = { { "plain", byte_masks_plain } };
	size_t first = 0;
#endif
	*count = sizeof(paths) / sizeof(*paths) - first;
	return paths + first;
}
