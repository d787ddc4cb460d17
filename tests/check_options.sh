#!/bin/sh
# SPDX-License-Identifier: MIT
# --help, the manual page, the completions and the sample configuration agree: all come from the option tables.
set -u
dana=${DANA:-./src/cli/dana}
source=${srcdir:-.}
bad=0

say() {
	echo "$*"
	bad=1
}

commands=$("$dana" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$commands" ] || say "dana --help lists no command"
for command in $commands; do
	page=doc/dana-$command.1
	if [ ! -e "$page" ]; then
		say "$page is not made: add it to MANUALS in src/cli/include.am"
		continue
	fi
	"$dana" print-manual "$command" | cmp -s - "$page" || say "$page is older than the table: make $page"
	grep -q "dana..$command (1)" doc/dana.1 || say "doc/dana.1 does not name $command"
	help=$("$dana" "$command" --help-all | sed -n 's/^  \(-., \|    \)--\([a-z0-9-]*\).*/\2/p' | sort)
	manual=$(sed -n 's/^\(\\fB\\-.\\fR, \)\{0,1\}\\fB\\-\\-\([a-z0-9\\-]*\)\\fR.*/\2/p' "$page" | sed 's/\\-/-/g' | sort)
	[ -n "$help" ] || say "dana $command --help-all lists no option"
	# an option has two lines at most: what follows its name, and one more
	"$dana" "$command" --help-all | awk '
		/^  (-., |    )--/ { name = $0; n = length(name) > 26 && substr(name, 25, 2) == "  "; next }
		/^                          [^ ]/ { if (++n == 3) print name }
		!/^                          [^ ]/ { n = 0 }' | grep . && say "dana $command --help-all has options of more than two lines"
	completed=$("$dana" complete "$command" -- | sed 's/^--//; s/	.*//' | sort)
	[ "$help" = "$completed" ] || say "the options of dana $command --help and of dana complete $command -- differ"
	[ "$help" = "$manual" ] || say "the options of dana $command --help and of $page differ"
done

case $commands in *filter*)
	"$dana" print-sample | cmp -s - "$source/conf/dana.conf" ||
		say "conf/dana.conf is older than the table: dana print-sample >conf/dana.conf"
	keys=$(sed -n -e '/^#\[plugin /q' -e 's/^#\([a-z0-9-]*\) = .*/\1/p' "$source/conf/dana.conf" | sort)
	help=$("$dana" filter --help-all | sed -n 's/^  \(-., \|    \)--\([a-z0-9-]*\).*/\2/p' |
		grep -vx -e help -e help-all -e config -e insecure -e 'print-.*' | sort)
	[ "$help" = "$keys" ] || say "the options of dana filter --help and of conf/dana.conf differ"
	"$dana" filter --config "$source/conf/dana.conf" --print-config >/dev/null || say "conf/dana.conf is not read"
	printed=$("$dana" filter --print-config)
	[ "$(echo "$printed" | "$dana" filter --config /dev/stdin --print-config)" = "$printed" ] ||
		say "what --print-config prints is not read back as the same"
	;;
esac
exit $bad
