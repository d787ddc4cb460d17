# SPDX-License-Identifier: MIT
# Prints src/archive/charset/indexes.c from charset_indexes.txt.
function hex(digits, i, value) {
	for (i = 1; i <= length(digits); i++)
		value = value * 16 + index("0123456789ABCDEF", substr(digits, i, 1)) - 1
	return value
}

# Rows of sixteen numbers.
function put(number) {
	printf "%s0x%04X,", column++ % 16 ? " " : "\n\t", number
}

# uint16_t has no room for the second supplementary plane, which only big5 needs: a bit for each pointer says which plane it is.
function character(c) {
	if (c > 65535)
		plane2[int(pointer / 8)] += 2 ^ (pointer % 8)
	pointer++
	put(c % 65536)
}

function end(i) {
	if (name != "")
		print "\n};"
	if (name == "big5") {
		column = 0
		printf "\nconst uint8_t index_big5_plane2[(INDEX_BIG5_SIZE + 7) / 8] = {"
		for (i = 0; i < pointer / 8; i++)
			put(plane2[i])
		print "\n};"
	}
	pointer = column = 0
}

BEGIN {
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from data/charset_indexes.txt: the indexes of the Encoding standard. */"
	print "#include \"archive/charset/indexes.h\""
}
/^#/ { next }
$1 == "index" {
	end()
	name = $2
	gsub("-", "_", name)
	printf "\nconst uint16_t index_%s[%d] = {", name, $3
	next
}
$1 == "ranges" {
	end()
	name = $1
	printf "\nconst struct index_range index_%s_ranges[%d] = {", $2, $3
	next
}
name == "ranges" {
	for (i = 1; i <= NF; i++) {
		split($i, part, ":")
		printf "\n\t{ %d, 0x%s },", part[1], part[2]
	}
	next
}
{
	for (i = 1; i <= NF; i++) {
		if ($i ~ /^-/) {
			for (n = substr($i, 2); n > 0; n--)
				character(0)
			continue
		}
		last = split($i, part, "~")
		for (c = hex(part[1]); c <= hex(part[last]); c++)
			character(c)
	}
}
END { end() }
