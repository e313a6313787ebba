# SPDX-License-Identifier: Apache-2.0
"""The rounds: every subject under load in turn, in another order each time, with what it cost."""

import sys
import time

from . import processes, subjects

FOREIGN_CORES = 0.2
TRIES = 3


def show(text):
    """Progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def run(given, generator):
    """Starts the subjects, warms them up, runs all rounds, and stops them whatever happens."""
    names = given.only or list(subjects.ALL)
    servers = []
    try:
        for name in names:
            server = subjects.ALL[name]()
            servers.append(server)
            show(f"starting {name}")
            server.start()
        for server in servers:
            warm_up(given, generator, server)
        return rounds(given, generator, servers)
    finally:
        for server in servers:
            if server.process:
                server.stop()


def warm_up(given, generator, server):
    """Load that is not measured, half of it for each protocol."""
    for protocol in given.protocols:
        seconds = given.warm_up / len(given.protocols)
        if seconds >= 1:
            show(f"warming up {server.name} {protocol}")
            generator.load(protocol, server.url(), given.connections, seconds)


def rounds(given, generator, servers):
    """All measurements as plain data."""
    cases = [(server, protocol) for protocol in given.protocols for server in servers]
    results = []
    for index in range(given.rounds):
        for server, protocol in rotated(cases, index):
            result = quiet_measure(given, generator, server, protocol)
            result["round"] = index + 1
            results.append(result)
            show(f"{index + 1}/{given.rounds} {protocol} {server.name:16} {result['rate']:8.0f}/s  "
                 f"p99 {result['p99_ms']:6.2f} ms  {result['cpu_us']['total']:5.1f} us  "
                 f"foreign {result['foreign_cores']:.2f}")
    return results


def rotated(cases, index):
    """The cases in the order of a round."""
    first = index % len(cases)
    return cases[first:] + cases[:first]


def quiet_measure(given, generator, server, protocol, path="/"):
    """Measures again when other processes took too much of the machine; the last try counts, with its figure."""
    for _ in range(TRIES):
        result = measure(given, generator, server, protocol, path)
        if result["foreign_cores"] <= FOREIGN_CORES:
            break
    return result


def measure(given, generator, server, protocol, path):
    """One run of the generator, and what server and machine spent during it."""
    pid = server.process.pid
    machine, before, began = processes.machine_seconds(), processes.Usage(pid), time.monotonic()
    load = generator.load(protocol, server.url(path), given.connections, given.seconds)
    spent = processes.Usage(pid).since(before)
    elapsed = time.monotonic() - began
    foreign = processes.machine_seconds() - machine - spent["total"] - load.cpu
    wrong = sum(count for status, count in load.statuses.items() if status != server.status)
    if wrong or not load.requests:
        raise subjects.Broken(f"{server.name} {protocol} answered {load.statuses}: {server.log()}")
    return {
        "subject": server.name,
        "protocol": protocol,
        "requests": load.requests,
        "rate": load.rate,
        "p50_ms": load.p50,
        "p99_ms": load.p99,
        "cpu_us": {group: seconds / load.requests * 1e6 for group, seconds in spent.items()},
        "generator_us": load.cpu / load.requests * 1e6,
        "resident_mib": processes.resident_mib(pid),
        "foreign_cores": max(0.0, foreign / elapsed),
    }
