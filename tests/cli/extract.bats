# SPDX-License-Identifier: MIT
# dana extract: one page to its text.

setup() {
	cd "$BATS_TEST_TMPDIR"
	{
		echo '<html><head><title>A &amp; B</title></head><body><ul><li><a href=/>Home</a></li></ul>'
		for i in 1 2 3 4 5 6 7 8; do
			echo "<p>Paragraph $i is long enough to look like the main content of a page, with many words and few tags.</p>"
		done
		echo '<div><a href=/x>Imprint</a></div></body></html>'
	} >page.html
}

@test "text from a file, a pipe and -" {
	run "$DANA" extract -m danag page.html
	[ "$status" -eq 0 ]
	[[ $output == *"Paragraph 1 is long enough"*"Paragraph 8 is long enough"* ]]
	expected=$output
	[ "$("$DANA" extract -m danag <page.html)" = "$expected" ]
	[ "$("$DANA" extract -m danag - <page.html)" = "$expected" ]
	[ "$("$DANA" extract --method=danag -- page.html | tail -c 1 | od -An -tx1)" = " 0a" ]
}

@test "JSON has the keys of the interface in order" {
	run "$DANA" extract -m plain -f json page.html
	[ "$status" -eq 0 ]
	[[ $output == '{"text":"'*'","title":"A & B","charset":"'*'","method":"plain","html_bytes":'*',"text_chars":'*',"truncated":false,"problems":[]}' ]]
	grep -q "\"html_bytes\":$(wc -c <page.html)," <<<"$output"
}

@test "an empty page is no error" {
	: >empty
	run "$DANA" extract empty
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	run "$DANA" extract -f json empty
	[[ $output == '{"text":"","title":null,'* ]]
}

@test "a charset can be forced" {
	printf '<p>\xd3\xe1\xc7\xe3 and some more words to be a text</p>' >arabic.html
	run "$DANA" extract -m plain --charset windows-1256 arabic.html
	[ "$output" = "سلام and some more words to be a text" ]
	run "$DANA" extract --charset windows-9999 arabic.html
	[ "$status" -eq 3 ]
	[[ $output == "dana extract: --charset: 'windows-9999' is unknown; expected"* ]]
}

@test "usage errors are one line and status 3" {
	run "$DANA" extract --metod=plain page.html
	[ "$status" -eq 3 ]
	[ "$output" = "dana extract: unknown option --metod; did you mean --method?" ]
	run "$DANA" extract -m nosuch page.html
	[ "$status" -eq 3 ]
	[ "${#lines[@]}" -eq 1 ]
	run "$DANA" extract -m danag:nokey=1 page.html
	[ "$status" -eq 3 ]
	run "$DANA" extract page.html page.html
	[ "$status" -eq 3 ]
	run "$DANA" extract -f xml page.html
	[ "$output" = "dana extract: -f: 'xml' is unknown; expected text|json" ]
}

@test "what is wrong with an option is told in words" {
	while IFS='|' read -r arguments message; do
		run bash -c "\"\$DANA\" extract $arguments page.html"
		[ "$status" -eq 3 ]
		[ "$output" = "dana extract: $message" ]
	done <<-END
		-m nosuch|--method: 'nosuch' is unknown; expected one of those that dana methods lists
		-m danag:nokey=1|--method: key of danag: 'nokey' is unknown; expected segment|gap|gap-fill|unit
		-m learned:model=/none|--method: /none: cannot be read: No such file or directory
	END
}

@test "a file that cannot be read is status 1, and what the system says" {
	run "$DANA" extract nothing.html
	[ "$status" -eq 1 ]
	[ "$output" = "dana extract: nothing.html: No such file or directory" ]
	run "$DANA" extract "$(printf 'no\nthing\033')"
	[ "$status" -eq 1 ]
	[ "$output" = 'dana extract: no\x0athing\x1b: No such file or directory' ]
	run "$DANA" extract .
	[ "$status" -eq 1 ]
	[ "$output" = "dana extract: .: Is a directory" ]
	run bash -c '"$DANA" extract <&-'
	[ "$status" -eq 1 ]
	[ "$output" = "dana extract: standard input: Bad file descriptor" ]
}

@test "text that cannot be written is status 1" {
	[ -w /dev/full ] || skip
	run bash -c '"$DANA" extract -m plain page.html 2>&1 >/dev/full'
	[ "$status" -eq 1 ]
	[ "$output" = "dana extract: standard output: No space left on device" ]
}

@test "a charset can be named as iconv and Python name it" {
	printf '<p>caf\x8e' >mac.html
	for name in macroman mac-roman Mac_Roman macintosh; do
		run "$DANA" extract -m plain -f json --charset $name mac.html
		[[ $output == '{"text":"café",'*',"charset":"macintosh",'* ]]
	done
	printf '<p>\xc7\xd1\xb1\xb9' >korean.html
	run "$DANA" extract -m plain -f json --charset cp949 korean.html
	[[ $output == '{"text":"한국",'*',"charset":"euc-kr",'* ]]
	printf '<p>caf\x82' >dos.html
	run "$DANA" extract -m plain -f json --charset CP437 dos.html
	[[ $output == '{"text":"café",'*',"charset":"cp437",'* ]]
	run "$DANA" extract --charset windows-1265 dos.html
	[ "$status" -eq 3 ]
	[[ $output == *"expected a charset of the web or of iconv, as windows-1256 or cp437; did you mean windows-125"* ]]
	run "$DANA" extract --charset cp437//IGNORE dos.html
	[ "$status" -eq 3 ]
}

@test "a charset's table for which no descriptor is left is a fault of the system, told as one" {
	local descriptors told= status output
	for descriptors in 4 5 6 7 8 9; do
		status=0
		output=$(bash -c "ulimit -n $descriptors && exec \"\$DANA\" extract --charset euc-kr page.html" 2>&1) || status=$?
		[ "$status" -ne 127 ] || continue # not even the program's libraries can be opened
		if [ "$status" -ne 0 ]; then
			[ "$status" -eq 1 ]
			case $output in
			"dana extract: page.html: no file descriptor is left to load a charset's table: allow more open files (ulimit -n)")
				told=yes ;;
			"dana extract: page.html: Too many open files: allow more (ulimit -n)") ;;
			*) echo "$output"; return 1 ;;
			esac
		fi
	done
	[ "$told" ]
}
