#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The whole program against bare loops over the same file: whole.py INFLATE DANA FILE ROUNDS [METHOD...]

In each round every command runs once. CPU time (user and system) is what the kernel tells of the finished process, peak
memory what dana reports. Printed are medians of CPU time for each byte of records, of its ratio to the bare inflate loop (zlib) of the
same round, and of what a command takes above libdeflate, which decodes the same members at once, in that round. Output: JSONL in zstd:1 on
one thread, to a file. Last, two copies of the file: one after the other and both at once; and the file with and without workers.
"""
import json, os, shutil, statistics, sys, tempfile, time

inflate, dana, file, rounds, *methods = sys.argv[1:]
methods = methods or ["auto", "dana", "danag", "addanag", "learned"]


def run(arguments):
    """CPU seconds, seconds, peak memory in MiB of one command. Behind a shell: the kernel counts the memory of what a process
    was before its exec, too, which would be this interpreter."""
    start = time.perf_counter()
    null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    stats = os.path.join(out, "stats")
    tell = ["--stats", stats] if arguments[0] == dana else []
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", '"$@"; exit $?', "sh", *arguments, *tell], os.environ, file_actions=null)
    _, status, use = os.wait4(pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(arguments)}")
    seconds = time.perf_counter() - start
    return use.ru_utime + use.ru_stime, seconds, json.load(open(stats))["peak_rss_bytes"] / (1 << 20) if tell else 0


def measure(commands):
    """What run() returns in each round, for each name; its commands run one after the other."""
    results = {name: [] for name in commands}
    for _ in range(int(rounds)):
        for name, command in commands.items():
            shutil.rmtree(out, ignore_errors=True)
            os.mkdir(out)
            parts = [run(arguments) for arguments in command]
            results[name].append((sum(p[0] for p in parts), sum(p[1] for p in parts), max(p[2] for p in parts)))
    return results


def median_of(function, *rounds):
    return statistics.median(map(function, *rounds))


def compare(title, before, after):
    first, second = measure({"before": before, "after": after}).values()
    speed = median_of(lambda a, b: a[1] / b[1], first, second)
    cpu = median_of(lambda a, b: b[0] / a[0], first, second)
    print(f"{title}: {speed:.2f} times the speed, {cpu:.2f} times the CPU, {median_of(lambda r: r[2], second):.1f} MiB")


with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "out")
    copies = [os.path.join(folder, name) for name in ("a.warc.gz", "b.warc.gz")]
    for copy in copies:
        shutil.copy(file, copy)
    raw = int(os.popen(f"'{inflate}' '{file}'").read())
    one_thread = [dana, "filter", "-q", "-j", "0", "-z", "zstd:1"]
    members = os.path.join(os.path.dirname(inflate), "members")
    commands = {"bare inflate": [[inflate, file]]}
    if os.system(f"'{members}' '{file}' >{os.devnull}") == 0:
        commands["bare libdeflate"] = [[members, file]]
    commands["filter -j 0, records only"] = [[*one_thread, "--mime", "application/x-none", "-o", out + "/x.jsonl.zst", file]]
    commands["filter -j 0 -m learned, digests"] = [[*one_thread, "--check-digests", "always", "-o", out + "/x.jsonl.zst", file]]
    commands |= {f"filter -j 0 -m {m}": [[*one_thread, "-m", m, "-o", out + "/x.jsonl.zst", file]] for m in methods}
    measured = measure(commands)
    base, floor = measured["bare inflate"], measured.get("bare libdeflate")
    print(f"{raw / 1e6:.1f} MB of records; medians of {rounds} rounds, CPU time; "
          f"{os.cpu_count()} processors, {os.getloadavg()[0]:.1f} programs ran or waited (load)")
    print(f"{'command':<32} {'ns/byte':>9} {'x inflate':>10} {'above libdeflate':>17} {'peak MiB':>9}")
    for name, results in measured.items():
        cpu = median_of(lambda r: r[0], results)
        times = median_of(lambda r, b: r[0] / b[0], results, base)
        above = f"{median_of(lambda r, f: r[0] - f[0], results, floor) * 1e9 / raw:.3f}" if floor else ""
        memory = median_of(lambda r: r[2], results)
        print(f"{name:<32} {cpu * 1e9 / raw:9.3f} {times:10.3f} {above:>17} {f'{memory:.1f}' if memory else '':>9}")
    print("Clock times, which need as many free processors as threads:")
    compare("two inputs, -J 2 -j 0 against one after the other",
            [[*one_thread, "-O", out, copy] for copy in copies],
            [[*one_thread, "-J", "2", "-O", out, *copies]])
    compare("default workers against -j 0, default method",
            [[*one_thread, "-o", out + "/x.jsonl.zst", file]],
            [[dana, "filter", "-q", "-z", "zstd:1", "-o", out + "/x.jsonl.zst", file]])
