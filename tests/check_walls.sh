#!/bin/sh
# SPDX-License-Identifier: MIT
# check_includes.sh sees each kind of breach: one at a time is made in a copy of some rooms, and must be named.
set -u
srcdir=${srcdir:-.}
check=$(cd "$srcdir/tests" && pwd)/check_includes.sh
copy=$(mktemp -d) || exit 99
trap 'rm -rf "$copy"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$copy/src" && cp -R "$srcdir/src/extract" "$srcdir/src/run" "$copy/src" || exit 99
chmod -R u+w "$copy" || exit 99
touched=
bad=0

if ! srcdir=$copy sh "$check"; then
	echo "the sources are refused as they are"
	exit 1
fi

# refused WHAT WORDS: after a breach WORDS stand in a complaint. Takes the breach back.
refused()
{
	if complaint=$(srcdir=$copy sh "$check"); then
		echo "not seen: $1"
		bad=1
	elif ! printf '%s\n' "$complaint" | grep -qF -- "$2"; then
		printf 'seen for another reason: %s\n%s\n' "$1" "$complaint"
		bad=1
	fi
	for file in $touched; do
		rm -f "$copy/$file"
		[ ! -e "$copy/$file.kept" ] || mv "$copy/$file.kept" "$copy/$file" || exit 99
	done
	touched=
}

# keep FILE: it is about to be changed, made or removed.
keep()
{
	touched="$touched $1"
	[ ! -e "$copy/$1" ] || cp "$copy/$1" "$copy/$1.kept" || exit 99
}

# line FILE TEXT: the breach is a line more in a file of the copy, or a new file.
line()
{
	keep "$1"
	mkdir -p "$(dirname "$copy/$1")" && printf '%s\n' "$2" >>"$copy/$1" || exit 99
}

line src/extract/html/tag.c '#include "archive/warc/framer.h"'
refused "a header of another room" 'includes archive/warc/framer.h, which src/extract/html/.may_include does not list'

line src/extract/html/tag.h '  #  include "archive/warc/framer.h" /* blanks */'
refused "a header of another room, in a header, with blanks" 'includes archive/warc/framer.h'

line src/extract/html/tag.c '#include <uv.h>'
refused "a library" 'includes <uv.h>'

line src/extract/html/tag.c '#include <libsomething/new.h>'
refused "a library that nobody has" 'includes <libsomething/new.h>'

line src/extract/html/tag.c '#include <unistd.h>'
refused "a header of POSIX" 'includes <unistd.h>'

line src/extract/html/tag.c '#include <sys/stat.h>'
refused "a header of the system in a folder" 'includes <sys/stat.h>'

line src/extract/html/tag.c '#include <stdio.h>'
refused "a header of C that reads and writes" 'includes <stdio.h>'

line src/extract/html/tag.c '#include "../archive/warc/framer.h"'
refused "a path upwards" 'a path with . or .. in it: ../archive/warc/framer.h'

line src/extract/html/tag.c '#include "extract/html/../archive/warc/framer.h"'
refused "a path through an allowed folder upwards" 'a path with . or .. in it'

line src/extract/html/tag.c '#include "tag_bits.h"'
refused "a header without its folder" 'tag_bits.h is named without its folder'

line src/extract/html/tag.c '#include "extract/html/attribute.c"'
refused "a source file" 'extract/html/attribute.c is not a header'

line src/extract/html/tag.c '#include HEADER'
refused "a header named by a macro" 'an #include that this check cannot read'

line src/extract/html/tag.c '%:include "archive/warc/framer.h"'
refused "an include that is spelled with a digraph" 'an #include that this check cannot read'

line src/run/tail.c '#include "archive/warc/framer_private.h"'
refused "a private header from another room" 'archive/warc/framer_private.h is private to its folder'

line src/extract/learned/learned.c '#include "extract/html/tokenizer_state.h"'
refused "a state from another room" 'extract/html/tokenizer_state.h is private to its folder'

line src/extract/learned/learned.c '#include "extract/html/tokenizer_scan.h"'
refused "a header that includes a private one" 'extract/html/tokenizer_scan.h is private to its folder'

line src/extract/papers/inner_state.h '/* of papers */'
line src/extract/papers/compare/bte.c '#include "extract/papers/inner_state.h"'
refused "a private header from a folder below" 'extract/papers/inner_state.h is private to its folder'

line src/extract/papers/methods.c '#include "extract/papers/mountain/ridges.h"'
refused "a header of a room inside of the room" 'which src/extract/papers/.may_include does not list'

line src/extract/papers/compare/bte.c '#include "extract/html/tokenizer.h"'
refused "what only the room around may include" 'which src/extract/papers/compare/.may_include does not list'

keep src/extract/html/.may_include
rm "$copy/src/extract/html/.may_include"
refused "a room without a list" 'html has C files and no list'

keep src/extract/papers/wlr/.may_include
rm "$copy/src/extract/papers/wlr/.may_include"
refused "a room inside of a room without a list" 'extract/papers/wlr has C files and no list'

line src/new/new.c '/* nothing */'
refused "a new room without a list" 'new has C files and no list'

line plugins/new/new.c '/* nothing */'
refused "a plugin without a list" 'plugins/new has C files and no list'

line plugins/new/new.c '#include <uv.h>'
line plugins/new/.may_include '# nothing'
refused "a library in a plugin" 'includes <uv.h>, which plugins/new/.may_include does not list'

line src/empty/.may_include 'base/*'
refused "a list without a room" 'src/empty/.may_include is the list of a room without C files'

line src/extract/html/.may_include 'nowhere/*'
refused "an entry for a room that does not exist" 'no file of the room needs the entry nowhere/*'

line src/extract/html/.may_include '<uv.h>'
refused "an entry for a library that the room does not include" 'no file of the room needs the entry <uv.h>'

line src/extract/html/.may_include 'extract/html/*'
refused "an entry for the room itself" 'no file of the room needs the entry extract/html/*'

# The walls between what was compiled.
sh "$(dirname "$check")/check_circles.sh" || bad=1

exit $bad
