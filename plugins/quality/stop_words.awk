# SPDX-License-Identifier: MIT
# Prints stop_word_list.h from stop_words.tsv: the languages, and each word with the number of its language.
BEGIN {
	FS = "\t"
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from plugins/quality/stop_words.tsv. */"
	print "#ifndef DANA_QUALITY_STOP_WORD_LIST_H\n#define DANA_QUALITY_STOP_WORD_LIST_H\n"
}
/^#/ { next }
{
	n = split($2, words, " ")
	for (i = 1; i <= n; i++)
		if (!(($1, words[i]) in seen)) {
			seen[$1, words[i]]
			rows = rows sprintf("\t{ \"%s\", %d },\n", words[i], languages)
		}
	names = names sprintf("\t\"%s\",\n", $1)
	languages++
}
END {
	printf "static const char *const stop_languages[] = {\n%s};\n\n", names
	printf "static const struct {\n\tconst char *word;\n\tint language;\n} stop_word_list[] = {\n%s};\n\n#endif\n", rows
}
