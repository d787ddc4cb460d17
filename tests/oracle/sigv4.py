#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Checks signatures of requests to an object store, computed apart from libcurl after Amazon's description of signature
version 4 ("Authenticating Requests: Using the Authorization Header").

    sigv4.py SECRET <LOG

LOG has the requests as tests/support/fault_server.py writes them. Fails unless there are some, and each is signed over
its host, its date and all x-amz- fields with SECRET.
"""
import hashlib, hmac, json, re, sys, urllib.parse


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signature(secret, path, fields, names, scope):
    date, region, service, end = scope.split("/")
    path, _, query = path.partition("?")
    canonical = "\n".join([
        "GET", urllib.parse.quote(urllib.parse.unquote(path), safe="/-_.~"), query,
        "".join("%s:%s\n" % (name, re.sub(" +", " ", fields[name].strip())) for name in names),
        ";".join(names), fields["x-amz-content-sha256"]])
    text = "\n".join(["AWS4-HMAC-SHA256", fields["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (date, region, service, end):
        key = sign(key, part)
    return sign(key, text).hex()


number = 0
for line in sys.stdin:
    request = json.loads(line)
    fields = request["fields"]
    found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8}/[^/]+/s3/aws4_request), ?SignedHeaders=([a-z0-9;-]+), ?"
                         r"Signature=([0-9a-f]{64})", fields.get("authorization", ""))
    if not found:
        sys.exit("not signed: %s" % fields)
    names = found[3].split(";")
    missing = [name for name in fields if (name == "host" or name.startswith("x-amz-")) and name not in names]
    if missing or "x-amz-date" not in names or names != sorted(names):
        sys.exit("signed fields: %s; missing: %s" % (names, missing))
    if signature(sys.argv[1], request["path"], fields, names, found[2]) != found[4]:
        sys.exit("another signature: %s" % request)
    number += 1
if number == 0:
    sys.exit("no request")
