# SPDX-License-Identifier: MIT
# For tests with the server that does what it is told to do wrong (fault_server.py): `load ../support/fault_server`.

# What the server and the tests need.
need_fault_server() {
	command -v python3 >/dev/null || skip "python3 is missing"
	command -v jq >/dev/null || skip "jq is missing"
}

# start_fault_server OPTIONS...: serves `www` by the file `plan`, and logs into `log`; sets `port`
start_fault_server() {
	mkfifo hold said
	python3 "$DANA_SOURCE/tests/support/fault_server.py" --plan plan --log log "$@" www <hold >said 3>&- &
	exec 7>hold
	read -r _ port <said
	export port
}

# It ends when nobody can write to it any more.
stop_fault_server() {
	exec 7>&-
	wait
}
