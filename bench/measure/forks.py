# SPDX-License-Identifier: Apache-2.0
"""One operation of bench/scenarios/primitives.rb in a process of its own, as often as wanted."""

import os
import pathlib
import statistics
import subprocess

from . import subjects

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = ROOT / "build/home"
SCRIPT = subjects.SCENARIOS / "primitives.rb"
LIMIT_SECONDS = 120

# What bench/README.md calls it, and whether JRuby alone has it, too.
CASES = {
    "loop": ("loop", True),
    "block": ("loop with a block", True),
    "mutex": ("Mutex#synchronize", True),
    "lock": ("Mutex#lock, #unlock", True),
    "monitor": ("Monitor#synchronize", True),
    "queue": ("Queue push, pop", True),
    "switch": ("Fiber#resume, Fiber.yield", True),
    "fiber": ("Fiber.new, run, end", True),
    "yield": ("task.yield", False),
    "task": ("task.async, run, end", False),
    "sleep": ("sleep(0)", False),
    "unblock": ("block, unblock, task.yield", False),
    "handover": ("Queue there and back", False),
    "ready": ("wait_readable, ready", False),
    "pipe": ("pipe there and back", False),
}


def modes(case):
    """How a case is run."""
    return ["stock", "bridge"] if CASES[case][1] else ["bridge"]


def jdk():
    """The JDK that bin/jruvoy would take."""
    script = 'for part in versions lib/say lib/jdk; do . "$ROOT/scripts/$part"; done; jdk_find || die "$(jdk_advice)"'
    found = subprocess.run(["sh", "-c", script], env=os.environ | {"ROOT": str(ROOT)}, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise subjects.Broken(found.stderr.strip())
    return found.stdout.strip()


def command(case, mode, warm_up, seconds):
    """JRuby's command line on an owner, with the JVM options of the server."""
    jars = ":".join(str(jar) for jar in sorted(HOME.glob("jars/*.jar")))
    return [os.path.join(jdk(), "bin/java"), f"@{HOME / 'jvm.options'}", "-cp", jars, "jruvoy.owner.OwnerMain", "-I", str(ROOT / "ruby/lib"),
            str(SCRIPT), case, mode, str(warm_up), str(seconds)]


def environment():
    """Without gem settings of the user."""
    kept = {name: value for name, value in os.environ.items() if name not in ("RUBYOPT", "RUBYLIB", "JRUBY_OPTS")}
    return kept | {"GEM_HOME": str(HOME / "gems"), "GEM_PATH": str(HOME / "gems")}


def fork(case, mode, warm_up, seconds):
    """Nanoseconds per operation: the median of the batches of one process."""
    done = subprocess.run(command(case, mode, warm_up, seconds), env=environment(), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=LIMIT_SECONDS + warm_up + seconds, check=False)
    found = [line for line in done.stdout.splitlines() if line.startswith("nanoseconds ")]
    if done.returncode != 0 or not found:
        raise subjects.Broken(f"{case} {mode} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return statistics.median(float(number) for number in found[-1].split()[1:])
