/* SPDX-License-Identifier: MIT */
/*
 * bench/members FILE: decodes each gzip member of a file at once by libdeflate, which is the least that a reader on
 * this machine can take. Prints how many bytes came.
 */
#include <fcntl.h>
#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	size_t room = 4 << 20, at = 0, sum = 0;
	uint8_t *out = malloc(room);
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	struct stat st;
	if (file < 0 || !out || !d || fstat(file, &st) < 0)
		return 1;
	const size_t len = (size_t)st.st_size;
	const uint8_t *in = mmap(NULL, len, PROT_READ, MAP_PRIVATE, file, 0);
	if (in == MAP_FAILED)
		return 1;
	while (at < len) {
		size_t taken, made;
		switch (libdeflate_gzip_decompress_ex(d, in + at, len - at, out, room, &taken, &made)) {
		case LIBDEFLATE_SUCCESS:
			at += taken;
			sum += made;
			continue;
		case LIBDEFLATE_INSUFFICIENT_SPACE:
			free(out);
			out = malloc(room *= 2);
			if (out)
				continue;
			return 1;
		default:
			return 2;
		}
	}
	printf("%zu\n", sum);
	return 0;
}
