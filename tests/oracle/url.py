# SPDX-License-Identifier: MIT
# The rules of the plugin url in plain Python: make FOLDER writes an archive and lists, check FOLDER KEY=VALUE... compares what dana made of
# them (o.jsonl, its rejects and its counters) with the rules.
import gzip
import json
import random
import re
import sys


def make(folder):
    rng = random.Random(3)
    words = ["".join(rng.choice("abcdefghijklmnop") for _ in range(rng.randint(2, 6))) for _ in range(60)]
    tlds = ["com", "org", "co.uk", "ir", "example"]
    domains = sorted({rng.choice(words) + rng.choice(["", "-" + rng.choice(words)]) + "." + rng.choice(tlds) for _ in range(400)})
    urls = []
    for i in range(3000):
        host = rng.choice(["", "www.", "a.b.", rng.choice(words) + "."]) + rng.choice(domains)
        if rng.random() < 0.1:
            host = host.upper() if rng.random() < 0.5 else host.title()
        if rng.random() < 0.05:
            host += "."
        authority = rng.choice(["", "", "", "user@", "user:p@ss@"]) + host + rng.choice(["", "", ":8080"])
        path = "/".join(rng.choice(words) for _ in range(rng.randint(0, 3)))
        urls.append(rng.choice(["http", "https", "HTTPS"]) + "://" + authority + rng.choice(["", "/", "/" + path, "?q=" + path, "#" + path]))
    urls += ["http://bücher.example/", "http://xn--bcher-kva.example/", "http://[2001:db8::1]/x", "http://[2001:DB8::1]:80/", "urn:uuid:1", "mailto:a@b.com",
             "http:///x", "http://", "dns:example.com", "http://localhost/x", "http://10.0.0.1/", "http://a..b.com/", "http://" + "a" * 300 + ".com/",
             "http://x.com/" + "a" * 40 + "!", "http://a.com\\@b.com/", "ftp://" + ".".join(["x"] * 40) + "." + domains[0] + "/"]
    with open(folder + "/in.warc", "wb") as f:
        for i, url in enumerate(urls):
            body = b"<p>page %d of the test" % i
            f.write((f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:{i}>\r\n"
                     f"Content-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body + b"\r\n\r\n")
    def write(name, lines, opener=open):
        with opener(folder + "/" + name, "wt", encoding="utf-8") as f:
            f.write("".join(line + "\n" for line in lines))
    block = rng.sample(domains, 120)
    write("block.txt", block)
    write("block.txt.gz", block, gzip.open)
    write("hosts.txt", ["# hosts", "", "0.0.0.0 " + block[0], "127.0.0.1\t" + block[1] + "  # why", ":: " + block[2], " *." + block[3] + " ", "." + block[4],
                        block[5].upper(), block[6] + ".", "Bücher.example", "localhost", "2001:db8::1", "10.0.0.1", "co.uk", "kawasaki.jp"])
    write("few.txt", ["a.b." + d for d in rng.sample(domains, 200)])
    write("allow.txt", ["www." + d for d in rng.sample(domains, 60)] + rng.sample(block, 20))
    write("substrings.txt", rng.sample(words, 8) + ["?Q=", "e:"])
    write("patterns.txt", ["^https://[^/]*\\.ir(/|$)", "(?i)/" + words[0] + "\\b", "\\d{4}", "#$"])


def read(folder, names):
    entries = []
    for name in names.split(","):
        name = folder + "/" + name.lstrip("@")
        with (gzip.open if name.endswith(".gz") else open)(name, "rt", encoding="utf-8") as f:
            for line in f:
                line = re.sub(r"(^|\s)#.*", "", line).strip()
                if line:
                    entries.append(line)
    return entries


def normal(name):
    name = name[:-1] if name.endswith(".") else name
    try:
        name = name.encode("ascii").decode().lower()
    except UnicodeError:
        name = name.encode("idna").decode()
    return name if len(name) <= 253 and re.fullmatch(r"[a-z0-9_:-]+(\.[a-z0-9_:-]+)*", name) else ""


def domain_set(entries):
    names = set()
    for entry in entries:
        entry = re.sub(r"^[0-9.:]+\s+", "", entry)
        entry = re.sub(r"^(\*\.|\.)", "", entry)
        name = normal(entry)
        assert name, entry
        if name not in ("co.uk", "kawasaki.jp"):
            names.add(name)
    return names


def host(url):
    m = re.match(r"[^:/?#]*://([^/?#\\]*)", url)
    if not m:
        return ""
    h = m.group(1).rpartition("@")[2]
    h = h[1:].partition("]")[0] if h.startswith("[") else h.partition(":")[0]
    return normal(h)


def listed(names, h):
    parts = h.split(".")
    return any(".".join(parts[i:]) in names for i in range(len(parts)))


def rule(url, block, allow, substrings, patterns):
    h = host(url)
    if allow is not None and listed(allow, h):
        return None
    if block is None and not substrings and not patterns:
        return "allow"
    if block is not None and listed(block, h):
        return "domain"
    if any(s.lower() in url.lower() for s in substrings):
        return "substring"
    if any(p.search(url) for p in patterns):
        return "pattern"
    return None


def check(folder, settings):
    keys = {}
    for piece in settings.split(","):
        if "=" in piece and piece.split("=")[0] in ("block", "allow", "substring", "substrings", "pattern", "patterns"):
            key, _, value = piece.partition("=")
            keys[key] = value
        else:
            keys[key] += "," + piece
    block = domain_set(read(folder, keys["block"])) if "block" in keys else None
    allow = domain_set(read(folder, keys["allow"])) if "allow" in keys else None
    substrings = (keys["substring"].split(",") if "substring" in keys else []) + (read(folder, keys["substrings"]) if "substrings" in keys else [])
    patterns = [re.compile(p, re.ASCII) for p in read(folder, keys["patterns"])] if "patterns" in keys else []
    with open(folder + "/in.warc", encoding="utf-8") as f:
        urls = re.findall(r"WARC-Target-URI: (.*?)\n", f.read())
    want = {f"urn:x:{i}": rule(url.rstrip("\r"), block, allow, substrings, patterns) for i, url in enumerate(urls)}
    with open(folder + "/o.jsonl", encoding="utf-8") as f:
        got = {json.loads(line)["id"]: None for line in f}
    with open(folder + "/o.jsonl.rejects.jsonl", encoding="utf-8") as f:
        for line in f:
            r = json.loads(line)
            assert r["reason"] == "plugin:url" and (r["detail"] == "allow" or r["match"]), r
            got[r["id"]] = r["detail"]
    differ = [(urls[int(k.split(":")[2])], want[k], got.get(k, "?")) for k in want if want[k] != got.get(k, "?")]
    for d in differ[:10]:
        print(*d)
    dropped = sum(v is not None for v in want.values())
    with open(folder + "/o.stats", encoding="utf-8") as f:
        stats = json.load(f)
    for name in ("domain", "substring", "pattern", "allow"):
        if stats["plugins"]["url"][name] != sum(v == name for v in want.values()):
            differ.append(name)
            print("counter", name, stats["plugins"]["url"])
    if stats["skipped"] != {"plugin:url": dropped} or not 0 < dropped < len(want):
        print("skipped", stats["skipped"], dropped)
        return 1
    return 1 if differ else 0


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    sys.exit(check(sys.argv[2], " ".join(sys.argv[3:])))
