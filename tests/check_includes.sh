#!/bin/sh
# SPDX-License-Identifier: MIT
# The walls between rooms: tests/walls.txt lists what each room may include. Everything else is refused, and so is an entry that no
# file of the room needs. Headers of the project are named with their folders. Those that come before headers of Windows include them by
# #include_next.
set -u
cd "${srcdir:-.}" || exit 99
# shellcheck disable=SC2046 # no file name has a blank
awk '
function complain(text) { print text; bad = 1 }
FILENAME == "tests/walls.txt" {
	sub("#.*", "")
	if (split($0, part, ":") < 2)
		next
	room = part[1]
	listed[room] = 1
	n = split(part[2], word, " ")
	for (i = 1; i <= n; i++)
		allowed[room, word[i]] = 1
	next
}
FNR == 1 {
	room = FILENAME
	sub("^src/", "", room)
	sub("/.*", "", room)
	if (!(room in listed))
		complain(room ": tests/walls.txt has no line for this room")
}
/^[ \t]*(#|%:)[ \t]*(include|import)/ {
	place = FILENAME ":" FNR
	if ($0 !~ "^[ \t]*#[ \t]*include" (FILENAME ~ "^src/windows/include/" ? "(_next)?" : "") "[ \t]*(<[^>]*>|\"[a-z_0-9/]*/[a-z_0-9]*[.]h\"|\"config[.]h\")") {
		complain(place ": an #include that this check does not accept; write \"room/file.h\" or <header>")
		next
	}
	match($0, "<[^>]*>|\"[^\"]*\"")
	name = substr($0, RSTART, RLENGTH)
	gsub("\"", "", name)
	if (name ~ "^[^<]")
		sub("/.*", "", name)
	if (name == room || name == "config.h" || ("every", name) in allowed) {
		used["every", name] = 1
		next
	}
	used[room, name] = 1
	if (!((room, name) in allowed))
		complain(place ": " room " may not include " name " (tests/walls.txt)")
}
END {
	for (entry in allowed)
		if (!(entry in used)) {
			split(entry, word, SUBSEP)
			complain("tests/walls.txt: no file of " word[1] " needs " word[2])
		}
	exit bad
}' tests/walls.txt $(find src plugins \( -name '*.[ch]' -o -name '*.cc' \) | LC_ALL=C sort)
