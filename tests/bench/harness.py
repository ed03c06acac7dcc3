# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands one after another and says what they took and what else the machine was doing."""

import json
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

CORES = os.cpu_count()
TICKS = os.sysconf("SC_CLK_TCK")

# Units in which less is better; everything else is a rate or a share.
LESS_IS_BETTER = {"s", "bytes", "ms/iteration"}


@dataclass
class Side:
    """One program of a comparison. The command's only line on stdout is a JSON object."""

    name: str
    command: list
    runs: list = field(default_factory=list)

    def values(self, measure):
        return [measure(run) for run in self.runs]

    def median(self, measure):
        return statistics.median(self.values(measure))


def busy_seconds():
    """Processor seconds spent by everything on this machine since it started."""
    with open("/proc/stat") as stat:
        user, nice, system, _, _, interrupt, soft, steal = map(int, stat.readline().split()[1:9])
    return (user + nice + system + interrupt + soft + steal) / TICKS


def run(command, threads, timeout):
    """The JSON object printed, with wall, cpu, peak_rss and foreign (share of all cores) added.

    A command that fails, prints no JSON or takes too long raises RuntimeError with its last words.
    """
    environment = dict(os.environ)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[name] = str(threads)
    busy_before, begin = busy_seconds(), time.perf_counter()
    process = subprocess.Popen(["timeout", str(timeout), *map(str, command)], env=environment,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, errors = _drain(process)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit code {process.returncode}: "
                           f"{errors.strip()[-500:]}")
    try:
        result = json.loads(out.strip().splitlines()[-1])
    except (IndexError, ValueError) as error:
        raise RuntimeError(f"{command[0]}: expected a JSON object on stdout, found {out[-200:]!r}"
                           ) from error
    own = used.ru_utime + used.ru_stime
    foreign = max(0.0, busy_seconds() - busy_before - own) / (wall * CORES)
    return {**result, "wall": wall, "cpu": own, "peak_rss": used.ru_maxrss * 1024,
            "foreign": foreign}


def _drain(process):
    """Both pipes to their ends without reaping the process, whose resources wait4 must see."""
    import threading

    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    out = process.stdout.read()
    reader.join()
    process.stdout.close()
    process.stderr.close()
    return out, errors[0]


def interleave(sides, repeat, threads, timeout, record):
    """A B C A B C ...: a slow minute of the machine meets every side. A failing side is dropped."""
    for number in range(repeat):
        for side in list(sides):
            try:
                result = run(side.command, threads, timeout)
            except RuntimeError as error:
                print(f"headscope_bench: {side.name} left out: {error}", file=sys.stderr)
                sides.remove(side)
                continue
            side.runs.append(result)
            print(f"  {side.name} {number + 1}/{repeat}: wall {result['wall']:.2f} s, "
                  f"cpu {result['cpu']:.2f} s, peak {result['peak_rss'] / 1e6:.0f} MB, "
                  f"foreign load {result['foreign']:.1%}", file=sys.stderr)
            record({"side": side.name, "run": number, "command": list(map(str, side.command)),
                    "threads": threads, **result})
    return [side for side in sides if side.runs]


def line(case, unit, value, peer, peer_value):
    """One result line. ratio: how many times better; for qualities simply ours / theirs."""
    if value is None or not peer_value:
        ratio = None
    elif unit in LESS_IS_BETTER:
        ratio = peer_value / value
    else:
        ratio = value / peer_value
    def short(number):
        return number if number is None else float(f"{number:.6g}")
    print(json.dumps({"case": case, "value": short(value), "unit": unit, "peer": peer,
                      "peer_value": short(peer_value), "ratio": short(ratio)}), flush=True)


def compare(case, unit, ours, theirs, measure, peer_measure=None):
    """A line for the medians of two sides."""
    line(case, unit, ours.median(measure), theirs.name, theirs.median(peer_measure or measure))
