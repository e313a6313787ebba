# SPDX-License-Identifier: Apache-2.0
"""Load generators behind one face: so many connections for so many seconds, and what came back."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent


class Missing(Exception):
    """No load generator, or one that does not work."""


class Load:
    """What one run of a generator saw; times in milliseconds, CPU in seconds."""

    def __init__(self, requests, elapsed, p50, p99, statuses):
        self.requests = requests
        self.elapsed = elapsed
        self.p50 = p50
        self.p99 = p99
        self.statuses = statuses
        self.cpu = 0.0

    @property
    def rate(self):
        """Requests per second."""
        return self.requests / self.elapsed


def run(command):
    """Runs a generator; returns its output and the CPU seconds that it used."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise Missing(f"{command[0]} ended with {process.returncode}: {err.read()[-300:]!r}")
        return out.read().decode(), usage.ru_utime + usage.ru_stime


class Oha:
    """oha: both protocols, percentiles of every request."""

    def __init__(self, binary):
        self.binary = binary
        self.name = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()

    def load(self, protocol, url, connections, seconds):
        """Loads a URL."""
        shape = ["-z", f"{seconds}s", "-c", str(connections)]
        return self.run([*shape, *(["--http2", "-p", "1"] if protocol == "h2" else [])], url)

    def once(self, protocol, url, connections, streams):
        """All at the same time, one request on each stream of each connection; HTTP/1.1 has one."""
        count = connections * streams
        shape = ["-c", str(connections), "--http2", "-p", str(streams)] if protocol == "h2" else ["-c", str(count)]
        return self.run(["-n", str(count), *shape], url)

    def run(self, shape, url):
        """What oha saw."""
        out, cpu = run([self.binary, "--no-tui", "--output-format", "json", *shape, url])
        data = json.loads(out)
        statuses = {int(code): count for code, count in data["statusCodeDistribution"].items()}
        times = data["latencyPercentiles"]
        load = Load(sum(statuses.values()), data["summary"]["total"], times["p50"] * 1e3, times["p99"] * 1e3, statuses)
        load.cpu = cpu
        return load


class Debian:
    """wrk for HTTP/1.1 and h2load for HTTP/2, both packaged by Debian, both cheap to run."""

    def __init__(self, wrk, h2load):
        self.wrk = wrk
        self.h2load = h2load
        version = subprocess.run([h2load, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        self.name = f"wrk and {version}"

    def load(self, protocol, url, connections, seconds):
        """Loads a URL."""
        return (self.load_h1 if protocol == "h1" else self.load_h2)(url, connections, seconds)

    def load_h1(self, url, connections, seconds):
        """wrk counts statuses only as good and bad; its script tells which they were."""
        duration = max(1, round(seconds))
        script = str(HERE / "wrk_report.lua")
        out, cpu = run([self.wrk, "-t1", f"-c{connections}", f"-d{duration}s", "--latency", "-s", script, url])
        data = json.loads(out.strip().rpartition("\n")[2])
        statuses = {int(code): count for code, count in data["statuses"].items()}
        load = Load(data["requests"], data["seconds"], data["p50_ms"], data["p99_ms"], statuses)
        load.cpu = cpu
        return load

    def load_h2(self, url, connections, seconds):
        """h2load knows no percentiles, so every request is logged to memory and sorted here."""
        with tempfile.NamedTemporaryFile(dir=self.memory()) as log:
            started = time.monotonic()
            duration = max(1, round(seconds))
            shape = ["-t1", f"-c{connections}", "-m1", f"-D{duration}", f"--log-file={log.name}"]
            _, cpu = run([self.h2load, *shape, url])
            elapsed = min(time.monotonic() - started, duration)
            return self.from_log(log.name, elapsed, cpu)

    def once(self, protocol, url, connections, streams):
        """All at the same time, one request on each stream of each connection; HTTP/1.1 has one. h2load speaks both."""
        count = connections * streams
        shape = [f"-c{connections}", f"-m{streams}"] if protocol == "h2" else ["--h1", f"-c{count}"]
        with tempfile.NamedTemporaryFile(dir=self.memory()) as log:
            started = time.monotonic()
            _, cpu = run([self.h2load, "-t1", f"-n{count}", *shape, f"--log-file={log.name}", url])
            return self.from_log(log.name, time.monotonic() - started, cpu)

    @staticmethod
    def memory():
        """A folder that is no disk."""
        return "/dev/shm" if os.path.isdir("/dev/shm") else None

    @staticmethod
    def from_log(path, elapsed, cpu):
        """Statuses and percentiles of the lines "start status microseconds"."""
        statuses, times = {}, []
        with open(path, encoding="ascii") as lines:
            for line in lines:
                _, status, micros = line.split()[:3]
                statuses[int(status)] = statuses.get(int(status), 0) + 1
                times.append(int(micros))
        times.sort()
        if not times:
            raise Missing("h2load got no answer")
        load = Load(len(times), elapsed, times[len(times) // 2] / 1e3, times[len(times) * 99 // 100] / 1e3, statuses)
        load.cpu = cpu
        return load


def choose(wanted):
    """The generator of the command line; "auto" takes oha where it is built (bench/setup)."""
    built = ROOT / "build/tools/oha/bin/oha"
    oha = str(built) if built.exists() else shutil.which("oha")
    if oha and wanted != "debian":
        return Oha(oha)
    wrk, h2load = shutil.which("wrk"), shutil.which("h2load")
    if wanted != "oha" and wrk and h2load:
        return Debian(wrk, h2load)
    raise Missing("no load generator: run bench/setup for oha, or apt-get install wrk nghttp2-client")
