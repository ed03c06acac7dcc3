# SPDX-License-Identifier: GPL-3.0-or-later
"""What every peer script shares: time since the process began, memory, the one JSON line."""

import json
import os
import resource
import sys
import time


def seconds_since_start():
    """Wall seconds since the kernel started this process (interpreter and imports included)."""
    with open("/proc/self/stat") as stat:
        start_ticks = int(stat.read().rpartition(")")[2].split()[19])
    with open("/proc/uptime") as uptime:
        now = float(uptime.read().split()[0])
    return now - start_ticks / os.sysconf("SC_CLK_TCK")


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Phases:
    """Wall seconds by phase: phases.end("load") closes what began at the last end()."""

    def __init__(self):
        self.seconds = {}
        self._last = time.perf_counter()

    def end(self, name):
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self._last = now

    def rounded(self):
        out = {name: round(value, 4) for name, value in self.seconds.items()}
        out["total"] = round(sum(self.seconds.values()), 4)
        return out


def read_documents(path, text_column, limit):
    """The rows of a JSONL file, at most `limit` of them; a row without the text stops the run."""
    rows = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if limit and len(rows) == limit:
                break
            row = json.loads(line)
            if not isinstance(row.get(text_column), str):
                sys.exit(f'{path}: line {number}: expected text in "{text_column}", found none')
            rows.append(row)
    if not rows:
        sys.exit(f"{path}: expected documents, found none")
    return rows


def print_result(result):
    """The script's only line on stdout."""
    result["cpu_seconds"] = round(cpu_seconds(), 3)
    result["peak_bytes"] = peak_bytes()
    print(json.dumps(result), flush=True)
