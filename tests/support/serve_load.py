#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""serve_load.py DANA PAGE [--seconds N] [--idle N] [--rate N]: what good clients notice of idle ones. Starts `dana serve`,
asks for the text of PAGE RATE times a second over a new connection each, first alone, then beside IDLE connections that
send nothing, and prints the times of both and the memory of the service. Exit status 1 when the slowest of a hundred
requests takes more than twice as long beside the idle ones, or the service more than 128 MiB + 16 KiB for each
connection. For a quiet machine, with `ulimit -n` of IDLE + 3000."""
import argparse, http.client, re, resource, signal, socket, subprocess, sys, threading, time


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("dana")
    parser.add_argument("page")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--idle", type=int, default=10000)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) * 1024


def ask(address, page):
    connection = http.client.HTTPConnection(*address, timeout=60)
    connection.request("POST", "/extract", page)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, text


def load(address, page, rate, seconds):
    """Seconds that each request took, counted from when it should have begun."""
    times, begin = [], time.monotonic()
    for i in range(int(rate * seconds)):
        due = begin + i / rate
        while (left := due - time.monotonic()) > 0:
            time.sleep(left)
        status, text = ask(address, page)
        if status != 200 or not text:
            sys.exit(f"status {status}")
        times.append(time.monotonic() - due)
    return sorted(times)


def show(name, times, pid):
    half, most = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"{name}: {len(times)} requests, median {half * 1000:.2f} ms, p99 {most * 1000:.2f} ms, "
          f"RSS {memory(pid) / 1048576:.1f} MiB", flush=True)
    return most


def main():
    args = arguments()
    with open(args.page, "rb") as file:
        page = file.read()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    service = subprocess.Popen([args.dana, "serve", "--listen", "127.0.0.1:0", "--idle-time", "86400",
                                "--max-connections", str(args.idle + 100)], stderr=subprocess.PIPE)
    address = ("127.0.0.1", int(re.search(r":(\d+)/$", service.stderr.readline().decode().strip()).group(1)))
    threading.Thread(target=service.stderr.read, daemon=True).start()
    try:
        load(address, page, args.rate, 1)
        alone, beside = [], []
        for _ in range(args.rounds):
            alone.append(show("alone", load(address, page, args.rate, args.seconds), service.pid))
            idle = [socket.create_connection(address) for _ in range(args.idle)]
            beside.append(show(f"{args.idle} idle", load(address, page, args.rate, args.seconds), service.pid))
            used = memory(service.pid)
            for s in idle:
                s.close()
        service.send_signal(signal.SIGTERM)
        service.wait(60)
    finally:
        service.kill()
    most = (128 << 20) + args.idle * 16384
    print(f"p99 {min(beside) * 1000:.2f} ms beside, {min(alone) * 1000:.2f} ms alone (best rounds); {used} bytes of {most}")
    return 0 if min(beside) <= 2 * min(alone) and used <= most else 1


sys.exit(main())
