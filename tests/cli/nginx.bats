# SPDX-License-Identifier: MIT
# Inputs from nginx: plain, TLS with a certificate authority of our own, HTTP/2, ranges, and a server that goes away and
# comes back.

load ../support/cli

# free_ports N: ports that nobody listens on, one a line
free_ports() {
	python3 -c 'import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(s.getsockname()[1] for s in sockets), sep="\n")' "$1"
}

# certificate NAME SUBJECT_ALTERNATIVE_NAME DAYS: NAME.pem and NAME.key, signed by ca.pem
certificate() {
	openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -subj "/CN=$1" -out "$1.csr"
	openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$3" -out "$1.pem" \
		-extfile <(echo "subjectAltName=$2")
}

certificates() {
	openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -subj /CN=test -days 2 -out ca.pem
	certificate good IP:127.0.0.1,DNS:localhost 2
	certificate other DNS:other.example 2
	certificate old IP:127.0.0.1 -1
}

# tls_server PORT CERTIFICATE MORE: a block of the configuration
tls_server() {
	echo "server { listen 127.0.0.1:$1 ssl http2; ssl_certificate $PWD/$2.pem; ssl_certificate_key $PWD/$2.key; root $PWD/www; $3 }"
}

write_configuration() {
	cat <<-END
	user $(id -un) $(id -gn);
	pid $PWD/nginx.pid;
	error_log $PWD/error.log;
	worker_processes 1;
	events {}
	http {
	log_format asked '\$server_port \$uri \$status \$server_protocol \$connection \$http_range';
	access_log $PWD/asked.log asked;
	client_body_temp_path $PWD/t1; proxy_temp_path $PWD/t2; fastcgi_temp_path $PWD/t3; uwsgi_temp_path $PWD/t4;
	scgi_temp_path $PWD/t5;
	server { listen 127.0.0.1:${ports[0]}; root $PWD/www;
		location /slow/ { alias $PWD/www/; limit_rate 400k; }
		location /whole/ { alias $PWD/www/; max_ranges 0; }
		location /up/ { return 301 https://127.0.0.1:${ports[1]}\$uri; }
	}
	$(tls_server "${ports[1]}" good "location /down/ { return 302 http://127.0.0.1:${ports[0]}/plain.warc; }
		location /up/ { alias $PWD/www/; } location /slow/ { alias $PWD/www/; limit_rate 400k; }")
	$(tls_server "${ports[2]}" other "")
	$(tls_server "${ports[3]}" old "")
	$(tls_server "${ports[4]}" good "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;")
	}
	END
}

# nginx comes back from the command when it listens; it is gone when its file with the process number is.
start_nginx() {
	"$nginx" -p "$PWD" -c "$PWD/nginx.conf" 2>error.start || { cat error.start; return 1; }
}

stop_nginx() {
	[ -e nginx.pid ] || return 0
	kill -TERM "$(cat nginx.pid)"
	while [ -e nginx.pid ]; do
		read -r -t 0.02 <>hold || true
	done
}

setup_file() {
	nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || skip "nginx is missing"
	for program in openssl python3 jq; do
		command -v $program >/dev/null || skip "$program is missing"
	done
	export nginx
	cd "$BATS_FILE_TMPDIR"
	mkfifo hold
	mkdir www
	for _ in 1 2 3 4 5 6; do
		cat "$DANA_SOURCE/tests/golden/many/in.warc.gz"
	done >www/plain.warc.gz
	gzip -dc www/plain.warc.gz >www/plain.warc
	certificates >openssl.log 2>&1
	free_ports 5 >ports
	mapfile -t ports <ports
	write_configuration >nginx.conf
	start_nginx
}

teardown_file() {
	cd "$BATS_FILE_TMPDIR" && stop_nginx
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	mapfile -t ports <ports
	plain=http://127.0.0.1:${ports[0]} tls=https://127.0.0.1:${ports[1]}
	: >asked.log
}

# same NAME: `out` is what the file gives
same() {
	"$DANA" filter -f warc -q "www/$1" | cmp - out
}

# logged PATTERN: nginx writes of a request when it is over, which may be after the client has ended.
logged() {
	for _ in $(seq 250); do
		grep -q "$1" asked.log && return 0
		read -r -t 0.02 <>hold || true
	done
	cat asked.log err
	return 1
}

@test "plain, TLS and HTTP/2 give what the file gives" {
	for name in plain.warc plain.warc.gz; do
		run_filter 0 -f warc "$plain/$name"
		same $name
		run_filter 0 -f warc --ca-file ca.pem "$tls/$name"
		same $name
	done
	run_filter 0 -f warc --ca-file ca.pem "https://localhost:${ports[1]}/plain.warc"
	logged "^${ports[0]} /plain.warc 200 HTTP/1.1 "
	logged "^${ports[1]} /plain.warc 200 HTTP/2.0 "
}

@test "TLS works in the sandbox" {
	"$DANA" filter -q --sandbox require www/plain.warc >expected 2>err || skip "$(cat err)"
	for jobs in 0 2; do
		for host in 127.0.0.1 localhost; do
			run_filter 0 -q --sandbox require -j "$jobs" --ca-file ca.pem "https://$host:${ports[1]}/plain.warc"
			cmp <(sed 's/"file":"[^"]*"//' out) <(sed 's/"file":"[^"]*"//' expected)
		done
	done
	filter_reports 1 'certificate' -q --sandbox require "https://localhost:${ports[1]}/plain.warc"
}

@test "inputs one after the other share a connection" {
	for base in "$plain" "$tls"; do
		: >asked.log
		run_filter 0 --ca-file ca.pem "$base/plain.warc.gz" "$base/plain.warc" "$base/plain.warc.gz"
		[ "$(cut -d' ' -f5 asked.log | sort -u | wc -l)" -eq 1 ]
	done
}

@test "a server that goes away and comes back" {
	for base in "$plain" "$tls"; do
		: >asked.log
		rm -f out
		"$DANA" filter -f warc -v --ca-file ca.pem "$base/slow/plain.warc" >out 2>err &
		local child=$!
		while kill -0 $child && [ ! -s out ]; do # the first records have come
			read -r -t 0.02 <>hold || true
		done
		stop_nginx
		start_nginx
		wait $child
		same plain.warc
		grep -q 'trying again in 1.0 s' err
		logged ' 206 HTTP/.* bytes=[1-9][0-9]*-$'
	done
}

@test "a server that knows no ranges" {
	"$DANA" filter -f warc -v "$plain/whole/plain.warc" >out 2>err
	same plain.warc
}

@test "certificates are verified" {
	filter_reports 1 "^dana: $tls/plain.warc: SSL certificate problem: " "$tls/plain.warc"
	run_filter 1 --ca-file ca.pem "https://127.0.0.1:${ports[2]}/plain.warc"
	grep -q "certificate subject name\|no alternative certificate subject name matches" err
	filter_reports 1 "certificate has expired" --ca-file ca.pem "https://127.0.0.1:${ports[3]}/plain.warc"
	[ ! -s out ] && [ ! -s asked.log ]
	filter_reports 3 '^dana filter: --ca-file: none.pem cannot be read' --ca-file none.pem "$tls/plain.warc"
}

@test "TLS before 1.2 is refused" {
	run_filter 1 --retry-time 2 --ca-file ca.pem "https://127.0.0.1:${ports[4]}/plain.warc"
	grep -qi 'SSL\|TLS\|alert' err
	[ ! -s asked.log ]
}

@test "--insecure reads all the same, says so each time, and is no key of a configuration file" {
	for _ in 1 2; do
		run_filter 0 -q -f warc --insecure "https://127.0.0.1:${ports[3]}/plain.warc"
		same plain.warc
		[ "$(cat err)" = "dana filter: --insecure: certificates are not verified; anybody on the way can change what is read" ]
	done
	echo 'insecure = true' >insecure.conf
	run_filter 3 --config insecure.conf "$tls/plain.warc"
}

@test "redirects go up to https and never down" {
	run_filter 0 -f warc --ca-file ca.pem "$plain/up/plain.warc"
	same plain.warc
	filter_reports 1 'https' --ca-file ca.pem "$tls/down/plain.warc"
	[ "$(grep -c ' /plain.warc ' asked.log)" -eq 0 ]
}
