# SPDX-License-Identifier: Apache-2.0
"""Very many requests that sleep at the same time in one owner, and the memory that they take."""

import threading
import time

from . import processes, subjects

POLL_SECONDS = 0.1
OBSERVERS = 8  # Slots for the requests that ask how many sleep.


class Sleepers(subjects.Hello):
    """Our server with requests that sleep, and slots for so many of them."""

    name = "waiting"
    rackup = subjects.SCENARIOS / "waiting.ru"

    def __init__(self, most, jvm_options):
        super().__init__()
        self.options = ["--max-requests", str(most + OBSERVERS)]
        for option in jvm_options:
            self.options += ["--jvm-option", option]

    def state(self, question=""):
        """Who sleeps now, who slept at most, bytes of heap after a collection when that is asked for."""
        return [int(number) for number in subjects.body(self.port, f"/state{question}").split()]

    def memory(self):
        """Heap in use after a collection, and what is resident then, in MiB."""
        heap = self.state("/heap")[2] / 2**20
        return {"heap_mib": heap, "resident_mib": processes.resident_mib(self.process.pid)}


class Wave(threading.Thread):
    """A generator at work, beside the thread that looks at the server."""

    def __init__(self, generator, server, protocol, given):
        super().__init__(daemon=True)
        self.arguments = (protocol, server.url(f"/sleep/{given.sleep:g}"), given.connections, given.streams)
        self.generator = generator
        self.load = None
        self.error = None

    def run(self):
        try:
            self.load = self.generator.once(*self.arguments)
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.error = error


def wave(server, generator, protocol, given):
    """All requests at once; what they took while the last of them slept, and whether all were answered."""
    count = given.connections * given.streams
    server.state("/anew")
    before = server.memory()
    running = Wave(generator, server, protocol, given)
    began = time.monotonic()
    running.start()
    while (now := server.state()[0]) < count:
        if not running.is_alive():
            raise subjects.Broken(f"{protocol}: the wave ended before {count} slept, error {running.error}: {server.log()}")
        time.sleep(POLL_SECONDS)
    rise = time.monotonic() - began
    during = server.memory()
    still = server.state()[0]
    running.join()
    if running.error:
        raise running.error
    most = server.state()[1]
    if running.load.statuses != {200: count} or now != count or most != count:
        raise subjects.Broken(f"{protocol}: {running.load.statuses}, {most} of {count} at once: {server.log()}")
    return {"protocol": protocol, "count": count, "at_once": most, "sleeping_when_measured": still, "rise_seconds": rise,
            "p99_ms": running.load.p99, "before": before, "during": during, "after": server.memory()}


def per_request(row, key, since=None):
    """KiB that one waiting request took."""
    return (row["during"][key] - (since or row["before"])[key]) * 1024 / row["count"]
