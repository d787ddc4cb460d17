/* SPDX-License-Identifier: MIT */
/* Names and files of the lists of the plugin url: names against a look at each byte, and files that are plain and gzip.
 */
#include "config.h"

#include <unistd.h>

#include "plugins/url/lists.h"
#include "support/deflated.h"

/* The length of a name in lower case; 0 if it is not a name. */
static size_t plain_lower(const char *name, size_t len, char out[HOST_MOST + 1])
{
	len -= len && name[len - 1] == '.';
	for (size_t i = 0; i < len; i++) {
		const bool begins = i == 0 || name[i - 1] == '.';
		const char c = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
		if (c == '.' ? begins || i + 1 == len : !c || !strchr("abcdefghijklmnopqrstuvwxyz0123456789-_:", c))
			return 0;
		out[i] = c;
	}
	return len <= HOST_MOST ? len : 0;
}

TEST(test_names)
{
	static const char bytes[] = "aZ09.-_:`{/;@[,z";
	uint32_t random = 1;
	size_t good = 0;
	for (int round = 0; round < 300000; round++) {
		char name[HOST_MOST + 2], expected[HOST_MOST + 1], found[HOST_MOST + 1];
		random = random * 1664525 + 1013904223;
		const size_t len = round % 1000 ? (random >> 20) % 40 : HOST_MOST - 1 + (random >> 20) % 3;
		for (size_t i = 0; i < len; i++) {
			random = random * 1664525 + 1013904223;
			name[i] = random >> 16 & 31 ? bytes[(random >> 24) % 8] : (char)(random >> 24 & 0x7f);
		}
		for (size_t i = 0; i < len && random >> 31; i++) /* half of them without empty parts */
			if (name[i] == '.' && (i == 0 || name[i - 1] == '.'))
				name[i] = 'b';
		const size_t n = host_normal(slice_of(name, len), found);
		assert_int_equal(n, plain_lower(name, len, expected));
		assert_memory_equal(found, expected, n);
		assert_true(!n || !found[n]);
		good += n > 0;
	}
	assert_in_range(good, 30000, 270000);
}

static int join(void *arg, struct slice text, const struct list_place *place, struct error *err)
{
	char *all = arg;
	(void)place;
	(void)err;
	strncat(all, (const char *)text.data, text.len);
	strcat(all, "|");
	return DANA_OK;
}

/* The bytes of a file, and what is read of it; `said`: how the message ends, NULL if none is expected. */
static void expect(const void *bytes, size_t len, const char *entries, const char *said)
{
	char name[] = "test_url_lists.XXXXXX", all[200] = "";
	struct error err = { 0 };
	const int fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
	const int status = list_file_read(name, join, all, &err);
	unlink(name);
	assert_int_equal(status, said ? DANA_EIO : DANA_OK);
	if (said)
		assert_non_null(strstr(err.text, said));
	else
		assert_string_equal(all, entries);
}

TEST(test_files)
{
	static const char damaged[] = "the compressed data is damaged or cut off";
	AUTO_BUF file = { 0 };
	expect("", 0, "", NULL);
	expect("a", 1, "a|", NULL);
	expect("\x1f", 1, "\x1f|", NULL);
	expect("# x\n a #b\nc#d\r\n\n", 16, "a|c#d|", NULL);
	append_deflated(&file, slice_from_text("a\nb"), 6, DEFLATED_GZIP);
	const size_t first = file.len;
	expect(file.data, first, "a|b|", NULL);
	append_deflated(&file, slice_from_text("c\nd\n"), 6, DEFLATED_GZIP);
	const size_t second = file.len;
	expect(file.data, second, "a|bc|d|", NULL);
	assert_ok(buf_append_text(&file, "\x1fxyz"));
	expect(file.data, second + 1, "a|bc|d|", NULL); /* what follows is no member */
	expect(file.data, second + 4, "a|bc|d|", NULL);
	for (size_t cut = 2; cut < second; cut++)
		if (cut != first && cut != first + 1)
			expect(file.data, cut, "", damaged);
	file.data[first - 5] ^= 1; /* of the checksum */
	expect(file.data, second, "", damaged);
}
