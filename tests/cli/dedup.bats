# SPDX-License-Identifier: MIT
# dana dedup: files of signatures, joined, described, checked; usage.

setup() {
	make=$(dirname "$DANA")/../../tests/support/make_signatures
	cd "$BATS_TEST_TMPDIR"
	"$DANA" dedup --help | grep -q verify
	if ! [ -x "$make" ]; then
		run "$DANA" dedup info x
		[ "$status" -eq 1 ]
		[[ $output == *"built without"* ]]
		skip "built without what finds duplicates"
	fi
}

# Three files of 500 documents each, a third of them copies of one before.
make_three() {
	mkdir -p "$1"
	"$make" "$1/a.sig" crawl-a.warc.gz 0 500 33
	"$make" "$1/b.sig" crawl-b.warc.gz 500 500 33
	"$make" "$1/c.sig" crawl-c.warc.gz 1000 500 33
}

@test "cluster lists the rows to drop, whatever the order of the files" {
	make_three s
	run "$DANA" dedup cluster -o rows s
	[ "$status" -eq 0 ]
	[[ $output =~ ^"dana dedup cluster: 1500 documents, "[0-9]+" groups of two and more, "([0-9]+)" rows to drop"$ ]]
	dropped=${BASH_REMATCH[1]}
	[ "$dropped" -gt 400 ] && [ "$dropped" -lt 560 ]
	"$DANA" dedup cluster -o rows2 s/c.sig s/a.sig s/b.sig
	cmp rows rows2
	run "$DANA" dedup info rows
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "rows: a list of rows to drop" ]
	[[ $output == *"documents    1500"* ]]
	[[ $output == *"to drop      $dropped"* ]]
	[[ $output == *" of 500 in crawl-b.warc.gz"* ]]
	[ -z "$(find . -name '*.part' -o -name '.dana-*')" ]
}

@test "cluster of merged files is the same" {
	make_three s
	"$DANA" dedup merge -o ab.sig s/a.sig s/b.sig
	"$DANA" dedup cluster -o rows s
	"$DANA" dedup cluster -o rows2 ab.sig s/c.sig
	cmp rows rows2
	run "$DANA" dedup info ab.sig
	[[ $output == *"documents    1000"* ]]
	[[ $output == *"         500 crawl-a.warc.gz"* ]]
	[[ $output == *"bands        14 of 8 rows"* ]]
	[[ $output == *"  0.80  0.92"* ]]
}

@test "cluster drops less with a higher similarity, and keeps what it is told to" {
	make_three s
	"$DANA" dedup cluster -o all s 2>all.txt
	"$DANA" dedup cluster -o some --similarity 0.7 s 2>some.txt
	"$DANA" dedup cluster -o none --similarity 0.99 s 2>none.txt
	grep -q ' 0 rows to drop' none.txt
	[ "$(sed 's/.* \([0-9]*\) rows.*/\1/' some.txt)" -le "$(sed 's/.* \([0-9]*\) rows.*/\1/' all.txt)" ]
	"$DANA" dedup cluster -o longest --keep longest s
	! cmp -s all longest
}

@test "an output that exists stays, --force overwrites it" {
	make_three s
	echo kept >rows
	run "$DANA" dedup cluster -o rows s
	[ "$status" -eq 3 ]
	[ "$output" = "dana dedup cluster: rows exists; --force overwrites it" ]
	[ "$(cat rows)" = kept ]
	"$DANA" dedup cluster --force -o rows s
	"$DANA" dedup verify rows
}

@test "damaged, cut, foreign and older files are named, and nothing is overwritten" {
	make_three s
	"$DANA" dedup cluster -o rows s
	cp rows before
	run "$DANA" dedup verify s rows
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 4 ]
	cp s/b.sig good

	head -c 100000 good >s/b.sig
	run "$DANA" dedup cluster --force -o rows s
	[ "$status" -eq 1 ]
	[[ $output == *"s/b.sig: is cut: it has 100000 of "*" bytes" ]]
	run "$DANA" dedup verify s
	[ "$status" -eq 2 ]
	[[ $output == *"s/a.sig: good"*"s/b.sig: is cut"* ]]

	{ head -c 90000 good; printf x; tail -c +90002 good; } >s/b.sig
	run "$DANA" dedup cluster --force -o rows s
	[ "$status" -eq 1 ]
	[[ $output == *"s/b.sig: is damaged"* ]]

	{ head -c 12 good; printf '\0'; tail -c +14 good; } >s/b.sig
	run "$DANA" dedup cluster --force -o rows s
	[ "$status" -eq 1 ]
	[[ $output == *"s/b.sig: has version 0 of its layout, and this dana reads 1"* ]]

	cp rows s/b.sig
	run "$DANA" dedup cluster --force -o rows s
	[ "$status" -eq 1 ]
	[[ $output == *"s/b.sig: is a list of rows to drop; expected signatures"* ]]

	echo '<html>' >s/b.sig
	run "$DANA" dedup cluster --force -o rows s
	[ "$status" -eq 1 ]
	[[ $output == *"s/b.sig: is not a file of dana dedup"* ]]
	cmp rows before
}

@test "the same input twice is refused" {
	make_three s
	cp s/a.sig s/d.sig
	run "$DANA" dedup cluster -o rows s
	[ "$status" -eq 3 ]
	[[ $output == *"hold signatures of one input, crawl-a.warc.gz"* ]]
	[ ! -e rows ]
}

@test "wrong usage is one line" {
	for arguments in "" "cluter x" "cluster" "cluster x" "cluster -o rows" "info" "info --keep first x" \
		"cluster -o rows --similarity 2 x" "cluster -o rows --keep any x"; do
		run "$DANA" dedup $arguments
		[ "$status" -eq 3 ]
		[ "${#lines[@]}" -eq 1 ]
	done
	mkdir empty
	run "$DANA" dedup cluster -o rows empty
	[ "$status" -eq 1 ]
	[ "$output" = "dana dedup cluster: empty: holds no file that ends with .sig" ]
}
