# SPDX-License-Identifier: MIT
# Prints iso639_list.h from iso639.tsv.
BEGIN {
	FS = "\t"
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from plugins/language/iso639.tsv. */"
	print "#ifndef DANA_LANGUAGE_ISO639_LIST_H\n#define DANA_LANGUAGE_ISO639_LIST_H\n"
	print "static const struct iso639_row {\n\tchar two[3], three[4];\n} iso639_list[] = {"
}
/^#/ { next }
{ printf "\t{ \"%s\", \"%s\" },\n", $1, $2 }
END { print "};\n\n#endif" }
