# SPDX-License-Identifier: Apache-2.0
"""CPU and memory of a running process, from /proc; CPU by groups of threads."""

import os
import re

TICK = os.sysconf("SC_CLK_TCK")

GROUPS = [
    ("worker", re.compile(r"wrk:")),
    ("owner", re.compile(r"(jruvoy-)?owner|jruvoy", re.IGNORECASE)),
    ("jit", re.compile(r"C[12] Comp")),
    ("gc", re.compile(r"GC |G1 |VM Thread|VM Periodic")),
]
NAMES = [name for name, _ in GROUPS] + ["other"]


def group_of(thread_name):
    """The group that a thread belongs to by its name."""
    for name, pattern in GROUPS:
        if pattern.match(thread_name):
            return name
    return "other"


def read(path):
    """The text of a file of /proc; empty when its process or thread is gone."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def seconds_in(stat):
    """User and system seconds in the text of a stat file."""
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK if fields else 0.0


class Usage:
    """CPU seconds of a process at one moment, whole and by thread group."""

    def __init__(self, pid):
        self.total = seconds_in(read(f"/proc/{pid}/stat"))
        self.threads = {}
        for thread in os.listdir(f"/proc/{pid}/task"):
            folder = f"/proc/{pid}/task/{thread}"
            self.threads[thread] = (group_of(read(f"{folder}/comm")), seconds_in(read(f"{folder}/stat")))

    def since(self, before):
        """Seconds per group since an earlier moment; what ended threads used is in "other"."""
        groups = dict.fromkeys(NAMES, 0.0)
        for thread, (group, seconds) in self.threads.items():
            groups[group] += seconds - before.threads.get(thread, (group, 0.0))[1]
        total = self.total - before.total
        groups["other"] += max(0.0, total - sum(groups.values()))
        groups["total"] = total
        return groups


def resident_mib(pid):
    """Resident memory in MiB."""
    found = re.search(r"VmRSS:\s+(\d+)", read(f"/proc/{pid}/status"))
    return int(found.group(1)) / 1024 if found else 0.0


def machine_seconds():
    """CPU seconds that the whole machine has spent on work."""
    fields = [int(field) for field in read("/proc/stat").split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _iowait, irq, softirq, _steal = fields
    return (user + nice + system + irq + softirq) / TICK
