# SPDX-License-Identifier: MIT
# For tests of dana serve.

# serve [OPTIONS]: begins the service on a free port and the socket `sock`, and waits until it listens.
serve() {
	: >err # of a service before: its port is not this one's
	"$DANA" serve --listen "127.0.0.1:0,unix:$PWD/sock" "$@" >out 2>err 3>&- &
	SERVICE=$!
	for ((i = 0; i < 600; i++)); do
		grep -q 'listening on unix:' err && break
		kill -0 $SERVICE
		sleep 0.1
	done
	URL=$(sed -n 's|.*listening on \(http://.*\)/$|\1|p' err)
}

# stop: SIGTERM; the exit status is left in `ended`.
stop() {
	kill -TERM $SERVICE
	ended=0
	wait $SERVICE || ended=$?
	SERVICE=
}

post() {
	curl -sS --fail-with-body "$@"
}

# refuses WORDS ARGUMENTS...: status 400, and words of the reply
refuses() {
	[ "$(curl -sS -o got -w '%{http_code}' "${@:2}")" = 400 ]
	grep -q "$1" got
}
