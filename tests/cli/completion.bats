# SPDX-License-Identifier: MIT
# Completions of the shells: what they offer is what the program knows.

# complete_bash WORD... : the words that bash would offer for the last one, in $replies.
complete_bash() {
	replies=$(bash -c 'source /dev/stdin <<<"$("$DANA" print-completion bash)"
		COMP_WORDS=(dana "$@") COMP_CWORD=$#
		_dana
		printf "%s\n" "${COMPREPLY[@]}"' complete "$@")
}

@test "bash completes commands, and not those for developers" {
	complete_bash ''
	for command in $("$DANA" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p') --help --version; do
		grep -qx -e "$command" <<<"$replies"
	done
	[[ $replies != *print-* ]]
	complete_bash ext
	[ "$replies" = extract ]
	complete_bash help fi
	[ "$replies" = filter ]
}

@test "bash completes every option of every command" {
	for command in $("$DANA" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		complete_bash "$command" --
		[ "$(sort <<<"$replies")" = \
			"$("$DANA" "$command" --help | sed -n 's/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' | sort)" ]
	done
	complete_bash filter --out
	[ "$replies" = $'--output\n--output-dir' ]
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
	complete_bash eval -m dana,lear
	[ "$replies" = dana,learned ]
	complete_bash eval -m al
	[ "$replies" = all ]
}

@test "bash completes plugins, their keys and values" {
	complete_bash filter --plugin ''
	for plugin in $("$DANA" plugins | sed -n '/^Built in:/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
		grep -qx -e "$plugin" <<<"$replies"
	done
	complete_bash filter --plugin pi
	[ "$replies" = pii ]
	complete_bash filter --plugin pii :
	grep -qx 'phone=0' <<<"$replies"
	complete_bash filter --plugin pii : email = 0,pho
	[ "$replies" = $'0,phone=0\n0,phone=1' ]
}

# As bash cuts the words: at colons and equals signs.
@test "bash completes the keys of methods and their values" {
	cd "$BATS_TEST_TMPDIR"
	complete_bash filter -m danag :
	[ "$replies" = $'segment=\ngap=\ngap-fill=0\ngap-fill=1\nunit=bytes\nunit=chars' ]
	complete_bash extract -m danag : un
	[ "$replies" = $'unit=bytes\nunit=chars' ]
	complete_bash extract -m danag : unit = c
	[ "$replies" = chars ]
	complete_bash filter --method = danag : gap = 40,unit =
	[ "$replies" = $'bytes\nchars' ]
	complete_bash eval -m danag : gap = 40,dana-
	[ "$replies" = '40,dana-slides' ]
	complete_bash eval -m plain,wlr-media : gap = 40,ext
	[ "$replies" = $'40,extended=0\n40,extended=1' ]
	complete_bash filter -m plain :
	[ -z "$replies" ]
	touch 'my.model'
	mkdir 'my folder'
	complete_bash extract -m learned : mod
	[ "$replies" = model= ]
	complete_bash extract -m learned : recall = 60,model = my.
	[ "$replies" = my.model ]
	complete_bash extract -m mountain : site-models = my
	[ "$replies" = 'my folder' ]
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
	complete_bash filter --schema d
	[ "$replies" = $'dana\ndatatrove\ndolma' ]
	complete_bash filter --schema = do
	[ "$replies" = dolma ]
	complete_bash extract -f ''
	[ "$replies" = $'text\njson\njsonl' ]
	complete_bash filter -z ''
	[ "$replies" = $'none\ngzip\nzstd' ]
	complete_bash filter -f =
	[ "$replies" = $'jsonl\nwarc' ]
	complete_bash filter --warc-version ''
	[ "$replies" = $'1.1\n1.0' ]
	complete_bash train lea
	[ "$replies" = learned ]
	complete_bash filter -j ''
	[ -z "$replies" ]
}

@test "bash completes files and folders, with spaces in their names" {
	cd "$BATS_TEST_TMPDIR"
	mkdir 'a folder'
	touch 'a file'
	complete_bash filter a
	[ "$(sort <<<"$replies")" = $'a file\na folder' ]
	complete_bash filter -O a
	[ "$replies" = 'a folder' ]
	complete_bash filter --output = 'a f'
	[ "$(sort <<<"$replies")" = $'a file\na folder' ]
	complete_bash features -o out a
	[ "$replies" = 'a folder' ]
}

# zsh_lists LINE PATTERN: zsh on a terminal of its own lists what matches PATTERN when Tab is pressed after LINE.
zsh_lists() {
	FOLDER=$BATS_TEST_TMPDIR LINE=$1 PATTERN=$2 zsh -f -c '
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "fpath=($FOLDER \$fpath); autoload -Uz compinit; compinit -u -D; stty columns 200"
		zpty -w shell "LISTMAX=500; bindkey ^I list-choices; PS1=; echo REA\DY"
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
	command -v zsh >/dev/null || skip "zsh is missing"
	"$DANA" print-completion zsh >"$BATS_TEST_TMPDIR/_dana"
	zsh_lists 'dana ' '*extract*find the main text of HTML pages*methods*'
	zsh_lists 'dana filter --max-' '*--max-expansion*bytes that one*--max-window*'
	zsh_lists 'dana extract -m ' '*dana-slides*learned*'
	zsh_lists 'dana filter --schema ' '*dana*datatrove*dolma*'
	zsh_lists 'dana filter -m danag:' '*gap=*segment=*unit=chars*'
	zsh_lists 'dana filter --method=danag:gap=40,un' '*unit=bytes*unit=chars*'
	zsh_lists 'dana eval -m plain,wlr-media:' '*extended=0*extended=1*'
	zsh_lists 'dana eval -m al' '*all*'
	zsh_lists 'dana filter --plugin pii:' '*email=0*phone=1*'
	zsh_lists 'dana filter --plugin=pii:email=0,pho' '*phone=0*phone=1*'
	touch "$BATS_TEST_TMPDIR/one.model" "$BATS_TEST_TMPDIR/two.model"
	zsh_lists "dana extract -m learned:model=$BATS_TEST_TMPDIR/" '*one.model*two.model*'
}

@test "an unknown shell is refused with the near one" {
	run "$DANA" print-completion bahs
	[ "$status" -eq 3 ]
	[ "$output" = "dana print-completion: SHELL: 'bahs' is unknown; expected bash|zsh; did you mean bash?" ]
}
