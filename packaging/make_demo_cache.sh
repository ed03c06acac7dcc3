#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the bundled caches anew: the demo texts through both demo models, three layers, three
# stages, topic vectors, float16, and one ready map per stage of the last layer. With the argument `maps` only the
# maps are made anew, from the vectors in the caches, which needs no model.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
bin=${HEADSCOPE_BIN:-$root/build/release/bin}
corpus=$root/resources/demo/corpus.jsonl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# maps FILE: the ready maps of a cache, in place
maps() {
    local stage
    for stage in 1 2 3; do
        "$bin/headscope" tsne "$1" --stage $stage --save "stage$stage-last" --overwrite
    done
}

if [ "${1:-}" = maps ]; then
    maps "$root/resources/demo/demo-cache.h5"
    maps "$root/resources/demo/demo-minilm.h5"
    exit
fi

# make MODEL LAYERS FILE: run beside links to the inputs, so that the cache records no path of this machine
make() {
    local model
    model=$(bash "$root/packaging/fetch_model.sh" "$1")
    ln -sf "$model" "$corpus" "$work"
    cd "$work"
    "$bin/headscope" extract "$(basename "$model")" corpus.jsonl --layers "$2" --stages 1,2,3 \
        --label-columns topic --store f16 -o "$3" --overwrite
    maps "$3"
    cp "$3" "$root/resources/demo/$3"
    ls -l "$root/resources/demo/$3"
}
make smollm2 9,19,29 demo-cache.h5
make minilm 1,3,5 demo-minilm.h5
