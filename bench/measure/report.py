# SPDX-License-Identifier: Apache-2.0
"""Medians of the rounds as a Markdown table, and everything as JSON beside it."""

import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess

from . import processes

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results"
HEAD = ["protocol", "subject", "requests/s (min to max)", "of direct", "p50 ms", "p99 ms", "CPU us", *processes.NAMES,
        "RSS MiB"]


def save(folder, name, text, raw, indent=1):
    """Writes a table and its raw data, which without indent is one line, and prints the table."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(raw, indent=indent) + "\n", encoding="utf-8")
    print(text)


def table_of(head, rows):
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def spread(values, form):
    """Median and range."""
    return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"


def median(rows, key):
    """Median of a figure over rounds."""
    return statistics.median(key(row) for row in rows)


def line(protocol, name, rows, ceiling):
    """One row of the table."""
    rates = [row["rate"] for row in rows]
    rate = statistics.median(rates)
    groups = [median(rows, lambda row, group=group: row["cpu_us"][group]) for group in processes.NAMES]
    cells = [protocol, name, f"{rate:,.0f} ({min(rates):,.0f} to {max(rates):,.0f})",
             f"{rate / ceiling:.2f}" if ceiling else "",
             f"{median(rows, lambda row: row['p50_ms']):.2f}", f"{median(rows, lambda row: row['p99_ms']):.2f}",
             f"{median(rows, lambda row: row['cpu_us']['total']):.1f}",
             *[f"{value:.1f}" for value in groups], f"{median(rows, lambda row: row['resident_mib']):.0f}"]
    return "| " + " | ".join(cells) + " |"


def table(results):
    """The whole table."""
    lines = ["| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD)]
    for protocol in dict.fromkeys(row["protocol"] for row in results):
        rows = [row for row in results if row["protocol"] == protocol]
        direct = [row["rate"] for row in rows if row["subject"] == "direct_response"]
        ceiling = statistics.median(direct) if direct else None
        for name in dict.fromkeys(row["subject"] for row in rows):
            lines.append(line(protocol, name, [row for row in rows if row["subject"] == name], ceiling))
    return "\n".join(lines)


def start_lines(timed):
    """How long the starts took."""
    return "\n".join(
        f"From start to first answer, {name}: median {statistics.median(seconds):.2f} s of "
        f"{', '.join(f'{value:.2f}' for value in seconds)}." for name, seconds in timed.items() if seconds)


def commit_of(clone):
    """The commit that a clone stands at."""
    return subprocess.run(["git", "-C", str(clone), "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                          check=False).stdout.strip()


def place():
    """Where and when figures were taken, and of what."""
    commit = commit_of(ROOT)
    return {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"), "commit": commit,
            "cores": len(os.sched_getaffinity(0)), "machine": platform.machine(), "kernel": platform.release()}


def conditions(given, generator):
    """What the figures depend on."""
    return place() | {"generator": generator.name, "seconds": given.seconds, "rounds": given.rounds,
                      "warm_up": given.warm_up, "connections": given.connections,
                      "before": commit_of(given.before) if given.before else None}


def write(given, generator, results, timed):
    """Writes quick.md and quick.json, and prints the table."""
    facts = conditions(given, generator)
    foreign = max(row["foreign_cores"] for row in results)
    before = f" (before: {facts['before']})" if facts["before"] else ""
    text = "\n\n".join(part for part in [
        f"{facts['date']}, commit {facts['commit']}{before}, {facts['cores']} cores shared with the generator "
        f"({facts['generator']}), {facts['connections']} connections, medians of {facts['rounds']} rounds of {facts['seconds']:g} s after "
        f"{facts['warm_up']:g} s of warm-up; other processes took at most {foreign:.2f} cores.",
        table(results), start_lines(timed)] if part) + "\n"
    save(given.output, "quick", text, {"conditions": facts, "starts": timed, "rounds": results})
