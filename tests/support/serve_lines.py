#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""serve_lines.py HOST:PORT PROCESS [NAME]: sends lines to /extract of a running `dana serve` and reads the response meanwhile:
each line is answered before the next is sent; processes that end are a line each; who does not read is not read from,
and little is held for him. With NAME, the Host, a proxy is between, which holds more. Exit status 1 with a message when something is wrong."""
import http.client, json, os, re, select, signal, socket, sys, time

ADDRESS, SERVICE = sys.argv[1], int(sys.argv[2])
HOST, PORT = ADDRESS.rsplit(":", 1)
NAME = sys.argv[3] if len(sys.argv) > 3 else ADDRESS
HEAD = (f"POST /extract?text=plain HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/jsonl\r\n"
        "Transfer-Encoding: chunked\r\n\r\n").encode()


class Stream:
    def __init__(self):
        self.socket = socket.create_connection((HOST, int(PORT)))
        self.socket.settimeout(30)
        self.socket.sendall(HEAD)
        self.response, self.lines = None, []

    def send(self, data):
        self.socket.sendall(b"%x\r\n%s\r\n" % (len(data), data))

    def line(self):
        if not self.response:
            self.response = http.client.HTTPResponse(self.socket)
            self.response.begin()
            assert self.response.status == 200, self.response.status
        return json.loads(self.response.readline())


def workers():
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as stat, open(f"/proc/{name}/cmdline", "rb") as line:
                if int(stat.read().rsplit(")", 1)[1].split()[1]) == SERVICE and b"--worker" in line.read():
                    found.append(int(name))
        except (OSError, ValueError, IndexError):
            pass
    return found


def page(number, words=40):
    return json.dumps({"html": f"<title>t</title><p>Page {number}. " + "Words of a page that is long enough. " * words,
                       "n": number}).encode() + b"\n"


stream = Stream()
for i in range(20):
    data = page(i)
    stream.send(data[:len(data) // 2])  # a line in two chunks
    stream.send(data[len(data) // 2:] + (b"no JSON\n" if i % 2 else b""))
    answer = stream.line()
    assert answer["metadata"]["n"] == i and answer["text"].startswith(f"Page {i}."), answer
    assert i % 2 == 0 or stream.line()["reason"].startswith("not JSON"), i

stopped = workers()
assert stopped, "no worker"
for pid in stopped:
    os.kill(pid, signal.SIGSTOP)
stream.send(page(20) + page(21))
time.sleep(0.3)
for pid in stopped:
    os.kill(pid, signal.SIGKILL)
stream.send(page(22))
answers = [stream.line() for _ in range(3)]
failed = sum("reason" in a for a in answers)
assert 1 <= failed <= len(stopped) and "reason" not in answers[2], answers
assert all("has ended" in a["reason"] for a in answers if "reason" in a), answers
stream.socket.sendall(b"0\r\n\r\n")
assert stream.response.read() == b""

stream = Stream()
stream.socket.setblocking(False)
line = page(0, 2000)
chunk = b"%x\r\n%s\r\n" % (len(line), line)
sent, rest = 0, b""
while sent < 2000:
    rest = rest or chunk
    if not select.select([], [stream.socket], [], 2)[1]:
        break
    rest = rest[stream.socket.send(rest):]
    sent += not rest
assert sent < 2000, "all was taken, though nothing was read"
metrics = http.client.HTTPConnection(HOST, int(PORT))
metrics.request("GET", "/metrics", headers={"Host": NAME})
held = int(re.search(rb"^dana_memory_bytes (\d+)$", metrics.getresponse().read(), re.M)[1])
assert held < 8 << 20, held
stream.socket.settimeout(30)
if rest:
    import threading
    threading.Thread(target=stream.socket.sendall, args=(rest + b"0\r\n\r\n",), daemon=True).start()
    sent += 1
else:
    stream.socket.sendall(b"0\r\n\r\n")
for i in range(sent):
    assert stream.line()["metadata"]["n"] == 0
assert stream.response.read() == b""
print(f"{sent} lines sent before it stopped reading; {held} bytes held")
