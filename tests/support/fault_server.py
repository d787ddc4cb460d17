#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
An HTTP server on loopback that does what it is told to do wrong.

    fault_server.py [--plan PLAN] [--log LOG] [--port PORT] [--hosts N] [--cert PEM] FOLDER

Serves the files of FOLDER, with ranges, ETag and Last-Modified, and prints "port P" when it listens (on 127.0.0.1, with
--hosts on 127.0.0.1 to 127.0.0.N). It ends when its standard input is closed. LOG gets a JSON object for each request,
when its reply is over.

PLAN is JSON: for a path a list of steps, one for each request of that path in their order; after the last one all is
well, or, where the list ends with "repeat", as with the one before that. "agent NAME" in place of a path is for what comes
from a User-Agent that ends with NAME, whatever its path. A step is an object with any of

    status N             with a small body; with "body" that one
    fields {NAME: VALUE} more fields, or others (null: none)
    delay S              seconds before the head
    drip S               the head byte by byte, S seconds apart
    cut N                close after N bytes of the body
    reset N              the same with RST
    stall N              after N bytes nothing more comes, until the client goes away
    whole                200 and the whole file, whatever was asked
    chunked              without a Content-Length
    old                  HTTP/1.0 without a Content-Length: the body ends with the connection
    end N                the body ends after N bytes, as if that were right
    twice                the body comes twice
    length D             a Content-Length that is wrong by D
    range D              a Content-Range that begins wrong by D
    shift D              the bytes of a range are those D bytes further on, as if they were those that were asked for
    gzip                 the body compressed once more, with Content-Encoding
    etag TEXT            another ETag
    total D              another length of the file in Content-Range
    junk                 bytes that are no HTTP
    slow S               pause of S seconds between pieces of the body of 16384 bytes
    trickle S            the same between its bytes
    long N               a field of N bytes in the head
    limit N              a range is answered with at most N bytes
"""
import argparse, email.utils, fcntl, functools, gzip, json, os, socket, ssl, struct, sys, termios, threading, time, urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("--plan")
parser.add_argument("--log")
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--hosts", type=int, default=1)
parser.add_argument("--cert")
parser.add_argument("folder")
options = parser.parse_args()

plan = json.load(open(options.plan)) if options.plan else {}
log = open(options.log, "a", buffering=1) if options.log else None
lock = threading.Lock()
counts = {}
REASONS = {200: "OK", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 403: "Forbidden", 404: "Not Found",
           416: "Range Not Satisfiable", 429: "Too Many Requests", 503: "Slow Down"}


def step_for(host, path, agent):
    """How many requests of the path came to the host before, and what is to be done with this one."""
    keys = ["agent " + agent.rpartition(" ")[2], host + path, path]
    key = next((key for key in keys if key in plan), path)
    with lock:
        number = counts.get(host + path, 0)
        counts[host + path] = number + 1
    steps = plan.get(key, [])
    if steps and steps[-1] == "repeat":
        return number, steps[min(number, len(steps) - 2)]
    return number, steps[number] if number < len(steps) else {}


def read_head(connection, rest):
    while b"\r\n\r\n" not in rest:
        more = connection.recv(65536)
        if not more:
            return None, b""
        rest += more
    head, rest = rest.split(b"\r\n\r\n", 1)
    return head.decode("latin-1").split("\r\n"), rest


class Gone(Exception):
    pass


def send_body(connection, body, step, entry):
    """Returns the number of bytes sent; Gone when the connection is over after them. The clock is read before each piece
    goes: after the last one the client may be faster than this thread."""
    stop = min([step[word] for word in ("cut", "reset", "stall") if word in step] + [len(body)])
    sent = 0
    while sent < stop:
        piece = body[sent:min(stop, sent + (1 if "trickle" in step else 16384 if "slow" in step else 1 << 20))]
        entry["end"] = time.monotonic()
        if "chunked" in step:
            connection.sendall(b"%x\r\n" % len(piece) + piece + b"\r\n")
        else:
            connection.sendall(piece)
        sent += len(piece)
        time.sleep(step.get("trickle", step.get("slow", 0)))
    if "stall" in step and stop == step["stall"]:
        connection.settimeout(120)
        connection.recv(1)
        entry["end"] = time.monotonic()
        raise Gone(sent)
    if "reset" in step and stop == step["reset"]:
        # What was sent must arrive before RST discards it.
        deadline = time.monotonic() + 2
        while struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, b"\0\0\0\0"))[0] and time.monotonic() < deadline:
            time.sleep(0.002)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Gone(sent)
    if "cut" in step and stop == step["cut"]:
        raise Gone(sent)
    if "chunked" in step:
        entry["end"] = time.monotonic()
        connection.sendall(b"0\r\n\r\n")
    return sent


@functools.cache
def file_of(path):
    name = os.path.join(options.folder, urllib.parse.unquote(path.split("?")[0]).lstrip("/"))
    try:
        with open(name, "rb") as file:
            return file.read(), os.fstat(file.fileno()).st_mtime
    except OSError:
        return None, 0


def range_of(request, data, etag, modified, step):
    """The wanted range, as (from, to), None for all of it, or () for one outside of the file."""
    text = request.get("range", "")
    if not text.startswith("bytes=") or "whole" in step:
        return None
    if request.get("if-range", etag) not in (etag, modified):
        return None
    first, _, last = text[6:].partition("-")
    first, last = int(first), int(last) if last else len(data) - 1
    if first >= len(data):
        return ()
    last = min(last, len(data) - 1)
    if "limit" in step:
        last = min(last, first + step["limit"] - 1)
    return first, last + 1


def arrival(connection):
    """When the last bytes came, which on a busy machine is earlier than now: tcpi_last_data_recv, in milliseconds."""
    while True:
        now = time.monotonic()
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 56)
        if time.monotonic() - now < 0.01:  # this thread was not stopped between the two
            return now - struct.unpack_from("I", info, 52)[0] / 1000


def reply(connection, host, method, path, request):
    number, step = step_for(host, path, request.get("user-agent", ""))
    entry = {"time": arrival(connection), "number": number, "host": host, "path": path, "fields": request, "step": step, "sent": 0}
    time.sleep(step.get("delay", 0))
    data, mtime = file_of(path)
    status, fields, body = 200, {}, b""
    if "status" in step:
        status, body = step["status"], step.get("body", "an error\n").encode()
        fields["Content-Type"] = "text/plain"
    elif data is None:
        status, body = 404, b"not found\n"
        fields["Content-Type"] = "text/plain"
    else:
        etag = step.get("etag", '"%x-%x"' % (len(data), int(mtime)))
        modified = email.utils.formatdate(mtime, usegmt=True)
        fields.update({"Content-Type": "application/octet-stream", "ETag": etag, "Last-Modified": modified,
                       "Accept-Ranges": "bytes"})
        wanted = range_of(request, data, etag, modified, step)
        body = data
        if wanted == ():
            status, body = 416, b""
            fields["Content-Range"] = "bytes */%d" % len(data)
        elif wanted:
            shift = step.get("shift", 0)
            status, body = 206, (data + bytes(shift))[wanted[0] + shift:wanted[1] + shift]
            off = step.get("range", 0)
            fields["Content-Range"] = "bytes %d-%d/%d" % (wanted[0] + off, wanted[1] - 1 + off, len(data) + step.get("total", 0))
        body = (body + body if "twice" in step else body)[:step.get("end")]
        if "gzip" in step:
            body = gzip.compress(body, 1)
            fields["Content-Encoding"] = "gzip"
    if "chunked" in step:
        fields["Transfer-Encoding"] = "chunked"
    elif "old" not in step:
        fields["Content-Length"] = str(len(body) + step.get("length", 0))
    if "long" in step:
        fields["Long"] = "x" * step["long"]
    fields.update(step.get("fields", {}))
    head = "HTTP/1.%d %d %s\r\n" % ("old" not in step, status, REASONS.get(status, "Other"))
    head += "".join("%s: %s\r\n" % (name, value) for name, value in fields.items() if value is not None) + "\r\n"
    entry.update(status=status, end=time.monotonic())
    try:
        for byte in head.encode("latin-1") if "drip" in step else b"":
            connection.sendall(bytes([byte]))
            time.sleep(step["drip"])
        if "drip" not in step:
            connection.sendall(b"junk " * 100 if "junk" in step else head.encode("latin-1"))
        if "junk" in step:
            raise Gone(0)
        if method != "HEAD":
            entry["sent"] = send_body(connection, body, step, entry)
        if step.get("length", 0) > 0 or "old" in step:
            raise Gone(entry["sent"])
    except Gone as gone:
        entry["sent"] = gone.args[0]
        raise
    finally:
        if log:
            with lock:
                log.write(json.dumps(entry) + "\n")


def serve(connection, host):
    rest = b""
    try:
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                lines, rest = read_head(connection, rest)
                if not lines:
                    return
                method, path, _ = lines[0].split(" ")
                request = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
                reply(connection, host, method, path, request)
                if request.get("connection", "").lower() == "close":
                    return
    except (Gone, OSError, ValueError):
        pass


def listen(host, port):
    listener = socket.create_server((host, port), backlog=512)
    context = None
    if options.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert)

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=start, args=(connection,), daemon=True).start()

    def start(connection):
        if context:
            try:
                connection = context.wrap_socket(connection, server_side=True)
            except OSError:
                return
        serve(connection, host)

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


port = options.port
for i in range(options.hosts):
    port = listen("127.0.0.%d" % (i + 1), port)
print("port", port, flush=True)
sys.stdin.buffer.read()
os._exit(0)
