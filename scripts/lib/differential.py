# SPDX-License-Identifier: Apache-2.0
"""Sends the same requests to two servers on 127.0.0.1 and compares the answers; arguments: our port, the peer's."""

import http.client
import random
import sys
import zlib

# Of the server or of the connection, and so free to differ.
ASIDE = {
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "server",
    "transfer-encoding",
    "x-request-id",
}
HOST = "differential.test"
PATHS = [
    "/see?a=1&b=%20+&&c",
    "/see/",
    "/array",
    "/length",
    "/parts",
    "/enumerator",
    "/callable",
    "/hijack",
    "/file",
    "/no-content",
    "/not-modified",
    "/created",
    "/moved",
    "/teapot",
    "/several",
    "/binary",
    "/utf8",
    "/cookies",
    "/etag",
    "/deflated",
    "/head",
    "/runtime",
    "/options",
    "/missing/%C3%A9/a%2Fb",
    "/mounted",
    "/mounted/",
    "/mounted/deep/a%20b?q=1",
    "/double//slash",
]


def requests():
    """Method, path, headers and body of each request."""
    for path in PATHS:
        yield "GET", path, {}, None
        yield "HEAD", path, {}, None
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        yield method, "/see", {"content-type": "text/x-odd; a=b"}, b"some body"
    yield "GET", "/see", {"cookie": "a=1; b=2", "x-twice": "one, two"}, None
    yield "GET", "/cookies", {"cookie": "count=41; other=x"}, None
    yield "GET", "/deflated", {"accept-encoding": "gzip"}, None
    yield "GET", "/see", {"content-type": "text/plain"}, None
    yield "POST", "/see", {}, b""
    yield "POST", "/reads", {}, b"line one\nabcdefghijkl\nlast"
    yield "POST", "/reads", {}, b"no newline"
    chance = random.Random(3)
    for size in (1, 1000, 16384, 65536, 300001):
        body = chance.randbytes(size)
        yield "POST", "/echo", {"content-type": "application/octet-stream"}, body
        yield "POST", "/see?chunked", {"transfer-encoding": "chunked"}, iter([body[: size // 2], body[size // 2 :]])


def ask(connection, method, path, headers, body):
    """Status, headers that matter, and body; the same connection goes on as long as the server keeps it."""
    chunked = "transfer-encoding" in headers
    connection.request(method, path, body=body, headers={"host": HOST, **headers}, encode_chunked=chunked)
    answer = connection.getresponse()
    fields = sorted((name.lower(), value) for name, value in answer.getheaders() if name.lower() not in ASIDE)
    content = answer.read()
    # Two implementations may compress the same bytes in different ways.
    packed = content and answer.getheader("content-encoding") == "gzip"
    return answer.status, fields, zlib.decompress(content, wbits=31) if packed else content


def shortened(value):
    """A value as it fits on a line."""
    text = repr(value)
    return text if len(text) <= 600 else f"{text[:600]}... ({len(text)})"


def main():
    """Compares every answer; the status is 1 if one differs."""
    ours, peer = (http.client.HTTPConnection("127.0.0.1", int(port), timeout=60) for port in sys.argv[1:3])
    passed = failed = 0
    for (request, again) in zip(requests(), requests()):
        first, second = ask(ours, *request), ask(peer, *again)
        if first == second:
            passed += 1
            continue
        failed += 1
        print(f"{request[0]} {request[1]} {request[2]}")
        for name, one, two in zip(("status", "headers", "body"), first, second):
            if one != two:
                print(f"    {name}: ours {shortened(one)}\n    {' ' * len(name)}  peer {shortened(two)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
