#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the bundled caches anew: the demo texts through both demo models, three layers, three
# stages, topic vectors, float16, and one ready map per stage of the last layer.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
bin=$root/build/release/bin
corpus=$root/resources/demo/corpus.jsonl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# make MODEL LAYERS FILE: run beside links to the inputs, so that the cache records no path of this machine
make() {
    local model
    model=$(bash "$root/packaging/fetch_model.sh" "$1")
    ln -sf "$model" "$corpus" "$work"
    cd "$work"
    "$bin/headscope" extract "$(basename "$model")" corpus.jsonl --layers "$2" --stages 1,2,3 \
        --label-columns topic --store f16 -o "$3" --overwrite
    for stage in 1 2 3; do
        "$bin/headscope" tsne "$3" --stage $stage --save "stage$stage-last"
    done
    cp "$3" "$root/resources/demo/$3"
    ls -l "$root/resources/demo/$3"
}
make smollm2 9,19,29 demo-cache.h5
make minilm 1,3,5 demo-minilm.h5
