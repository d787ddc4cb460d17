/* SPDX-License-Identifier: MIT */
/* bench/inflate FILE: the bare inflate loop over a file, with the reads that any program makes. Prints how many bytes
 * came. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "bare_inflate.h"

int main(int argc, char **argv)
{
	static uint8_t chunk[BARE_WINDOW];
	int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	struct bare_inflate *b = bare_inflate_new(NULL, NULL);
	ssize_t n;

	if (file < 0 || !b)
		return 1;
	while ((n = read(file, chunk, sizeof(chunk))) > 0)
		if (!bare_inflate_feed(b, slice_of(chunk, (size_t)n)))
			return 2;
	printf("%" PRIu64 "\n", bare_inflate_bytes(b));
	bare_inflate_free(b);
	close(file);
	return n < 0;
}
