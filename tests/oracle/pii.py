# SPDX-License-Identifier: MIT
# The rules of the plugin pii as regular expressions: make FOLDER writes an archive of texts, check FOLDER [email=0...] compares what dana
# wrote (plain.jsonl without and o.jsonl with the plugin, o.stats) with the rules.
import ipaddress
import json
import random
import re
import sys

NAME = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
EMAIL = re.compile(rf"[A-Za-z0-9_](?:{NAME}|\.(?={NAME}))*@{LABEL}(?:\.{LABEL})+")
IP = re.compile(r"(?<![0-9])(?<![0-9]\.)(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})(?![0-9])(?!\.[0-9])")
D = "[0-9\u0660-\u0669\u06f0-\u06f9]"
NUMBER = re.compile(rf"[+(]?{D}+(?:[ ./()-]{{1,2}}{D}+)*")
TOKENS = {
    "emails": ["email@example.com", "firstname.lastname@example.org"],
    "ips": ["22.214.171.124", "126.96.36.199", "184.108.40.206", "220.127.116.11", "18.104.22.168"],
    "phones": ["+1 202-555-0100", "+1 202-555-0101"],
}


def find_email(text, at, settings):
    m = EMAIL.search(text, at)
    return m.span() if m else None


def find_ip(text, at, settings):
    while m := IP.search(text, at):
        try:
            address = ipaddress.ip_address(m.group())
            is_public = address.is_global and address not in ipaddress.ip_network("192.0.0.0/24")
            if is_public or not settings.get("public", True):
                return m.span()
        except ValueError:
            pass
        at = m.end()
    return None


def find_phone(text, at, settings):
    while m := NUMBER.search(text, at):
        groups = [len(g) for g in re.findall(rf"{D}+", m.group())]
        first = re.search(D, m.group()).group()
        digits, plus, zero = sum(groups), m.group()[0] == "+", first in "0\u0660\u06f0"
        before, after = text[m.start() - 1 : m.start()] or " ", text[m.end() : m.end() + 1] or " "
        alone = not re.fullmatch(r"[A-Za-z#$_=&/.,:%+-]", before) and not re.fullmatch(r"[A-Za-z_=&%/]", after)
        american = groups in ([3, 3, 4], [1, 3, 3, 4])
        if alone and len(groups) <= 8:
            if plus and 8 <= digits <= 15 or not plus and (american or zero and len(groups) >= 2 and groups[0] >= 3 and 9 <= digits <= 11):
                return m.span()
        at = m.end()
    return None


KINDS = {"emails": ("email", find_email), "ips": ("ip", find_ip), "phones": ("phone", find_phone)}


def between(text, kinds, settings, counts):
    if not kinds:
        return text
    option, find = KINDS[kinds[0]]
    out, at = "", 0
    while span := find(text, at, settings) if settings.get(option, True) else None:
        out += between(text[at : span[0]], kinds[1:], settings, counts) + TOKENS[kinds[0]][counts[kinds[0]] % len(TOKENS[kinds[0]])]
        counts[kinds[0]] += 1
        at = span[1]
    return out + between(text[at:], kinds[1:], settings, counts)


def replace(text, settings):
    counts = dict.fromkeys(KINDS, 0)
    return between(text, list(KINDS), settings, counts), counts


def make(folder):
    rng = random.Random(9)
    pieces = ["info@example.net", "J.Doe+x@Mail.Example.co.uk", "'a@b.cd'", "a@b", "@x.com", "x..y@z.org", "a@b@c.de", "é.m@x.fr", "邮箱info@x.cn", "a@-b.com", "n@b-.com",
              "8.8.8.8", "10.0.0.1", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "192.168.1.1:80", "v1.2.3.4", "203.0.113.9", "9.9.9.9.", "100.64.0.1", "127.0.0.1", "224.0.0.1",
              "+49 (30) 1234-567", "(555) 123-4567", "555.123.4567", "1-800-555-1234", "020 7946 0958", "2024-01-02", "01.02.2003 12:30", "+1", "+123456789012345678", "0171/1234567",
              "\u06f0\u06f2\u06f1-\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8", "+\u0669\u0666\u0666 50 123 4567", "12,345,678.90", "$555-123-4567", "no.555-123-4567", "1 2 3 4 5 6 7 8 9", "0123 456 789 012",
              "word", "and", ",", ".", "(", ")", "-", "/", ":", "see", "3", "x@y.z1", "a.@b.com", "_u_@h.io", "t@1.2", "q@w.e-", "user@[1.2.3.4]"]
    with open(folder + "/in.warc", "wb") as f:
        for i in range(2000):
            text = "".join(rng.choice(pieces) + rng.choice([" ", " ", "", "\n"]) for _ in range(rng.randint(1, 30)))
            body = ("<p>" + text.replace("&", "&amp;").replace("<", "&lt;")).encode()
            f.write((f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/{i}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:{i}>\r\n"
                     f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body + b"\r\n\r\n")


def check(folder, arguments):
    settings = {key: value == "1" for key, _, value in (a.partition("=") for a in arguments)}
    differ, totals = 0, dict.fromkeys(KINDS, 0)
    with open(folder + "/plain.jsonl", encoding="utf-8") as a, open(folder + "/o.jsonl", encoding="utf-8") as b:
        pairs = list(zip(map(json.loads, a), map(json.loads, b), strict=True))
    for plain, got in pairs:
        text, counts = replace(plain["text"], settings)
        for kind in counts:
            totals[kind] += counts[kind]
        if got["text"] != text or got["text_chars"] != len(text) or got.get("pii") != (counts if any(counts.values()) else None):
            differ += 1
            if differ < 5:
                print(repr(plain["text"]), "\n ", repr(got["text"]), "\n ", repr(text), got.get("pii"), counts)
    with open(folder + "/o.stats", encoding="utf-8") as f:
        stats = json.load(f)["plugins"]["pii"]
    if stats != totals or len(pairs) < 1000 or any(totals[k] == 0 for k, (o, _) in KINDS.items() if settings.get(o, True)):
        print(stats, totals, len(pairs))
        differ += 1
    return 1 if differ else 0


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        sys.exit(check(sys.argv[2], sys.argv[3:]))
