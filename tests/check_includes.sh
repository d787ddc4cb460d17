#!/bin/sh
# SPDX-License-Identifier: MIT
# The walls between rooms. A room is a folder of src/ or plugins/ that holds C files, sub-folders too. It may include
# its own headers, the plain headers below, config.h, and what its list .may_include names, one pattern a line:
#   base/*             all headers of that folder, without its sub-folders
#   dana/dana.h     one header
#   <sys/stat.h>       one header of the system or of a library; <isa-l/*> all of one folder
# '#' begins a comment. Everything else is refused, and so is an entry that no file of the room makes use of.
# A header named *_private.h or *_state.h, and each header that includes one, is for its own folder only.
set -u
cd "${srcdir:-.}" || exit 99

# What every room may include: headers of C that neither read, write, wait nor look at the clock.
plain='assert.h errno.h float.h inttypes.h limits.h math.h stdalign.h stdarg.h stdbool.h stddef.h stdint.h stdlib.h string.h'

roots=src
[ -d plugins ] && roots="$roots plugins"
files=$(find $roots \( -name '*.[ch]' -o -name '*.cc' \) | sort)
lists=$(find $roots -name .may_include | sort)
[ -n "$files" ] && [ -n "$lists" ] || exit 99
# shellcheck disable=SC2086
awk -v plain="$plain" '
function complain(text) {
	print text
	bad = 1
}
function folder(path) {
	sub("^src/", "", path)
	sub("/[^/]*$", "", path)
	return path
}
function as_regex(pattern) {
	gsub("[.+]", "[&]", pattern)
	gsub("[*]", "[^/]*", pattern)
	return "^" pattern "$"
}
BEGIN {
	n = split(plain, names, " ")
	for (i = 1; i <= n; i++)
		free["<" names[i] ">"] = 1
	free["config.h"] = 1
}
FNR == 1 {
	room = folder(FILENAME)
	is_list = FILENAME ~ "/[.]may_include$"
	if (is_list)
		listed[room] = FILENAME
	else
		has_code[room] = 1
	header = FILENAME
	sub("^src/", "", header)
}
is_list {
	sub("[ \t]*#.*", "")
	if ($0 != "") {
		entry[++n_entries] = $0
		entry_room[n_entries] = room
		entry_regex[n_entries] = as_regex($0)
	}
	next
}
/^[ \t]*(#|%:)[ \t]*(include|import)/ {
	place = FILENAME ":" FNR
	if (!match($0, "<[^>]*>|\"[^\"]*\"") || $0 !~ "^[ \t]*#[ \t]*include[ \t]*[<\"]") {
		complain(place ": an #include that this check cannot read")
		next
	}
	name = substr($0, RSTART, RLENGTH)
	gsub("\"", "", name)
	at[++n_uses] = place
	use[n_uses] = name
	use_room[n_uses] = room
	use_header[n_uses] = header
}
END {
	for (room in has_code)
		if (!(room in listed))
			complain(room " has C files and no list .may_include")
	for (room in listed)
		if (!(room in has_code))
			complain(listed[room] " is the list of a room without C files")

	do {
		grown = 0
		for (i = 1; i <= n_uses; i++)
			if (!(use_header[i] in private) && use_header[i] ~ "[.]h$" && (use[i] ~ "_(private|state)[.]h$" || use[i] in private)) {
				private[use_header[i]] = 1
				grown = 1
			}
	} while (grown)

	for (i = 1; i <= n_uses; i++) {
		name = use[i]
		room = use_room[i]
		if (name ~ "(^<?|/)[.][.]?/") {
			complain(at[i] ": a path with . or .. in it: " name)
			continue
		}
		if (name ~ "^[^<]" && name != "config.h" && name !~ "/") {
			complain(at[i] ": " name " is named without its folder")
			continue
		}
		if (name ~ "^[^<]" && name !~ "[.]h$")
			complain(at[i] ": " name " is not a header")
		own = folder("src/" name) == room
		if (!own && (name ~ "_(private|state)[.]h$" || name in private))
			complain(at[i] ": " name " is private to its folder")
		found = own || name in free
		for (k = 1; k <= n_entries; k++)
			if (entry_room[k] == room && name ~ entry_regex[k]) {
				used[k] = 1
				found = 1
			}
		if (!found && room in listed)
			complain(at[i] " includes " name ", which " listed[room] " does not list")
	}
	for (k = 1; k <= n_entries; k++)
		if (!(k in used) || entry[k] == entry_room[k] "/*")
			complain(listed[entry_room[k]] ": no file of the room needs the entry " entry[k])
	exit bad
}' $lists $files
