# SPDX-License-Identifier: Apache-2.0
"""Light requests at a fixed rate while another client calls a page that computes: who waits for whom."""

import http.client
import threading
import time

from . import subjects

LIMIT_SECONDS = 30


class Client:
    """A keep-alive connection that counts what it gets."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_SECONDS)
        self.connection.connect()

    def get(self, path):
        """One request; anything but 200 ends the measurement."""
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise subjects.Broken(f"{path} was answered with {answer.status}")


def several(work, count):
    """Runs work(0) to work(count - 1) on threads; the first error of them is raised."""
    errors = []

    def guarded(index):
        try:
            work(index)
        except Exception as error:  # pylint: disable=broad-exception-caught
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(index,), daemon=True) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def steady(port, path, connections, rate, seconds):
    """
    Milliseconds of requests that are due at fixed moments, in turn over the connections. Each counts from the moment that it
    was due: a request that waits for the one before it on its connection waits for the server.
    """
    taken = [[] for _ in range(connections)]
    start = time.monotonic() + 0.05

    def work(index):
        client = Client(port)
        for number in range(index, int(rate * seconds), connections):
            due = start + number / rate
            time.sleep(max(0.0, due - time.monotonic()))
            client.get(path)
            taken[index].append(round((time.monotonic() - due) * 1e3, 3))

    several(work, connections)
    return sorted(milliseconds for own in taken for milliseconds in own)


class Burner:
    """A client that calls a page over and over, from entering to leaving the block."""

    def __init__(self, port, path):
        self.port = port
        self.path = path
        self.taken = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.over.set()
        self.thread.join()

    def work(self):
        """Until the block is left."""
        client = Client(self.port)
        while not self.over.is_set():
            began = time.monotonic()
            client.get(self.path)
            self.taken.append(round((time.monotonic() - began) * 1e3, 3))
