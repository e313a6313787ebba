# SPDX-License-Identifier: Apache-2.0
"""The servers that are compared; each starts on a free loopback port and stops by SIGTERM."""

import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "bench/scenarios"
BOOT_SECONDS = 90


class Broken(Exception):
    """A subject that does not start, answer or stop as it should."""


def free_port():
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, path="/"):
    """Status of one GET, or None when nothing answers yet."""
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
            line = connection.recv(64)
            return int(line[9:12]) if line.startswith(b"HTTP/1.") else None
    except OSError:
        return None


def body(port, path):
    """What a GET was answered with."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return answer.read().decode()


class Subject:
    """A server under load: command, the status that it answers with, and its process."""

    name = ""
    status = 200
    env = None

    def __init__(self):
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory(prefix="jruvoy-bench-")
        self.process = None

    def command(self):
        """The command line."""
        raise NotImplementedError

    def start(self):
        """Starts it and waits for the first right answer; returns the seconds that took."""
        began = time.monotonic()
        with open(os.path.join(self.folder.name, "log"), "wb") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder.name, env=self.env)
        while ask(self.port) != 200:
            if self.process.poll() is not None or time.monotonic() - began > BOOT_SECONDS:
                self.stop()
                raise Broken(f"{self.name} did not start: {self.log()}")
            time.sleep(0.002)
        took = time.monotonic() - began
        self.prepare()
        return took

    def prepare(self):
        """What is to be done between the first answer and the load."""

    def stop(self):
        """Ends it; a status that is not 0 is told."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        if status != 0:
            print(f"bench: {self.name} ended with {status}")

    def url(self, path="/"):
        """Where a generator finds it."""
        return f"http://127.0.0.1:{self.port}{path}"

    def log(self):
        """The end of its output, in one line."""
        text = pathlib.Path(self.folder.name, "log").read_text(encoding="utf-8", errors="replace")
        return " / ".join(text.strip().split("\n")[-3:])


class Direct(Subject):
    """Envoy's direct_response: the ceiling."""

    name = "direct_response"

    def config(self):
        """Envoy's configuration."""
        template = (SCENARIOS / "direct_response.yaml").read_text(encoding="utf-8")
        return template.replace("port_value: 8080", f"port_value: {self.port}")

    def command(self):
        config = pathlib.Path(self.folder.name, "envoy.yaml")
        config.write_text(self.config(), encoding="utf-8")
        return [envoy(), "-c", str(config), "--concurrency", "1", "--disable-hot-restart", "--log-level", "warn"]


class Delayed(Direct):
    """Envoy's direct_response after a wait that Envoy's own fault filter makes."""

    name = "fault filter"

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds

    def config(self):
        fault = f"""http_filters:
          - name: fault
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault
              delay:
                fixed_delay: {self.seconds:g}s
                percentage: {{ numerator: 100 }}
"""
        return super().config().replace("http_filters:\n", fault)


class Hello(Subject):
    """Our hello world as a user starts it."""

    name = "hello"
    clone = ROOT
    rackup = ROOT / "ruby/fixtures/hello.ru"
    workers = 1
    options = []

    def command(self):
        port = ["-p", str(self.port), "--admin-port", str(free_port()), "--concurrency", str(self.workers)]
        return [str(self.clone / "bin/jruvoy"), "serve", *port, *self.options, str(self.rackup)]


class Refusal(Hello):
    """The module without Ruby: the only slot is held by one request, so C refuses every other one."""

    name = "refusal"
    status = 503
    rackup = SCENARIOS / "hold.ru"
    options = ["--max-requests", "1"]

    def prepare(self):
        self.holder = socket.create_connection(("127.0.0.1", self.port))
        self.holder.sendall(b"GET /hold HTTP/1.1\r\nhost: localhost\r\n\r\n")
        end = time.monotonic() + 10
        while ask(self.port) != 503:
            if time.monotonic() > end:
                raise Broken(f"the slot is not held: {self.log()}")
            time.sleep(0.01)

    def stop(self):
        holder = getattr(self, "holder", None)
        if holder:
            holder.close()
        super().stop()


ALL = {kind.name: kind for kind in (Direct, Hello, Refusal)}


def add_before(clone):
    """Makes a subject of another clone that is set up: our hello world, served by that state of the code."""
    if not (clone / "build/tools").is_dir():
        raise Broken(f"{clone} is no clone that scripts/setup has been run in")
    ALL["before"] = type("Before", (Hello,), {"name": "before", "clone": clone.resolve()})


def envoy():
    """The Envoy that bin/jruvoy serves with."""
    given = os.environ.get("JRUVOY_ENVOY")
    return given or str(ROOT / "build/tools/envoy-1.40.0/envoy")
