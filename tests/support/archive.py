# SPDX-License-Identifier: MIT
"""WARC records for tests."""


def response(body, fields=b""):
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" + fields + b"\r\n" + body


def record(number, block, fields=b"", length=None, url=None):
    """A record of an HTTP response, with more fields of its head, and a length that may be wrong."""
    return (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
            b"WARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n%s\r\n%s\r\n\r\n"
            % (str(number).encode(), url or b"http://example.org/%d" % number, len(block) if length is None else length, fields, block))
