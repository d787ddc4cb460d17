# SPDX-License-Identifier: MIT
# Plugins for single pages: extract and serve give what filter gives of the same page in an archive.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	for name in language metadata pii quality url; do
		"$DANA" plugins | grep -q "^  $name " || skip "the plugin $name is not built in"
	done
	SITE=$DANA_SOURCE/sample/site
	mkdir pages
	cp "$SITE"/*.html pages
	# beside them what pages have at their edges
	: >pages/empty.html
	printf '<title>T</title><p>mail a@example.com, at 8.8.8.8, +1 212 555 0123 or not' >pages/mail.html
	printf '<meta charset=windows-1251><title>\317</title><h1>\317\360\350\342\345\362</h1><p>\312\356\355\345\366 \355\345 \361\353\363\367\350\353\361\377, \350 \342\361\345 \346\344\343\362 \354\350\360\340.' >pages/charset.html
	{ printf '<p>'; for i in {1..900}; do printf 'The same words over and over. '; done; } >pages/long.html
	printf '<h1>Only a heading</h1>' >pages/short.html
	printf '<script type="application/ld+json">{"@type":"Article","author":"A \\u0026 B","datePublished":"2024-05-31"}</script><p>Text.' >pages/ld.html
}

# The plugins of each row of the table.
rows() {
	cat <<-END
		--plugin url:substring=nowhere --plugin language --plugin metadata:links=1 --plugin pii
		--plugin pii --plugin language:include=en,de,fa --plugin metadata
		--plugin quality --plugin metadata
		--plugin quality:annotate=1 --plugin language --plugin metadata
		--plugin url:substring=a.example --plugin metadata
	END
}

# filtered OPTIONS...: each page in an archive, as lines of text, the plugins' fields and the reason, by number
filtered() {
	local n=0
	for page in pages/*.html; do
		local type=$(printf 'WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Target-URI: http://a.example/x\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\nX' $n "$(wc -c <"$page")")
		printf '%s' "${type%X}"
		cat "$page"
		printf '\r\n\r\n'
		n=$((n + 1))
	done >pages.warc
	rm -f out.jsonl out.jsonl.rejects.jsonl
	"$DANA" filter -q --min-chars 0 --rejects -o out.jsonl "$@" pages.warc
	jq -c '[.id, .text, (has("language_score") | if . then 1 else 0 end), .language_score, .pii, .quality, .metadata]' out.jsonl >known
	jq -c '[.id, null, .reason + (if .detail and .detail != "" then ": " + .detail else "" end)]' out.jsonl.rejects.jsonl >>known
	sort known
}

# extracted: the same of lines of extract
extracted() {
	jq -cn '[inputs] | to_entries[] | "urn:uuid:\(.key)" as $id | .value | if .text == null then [$id, null, .reason] else
		[$id, .text, (has("language_score") | if . then 1 else 0 end), .language_score, .pii, .quality, .metadata] end' | sort
}

@test "plugins give of pages what they give of the same pages in an archive" {
	local dropped=0
	while read -r options; do
		filtered $options >expected
		[ "$(wc -l <expected)" -eq "$(ls pages | wc -l)" ]
		for jobs in 0 3; do
			"$DANA" extract -j $jobs -f jsonl --url http://a.example/x $options pages | extracted | diff expected -
		done
		for page in pages/*.html; do
			printf '{"html_base64":"%s","url":"http://a.example/x"}\n' "$(base64 -w0 "$page")"
		done >lines
		"$DANA" extract --jsonl $options <lines 2>/dev/null | jq -c '.metadata = .page_metadata' | extracted | diff expected -
		dropped=$((dropped + $(grep ',null,"plugin:' expected | wc -l)))
	done < <(rows)
	[ $dropped -gt 10 ]
}

@test "JSON of a page has what the plugin metadata finds, without the plugin, text has not" {
	"$DANA" extract -f json pages/ld.html | jq -c .metadata >got
	[ "$(cat got)" = '{"title":"","title_from":"html"}' ] || [ "$(jq -r .author got)" = "A & B" ]
	[ "$(jq -r '.published, .published_from' got | paste -sd' ')" = "2024-05-31 json-ld" ]
	"$DANA" extract -f json --plugin metadata pages/ld.html | jq -c .metadata | cmp - got
	"$DANA" extract -f jsonl pages/ld.html | jq -c .metadata | cmp - got
	# of lines, what is handed through keeps its name
	printf '{"html_base64":"%s","n":7}\n' "$(base64 -w0 pages/ld.html)" | "$DANA" extract --jsonl >line
	[ "$(jq -c .metadata line)" = '{"n":7}' ]
	jq -c .page_metadata line | cmp - got
	# the order of the command line
	[ "$("$DANA" extract -f json --plugin pii --plugin language pages/mail.html | jq -r 'keys_unsorted | join(" ")')" = \
		"text title language language_score $page_keys pii metadata" ]
	[ "$("$DANA" extract --plugin pii -m plain pages/mail.html)" = "$("$DANA" extract -f json --plugin pii -m plain pages/mail.html | jq -r .text)" ]
	"$DANA" extract --plugin pii -m plain pages/mail.html | grep -q 'email@example'
	[ "$("$DANA" extract --plugin pii --text markdown -f json pages/mail.html | jq -c '[.markdown, .problems]')" = '[null,["structure_cut"]]' ]
}

@test "a page that a plugin drops has no text and a reason, and is no error" {
	reason=$("$DANA" extract -f json --plugin quality pages/short.html | jq -r .reason)
	[[ $reason == plugin:quality:\ * ]]
	prints 0 "dana extract: pages/short.html: $reason" "$DANA" extract --plugin quality pages/short.html
	"$DANA" extract --plugin quality pages/short.html 2>/dev/null >got
	[ ! -s got ]
	"$DANA" extract --plugin quality -O texts pages/short.html pages/mail.html 2>/dev/null
	[ -e texts/short.txt ] && [ ! -s texts/short.txt ]
	printf '{"html":"<p>x"}\n{"html":"<p>y"}\n' >lines
	run -1 --separate-stderr "$DANA" extract --jsonl --plugin quality lines
	[ "$stderr" = 'dana extract: 2 of 2 lines gave no text; see "reason" in the output' ]
	[ "$(grep -c '"reason":"plugin:quality: ' <<<"$output")" -eq 2 ]
}

@test "plugins that cannot be, and those that compare pages, are refused before anything is read" {
	mkdir dir
	while IFS='|' read -r plugin words; do
		run -3 "$DANA" extract --plugin "$plugin" nothing.html
		[[ $output == *"$words"* ]] || { echo "$plugin: $output"; false; }
	done <<-END
		nix|'nix' is not built in
		pi|did you mean pii?
		quality:x=1|x
		language:threshold=2|out of range
		url:block=missing|missing
		dedup-near:signatures=dir|needs the pages of a whole run in their order; use \`dana filter\`, or danatext.scan
	END
	[ -z "$(ls dir)" ]
}

# begin OPTIONS...: the service
begin() {
	: >err
	"$DANA" serve --listen "unix:$PWD/sock" "$@" 2>err 3>&- &
	SERVICE=$!
	wait_until $SERVICE grep -q 'listening on' err
}

teardown() {
	[ -z "$SERVICE" ] || { kill $SERVICE; wait $SERVICE || true; }
}

# page NAME QUERY [OPTIONS]: what the service returns, and its status on a line of its own
page() {
	curl -sS --unix-socket sock --data-binary "@pages/$1" -w '%{http_code}' "${@:3}" "http://a/extract$2"
}

@test "a service runs what was loaded, or what a request chooses of it" {
	command -v curl >/dev/null || skip "curl is not installed"
	begin --plugin language --plugin pii --plugin quality -m plain --text plain
	json=(-H 'Accept: application/json')
	cmp <(page mail.html "?plugin=pii" "${json[@]}") <("$DANA" extract -m plain -f json --plugin pii pages/mail.html | sed 's/,"metadata":.*/}/'; printf 200)
	cmp <(page mail.html "?plugin=pii,metadata" "${json[@]}") <("$DANA" extract -m plain -f json --plugin pii pages/mail.html; printf 200)
	cmp <(page mail.html "?plugin=metadata&plugin=pii" "${json[@]}") <("$DANA" extract -m plain -f json --plugin pii pages/mail.html; printf 200)
	cmp <(page mail.html "?plugin=pii%2Clanguage" "${json[@]}" | head -1) <("$DANA" extract -m plain -f json --plugin language --plugin pii pages/mail.html | sed 's/,"metadata":.*/}/')
	[ "$(page mail.html "?plugin=" "${json[@]}" | head -1 | jq -r 'keys_unsorted[-1]')" = problems ]
	[ "$(page mail.html "?plugin=")" = "$("$DANA" extract -m plain pages/mail.html)"$'\n200' ]
	[ "$(page mail.html "?plugin=pii")" = "$("$DANA" extract -m plain --plugin pii pages/mail.html)"$'\n200' ]
	# all of them: quality drops
	[ "$(page short.html "" "${json[@]}" | head -1 | jq -r '[.text, .reason] | @json')" = "$("$DANA" extract -m plain -f json --plugin quality pages/short.html | jq -r '[.text, .reason] | @json')" ]
	[[ $(page short.html "") == plugin:quality:*422 ]]
	# what one request chose does not stay for the next
	for i in 1 2 3 4 5 6; do
		[[ $(page short.html "?plugin=language") == *200 ]]
		[[ $(page short.html "") == *422 ]]
	done
}

@test "requests that name plugins in odd ways are refused, and the service stays" {
	command -v curl >/dev/null || skip "curl is not installed"
	begin --plugin language --plugin pii
	for query in nix pii:x=1 PII 'pii,' ',pii' 'pii,,language' 'pii%00' 'pii%0' '%ff' "$(printf 'p%.0s' {1..3000})" '../pii' '/tmp/x.so' 'length' 'type' "$(printf 'pii,%.0s' {1..500})"; do
		got=$(page mail.html "?plugin=$query")
		[[ $got == *400 ]] || { echo "$query: $got"; false; }
	done
	# repeated, it is one; pages of odd kinds do not end it
	[[ $(page mail.html "?plugin=pii,pii&plugin=pii") == *200 ]]
	mkdir -p pages
	printf '%s' '<script type="application/ld+json">' >pages/deep.html
	printf '[%.0s' {1..20000} >>pages/deep.html
	{ for i in {1..20000}; do printf '<meta name=author content="a%d"><h1><time>' $i; done; } >pages/many.html
	{ printf '<h1>x</h1>'; printf '<p class="author date byline">By ,|/;%.0s' {1..5000}; } >pages/bylines.html
	{ printf '<meta name=date content="'; printf '1 jan 2020 %.0s' {1..20000}; } >pages/dates.html
	{ printf '<meta property=og:image content="'; printf '/2%.0s' {1..60000}; printf '">'; } >pages/slashes.html
	head -c 200000 /dev/zero >pages/zero.html
	for odd in deep many bylines dates slashes zero empty; do
		[[ $(page $odd.html "?plugin=metadata,pii,language" -m 20) == *[24]?? ]] || { echo "$odd"; false; }
	done
	[[ $(page mail.html "") == *200 ]]
}
