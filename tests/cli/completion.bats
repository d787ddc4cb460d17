# SPDX-License-Identifier: MIT
# Completions of the shells: what they offer is what the program knows.

load ../support/cli

# complete_bash PIECE... : what bash would put in place of the last piece of a command line, in $replies. It cuts words
# at ':' and '=', so that --format=json are three pieces.
complete_bash() {
	replies=$(bash -c 'source "$DANA_SOURCE/src/cli/completions/dana"
		COMP_WORDS=(dana "$@") COMP_CWORD=$# COMP_LINE=dana last=" "
		for piece; do
			[[ $last == *[:=] || $piece == [:=]* ]] || COMP_LINE+=" "
			COMP_LINE+=$piece last=$piece
		done
		COMP_POINT=${#COMP_LINE}
		_dana "$DANA" "${last#[:=]}" "${COMP_WORDS[COMP_CWORD - 1]}"
		printf "%s\n" "${COMPREPLY[@]}"' complete "$@")
}

# completes REPLIES PIECE...
completes() {
	complete_bash "${@:2}"
	[ "$replies" = "$1" ] || { echo "$replies"; return 1; }
}

@test "bash completes commands, and not those for developers" {
	complete_bash ''
	for command in $("$DANA" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p') --help --version; do
		grep -qx -e "$command" <<<"$replies"
	done
	[[ $replies != *print-* ]]
	completes extract ext
	completes filter help fi
}

@test "bash completes every option of every command" {
	for command in $("$DANA" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		complete_bash "$command" --
		[ "$(sort <<<"$replies")" = \
			"$("$DANA" "$command" --help-all | sed -n 's/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' | sort)" ]
	done
	completes $'--output\n--output-dir' filter --out
	complete_bash filter -
	grep -qx -e -j <<<"$replies"
}

@test "bash completes methods, also in a list of them" {
	methods=$("$DANA" methods | sed -n '2,/^$/s/^\([a-z0-9-]\+\) .*/\1/p')
	grep -qx learned <<<"$methods"
	for words in 'extract -m' 'filter --method' 'eval -m' 'explain -m'; do
		complete_bash $words ''
		for method in $methods; do
			grep -qx -e "$method" <<<"$replies"
		done
	done
	completes dana,learned eval -m dana,lear
	completes all eval -m al
}

@test "bash completes plugins, their keys and values" {
	complete_bash filter --plugin ''
	for plugin in $("$DANA" plugins | sed -n '/^Built in:/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
		grep -qx -e "$plugin" <<<"$replies"
	done
	completes pii filter --plugin pi
	complete_bash filter --plugin pii :
	grep -qx 'phone=0' <<<"$replies"
	completes $'0,phone=0\n0,phone=1' filter --plugin pii : email = 0,pho
}

# As bash cuts the words: at colons and equals signs.
@test "bash completes the keys of methods and their values" {
	cd "$BATS_TEST_TMPDIR"
	completes $'segment=\ngap=\ngap-fill=0\ngap-fill=1\nunit=bytes\nunit=chars\ntag-limit=\nlink-limit=\nliteral=0\nliteral=1' filter -m danag :
	completes $'unit=bytes\nunit=chars' extract -m danag : un
	completes chars extract -m danag : unit = c
	completes $'bytes\nchars' filter --method = danag : gap = 40,unit =
	completes '40,dana-slides' eval -m danag : gap = 40,dana-
	completes $'40,extended=0\n40,extended=1' eval -m plain,wlr-media : gap = 40,ext
	completes '' filter -m plain :
	touch 'my.model'
	mkdir 'my folder'
	completes model= extract -m learned : mod
	completes my.model extract -m learned : recall = 60,model = my.
	completes 'my folder' extract -m mountain : site-models = my
	touch a:b
	complete_bash extract a : b
	[ -z "$replies" ] || [ "$replies" = b ]
}

@test "the keys that bash completes are those of dana methods" {
	"$DANA" methods | awk '/^Keys of / { sub(/^Keys of /, ""); sub(/:$/, ""); n = split($0, methods, ", "); next }
		n && /^  / { for (i = 1; i <= n; i++) print methods[i], $1 }' >"$BATS_TEST_TMPDIR/keys"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/keys")" -gt 25 ]
	local method key
	while read -r method key; do
		complete_bash extract -m "$method" : "$key" </dev/null
		grep -q "^$key=" <<<"$replies"
	done <"$BATS_TEST_TMPDIR/keys"
}

@test "bash completes the words of choices and of formats" {
	completes $'dana\ndatatrove\ndolma' filter --schema d
	completes dolma filter --schema = do
	completes $'text\njson\njsonl\ncsv\ntsv\nmarkdown\nhtml\nxml\ntei' extract -f ''
	completes $'none\ngzip\nzstd' filter -z ''
	completes $'jsonl\nwarc\ncsv\ntsv' filter --format =
	completes $'1.1\n1.0' filter --warc-version ''
	completes learned train lea
	completes '' filter -j ''
}

@test "bash completes files and folders, with spaces in their names" {
	cd "$BATS_TEST_TMPDIR"
	mkdir 'a folder'
	touch 'a file'
	complete_bash filter a
	[ "$(sort <<<"$replies")" = $'a file\na folder' ]
	completes 'a folder' filter -O a
	complete_bash filter --output = 'a f'
	[ "$(sort <<<"$replies")" = $'a file\na folder' ]
	completes 'a folder' features -o out a
}

# lists SHELL LINE PATTERN: the shell, on a terminal of its own, shows what matches PATTERN when Tab is pressed after LINE.
lists() {
	command -v zsh >/dev/null || skip "zsh, which makes the terminal, is missing"
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	ln -sf "$DANA" "$BATS_TEST_TMPDIR/bin/dana"
	SHELL=$1 LINE=$2 PATTERN=$3 SCRIPTS=$DANA_SOURCE/src/cli/completions BIN=$BATS_TEST_TMPDIR/bin zsh -f -c '
		zmodload zsh/zpty
		if [[ $SHELL == zsh ]]; then
			zpty shell zsh -f -i
			zpty -w shell "fpath=(${(q)SCRIPTS} \$fpath); autoload -Uz compinit; compinit -u -D"
			zpty -w shell "LISTMAX=500; bindkey ^I list-choices; PS1="
		else
			zpty -e shell bash --noprofile --norc -i
			zpty -w shell "source ${(q)SCRIPTS}/dana; bind \"set show-all-if-ambiguous on\""
			zpty -w shell "bind \"set completion-query-items 0\"; bind \"set page-completions off\"; PS1="
		fi
		zpty -w shell "PATH=${(q)BIN}:\$PATH; stty columns 200; echo REA\DY"
		zpty -r shell all "*READY*"
		zpty -w -n shell "$LINE"$'"'\t'"'
		all=
		for ((i = 0; i < 100; i++)); do
			while zpty -r -t shell text; do all+=$text; done
			[[ $all == $~PATTERN ]] && exit 0
			sleep 0.1
		done
		print -r -- "$all"
		exit 1'
}

@test "zsh reads its completions, and lists commands, options, methods and choices" {
	lists zsh 'dana ' '*extract*find the main text of HTML pages*methods*'
	lists zsh 'dana filter --max-' '*--max-expansion*bytes decoded from one*--max-window*'
	lists zsh 'dana extract -m ' '*dana-slides*learned*'
	lists zsh 'dana filter --schema ' '*dana*datatrove*dolma*'
	lists zsh 'dana filter -m danag:' '*gap=*segment=*unit=chars*'
	lists zsh 'dana filter --method=danag:gap=40,un' '*unit=*unit=*what is counted*'
	lists zsh 'dana eval -m plain,wlr-media:' '*extended=0*extended=1*'
	lists zsh 'dana eval -m al' '*all*'
	lists zsh 'dana filter --plugin pii:' '*email=0*phone=1*'
	lists zsh 'dana filter --plugin=pii:email=0,pho' '*phone=0*phone=1*'
	touch "$BATS_TEST_TMPDIR/one.model" "$BATS_TEST_TMPDIR/two.model"
	lists zsh "dana extract -m learned:model=$BATS_TEST_TMPDIR/" '*one.model*two.model*'
	cd "$BATS_TEST_TMPDIR"
	mkdir 'a folder' 'a fool'
	lists zsh 'dana filter --output=a\ fo' '*a\ folder/*a\ fool/*'
}

@test "bash on a terminal lists values behind ':' and '=', and files with spaces" {
	cd "$BATS_TEST_TMPDIR"
	mkdir 'a folder' 'a fool'
	lists bash 'dana filter -m danag:' '*gap=*segment=*unit=chars*'
	lists bash 'dana filter --method=danag:gap=40,un' '*unit=bytes*unit=chars*'
	lists bash 'dana filter --plugin=pii:email=0,pho' '*phone=0*phone=1*'
	lists bash 'dana filter --output=a\ fol' '*a\\ folder/*'
	lists bash 'dana features -o "a fol' '*"a folder"/*'
	lists bash 'dana filter --sch' '*--schema '
	lists bash 'dana extract -m learned:mod' '*learned:model='
}

@test "dana complete prints words, descriptions, and what the shell completes" {
	[ "$("$DANA" complete ext)" = $'extract\tfind the main text of HTML pages' ]
	[ "$("$DANA" complete filter --plugin=pii:ph)" = $'--plugin=pii:phone=0\treplace numbers that are written like telephone numbers
--plugin=pii:phone=1\treplace numbers that are written like telephone numbers' ]
	[ "$("$DANA" complete filter --warc-version=1.)" = $'--warc-version=1.1\n--warc-version=1.0' ]
	[ "$("$DANA" complete filter --output=a/b)" = $'\tfiles\t--output=' ]
	[ "$("$DANA" complete extract -m learned:recall=60,model=my)" = $'\tfiles\tlearned:recall=60,model=' ]
	[ "$("$DANA" complete filter -qO '')" = $'\tfolders\t' ]
	[ "$("$DANA" complete filter -qmdanag:unit=c)" = $'-qmdanag:unit=chars\twhat is counted' ]
	[ "$("$DANA" complete filter --plugin /x)" = $'\tfiles\t' ]
	[ "$("$DANA" complete filter -- -)" = $'\tfiles\t' ]
	prints 3 'dana complete: an argument is missing; expected dana complete WORD...' "$DANA" complete
}

@test "dana complete prints nothing where it knows nothing to go on with" {
	for words in 'unknown x' 'filter --unknown=' 'filter -j 2' 'filter -j2' 'filter -m plain:' 'filter -m plain,da' \
		'filter --plugin no-such:' 'methods x' 'eval folder x' 'dedup estimate x' \
		'filter --output=a --unknown'; do
		run -0 "$DANA" complete $words
		[ -z "$output" ] || { echo "$words: $output"; false; }
	done
	prints 0 '' "$DANA" complete extract $'a\nb'
}

@test "dana complete knows the verbs of dedup, and the options and arguments of each" {
	[ "$("$DANA" complete dedup '' | cut -f 1)" = "$(printf '%s\n' learn cluster apply rows merge estimate info verify)" ]
	for verb in learn cluster apply rows merge estimate info verify; do
		[ "$("$DANA" complete dedup "$verb" -- | sed 's/\t.*//' | sort)" = \
			"$("$DANA" dedup "$verb" --help | sed -n 's/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' | sort)" ]
	done
	[ "$("$DANA" complete dedup apply --rows a -o b '')" = $'\tfiles\t' ]
	[ "$("$DANA" complete train '')" = $'mountain\nlearned' ]
	[ "$("$DANA" complete train -o model learned '')" = $'\tfolders\t' ]
}
