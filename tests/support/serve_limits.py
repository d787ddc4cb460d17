#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""serve_limits.py DANA ARCHIVE SCENARIO [N]: starts `dana serve` with small limits, reaches them, and looks what clients are
told and whether those who keep to the limits are still served. Exit status 1 with a message when something is wrong.
The scenario beside_idle takes a page instead of the archive."""
import contextlib, gzip, http.client, os, random, re, resource, signal, socket, struct, subprocess, sys, tempfile, threading, time

DANA, ARCHIVE, SCENARIO = sys.argv[1:4]
MOST = float(sys.argv[4]) if len(sys.argv) > 4 else None
PAGE = b"<title>t</title><p>" + b"some words of a page that is long enough, and then more. " * 20 + b"</p>"
HEAD = b"POST /%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
CHUNKED = b"POST /%s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Service:
    def __init__(self, *options):
        # Memory that a sanitizer keeps back would look as if it were in use.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
        self.process = subprocess.Popen([DANA, "serve", "--listen", "127.0.0.1:0", *options], stderr=subprocess.PIPE,
                                        env=dict(os.environ, ASAN_OPTIONS=sanitizer))
        line = self.process.stderr.readline().decode()
        self.address = ("127.0.0.1", int(re.search(r":(\d+)/$", line.strip()).group(1)))
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def connect(self, receive=None):
        """`receive`: bytes that the kernel keeps for a client that does not read."""
        s = socket.socket()
        s.settimeout(60)
        if receive:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        s.connect(self.address)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s

    def ask(self, method="GET", path="/healthz", body=None, fields={}):
        """Status and body of the response."""
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        connection.request(method, path, body, fields)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        return response.status, text

    def status(self, method="GET", path="/healthz", body=None):
        return self.ask(method, path, body)[0]

    def metrics(self):
        text = self.ask(path="/metrics")[1].decode()
        return {n: float(v) for n, v in (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")}

    def wait_for(self, what):
        """Until `what(metrics)` is true."""
        wait_until(lambda: what(self.metrics()), "what was waited for did not happen")

    def until(self, status):
        """Until /healthz has this status."""
        def has():
            with contextlib.suppress(ConnectionError, http.client.HTTPException):
                return self.status() == status
        wait_until(has, f"the status does not become {status}")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def wait_for_descriptors(self, most):
        wait_until(lambda: self.descriptors() <= most, f"more descriptors than the {most} of before")

    def memory(self, which="VmRSS"):
        """Bytes that are resident, or (VmHWM) were so at most."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(which + r":\s+(\d+)", status.read()).group(1)) * 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def must(truth, text):
    if not truth:
        sys.exit(f"{SCENARIO}: {text}")


def wait_until(what, text):
    end = time.monotonic() + 60
    while not what():
        must(time.monotonic() < end, text)
        time.sleep(0.005)


def send_until_blocked(s, data):
    """How many bytes are taken; then nothing more is for three seconds."""
    s.settimeout(3)
    sent = 0
    with contextlib.suppress(TimeoutError):
        while sent < len(data):
            sent += s.send(data[sent:sent + 65536])
    s.settimeout(60)
    return sent


@contextlib.contextmanager
def running(*options):
    service = Service(*options)
    try:
        yield service
        must(service.status() == 200, "the service is not healthy at the end")
        must(service.stop() == 143, f"exit status {service.process.returncode}")
    finally:
        service.process.kill()


def read_all(s):
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while more := s.recv(65536):
            answer += more
    return answer


def read_status(s):
    """The status of one response; its body has a length."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        more = s.recv(65536)
        must(more, f"the connection ended after {answer!r}")
        answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
    while len(body) < length:
        body += s.recv(65536)
    return int(head.split()[1])


def slow_head():
    """A byte now and then is not enough."""
    with running("--head-time", "1") as service, service.connect() as s:
        begin = time.monotonic()
        s.settimeout(0.2)
        answer = None
        for byte in HEALTH:
            s.sendall(bytes([byte]))
            try:
                answer = s.recv(1000)
                break
            except TimeoutError:
                must(service.status() == 200, "others are not served")
        must(answer and answer.startswith(b"HTTP/1.1 408 "), f"no 408: {answer}")
        must(time.monotonic() - begin < 10, "too late")
        flood(service, s, "a slow head", b"", b"")


def slow_body():
    with running() as service, service.connect() as s, service.connect() as t:
        s.sendall(HEAD % (b"extract", 100000))
        t.sendall(CHUNKED % b"filter")
        s.settimeout(0.2)
        answer = None
        begin = time.monotonic()
        while answer is None:
            s.sendall(b"a")
            t.sendall(b"1\r\na\r\n")
            must(time.monotonic() - begin < 60, "no 408 after a minute")
            with contextlib.suppress(TimeoutError):
                answer = s.recv(1000)
        must(answer.startswith(b"HTTP/1.1 408 "), f"no 408: {answer}")
        must(read_status(t) == 408, "no 408 for the archive")
        flood(service, s, "a slow body", b"", b"")
        flood(service, t, "a slow archive", b"", b"")
        service.wait_for(lambda m: m["dana_children"] == 0 and m["dana_requests"] == 1)


def idle():
    with running("--idle-time", "1") as service, service.connect() as s, service.connect() as kept:
        kept.sendall(HEALTH)
        must(read_status(kept) == 200, "not served")
        must(read_all(s) == b"" and read_all(kept) == b"", "an idle connection gets bytes")


def connections():
    with running("--max-connections", "20") as service:
        held = [service.connect() for _ in range(20)]
        held[-1].sendall(HEALTH)
        must(read_status(held[-1]) == 200, "the last one is not served")
        with service.connect() as s:
            answer = read_all(s)
            must(answer.startswith(b"HTTP/1.1 503 ") and b"\r\nRetry-After: " in answer, f"no 503: {answer}")
        for s in held[:10]:
            s.close()
        service.until(200)
        for s in held[10:]:
            s.close()


def requests():
    with running("--max-requests", "3") as service:
        held = [service.connect() for _ in range(3)]
        for s in held:
            s.sendall(HEAD % (b"extract", len(PAGE)) + PAGE[:100])
        with service.connect() as s:
            for _ in range(100):  # until all three are under way
                s.sendall(HEALTH)
                if read_status(s) == 503:
                    break
            else:
                must(False, "no 503")
        for s in held:
            s.sendall(PAGE[100:])
            must(read_status(s) == 200, "a request that was taken gets no answer")
        must(service.status("POST", "/extract", PAGE) == 200, "no place becomes free")


def memory():
    with running("--max-memory", "1M", "--max-body", "1M") as service:
        page = PAGE * 700
        with service.connect() as s:
            s.sendall(HEAD % (b"extract", len(page)) + page[:-10])
            service.wait_for(lambda m: m["dana_memory_bytes"] > 600000)
            must(service.status("POST", "/extract", page) == 503, "no 503")
            must(service.status("POST", "/extract", PAGE) == 200, "a small page is refused")
            s.sendall(page[-10:])
            must(read_status(s) == 200, "no response")
        service.wait_for(lambda m: m["dana_memory_bytes"] < 65536)


def memory_of_responses():
    """Responses that nobody reads count as memory: those whose requests are over, and those under way."""
    for page, over in (PAGE * 400, True), (PAGE * 1000, False):
        with contextlib.ExitStack() as held:
            path = os.path.join(held.enter_context(tempfile.TemporaryDirectory()), "sock")
            service = held.enter_context(running("--listen", f"127.0.0.1:0,unix:{path}", "--max-memory", "2M"))
            must(service.status("POST", "/extract", page) == 200, "a page is refused")
            clients = held.enter_context(contextlib.ExitStack())
            for _ in range(100):
                s = clients.enter_context(socket.socket(socket.AF_UNIX))  # of which the kernel keeps less
                s.settimeout(60)
                s.connect(path)
                s.sendall(HEAD % (b"extract", len(page)) + page)
                s.recv(1, socket.MSG_PEEK)
                if over:
                    service.wait_for(lambda m: m["dana_requests"] == 1)
                if service.status("POST", "/extract", page) == 503:
                    break
            else:
                must(False, "no 503")
            must(service.metrics()["dana_memory_bytes"] > 1 << 20, "they are not counted")
            clients.close()
            service.wait_for(lambda m: m["dana_memory_bytes"] < 65536)
            must(service.status("POST", "/extract", page) == 200, "no place becomes free")


def children():
    with running("--max-children", "1") as service:
        with service.connect() as s:
            s.sendall(CHUNKED % b"filter")
            service.wait_for(lambda m: m["dana_children"] == 1)
            must(service.status("POST", "/filter", b"") == 503, "no 503")
            must(service.status("POST", "/extract", PAGE) == 200, "pages are refused")
        service.wait_for(lambda m: m["dana_children"] == 0)  # its client has gone
        must(service.status("POST", "/explain", PAGE) == 200, "no place becomes free")


def workers(service, word):
    """Process ids of the service's processes that have this word in their command line."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/stat") as stat, open(f"/proc/{pid}/cmdline", "rb") as line:
            if int(stat.read().rsplit(")", 1)[1].split()[1]) == service.process.pid and word in line.read().split(b"\0"):
                found.append(int(pid))
    return found


class Asking(threading.Thread):
    """A request whose response is waited for meanwhile."""

    def __init__(self, service, *request):
        super().__init__(daemon=True)
        self.service, self.request, self.began, self.status = service, request, time.monotonic(), None
        self.start()

    def run(self):
        with contextlib.suppress(ConnectionError, http.client.HTTPException):
            self.status, self.text = self.service.ask(*self.request)
        self.seconds = time.monotonic() - self.began

    def result(self):
        self.join(60)
        must(not self.is_alive(), "a request has no response")
        return self


def slow_pages():
    """A page for which a process takes for ever: here it is stopped."""
    def stuck(service):
        """A request whose page is at such a process."""
        must(service.status("POST", "/extract", PAGE) == 200, "a page is refused")
        before = service.metrics()["dana_workers"]
        for pid in workers(service, b"--worker"):
            os.kill(pid, signal.SIGSTOP)
        asking = Asking(service, "POST", "/extract", PAGE)
        service.wait_for(lambda m: m["dana_requests"] == 2)
        must(before >= 1, "no process makes texts")
        return asking

    with running("--jobs", "1", "--page-time", "4") as service:
        first = stuck(service)
        must(service.status("POST", "/extract", PAGE) == 200, "a page is held by another one")
        must(first.is_alive(), "a page is ended before its time")
        must(first.result().status == 422 and b"work_limit" in first.text, f"a page that is too slow gets {first.status}")
        must(3 <= first.seconds < 30, f"a page of 4 seconds is ended after {first.seconds:.1f}")
        wait_until(lambda: service.metrics()["dana_workers"] == 1, "a process is left")
    # When there are too many such pages, the oldest makes room for the next one.
    with running("--jobs", "1", "--page-time", "600") as service:
        first = stuck(service)
        stopped = workers(service, b"--worker")
        second = Asking(service, "POST", "/extract", PAGE * 8000)
        wait_until(lambda: len(workers(service, b"--worker")) == 2, "no process is started")
        for pid in workers(service, b"--worker"):
            os.kill(pid, signal.SIGSTOP)
        must(service.status("POST", "/extract", PAGE) == 200, "a page is held by two others")
        must(first.result().status == 422 and b"others wait" in first.text, "the oldest page makes no room")
        must(second.is_alive(), "the younger page makes room")
        for pid in set(workers(service, b"--worker")) - set(stopped):
            os.kill(pid, signal.SIGCONT)
        must(second.result().status == 200, f"a page that was slow for a time gets {second.status}")
    # One that ends its process, and the end of the service while it works.
    with running("--jobs", "1") as service:
        first = stuck(service)
        for pid in workers(service, b"--worker"):
            os.kill(pid, signal.SIGKILL)
        must(first.result().status == 500, f"a page that ends its process gets {first.status}")
        must(service.status("POST", "/extract", PAGE) == 200, "a page is refused after that")
    with running("--jobs", "1", "--drain-time", "1") as service:
        stuck(service)
        service.process.send_signal(signal.SIGTERM)
        must(service.process.wait(20) == 143, "the service does not end")
        service.status = lambda: 200


def slow_archives():
    """The same of a record of an archive and of a report."""
    with running("--page-time", "2") as service:
        with open(ARCHIVE, "rb") as file:
            data = file.read()
        with contextlib.closing(service.connect()) as s:
            s.sendall(HEAD % (b"filter", len(data)) + data[:1000])
            wait_until(lambda: workers(service, b"filter"), "no process is started")
            for pid in workers(service, b"filter"):
                os.kill(pid, signal.SIGSTOP)
            s.sendall(data[1000:])
            must(read_status(s) == 422, "an archive with a page that takes for ever is not ended")
        # A report begins when all of the page is there: its process is caught while it starts.
        report = Asking(service, "POST", "/explain", PAGE * 2000)
        wait_until(lambda: workers(service, b"explain"), "no process is started")
        for pid in workers(service, b"explain"):
            os.kill(pid, signal.SIGSTOP)
        must(report.result().status == 422, f"a report that takes for ever gets {report.status}")
        must(service.metrics()["dana_children"] == 0, "a process is left")
        # One that waits for its client is not slow.
        with contextlib.closing(service.connect()) as s:
            s.sendall(HEAD % (b"filter", len(data)) + data[:1000])
            time.sleep(5)
            s.sendall(data[1000:])
            must(s.recv(1000).startswith(b"HTTP/1.1 200 "), "an archive that comes slowly is refused")


def mutated():
    """Archives, pages and queries with random changes: a response to each, and memory does not grow."""
    rng = random.Random(1)
    with open(ARCHIVE, "rb") as file:
        packed = file.read()
    bodies = [packed, gzip.decompress(packed), PAGE, b"<table>" * 2000 + PAGE, b"\x1f\x8b" + PAGE, b""]
    queries = ["", "?method=learned", "?method=plain,danag", "?text=markdown", "?url=http://a/", "?charset=%ff", "?min-chars=x", "?format=warc&compress=gzip",
               "?format=json", "?mime=any", "?type=all", "?status=any", "?url=" + "a" * 900, "?comments=apart&tables=drop", "?method=%00"] + [""] * 10
    statuses, lock = {}, threading.Lock()
    with running("--max-children", "4") as service:
        def client(seed, count):
            rng = random.Random(seed)
            for _ in range(count):
                body = bytearray(rng.choice(bodies))
                for _ in range(rng.choice([0, 1, 3, 30])):
                    at = rng.randrange(len(body) + 1)
                    change = rng.randrange(3)
                    if change == 0:
                        body[at:at + 1] = bytes([rng.randrange(256)])
                    elif change == 1:
                        del body[at:at + rng.randrange(1, 400)]
                    else:
                        body[at:at] = body[rng.randrange(len(body) + 1):][:rng.randrange(400)]
                path = "/" + rng.choice(["filter", "filter", "explain", "explain", "extract"]) + rng.choice(queries)
                try:
                    status = service.status("POST", path, bytes(body))
                except (ConnectionError, http.client.HTTPException):
                    status = "cut"
                with lock:
                    statuses[status] = statuses.get(status, 0) + 1

        def load(count):
            threads = [threading.Thread(target=client, args=(rng.random(), count // 4)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        count = int(MOST or 80)
        load(count // 4)
        before, descriptors = service.memory(), service.descriptors()
        load(count - count // 4)
        must(set(statuses) <= {200, 400, 415, 422, 503, "cut"}, f"other statuses: {statuses}")
        must(service.memory() < before + (4 << 20), f"memory grows from {before} to {service.memory()}")
        service.wait_for(lambda m: m["dana_children"] == 0 and m["dana_requests"] == 1)
        service.wait_for_descriptors(descriptors + 8)
        if MOST:
            print(statuses, before, service.memory("VmHWM"))


def archive(megabytes):
    with gzip.open(ARCHIVE) as file:
        data = file.read()
    return data * (megabytes * 1000000 // len(data) + 1)


def back_pressure():
    """A client that does not read is not read from; then it reads, and gets all."""
    data = archive(56)
    with running() as service, service.connect(65536) as s:
        before = service.metrics()["process_resident_memory_bytes"]
        s.sendall(HEAD % (b"filter?method=plain", len(data)))
        sent = send_until_blocked(s, data)
        must(sent < 48000000, f"{sent} bytes are taken from a client that does not read")
        now = service.metrics()["process_resident_memory_bytes"]
        must(now - before < 24 << 20, f"memory grows from {before} to {now} bytes")
        must(service.status("POST", "/extract", PAGE) == 200, "others are not served")
        rest = threading.Thread(target=s.sendall, args=(data[sent:],))
        rest.start()
        response = http.client.HTTPResponse(s)
        response.begin()
        body = response.read()
        rest.join()
    expected = subprocess.run([DANA, "filter", "-m", "plain", "-"], input=data, stdout=subprocess.PIPE, check=True)
    must(body == expected.stdout, "the documents differ from those of dana filter")


def small_chunks():
    """Chunks of a byte for a process that does not read cost little more than their bytes."""
    with running() as service, service.connect() as s:
        s.sendall(CHUNKED % b"filter")
        service.wait_for(lambda m: m["dana_children"] == 1)
        with open(f"/proc/{service.process.pid}/task/{service.process.pid}/children") as children:
            os.kill(int(children.read()), signal.SIGSTOP)
        before = service.memory("VmHWM")
        data = b"1\r\na\r\n" * 4000000
        must(send_until_blocked(s, data) < len(data), "all is taken")
        grown = service.memory("VmHWM") - before
        must(grown < GROWTH_MOST, f"{grown >> 10} KiB more resident")


def resets():
    """Clients that break off at any point leave nothing behind."""
    request = HEAD % (b"extract", len(PAGE)) + PAGE
    stream = CHUNKED % b"filter" + b"100000\r\n" + archive(1)[:1 << 20] + b"\r\n"
    with running() as service:
        before = service.descriptors()
        for i in range(400):
            s = service.connect()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            data = stream if i % 20 == 0 else request
            s.sendall(data[:1 + i * 37 % len(data) if data is request else len(data) * (i // 20 + 1) // 20])
            s.close()
        service.wait_for(lambda m: m["dana_connections"] == 1 and m["dana_requests"] == 1 and m["dana_children"] == 0)
        must(service.metrics()["dana_memory_bytes"] < 65536, "memory is still counted")
        service.wait_for_descriptors(before)


def drain():
    """What was taken before SIGTERM is answered after it."""
    service = Service()
    with service.connect() as s, service.connect() as t, service.connect() as fresh:
        s.sendall(HEAD % (b"extract", len(PAGE)) + PAGE[:50])
        data = archive(1)
        t.sendall(HEAD % (b"filter", len(data)) + data[:100])
        service.wait_for(lambda m: m["dana_requests"] == 3 and m["dana_children"] == 1)
        service.process.send_signal(signal.SIGTERM)
        service.until(503)
        must(service.status("POST", "/extract", PAGE) == 503, "a new request is taken")
        must(read_all(fresh) == b"", "a connection without a request stays")
        s.sendall(PAGE[50:])
        answer = read_all(s)
        must(answer.startswith(b"HTTP/1.1 200 ") and b"\r\nConnection: close" in answer, f"no good end: {answer[:200]}")
        threading.Thread(target=t.sendall, args=(data[100:],)).start()
        must(b"\r\nDana-Status: good\r\n" in read_all(t), "the archive has no good end")
        must(service.process.wait(60) == 143, f"exit status {service.process.returncode}")


def drain_ends():
    """Whoever takes too long after SIGTERM is broken off; a second signal ends all at once."""
    service = Service("--drain-time", "1")
    with service.connect() as s:
        s.sendall(HEAD % (b"extract", 10) + b"a")
        service.wait_for(lambda m: m["dana_requests"] == 2)
        begin = time.monotonic()
        must(service.stop() == 143, f"exit status {service.process.returncode}")
        must(1 <= time.monotonic() - begin < 20, "not after the drain time")
        must(read_all(s) == b"", "a response came")
    service = Service()
    with service.connect() as s:
        s.sendall(HEAD % (b"extract", 10) + b"a")
        service.wait_for(lambda m: m["dana_requests"] == 2)
        service.process.send_signal(signal.SIGTERM)
        while service.status() != 503:
            pass
        begin = time.monotonic()
        status = None
        while status is None:  # what follows the first signal soon is its echo
            service.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = service.process.wait(0.1)
        must(status == 143 and time.monotonic() - begin < 5, "a second signal does not end it at once")


def ask_until_the_end(service, expected, counts, lock):
    """Requests, one after the other, each on a connection of its own, until there is no service. A request counts as
    taken when the service has said that it waits for the body."""
    while True:
        taken = False
        try:
            with service.connect() as s:
                s.sendall(b"POST /extract HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
                          % len(PAGE))
                first = s.recv(1000)
                if not first:
                    raise ConnectionResetError
                if not first.startswith(b"HTTP/1.1 100 "):
                    with lock:
                        counts["not taken" if first.startswith(b"HTTP/1.1 503 ") else "wrong"] += 1
                    continue
                taken = True
                s.sendall(PAGE)
                response = http.client.HTTPResponse(s)
                response.begin()
                with lock:
                    counts["good" if response.read() == expected else "wrong"] += 1
        except (http.client.HTTPException, OSError):
            with lock:
                counts["lost" if taken else "not taken"] += 1
            if service.process.poll() is not None:
                return


def kills():
    """SIGTERM at any moment under load: every request that was taken gets its response."""
    rounds = int(MOST or 5)
    expected = subprocess.run([DANA, "extract"], input=PAGE, stdout=subprocess.PIPE, check=True).stdout
    counts = {"good": 0, "wrong": 0, "lost": 0, "not taken": 0}
    lock = threading.Lock()
    for i in range(rounds):
        service = Service()
        clients = [threading.Thread(target=ask_until_the_end, args=(service, expected, counts, lock)) for _ in range(8)]
        for client in clients:
            client.start()
        time.sleep(0.05 + i * 0.37 % 0.3)  # any moment will do
        must(service.stop() == 143, f"exit status {service.process.returncode}")
        for client in clients:
            client.join()
    print(f"{rounds} rounds: {counts}")
    must(counts["good"] > rounds and counts["wrong"] == counts["lost"] == 0, "requests that were taken have no response")


def requests_of_all_kinds(service, seed):
    """Twenty pages of 1 to 400 paragraphs, five on one connection, an archive, a report, one that is refused, one that is broken off."""
    text = PAGE[PAGE.index(b"<p>"):]
    for i in range(20):
        path = "/extract" if i % 2 else "/extract?charset=utf-8&url=http%3a%2f%2fexample.org%2f"
        status = service.status("POST", path, text * (1 + (seed * 97 + i * 131) % 400))
        must(status == 200, f"{path}: status {status}")
    with service.connect() as s:
        for _ in range(5):
            s.sendall(HEAD % (b"extract", len(PAGE)) + PAGE)
            must(read_status(s) == 200, "a page on a connection that stays was refused")
    with open(ARCHIVE, "rb") as archive_file:
        must(service.status("POST", "/filter", archive_file.read()) in (200, 503), "/filter failed")  # 503: too many at once
    status, _ = service.ask("POST", "/explain?method=learned", PAGE, {"Content-Type": "text/html"})
    must(status in (200, 503), "/explain failed")
    with service.connect() as s:
        s.sendall(b"GET / HTTP/1.1\r\n\r\n")
        must(read_status(s) == 400, "a request without a host was taken")
    with service.connect() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.sendall((HEAD % (b"extract", len(PAGE)) + PAGE)[:len(PAGE) // 2])
    return 29


def growth():
    """SECONDS of load by four clients: at the end memory is that of the first third, and descriptors those before the load."""
    seconds = MOST or 60
    samples, counts, faults = [], [0] * 4, []
    with running() as service:
        descriptors = service.descriptors()
        begin = time.monotonic()

        def client(number):
            try:
                for i in range(1 << 30):
                    if time.monotonic() - begin >= seconds or faults:
                        return
                    counts[number] += requests_of_all_kinds(service, i * 4 + number)
                    time.sleep(1)  # others use the machine, too
            except (SystemExit, OSError, http.client.HTTPException) as fault:
                faults.append(fault)

        clients = [threading.Thread(target=client, args=(n,)) for n in range(4)]
        for c in clients:
            c.start()
        while any(c.is_alive() for c in clients):
            time.sleep(min(1, seconds / 60))
            samples.append(service.memory())
        must(not faults, f"a request failed: {faults}")
        service.wait_for(lambda m: m["dana_connections"] == 1 and m["dana_requests"] == 1 and m["dana_children"] == 0)
        service.wait_for_descriptors(descriptors)
    third = len(samples) // 3
    first, last = max(samples[:third]), max(samples[-third:])
    print(f"{seconds:.0f} s, {sum(counts)} requests: at most {first / 1048576:.1f} MiB resident in the first third, "
          f"{max(samples[third:-third]) / 1048576:.1f} in the second, {last / 1048576:.1f} in the last; {descriptors} descriptors before and after")
    must(last <= first + (1 << 20), "memory grows")


FLOOD = b"x" * 65536
GROWTH_MOST = 8 << 20


def flood(service, s, name, request, expected):
    """`request`, whose reply ends the connection, and more behind it: some at once, the rest when the reply has been read."""
    before = service.memory("VmHWM")
    s.settimeout(60)
    with contextlib.suppress(ConnectionError):  # where the reply came before
        s.sendall(request + FLOOD)
    statuses = re.findall(rb"HTTP/1\.1 (\d+) ", read_all(s))
    must(statuses == expected.split(), f"{name}: the statuses are {statuses}")
    sent = len(FLOOD)
    with contextlib.suppress(ConnectionError):
        while sent < int(MOST or 64) << 20:
            sent += s.send(FLOOD)
    grown = service.memory("VmHWM") - before
    if MOST:
        print(f"{name}: {sent >> 20} MiB sent, {grown >> 10} KiB more resident")
    must(grown < GROWTH_MOST, f"{name}: {sent >> 20} MiB sent, {grown >> 10} KiB more resident")


def floods():
    """What clients send behind a reply that ends the connection is not kept, whatever the reply, which they can read."""
    get = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n"
    page = HEAD % (b"extract", len(PAGE)) + PAGE
    endless = b"POST /%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n%s\r\n"
    chunk = b"fffffffffff\r\n"
    with running("--max-body", "1M") as service:
        for path, body in (("/extract", PAGE * 800), ("/explain", PAGE), ("/filter", b""), ("/filter", b"")):
            service.status("POST", path, body)  # memory that is needed once
        for name, request, expected in [
            ("no request", b"nothing\r\n\r\n", b"400"),
            ("no host", b"GET / HTTP/1.1\r\n\r\n", b"400"),
            ("two lengths", endless % (b"extract", b"Content-Length: 1\r\n"), b"400"),
            ("a bad chunk", CHUNKED % b"extract" + b"1\r\nabc", b"400"),
            ("a bad chunk of an archive", CHUNKED % b"filter" + b"-\r\n", b"400"),
            ("an endless extension", CHUNKED % b"extract" + b"1;", b"400"),
            ("an endless trailer", CHUNKED % b"extract" + b"0\r\nA: ", b"400"),
            ("a large length", endless % (b"extract", b""), b"413"),
            ("a large page in chunks", CHUNKED % b"extract" + chunk + FLOOD * 17, b"413"),
            ("a large page of a report", CHUNKED % b"explain" + chunk + FLOOD * 70, b"413"),
            ("an endless target", b"GET /", b"414"),
            ("an unknown expectation", endless % (b"extract", b"Expect: tea\r\n"), b"417"),
            ("a large field", get % b"" + b"X: ", b"431"),
            ("many fields", get % b"" + b"X: y\r\n" * 200, b"431"),
            ("an unknown method", b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"501"),
            ("another version", b"GET / HTTP/2.0\r\n\r\n", b"505"),
            ("a foreign host", endless.replace(b"localhost", b"a") % (b"filter", b""), b"421"),
            ("a foreign origin", endless % (b"filter", b"Origin: http://example.org\r\n"), b"403"),
            ("no such path", CHUNKED % b"nothing" + chunk, b"404"),
            ("another method", CHUNKED % b"healthz" + chunk, b"405"),
            ("a content coding", endless % (b"filter", b"Content-Encoding: br\r\n"), b"415"),
            ("an unknown parameter", CHUNKED % b"filter?a=b" + chunk, b"400"),
            ("a value that the child refuses", CHUNKED % b"filter?min-chars=many" + chunk, b"400"),
            ("an archive", HEAD % (b"filter", len(PAGE)) + PAGE, b"200"),
            ("Connection: close", get % b"healthz" + b"Connection: close\r\n\r\n", b"200"),
            ("a page with Connection: close", page.replace(b"Content", b"Connection: close\r\nContent", 1), b"200"),
            ("HTTP/1.0", b"GET / HTTP/1.0\r\n\r\n", b"200"),
            ("the last request", HEALTH * 1000, b"200 " * 1000),
            ("a bad request after a good one", page, b"200 414"),
        ]:
            with service.connect() as s:
                flood(service, s, name, request, expected)


def floods_of_refused():
    """The same, where a limit or a missing token is the reason."""
    endless = b"POST /%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
    with tempfile.TemporaryDirectory() as folder:
        token = os.path.join(folder, "token")
        with open(os.open(token, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("0123456789abcdef\n")
        with running("--token-file", token) as service:
            for name, field in (("no token", b""), ("a wrong token", b"Authorization: Bearer 0123456789abcdeg\r\n"),
                                ("a wrong password", b"Authorization: Basic YTpi\r\n")):
                with service.connect() as s:
                    flood(service, s, name, (endless % b"filter").replace(b"Content", field + b"Content"), b"401")
        with running("--listen", "0.0.0.0:0", "--token-file", token, "--max-peer", "4") as service:
            with contextlib.ExitStack() as held:
                s = [held.enter_context(service.connect()) for _ in range(5)][4]
                flood(service, s, "too many of one machine", b"", b"429")
            service.until(200)
    with running("--max-requests", "1") as service:
        with service.connect() as held, service.connect() as s:
            held.sendall(CHUNKED % b"filter")
            service.until(503)
            flood(service, s, "too many requests", HEALTH, b"503")
        service.until(200)
    with running("--max-connections", "4") as service:
        with contextlib.ExitStack() as held:
            s = [held.enter_context(service.connect()) for _ in range(5)][4]
            flood(service, s, "too many connections", b"", b"503")
        service.until(200)
    with running("--max-children", "1", "--max-memory", "1K") as service, service.connect() as held, service.connect() as s:
        held.sendall(CHUNKED % b"filter")
        service.wait_for(lambda m: m["dana_children"] == 1)
        flood(service, s, "too many archives", endless % b"filter", b"503")
        with service.connect() as s:
            flood(service, s, "too much memory", HEAD % (b"extract", 10000), b"503")
        with service.connect() as s:
            flood(service, s, "too much memory in chunks", CHUNKED % b"extract" + b"fffffffffff\r\n", b"503")


def floods_of_the_end():
    """The same after SIGTERM: what was taken is answered and ends the connection, what comes new is refused."""
    service = Service()
    with service.connect() as held, service.connect() as s, service.connect() as t:
        for connection in held, s:
            connection.sendall(HEAD % (b"extract", len(PAGE)) + PAGE[:100])
        t.sendall(CHUNKED % b"filter")
        service.wait_for(lambda m: m["dana_requests"] == 4 and m["dana_children"] == 1)
        service.process.send_signal(signal.SIGTERM)
        service.until(503)
        flood(service, s, "the end of the service", PAGE[100:], b"200")
        with service.connect() as s:
            flood(service, s, "a request after SIGTERM", HEAD % (b"extract", len(PAGE)) + PAGE, b"503")
        flood(service, t, "the end of the service, an archive", b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE), b"200")
        held.sendall(PAGE[100:])
        must(read_status(held) == 200, "no response")
    must(service.process.wait(60) == 143, f"exit status {service.process.returncode}")


def unread():
    """Replies that nobody reads are not kept in any number, however many requests a client sends; then it gets all."""
    text = PAGE[PAGE.index(b"<p>"):] * 80
    request = HEAD % (b"extract", len(text)) + text
    requests = 400
    expected = subprocess.run([DANA, "extract"], input=text, stdout=subprocess.PIPE, check=True).stdout
    with running() as service, service.connect(65536) as s:
        for _ in range(3):
            service.status("POST", "/extract", text)
        before = service.memory("VmHWM")
        data = request * requests
        sent = send_until_blocked(s, data)
        grown = service.memory("VmHWM") - before
        must(grown < GROWTH_MOST, f"{sent >> 20} MiB sent, {grown >> 10} KiB more resident")
        must(sent < len(data) // 2, f"{sent} bytes are taken from a client that does not read")
        rest = threading.Thread(target=s.sendall, args=(data[sent:],))
        rest.start()
        replies = s.makefile("rb")
        for i in range(requests):
            head = b"".join(iter(replies.readline, b"\r\n"))
            length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
            must(replies.read(length) == expected, f"response {i} is wrong")
        rest.join()


def latency(service, page, name):
    """The slowest of a hundred of 500 requests for the text of the page, 50 a second, each timed from when it should begin."""
    times, begin = [], time.monotonic()
    for i in range(500):
        due = begin + i / 50
        time.sleep(max(0, due - time.monotonic()))
        status, text = service.ask("POST", "/extract", page)
        must(status == 200 and text, f"status {status}")
        times.append(time.monotonic() - due)
    times.sort()
    print(f"{name}: median {times[250] * 1000:.2f} ms, p99 {times[495] * 1000:.2f} ms, RSS {service.memory() / 1048576:.1f} MiB")
    return times[495]


def beside_idle():
    """Good clients do not notice N idle ones, which send nothing: the slowest of a hundred requests takes at most twice as long
    beside them, and the service at most 128 MiB + 16 KiB for each. For a quiet machine, with `ulimit -n` of N + 3000."""
    most = int(MOST or 10000)
    with open(ARCHIVE, "rb") as file:
        page = file.read()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with running("--idle-time", "86400", "--max-connections", str(most + 100)) as service:
        alone, beside = [], []
        for _ in range(3):
            alone.append(latency(service, page, "alone"))
            with contextlib.ExitStack() as idle:
                for _ in range(most):
                    idle.enter_context(service.connect())
                beside.append(latency(service, page, f"{most} idle"))
                used = service.memory()
        must(min(beside) <= 2 * min(alone) and used <= (128 << 20) + most * 16384, f"too slow, or {used} bytes are too many")


if __name__ == "__main__":
    globals()[SCENARIO]()
