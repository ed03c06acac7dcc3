#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles every header of every library alone, so that each includes what it needs.

    packaging/check_headers.py BUILD [TREE]   BUILD: configured with CMAKE_VERIFY_INTERFACE_HEADER_SETS

The flags are those with which CMake would compile a header alone (its targets *_verify_interface_header_sets, which take
five times as long). What headers include from outside the project is most of the work, so that is precompiled, and a
header is compiled with the largest set of it that lies within what the header reaches by its own includes: with nothing,
therefore, that it does not have by itself. Includes under a condition are not counted.

Exit 1: a header does not compile alone.
"""
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

STUB = re.compile(r"_verify_interface_header_sets/(.*)\.cxx$")
RARE = 10  # what fewer headers reach is not precompiled
COST = 3  # precompiling takes as long as parsing it about so many times


def stubs_by_flags(build):
    """{flags: [(header, the source that includes only it)]}; the flags differ from layer to layer."""
    groups = collections.defaultdict(list)
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    for command in commands:
        stub = STUB.search(command["file"])
        if not stub:
            continue
        words = shlex.split(command["command"])
        flags = []
        while words:
            word = words.pop(0)
            if word in ("-o", "-MT", "-MF", "-c", "-x"):
                words.pop(0)
            elif word != "-MD":
                flags.append(word)
        groups[tuple(flags)].append((stub.group(1), command["file"]))
    return groups


class Includes:
    """What a header of the project includes from outside of it, by itself or through others of the project."""

    def __init__(self, root):
        self.root = root
        self.known = {}

    def of(self, header):
        if header not in self.known:
            self.known[header] = frozenset()  # for what includes itself
            found = set()
            for name in self.lines(os.path.join(self.root, header)):
                if name[0] == "<":
                    found.add(name[1:-1])
                elif os.path.exists(os.path.join(self.root, name[1:-1])):
                    found |= self.of(name[1:-1])
            self.known[header] = frozenset(found)
        return self.known[header]

    @staticmethod
    def lines(path):
        depth = 0
        with open(path, encoding="utf-8") as file:
            for line in file:
                directive = re.match(r"\s*#\s*(if|endif|include)\w*\s*(\S*)", line)
                if not directive:
                    continue
                depth += {"if": 1, "endif": -1, "include": 0}[directive[1]]
                if directive[1] == "include" and depth == 0:
                    yield directive[2]


def files_of(name, flags):
    """The files that #include <name> reads; none where that is wrong by itself."""
    made = subprocess.run([*flags, "-M", "-x", "c++", "-"], input=f"#include <{name}>\n", capture_output=True, text=True,
                          check=False)
    if made.returncode != 0:
        return frozenset()
    return frozenset(os.path.realpath(path) for path in made.stdout.replace("\\\n", " ").split()[2:])


class Sets:
    """Chooses what is precompiled. A set is a number whose bits are files; its weight is the bytes of those files."""

    def __init__(self, flags, reached):
        often = collections.Counter(name for names in reached for name in names)
        names = sorted(name for name, times in often.items() if times >= RARE)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            files = dict(zip(names, pool.map(lambda name: files_of(name, flags), names)))
        place = {path: bit for bit, path in enumerate(sorted(set().union(*files.values())))}
        self.sizes = [os.path.getsize(path) for path in place]
        self.bits = {name: sum(1 << place[path] for path in paths) for name, paths in files.items() if paths}
        self.weights = {}

    def of(self, names):
        bits = 0
        for name in names:
            bits |= self.bits.get(name, 0)
        return bits

    def within(self, bits):
        """The names that read nothing but these files."""
        return tuple(name for name, own in self.bits.items() if own | bits == bits)

    def weight(self, bits):
        if bits not in self.weights:
            self.weights[bits] = sum(size for bit, size in enumerate(self.sizes) if bits >> bit & 1)
        return self.weights[bits]

    def choose(self, reached):
        """[names or () for each of the headers, each of which reaches that set]"""
        often = [bits for bits, _ in collections.Counter(reached).most_common(60)]
        candidates = {self.of(self.within(one & other)) for one in often for other in often}
        candidates |= {self.of(self.within(bits)) for bits in reached}
        candidates.discard(0)
        best = [0] * len(reached)
        while True:
            gains = {}
            for candidate in candidates:
                weight = self.weight(candidate)
                gains[candidate] = -COST * weight + sum(weight - self.weight(best[at]) for at, bits in enumerate(reached)
                                                        if candidate | bits == bits and weight > self.weight(best[at]))
            top = max(sorted(candidates), key=gains.get, default=0)
            if gains.get(top, 0) <= 0:
                return [self.within(bits) for bits in best]
            for at, bits in enumerate(reached):
                if top | bits == bits and self.weight(top) > self.weight(best[at]):
                    best[at] = top


def quoted(words):
    return " ".join(shlex.quote(word).replace("$", "$$") for word in words)


def write_ninja(root, build, folder):
    """The steps, for ninja: a second run compiles only what changed.
    @return how many headers"""
    includes = Includes(root)
    lines = ["rule precompile", "  command = $flags -x c++-header $in -o $out -MD -MF $out.d", "  depfile = $out.d",
             "  deps = gcc", "  description = Precompiling for headers", "rule check",
             "  command = $flags $with -fsyntax-only -MD -MF $out.d -MT $out -x c++ $in && touch $out",
             "  depfile = $out.d", "  deps = gcc", "  description = $header"]
    headers = 0
    for group, (flags, stubs) in enumerate(stubs_by_flags(build).items()):
        flags = [*flags, "-Winvalid-pch", "-Werror=invalid-pch"]
        reached = [includes.of(header) for header, _ in stubs]
        sets = Sets(flags, reached)
        chosen = sets.choose([sets.of(names) for names in reached])
        made = {}
        for names in sorted(set(chosen) - {()}):
            made[names] = os.path.join(folder, f"{group}_{len(made)}.h")
            text = "".join(f"#include <{name}>\n" for name in names)
            if not os.path.exists(made[names]) or open(made[names], encoding="utf-8").read() != text:
                with open(made[names], "w", encoding="utf-8") as file:
                    file.write(text)
            lines += [f"build {made[names]}.gch: precompile {made[names]}", f"  flags = {quoted(flags)}"]
        for (header, stub), names in zip(stubs, chosen):
            with_set = f" | {made[names]}.gch" if names else ""
            lines += [f"build {os.path.join(folder, header)}.ok: check {stub}{with_set}", f"  header = {header}",
                      f"  flags = {quoted(flags)}", f"  with = {quoted(['-include', made[names]]) if names else ''}"]
            os.makedirs(os.path.dirname(os.path.join(folder, header)), exist_ok=True)
            headers += 1
    with open(os.path.join(folder, "build.ninja"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return headers


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 2
    root = os.path.abspath(sys.argv[2]) if len(sys.argv) == 3 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    build = os.path.abspath(sys.argv[1])
    folder = os.path.join(build, "header_checks")
    os.makedirs(folder, exist_ok=True)
    headers = write_ninja(root, build, folder)
    if headers == 0:
        print(f"check_headers.py: {build} names no header that is to be compiled alone", file=sys.stderr)
        return 1
    code = subprocess.run(["ninja", "-C", folder, "-k", "0", "--quiet"], check=False).returncode
    print(f"{headers} headers compile alone." if code == 0 else "These headers do not compile alone.", flush=True)
    return 1 if code else 0


if __name__ == "__main__":
    sys.exit(main())
