#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
An archive of 20 MB from a server that fails again and again, at points and in ways drawn at random: nothing may be lost
or come twice, and the server must be spared.

    cuts.py DANA FAULT_SERVER [--cuts N] [--hosts H] [--megabytes M] [--seed S]

H inputs at once, each from a host of its own (127.0.0.1, 127.0.0.2, ...), so that all can fail while each gets one attempt
a second. Checked: the documents are those of the file; attempts at a failing host are at least a second apart; a reply
that breaks off is gone on with at its end, to the byte; a stall is noticed within 30 seconds.
"""
import argparse, collections, hashlib, json, os, random, re, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("dana")
parser.add_argument("server")
parser.add_argument("--cuts", type=int, default=10000)
parser.add_argument("--hosts", type=int, default=100)
parser.add_argument("--megabytes", type=float, default=20)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
draw = random.Random(options.seed)


def archive(size):
    """Records with pages of words, as many bytes as asked for or a few more."""
    words = "the river lamp stone garden winter letter road harbour bread window green old name light".split()
    parts, length, number = [], 0, 0
    while length < size:
        text = "".join("<p>%s.</p>\n" % " ".join(draw.choice(words) for _ in range(40)) for _ in range(draw.randrange(5, 60)))
        page = ("<html><body><h1>Page %d</h1>\n%s</body></html>" % (number, text)).encode()
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page) + page
        head = ("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%032x>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                "WARC-Target-URI: http://example.org/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"
                % (number, number, len(block))).encode()
        parts.append(head + block + b"\r\n\r\n")
        length += len(parts[-1])
        number += 1
    return b"".join(parts)


# Faults that bring no byte; the words are those of the server's plan.
WITHOUT = [
    {"status": 503}, {"status": 500}, {"status": 429, "fields": {"Retry-After": "1"}}, {"gzip": 1}, {"range": 7}, {"junk": 1},
    {"etag": '"another"'}, {"status": 200, "body": "<html>An error</html>"}, {"length": 9}, {"total": 1},
    {"status": 200, "body": "<Error><Code>SlowDown</Code></Error>"}, {"status": 302, "fields": {"Location": "/loop"}},
    {"status": 403}, {"fields": {"Content-Type": "text/html"}}, {"cut": 0}, {"reset": 0}, {"delay": 0.3, "status": 502},
]


def steps(size, cuts):
    """What the server does with the requests of one input, which has `cuts` places where it breaks."""
    plan, at = [], 0
    places = sorted(draw.sample(range(1, size), cuts))
    for number, place in enumerate(places):
        if draw.random() < 0.15:
            # A first reply with a wrong length would bind all later ones.
            plan.append(dict(draw.choice([step for step in WITHOUT if number > 0 or "length" not in step])))
        kind = draw.choices(["cut", "reset", "whole", "limit", "slow", "chunked"], [40, 30, 5, 10, 5, 10])[0]
        size = place - at
        plan.append({"whole": {"whole": 1, "cut": place}, "limit": {"limit": size}, "slow": {"slow": 0.001, "cut": size},
                     "chunked": {"chunked": 1, "cut": size}}.get(kind, {kind: size}))
        if number == cuts // 2:
            plan[-1] = {"stall": place - at}
        at = place
    return plan


def documents(path):
    with open(path, "rb") as file:
        return hashlib.sha256(re.sub(rb'"file":"[^"]*"', b"", file.read())).hexdigest()


def prepare(folder):
    data = archive(int(options.megabytes * 1e6))
    os.mkdir("www")
    with open("www/all.warc", "wb") as file:
        file.write(data)
    plan = {"/loop": [{"status": 302, "fields": {"Location": "/loop"}}, "repeat"]}
    each = options.cuts // options.hosts
    for host in range(1, options.hosts + 1):
        os.link("www/all.warc", "www/%d.warc" % host)
        plan["/%d.warc" % host] = steps(len(data), each)
    json.dump(plan, open("plan", "w"))
    return len(data)


def check_log(size):
    """Returns the bytes that were sent twice, and the kinds of faults."""
    by_path = collections.defaultdict(list)
    for line in open("log"):
        entry = json.loads(line)
        by_path[entry["path"]].append(entry)
    again, kinds = 0, collections.Counter()
    for path, entries in by_path.items():
        if path == "/loop":
            continue
        entries.sort(key=lambda entry: entry["number"])  # a reply is logged when it is over, on a busy machine later than the next one
        begin = 0
        for entry, after in zip(entries, entries[1:] + [None]):
            step, word = entry["step"], next((w for w in entry["step"] if w not in ("fields", "body", "delay")), "good")
            kinds[word] += 1
            wanted = int(entry["fields"].get("range", "bytes=0-")[6:].split("-")[0])
            if wanted != begin:
                sys.exit("%s: bytes from %d are asked for, and %d were taken" % (path, wanted, begin))
            if "stall" in step and entry["end"] - entry["time"] > 30:
                sys.exit("%s: a stall of %.1f s" % (path, entry["end"] - entry["time"]))
            if not after:
                break
            if "limit" not in step and after["time"] - entry["time"] < 0.95:
                sys.exit("%s: %.2f s after a failure the next attempt" % (path, after["time"] - entry["time"]))
            begin = int(after["fields"].get("range", "bytes=0-")[6:].split("-")[0])
            came = begin - wanted
            sent = entry["sent"] - (wanted if entry["status"] == 200 and "body" not in step else 0)
            if came > 0:
                again += max(0, sent - came)
                # What was sent before the end of a connection arrives; only RST may take some of it away.
                if came != sent and "reset" not in step:
                    sys.exit("%s: %d bytes were sent from %d on, %d were taken: %s" % (path, sent, wanted, came, step))
    return again, kinds


def main():
    os.chdir(options.folder)
    size = prepare(options.folder)
    subprocess.run([options.dana, "filter", "-q", "-m", "plain", "-o", "wanted.jsonl", "www/all.warc"], check=True)
    server = subprocess.Popen([sys.executable, options.server, "--plan", "plan", "--log", "log", "--hosts", str(options.hosts),
                               "www"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    port = int(server.stdout.readline().split()[1])
    with open("list", "w") as file:
        for host in range(1, options.hosts + 1):
            print("http://127.0.0.%d:%d/%d.warc" % (host, port, host), file=file)
    begin = time.monotonic()
    run = subprocess.run([options.dana, "filter", "-v", "-j", "0", "-J", str(options.hosts), "-m", "plain", "-z", "none", "-O",
                          "out", "--list", "list", "--stats", "stats"], stderr=open("messages", "w"))
    seconds = time.monotonic() - begin
    server.stdin.close()
    server.wait()
    if run.returncode != 0:
        sys.stdout.write("".join(line for line in open("messages") if "trying again" not in line)[-3000:])
        sys.exit("status %d" % run.returncode)
    wanted = documents("wanted.jsonl")
    differ = [host for host in range(1, options.hosts + 1) if documents("out/%d.jsonl" % host) != wanted]
    if differ:
        sys.exit("other documents: %s" % differ)
    again, kinds = check_log(size)
    stats = json.load(open("stats"))
    print("%d inputs of %d bytes, %d cuts, %d requests, %d retries, %.0f s; %d bytes sent before RST did not arrive"
          % (options.hosts, size, options.cuts // options.hosts * options.hosts, stats["http_requests"], stats["http_retries"],
             seconds, again))
    print("faults:", ", ".join("%s %d" % item for item in kinds.most_common()))


options.dana, options.server = os.path.abspath(options.dana), os.path.abspath(options.server)
with tempfile.TemporaryDirectory() as options.folder:
    main()
