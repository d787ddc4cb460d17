#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Runs that read an archive from a server are killed at random moments and gone on with.

    resume.py DANA FAULT_SERVER [--runs N] [--seed S]

Each run is killed up to three times, by SIGKILL, and then ends. Checked: its output is that of a run nobody has killed,
to the byte; each leg asks for no byte before the place that FILE.state names, and for that one first; a complete FILE
costs no request. Formats, workers and inputs (plain, gzip, records that an index names) take turns.
"""
import argparse, gzip, json, os, random, re, signal, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("dana")
parser.add_argument("server")
parser.add_argument("--runs", type=int, default=200)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
draw = random.Random(options.seed)

NAMES = ["plain.warc", "members.warc.gz", "some.cdxj"]
OUTPUTS = ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.warc.gz"]
RECORDS = 1500
pieces = []  # where the records of the index begin


def write_archives():
    words = "the river lamp stone garden winter letter road harbour bread window green old name light".split()
    with open("www/plain.warc", "wb") as plain, open("www/members.warc.gz", "wb") as members, open("some.cdxj", "w") as index:
        for number in range(RECORDS):
            text = "".join("<p>%s.</p>\n" % " ".join(draw.choice(words) for _ in range(40)) for _ in range(draw.randrange(2, 12)))
            page = ("<html><body><h1>Page %d</h1>\n%s</body></html>" % (number, text)).encode()
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


def place_in_state(output):
    """Offset from which the next leg must read; None: there is no such place, so it begins anew."""
    try:
        state = open(output + ".state", errors="replace").read()
    except FileNotFoundError:
        return None
    if not re.search(r"^reading 1:1$", state, re.M) or not re.search(r"^point ", state, re.M):
        return None
    piece = re.search(r"\bpiece \d+:(\d+) ", state)
    if piece:
        return pieces[int(piece[1])]
    return int(re.search(r"\brecords \d+:(\d+) ", state[state.index("\npoint "):])[1])


def command(output, name, jobs, user):
    base = "http://127.0.0.1:%d/" % port
    return [options.dana, "filter", "-q", "-m", "plain", "-j", str(jobs), "--checkpoint-bytes", "32K", "--user-agent", user,
            "-o", output] + (["--cdx", name, "--base", base] if name.endswith(".cdxj") else [base + name])


def one_run(number, wanted, seconds, places):
    """Kills and goes on; returns the number of legs."""
    output, name, jobs = OUTPUTS[number % 4], NAMES[number // 4 % 3], (0, 2)[number // 12 % 2]
    kills = draw.randrange(1, 4)
    for leg in range(kills + 1):
        user = "leg/%d.%d" % (number, leg)
        places[user] = "done" if os.path.exists(output) else place_in_state(output)
        dana = subprocess.Popen(command(output, name, jobs, user) + (["--resume"] if leg else []), stderr=subprocess.PIPE)
        if leg < kills:
            try:
                dana.wait(draw.uniform(0, seconds[name]))
            except subprocess.TimeoutExpired:
                dana.send_signal(signal.SIGKILL)
        message = dana.communicate()[1]
        if dana.returncode not in (0, -signal.SIGKILL) or (leg == kills and dana.returncode != 0):
            sys.exit("run %d, leg %d: status %d: %s" % (number, leg, dana.returncode, message.decode()))
    if open(output, "rb").read() != wanted[output, name]:
        sys.exit("run %d: another output" % number)
    left = [file for file in os.listdir(".") if file.startswith(output) and file != output]
    if left:
        sys.exit("run %d: left are %s" % (number, left))
    os.remove(output)
    return kills + 1


def check_log(places):
    """Returns how many legs went on from within the input."""
    first, within = {}, 0
    for line in open("log"):
        entry = json.loads(line)
        user = entry["fields"]["user-agent"]
        begin = int(entry["fields"].get("range", "bytes=0-")[6:].split("-")[0])
        first[user] = min(begin, first.get(user, begin))
    for user, place in places.items():
        if place == "done" and user in first:
            sys.exit("%s: a request for a complete output" % user)
        if place not in ("done", None) and user in first and first[user] != place:
            sys.exit("%s: bytes from %d are asked for instead of %d" % (user, first[user], place))
        within += place not in ("done", None) and place > 0 and user in first
    return within


def measure(name):
    begin = time.monotonic()
    subprocess.run(command("measured.jsonl", name, 0, "measure"), check=True)
    os.remove("measured.jsonl")
    return time.monotonic() - begin


def main():
    global port
    os.chdir(options.folder)
    os.mkdir("www")
    write_archives()
    # Some milliseconds between pieces of 16 KB: there is time to kill.
    json.dump({"/" + name: [{"slow": 0.004}, "repeat"] for name in NAMES}, open("plan", "w"))
    server = subprocess.Popen([sys.executable, options.server, "--plan", "plan", "--log", "log", "www"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    port = int(server.stdout.readline().split()[1])
    wanted = {}
    for output in OUTPUTS:
        for name in NAMES:
            subprocess.run(command(output, name, 0, "wanted"), check=True)
            wanted[output, name] = open(output, "rb").read()
            os.remove(output)
    seconds = {name: measure(name) for name in NAMES}
    places, legs = {}, 0
    for number in range(options.runs):
        legs += one_run(number, wanted, seconds, places)
    server.stdin.close()
    server.wait()
    within = check_log(places)
    if options.runs >= 8 and within == 0:
        sys.exit("no leg began within the input: nothing was tested")
    print("%d runs in %d legs, %d of which began within the input" % (options.runs, legs, within))


options.dana, options.server = os.path.abspath(options.dana), os.path.abspath(options.server)
with tempfile.TemporaryDirectory() as options.folder:
    main()
