#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""serve_mutate.py HOST:PORT PROCESS N SEED: sends N requests, made of good ones by random changes, to a running `dana
serve`. Each response must be whole and have a status that /openapi.json describes; the service must live, hold nothing
in the end, and not grow. Exit status 1 with the bytes of the request when something is wrong."""
import collections, http.client, json, random, re, socket, sys

ADDRESS, SERVICE, N, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
HOST, PORT = ADDRESS.rsplit(":", 1)
RANDOM = random.Random(SEED)
PAGE = b"<title>t</title><nav>links</nav><p>" + b"some words of a page that is long enough, and then more. " * 12 + b"</p><table><tr><td>1</table>"


def ask(path):
    connection = http.client.HTTPConnection(HOST, int(PORT), timeout=30)
    connection.request("GET", path)
    return connection.getresponse().read()


SPEC = json.loads(ask("/openapi.json"))
KNOWN = {100, 200, 204} | {int(s) for s in SPEC["components"]["responses"]}
PARAMETERS = [p["name"].encode() for p in SPEC["components"]["parameters"].values()]
VALUES = [b"", b"0", b"1", b"plain", b"markdown", b"text", b"json", b"html", b"tei", b"blocks", b"learned", b"danag,r2l",
          b"learned,learned", b"links=0", b"heading=atx", b"nav", b"p%20%3E%20a", b"%", b"%00", b"%ff", b"+", b"drop", b"apart",
          b"100", b"-1", b"99999999999999999999", b"utf-16", b"latin1", b"x" * 300, b"http%3A%2F%2F127.0.0.1%2F",
          b"file:///etc/passwd", b"http://[::1]/", b"a%09only%09p"]
GOOD = {b"text": b"plain,markdown", b"markdown": b"links=0", b"text-field": b"plain", b"dropped": b"0", b"exclude": b"nav",
        b"only": b"body", b"comments": b"apart", b"tables": b"drop", b"recall": b"70", b"kind": b"article", b"method": b"learned",
        b"format": b"json", b"charset": b"utf-8", b"url": b"http%3A%2F%2Fa.example%2F", b"plugin": b"", b"rules": b""}
BODIES = [PAGE, b"", b'{"html":' + json.dumps(PAGE.decode()).encode() + b"}", b'{"html_base64":"PHA+YQ=="}',
          b'{"html":"<p>a","method":["danag"],"exclude":["nav"],"recall":5,"dropped":true}\n',
          b"".join(b'{"html":"<p>line %d","url":"http://a/"}\n' % i for i in range(9)), b'{"html":1}\nx\n\n{}\n',
          b"\x89PNG\r\n\x1a\n" + bytes(600), bytes(range(256)) * 3,
          b'--X\r\nContent-Disposition: form-data; name="page"; filename="a.html"\r\nContent-Type: text/html\r\n\r\n' + PAGE
          + b'\r\n--X\r\nContent-Disposition: form-data; name="recall"\r\n\r\n70\r\n--X--\r\n',
          b"html=%3Cp%3Ea&method=danag"]
TYPES = [b"text/html", b"application/json", b"application/jsonl", b"application/x-ndjson; charset=utf-8", b"text/plain",
         b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=X", b"image/png", b"text/html; charset=koi8-r"]
ACCEPTS = [b"*/*", b"text/markdown", b"application/json", b"text/html, */*;q=0.8", b"application/tei+xml;q=x", b",;q=", b"image/png"]
PIECES = [b"\r\n", b"\n", b"\r", b"\0", b":", b"%", b"%00", b"&", b"=", b"?", b"{", b"}", b'"', b"\\", b"\\ud800", b"\xff", b"0\r\n\r\n",
          b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: a\r\n", b"Origin: http://a\r\n", b"[[[[[[", b"-1", b"1e999",
          b"Expect: 100-continue\r\n", b"null", b"true", b"9" * 25]
PATHS = [b"/extract"] * 20 + [b"/openapi.json", b"/", b"/healthz", b"/metrics", b"/filter", b"/explain", b"/explain", b"/nothing", b"*"]


def request():
    path, method = RANDOM.choice(PATHS), RANDOM.choice([b"POST"] * 9 + [b"GET", b"GET", b"HEAD", b"OPTIONS", b"PUT"])
    names = [RANDOM.choice(PARAMETERS) for _ in range(RANDOM.choice([0, 0, 1, 1, 2, 4]))]
    query = b"&".join(n + b"=" + (GOOD.get(n, b"") if RANDOM.random() < 0.8 else RANDOM.choice(VALUES)) for n in names)
    body = RANDOM.choice(BODIES) if method in (b"POST", b"PUT") else b""
    if body and RANDOM.random() < 0.3:
        body = mutated(body)
    fields = [b"Host: localhost", b"Connection: close"]
    if RANDOM.random() < 0.9:
        form = body.startswith(b"--X") and RANDOM.random() < 0.7
        fields.append(b"Content-Type: " + (b"multipart/form-data; boundary=X" if form else RANDOM.choice(TYPES)))
    if RANDOM.random() < 0.5:
        fields.append(b"Accept: " + RANDOM.choice(ACCEPTS))
    if RANDOM.random() < 0.1:
        fields += [b"Origin: http://a.example", b"Access-Control-Request-Method: POST"]
    if RANDOM.random() < 0.3:
        fields.append(b"Transfer-Encoding: chunked")
        step = RANDOM.choice([1, 7, 100, 5000])
        parts = [body[i:i + step] for i in range(0, min(len(body), 400 * step), step)]
        body = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in parts) + b"0\r\n\r\n"
    else:
        fields.append(b"Content-Length: %d" % len(body))
    RANDOM.shuffle(fields)
    return method + b" " + path + (b"?" + query if query else b"") + b" HTTP/1.1\r\n" + b"\r\n".join(fields) + b"\r\n\r\n" + body


def mutated(data):
    data = bytearray(data)
    for _ in range(RANDOM.choice([1, 1, 2, 4, 16])):
        at, kind = RANDOM.randrange(len(data) + 1), RANDOM.randrange(5)
        length = RANDOM.choice([1, 1, 2, 8, 64])
        if kind == 0 and at < len(data):
            data[at] = RANDOM.randrange(256)
        elif kind == 1:
            data[at:at] = RANDOM.choice(PIECES)
        elif kind == 2:
            del data[at:at + length]
        elif kind == 3:
            data[at:at] = data[at:at + length]
        else:
            other = RANDOM.randrange(len(data) + 1)
            data[at:at + length] = data[other:other + length]
    return bytes(data)


def statuses(reply, head):
    """The statuses of the responses in `reply`, each of which must be whole, but for the last one where it has chunks."""
    if head:  # which of them have a body is not known: the first has none, unless it was refused early
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d) ", reply)]
    found = []
    while reply:
        line, end, rest = reply.partition(b"\r\n\r\n")
        match = re.match(rb"HTTP/1\.1 (\d\d\d) [A-Za-z ]+\r\n", line + b"\r\n")
        assert match and end, reply[:100]
        status = int(match[1])
        found.append(status)
        length = re.search(rb"\r\nContent-Length: (\d+)", line)
        if length:
            assert len(rest) >= int(length[1]), "a response is cut"
            reply = rest[int(length[1]):]
        elif status in (100, 204):
            reply = rest
        else:
            assert b"Transfer-Encoding: chunked" in line or b"Connection: close" in line, line
            reply = b""
    return found


def memory():
    with open(f"/proc/{SERVICE}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


counts, before = collections.Counter(), 0
for i in range(N):
    data = request()
    if RANDOM.random() < 0.4:
        data = mutated(data)
    if i == N // 4:
        before = memory()
    try:
        with socket.create_connection((HOST, int(PORT)), timeout=60) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it was refused by its first bytes
            reply = b""
            try:
                while more := connection.recv(1 << 16):
                    reply += more
            except ConnectionResetError:
                counts["reset"] += 1
        found = statuses(reply, b"HEAD " in data)
        assert set(found) <= KNOWN, found
        assert 500 not in found, "500"
        counts.update(found or ["none"])
    except (AssertionError, OSError) as error:
        sys.exit(f"request {i} of seed {SEED}: {error!r}: {data!r}\n{reply[:500]!r}")
after = memory()
held = int(re.search(rb"^dana_memory_bytes (\d+)$", ask("/metrics"), re.M)[1])
assert held == 0, held
assert N < 2000 or after < before * 1.3 + 8192, (before, after)
print(f"{N} requests, memory {before} KiB to {after} KiB:", *(f"{k}:{n}" for k, n in sorted(counts.items(), key=str)))
