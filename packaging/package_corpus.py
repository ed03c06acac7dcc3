#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a real corpus of Debian's package descriptions, labelled by section, as JSONL.

  python3 packaging/package_corpus.py FOLDER

writes FOLDER/packages-400.jsonl (25 sections x 16) and FOLDER/packages-4000.jsonl (25 x 160, less
where a section has fewer). Texts have 60 to 400 words, one package per source. The package lists
with long descriptions are fetched by apt into FOLDER/lists, apart from the system's own; nothing
is installed and nothing of it belongs into the repository.
"""
import argparse
import bz2
import gzip
import hashlib
import json
import lzma
import pathlib
import re
import subprocess
import sys

OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}


def fetch_lists(folder: pathlib.Path) -> pathlib.Path:
    """Lets apt fetch the package lists, English descriptions included, into a folder of our own."""
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    options = {
        "Dir::State::lists": lists,
        "Dir::Cache::archives": folder / "archives",
        "Dir::Cache::pkgcache": folder / "pkgcache.bin",
        "Dir::Cache::srcpkgcache": folder / "srcpkgcache.bin",
        "Acquire::Languages": "en",
        "APT::Sandbox::User": "",
        "Debug::NoLocking": "1",
    }
    command = ["apt-get", "update", "-q"]
    for key, value in options.items():
        command += ["-o", f"{key}={value}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return lists


def read_text(path: pathlib.Path) -> str:
    opener = OPENERS.get(path.suffix)
    if opener:
        with opener(path, "rt", encoding="utf-8") as stream:
            return stream.read()
    if path.suffix == ".lz4":
        return subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", str(path)], check=True,
                              capture_output=True).stdout.decode("utf-8")
    return path.read_text(encoding="utf-8")


def stanzas(text: str):
    """Control-file paragraphs as dictionaries; continuation lines are kept."""
    for block in re.split(r"\n\n+", text):
        fields, key = {}, None
        for line in block.split("\n"):
            if line[:1] in " \t":
                if key:
                    fields[key] += "\n" + line
            elif ":" in line:
                key, _, value = line.partition(":")
                fields[key] = value.strip()
        if fields:
            yield fields


def plain_text(description: str) -> str:
    """The long description as paragraphs: without the synopsis, list marks and dot lines."""
    paragraphs, current = [], []
    for line in description.split("\n")[1:]:
        line = line.strip()
        if line == ".":
            paragraphs.append(" ".join(current))
            current = []
        elif line:
            current.append(line)
    paragraphs.append(" ".join(current))
    return "\n".join(p for p in paragraphs if p)


def collect(lists: pathlib.Path):
    descriptions = {}
    for path in sorted(lists.glob("*Translation-en*")):
        for entry in stanzas(read_text(path)):
            if "Package" in entry and "Description-en" in entry:
                descriptions[(entry["Package"], entry.get("Description-md5"))] = entry["Description-en"]
    if not descriptions:
        sys.exit("package_corpus: no long descriptions found: expected *Translation-en* files in " + str(lists))
    by_source = {}
    for path in sorted(lists.glob("*_Packages*")):
        for entry in stanzas(read_text(path)):
            text = descriptions.get((entry.get("Package"), entry.get("Description-md5")))
            section = entry.get("Section", "").split("/")[-1]
            if not text or not section:
                continue
            text = plain_text(text)
            if not 60 <= len(text.split()) <= 400:
                continue
            source = entry.get("Source", entry["Package"]).split(" ")[0]
            kept = by_source.get(source)
            if kept is None or entry["Package"] < kept["id"]:
                by_source[source] = {"id": entry["Package"], "section": section, "text": text}
    return list(by_source.values())


def choose(documents, sections: int, per_section: int):
    """The largest sections, the same number of each, in an order fixed by a hash."""
    groups = {}
    for document in documents:
        groups.setdefault(document["section"], []).append(document)
    names = sorted(groups, key=lambda name: (-len(groups[name]), name))[:sections]
    order = lambda document: hashlib.sha256(document["id"].encode()).hexdigest()
    chosen = [d for name in names for d in sorted(groups[name], key=order)[:per_section]]
    return sorted(chosen, key=order)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lists", type=pathlib.Path, help="read these lists instead of fetching them")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    folder = arguments.folder.resolve()
    documents = collect(arguments.lists or fetch_lists(folder))
    for name, per_section in (("packages-400.jsonl", 16), ("packages-4000.jsonl", 160)):
        chosen = choose(documents, 25, per_section)
        with open(folder / name, "w", encoding="utf-8") as stream:
            for document in chosen:
                stream.write(json.dumps(document, ensure_ascii=False) + "\n")
        words = sum(len(d["text"].split()) for d in chosen)
        print(f"{folder / name}: {len(chosen)} documents, {words} words")


if __name__ == "__main__":
    main()
