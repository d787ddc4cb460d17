# SPDX-License-Identifier: MIT
# Prints src/extract/html/entity_table.h from entities.tsv.
BEGIN {
	FS = "\t"
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from data/entities.tsv: the named character references of HTML (section 13.5), sorted by name. */"
	print "#ifndef DANA_HTML_ENTITY_TABLE_H\n#define DANA_HTML_ENTITY_TABLE_H\n"
	print "/* Where its name lies in entity_names, whether it is valid without a semicolon, and its one or two characters. */"
	print "struct entity {\n\tuint16_t at;\n\tuint8_t len;\n\tuint8_t bare;\n\tuint32_t first, second;\n};\n"
	print "static const char entity_names[] ="
}
/^#/ { next }
{
	split($3, points, " ")
	rows[++count] = sprintf("\t{ %d, %d, %d, 0x%s, 0x%s },", at, length($1), $2 == "yes", points[1], 2 in points ? points[2] : "0")
	at += length($1)
	printf "\t\"%s\"\n", $1
	delete points
}
END {
	print "\t;\n\nstatic const struct entity entity_table[] = {"
	for (i = 1; i <= count; i++)
		print rows[i]
	print "};\n\n#endif"
}
