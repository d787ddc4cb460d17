# SPDX-License-Identifier: MIT
# What holds for every command: help, version, usage errors.

load ../support/cli

@test "--version names the libraries and the CPU path" {
	run -0 "$DANA" --version
	[[ ${lines[0]} =~ ^dana\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	for library in libuv libcurl zlib zstd libcrypto libdeflate brotli uchardet simdjson libsvm xxhash utf8proc roaring cld2 fasttext "cpu path"; do
		grep -q "^$library " <<<"$output"
	done
}

@test "--help lists the commands on standard output" {
	"$DANA" --help >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	grep -q '^Usage: dana COMMAND' "$BATS_TEST_TMPDIR/out"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	run "$DANA" --help
	[[ $output != *print-manual* ]]
}

@test "each command has a --help of lines that fit, with two examples or more" {
	for command in $("$DANA" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		run -0 "$DANA" "$command" --help
		[[ ${lines[0]} == "Usage: dana $command"* ]]
		[ "$(grep -c ' $' <<<"$output")" -eq 0 ]
		[ "$(grep -c '.\{81\}' <<<"$output")" -eq 0 ]
		[ "$(sed '1,/^Examples:$/d' <<<"$output" | grep -c '^  .*dana ')" -ge 2 ] ||
			{ echo "$command --help shows fewer than two examples: .examples in src/cli/$command.c" && false; }
	done
}

@test "each command has a manual page, and one with verbs has an item for each" {
	for command in $("$DANA" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		run -0 "$DANA" print-manual "$command"
		# no request of roff is shown as text
		[ "$(grep -c '^\\&\.[A-Za-z]' <<<"$output")" -eq 0 ]
	done
	for command in dedup site; do
		[ "$("$DANA" print-manual $command | sed -n "s/^\\\\fBdana $command \([a-z]*\)\\\\fR.*/\1/p" | tr '\n' '|')" = \
			"$(run -3 "$DANA" $command none; sed -n 's/.*expected \([a-z|]*\).*/\1/p' <<<"$output")|" ]
	done
}

@test "filter --help shows the ten options that most people need, --help-all all of them" {
	"$DANA" filter --help >"$BATS_TEST_TMPDIR/short"
	"$DANA" filter --help-all >"$BATS_TEST_TMPDIR/all"
	options() { sed -n 's/^  \(-., \|    \)--\([a-z0-9-]*\).*/\2/p' "$1" | grep -v '^help'; }
	[ "$(options "$BATS_TEST_TMPDIR/short" | wc -l)" -eq 10 ]
	[ "$(options "$BATS_TEST_TMPDIR/all" | wc -l)" -ge 60 ]
	[ -z "$(options "$BATS_TEST_TMPDIR/short" | grep -vxF "$(options "$BATS_TEST_TMPDIR/all")")" ]
	grep -q 'dana filter --help-all' "$BATS_TEST_TMPDIR/short"
	# elsewhere both are the same, and so they are without a command
	for command in extract methods serve 'dedup learn'; do
		# shellcheck disable=SC2086 # a command and its verb
		[ "$("$DANA" $command --help)" = "$("$DANA" $command --help-all)" ]
	done
	[ "$("$DANA" --help)" = "$("$DANA" --help-all)" ]
	# the first of them ends the reading of the command line
	run -0 "$DANA" filter --help-all --bogus
	run -3 "$DANA" filter --bogus --help-all
}

@test "wrong usage is one line, with the near command, and with bytes of the user escaped" {
	prints_line 3 "$DANA"
	prints 3 "dana: unknown command 'metods'; did you mean 'methods'\?" "$DANA" metods
	prints 3 "dana: unknown command 'xyzzy'; dana --help lists the commands" "$DANA" xyzzy
	# commands of other programs, and options before a command
	prints 3 "dana: unknown command 'convert'; here it is dana extract" "$DANA" convert page.html
	prints 3 "dana: unknown command 'report'; here it is dana stats report" "$DANA" report
	prints 3 "dana: unknown option '-u'; options come after a command, as in dana extract OPTIONS page.html, *" "$DANA" -u https://h.invalid/
	mkdir "$BATS_TEST_TMPDIR/pages.d"
	cd "$BATS_TEST_TMPDIR"
	for row in "extract page.html" "extract https://example.org/x?y=a.warc" "filter crawl.warc.gz" "extract -O DIR pages.d"; do
		prints 3 "dana: a command is missing before '${row##* }'; expected dana ${row//\?/\\?}" "$DANA" "${row##* }"
	done
	prints_line 3 "$DANA" $'a\e[31m\n'
	[[ $output == *'a\x1b[31m\x0a'* ]]
}

@test "help to a reader that has gone ends quietly" {
	run bash -c '"$DANA" --help | true; echo "${PIPESTATUS[0]}"'
	[ "$output" = 0 ]
}

@test "help to a full disk is a fault" {
	[ -w /dev/full ] || skip
	prints 1 'dana: standard output: *' bash -c '"$DANA" --help >/dev/full'
}

@test "methods prints a table" {
	run -0 "$DANA" methods
	[[ ${lines[0]} == NAME* ]]
	for method in r2l dana dana-slides danag addanag auto plain; do
		grep -q "^$method " <<<"$output"
	done
	prints 3 "dana methods: 'extra' is one argument too many; expected dana methods" "$DANA" methods extra
}

@test "help, -h and -V are other words for the same" {
	for command in filter methods help; do
		[ "$("$DANA" help "$command")" = "$("$DANA" "$command" --help)" ]
	done
	[ "$("$DANA" help)" = "$("$DANA" --help)" ]
	[ "$("$DANA" -V)" = "$("$DANA" --version)" ]
	prints 3 "dana: unknown command 'filtre'; did you mean 'filter'\?" "$DANA" help filtre
	for verb in "site learn" "site merge" "dedup learn" "dedup verify"; do
		# shellcheck disable=SC2086 # words
		[ "$("$DANA" help $verb)" = "$("$DANA" $verb --help)" ]
		[[ $("$DANA" help $verb) == "Usage: dana $verb "* ]]
	done
	for verb in merge report; do
		[ "$("$DANA" help stats $verb)" = "$("$DANA" stats --help)" ]
	done
	prints 3 "*'lern' is unknown; expected learn|merge; did you mean learn*" "$DANA" help site lern
	prints 3 "dana help: filter has no verb 'learn'; expected dana help filter" "$DANA" help filter learn
	prints 3 "dana help: stats has no verb 'mer'; expected dana help stats" "$DANA" help stats mer
	prints 3 "*unknown command 'filtre'*" "$DANA" help filtre learn
}

@test "packages.sh without root and sudo prints the apt line" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\necho 1000\n' >"$BATS_TEST_TMPDIR/bin/id"
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/dpkg-query"
	chmod +x "$BATS_TEST_TMPDIR/bin/"*
	ln -s "$(command -v grep)" "$BATS_TEST_TMPDIR/bin/grep"
	run -1 env PATH="$BATS_TEST_TMPDIR/bin" /bin/sh "$DANA_SOURCE/tools/packages.sh"
	[[ ${lines[1]} == "apt-get install --no-install-recommends gcc "*" libzstd-dev "* ]]
}

@test "a report is not poured on a terminal" {
	cd "$BATS_TEST_TMPDIR"
	echo '<p>x' >page.html
	on_terminal() {
		python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$@" </dev/null
	}
	for arguments in 'explain page.html' 'stats report page.html'; do
		# shellcheck disable=SC2086 # words
		prints 3 "dana ${arguments%% *}: a report is HTML for a browser, not for a terminal: -o report.html writes it *" on_terminal "$DANA" $arguments
	done
	run -0 on_terminal "$DANA" explain -o - page.html
	[[ $output == *"</html>"* ]]
	run -0 on_terminal "$DANA" explain -o page.report.html page.html
}

@test "options of other programs are answered with what they are here" {
	local command arguments advice
	while IFS='|' read -r command arguments advice; do
		prints 3 "dana $command: *$advice*" "$DANA" $command $arguments
	done <<-END
	extract|--json page.html|unknown option --json; here it is -f json
	extract|--xml page.html|here it is -f xml
	extract|--csv page.html|here it is -f csv
	extract|--output-format json page.html|here it is -f FORMAT
	extract|--lang de page.html|here it is --plugin language:include=LANG
	extract|--target-language=de page.html|here it is --plugin language:include=LANG
	extract|--with-metadata page.html|-f json has the metadata
	extract|--precision page.html|here it is -m learned:recall=30
	extract|--recall page.html|here it is -m learned:recall=70
	extract|--no-comments page.html|here it is --comments drop
	extract|--no-tables page.html|here it is --tables drop
	extract|--dedup page.html|dana filter --plugin dedup-lines
	extract|--markdown page.html|--markdown: 'page.html' is not KEY=VALUE, as links=0; --text markdown writes Markdown
	extract|-u https://h.invalid/ page.html|is given by --url URL
	extract|-t markdown page.html|here it is -f FORMAT
	extract|-T 5 page.html|here it is --max-time SECONDS
	extract|--to=gfm page.html|here it is -f FORMAT
	extract|--inputfile urls.txt|xargs -d '\\\\n' -a LIST dana extract -f jsonl
	extract|--inputdir site|a folder is an argument
	extract|--base-url https://h.invalid/ page.html|here it is --url URL
	extract|--ignore-links page.html|here it is --markdown links=0
	extract|--enc-force koi8-r page.html|here it is --charset NAME
	extract|--body-width 0 page.html|lines are not wrapped
	extract|-P out site|here it is --output-dir DIR
	filter|--inputfile list|here it is --list FILE
	extract|-f md page.html|-f: 'md' is unknown; did you mean markdown\?
	extract|-i urls.txt|xargs -d '\\\\n' -a LIST dana extract -f jsonl
	extract|-k https://h.invalid/|here it is --insecure
	extract|-L https://h.invalid/|redirects are followed without an option
	extract|-u|-u needs a value; expected -u URL
	filter|-u https://h.invalid/|dana extract URL fetches a page
	filter|--dedup a.warc|here it is --plugin dedup-exact
	filter|--json a.warc|is what is written without -f
	filter|-f json a.warc|did you mean jsonl\?
	filter|-f md a.warc|did you mean --text markdown\?
	explain|-k page.html|here it is --insecure
	extract|-q page.html|2>/dev/null leaves them out
	extract|-v page.html|dana explain shows how a page is read
	extract|-r site|the folders below a folder are read without an option
	extract|--threads 4 page.html|here it is -j N
	extract|--frontmatter page.html|here it is --markdown frontmatter=1, with -f markdown
	filter|--workers 4 a.warc|here it is -j N
	filter|--min-length 9 a.warc|here it is --min-chars N
	filter|--limit 10 a.warc|sed 10q writes ten
	filter|-n 10 a.warc|sed 10q writes ten
	explain|--recall 60 page.html|here it is -m learned:recall=70
	compare|--recall 60 page.html|here it is -m learned:recall=70
	eval|--json x|unknown option --json
	END
	# what a table says is here is an option, or a plugin, of the command
	grep -o '"here it is -[^" ]*' "$DANA_SOURCE/src/cli/foreign.c" | grep -o -- '-[-a-zA-Z]*$' | sort -u >"$BATS_TEST_TMPDIR/options"
	while read -r arguments; do
		{ "$DANA" filter --help-all; "$DANA" extract --help-all; "$DANA" serve --help; } | grep -qE -- "^ *(-., )?$arguments[ ,]|^ *$arguments," || { echo "$arguments"; return 1; }
	done <"$BATS_TEST_TMPDIR/options"
}
