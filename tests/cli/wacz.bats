# SPDX-License-Identifier: MIT
# dana filter: WACZ files, which are zips with archives in them, and folders of archives.

load ../support/cli
load ../support/fault_server

setup() {
	golden=$DANA_SOURCE/tests/golden
	cd "$BATS_TEST_TMPDIR"
	cp "$golden/many/in.warc.gz" many.warc.gz
	cp "$golden/plain/in.warc" plain.warc
	cp "$golden/frames/in.warc.zst" frames.warc.zst
	cp "$golden/arc/in.arc.gz" old.arc.gz
	three="archive/many.warc.gz=many.warc.gz archive/plain.warc=plain.warc archive/frames.warc.zst=frames.warc.zst"
}

# wacz OPTIONS... OUT NAME=FILE...
wacz() {
	python3 "$DANA_SOURCE/tests/support/make_wacz.py" "$@"
}

# without_file FILE...: documents without the name of their input
without_file() {
	jq -c 'del(.file)' "$@"
}

# same_as_three WACZ ARGUMENTS...: its documents are those of the three archives
same_as_three() {
	run_filter 0 "$@"
	"$DANA" filter -q many.warc.gz plain.warc frames.warc.zst | without_file >want
	without_file out | cmp - want
}

@test "the archives of a WACZ are read in their order, stored or deflated, however the zip was written" {
	local row
	for row in "" --deflate --zip64 "--zip64 --deflate" --stream "--stream --deflate" "--comment 9" "--comment 65535" "--before 77" \
		"--extra 5000" "--deflate --extra 70000" --ones "--ones --deflate" "--ones --bare" "--ones --bare --deflate" \
		"--fields 9" "--fields 60000 --deflate" "--after 1" "--after 500 --zip64"; do
		# shellcheck disable=SC2086 # words
		wacz $row x.wacz $three
		same_as_three x.wacz
		[ ! -s err ]
		[ "$(jq -r .file out | uniq | tr '\n' ' ')" = "x.wacz/archive/many.warc.gz x.wacz/archive/plain.warc x.wacz/archive/frames.warc.zst " ]
	done
}

@test "neither jobs nor the size of reads change what comes of a WACZ" {
	local row jobs size
	for row in "" --deflate; do
		# shellcheck disable=SC2086 # words
		wacz $row x.wacz $three
		for jobs in 0 1 3; do
			for size in 1 100 4096; do
				DANA_TEST_READ_SIZE=$size DANA_TEST_SPAN_SIZE=2000 same_as_three -j "$jobs" x.wacz
			done
		done
	done
}

@test "a zip is known by its content, and by its name where it is one" {
	# shellcheck disable=SC2086 # words
	wacz other $three
	same_as_three other
	cp plain.warc misnamed.wacz
	run_filter 0 misnamed.wacz
	[ "$(jq -r .file out | sort -u)" = misnamed.wacz ]
}

@test "entries are inputs by themselves, with ranges, in lists and shares" {
	local size
	for row in "" --deflate; do
		# shellcheck disable=SC2086 # words
		wacz $row x.wacz $three
		run_filter 0 x.wacz/archive/plain.warc many.warc.gz
		"$DANA" filter -q plain.warc many.warc.gz | without_file | cmp - <(without_file out)
		size=$(stat -c %s many.warc.gz)
		printf 'x.wacz/archive/many.warc.gz@0-%s\nx.wacz/archive/many.warc.gz@%s-\n' $((size / 2)) $((size / 2)) >list
		run_filter 0 --list list
		"$DANA" filter -q many.warc.gz | without_file | cmp - <(without_file out)
		run_filter 0 --range 0-1K x.wacz/archive/many.warc.gz
		"$DANA" filter -q --range 0-1024 many.warc.gz | without_file | cmp - <(without_file out)
		same_as_three --split-bytes 1500 x.wacz
		: >joined
		for share in 0 1 2; do
			run_filter 0 --split-bytes 1500 --shard $share/3 x.wacz
			cat out >>joined
		done
		cmp <(without_file joined | sort) <(sort want)
	done
	filter_reports_once 1 x.wacz/archive/other.warc
	grep -q 'x.wacz/archive/other.warc: the zip holds no archive of this name' err
	filter_reports 3 'x.wacz holds 3 archives; a range is of one' --range 0-9 x.wacz
}

@test "with -O each archive has an output, rejects and statistics" {
	# shellcheck disable=SC2086 # words
	wacz x.wacz $three
	wacz y.wacz archive/plain.warc=plain.warc
	run_filter 0 -O out.d --rejects --stats stats -J 2 x.wacz y.wacz
	[ "$(cd out.d && echo *.zst)" = "x.frames.jsonl.zst x.many.jsonl.zst x.plain.jsonl.zst y.plain.jsonl.zst" ]
	[ "$(jq .inputs stats)" -eq 4 ]
	run_filter 0 --rejects -o plain.jsonl plain.warc
	zstd -dcq out.d/x.plain.jsonl.zst | without_file | cmp - <(without_file plain.jsonl)
	[ "$(wc -l <out.d/y.plain.jsonl.zst.rejects.jsonl)" -eq "$(wc -l <plain.jsonl.rejects.jsonl)" ]
	run_filter 0 --sandbox require --force -o x.jsonl x.wacz || grep -q 'sandbox require' err
}

@test "a run that was interrupted goes on in a WACZ" {
	local row
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		gzip -dc many.warc.gz
		cat plain.warc
	done >long.warc
	for row in "" --deflate; do
		# shellcheck disable=SC2086 # words
		wacz $row x.wacz archive/a.warc=long.warc archive/b.warc.gz=many.warc.gz archive/c.warc=long.warc
		"$DANA" filter -q -o whole.jsonl --force x.wacz
		rm -f out.jsonl*
		for seconds in 0.05 0.1 0.15 0.2; do
			[ -e out.jsonl ] || DANA_TEST_READ_SIZE=64 timeout -s INT $seconds "$DANA" filter -q -j 0 --checkpoint-bytes 512 --resume \
				-o out.jsonl x.wacz || true
		done
		[ -e out.jsonl ] || "$DANA" filter -q --checkpoint-bytes 512 --resume -o out.jsonl x.wacz
		cmp out.jsonl whole.jsonl
	done
}

@test "a zip without archives, an encrypted and a damaged one are one line each" {
	wacz none.wacz data/plain.warc=plain.warc archive/page.txt=plain.warc
	filter_reports_once 2 none.wacz 2>&1 || { [ "$(grep -c none.wacz err)" -eq 1 ] && grep -q 'not_an_archive: zip: it holds no archive' err; }
	wacz --flag 1 locked.wacz archive/plain.warc=plain.warc
	run_filter 2 locked.wacz
	[ "$(grep -c locked.wacz err)" -eq 1 ]
	grep -q 'locked.wacz/archive/plain.warc: offset 0: not_an_archive: zip: it is encrypted$' err
	wacz --method 14 lzma.wacz archive/plain.warc=plain.warc
	run_filter 2 --rejects --force -o out.jsonl lzma.wacz plain.warc
	grep -q 'zip: it is compressed by LZMA, which is not read here; expected stored or deflated$' err
	[ "$(jq -r .reason out.jsonl.rejects.jsonl | grep -c not_an_archive)" -eq 1 ]
	[ -s out.jsonl ]
	wacz good.wacz archive/plain.warc=plain.warc
	head -c 300 good.wacz >cut.wacz
	run_filter 2 cut.wacz
	[ "$(grep -c 'cut.wacz: offset 0: not_an_archive: zip: it is damaged or cut off: it has no end of a directory$' err)" -eq 1 ]
	run_filter 2 - <good.wacz
	grep -q 'standard input: offset 0: not_an_archive: zip: a stream of it is not read; a WACZ is, as a file or a URL' err
	[ ! -s out ]
}

@test "deflated data that is damaged gives what comes before it, and a line" {
	wacz --deflate x.wacz archive/plain.warc=plain.warc archive/many.warc.gz=many.warc.gz
	python3 - <<-'END'
		data = bytearray(open("x.wacz", "rb").read())
		data[2000:2010] = bytes(10)
		open("bad.wacz", "wb").write(data)
		import struct
		data = bytearray(open("x.wacz", "rb").read())
		at = data.rindex(b"archive/plain.warc") - 46
		struct.pack_into("<I", data, at + 16, 1)
		open("sum.wacz", "wb").write(data)
	END
	run_filter 2 bad.wacz
	[ "$(grep -c 'bad.wacz/archive/plain.warc: offset 0: bad_member: zip: the entry is damaged' err)" -eq 1 ]
	[ "$(jq -r .file out | grep -c many)" -gt 3 ]
	run_filter 2 -o sum.jsonl sum.wacz
	grep -q 'sum.wacz/archive/plain.warc: offset 0: bad_member: zip: the entry is damaged: its checksum is wrong$' err
	[ -s sum.jsonl ]
}

@test "a stored archive without its checksum is damage, whoever reads it; of a part of it nobody knows" {
	local jobs
	wacz --crc 1 x.wacz archive/plain.warc=plain.warc archive/many.warc.gz=many.warc.gz
	run_filter 0 --rejects --force -o good.jsonl many.warc.gz
	for jobs in 0 1 2 4; do
		for size in 100 5000; do
			DANA_TEST_READ_SIZE=$size DANA_TEST_SPAN_SIZE=1500 run_filter 2 -j $jobs --rejects --force -o $jobs.jsonl x.wacz
			[ "$(grep -c 'offset 0: bad_member: zip: the entry is damaged: its checksum is wrong$' err)" -eq 2 ]
			[ "$(jq -r 'select(.reason == "bad_member") | "\(.file) \(.offset) \(.detail)"' $jobs.jsonl.rejects.jsonl | tr '\n' '|')" = \
				"x.wacz/archive/plain.warc 0 zip: the entry is damaged: its checksum is wrong|x.wacz/archive/many.warc.gz 0 zip: the entry is damaged: its checksum is wrong|" ]
			cmp $jobs.jsonl 0.jsonl
			cmp $jobs.jsonl.rejects.jsonl 0.jsonl.rejects.jsonl
		done
	done
	cmp <(jq -c 'select(.file | endswith("gz")) | del(.file)' 0.jsonl) <(without_file good.jsonl)
	run_filter 0 -q --range 0-2K x.wacz/archive/many.warc.gz
	run_filter 0 -q --split-bytes 2000 x.wacz
	cmp <(without_file out) <(without_file 0.jsonl)
	# deflated, the last of the parts reads all of it
	wacz --deflate --crc 1 y.wacz archive/plain.warc=plain.warc
	run_filter 2 --split-bytes 2000 --rejects --force -o y.jsonl y.wacz
	[ "$(grep -c bad_member y.jsonl.rejects.jsonl)" -eq 1 ]
}

@test "a run that was interrupted compares the checksum of all of a stored archive" {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		cat plain.warc
	done >long.warc
	for options in "" "--crc 1"; do
		# shellcheck disable=SC2086 # words
		wacz $options x.wacz archive/a.warc=long.warc
		"$DANA" filter -q --rejects --force -o whole.jsonl x.wacz || [ $? -eq 2 ]
		[ "$(grep -c bad_member whole.jsonl.rejects.jsonl)" -eq "$([ -z "$options" ] && echo 0 || echo 1)" ]
		rm -f out.jsonl*
		for seconds in 0.05 0.1 0.15; do
			[ -e out.jsonl ] || DANA_TEST_READ_SIZE=64 timeout -s INT $seconds "$DANA" filter -q -j 0 --checkpoint-bytes 512 --rejects \
				--resume -o out.jsonl x.wacz || true
		done
		[ -e out.jsonl ] || "$DANA" filter -q --checkpoint-bytes 512 --rejects --resume -o out.jsonl x.wacz || [ $? -eq 2 ]
		cmp out.jsonl whole.jsonl
		cmp out.jsonl.rejects.jsonl whole.jsonl.rejects.jsonl
	done
}

# several OPTIONS OPTIONS: m.wacz with a.wacz, b/c.wacz and an archive, written with the first options, these with the second
several() {
	# shellcheck disable=SC2086 # words
	wacz $2 a.wacz $three
	# shellcheck disable=SC2086 # words
	wacz $2 c.wacz archive/old.arc.gz=old.arc.gz archive/plain.warc=plain.warc
	# shellcheck disable=SC2086 # words
	wacz $1 m.wacz a.wacz=a.wacz b/c.wacz=c.wacz archive/plain.warc=plain.warc
	"$DANA" filter -q many.warc.gz plain.warc frames.warc.zst old.arc.gz plain.warc plain.warc | without_file >want
	names="m.wacz/a.wacz/archive/many.warc.gz m.wacz/a.wacz/archive/plain.warc m.wacz/a.wacz/archive/frames.warc.zst m.wacz/b/c.wacz/archive/old.arc.gz m.wacz/b/c.wacz/archive/plain.warc m.wacz/archive/plain.warc"
}

@test "WACZs in a zip are their archives, stored or deflated, by any number of workers and reads of any size" {
	local outer inner jobs name
	for outer in "" --deflate --ones; do
		for inner in "" --deflate "--ones --bare"; do
			several "$outer" "$inner"
			for jobs in 0 1 2 4; do
				DANA_TEST_READ_SIZE=$((1 + jobs * 1000)) DANA_TEST_SPAN_SIZE=2000 run_filter 0 -j $jobs m.wacz
				without_file out | cmp - want
			done
			[ "$(jq -r .file out | uniq | tr '\n' ' ')" = "$names " ]
			run_filter 0 --split-bytes 3000 m.wacz
			without_file out | cmp - want
			for name in $names; do
				echo "$name"
			done | tac >list
			cp out whole
			run_filter 0 --list list
			cmp <(sort out) <(sort whole)
			run_filter 0 m.wacz/b/c.wacz
			cmp out <(jq -c 'select(.file | contains("/b/"))' whole)
			run_filter 0 --range 0-1K m.wacz/a.wacz/archive/many.warc.gz
			"$DANA" filter -q --range 0-1024 many.warc.gz | without_file | cmp - <(without_file out)
		done
	done
	cp m.wacz other.zip
	run_filter 0 -O out.d --rejects -J 2 other.zip
	[ "$(cd out.d && echo *.zst)" = "other.a.frames.jsonl.zst other.a.many.jsonl.zst other.a.plain.jsonl.zst other.c.old.jsonl.zst other.c.plain.jsonl.zst other.plain.jsonl.zst" ]
	[ "$(cd out.d && zstd -dcq other.a.many.jsonl.zst other.a.plain.jsonl.zst other.a.frames.jsonl.zst other.c.*.zst other.plain.jsonl.zst | jq -c 'del(.file)' | cmp - ../want && echo same)" = same ]
	filter_reports 3 'm.wacz/b/c.wacz holds 2 archives; a range is of one: expected m.wacz/b/c.wacz/archive/old.arc.gz@' --range 0-9 m.wacz/b/c.wacz
}

@test "a run that was interrupted resumes in WACZs in a zip" {
	local outer
	for _ in 1 2 3 4 5 6; do
		cat plain.warc
	done >long.warc
	wacz a.wacz archive/a.warc=long.warc archive/b.warc.gz=many.warc.gz
	wacz --deflate c.wacz archive/a.warc=long.warc archive/b.warc.gz=many.warc.gz
	for outer in "" --deflate; do
		# shellcheck disable=SC2086 # words
		wacz $outer m.wacz a.wacz=a.wacz c.wacz=c.wacz
		"$DANA" filter -q --rejects --force -o whole.jsonl m.wacz
		rm -f out.jsonl*
		for seconds in 0.05 0.1 0.15 0.2 0.25; do
			[ ! -e out.jsonl ] || break
			DANA_TEST_READ_SIZE=64 "$DANA" filter -q -j 0 --checkpoint-bytes 512 --rejects --resume -o out.jsonl m.wacz 3>&- &
			sleep $seconds
			kill -KILL $! 2>/dev/null || true
			wait $! || true
		done
		[ -e out.jsonl ] || "$DANA" filter -q --checkpoint-bytes 512 --rejects --resume -o out.jsonl m.wacz
		cmp out.jsonl whole.jsonl
		cmp out.jsonl.rejects.jsonl whole.jsonl.rejects.jsonl
	done
}

@test "what is wrong with one WACZ in a zip is a line, and the others are read" {
	local row
	wacz a.wacz archive/plain.warc=plain.warc
	head -c 700 a.wacz >cut.wacz
	wacz --method 12 c.wacz archive/plain.warc=plain.warc
	wacz none.wacz data/plain.warc=plain.warc
	wacz deep.wacz a.wacz=a.wacz archive/many.warc.gz=many.warc.gz
	wacz --crc 7 sum.wacz archive/plain.warc=plain.warc
	"$DANA" filter -q plain.warc many.warc.gz plain.warc plain.warc | without_file >want
	for row in "" --deflate; do
		# shellcheck disable=SC2086 # words
		wacz $row m.wacz 1.wacz=a.wacz 2.wacz=cut.wacz 3.wacz=c.wacz 4.wacz=none.wacz 5.wacz=deep.wacz 6.wacz=sum.wacz 7.wacz=plain.warc .8.wacz=a.wacz
		run_filter 2 m.wacz
		without_file out | cmp - want
		[ "$(grep -c m.wacz err)" -eq 5 ]
		grep -q 'm.wacz/2.wacz: offset 0: not_an_archive: zip: it is damaged or cut off: it has no end of a directory$' err
		grep -q 'm.wacz/3.wacz/archive/plain.warc: offset 0: not_an_archive: zip: it is compressed by bzip2, which is not read here' err
		grep -q 'm.wacz/4.wacz: offset 0: not_an_archive: zip: it holds no archive' err
		grep -q 'm.wacz/5.wacz/a.wacz: offset 0: not_an_archive: zip: it lies in a zip in a zip, and zips are read up to the second' err
		grep -q 'm.wacz/6.wacz/archive/plain.warc: offset 0: bad_member: zip: the entry is damaged: its checksum is wrong$' err
	done
}

@test "500 damaged ones: no crash, and a line or what is left" {
	local got row
	# shellcheck disable=SC2086 # words
	wacz stored.wacz $three
	# shellcheck disable=SC2086 # words
	wacz --deflate --zip64 deflated.wacz $three
	for seed in $(seq 250); do
		for row in stored deflated; do
			wacz --damage 20 "$seed" $row.wacz bad.wacz
			got=0
			"$DANA" filter -j 0 bad.wacz >out 2>err || got=$?
			[ $got -le 2 ] || { echo "status $got: seed $seed of $row"; cat err; false; }
			[ $got -eq 0 ] || [ -s err ]
			jq -e . out >/dev/null || [ ! -s out ]
		done
	done
}

@test "lengths and places that a directory makes up are refused" {
	python3 - <<-'END'
		import struct
		def entry(name, length, size, header, fields=b"", method=0):
		    return struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, 0, method, 0, 0, 0, length, size, len(name), len(fields), 0, 0, 0, 0, header) + name + fields
		def zipped(body, directory, n, size=None, at=None):
		    return body + directory + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, n & 0xffff, n & 0xffff,
		        len(directory) if size is None else size, len(body) if at is None else at, 0)
		name = b"archive/a.warc"
		local = lambda data: struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, 0, 0, 0, 0, 0, len(data), len(data), len(name), 0) + name + data
		body = local(b"WARC/1.0\r\n" * 100)
		e = entry(name, 1000, 1000, 0)
		made = {
		    "outside": zipped(body, entry(name, 1000, 1000, 4000000), 1),
		    "long": zipped(body, entry(name, 100000, 100000, 0), 1),
		    "overlapping": zipped(body, e * 50, 50),
		    "few": zipped(body, e, 2),
		    "many": zipped(body, e + e, 1),
		    "short": zipped(body, e[:-9], 1),
		    "size": zipped(body, e, 1, size=0xfffffff0),
		    "at": zipped(body, e, 1, at=0xfffffff0),
		    "wide": zipped(body, entry(name, 0xffffffff, 0xffffffff, 0, struct.pack("<HHQQ", 1, 16, 1 << 63, 1 << 63)), 1),
		    "narrow": zipped(body, entry(name, 0xffffffff, 0xffffffff, 0, struct.pack("<HHI", 1, 4, 5)), 1),
		    "local": zipped(b"PK\3\4" + b"x" * 2000, entry(name, 1000, 1000, 9), 1),
		    "volumes": zipped(body, e, 1)[:-18] + struct.pack("<HHHHIIH", 1, 1, 1, 1, len(e), len(body), 0),
		}
		for key, data in made.items():
		    open(key + ".wacz", "wb").write(data)
	END
	for name in outside long overlapping few many short size at wide narrow local volumes; do
		run_filter 2 $name.wacz
		grep -q "$name.wacz.*: offset 0: not_an_archive: zip: " err || { echo $name; cat err; false; }
		[ "$(grep -c "$name.wacz" err)" -eq 1 ]
		[ ! -s out ]
	done
}

@test "a WACZ of a server is read by ranges: the directory and the archives" {
	need_fault_server
	mkdir www
	head -c 300000 /dev/zero >raw
	# shellcheck disable=SC2086 # words
	wacz www/x.wacz raw/zeros=raw $three
	# shellcheck disable=SC2086 # words
	wacz --deflate www/y.wacz $three
	head -c 2000 www/x.wacz >www/cut.wacz
	cp plain.warc www/plain.wacz
	echo '{"/whole.wacz": [{"whole": 1}, "repeat"], "/gone.wacz": [{"status": 404}, "repeat"],
		"/broken.wacz": [{}, {}, {}, {}, {}, {"cut": 100}, {"reset": 500}]}' >plan
	cp www/x.wacz www/whole.wacz
	cp www/x.wacz www/broken.wacz
	start_fault_server
	base=http://127.0.0.1:$port
	same_as_three "$base/x.wacz"
	[ "$(jq -r .file out | uniq | head -1)" = "$base/x.wacz/archive/many.warc.gz" ]
	archives=$(($(stat -c %s many.warc.gz) + $(stat -c %s plain.warc) + $(stat -c %s frames.warc.zst)))
	sent=$(jq -s 'map(select(.path == "/x.wacz").sent) | add' log)
	echo "$sent of $archives"
	[ "$sent" -lt $((archives + 6000)) ]
	same_as_three "$base/y.wacz"
	same_as_three -j 3 "$base/broken.wacz"
	DANA_TEST_READ_SIZE=100 same_as_three "$base/x.wacz?sig=secret"
	[ "$(jq -r .file out | uniq | head -1)" = "$base/x.wacz?sig=***/archive/many.warc.gz" ]
	printf '%s\n' "x.wacz/archive/plain.warc@0-2K" >list
	run_filter 0 --base "$base/" --list list
	"$DANA" filter -q --range 0-2048 plain.warc | without_file | cmp - <(without_file out)
	run_filter 0 "$base/plain.wacz"
	"$DANA" filter -q plain.warc | without_file | cmp - <(without_file out)
	filter_reports 2 'cut.wacz: offset 0: not_an_archive: zip: it is damaged or cut off' "$base/cut.wacz"
	filter_reports_once 1 -q "$base/whole.wacz"
	grep -q 'whole.wacz: a WACZ needs a server that sends ranges of it; fetch it, and give the file' err
	filter_reports 1 'gone.wacz: ' "$base/gone.wacz" plain.warc
	[ -s out ]
	run_filter 0 -O out.d --resume "$base/x.wacz"
	[ "$(cd out.d && echo *.zst)" = "x.frames.jsonl.zst x.many.jsonl.zst x.plain.jsonl.zst" ]
	stop_fault_server
}

@test "a server that lies about ranges of a WACZ: no wrong document, and a message" {
	need_fault_server
	mkdir www
	head -c 300000 /dev/zero >raw
	# shellcheck disable=SC2086 # words
	wacz www/x.wacz raw/zeros=raw $three
	wacz --comment 9 www/other.wacz archive/old.arc.gz=old.arc.gz raw/zeros=raw
	same_as_three www/x.wacz
	for name in whole-later short moved whole-first etag total range moved-away shift shift-directory shift-local; do
		cp www/x.wacz www/$name.wacz
	done
	# the first bytes, the end with the directory, three local headers; then the archives
	echo '{"/whole-later.wacz": [{}, {}, {}, {}, {}, {"whole": 1}, "repeat"],
		"/short.wacz": [{}, {}, {}, {}, {}, {"end": 1000}, {"cut": 100}],
		"/moved.wacz": [{"status": 302, "fields": {"Location": "/x.wacz"}}, "repeat"],
		"/whole-first.wacz": [{"whole": 1}],
		"/etag.wacz": [{}, {}, {}, {}, {}, {"etag": "\"new\""}, "repeat"],
		"/total.wacz": [{}, {}, {}, {}, {}, {"total": 5}, "repeat"],
		"/range.wacz": [{}, {}, {}, {}, {}, {"range": 100}, "repeat"],
		"/moved-away.wacz": [{}, {}, {}, {}, {}, {"status": 302, "fields": {"Location": "/other.wacz"}}, "repeat"],
		"/shift.wacz": [{}, {}, {}, {}, {}, {"shift": 50}, "repeat"],
		"/shift-directory.wacz": [{}, {"shift": 50}, "repeat"],
		"/shift-local.wacz": [{}, {}, {"shift": 50}, {"shift": 50}, {"shift": 50}]}' >plan
	start_fault_server
	base=http://127.0.0.1:$port
	for name in whole-later short moved; do
		same_as_three "$base/$name.wacz"
	done
	for name in etag total moved-away; do
		run_filter 1 "$base/$name.wacz"
		[ "$(grep -c "$name.wacz/archive/.*: the file on the server has changed: " err)" -eq 3 ]
		[ ! -s out ]
	done
	filter_reports 1 'whole-first.wacz: a WACZ needs a server that sends ranges of it' "$base/whole-first.wacz"
	run_filter 1 --retry-time 2 "$base/range.wacz"
	[ "$(grep -c 'range.wacz/archive/.*given up' err)" -eq 3 ]
	[ ! -s out ]
	run_filter 2 --rejects --force -o out.jsonl "$base/shift.wacz"
	[ "$(jq -r 'select(.reason == "bad_member" and .offset == 0) | .detail' out.jsonl.rejects.jsonl | grep -c 'checksum is wrong$')" -eq 3 ]
	jq -c 'del(.file, .offset, .length, .problems)' out.jsonl | sort -u | comm -23 - <(jq -c 'del(.file, .offset, .length, .problems)' want | sort -u) >wrong
	[ ! -s wrong ]
	filter_reports 2 'shift-directory.wacz: offset 0: not_an_archive: zip: it is damaged or cut off' "$base/shift-directory.wacz"
	run_filter 2 "$base/shift-local.wacz"
	[ "$(grep -c 'shift-local.wacz/archive/.*: not_an_archive: zip: the entry does not begin where the directory has it' err)" -eq 3 ]
	[ ! -s out ]
	stop_fault_server
}

@test "WACZs in a zip of a server are read by ranges, each deflated one in one pass" {
	need_fault_server
	mkdir www
	several "" ""
	cp m.wacz www/stored.zip
	several --deflate ""
	cp m.wacz www/deflated.wacz
	several --deflate --deflate
	cp m.wacz www/twice.wacz
	cp m.wacz www/gone.wacz
	echo '{"/gone.wacz": [{}, {}, {}, {}, {}, {}, {}, {}, {"etag": "\"new\""}, "repeat"]}' >plan
	start_fault_server
	base=http://127.0.0.1:$port
	for name in stored.zip deflated.wacz twice.wacz; do
		for jobs in 0 2; do
			: >log
			DANA_TEST_READ_SIZE=1000 run_filter 0 -j $jobs "$base/$name"
			without_file out | cmp - want
			[ "$(jq -r .file out | uniq | tr '\n' ' ')" = "${names//m.wacz/$base/$name} " ]
			sent=$(jq -s 'map(.sent) | add' log)
			echo "$name: $sent of $(stat -c %s www/$name) bytes, $(wc -l <log) requests"
			[ "$sent" -lt $((4 * $(stat -c %s www/$name) + 20000)) ]
		done
	done
	run_filter 0 "$base/deflated.wacz/b/c.wacz/archive/old.arc.gz"
	"$DANA" filter -q old.arc.gz | without_file | cmp - <(without_file out)
	run_filter 0 -O out.d -J 2 --resume "$base/twice.wacz"
	[ "$(cd out.d && echo *.zst)" = "twice.a.frames.jsonl.zst twice.a.many.jsonl.zst twice.a.plain.jsonl.zst twice.c.old.jsonl.zst twice.c.plain.jsonl.zst twice.plain.jsonl.zst" ]
	run_filter 1 "$base/gone.wacz"
	grep -q 'gone.wacz.*: the file on the server has changed: ' err
	stop_fault_server
}

@test "a folder is its archives, in the order of their names; -r takes folders below" {
	mkdir -p d/sub/deep d/.hidden
	cp many.warc.gz d/b.warc.gz
	cp plain.warc d/a.warc
	cp old.arc.gz d/C.arc.gz
	cp frames.warc.zst d/sub/d.warc.zst
	wacz d/aa.wacz archive/plain.warc=plain.warc
	cp plain.warc d/sub/deep/e.warc
	cp plain.warc d/.hidden/f.warc
	cp plain.warc d/.g.warc
	cp plain.warc d/page.html
	cp plain.warc d/h.warc.part
	ln -s .. d/sub/up
	ln -s ../plain.warc d/link.warc
	run_filter 0 d
	[ "$(jq -r .file out | uniq | tr '\n' ' ')" = "d/C.arc.gz d/a.warc d/aa.wacz/archive/plain.warc d/b.warc.gz d/link.warc " ]
	run_filter 0 -r d/
	[ "$(jq -r .file out | uniq | tr '\n' ' ')" = "d/C.arc.gz d/a.warc d/aa.wacz/archive/plain.warc d/b.warc.gz d/link.warc d/sub/d.warc.zst d/sub/deep/e.warc " ]
	echo d >list
	run_filter 0 --list list --shard 1/3
	[ "$(jq -r .file out | uniq | tr '\n' ' ')" = "d/a.warc d/link.warc " ]
	mkdir empty
	filter_reports_once 1 empty
	grep -q 'empty: no archive is in this folder (.warc or .arc, .*, or .wacz); dana extract -O DIR FOLDER reads HTML pages; -r looks into folders below$' err
	run_filter 1 empty plain.warc
	[ -s out ]
}
