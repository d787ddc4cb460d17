# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What tests of the command line share.
bats_require_minimum_version 1.5.0

# shellcheck disable=SC2034 # of JSON of a single page, after text, title and what is known of the language
page_keys="page_kind charset method html_bytes text_chars truncated problems"

# run_filter STATUS ARGUMENTS...: dana filter; standard output in `out`, standard error in `err`. `filter_options` are those of all runs.
run_filter() {
	local wanted=$1 got=0
	shift
	# shellcheck disable=SC2086 # words
	"$DANA" filter $filter_options "$@" >out 2>err || got=$?
	[ "$got" -eq "$wanted" ] || { echo "status $got instead of $wanted: $*"; cat err; return 1; }
}

# filter_reports STATUS EXPRESSION ARGUMENTS...: run_filter, and an expression of grep for standard error
filter_reports() {
	local expression=$2
	run_filter "$1" "${@:3}"
	grep -q -- "$expression" err || { echo "not reported: $expression"; cat err; return 1; }
}

one_line() {
	[ "$(wc -l <err)" -eq 1 ] || { cat err; return 1; }
}

# filter_reports_once STATUS ARGUMENTS...: run_filter, and one line on standard error
filter_reports_once() {
	run_filter "$@"
	one_line
}

# prints STATUS PATTERN COMMAND...: the exit status, and a pattern of the shell for the whole output
prints() {
	local pattern=$2
	run "-$1" "${@:3}"
	# shellcheck disable=SC2053
	[[ $output == $pattern ]] || { echo "not like $pattern: $output"; return 1; }
}

# prints_line STATUS COMMAND...: the exit status, and one line of output
prints_line() {
	run "-$1" "${@:2}"
	[ "${#lines[@]}" -eq 1 ] || { echo "$output"; return 1; }
}

# wait_until PID COMMAND...: until the command succeeds or the process is gone, for at most half a minute
wait_until() {
	for _ in $(seq 600); do
		! "${@:2}" && kill -0 "$1" || break
		sleep 0.05
	done
}

# ends STATUS PID: waits for a child
ends() {
	local got=0
	wait "$2" || got=$?
	[ "$got" -eq "$1" ]
}

# response NUMBER URL PAGE: a WARC record of a page
response() {
	local block=$'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'$3 LC_ALL=C
	printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n' "$1"
	printf 'WARC-Target-URI: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' "$2" "${#block}" "$block"
}

export PYTHONPATH=$DANA_SOURCE/tests/support PYTHONDONTWRITEBYTECODE=1 # archive.py makes records, too
