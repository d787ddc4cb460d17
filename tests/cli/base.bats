# SPDX-License-Identifier: MIT
# Names that could lead elsewhere: keys of stores are asked for and signed as they stand, lines under --base stay below it.

load ../support/cli
load ../support/fault_server

setup_file() {
	need_fault_server
	command -v openssl >/dev/null || skip "openssl is missing"
	cd "$BATS_FILE_TMPDIR"
	cp "$DANA_SOURCE/tests/golden/many/in.warc.gz" a.warc.gz
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=store \
		-addext 'subjectAltName=DNS:s3.us-east-1.amazonaws.com,DNS:*.s3.us-east-1.amazonaws.com' 2>/dev/null
	cat key cert >both
	mkfifo hold said
	python3 "$DANA_SOURCE/tests/support/store_server.py" both log a.warc.gz <hold >said 3>&- &
	exec 7>hold
	read -r _ port <said
	export port
}

teardown_file() {
	stop_fault_server
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	: >log
	filter_options='-q --retry-time 1'
	export AWS_ACCESS_KEY_ID=id AWS_SECRET_ACCESS_KEY='se/cr+et' AWS_REGION=us-east-1
	unset AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3
}

# A key, and what is sent of it.
keys() {
	cat <<-'END'
	k.warc k.warc
	../k.warc ../k.warc
	../../private/k.warc ../../private/k.warc
	./k.warc ./k.warc
	a/../k.warc a/../k.warc
	a/./k.warc a/./k.warc
	a//k.warc a//k.warc
	/k.warc /k.warc
	.. ..
	a/.. a/..
	... ...
	%2e%2e/k.warc %252e%252e/k.warc
	..%2fk.warc ..%252fk.warc
	a\..\k.warc a%5C..%5Ck.warc
	a?b=/../c#d a%3Fb%3D/../c%23d
	END
}

# asked_for HOST PREFIX ARGUMENTS...: every key in that form, signed for what is sent
asked_for() {
	local host=$1 prefix=$2 key sent
	shift 2
	while read -r key sent; do
		: >log
		run_filter 0 "$@" "s3://$bucket/$key"
		[ -s out ]
		[ "$(jq -r .path log)" = "$prefix$sent" ] || { cat log; return 1; }
		[ "$(jq -r .fields.host log)" = "$host" ]
		python3 "$DANA_SOURCE/tests/oracle/sigv4.py" "$AWS_SECRET_ACCESS_KEY" <log
	done < <(keys)
}

@test "keys go as they stand: a store of our own; Amazon's, the bucket in the host and in the path" {
	bucket=public AWS_ENDPOINT_URL=http://127.0.0.1:$port asked_for "127.0.0.1:$port" /public/
	bucket=public asked_for public.s3.us-east-1.amazonaws.com / --proxy "http://127.0.0.1:$port" --ca-file cert
	bucket=pub.lic asked_for s3.us-east-1.amazonaws.com /pub.lic/ --proxy "http://127.0.0.1:$port" --ca-file cert
}

@test "no bucket makes another host, and without a key too" {
	run_filter 0 --proxy "http://127.0.0.1:$port" --ca-file cert s3://a@evil.example:1/k.warc 's3://evil#/k.warc'
	[ "$(jq -r '.fields.host + .path' log)" = "$(printf 's3.us-east-1.amazonaws.com/%s/k.warc\n' a%40evil.example%3A1 evil%23)" ]
	run_filter 1 --proxy "http://127.0.0.1:$port" --ca-file cert s3://../k.warc
	unset AWS_ACCESS_KEY_ID
	: >log
	AWS_ENDPOINT_URL=http://127.0.0.1:$port run_filter 0 s3://public/../k.warc
	[ "$(jq -r .path log)" = /public/../k.warc ]
}

upwards() {
	printf '%s\n' ../private/a.warc.gz a/../../private/a.warc.gz .. a/../b.warc.gz %2e%2e/a.warc.gz .%2E/a.warc.gz ..%2fa.warc.gz \
		'..\a.warc.gz' 'a\..\..\a.warc.gz' ..%5ca.warc.gz .//../a.warc.gz
}

@test "lines of lists and indexes that lead out of the base are refused with their place" {
	local base line
	export AWS_ENDPOINT_URL=http://127.0.0.1:$port
	for base in s3://public/pre/ "http://127.0.0.1:$port/public/"; do
		while read -r line; do
			printf '%s\n' a.warc.gz '' "$line" >list
			run_filter 1 --list list --base "$base"
			grep -qF "dana filter: --list: list: 1 line cannot be read; the first is line 3: its file has '..' as a folder; expected" err
			[[ $(jq -r .path log) =~ ^/public/(pre/)?a.warc.gz$ ]]
			: >log
			printf 'k 2026 {"url":"http://x/","offset":"0","length":"900","filename":"%s"}\n' "${line//\\/\\\\}" >bad.cdxj
			run_filter 1 --cdx bad.cdxj --base "$base"
			grep -qF "dana filter: --cdx: bad.cdxj: 1 line cannot be read; the first is line 1: its file has '..'" err
			echo "$line" >shards
			run_filter 1 --cdx shards --base "$base"
			grep -qF "dana filter: --cdx: shards: 1 line cannot be read; the first is line 1: its file has '..'" err
			[ ! -s log ]
		done < <(upwards)
	done
}

@test "other lines of an index are read" {
	export AWS_ENDPOINT_URL=http://127.0.0.1:$port
	python3 "$DANA_SOURCE/tests/support/make_cdx.py" cdxj --every 50 a.warc.gz=a.warc.gz >good.cdxj
	{
		head -1 good.cdxj
		sed -n '2s|"a.warc.gz"|"../a.warc.gz"|p' good.cdxj
		sed -n '3,$p' good.cdxj
	} >mixed.cdxj
	filter_reports 1 'mixed.cdxj: 1 line cannot be read; the first is line 2: ' --cdx mixed.cdxj --base s3://public/
	[ "$(sort -u <(jq -r .path log))" = /public/a.warc.gz ]
}

@test "names that only look so, and names of this machine" {
	local line
	export AWS_ENDPOINT_URL=http://127.0.0.1:$port
	for line in ./a.warc.gz .../a.warc.gz a..b.warc.gz ..a/b.warc.gz a//b.warc.gz; do
		: >log
		run_filter 0 --base s3://public/ --list <(echo "$line")
		[ "$(jq -r .path log)" = "/public/$line" ]
	done
	# A base is gone on with: with the line, its last part is one name.
	run_filter 0 --base s3://public/pre- --list <(echo ../a.warc.gz)
	[ "$(tail -1 log | jq -r .path)" = /public/pre-../a.warc.gz ]
	run_filter 1 --base s3://public/pre- --list <(echo a/../b.warc.gz)
	run_filter 1 --base s3://public/. --list <(echo ./a.warc.gz)
	mkdir -p folder/below
	cp a.warc.gz folder/below
	cp a.warc.gz 'folder/..\a.warc.gz'
	run_filter 0 --base folder --list <(printf '%s\n' ./below/a.warc.gz below//a.warc.gz '..\a.warc.gz' "$PWD/a.warc.gz")
	for line in ../a.warc.gz below/../../a.warc.gz ..; do
		filter_reports 1 "line 1: its file has '..' as a folder" --base folder --list <(echo "$line")
	done
	run_filter 0 --list <(echo folder/../a.warc.gz)
}
