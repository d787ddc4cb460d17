#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Runs that read archives from a server are killed or stopped at random moments, and gone on with.

    resume.py DANA FAULT_SERVER --names SLOW_NAMES.so [--runs N] [--seed S]

Each run is interrupted up to four times, by SIGKILL, SIGTERM or SIGINT: while it reads, or while it waits for the server,
in each way in which one can wait (WAITS). Then it ends. Checked: its outputs, rejects and counters are those of a run
that nobody has interrupted, to the byte; each leg asks for no byte before the place that FILE.state names, and for that
one first; a leg that came no further than waiting leaves FILE.state as it was; a complete FILE costs no request.
Formats, workers and inputs (plain, gzip, records that an index names, lists, folders of outputs) take turns.
"""
import argparse, gzip, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("dana")
parser.add_argument("server")
parser.add_argument("--names", required=True)
parser.add_argument("--runs", type=int, default=200)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
draw = random.Random(options.seed)
signal.signal(signal.SIGINT, signal.SIG_DFL)  # what a shell starts in the background ignores it, and so would the runs

OUTPUTS = ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.warc.gz"]
INPUTS = {  # by their kind: what is put behind the address of the server, or an index
    "plain": ["plain.warc"], "members": ["members.warc.gz"], "index": ["some.cdxj"],
    "list": ["members.warc.gz", "plain.warc"], "folder": ["members.warc.gz", "plain.warc"],
}
# What the server does, by the last word of the User-Agent.
WAITS = {
    "busy": {"status": 503}, "later": {"status": 429, "fields": {"Retry-After": "60"}}, "silent": {"delay": 60},
    "slow-head": {"drip": 2}, "broken": {"cut": 0}, "slow-name": {},
}
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
RECORDS = 1000
pieces = []  # where the records of the index begin


def write_archives():
    words = "the river lamp stone garden winter letter road harbour bread window green old name light".split()
    with open("www/plain.warc", "wb") as plain, open("www/members.warc.gz", "wb") as members, open("some.cdxj", "w") as index:
        for number in range(RECORDS):
            if number % 10 != 9:  # else a duplicate
                text = "".join("<p>%s.</p>\n" % " ".join(draw.choice(words) for _ in range(40))
                               for _ in range(draw.randrange(2, 12)))
            page = ("<html><body><h1>Page</h1>\n%s</body></html>" % text).encode()
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
            head = ("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%032x>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                    "WARC-Target-URI: http://example.org/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"
                    % (number, number, len(block))).encode()
            record = head + block + b"\r\n\r\n"
            plain.write(record)
            member = gzip.compress(record, 1, mtime=0)
            if number % 3 == 0:
                pieces.append(members.tell())
                index.write("org,example)/%d 20260101000000 %s\n" % (number, json.dumps(
                    {"filename": "members.warc.gz", "offset": str(members.tell()), "length": str(len(member))})))
            members.write(member)


def states():
    """By their names, the states of runs that are within an input."""
    files = {name: open("run/" + name, errors="replace").read() for name in os.listdir("run") if name.endswith(".state")}
    return {name: state for name, state in files.items() if re.search(r"^reading 1:1$", state, re.M)}


def place_in_state(output):
    """Offset from which the next leg must read; None: there is no such place, so it begins anew."""
    state = states().get(output + ".state", "")
    if not re.search(r"^point ", state, re.M):
        return None
    piece = re.search(r"^piece\.number \d+:(\d+)", state, re.M)
    if piece:
        return pieces[int(piece[1])]
    return int(re.search(r"^place\.warc\.offset \d+:(\d+)", state, re.M)[1])


def start(case, user, wait, more=()):
    output, kind, jobs, dedup = case
    base = "http://archive.test:%d/" % port
    command = [options.dana, "filter", "-q", "-m", "plain", "-j", str(jobs), "--checkpoint-bytes", "32K", "--rejects", "--stats",
               "stats", "--user-agent", "%s %s" % (user, wait or "reading")] + list(more)
    command += ["--plugin", "dedup-exact:index=run/index"] if dedup else []
    command += ["-O", "run", "-J", "2"] if kind == "folder" else ["-o", "run/" + output]
    command += ["--cdx", "some.cdxj", "--base", base] if kind == "index" else [base + name for name in INPUTS[kind]]
    names = {"LD_PRELOAD": options.names, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
             "SLOW_NAMES": "60" if wait == "slow-name" else "0"}
    return subprocess.Popen(command, stderr=subprocess.PIPE, env=dict(os.environ, **names))


def result():
    """Of a run that has ended: the files that it has written, and its counters but for those of time and network."""
    files = {name: open("run/" + name, "rb").read() for name in os.listdir("run")}
    shutil.rmtree("run")
    counters = json.load(open("stats"))
    return files, {name: counters[name] for name in ("inputs", "records", "documents", "bytes_in", "skipped")}


def run_whole(case, user):
    os.mkdir("run")
    begin = time.monotonic()
    if start(case, user, None).wait() != 0:
        sys.exit("%s: status" % user)
    return result() + (time.monotonic() - begin,)


def interrupt(dana, sent, seconds):
    """Ends the leg after so long, unless it has ended by itself; returns its messages."""
    try:
        dana.wait(seconds)
    except subprocess.TimeoutExpired:
        dana.send_signal(sent)
    try:
        message = dana.communicate(timeout=20)[1]
    except subprocess.TimeoutExpired:
        dana.kill()
        sys.exit("%s: still there 20 s after %s" % (" ".join(dana.args), sent.name))
    if dana.returncode not in (0, -sent, 128 + sent):
        sys.exit("%s: status %d: %s" % (" ".join(dana.args), dana.returncode, message.decode()))


def one_run(number, case, wanted, places):
    """Interrupts and goes on; returns how often: while reading, while waiting."""
    files, counters, seconds = wanted
    output, kind = case[:2]
    os.mkdir("run")
    done = [0, 0]
    for leg in range(draw.randrange(1, 5)):
        user, sent = "leg/%d.%d" % (number, leg), draw.choice(SIGNALS)
        wait = draw.choice(sorted(WAITS)) if leg % 2 else None
        places[user] = "done" if os.path.exists("run/" + output) else place_in_state(output), kind
        before = states()
        interrupt(start(case, user, wait, ["--resume"] if leg else []), sent, draw.uniform(0, 0.4 if wait else seconds))
        done[wait is not None] += 1
        if wait and any(states().get(name) != state for name, state in before.items()):
            sys.exit("run %d, leg %d (%s): the states differ from those it began with" % (number, leg, wait))
    user = "leg/%d.last" % number
    places[user] = "done" if os.path.exists("run/" + output) else place_in_state(output), kind
    dana = start(case, user, None, ["--resume"])
    message = dana.communicate()[1]
    if dana.returncode != 0:
        sys.exit("run %d: status %d: %s" % (number, dana.returncode, message.decode()))
    complete = places[user][0] == "done" or kind == "folder"  # counters of outputs that were complete are not known
    found = result()
    if found[0] != files or not (complete or found[1] == counters):
        names = sorted(name for name in set(files) | set(found[0]) if files.get(name) != found[0].get(name))
        sys.exit("run %d (%s): other outputs: %s; counters %s instead of %s" % (number, case, names, found[1], counters))
    return done


def check_log(places):
    """Returns how many legs went on from within the input."""
    first, within = {}, 0
    for line in open("log"):
        entry = json.loads(line)
        user = entry["fields"]["user-agent"].split(" ")[0]
        begin = int(entry["fields"].get("range", "bytes=0-")[6:].split("-")[0])
        first[user] = min(begin, first.get(user, begin))
    for user, (place, kind) in places.items():
        if place == "done" and user in first:
            sys.exit("%s: a request for a complete output" % user)
        if kind not in ("list", "folder") and place not in ("done", None) and user in first and first[user] != place:
            sys.exit("%s: bytes from %d are asked for instead of %d" % (user, first[user], place))
        within += place not in ("done", None) and place > 0 and user in first
    return within


def main():
    global port
    os.chdir(options.folder)
    os.mkdir("www")
    write_archives()
    # Some milliseconds between pieces of 16 KB: there is time to interrupt.
    plan = {"agent reading": [{"slow": 0.004}, "repeat"]}
    plan.update({"agent " + wait: [step, "repeat"] for wait, step in WAITS.items()})
    json.dump(plan, open("plan", "w"))
    server = subprocess.Popen([sys.executable, options.server, "--plan", "plan", "--log", "log", "www"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    port = int(server.stdout.readline().split()[1])
    wanted, places, reading, waiting = {}, {}, 0, 0
    for number in range(options.runs):
        case = OUTPUTS[number % 4], list(INPUTS)[number % 5], (0, 2)[number // 2 % 2], number % 5 < 4 and number % 3 == 0
        if case not in wanted:
            wanted[case] = run_whole(case, "whole/%d" % number)
        done = one_run(number, case, wanted[case], places)
        reading, waiting = reading + done[0], waiting + done[1]
    server.stdin.close()
    server.wait()
    within = check_log(places)
    if options.runs >= 8 and within == 0:
        sys.exit("no leg began within the input: nothing was tested")
    print("%d runs were interrupted %d times while reading and %d times while waiting; %d legs began within the input"
          % (options.runs, reading, waiting, within))


options.dana, options.server = os.path.abspath(options.dana), os.path.abspath(options.server)
with tempfile.TemporaryDirectory() as options.folder:
    main()
