#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
What reading from a server costs, with nginx on loopback.

    network.py DANA ARCHIVE [--rounds N]

Prints CPU time of `filter -j 0` of ARCHIVE over HTTP and from the disk, in turns, and the ratio of the medians;
descriptors and memory in the course of 1,000 inputs from a list with -J 2; and the bytes that are fetched for 1,000
records that lie scattered in a file of 1 GB, which a CDX names. Fails where descriptors or memory grow, or where more is
fetched than records and the gaps between near ones.
"""
import argparse, gzip, json, os, random, shutil, socket, statistics, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("dana")
parser.add_argument("archive")
parser.add_argument("--rounds", type=int, default=7)
options = parser.parse_args()

GAP = 64 << 10  # PIECE_GAP of src/io/source.h
GROWTH = 1.10   # of memory, from the first third of 1,000 inputs to the last


def start_nginx():
    global port
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    temporary = " ".join("%s_temp_path %s/t;" % (name, os.getcwd()) for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open("conf", "w") as file:
        file.write("pid %s/pid; error_log %s/error; daemon off; worker_processes 1; events {} http { access_log off; %s\n"
                   "server { listen 127.0.0.1:%d; keepalive_requests 100000; root %s/www; } }\n"
                   % (os.getcwd(), os.getcwd(), temporary, port, os.getcwd()))
        if os.getuid() == 0:
            file.write("user root;\n")
    nginx = subprocess.Popen(["nginx", "-p", os.getcwd(), "-c", os.getcwd() + "/conf"], stderr=open("start", "w"))
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return nginx
        except OSError:
            time.sleep(0.02)
    sys.exit(open("start").read())


def url(name):
    return "http://127.0.0.1:%d/%s" % (port, name)


def cpu_seconds(name):
    subprocess.run([options.dana, "filter", "-q", "-j", "0", "--stats", "stats", name], stdout=subprocess.DEVNULL)
    return json.load(open("stats"))["cpu_seconds"]


def cost():
    os.symlink(options.archive, "www/archive")
    times = {"www/archive": [], url("archive"): []}
    for _ in range(options.rounds):
        for name, list_ in times.items():
            list_.append(cpu_seconds(name))
    disk, http = (statistics.median(list_) for list_ in times.values())
    print("CPU of filter -j 0, %d bytes: disk %.3f s, HTTP %.3f s, ratio %.3f (medians of %d)"
          % (os.path.getsize(options.archive), disk, http, http / disk, options.rounds))


def memory_kib(pid):
    return next(int(line.split()[1]) for line in open("/proc/%d/status" % pid) if line.startswith("VmRSS"))


def record(number, draw):
    text = "".join("<p>%s.</p>" % " ".join(draw.choice("river lamp stone garden winter".split()) for _ in range(40)) for _ in range(5))
    block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>%s %d</body></html>" % (text, number)
    head = ("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%032x>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            "WARC-Target-URI: http://example.org/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"
            % (number, number, len(block)))
    return gzip.compress((head + block + "\r\n\r\n").encode(), mtime=0)


def many_inputs():
    draw = random.Random(1)
    with open("www/some", "wb") as file:
        for number in range(60):
            file.write(record(number, draw))
    with open("list", "w") as file:
        for number in range(1000):
            os.link("www/some", "www/%d.warc.gz" % number)
            print("%d.warc.gz" % number, file=file)
    dana = subprocess.Popen([options.dana, "filter", "-q", "-J", "2", "-O", "many", "-z", "none", "--base", url(""), "--list", "list"])
    samples = []
    while dana.poll() is None:
        try:
            samples.append((len(os.listdir("/proc/%d/fd" % dana.pid)), memory_kib(dana.pid)))
        except (OSError, StopIteration):
            break
        time.sleep(0.02)
    if dana.wait() != 0 or len(samples) < 9:
        sys.exit("1,000 inputs: status %d, %d samples" % (dana.returncode, len(samples)))
    third = len(samples) // 3
    early, late = samples[third // 2:third], samples[-third:-1]
    (fds, kib), (late_fds, late_kib) = (tuple(max(column) for column in zip(*part)) for part in (early, late))
    print("1,000 inputs, -J 2: descriptors %d, then %d; memory %d KiB, then %d (most of the first and of the last third)"
          % (fds, late_fds, kib, late_kib))
    if late_fds > fds + 2 or late_kib > kib * GROWTH:
        sys.exit("they grow")


def scattered():
    draw, size = random.Random(2), 1 << 30
    places, wanted, allowed, end = sorted(draw.sample(range(0, size, 4096), 1000)), 0, 0, -GAP - 1
    with open("www/large.warc.gz", "wb") as file, open("cdx", "w") as index:
        file.truncate(size)
        print(" CDX N b a m s k r M S V g", file=index)
        for number, place in enumerate(places):
            data = record(number, draw)
            file.seek(place)
            file.write(data)
            print("org,example)/%d 20260101000000 http://example.org/%d text/html 200 - - - %d %d large.warc.gz"
                  % (number, number, len(data), place), file=index)
            wanted += len(data)
            allowed += len(data) + (place - end if place - end <= GAP else 0)
            end = place + len(data)
    subprocess.run([options.dana, "filter", "-q", "--stats", "stats", "--base", url(""), "--cdx", "cdx", "-o", "some.jsonl"], check=True)
    stats = json.load(open("stats"))
    print("1,000 records of 1 GiB: %d bytes, %d with the gaps that are joined; %d fetched by %d requests, %d documents"
          % (wanted, allowed, stats["bytes_fetched"], stats["http_requests"], stats["documents"]))
    if stats["documents"] != 1000 or stats["bytes_fetched"] > allowed:
        sys.exit("too many bytes, or records are missing")


def main():
    os.chdir(folder)
    os.mkdir("www")
    os.chmod(".", 0o755)
    nginx = start_nginx()
    try:
        cost()
        many_inputs()
        scattered()
    finally:
        nginx.terminate()
        nginx.wait()


if not shutil.which("nginx"):
    sys.exit("nginx is missing")
options.dana, options.archive = os.path.abspath(options.dana), os.path.abspath(options.archive)
with tempfile.TemporaryDirectory() as folder:
    main()
