# SPDX-License-Identifier: MIT
# Prints src/extract/learned/says_table.h from says.tsv and class_words.c. Hashes are those of says_word.
function xor(a, b,    result, bit) {
	for (bit = 1; a > 0 || b > 0; bit *= 2) {
		if (a % 2 != b % 2)
			result += bit
		a = int(a / 2)
		b = int(b / 2)
	}
	return result + 0
}
# Products of 32 bits: the factor's halves, as numbers are exact up to 53 bits.
function times(a, factor) {
	return ((a * int(factor / 65536)) % 65536 * 65536 + a * (factor % 65536)) % TWO_32
}
function hash_part(part,    h, i) {
	h = 2166147216 # HASH_FNV32_START ^ 0x5555
	for (i = 1; i <= length(part); i++)
		h = times(xor(h, 96 + index("abcdefghijklmnopqrstuvwxyz", substr(part, i, 1))), 16777619)
	return h
}
function place(h, kind, meaning,    at) {
	for (at = h % SLOTS; at in hash && hash[at] != h; at = (at + 1) % SLOTS)
		;
	hash[at] = h
	if (kind)
		kinds[at] = kinds[at] " | " kind
	if (meaning)
		whole[at] = whole[at] " | " meaning
}
function tell(h) {
	telling[int(h / 8388608), int(h / 131072) % 64] = 1
}
function note(whole_word, meaning) {
	word[++words] = whole_word
	says[words] = meaning
}
# A word is read if it has a certain one of its parts: a rare one. Holders and places are frequent, and short parts.
function place_whole(text, meaning,    n, part, i, sequence, h, weight, most, sign) {
	n = split(text, part, "[^a-z]+")
	for (i = 1; i <= n; i++) {
		if (part[i] == "")
			continue
		h = hash_part(part[i])
		sequence = xor(times((sequence + 1) % TWO_32, 2654435761), h)
		weight = length(part[i]) + (part[i] in common ? 0 : 100)
		if (weight > most) {
			most = weight
			sign = h
		}
	}
	place(sequence, "", meaning)
	tell(sign)
}
BEGIN {
	TWO_32 = 4294967296
	SLOTS = 1024
	says_of["topic"] = "SAYS_APART"
	says_of["tools"] = "SAYS_TOOLS"
	says_of["links"] = "SAYS_LINKS"
}
/^#/ { next }
FILENAME ~ /says.tsv$/ && $1 ~ /-/ { note($1, says_of[$2]) }
FILENAME ~ /says.tsv$/ && $1 !~ /-/ {
	for (i = 2; i <= NF; i++) {
		place(hash_part($1), "PART_" toupper($i), "")
		if ($i == "tools" || $i == "links")
			place(hash_part($1), "PART_TOPIC", "")
		if ($i != "holder" && $i != "place")
			tell(hash_part($1))
	}
	if ($2 == "holder" || $2 == "place")
		common[$1]
}
FILENAME ~ /class_words.c$/ {
	for (n = split($0, entry, "{ \""); n > 1; n--) {
		split(entry[n], field, "\"")
		if (field[2] ~ /CLASS_READER/)
			note(field[1], "SAYS_READER")
	}
}
END {
	for (i = 1; i <= words; i++)
		place_whole(word[i], says[i])
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from data/says.tsv and src/extract/html/class_words.c by data/says_table.awk. */"
	print "#ifndef DANA_EXTRACT_LEARNED_SAYS_TABLE_H\n#define DANA_EXTRACT_LEARNED_SAYS_TABLE_H\n"
	print "const struct says_table says_table = {\n\t.telling = {"
	for (i = 0; i < 512; i++) {
		bits = ""
		for (bit = 0; bit < 64; bit++) {
			if ((i, bit) in telling)
				bits = bits " | (uint64_t)1 << " bit
		}
		if (bits)
			printf "\t\t[%d] = %s,\n", i, substr(bits, 4)
	}
	print "\t},\n\t.slot = {"
	for (i = 0; i < SLOTS; i++) {
		if (i in hash)
			printf "\t\t[%d] = { %.0fU, %s, %s },\n", i, hash[i], kinds[i] ? substr(kinds[i], 4) : "0", whole[i] ? substr(whole[i], 4) : "0"
	}
	print "\t},\n};\n\n#endif"
}
