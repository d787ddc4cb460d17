/* SPDX-License-Identifier: MIT */
/*
 * The indexes of the WHATWG Encoding standard (section 5), made from data/charset_indexes.txt: the code point of each
 * pointer, 0 where it has none. Static data: any thread.
 */
#ifndef DANA_ARCHIVE_CHARSET_INDEXES_H
#define DANA_ARCHIVE_CHARSET_INDEXES_H

#include <stdint.h>

enum {
	INDEX_SINGLE_SIZE = 128, /* bytes from 0x80 on */
	INDEX_BIG5_SIZE = 19782,
	INDEX_EUC_KR_SIZE = 23750,
	INDEX_GB18030_SIZE = 23940,
	INDEX_JIS0208_SIZE = 11104,
	INDEX_JIS0212_SIZE = 7211,
	INDEX_GB18030_RANGES = 211,
};

/** From `pointer` to that of the next range, both count up; no code points if `first` is 0. */
struct index_range {
	uint32_t pointer, first;
};

/* clang-format off */
#define INDEX_SINGLE_LIST(X) \
	X(ibm866) X(iso_8859_2) X(iso_8859_3) X(iso_8859_4) X(iso_8859_5) X(iso_8859_6) X(iso_8859_7) X(iso_8859_8) \
	X(iso_8859_10) X(iso_8859_13) X(iso_8859_14) X(iso_8859_15) X(iso_8859_16) X(koi8_r) X(koi8_u) X(macintosh) \
	X(windows_874) X(windows_1250) X(windows_1251) X(windows_1252) X(windows_1253) X(windows_1254) X(windows_1255) \
	X(windows_1256) X(windows_1257) X(windows_1258) X(x_mac_cyrillic) X(x_user_defined)
/* clang-format on */

#define INDEX_DECLARE(name) extern const uint16_t index_##name[INDEX_SINGLE_SIZE];
INDEX_SINGLE_LIST(INDEX_DECLARE)
#undef INDEX_DECLARE

/** The lower 16 bits; a code point of the second supplementary plane (U+2xxxx) has a bit in index_big5_plane2. */
extern const uint16_t index_big5[INDEX_BIG5_SIZE];
extern const uint8_t index_big5_plane2[(INDEX_BIG5_SIZE + 7) / 8];
extern const uint16_t index_euc_kr[INDEX_EUC_KR_SIZE];
extern const uint16_t index_gb18030[INDEX_GB18030_SIZE];
extern const uint16_t index_jis0208[INDEX_JIS0208_SIZE];
extern const uint16_t index_jis0212[INDEX_JIS0212_SIZE];
/** Of characters of four bytes, by rising pointers, the first of which is 0. */
extern const struct index_range index_gb18030_ranges[INDEX_GB18030_RANGES];

#endif
