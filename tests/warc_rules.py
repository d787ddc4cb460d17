# SPDX-License-Identifier: MIT
"""Checks WARC files by the rules of WARC 1.0 and 1.1, apart from the program: warc_rules.py FILE...

Heads: the version line, the mandatory fields, the form of values, fields that a type must or must not have, none
twice. Blocks: Content-Length and the two line ends after it, WARC-Block-Digest, for HTTP responses
WARC-Payload-Digest and HTTP's Content-Length. Compression: a gzip member or zstd frame for each record (annex D).
Prints what is wrong, and the number of records of each file. Exit status 1 when anything is wrong.
"""
import base64
import hashlib
import re
import subprocess
import sys
import zlib

URI = r"[a-zA-Z][a-zA-Z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*"
TOKEN = r"[-!#$%&'*+.^_`|~0-9A-Za-z]+"
MEDIA_TYPE = TOKEN + "/" + TOKEN + r"(?:[ \t]*;[ \t]*" + TOKEN + "=(?:" + TOKEN + r'|"[^"\\]*"))*'
FORMS = {
    "warc-record-id": "<" + URI + ">",
    "warc-concurrent-to": "<" + URI + ">",
    "warc-refers-to": "<" + URI + ">",
    "warc-warcinfo-id": "<" + URI + ">",
    "content-length": "[0-9]+",
    "warc-date": r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z",
    "warc-type": "warcinfo|response|resource|request|metadata|revisit|conversion|continuation",
    "content-type": MEDIA_TYPE,
    "warc-block-digest": TOKEN + ":[A-Za-z0-9=+/]+",
    "warc-payload-digest": TOKEN + ":[A-Za-z0-9=+/]+",
    "warc-target-uri": URI + "|<" + URI + ">",  # brackets: WARC 1.0 and wget
    "warc-truncated": "length|time|disconnect|unspecified",
}
MANDATORY = {"warc-record-id", "content-length", "warc-date", "warc-type"}
WITH_URI = {"response", "resource", "request", "revisit", "conversion", "continuation"}
ONLY_ON = {
    "warc-concurrent-to": {"response", "resource", "request", "metadata", "revisit"},
    "warc-ip-address": {"response", "resource", "request", "metadata", "revisit"},
    "warc-refers-to": {"conversion", "revisit", "metadata"},
    "warc-refers-to-target-uri": {"revisit"},
    "warc-refers-to-date": {"revisit"},
    "warc-filename": {"warcinfo"},
    "warc-profile": {"revisit"},
    "warc-warcinfo-id": WITH_URI | {"metadata"},
    "warc-target-uri": WITH_URI | {"metadata"},
}


def digest_is_right(value, data):
    name, _, text = value.partition(":")
    made = hashlib.new(name.lower(), data).digest()
    return text in (base64.b32encode(made).decode(), made.hex())


def check_head(version, fields):
    """Yields what is wrong with the fields of a head, a list of pairs."""
    names = [name for name, _ in fields]
    kind = dict(fields).get("warc-type", "")
    if version not in ("WARC/1.0", "WARC/1.1"):
        yield "version line " + version
    for name in MANDATORY - set(names):
        yield "no " + name
    if kind in WITH_URI and "warc-target-uri" not in names:
        yield "no warc-target-uri on " + kind
    for name in set(names):
        if names.count(name) > 1 and name != "warc-concurrent-to":
            yield name + " twice"
        if name in ONLY_ON and kind not in ONLY_ON[name]:
            yield name + " on " + kind
    for name, value in fields:
        if name in FORMS and not re.fullmatch(FORMS[name], value):
            yield "%s has no such value: %r" % (name, value)
        if name == "warc-date" and version == "WARC/1.0" and "." in value:
            yield "parts of seconds in WARC 1.0"


def check_block(fields, block):
    field = dict(fields)
    if "warc-block-digest" in field and not digest_is_right(field["warc-block-digest"], block):
        yield "warc-block-digest is wrong"
    payload = block
    if field["warc-type"] == "response" and field.get("content-type", "").startswith("application/http"):
        head, _, payload = block.partition(b"\r\n\r\n")
        length = re.search(rb"(?im)^content-length:[ \t]*(\d+)", head)
        if length and int(length.group(1)) != len(payload):
            yield "HTTP's Content-Length is wrong"
    if "warc-payload-digest" in field and not digest_is_right(field["warc-payload-digest"], payload):
        yield "warc-payload-digest is wrong"
    if field["warc-type"] == "conversion":
        block.decode("utf-8")
        if field.get("warc-payload-digest") != field.get("warc-block-digest"):
            yield "payload and block of a conversion differ"


def units(path):
    """The gzip members or zstd frames of a file, decompressed; a plain file is cut at its records."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"\x28\xb5\x2f\xfd":
        data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    elif data[:2] == b"\x1f\x8b":
        while data:
            member = zlib.decompressobj(31)
            content = member.decompress(data) + member.flush()
            if not member.eof:
                raise SystemExit("%s: a gzip member is cut" % path)
            data = member.unused_data
            yield content, True
        return
    while data:
        end = data.index(b"\r\n\r\n") + 4
        length = int(re.search(rb"(?i)\r\ncontent-length:[ \t]*(\d+)\r\n", data[:end]).group(1))
        yield data[:end + length + 4], False
        data = data[end + length + 4:]


def check(path):
    records, ids, pointers, faults = 0, set(), set(), []
    for content, alone in units(path):
        head, _, rest = content.partition(b"\r\n\r\n")
        lines = head.decode("utf-8").split("\r\n")
        fields = [(name.lower(), value.strip(" \t")) for name, _, value in (line.partition(":") for line in lines[1:])]
        faults += ["record %d: %s" % (records, text) for text in check_head(lines[0], fields)]
        length = int(dict(fields)["content-length"])
        if rest[length:] != b"\r\n\r\n":
            faults.append("record %d: its %s does not end with CRLF CRLF" % (records, "member" if alone else "block"))
        faults += ["record %d: %s" % (records, text) for text in check_block(fields, rest[:length])]
        identity = dict(fields)["warc-record-id"]
        if identity in ids:
            faults.append("record %d: its id is used twice" % records)
        ids.add(identity)
        pointers |= {value for name, value in fields if name == "warc-warcinfo-id"}
        records += 1
    if pointers - ids:
        faults.append("a warc-warcinfo-id names no record of the file")
    for text in faults:
        print("%s: %s" % (path, text))
    print("%s: %d records" % (path, records))
    return not faults and records > 0


if __name__ == "__main__":
    sys.exit(0 if all([check(path) for path in sys.argv[1:]]) else 1)
