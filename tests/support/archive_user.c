/* SPDX-License-Identifier: MIT */
/* A program as others write it against libdana-archive: prints the documents of an archive as JSONL, as `dana filter`
 * does. */
#include <dana/archive.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char why[256] = "";
	struct dana_archive_options options;
	struct dana_document document;
	struct dana_archive *archive;
	struct dana_view line;
	int answer;

	if (argc != 2) {
		fprintf(stderr, "usage: archive_user FILE.warc.gz >FILE.jsonl\n");
		return 3;
	}
	memset(&options, 0, sizeof(options));
	options.struct_size = sizeof(options);
	options.error = why;
	options.error_size = sizeof(why);
	if (dana_archive_open_path(&archive, argv[1], &options) < 0) {
		fprintf(stderr, "archive_user: %s\n", why);
		return 1;
	}
	document.struct_size = sizeof(document);
	while ((answer = dana_archive_read(archive, &document)) == DANA_ARCHIVE_DOCUMENT) {
		if (dana_archive_line(archive, &line) < 0)
			break;
		fwrite(line.data, 1, line.len, stdout);
	}
	if (answer != DANA_ARCHIVE_OVER)
		fprintf(stderr, "archive_user: %s\n", dana_archive_error(archive));
	dana_archive_free(archive);
	return answer != DANA_ARCHIVE_OVER;
}
