# SPDX-License-Identifier: Apache-2.0
"""How long it takes from a client's leaving to the end of the wait that its request was in."""

import itertools
import socket
import struct
import time

from . import subjects

WAITS = ["sleep", "queue", "socket", "credit"]
SETTLE_SECONDS = {"credit": 0.1}  # Until a writer has used up windows and socket buffers.
LIMIT_SECONDS = 20
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, HEADERS, RST_STREAM = 4, 1, 3
END_OF_REQUEST = 0x05  # END_STREAM and END_HEADERS
CANCEL = 8


class Waiting(subjects.Hello):
    """Our server with handlers that wait."""

    name = "cancel"
    rackup = subjects.SCENARIOS / "cancel.ru"


class Asker:
    """A connection that stays open and asks what has become of a request."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers = self.socket.makefile("rb")

    def told(self, key):
        """What the app has noted."""
        self.socket.sendall(f"GET /told/{key} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        length = 0
        while (line := self.answers.readline().strip()) != b"":
            name, _, value = line.lower().partition(b":")
            length = int(value) if name == b"content-length" else length
        return self.answers.read(length).decode()

    def until(self, key, reached):
        """Asks until the note is what is waited for."""
        end = time.monotonic() + LIMIT_SECONDS
        while not reached(note := self.told(key)):
            if time.monotonic() > end:
                raise subjects.Broken(f"request {key} did not come further than {note!r}")
            time.sleep(0.001)
        return note


def http1(port, path):
    """Sends a request and returns its connection and how to leave: by closing it."""
    connection = socket.create_connection(("127.0.0.1", port), LIMIT_SECONDS)
    connection.sendall(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
    return connection, connection.close


def frame(kind, flags, stream, payload):
    """An HTTP/2 frame."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def http2(port, path):
    """The same over HTTP/2, where leaving is a reset of the stream; the connection stays."""
    connection = socket.create_connection(("127.0.0.1", port), LIMIT_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    name = b"localhost"
    # GET and http by their numbers in HPACK's table; path and authority as they are.
    block = b"\x82\x86\x04" + bytes([len(path)]) + path.encode() + b"\x01" + bytes([len(name)]) + name
    connection.sendall(PREFACE + frame(SETTINGS, 0, 0, b"") + frame(HEADERS, END_OF_REQUEST, 1, block))
    reset = frame(RST_STREAM, 0, 1, struct.pack(">I", CANCEL))
    return connection, lambda: connection.sendall(reset)


WAYS = {"h1 closed": http1, "h2 RST_STREAM": http2}


def once(asker, port, way, wait, key):
    """Milliseconds from one leaving to the interrupt."""
    connection, leave = WAYS[way](port, f"/{wait}/{key}")
    with connection:
        asker.until(key, lambda note: note == "waiting")
        time.sleep(SETTLE_SECONDS.get(wait, 0.01))
        left = time.monotonic()
        leave()
        ended = asker.until(key, lambda note: note != "waiting")
    return (float(ended) - left) * 1e3


def measure(server, count, warm_up, show):
    """The milliseconds of every wait and way, in rotated order, after some that do not count."""
    asker = Asker(server.port)
    keys = itertools.count()
    times = {(wait, way): [] for wait in WAITS for way in WAYS}
    for index in range(-warm_up, count):
        for (wait, way), taken in times.items():
            milliseconds = once(asker, server.port, way, wait, next(keys))
            if index >= 0:
                taken.append(milliseconds)
        if index % 50 == 0:
            show(f"{index}/{count}")
    return times
